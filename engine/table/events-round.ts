import { handPayPending, seatCredit, stake } from '../accounting/accounts.ts';
import { move, settlement, staked } from '../accounting/entries.ts';
import type { Card } from '../core/cards.ts';
import type { Currency, Minor } from '../core/money.ts';
import { type Posting, type Rows, stepOf } from './event-row.ts';
import { type FromShoe, takeCard, takeCardsBack } from './events-shoe.ts';
import type { Person, VoidReason } from './inputs.ts';
import { addCredit, cardsAt, findBet, forgetResult, handAt } from './places.ts';
import { type SettlementLine, stillUnpaid } from './settlement.ts';
import { newHand, shapeOf } from './shape.ts';
import type {
  Bet,
  Bettor,
  CardCount,
  Deadline,
  HandPay,
  LastCards,
  LastResult,
  RoundState,
  TableState,
} from './state.ts';
import type { Tally } from './tallies.ts';

/** One person's answer stands in the event, or `byDefault`: the deadline answered instead. */
export interface Answer {
  readonly seat: number;
  readonly by: number;
  readonly byDefault: boolean;
}

/** What a game adds to a settlement. */
export interface SettlementFacts {}

/** The card dealt last, and where it lies. */
export interface LastCard {
  readonly card: Card;
  /** null = before the bank, or on the side. */
  readonly seat: number | null;
  readonly side?: 'player';
  readonly hand: number;
  readonly additional: boolean;
}

/** Of betting, and of a round as every game has one. */
export interface RoundEvents {
  'betting-opened': {
    readonly roundId: string;
    readonly roundNo: number;
    readonly last: boolean;
    readonly deadline: Deadline;
    /** The dealer; absent in entries of before there was this field. */
    readonly person?: Person;
  };
  /** A round that is shown and not played: no bets, no payments; the cards follow at once. */
  'demo-round-opened': {
    readonly roundId: string;
    readonly roundNo: number;
    readonly last: boolean;
  };
  'bet-placed': {
    readonly batch: number;
    readonly seat: number;
    readonly by: number;
    readonly bet: string;
    readonly currency: Currency;
    readonly amountMinor: Minor;
    readonly touchedAtMs: number;
  };
  'bet-withdrawn': {
    readonly batch: number;
    readonly seat: number;
    readonly by: number;
    readonly bet: string;
    readonly currency: Currency;
    readonly amountMinor: Minor;
    readonly touchedAtMs: number;
  };
  /** Jogo feito, nada mais. `burnDue`: art. 4.2 cards before the first one dealt. */
  'betting-closed': {
    readonly byDeadline: boolean;
    readonly burnDue: number;
    /** The dealer who said so; absent where the time did, and in older entries. */
    readonly person?: Person;
  };
  'betting-cancelled': object;
  /**
   * art. 13.5.2.vi: the time is up, but the bet this seat owes is missing; the window stays open.
   */
  'betting-extended': { readonly seat: number; readonly deadline: Deadline };
  /** The dealer gave the whole time once more. */
  'betting-time-renewed': { readonly deadline: Deadline; readonly person?: Person };
  /**
   * The bets are final: seats that receive cards, who decides for each, and what every bettor has
   * at stake.
   */
  'deal-began': {
    readonly bets: readonly Bet[];
    readonly seats: readonly { readonly seat: number; readonly decider: number }[];
  };
  /** `faceDown`: it is not shown before it is turned. */
  'card-dealt': {
    readonly seat: number;
    readonly hand: number;
    readonly additional: boolean;
    readonly faceDown?: true;
  } & FromShoe;
  'bank-card-dealt': { readonly faceDown: boolean } & FromShoe;
  'cards-swapped': {
    readonly fromSeat: number;
    /** 0 = the bank. */
    readonly toSeat: number;
    /** Absent = all of their first cards. */
    readonly place?: number;
    readonly person: Person;
  };
  /** art. 5.1.1: the card dealt last is invalid; the place it came from waits for the next one. */
  'card-taken-back': {
    readonly card: Card;
    /** null = it lay before the bank. */
    readonly seat: number | null;
    readonly hand: number;
    readonly additional: boolean;
    readonly person: Person;
    readonly cites: readonly string[];
  };
  /** `card` was read and is not what lies there; it waits for its name at the same place. */
  'card-doubted': LastCard & { readonly person: Person };
  /** `deadline` is null while a card comes first (second card of a split hand). */
  'turn-moved': {
    readonly seat: number;
    readonly hand: number;
    readonly deadline: Deadline | null;
  };
  'hand-surrendered': Answer;
  'bank-turn-began': { readonly burnDue: number };
  /** What an article has paid before the round is over; `byHand` as of the settlement. */
  'paid-at-once': {
    readonly currency: Currency;
    readonly lines: readonly SettlementLine[];
    readonly byHand?: readonly HandPay[];
  };
  'round-settled': {
    readonly currency: Currency;
    readonly lines: readonly SettlementLine[];
    readonly deadline: Deadline;
    /**
     * Wins too large for the machine: they wait for a hand-pay instead of lifting the credit.
     * Absent = none.
     */
    readonly byHand?: readonly HandPay[];
    /** For the last rounds on the table; absent = none of theirs, or of before there were any. */
    readonly tally?: Tally;
    /** So many of the oldest of them are forgotten before; absent = none. */
    readonly talliesGone?: number;
  } & SettlementFacts;
  /** The result has lain on the table long enough to be read. */
  'results-shown': object;
  /**
   * `committed`: the bets were final, so the refund is turnover that was voided, not a bet taken
   * back.
   */
  'round-voided': {
    readonly reason: VoidReason;
    readonly person: Person;
    readonly committed: boolean;
    readonly currency: Currency;
    readonly lines: readonly SettlementLine[];
    readonly deadline: Deadline;
  };
  /**
   * `next`: `shoe` where the shoe has ended (art. 2.2.1); `cardsBack`: the shuffler takes all cards
   * back (art. 2.2.4).
   */
  'round-closed': {
    readonly next: 'idle' | 'shoe';
    readonly cardsBack: boolean;
    /** The round stays known for complaints; absent in ledgers before that. */
    readonly kept?: true;
    /** Every bettor's result stays until their next bet; absent in ledgers before that. */
    readonly resultsStay?: true;
    /** Their cards stay with them; absent in ledgers before that. */
    readonly cardsStay?: true;
    /** The shoe has ended, and its cards are counted before the next one. */
    readonly toCount?: CardCount;
  };
}

