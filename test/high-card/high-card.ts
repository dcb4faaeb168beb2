/**
 * High card, a game of this test alone: one card each and one for the bank, the higher wins; before
 * the bank's, everybody may raise.
 */
import { raisedBy } from '../../engine/accounting/entries.ts';
import { type Card, rankOf } from '../../engine/core/cards.ts';
import { type Currency, type Minor, ZERO } from '../../engine/core/money.ts';
import { reject } from '../../engine/core/result.ts';
import { creditOf, type Draft, deadlineAt, profileOf } from '../../engine/table/draft.ts';
import type { Rows } from '../../engine/table/event-row.ts';
import type { Answer } from '../../engine/table/events-round.ts';
import type { Game } from '../../engine/table/game.ts';
import { emit } from '../../engine/table/lane.ts';
import { findBet, handAt, roundSeat, takeRaises } from '../../engine/table/places.ts';
import { settleRound } from '../../engine/table/round-end.ts';
import { reckoned, type SettlementLine } from '../../engine/table/settlement.ts';
import type { Raise, RoundState, TableState } from '../../engine/table/state.ts';
import type { Choice } from '../../engine/table/steps.ts';
import { HIGH_CARD_BOOK } from './book.ts';

interface HighCardEvents {
  'high-card-raised': Answer & { readonly currency: Currency; readonly raises: readonly Raise[] };
  'high-card-kept': Answer;
}

declare module '../../engine/table/events.ts' {
  interface EventBodies extends HighCardEvents {}
}
declare module '../../engine/table/inputs.ts' {
  interface Acts {
    raiseCard: true;
    keepCard: true;
  }
}
declare module '../../engine/table/state.ts' {
  interface RoundParts {
    /** Seats that have answered. */
    answered?: number[];
  }
}
declare module '../../engine/table/game.ts' {
  interface GameView {
    highCards?: readonly number[];
  }
}

const HIGH_CARD_ROWS = {
  'high-card-raised': {
    apply(state, { seat: seatNo, raises }) {
      const seat = roundSeat(state.round!, seatNo)!;
      const raised = takeRaises(state, seat, raises);
      const hand = seat.hands[0]!;
      hand.stakesMinor = hand.stakesMinor.map((stake, i) => (stake + raised[i]!) as Minor);
      state.round!.answered!.push(seatNo);
      state.deadline = null;
    },
    postings: raisedBy,
    wagers: ({ raises }) => raises.map((raise) => ({ ...raise, bet: 'double' })),
    codes: ['506'],
    words: 'event.high-card-raised',
  },
  'high-card-kept': {
    apply(state, { seat }) {
      state.round!.answered!.push(seat);
      state.deadline = null;
    },
    postings: null,
    codes: ['506'],
    words: 'event.high-card-kept',
  },
} as const satisfies Rows<HighCardEvents>;

const rankValue = (state: TableState, card: Card): number =>
  rankOf(card) === 0 && (state.rules as unknown as { aceHigh: boolean }).aceHigh ? 13 : rankOf(card);

const waiting = (round: RoundState): number | undefined =>
  round.seats.find(({ seat }) => !round.answered!.includes(seat))?.seat;

function nextAnswer(draft: Draft): void {
  const { state, atMs } = draft;
  const seat = waiting(state.round!);
  if (seat === undefined) {
    emit(draft, { type: 'bank-turn-began', atMs, burnDue: 0 });
    return;
  }
  const deadline = deadlineAt('decision', atMs, profileOf(state).timing.decisionMs, seat, 0);
  emit(draft, { type: 'turn-moved', atMs, seat, hand: 0, deadline });
}

function lines(state: TableState): SettlementLine[] {
  const { seats, bank } = state.round!;
  return seats.map(({ seat, hands }) => {
    const own = rankValue(state, hands[0]!.cards[0]!);
    const other = rankValue(state, bank[0]!);
    return reckoned({
      seat,
      by: seat,
      bet: 'main',
      hand: 0,
      outcome: own > other ? 'win' : own < other ? 'lose' : 'push',
      stakeMinor: hands[0]!.stakesMinor[0]!,
      odds: own > other ? [1, 1] : own < other ? [-1, 1] : null,
      returnedMinor: ZERO,
      netMinor: ZERO,
      cites: ['h.4'],
    });
  });
}

