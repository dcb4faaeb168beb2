import type { Minor } from '../core/money.ts';
import { handAt } from './changes.ts';
import type { TableEvent } from './events.ts';
import type { Session, TableState } from './state.ts';

/** Events of whoever sits at a seat: how it is shown, his session and limits, what he notes ahead; false where the event is none of them. */
export function evolveSeat(state: TableState, event: TableEvent): boolean {
  switch (event.type) {
    case 'comfort-set':
      state.seats[event.seat - 1]!.comfort = event.comfort;
      return true;
    case 'session-began':
      state.seats[event.seat - 1]!.session = {
        sinceMs: event.atMs,
        inMinor: event.broughtMinor,
        outMinor: 0 as Minor,
        limits: { timeMs: null, lossMinor: null },
        reached: null,
        hasReached: false,
        timeFromMs: event.atMs,
        lossFromMinor: 0 as Minor,
      };
      return true;
    case 'session-ended': {
      const seat = state.seats[event.seat - 1]!;
      delete seat.session;
      delete seat.comfort;
      return true;
    }
    case 'own-limits-set':
      sessionAt(state, event.seat).limits = { timeMs: event.timeMs, lossMinor: event.lossMinor };
      return true;
    case 'own-limit-reached': {
      const session = sessionAt(state, event.seat);
      session.reached = event.kind;
      session.hasReached = true;
      return true;
    }
    case 'own-limit-confirmed': {
      const session = sessionAt(state, event.seat);
      session.reached = null;
      if (event.kind === 'time') session.timeFromMs = event.atMs;
      else session.lossFromMinor = event.resultMinor;
      return true;
    }
    case 'intent-noted': {
      const { seat, by, hand, act } = event;
      const round = state.round!;
      const others = (round.intents ?? []).filter((intent) => intent.by !== by);
      const cards = [...handAt(round, seat, hand).cards];
      round.intents = act === null ? others : [...others, { seat, by, hand, act, cards }];
      return true;
    }
    case 'intent-taken': {
      const round = state.round!;
      round.intents = round.intents!.filter((intent) => intent.by !== event.by);
      return true;
    }
    case 'intent-dropped': {
      const { by, code, cites } = event;
      for (const intent of state.round!.intents!) if (intent.by === by) intent.dropped = { code, cites };
      return true;
    }
    default:
      return false;
  }
}

const sessionAt = (state: TableState, seat: number): Session => state.seats[seat - 1]!.session!;

/** Money that came to a seat or left it by hand, for the session that runs there. */
export function countMoney(state: TableState, seat: number, inMinor: number, outMinor: number): void {
  const session = state.seats[seat - 1]?.session;
  if (!session) return;
  session.inMinor = (session.inMinor + inMinor) as Minor;
  session.outMinor = (session.outMinor + outMinor) as Minor;
}
