/**
 * What the status says of the one note between escrow and its end, and what the host hears of it.
 */
import type { AcceptorEvent, Note } from '../../ports.ts';
import { type HeldNote, UNHEARD_NOTE } from '../acceptor.machine.ts';
import type { Status } from './ebds.codec.ts';
import type { NoteSpec } from './ebds-messages.codec.ts';

/**
 * How a unit names the note in escrow or stacked: written out, by its value index, as a ticket, or
 * as nothing at all.
 */
export type Described =
  | { readonly by: 'spec'; readonly spec: NoteSpec }
  | { readonly by: 'index'; readonly index: number }
  | { readonly by: 'barcode'; readonly text: string }
  /** An extended note of zeros, or value index 0: no credit. */
  | { readonly by: 'blank' };

/**
 * The note between escrow and its end; `turned`: our toggle said that the host has committed, and
 * the unit has not answered it yet.
 */
export interface Held extends Omit<HeldNote, 'outcome'> {
  /** Null where this machine has not heard it yet, or only after the escrow. */
  readonly described: Described | null;
  /** Replies in a row with a note in escrow that did not say which. */
  readonly unnamed: number;
  /**
   * The unit has named it, and it has been seen in escrow without a gap since: only then may it be
   * stacked.
   */
  readonly watched: boolean;
  readonly outcome: HeldNote['outcome'] | 'turned';
}

export interface NoteState {
  readonly held: Held | null;
  readonly pastOpen: boolean;
  /**
   * The toggle of that life is known, so that nothing it had not heard yet can have been taken as
   * heard.
   */
  readonly toggleKnown: boolean;
}

const UNHEARD: Held = { ...UNHEARD_NOTE, described: null, unnamed: 0, watched: false };

/** No note of before is between the front and the box. */
const isFree = (status: Status): boolean =>
  (status.idling || status.accepting) && !status.poweringUp && !status.jammed && !status.stalled;

/**
 * One fresh reply further; the escrow itself is announced by the caller, who knows the note table.
 * `before`: the status of the reply before, null where nobody has looked for a while.
 */
export function followNote(
  state: NoteState,
  before: Status | null,
  status: Status,
  described: Described | null,
  worth: (described: Described) => Note | null,
): Omit<NoteState, 'toggleKnown'> & { readonly events: readonly AcceptorEvent[] } {
  const events: AcceptorEvent[] = [];
  let { held, pastOpen } = state;
  if (held?.outcome === 'acknowledged' || held?.outcome === 'turned') {
    // A repeat that was under way; or the unit lost its power before our turned toggle reached it
    // and says it again.
    if (status.stacked && held.outcome === 'turned' && held.described?.by !== 'blank')
      events.push({ type: 'credit-repeated' });
    if (status.stacked || status.poweringUp) return { held, pastOpen: false, events };
    held = null;
  }
  if (status.stacked && described?.by === 'blank') {
    if (held !== null || pastOpen) events.push({ type: 'sequence-error', detail: 'stacked without a value' });
    // Nothing to commit, but like a credit it is over only when the unit has heard our turned
    // toggle.
    return {
      held: { ...UNHEARD, described, announced: true, outcome: 'acknowledged' },
      pastOpen: false,
      events,
    };
  }
  if (status.stacked) {
    const note = (described === null ? null : worth(described)) ?? held?.note ?? null;
    events.push({ type: 'credit', note });
    return {
      held: { ...(held ?? UNHEARD), note, announced: true, outcome: 'credited' },
      pastOpen: false,
      events,
    };
  }
  if (status.returned && (held !== null || pastOpen)) {
    // A note of an earlier life, or one after it: only the toggle of that life tells.
    events.push({ type: held !== null || state.toggleKnown ? 'returned' : 'settled-unknown' });
    held = null;
    pastOpen = false;
  }
  if ((status.rejected || status.returning) && held?.outcome === 'pending')
    held = { ...held, outcome: 'returning' };
  if (status.escrowed) {
    // The note of that life may have been stacked and this be another of the same value: nobody can
    // tell.
    if (held === null && pastOpen && !state.toggleKnown) events.push({ type: 'settled-unknown' });
    held = inEscrow(held, before, described, events);
  } else if (status.stacking) held ??= { ...UNHEARD, announced: true, stackSent: true };
  else if (isFree(status)) {
    if (held !== null) events.push(...endOf(held));
    else if (pastOpen) events.push({ type: 'settled-unknown' });
    held = null;
    pastOpen = false;
  }
  return { held, pastOpen: pastOpen && held === null, events };
}

function inEscrow(
  held: Held | null,
  before: Status | null,
  described: Described | null,
  events: AcceptorEvent[],
): Held {
  const known = held?.described ?? null;
  // Another note: the unit names it otherwise, or there was none in escrow the last time somebody
  // looked.
  const another =
    held !== null &&
    (held.outcome !== 'pending' ||
      before?.escrowed === false ||
      (known !== null && described !== null && JSON.stringify(known) !== JSON.stringify(described)));
  if (another) events.push(...endOf(held));
  const here = held === null || another ? UNHEARD : held;
  return {
    ...here,
    ...(here.lost ? { lost: false, announced: false, asked: 'nothing' } : {}),
    described: described ?? here.described,
    unnamed: described === null ? here.unnamed + 1 : 0,
    watched: described !== null || (here.watched && before !== null),
  };
}

// The path is free again, or holds another note: what became of the one before.
function endOf({ outcome, stackSent }: Held): readonly AcceptorEvent[] {
  if (outcome === 'credited' || outcome === 'acknowledged' || outcome === 'turned') return [];
  // A note that was never told to stack cannot have been stacked.
  return [{ type: outcome === 'pending' && stackSent ? 'settled-unknown' : 'returned' }];
}