export const HIGH_CARD: Game = {
  id: 'high-card',
  book: HIGH_CARD_BOOK,
  rows: HIGH_CARD_ROWS,
  parts: { round: () => ({ answered: [] }) },
  acts: ['raiseCard', 'keepCard'],
  shoe: () => ({
    deckCheck: false,
    packets: 0,
    cut: 'none',
    endCard: null,
    startBurn: 0,
    burnByFace: null,
    roundsAfterEnd: 0,
    demoRounds: null,
    replacesAnyTime: false,
    mayReplaceOne: false,
  }),
  cardsBack: () => 'never',
  isShoeOfOneRound: () => false,
  reserve: () => 8,
  isExposedValid: () => true,
  burnBeforeRound: () => 0,
  isRound: (bets) => bets.length > 0,
  bets: () => ['main'],
  betRange(state, bets, { seat, by, bet }) {
    const { min, max } = state.rules!;
    return { least: min, most: max - (findBet(bets, seat, by, bet)?.amountMinor ?? 0) };
  },
  refuseBet(state, bets, { seat, by, bet, amountMinor }) {
    const { min, max, step } = state.rules!;
    if (bet !== 'main') return reject('off', ['h.4']);
    if (seat !== by) return reject('not-own-seat', ['h.4']);
    if (amountMinor % step !== 0) return reject('step', ['h.4']);
    const sum = (findBet(bets, seat, by, bet)?.amountMinor ?? 0) + amountMinor;
    return sum < min || sum > max ? reject('out-of-range', ['h.4']) : null;
  },
  refuseClosing: () => null,
  due(round, state) {
    if (state.phase === 'bank') return { to: 'bank' };
    if (state.phase !== 'dealing') return null;
    const seats = round.dealt ? round.seats : round.bets.toSorted((a, b) => a.seat - b.seat);
    const next = seats[round.cardCount];
    return next ? { to: 'seat', seat: next.seat, hand: 0, additional: false } : null;
  },
  beginDeal(draft) {
    const { state, atMs } = draft;
    const { bets } = state.round!;
    const seats = bets.map(({ seat }) => ({ seat, decider: seat })).toSorted((a, b) => a.seat - b.seat);
    emit(draft, { type: 'deal-began', atMs, bets, seats });
  },
  afterCard(draft) {
    const { phase, round } = draft.state;
    if (phase === 'bank') settleRound(draft, lines(draft.state));
    else if (round!.cardCount === round!.seats.length) nextAnswer(draft);
  },
  afterSwap: nextAnswer,
  play(draft, { roundId, seat, by, act }) {
    const { state, atMs } = draft;
    const { round } = state;
    if (round?.id !== roundId) return reject('unknown-round');
    if (state.phase !== 'turns' || round.turn?.seat !== seat || by !== seat)
      return reject('not-your-turn', ['h.3']);
    const { originalMinor } = roundSeat(round, seat)!.bettors[0]!;
    if (act === 'keepCard') emit(draft, { type: 'high-card-kept', atMs, seat, by, byDefault: false });
    else if (act !== 'raiseCard') return reject('not-allowed', ['h.3']);
    else if (creditOf(state, by) < originalMinor) return reject('no-credit', ['h.3']);
    else {
      const { currency } = profileOf(state);
      const raises = [{ by, amountMinor: originalMinor }];
      emit(draft, { type: 'high-card-raised', atMs, seat, by, byDefault: false, currency, raises });
    }
    nextAnswer(draft);
    return null;
  },
  passDecision(draft) {
    const { seat } = draft.state.round!.turn!;
    emit(draft, { type: 'high-card-kept', atMs: draft.atMs, seat, by: seat, byDefault: true });
    nextAnswer(draft);
  },
  passOffers: () => {},
  refundLines: (round) =>
    round.bets.map(({ seat, by, bet, amountMinor }) => {
      const stakeMinor = round.dealt ? handAt(round, seat, 0).stakesMinor[0]! : amountMinor;
      return {
        seat,
        by,
        bet,
        hand: 0,
        outcome: 'void',
        stakeMinor,
        odds: null,
        returnedMinor: stakeMinor,
        netMinor: ZERO,
        cites: ['h.3'],
      };
    }),
  readHand: (cards) => ({
    points: cards.length === 0 ? null : rankOf(cards[0]!) + 1,
    soft: false,
    blackjack: false,
    busted: false,
  }),
  view: (state) => (state.rules?.game === 'high-card' ? { highCards: state.round?.answered ?? [] } : {}),
  step(state) {
    const due = HIGH_CARD.due(state.round!, state);
    if (due?.to === 'bank') return { step: 'draw-for-bank', cites: ['h.3'] };
    if (due?.to === 'seat') return { step: 'draw-for-seat', seat: due.seat, hand: due.hand, cites: ['h.3'] };
    return { step: 'await-decision', seat: state.round!.turn!.seat, hand: 0, cites: ['h.3'] };
  },
  choices(state, seat) {
    const { turn, seats } = state.round!;
    if (state.phase !== 'turns' || turn?.seat !== seat) return [];
    const amountMinor = seats.find((played) => played.seat === seat)!.bettors[0]!.originalMinor;
    return (['raiseCard', 'keepCard'] as const).map(
      (act): Choice => ({
        act,
        seat,
        hand: 0,
        allowed: true,
        code: null,
        cites: ['h.3'],
        amountMinor: act === 'raiseCard' ? amountMinor : null,
        minMinor: null,
        maxMinor: null,
      }),
    );
  },
  wrongCard: () => null,
};
