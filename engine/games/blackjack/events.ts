import { move, raisedBy, staked } from '../../accounting/entries.ts';
import type { Card } from '../../core/cards.ts';
import { type Currency, type Minor, minor, type Parts } from '../../core/money.ts';
import { type Rows, stepOf } from '../../table/event-row.ts';
import type { Answer } from '../../table/events-round.ts';
import type { Game } from '../../table/game.ts';
import type { Act, Person } from '../../table/inputs.ts';
import { addCredit, handAt, roundSeat, takeRaises } from '../../table/places.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import { newHand } from '../../table/shape.ts';
import type { Bettor, Deadline, HandStatus, Raise, TableState } from '../../table/state.ts';
import type { DoubleModality, OfferKind, PendingOffer, StreakBet } from './parts.ts';

/**
 * art. 10.3, r.34: the answer is on insurance alone; even money is still open to this bettor.
 * Absent = nothing is.
 */
export interface StillAsked {
  readonly stillAsked?: true;
}

/** What happens in a round of blackjack and in no other. */
export interface BlackjackEvents {
  'initial-deal-ended': { readonly blackjacks: readonly number[] };
  /**
   * art. 5.2.3.3: the bank has looked at its card that lies face down, whether it makes a blackjack
   * and nothing else.
   */
  'hole-card-checked': { readonly blackjack: boolean };
  'hole-card-turned': object;
  'offers-opened': {
    readonly kind: OfferKind;
    readonly pending: readonly PendingOffer[];
    readonly deadline: Deadline;
  };
  'insurance-laid': {
    readonly currency: Currency;
    readonly amountMinor: Minor;
  } & Answer &
    StillAsked;
  'insurance-declined': Answer & StillAsked;
  /** `bound`: bettors of the seat who take it with their holder (r.15). */
  'even-money-taken': { readonly bound: readonly number[] } & Answer;
  'original-only-taken': Answer;
  'offer-passed': Answer;
  'offers-closed': object;
  'hit-called': {
    readonly seat: number;
    readonly hand: number;
    readonly by: number;
    readonly byDefault: boolean;
  };
  'hand-stood': {
    readonly seat: number;
    readonly hand: number;
    readonly by: number;
    readonly byDefault: boolean;
  };
  'hand-doubled': {
    readonly seat: number;
    readonly hand: number;
    readonly by: number;
    readonly modality: DoubleModality;
    readonly aceLocked: boolean;
    readonly currency: Currency;
    readonly raises: readonly Raise[];
  };
  'hand-split': {
    readonly seat: number;
    readonly hand: number;
    readonly by: number;
    readonly aces: boolean;
    readonly currency: Currency;
    readonly raises: readonly Raise[];
  };
  /** r.28: on the new hand beside `hand`; r.30: on `hand`. */
  'raise-followed': {
    readonly kind: 'split' | 'double';
    readonly hand: number;
    readonly currency: Currency;
    readonly amountMinor: Minor;
  } & Answer;
  /** r.21: the lines are fixed, the hands are collected. */
  'blackjacks-paid': { readonly lines: readonly SettlementLine[] };
  /** r.17: the second card of the bank was turned and is discarded. */
  'bank-second-burned': {
    readonly card: Card;
    readonly person: Person;
    readonly cites: readonly string[];
  };
  'resplit-declined': { readonly seat: number };
  'hand-closed': {
    readonly seat: number;
    readonly hand: number;
    readonly status: HandStatus;
  };
  'five-card-half-taken': {
    readonly seat: number;
    readonly hand: number;
    readonly by: number;
  };
  'special-prize-won': {
    readonly seat: number;
    readonly hand: number;
    readonly closesHand: boolean;
    readonly lines: readonly SettlementLine[];
  };
  /** Side bets the cards have just decided; the lines are paid with the settlement. */
  'side-bets-decided': { readonly lines: readonly SettlementLine[] };
  /** art. 13.1.2 with a new bet on each split hand. */
  'pair-bet-laid': {
    readonly hand: number;
    readonly currency: Currency;
    readonly amountMinor: Minor;
  } & Answer;
  /**
   * art. 13.5.2.vi with the house's rule: the bettor has left, their open streak bets are lost with
   * this round.
   */
  'streak-forfeited': {
    readonly seat: number;
    readonly by: number;
    readonly person: Person;
  };
  /**
   * art. 13.5.2: what the round has made of the series of a seat, right before its settlement.
   * `open` empty = nothing is open any more, the button is taken off.
   */
  'streak-moved': {
    readonly seat: number;
    readonly result: 'won' | 'lost' | 'tied' | 'surrendered' | 'forfeited';
    readonly wins: number;
    readonly open: readonly StreakBet[];
  };
  /**
   * r.44, r.48, r.50: the meter of the jackpot by so much more or less. collected: with the chips ·
   * undone: they went back · restarted: after the highest combination
   */
  'jackpot-moved': {
    readonly why: 'started' | 'collected' | 'undone' | 'paid' | 'restarted';
    readonly currency: Currency;
    readonly amountMinor: Minor;
    readonly meterMinor: Minor;
    readonly rest: Parts;
  };
}