function openRound(
  state: TableState,
  { atMs, roundId, roundNo, last, demo }: RoundEvents['demo-round-opened'] & { atMs: number; demo: boolean },
): void {
  state.roundNo = roundNo;
  state.round = shapeOf(state).round({
    id: roundId,
    no: roundNo,
    openedAtMs: atMs,
    demo,
    last,
    bets: [],
    placements: [],
    bettingClosedAtMs: null,
    dealt: false,
    burnDue: 0,
    cardCount: 0,
    seats: [],
    bank: [],
    bankHoleDown: false,
    additional: 0,
    turn: null,
    lines: null,
    voided: false,
    settledAtMs: null,
  });
}

function credit(state: TableState, lines: readonly SettlementLine[]): void {
  for (const { by, returnedMinor } of lines) addCredit(state, by, returnedMinor);
}

/** Wins too large for the machine wait for an attendant instead. */
function keepForHand(state: TableState, atMs: number, byHand: readonly HandPay[]): void {
  for (const { seat, requestId, payNo, amountMinor } of byHand) {
    addCredit(state, seat, -amountMinor);
    const account = state.seats[seat - 1]!;
    account.wins = [...(account.wins ?? []), { requestId, amountMinor, sinceMs: atMs, payNo }];
    state.nextPayNo = payNo + 1;
  }
}

const paid = (
  currency: Currency,
  lines: readonly SettlementLine[],
  byHand: readonly HandPay[] = [],
): Posting[] => [
  ...settlement(currency, lines),
  ...byHand.flatMap(({ seat, amountMinor }) =>
    move(currency, seatCredit(seat), handPayPending(seat), amountMinor),
  ),
];

