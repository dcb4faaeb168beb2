/**
 * What the unit's events say of the note between escrow and its end, and what the host hears of
 * it. An event counts once: the counter beside the buffer says which are new.
 */
import type { AcceptorEvent } from '../../ports.ts';
import type { Draft, Out } from '../../transport/protocol.ts';
import { tell, UNHEARD_NOTE, worthOf } from '../acceptor.machine.ts';
import {
  type BillEvent,
  counterAfter,
  type EventBuffer,
  eventOf,
  eventsSince,
  PAIRS,
} from './cctalk.codec.ts';
import { type CctalkState, type Held, rowOf } from './cctalk-state.machine.ts';

type Events = Out<AcceptorEvent>;

const NEW: Omit<Held, 'bill' | 'isSure' | 'isPast'> = {
  ...UNHEARD_NOTE,
  emptySinceMs: null,
  route: null,
  routedAtMs: Number.NEGATIVE_INFINITY,
};

/** All events that are new, the oldest first, up to a credit that the host has not committed. */
export function followEvents(
  s: Draft<CctalkState>,
  out: Events,
  buffer: EventBuffer,
  isUnbroken: boolean,
  nowMs: number,
): void {
  const { counter, pairs } = buffer;
  const isFirst = s.pastOpen || s.counter === null;
  // Without a counter of before nobody can tell whether what waits is the note that was asked for.
  if (s.counter === null) closePast(s, out);
  if (s.held?.outcome === 'credited') tellCredit(s, out, s.held);
  else {
    if (s.counter !== null && counter === 0 && s.counter !== 0) restarted(s);
    const count = s.counter === null ? 0 : eventsSince(s.counter, counter);
    const isLost = count > PAIRS || !isSameLife(s, pairs, count);
    if (isLost) lose(s, out, nowMs);
    else
      for (let at = count - 1; at >= 0; at--) {
        const next = counterAfter(s.counter!);
        if (!follow(s, out, pairs[at]!, next, isUnbroken && at === 0, nowMs)) break;
        goPast(s, pairs[at]!, next);
      }
    if (s.counter === null || isLost) {
      s.counter = counter;
      s.behind = [...pairs];
    }
    s.isWatched = true;
  }
  if (!isFirst && nowMs !== s.lostAtMs) return;
  // What was said of a note last tells whether it may still be there: a stacker that fails while it
  // moves speaks of itself alone.
  const last = counter === 0 ? null : lastOfNotes(pairs);
  if (s.held === null && last?.type === 'escrow')
    s.held = { ...NEW, bill: last.bill, isSure: false, isPast: s.pastOpen };
  else if (s.held === null) closePast(s, out);
  s.pastOpen = false;
}

/** A note that an earlier run of the host may have had stacked is not reported here. */
function closePast(s: Draft<CctalkState>, out: Events): void {
  if (s.pastOpen) tell(out, { type: 'settled-unknown' });
  s.pastOpen = false;
}

/**
 * What was read before must still be there behind what is new; else the unit counts anew. Where
 * five are new, none of it can be: that will do only while the unit was heard all the time.
 */
const isSameLife = (s: CctalkState, pairs: EventBuffer['pairs'], count: number): boolean =>
  s.counter === null ||
  ((count < PAIRS || s.isWatched || s.behind.length === 0) &&
    s.behind.every((pair, at) => count + at >= PAIRS || pairs[count + at]?.join() === pair.join()));

function goPast(s: Draft<CctalkState>, pair: readonly [number, number], counter: number): void {
  s.counter = counter;
  s.behind = [pair, ...s.behind].slice(0, PAIRS);
}

/** The unit has started again: it has forgotten its settings, and perhaps where its note is. */
export function restarted(s: Draft<CctalkState>): void {
  s.counter = 0;
  s.behind = [];
  s.creditCounter = null;
  s.applied = {};
  s.hasTicket = false;
  doubt(s);
}

