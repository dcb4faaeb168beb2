/**
 * What the status bytes say of the one note between escrow and its end, and what the host hears
 * of it.
 */
import type { AcceptorEvent } from '../../ports.ts';
import { type HeldNote, UNHEARD_NOTE } from '../acceptor.machine.ts';
import { CODE, decodeEscrow } from './id003.codec.ts';

/**
 * The note between escrow and its end; `answered`: the device was told that the host has committed.
 */
export interface Held extends Omit<HeldNote, 'outcome'> {
  /** Escrow code; null where this machine never heard it: it started after the escrow. */
  readonly code: number | null;
  /** Digits of a coupon: it is given back, and nobody is asked. */
  readonly barcode: string | null;
  readonly outcome: HeldNote['outcome'] | 'answered';
}

export interface NoteState {
  readonly held: Held | null;
  readonly pastOpen: boolean;
}

const UNHEARD: Held = { ...UNHEARD_NOTE, code: null, barcode: null };

/** No note of before is between the front and the box. */
const PATH_FREE: readonly number[] = [CODE.idle, CODE.disable, CODE.accepting];

/**
 * One status further; the escrow itself is announced by the caller, who knows the currency table.
 * @param before the status heard last, null where too long ago for nothing to have happened in
 * between
 */
export function followNote(
  state: NoteState,
  before: number | null,
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
      const escrow = decodeEscrow(data);
      const fresh: Held =
        'code' in escrow
          ? { ...UNHEARD, code: escrow.code }
          : { ...UNHEARD, barcode: escrow.barcode, announced: true, asked: 'return' };
      const isSame = held?.code === fresh.code && held.barcode === fresh.barcode;
      if (held === null || !isSame || held.outcome !== 'pending') {
        const refused = fresh.barcode === null ? [] : [{ type: 'rejected', reason: 'barcode' } as const];
        return go(fresh, ...endOf(held), ...refused);
      }
      if (held.barcode !== null) return go({ ...held, asked: 'return' });
      return go(held.lost ? { ...held, lost: false, announced: false, asked: 'nothing' } : held);
    }
    case CODE.holding:
      return go(held ?? UNHEARD);
    case CODE.stacking:
      return go(held ?? { ...UNHEARD, announced: true, stackSent: true });
    case CODE.vendValid: {
      if (held?.outcome === 'acknowledged') return go(held);
      // After our ACK the same signal means that the ACK was lost. After STACKED it is a
      // repetition, too: between the two lies no path a note could have taken. It is answered
      // again, and credited never.
      if (held?.outcome === 'answered') return go({ ...held, outcome: 'acknowledged' }, REPEATED);
      if (held === null && before === CODE.stacked)
        return go({ ...UNHEARD, announced: true, outcome: 'acknowledged' }, REPEATED);
      const credited: Held = { ...(held ?? UNHEARD), announced: true, outcome: 'credited' };
      return go(credited, { type: 'credit', note: credited.note });
    }
    case CODE.stacked:
      if (held?.outcome === 'pending' || held?.outcome === 'returning')
        return go(null, { type: 'sequence-error', detail: 'STACKED without VEND VALID' });
      if (held === null && before !== null && PATH_FREE.includes(before))
        return go(null, { type: 'sequence-error', detail: 'STACKED without a note' });
      return go(isAcknowledged(held) ? null : held);
    case CODE.returning:
      return go(
        held === null || held.outcome === 'pending' ? { ...(held ?? UNHEARD), outcome: 'returning' } : held,
      );
    case CODE.powerUpBillInAcceptor:
    case CODE.jamInAcceptor:
      // A note before the point of return is not the one whose credit signal was answered: its own
      // may follow.
      return go(isAcknowledged(held) ? null : held);
    case CODE.rejecting:
      return go(held?.outcome === 'pending' ? { ...held, outcome: 'returning' } : held);
    default:
      return free ? go(null, ...endOf(held)) : go(held);
  }
}

const REPEATED: AcceptorEvent = { type: 'credit-repeated' };

const isAcknowledged = (held: Held | null): boolean =>
  held?.outcome === 'acknowledged' || held?.outcome === 'answered';

// The path is free again, or holds another note: what became of the one before.
function endOf(held: Held | null): readonly AcceptorEvent[] {
  if (held === null || held.outcome === 'credited' || isAcknowledged(held)) return [];
  // A coupon was never the host's.
  if (held.barcode !== null) return [];
  // A note that was never told to stack cannot have been stacked.
  const unknown = held.outcome === 'pending' && held.stackSent;
  return [{ type: unknown ? 'settled-unknown' : 'returned' }];
}
