import { ZERO } from '../../core/money.ts';
import type { Game } from '../../table/game.ts';
import { emit } from '../../table/lane.ts';
import { findBet, handAt } from '../../table/places.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { RoundState, TableState } from '../../table/state.ts';
import type { DealerStep } from '../../table/steps.ts';
import { betRange, bets, refuseBet } from './bets.ts';
import { CASINO_WAR_BOOK } from './book.ts';
import { CASINO_WAR_ACTS, choices, nextChoice, passDecision, play, settle } from './choice.ts';
import { CASINO_WAR_ROWS } from './events.ts';
import { articlesOf, rulesOf } from './rules.ts';
import { CASINO_WAR_SIGHT } from './sight.ts';
import { BURNT, burnsBefore, due, findLastCard, rankValue, tallyOf } from './war.ts';

// Whoever imports the game has what it adds to the types of the table.
export type * from './book.ts';
export type * from './events.ts';
export type * from './parts.ts';

/**
 * A hand that puts the white card in does not count; it may leave a few more cards behind it, never
 * fewer.
 */
const CUT_TOLERANCE = 8;

function step(state: TableState): DealerStep {
  const round = state.round!;
  const articles = articlesOf(state);
  const next = due(round, state);
  const isWar = state.phase === 'bank';
  switch (next?.to) {
    case 'burn': {
      const toCroupier = !round.seats.some(({ hands }) => hands[0]!.called);
      const done = round.warBurned + BURNT - burnsBefore(rulesOf(state), round, toCroupier);
      return { step: 'burn', done, count: BURNT, cites: [articles.challenge] };
    }
    case 'seat':
      return {
        step: 'draw-for-seat',
        seat: next.seat,
        hand: next.hand,
        cites: [isWar ? articles.challenge : articles.dealOrder],
      };
    case 'bank':
      return { step: 'draw-for-bank', cites: [isWar ? articles.challenge : articles.croupierCard] };
    default:
      return { step: 'await-decision', seat: round.turn?.seat ?? 0, hand: 0, cites: [articles.choice] };
  }
}

/** art. 6: what cannot be put right is void, and every bet and raise goes back. */
function refundLines(round: RoundState, state: TableState): SettlementLine[] {
  const cites = [articlesOf(state).misdeal];
  return round.bets.map(({ seat, by, bet, amountMinor }) => {
    const dealt = bet === 'main' ? round.seats.find((played) => played.seat === seat) : undefined;
    const stakeMinor = dealt ? dealt.hands[0]!.stakesMinor[0]! : amountMinor;
    return {
      seat,
      by,
      bet,
      hand: bet === 'main' ? 0 : null,
      outcome: 'void',
      stakeMinor,
      odds: null,
      returnedMinor: stakeMinor,
      netMinor: ZERO,
      cites,
    };
  });
}

/**
 * «Desafio ao Casino»: everybody's card against the croupier's; whoever ties loses half or
 * challenges the house.
 */
export const CASINO_WAR: Game = {
  id: 'casino-war',
  book: CASINO_WAR_BOOK,
  sight: CASINO_WAR_SIGHT,
  rows: CASINO_WAR_ROWS,
  acts: CASINO_WAR_ACTS,
  also: {
    'card-doubted'(state, { seat, additional }) {
      if (!additional) return;
      state.phase = 'bank';
      state.round!.turn = null;
      handAt(state.round!, seat!, 0).called = true;
    },
    'card-burned'({ round }, { why }) {
      if (why === 'war') round!.warBurned += 1;
    },
  },
  shoe(state) {
    const { cardSource, cutFromEnd } = rulesOf(state);
    const isShuffler = cardSource === 'autoShuffler';
    return {
      deckCheck: false,
      packets: 0,
      cut: isShuffler ? 'none' : 'anyone',
      endCard: isShuffler ? null : { least: cutFromEnd, most: cutFromEnd + CUT_TOLERANCE },
      startBurn: 0,
      burnByFace: null,
      roundsAfterEnd: 0,
      demoRounds: null,
      replacesAnyTime: false,
      mayReplaceOne: false,
    };
  },
  cardsBack: (state) => (rulesOf(state).cardSource === 'autoShuffler' ? 'at-close' : 'never'),
  isShoeOfOneRound: () => false,
  // Fewer than lie behind the white card: it was missed.
  reserve: (state) => rulesOf(state).cutFromEnd,
  // art. 3
  isExposedValid: () => true,
  burnBeforeRound: () => 0,
  isRound: (laid) => laid.length > 0,
  bets,
  betRange,
  refuseBet,
  refuseClosing: () => null,
  due,
  beginDeal(draft) {
    const { atMs, state } = draft;
    const { bets: laid } = state.round!;
    const seats = state.seats
      .filter(({ seat }) => findBet(laid, seat, seat, 'main'))
      .map(({ seat }) => ({ seat, decider: seat }));
    emit(draft, { type: 'deal-began', atMs, bets: laid, seats });
  },
  afterCard(draft) {
    const { state } = draft;
    if (due(state.round!, state) !== null) return;
    if (state.phase === 'dealing') nextChoice(draft);
    else settle(draft);
  },
  afterSwap: nextChoice,
  findLastCard,
  // art. 6: cards of the challenge as well; what they decide is settled with the croupier's.
  additional: {
    maySwap: ({ phase }, from, to, place) =>
      phase === 'bank' && place === 1 && [from, to].every(({ hands }) => hands[0]!.cards.length === 2),
    afterSwap: () => {},
  },
  play,
  passDecision,
  passOffers: () => {},
  tally: tallyOf,
  refundLines,
  readHand: (cards) => ({
    points: cards.length === 0 ? null : rankValue(cards[cards.length - 1]!),
    soft: false,
    blackjack: false,
    busted: false,
  }),
  step,
  choices,
  wrongCard: () => null,
};
