/** What the status bytes say of the one note between escrow and its end, and what the host is told of it. */
import type { AcceptorEvent, Note } from '../../ports.ts';
import { CODE } from './id003.codec.ts';

/** The note between escrow and its end. */
export interface Held {
  /** Escrow code; null where this machine never heard it (it started after the escrow, or a barcode). */
  readonly code: number | null;
  readonly note: Note | null;
  readonly announced: boolean;
  readonly asked: 'nothing' | 'stack' | 'return' | 'hold';
  readonly stackSent: boolean;
  readonly outcome: 'pending' | 'returning' | 'credited' | 'acknowledged';
  /** The link was lost since: an ESCROW of the same code is told to the host once more. */
  readonly lost: boolean;
}

export interface NoteState {
  readonly held: Held | null;
  /** Nothing is known yet of a note that an earlier life of the host may have told to stack. */
  readonly pastOpen: boolean;
}

const UNHEARD: Held = {
  code: null,
  note: null,
  announced: false,
  asked: 'nothing',
  stackSent: false,
  outcome: 'pending',
  lost: false,
};

/** No note of before is between the front and the box. */
const PATH_FREE: readonly number[] = [CODE.idle, CODE.disable, CODE.accepting];

/** One status further; the escrow itself is announced by the caller, who knows the currency table. */
export function followNote(
  state: NoteState,
  code: number,
  data: Uint8Array,
): NoteState & { readonly events: readonly AcceptorEvent[] } {
  const { held } = state;
  const free = PATH_FREE.includes(code);
  const settled = state.pastOpen && held === null && free;
  const pastOpen = state.pastOpen && held === null && !free;
  const go = (next: Held | null, ...events: AcceptorEvent[]) => ({
    held: next,
    pastOpen,
    events: settled ? [{ type: 'settled-unknown' } as const, ...events] : events,
  });
  switch (code) {
    case CODE.escrow: {
      const escrowCode = data.length === 1 ? data[0]! : null;
      if (held === null || held.code !== escrowCode || held.outcome !== 'pending')
        return go({ ...UNHEARD, code: escrowCode }, ...endOf(held));
      return go(held.lost ? { ...held, lost: false, announced: false, asked: 'nothing' } : held);
    }
    case CODE.holding:
      return go(held ?? UNHEARD);
    case CODE.stacking:
      return go(held ?? { ...UNHEARD, announced: true, stackSent: true });
    case CODE.vendValid: {
      // After our ACK the same signal again means that the ACK was lost: it is sent again and nobody is told.
      if (held?.outcome === 'acknowledged') return go(held);
      const credited: Held = { ...(held ?? UNHEARD), announced: true, outcome: 'credited' };
      return go(credited, { type: 'credit', note: credited.note });
    }
    case CODE.stacked:
      return go(held?.outcome === 'acknowledged' ? null : held);
    case CODE.returning:
      return go(
        held === null || held.outcome === 'pending' ? { ...(held ?? UNHEARD), outcome: 'returning' } : held,
      );
    case CODE.rejecting:
      return go(held?.outcome === 'pending' ? { ...held, outcome: 'returning' } : held);
    default:
      return free ? go(null, ...endOf(held)) : go(held);
  }
}

// The path is free again, or holds another note: what became of the one before.
function endOf(held: Held | null): readonly AcceptorEvent[] {
  if (held === null || held.outcome === 'credited' || held.outcome === 'acknowledged') return [];
  // A note that was never told to stack cannot have been stacked.
  const unknown = held.outcome === 'pending' && held.stackSent;
  return [{ type: unknown ? 'settled-unknown' : 'returned' }];
}
