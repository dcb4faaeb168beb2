import { raisedBy } from '../../accounting/entries.ts';
import type { Currency, Minor } from '../../core/money.ts';
import type { Rows } from '../../table/event-row.ts';
import { roundSeat, takeRaises } from '../../table/places.ts';
import type { Raise } from '../../table/state.ts';

/** What happens in a round of Casino War and in no other. */
export interface CasinoWarEvents {
  /** The tied seat challenges the house: as much again as its bet. */
  'war-declared': {
    readonly seat: number;
    readonly by: number;
    readonly currency: Currency;
    readonly raises: readonly Raise[];
  };
}

declare module '../../table/events.ts' {
  interface EventBodies extends CasinoWarEvents {}
}
declare module '../../table/events-shoe.ts' {
  interface BurnReasons {
    /** art. 7.5 */
    war: true;
  }
}

export const CASINO_WAR_ROWS = {
  'war-declared': {
    apply(state, { seat: seatNo, raises }) {
      const seat = roundSeat(state.round!, seatNo)!;
      const hand = seat.hands[0]!;
      const raised = takeRaises(state, seat, raises);
      hand.stakesMinor = hand.stakesMinor.map((stakeMinor, i) => (stakeMinor + raised[i]!) as Minor);
      hand.called = true;
      state.deadline = null;
    },
    postings: raisedBy,
    wagers: ({ raises }) => raises.map((raise) => ({ ...raise, bet: 'challenge' })),
    codes: ['506'],
    words: 'event.war-declared',
  },
} as const satisfies Rows<CasinoWarEvents>;