/** For the sessions of those who have played it. */
function countRound(state: TableState, lines: readonly SettlementLine[]): void {
  for (const { seat, session } of state.seats) {
    if (session?.rounds === undefined) continue;
    const own = lines.filter(({ by }) => by === seat);
    if (own.length === 0) continue;
    const netMinor = own.reduce((sum, line) => sum + line.netMinor, 0);
    session.rounds += 1;
    session.largestLossMinor = Math.max(session.largestLossMinor ?? 0, -netMinor) as Minor;
  }
}

function endRound(state: TableState, lines: readonly SettlementLine[]): void {
  const round = state.round!;
  credit(state, stillUnpaid(lines));
  round.lines = lines;
  round.turn = null;
  state.phase = 'settled';
}

function keepResults(state: TableState, round: RoundState, cardsStay: boolean): void {
  const { id: roundId, no } = round;
  const all = round.lines ?? [];
  if (all.length === 0) return;
  const results: Record<string, LastResult> = { ...state.results };
  for (const { by } of all) {
    if (results[by]?.no === no) continue;
    const lines = all.filter((line) => line.by === by);
    results[by] = cardsStay
      ? { roundId, no, lines, cards: lastCards(state, round, lines) }
      : { roundId, no, lines };
  }
  state.results = results;
}

/** What lies before the bank and on the seats of these lines. */
function lastCards(state: TableState, round: RoundState, lines: readonly SettlementLine[]): LastCards {
  const own: { readonly seat: number; readonly cards: readonly Card[] }[] = [];
  for (const { seat, hands } of round.seats)
    if (lines.some((line) => line.seat === seat)) for (const { cards } of hands) own.push({ seat, cards });
  return {
    ...shapeOf(state).laid(round),
    bank: round.bankHoleDown ? round.bank.map((card, i) => (i > 0 ? null : card)) : round.bank,
    hands: own,
  };
}

/** The card dealt last is taken up again: its place waits for one. */
function takeUp(state: TableState, { seat, hand, side, additional }: Omit<LastCard, 'card'>): void {
  const round = state.round!;
  const played = seat === null ? null : handAt(round, seat, hand);
  if (side === undefined) (played?.cards ?? round.bank).pop();
  round.cardCount -= 1;
  state.deadline = null;
  if (!additional) {
    state.phase = 'dealing';
    round.turn = null;
    round.burnDue = 0;
    // What lies face down before the bank is dealt last.
    round.bankHoleDown = false;
  } else if (played !== null) {
    state.phase = 'turns';
    round.additional -= 1;
    round.burnDue = 0;
    round.turn = { seat: seat!, hand };
    played.status = 'open';
    // The second card of a split hand is due without a word.
    played.called = played.cards.length > 1;
  }
}