declare module '../../table/events.ts' {
  interface EventBodies extends BlackjackEvents {}
}
declare module '../../table/events-shoe.ts' {
  interface BurnReasons {
    /** art. 4.2 */
    'before-bank-second': true;
  }
}

const bettorOf = ({ round }: TableState, seat: number, by: number): Bettor =>
  roundSeat(round!, seat)!.bettors.find((bettor) => bettor.by === by)!;

/** Whoever was asked has answered. */
function answer({ round }: TableState, seat: number, by: number): void {
  const { offers } = round!;
  const at = offers?.pending.findIndex((offer) => offer.seat === seat && offer.by === by) ?? -1;
  if (at >= 0) offers!.pending.splice(at, 1);
}

export const BLACKJACK_ROWS = {
  'initial-deal-ended': {
    apply({ round }, { blackjacks }) {
      // After a swap of first cards all of them are read again; what was paid is paid.
      round!.prizes = round!.prizes.filter(({ atOnce }) => atOnce);
      for (const { seat, hands } of round!.seats) {
        const hand = hands[0]!;
        if (blackjacks.includes(seat)) hand.status = 'blackjack';
        else if (hand.status === 'blackjack') hand.status = 'open';
      }
    },
    postings: null,
    codes: stepOf('505'),
    words: 'event.initial-deal-ended',
  },
  'hole-card-checked': {
    apply({ round }) {
      round!.bankLooked = true;
    },
    postings: null,
    codes: stepOf('505'),
    words: 'event.hole-card-checked',
  },
  'hole-card-turned': {
    apply({ round }) {
      round!.bankHoleDown = false;
    },
    postings: null,
    codes: stepOf('403'),
    words: 'event.hole-card-turned',
  },
  'offers-opened': {
    apply(state, { kind, pending, deadline }) {
      const round = state.round!;
      state.phase = 'offers';
      state.deadline = deadline;
      // New bets on a split hand (art. 13.1.2) and raises that follow (r.28, r.30) are laid within
      // the turn of that hand.
      if (kind === 'first') round.turn = null;
      round.offers = { kind, pending: [...pending] };
    },
    postings: null,
    codes: stepOf('506'),
    words: 'event.offers-opened',
  },
  'insurance-laid': {
    apply(state, { seat, by, amountMinor, stillAsked }) {
      bettorOf(state, seat, by).insuranceMinor = amountMinor;
      addCredit(state, by, -amountMinor);
      if (!stillAsked) answer(state, seat, by);
    },
    postings: staked,
    wagers: ({ by, amountMinor }) => [{ by, bet: 'insurance', amountMinor }],
    codes: ['506'],
    words: 'event.insurance-laid',
  },
  'insurance-declined': {
    apply(state, { seat, by, stillAsked }) {
      bettorOf(state, seat, by).insuranceDeclined = true;
      if (!stillAsked) answer(state, seat, by);
    },
    postings: null,
    codes: ['506'],
    words: 'event.insurance-declined',
  },
  'even-money-taken': {
    apply(state, { seat, by, bound }) {
      for (const each of [by, ...bound]) bettorOf(state, seat, each).evenMoney = true;
      answer(state, seat, by);
    },
    postings: null,
    codes: ['506'],
    words: 'event.even-money-taken',
  },
  'original-only-taken': {
    apply(state, { seat, by }) {
      bettorOf(state, seat, by).losesOriginalOnly = true;
      answer(state, seat, by);
    },
    postings: null,
    codes: ['506'],
    words: 'event.original-only-taken',
  },
  'offer-passed': {
    apply(state, { seat, by }) {
      answer(state, seat, by);
    },
    postings: null,
    codes: ['506'],
    words: 'event.offer-passed',
  },
  'offers-closed': {
    apply(state) {
      state.round!.offers = null;
      state.phase = 'turns';
      state.deadline = null;
    },
    postings: null,
    codes: stepOf('506'),
    words: 'event.offers-closed',
  },
  'hit-called': {
    apply(state, { seat, hand }) {
      handAt(state.round!, seat, hand).called = true;
      state.deadline = null;
    },
    postings: null,
    codes: ['506'],
    words: 'event.hit-called',
  },
  'hand-stood': {
    apply(state, { seat, hand }) {
      handAt(state.round!, seat, hand).status = 'stood';
      state.deadline = null;
    },
    postings: null,
    codes: ['506'],
    words: 'event.hand-stood',
  },
  'hand-doubled': {
    apply(state, { seat: seatNo, hand: handNo, modality, aceLocked, raises }) {
      const seat = roundSeat(state.round!, seatNo)!;
      const hand = seat.hands[handNo]!;
      const raised = takeRaises(state, seat, raises);
      hand.stakesMinor = hand.stakesMinor.map((stakeMinor, i) => (stakeMinor + raised[i]!) as Minor);
      hand.doubled = modality;
      hand.aceLocked = aceLocked;
      hand.called = true;
      state.deadline = null;
    },
    postings: raisedBy,
    wagers: ({ raises }) => raises.map((raise) => ({ ...raise, bet: 'double' })),
    codes: ['506'],
    words: 'event.hand-doubled',
  },
  'hand-split': {
    apply(state, { seat: seatNo, hand: handNo, aces, raises }) {
      const seat = roundSeat(state.round!, seatNo)!;
      const hand = seat.hands[handNo]!;
      const added = newHand(state, [hand.cards[1]!], takeRaises(state, seat, raises));
      hand.cards = [hand.cards[0]!];
      for (const half of [hand, added]) {
        half.fromSplit = true;
        half.splitAces = aces;
      }
      seat.hands.splice(handNo + 1, 0, added);
      state.deadline = null;
    },
    postings: raisedBy,
    wagers: ({ raises }) => raises.map((raise) => ({ ...raise, bet: 'split' })),
    codes: ['506'],
    words: 'event.hand-split',
  },
  'raise-followed': {
    apply(state, { seat: seatNo, by, hand, kind, amountMinor }) {
      const seat = roundSeat(state.round!, seatNo)!;
      const at = seat.bettors.findIndex((bettor) => bettor.by === by);
      const { stakesMinor } = seat.hands[kind === 'split' ? hand + 1 : hand]!;
      stakesMinor[at] = (stakesMinor[at]! + amountMinor) as Minor;
      addCredit(state, by, -amountMinor);
      answer(state, seatNo, by);
    },
    postings: staked,
    wagers: ({ by, kind, amountMinor }) => [{ by, bet: kind, amountMinor }],
    codes: ['506'],
    words: 'event.raise-followed',
  },
  'blackjacks-paid': {
    apply({ round }, { lines }) {
      for (const { seat } of lines) handAt(round!, seat, 0).status = 'paid';
      round!.prizes.push(...lines);
    },
    postings: null,
    codes: stepOf('507'),
    words: 'event.blackjacks-paid',
  },
  'bank-second-burned': {
    apply(state) {
      const { shoe } = state;
      const round = state.round!;
      round.bank.pop();
      round.bankHoleDown = false;
      round.cardCount -= 1;
      round.offers = null;
      round.turn = null;
      shoe.burned += 1;
      shoe.discarded += 1;
      state.phase = 'dealing';
      state.deadline = null;
    },
    postings: null,
    codes: ['404', '414'],
    words: 'event.bank-second-burned',
  },
  'resplit-declined': {
    apply({ round }, { seat }) {
      roundSeat(round!, seat)!.resplitDeclined = true;
    },
    postings: null,
    codes: ['506'],
    words: 'event.resplit-declined',
  },
  'hand-closed': {
    apply(state, { seat, hand, status }) {
      handAt(state.round!, seat, hand).status = status;
      state.deadline = null;
    },
    postings: null,
    codes: stepOf('506'),
    words: 'event.hand-closed',
  },
  'five-card-half-taken': {
    apply(state, { seat, hand }) {
      handAt(state.round!, seat, hand).status = 'paid';
      state.deadline = null;
    },
    postings: null,
    codes: ['506'],
    words: 'event.five-card-half-taken',
  },
  'special-prize-won': {
    apply({ round }, { seat, hand: handNo, closesHand, lines }) {
      const hand = handAt(round!, seat, handNo);
      hand.prize = true;
      if (closesHand) hand.status = 'paid';
      round!.prizes.push(...lines);
    },
    postings: null,
    codes: stepOf('507'),
    words: 'event.special-prize-won',
  },
  'side-bets-decided': {
    apply({ round }, { lines }) {
      round!.prizes.push(...lines);
      // A bet on a split hand is decided by the second card of that hand, before any other can be
      // laid.
      for (const bet of round!.bets) if (bet.hand !== undefined) bet.hand = null;
    },
    postings: null,
    codes: stepOf('507'),
    words: 'event.side-bets-decided',
  },
  'pair-bet-laid': {
    apply(state, { seat, by, hand, amountMinor }) {
      state.round!.bets.push({ seat, by, bet: 'anyPair', amountMinor, hand });
      addCredit(state, by, -amountMinor);
      answer(state, seat, by);
    },
    postings: staked,
    wagers: ({ by, amountMinor }) => [{ by, bet: 'anyPair', amountMinor }],
    codes: ['504'],
    words: 'event.pair-bet-laid',
  },
  'streak-forfeited': {
    apply({ round }, { seat, by }) {
      round!.forfeits.push({ seat, by });
    },
    postings: null,
    codes: ['514'],
    words: 'event.streak-forfeited',
  },
  'streak-moved': {
    /** The series of the seats stay in the order of the seats. */
    apply(state, { seat, wins, open }) {
      state.streaks = state.streaks.filter((streak) => streak.seat !== seat);
      if (open.length === 0) return;
      state.streaks.push({ seat, wins, open });
      state.streaks.sort((a, b) => a.seat - b.seat);
    },
    postings: null,
    codes: ['514'],
    words: 'event.streak-moved',
  },
  'jackpot-moved': {
    apply({ jackpots }, { currency, meterMinor, rest, why }) {
      const at = jackpots.findIndex((meter) => meter.currency === currency);
      const old = jackpots[at];
      // A ledger that begins with it is no ledger of ours, and the check of the meters says so.
      const before = why === 'collected' && old ? { meterMinor: old.meterMinor, rest: old.rest } : null;
      jackpots.splice(at < 0 ? jackpots.length : at, 1, { currency, meterMinor, rest, before });
    },
    postings: ({ currency, amountMinor }) =>
      amountMinor < 0
        ? move(currency, 'jackpot', 'bank', minor(-amountMinor))
        : move(currency, 'bank', 'jackpot', amountMinor),
    codes: [
      { code: '512', if: 'it was won', when: ({ why }) => why === 'paid' },
      { code: '512', class: 'I', if: 'its meter moved', when: ({ why }) => why !== 'paid' },
    ],
    words: 'event.jackpot-moved',
  },
} as const satisfies Rows<BlackjackEvents>;

