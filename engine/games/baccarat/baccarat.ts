import { ZERO } from '../../core/money.ts';
import { reject } from '../../core/result.ts';
import type { Draft } from '../../table/draft.ts';
import type { LastCard } from '../../table/events-round.ts';
import type { Due, Game } from '../../table/game.ts';
import { emit } from '../../table/lane.ts';
import { settleRound } from '../../table/round-end.ts';
import type { RoundState, TableState } from '../../table/state.ts';
import type { DealerStep } from '../../table/steps.ts';
import { betRange, bets, refuseBet } from './bets.ts';
import { BACCARAT_BOOK } from './book.ts';
import { pointsOf, thirdCardDue } from './drawing.ts';
import { BACCARAT_ROWS } from './events.ts';
import { coupOf, outlivedCoups } from './roads.ts';
import { articlesOf, type BaccaratRules, rulesOf } from './rules.ts';
import { settlementLines } from './settle.ts';
import { BACCARAT_SIGHT } from './sight.ts';

// Whoever imports the game has what it adds to the types of the table.
export type * from './book.ts';
export type * from './events.ts';
export type * from './parts.ts';

/** The most cards a round can take. */
const CARDS_OF_A_ROUND = 6;
/**
 * A hand that puts the white card in does not count; it may leave a few more cards behind it, never
 * fewer.
 */
const CUT_TOLERANCE = 8;

const TO_PLAYER: Due = { to: 'side', side: 'player' };
const TO_BANKER: Due = { to: 'bank' };

/**
 * art. 2.1: as many cards as decks, as many as the face of the first one, or a number fixed
 * beforehand.
 */
const startBurnOf = ({ burn, decks }: BaccaratRules): number => {
  if (burn === 'perDeck') return decks;
  return burn === 'firstCardFace' ? 1 : Number(burn.slice('fixed:'.length));
};

/** art. 7.1: one card at a time, Player first, two each; then the drawing table. */
function due({ playerSide, bank }: RoundState): Due | null {
  if (bank.length < 2) return playerSide.length > bank.length ? TO_BANKER : TO_PLAYER;
  const next = thirdCardDue(playerSide, bank);
  return next === null ? null : next === 'bank' ? TO_BANKER : TO_PLAYER;
}

/** A round is settled with its last card, so the one before is all that can be named again. */
function findLastCard({ round }: TableState): LastCard {
  const { playerSide, bank } = round!;
  const isOfPlayer = playerSide.length > bank.length;
  const card = (isOfPlayer ? playerSide : bank).at(-1)!;
  const place = { seat: null, hand: 0, additional: false };
  return isOfPlayer ? { card, ...place, side: 'player' } : { card, ...place };
}

function afterCard(draft: Draft): void {
  const { state } = draft;
  const round = state.round!;
  if (due(round) !== null) return;
  settleRound(draft, settlementLines(rulesOf(state), articlesOf(state), round));
}

function step(state: TableState): DealerStep {
  const { bank } = state.round!;
  const articles = articlesOf(state);
  const cites = [bank.length < 2 ? articles.dealOrder : articles.drawing];
  return due(state.round!)?.to === 'side'
    ? { step: 'draw-for-player-side', cites }
    : { step: 'draw-for-bank', cites };
}

const nothing = (): void => {};

/**
 * Bacará: two sides, Banker and Player (art. 6); nobody decides anything once the bets are laid.
 */
export const BACCARAT: Game = {
  id: 'baccarat',
  book: BACCARAT_BOOK,
  sight: BACCARAT_SIGHT,
  rows: BACCARAT_ROWS,
  acts: [],
  also: {
    'card-doubted'({ round }, { side }) {
      if (side === 'player') round!.playerSide.pop();
    },
    'round-settled'({ shoe, round }, { coupsGone = 0 }) {
      shoe.coups.splice(0, coupsGone);
      shoe.coups.push(coupOf(round!.playerSide, round!.bank));
    },
  },
  shoe(state) {
    const rules = rulesOf(state);
    const { cardSource, burn, burnFirstCardCounts, cutFromEnd, demoRounds, lastRound } = rules;
    const isShuffler = cardSource === 'autoShuffler';
    const endCard = isShuffler ? null : { least: cutFromEnd, most: cutFromEnd + CUT_TOLERANCE };
    const byFace = burnFirstCardCounts ? 'included' : 'added';
    return {
      deckCheck: false,
      packets: 0,
      cut: isShuffler ? 'none' : 'anyone',
      endCard,
      // art. 2.3: with the automatic shuffler nothing of art. 2.1 is done.
      startBurn: isShuffler ? 0 : startBurnOf(rules),
      burnByFace: !isShuffler && burn === 'firstCardFace' ? byFace : null,
      roundsAfterEnd: lastRound === 'oneMore' ? 1 : 0,
      demoRounds: { most: demoRounds, cite: articlesOf(state).demoRounds },
      replacesAnyTime: false,
      mayReplaceOne: false,
    };
  },
  cardsBack: (state) => (rulesOf(state).cardSource === 'autoShuffler' ? 'at-close' : 'never'),
  isShoeOfOneRound: () => false,
  reserve(state) {
    const { cardSource, cutFromEnd } = rulesOf(state);
    // Fewer than lie behind the white card: it was missed. Once it is out, one whole round.
    return cardSource === 'autoShuffler' || state.shoe.ended ? CARDS_OF_A_ROUND : cutFromEnd;
  },
  // art. 4
  isExposedValid: () => true,
  burnBeforeRound: () => 0,
  isRound: (laid) => laid.length > 0,
  bets,
  betRange,
  refuseBet,
  refuseClosing: () => null,
  due(round, state) {
    return state.phase === 'dealing' ? due(round) : null;
  },
  beginDeal(draft) {
    const { state, atMs } = draft;
    emit(draft, { type: 'deal-began', atMs, bets: state.round!.bets, seats: [] });
  },
  dealToSide(draft, { card, drawNo, confidence, waited }) {
    emit(draft, {
      type: 'player-side-card-dealt',
      atMs: draft.atMs,
      card,
      drawNo,
      confidence,
      waited,
    });
  },
  afterCard,
  afterSwap: nothing,
  findLastCard,
  play: (draft, input) =>
    draft.state.round?.id === input.roundId
      ? reject('not-allowed', [articlesOf(draft.state).drawing], 'the drawing table decides')
      : reject('unknown-round'),
  passDecision: nothing,
  passOffers: nothing,
  settlementFacts({ shoe }) {
    const coupsGone = outlivedCoups(shoe.coups.length);
    return coupsGone === 0 ? {} : { coupsGone };
  },
  refundLines(round) {
    return round.bets.map(({ seat, by, bet, amountMinor }) => ({
      seat,
      by,
      bet,
      hand: null,
      outcome: 'void',
      stakeMinor: amountMinor,
      odds: null,
      returnedMinor: amountMinor,
      netMinor: ZERO,
      // What it says of errors was not seen.
      cites: [],
    }));
  },
  readHand: (cards) => ({
    points: cards.length === 0 ? null : pointsOf(cards),
    soft: false,
    blackjack: false,
    busted: false,
  }),
  step,
  choices: () => [],
  view({ rules, round, shoe }) {
    if (rules?.game !== 'baccarat') return { playerSide: null, coups: null };
    const cards = round?.playerSide ?? [];
    return {
      playerSide: { cards: [...cards], points: cards.length === 0 ? null : pointsOf(cards) },
      coups: [...shoe.coups],
    };
  },
  wrongCard: () => null,
};
