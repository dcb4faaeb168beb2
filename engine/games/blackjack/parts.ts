import type { Card } from '../../core/cards.ts';
import type { Currency, Minor, Parts } from '../../core/money.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { GameParts } from '../../table/shape.ts';

// What the state holds of blackjack.

/**
 * r.40-r.50: a progressive jackpot. It belongs to the table, not to a round, a shoe or a profile.
 */
export interface JackpotMeter {
  readonly currency: Currency;
  readonly meterMinor: Minor;
  /** What the meter is owed beyond that, as a part of one minor unit. */
  readonly rest: Parts;
  /** The meter before the chips of the round on the table lifted it. */
  readonly before: { readonly meterMinor: Minor; readonly rest: Parts } | null;
}

/** art. 13.5: a bet on `number` rounds won in a row, untouchable once its first round has begun. */
export interface StreakBet {
  readonly by: number;
  /** 2 to 5 */
  readonly number: number;
  readonly amountMinor: Minor;
}

/** The series of a seat: one button, whoever has bets open there. It outlives the round. */
export interface Streak {
  readonly seat: number;
  /** Rounds won since the bets were laid; the button shows one more, once there is a win. */
  readonly wins: number;
  /** Never empty: with the last decided bet the series is gone. */
  readonly open: readonly StreakBet[];
}

/**
 * A bettor with open streak bets who does not bet on: they are lost with this round
 * (art. 13.5.2.vi).
 */
export interface Forfeit {
  readonly seat: number;
  readonly by: number;
}

/**
 * first: before the turns · original-only: art. 10.7, after the bank's blackjack · any-pair:
 * art. 13.1.2 with a new bet on each split hand, before the second card of the hand in turn ·
 * follow-split, follow-double: r.28, r.30, after the holder's
 */
export type OfferKind = 'first' | 'original-only' | 'any-pair' | 'follow-split' | 'follow-double';

/** A bettor who has not yet answered what the phase `offers` offers them. */
export interface PendingOffer {
  readonly seat: number;
  readonly by: number;
}

export type DoubleModality = 'anyTwo' | 'afterSplit' | 'eleven' | 'nineTenEleven';

declare module '../../table/state.ts' {
  interface TableParts {
    /** At most one per currency. */
    jackpots: JackpotMeter[];
  }
  interface ProfileParts {
    /**
     * Series with open bets, by seat; what is laid in the running round joins them with its
     * settlement.
     */
    streaks: Streak[];
  }
  interface RoundParts {
    forfeits: Forfeit[];
    /** art. 5.2.3.3: the bank has looked at its card that lies face down. */
    bankLooked: boolean;
    offers: { readonly kind: OfferKind; readonly pending: PendingOffer[] } | null;
    /** Lines fixed during the round (special prizes, side bets); paid with the settlement. */
    prizes: SettlementLine[];
  }
  interface SeatParts {
    /** art. 16.5: a further split was declined, there is none any more on this seat. */
    resplitDeclined: boolean;
    /**
     * r.42: with a jackpot chip, the first cards dealt to the seat over all its hands; else null.
     */
    counted: Card[] | null;
  }
  interface BettorParts {
    insuranceMinor: Minor;
    insuranceDeclined: boolean;
    evenMoney: boolean;
    /** art. 10.7 offered and taken */
    losesOriginalOnly: boolean;
  }
  interface HandParts {
    fromSplit: boolean;
    splitAces: boolean;
    doubled: DoubleModality | null;
    /** r.32: an ace of the two doubled cards stays one. */
    aceLocked: boolean;
    /** art. 15: the prize of this hand has been won. */
    prize: boolean;
  }
  /** paid: five-card half, a prize that closes the hand, a blackjack collected after the deal */
  interface HandStatuses {
    stood: true;
    busted: true;
    blackjack: true;
    paid: true;
  }
}
declare module '../../table/inputs.ts' {
  interface Acts {
    hit: true;
    stand: true;
    double: true;
    split: true;
    surrender: true;
    insure: true;
    declineInsurance: true;
    evenMoney: true;
    fiveCardHalf: true;
    loseOriginalOnly: true;
    /** r.28, r.30: a bet behind follows the split or the double of the holder. */
    followSplit: true;
    followDouble: true;
    /**
     * art. 13.1.2 with a new bet on each split hand: any pair on the hand in turn, before its
     * second card
     */
    betPair: true;
    /** No offer taken, deal on. */
    playOn: true;
  }
}
declare module '../../table/game.ts' {
  interface GameView {
    /** null = no jackpot today */
    jackpot: { readonly meterMinor: Minor; readonly stakeMinor: Minor } | null;
  }
  interface GameSeatView {
    /** `button`: where the button of the series lies, 0 = it does not. */
    streak: { readonly button: number; readonly open: readonly StreakBet[] } | null;
    insurance: readonly { readonly by: number; readonly amountMinor: Minor }[];
  }
}

export const BLACKJACK_PARTS = {
  table: () => ({ jackpots: [] }),
  profile: () => ({ streaks: [] }),
  round: () => ({ forfeits: [], bankLooked: false, offers: null, prizes: [] }),
  seat: (bets) => ({
    resplitDeclined: false,
    counted: bets.some(({ bet }) => bet === 'jackpot') ? [] : null,
  }),
  bettor: () => ({
    insuranceMinor: 0 as Minor,
    insuranceDeclined: false,
    evenMoney: false,
    losesOriginalOnly: false,
  }),
  hand: () => ({ fromSplit: false, splitAces: false, doubled: null, aceLocked: false, prize: false }),
} satisfies GameParts;