/** r.42: no jackpot looks at more of a player's cards. */
const MOST_COUNTED = 4;

/** What else changes in a round of blackjack. */
export const BLACKJACK_ALSO: NonNullable<Game['also']> = {
  'card-dealt'({ round }, { seat, card }) {
    const { counted } = roundSeat(round!, seat)!;
    if (counted !== null && counted.length < MOST_COUNTED) counted.push(card);
  },
  'card-burned'({ round }, { why }) {
    if (why === 'before-bank-second') round!.burnDue -= 1;
  },
  'card-taken-back'({ round }) {
    round!.offers = null;
  },
  'card-doubted'({ round }, { seat }) {
    round!.offers = null;
    if (seat === null) return;
    const { counted, hands } = roundSeat(round!, seat)!;
    const dealt = hands.reduce((sum, { cards }) => sum + cards.length, 0);
    if (counted !== null && counted.length > dealt) counted.pop();
  },
  'cards-swapped'({ round }) {
    for (const seat of round!.seats) if (seat.counted !== null) seat.counted = [...seat.hands[0]!.cards];
  },
  'hand-surrendered': (state, { seat, by }) => answer(state, seat, by),
  'round-settled'({ round }) {
    round!.offers = null;
  },
  'round-voided'({ round }) {
    round!.offers = null;
  },
};

export const BLACKJACK_ACTS: readonly Act[] = [
  'hit',
  'stand',
  'double',
  'split',
  'surrender',
  'insure',
  'declineInsurance',
  'evenMoney',
  'fiveCardHalf',
  'loseOriginalOnly',
  'followSplit',
  'followDouble',
  'betPair',
  'playOn',
];