/** It must be asked whether the note is there before anything is done with it. */
export function doubt(s: Draft<CctalkState>): void {
  if (s.held?.outcome === 'pending') s.held = { ...s.held, isSure: false, emptySinceMs: null };
}

// More events than the buffer holds, or those of another life: nothing is made of the rest.
function lose(s: Draft<CctalkState>, out: Events, nowMs: number): void {
  tell(out, { type: 'sequence-error', detail: 'events lost' });
  endNote(s, out);
  closePast(s, out);
  s.applied = {};
  s.lostAtMs = nowMs;
}

/** What became of a note of which the unit says no more. */
export function endNote(s: Draft<CctalkState>, out: Events): void {
  const { held } = s;
  s.held = null;
  if (held?.outcome !== 'pending') return;
  // A note that was never told to stack cannot have been stacked.
  tell(out, { type: held.stackSent || held.isPast ? 'settled-unknown' : 'returned' });
}

function tellCredit(s: Draft<CctalkState>, out: Events, held: Held): void {
  const row = rowOf(s, held.bill);
  tell(out, { type: 'credit', note: row && worthOf(s, row) });
}

/** False: the event is a credit, and is done with only once the host has committed. */
function follow(
  s: Draft<CctalkState>,
  out: Events,
  pair: readonly [number, number],
  counter: number,
  isSure: boolean,
  nowMs: number,
): boolean {
  const event = eventOf(...pair);
  switch (event.type) {
    case 'escrow':
      endNote(s, out);
      s.held = { ...NEW, bill: event.bill, isSure: isSure && !s.pastOpen, isPast: false };
      closePast(s, out);
      break;
    case 'credit':
      if (s.held?.bill !== event.bill) endNote(s, out);
      s.held = {
        ...(s.held ?? { ...NEW, isPast: false }),
        bill: event.bill,
        isSure: true,
        announced: true,
        outcome: 'credited',
      };
      s.creditCounter = counter;
      s.pastOpen = false;
      tellCredit(s, out, s.held);
      return false;
    case 'returned':
      if (!isNoteWaiting(s)) {
        endNote(s, out);
        closePast(s, out);
        break;
      }
      if (s.held !== null || s.pastOpen) tell(out, { type: 'returned' });
      s.held = null;
      s.pastOpen = false;
      break;
    case 'rejected':
      tell(out, { type: 'rejected', reason: event.reason });
      doubt(s);
      break;
    case 'barcode':
      tell(out, { type: 'rejected', reason: 'barcode' });
      s.hasTicket = true;
      break;
    case 'stacked-unknown':
      s.held = null;
      tell(out, { type: 'sequence-error', detail: 'a note of unknown type was stacked' });
      break;
    case 'state':
      s.fault = { state: event.state, detail: event.detail, sinceMs: nowMs };
      doubt(s);
      break;
    case 'nothing':
    case 'unknown':
      // What it means for the unit is asked for.
      s.checkedAtMs = Number.NEGATIVE_INFINITY;
      break;
  }
  return true;
}

/**
 * Whether the last that was read of any note is that it is in escrow. A unit that has restarted may
 * give back another note than the one that was sent on its way before.
 */
const isNoteWaiting = (s: CctalkState): boolean => lastOfNotes(s.behind)?.type === 'escrow';

const lastOfNotes = (newestFirst: EventBuffer['pairs']): BillEvent | undefined =>
  newestFirst
    .map((pair) => eventOf(...pair))
    .find(({ type }) => ['escrow', 'credit', 'returned', 'stacked-unknown'].includes(type));

/** The host has committed: the event is done with, and the unit has gone on. */
export function acknowledge(s: Draft<CctalkState>): void {
  if (s.creditCounter !== null && s.held !== null) goPast(s, [s.held.bill, 0], s.creditCounter);
  s.creditCounter = null;
  s.held = null;
  s.fresh = false;
}