export const ROUND_ROWS = {
  'betting-opened': {
    apply(state, { atMs, roundId, roundNo, last, deadline }) {
      openRound(state, { atMs, roundId, roundNo, last, demo: false });
      state.phase = 'betting';
      state.deadline = deadline;
    },
    postings: null,
    codes: ['503', '505'],
    words: 'event.betting-opened',
  },
  'demo-round-opened': {
    apply(state, { atMs, roundId, roundNo, last }) {
      openRound(state, { atMs, roundId, roundNo, last, demo: true });
      state.phase = 'dealing';
      state.deadline = null;
    },
    postings: null,
    codes: ['505'],
    words: 'event.demo-round-opened',
  },
  'bet-placed': {
    apply(state, { batch, seat, by, bet, amountMinor }) {
      const round = state.round!;
      const lies = findBet(round.bets, seat, by, bet);
      if (lies) lies.amountMinor = (lies.amountMinor + amountMinor) as Minor;
      else round.bets.push({ seat, by, bet, amountMinor });
      round.placements.push({ batch, seat, by, bet, amountMinor });
      addCredit(state, by, -amountMinor);
      forgetResult(state, by);
    },
    postings: staked,
    codes: ['504'],
    words: 'event.bet-placed',
  },
  'bet-withdrawn': {
    apply(state, { batch, seat, by, bet, amountMinor }) {
      const round = state.round!;
      const lies = findBet(round.bets, seat, by, bet)!;
      lies.amountMinor = (lies.amountMinor - amountMinor) as Minor;
      round.bets = round.bets.filter((left) => left.amountMinor > 0);
      const at = round.placements.findLastIndex(
        (placed) => placed.batch === batch && placed.seat === seat && placed.by === by && placed.bet === bet,
      );
      round.placements.splice(at, 1);
      addCredit(state, by, amountMinor);
    },
    postings: ({ currency, by, amountMinor }) => move(currency, stake(by), seatCredit(by), amountMinor),
    codes: ['504C'],
    words: 'event.bet-withdrawn',
  },
  'betting-closed': {
    apply(state, { atMs, burnDue }) {
      const round = state.round!;
      state.phase = 'dealing';
      state.deadline = null;
      round.bettingClosedAtMs = atMs;
      round.burnDue = burnDue;
    },
    postings: null,
    codes: ['503C'],
    words: 'event.betting-closed',
  },
  'betting-cancelled': {
    apply(state) {
      state.round = null;
      state.phase = 'idle';
      state.deadline = null;
    },
    postings: null,
    codes: ['503C'],
    words: 'event.betting-cancelled',
  },
  'betting-extended': {
    apply(state, { deadline }) {
      state.deadline = deadline;
    },
    postings: null,
    codes: stepOf('503'),
    words: 'event.betting-extended',
  },
  'betting-time-renewed': {
    apply(state, { deadline }) {
      state.deadline = deadline;
    },
    postings: null,
    codes: stepOf('503'),
    words: 'event.betting-time-renewed',
  },
  'deal-began': {
    apply(state, { bets, seats }) {
      const round = state.round!;
      round.dealt = true;
      state.shoe.rounds += 1;
      if (round.demo) state.shoe.demoRounds += 1;
      const shape = shapeOf(state);
      for (const { seat, decider } of seats) {
        const onSeat = bets.filter((bet) => bet.seat === seat);
        const main = onSeat.filter(({ bet }) => bet === 'main');
        const bettors = main.map(
          ({ by, amountMinor }): Bettor => ({ ...shape.bettor(), by, originalMinor: amountMinor }),
        );
        const stakesMinor = main.map(({ amountMinor }) => amountMinor);
        const hands = [newHand(state, [], stakesMinor)];
        round.seats.push({ ...shape.seat(onSeat), seat, decider, bettors, hands });
      }
      for (const { by } of bets) state.seats[by - 1]!.previousBets = bets.filter((bet) => bet.by === by);
    },
    postings: null,
    codes: stepOf('505'),
    words: 'event.deal-began',
  },
  'card-dealt': {
    apply(state, { card, drawNo, waited, seat, hand, additional }) {
      const round = state.round!;
      takeCard(state, card, drawNo, waited);
      const to = handAt(round, seat, hand);
      to.cards.push(card);
      to.called = false;
      round.cardCount += 1;
      if (additional) round.additional += 1;
    },
    postings: null,
    codes: ['403'],
    words: 'event.card-dealt',
  },
  'bank-card-dealt': {
    apply(state, { card, drawNo, waited, faceDown }) {
      const round = state.round!;
      takeCard(state, card, drawNo, waited);
      round.bank.push(card);
      if (faceDown) round.bankHoleDown = true;
      round.cardCount += 1;
    },
    postings: null,
    codes: ['403'],
    words: 'event.bank-card-dealt',
  },
  'cards-swapped': {
    apply({ round }, { fromSeat, toSeat, place }) {
      if (place === undefined) {
        const from = handAt(round!, fromSeat, 0);
        const to = handAt(round!, toSeat, 0);
        [from.cards, to.cards] = [to.cards, from.cards];
        return;
      }
      const from = cardsAt(round!, fromSeat);
      const to = cardsAt(round!, toSeat);
      [from[place], to[place]] = [to[place]!, from[place]!];
    },
    postings: null,
    codes: ['407'],
    words: 'event.cards-swapped',
  },
  'card-taken-back': {
    apply(state, taken) {
      const { shoe } = state;
      takeUp(state, taken);
      shoe.burned += 1;
      shoe.discarded += 1;
    },
    postings: null,
    codes: ['404', '414'],
    words: 'event.card-taken-back',
  },
  'card-doubted': {
    apply(state, doubted) {
      const { shoe } = state;
      const { card } = doubted;
      takeUp(state, doubted);
      shoe.counts[card]! -= 1;
      // Its number in the shoe stands with the card as it was dealt; after an exchange nobody
      // knows it.
      const waiting = { drawNo: null, card, confidence: 0, faceUp: false, why: 'doubtful' } as const;
      shoe.waiting = [waiting, ...shoe.waiting];
    },
    postings: null,
    codes: ['405'],
    words: 'event.card-doubted',
  },
  'turn-moved': {
    apply(state, { seat, hand, deadline }) {
      state.phase = 'turns';
      state.deadline = deadline;
      state.round!.turn = { seat, hand };
    },
    postings: null,
    codes: stepOf('506'),
    words: 'event.turn-moved',
  },
  'hand-surrendered': {
    apply({ round }, { seat }) {
      handAt(round!, seat, 0).status = 'surrendered';
    },
    postings: null,
    codes: ['506'],
    words: 'event.hand-surrendered',
  },
  'bank-turn-began': {
    apply(state, { burnDue }) {
      const round = state.round!;
      state.phase = 'bank';
      state.deadline = null;
      round.turn = null;
      round.burnDue = burnDue;
    },
    postings: null,
    codes: stepOf('505'),
    words: 'event.bank-turn-began',
  },
  'paid-at-once': {
    apply(state, { atMs, lines, byHand = [] }) {
      credit(state, lines);
      keepForHand(state, atMs, byHand);
    },
    postings: ({ currency, lines, byHand }) => paid(currency, lines, byHand),
    codes: ['507', { code: '602', if: 'a win is paid by hand', when: ({ byHand }) => byHand !== undefined }],
    words: 'event.paid-at-once',
  },
  'round-settled': {
    apply(state, { atMs, lines, deadline, byHand = [], tally, talliesGone = 0 }) {
      endRound(state, lines);
      countRound(state, lines);
      if (tally) {
        const tallies = (state.tallies ?? []).slice(talliesGone);
        tallies.push(tally);
        state.tallies = tallies;
      }
      state.round!.settledAtMs = atMs;
      keepForHand(state, atMs, byHand);
      state.deadline = deadline;
    },
    postings: ({ currency, lines, byHand }) => paid(currency, stillUnpaid(lines), byHand),
    codes: ['507', { code: '602', if: 'a win is paid by hand', when: ({ byHand }) => byHand !== undefined }],
    words: 'event.round-settled',
  },
  'results-shown': {
    apply(state) {
      state.deadline = null;
    },
    postings: null,
    codes: stepOf('507'),
    words: 'event.results-shown',
  },
  'round-voided': {
    apply(state, { atMs, lines, deadline }) {
      const { shoe } = state;
      const round = state.round!;
      endRound(state, lines);
      round.settledAtMs = atMs;
      round.voided = true;
      shoe.discarded += shoe.waiting.filter((card) => card.why !== 'kept').length;
      shoe.waiting = shoe.waiting.filter((card) => card.why === 'kept');
      state.deadline = deadline;
      state.paused = null;
      delete state.unread;
    },
    postings: ({ currency, lines }) => settlement(currency, stillUnpaid(lines)),
    codes: ['508'],
    words: 'event.round-voided',
  },
  'round-closed': {
    apply(state, { next, cardsBack, kept, resultsStay, cardsStay, toCount }) {
      const { shoe } = state;
      const round = state.round!;
      if (kept && !round.demo) {
        const { id, no, settledAtMs, bank, seats } = round;
        state.lastRound = { ...shapeOf(state).laid(round), id, no, endedAtMs: settledAtMs!, bank, seats };
      }
      if (resultsStay) keepResults(state, round, cardsStay === true);
      state.round = null;
      state.phase = next;
      state.deadline = null;
      if (cardsBack) takeCardsBack(shoe);
      else shoe.discarded += round.cardCount;
      if (next === 'shoe') shoe.stage = 'none';
      if (toCount) shoe.toCount = toCount;
    },
    postings: null,
    codes: [
      '505C',
      { code: '418', if: 'the shuffler takes the cards', when: ({ cardsBack }) => cardsBack },
      { code: '416', if: 'the shoe has ended', when: ({ next }) => next === 'shoe' },
    ],
    words: 'event.round-closed',
  },
} as const satisfies Rows<RoundEvents>;
