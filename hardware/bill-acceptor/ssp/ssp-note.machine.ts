/** What the events of a poll say of the one note, and what the host hears of it. */
import type { AcceptorEvent, Note } from '../../ports.ts';
import { type HeldNote, UNHEARD_NOTE } from '../acceptor.machine.ts';
import { EVENT, type PollEvent } from './ssp.codec.ts';

export interface Held extends HeldNote {
  /** Null where this machine never heard the escrow. */
  readonly channel: number | null;
  /** The next poll stacks it. */
  readonly inEscrow: boolean;
  readonly isTicket: boolean;
}

export interface NoteState {
  readonly held: Held | null;
  readonly pastOpen: boolean;
  /** The last note was credited, and none has been in escrow since: a credit is a repetition. */
  readonly wasCredited: boolean;
  /** Not before this a silent unit says that nothing is under way. */
  readonly settleAtMs: number;
  /** The unit repeats a credit until it is acknowledged. */
  readonly withAck: boolean | null;
}

const UNHEARD: Held = { ...UNHEARD_NOTE, channel: null, inEscrow: false, isTicket: false };
/** So long after the last word of a note the unit would have said what became of it. */
const SILENT_MS = 5000;
const STARTED_MS = 1000;

type Step = Omit<NoteState, 'withAck'> & { readonly events: readonly AcceptorEvent[] };

export function followNote(
  state: NoteState,
  { code, channel }: PollEvent,
  nowMs: number,
  worth: (channel: number | null) => Note | null,
): Step {
  const { held, pastOpen, wasCredited, withAck } = state;
  const go = (changes: Partial<NoteState>, ...events: AcceptorEvent[]): Step => ({
    held,
    pastOpen,
    wasCredited,
    settleAtMs: nowMs + SILENT_MS,
    ...changes,
    events,
  });
  const same: Step = { ...state, events: [] };
  switch (code) {
    case EVENT.slaveReset:
      return go({ held: held && { ...held, inEscrow: false } });
    case EVENT.initialising:
      // Said until it has done with a note that it found: what comes of that follows at once.
      return go({ settleAtMs: nowMs + STARTED_MS });
    case EVENT.read:
    case EVENT.ticket: {
      if (code === EVENT.read && channel === 0) return held === null ? go({}) : same;
      const isTicket = code === EVENT.ticket;
      if (held?.inEscrow && held.channel === channel && held.isTicket === isTicket) return same;
      // A refused REJECT: without a word of its end it is the same note.
      const isSame = held?.channel === channel && held.outcome === 'pending' && !held.stackSent && !held.lost;
      if (isSame && !isTicket) return go({ held: { ...held, inEscrow: true } });
      const fresh: Held = { ...UNHEARD, channel, inEscrow: true, isTicket };
      // The unit takes no note while another one is under way: what it has not said of that is
      // lost.
      const before = held === null ? (pastOpen ? UNKNOWN : []) : endOf(held, withAck);
      if (!isTicket) return go({ held: fresh, pastOpen: false, wasCredited: false }, ...before);
      const asked: Held = { ...fresh, announced: true, asked: 'return' };
      return go({ held: asked, pastOpen: false }, ...before, { type: 'rejected', reason: 'barcode' });
    }
    case EVENT.stacking: {
      if (held !== null) return go({});
      if (wasCredited) return same;
      return go({ held: { ...UNHEARD, announced: true, stackSent: true } });
    }
    case EVENT.credit:
    case EVENT.clearedIntoCashBox: {
      if (held?.outcome === 'acknowledged' || (held === null && wasCredited))
        return go({}, ...(code === EVENT.credit ? [{ type: 'credit-repeated' } as const] : []));
      // A channel that the unit does not name any more is the one it named in escrow.
      const note = worth(channel === 0 ? (held?.channel ?? null) : channel);
      const credited: Held = {
        ...(held ?? UNHEARD),
        note,
        announced: true,
        inEscrow: false,
        outcome: 'credited',
      };
      return go({ held: credited, pastOpen: false, wasCredited: true }, { type: 'credit', note });
    }
    case EVENT.stacked:
      if (held?.outcome === 'acknowledged') return go({ held: null });
      if (held === null) return same;
      return go({ held: null }, { type: 'sequence-error', detail: 'STACKED without a credit' });
    case EVENT.rejecting:
      if (held === null || held.outcome !== 'pending') return go({});
      return go({ held: { ...held, inEscrow: false, outcome: 'returning' } });
    case EVENT.rejected:
    case EVENT.clearedFromFront: {
      // We have stacked a note and do not know that it came back: this may be of one before it.
      const end = held && (held.stackSent ? held : { ...held, outcome: ended(held) });
      if (end !== null) return go({ held: null }, ...endOf(end, withAck));
      // Of an earlier life, or one behind it: only a unit that repeats its credits tells.
      if (!pastOpen) return go({});
      return go({ pastOpen: false }, ...(withAck ? [RETURNED] : UNKNOWN));
    }
    default:
      return same;
  }
}

const RETURNED: AcceptorEvent = { type: 'returned' };
const UNKNOWN: readonly AcceptorEvent[] = [{ type: 'settled-unknown' }];

const ended = ({ outcome }: Held): Held['outcome'] => (outcome === 'pending' ? 'returning' : outcome);

/** A reply without a word of a note: what that says. */
export function quiet(state: NoteState, nowMs: number): Step {
  const { held, pastOpen } = state;
  if (nowMs < state.settleAtMs || held?.inEscrow || held?.outcome === 'credited')
    return { ...state, events: [] };
  const events = held === null ? (pastOpen ? UNKNOWN : []) : endOf(held, state.withAck);
  return { ...state, held: null, pastOpen: false, events };
}

function endOf(held: Held, withAck: boolean | null): readonly AcceptorEvent[] {
  if (held.outcome === 'credited' || held.outcome === 'acknowledged' || held.isTicket) return [];
  if (!held.stackSent) return [RETURNED];
  // While the line was lost the note may have been stacked, and this be another one.
  const isSure = held.outcome === 'returning' && (!held.lost || withAck === true);
  return isSure ? [RETURNED] : UNKNOWN;
}
