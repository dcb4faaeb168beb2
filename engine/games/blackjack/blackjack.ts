import { reject } from '../../core/result.ts';
import { isTaken } from '../../table/draft.ts';
import type { TableState } from '../../table/state.ts';
import type { Game, ShoeProcedure } from '../game.ts';
import { isSecondCardOpen } from './bank.ts';
import { betRange, bets, refuseBet } from './bets.ts';
import { choicesInRound, stepInRound } from './choices.ts';
import { dueInRound, mainSeatAfter } from './due.ts';
import { liesFaceDown, openCards } from './face-down.ts';
import { hardTotalOf, isBlackjack, pointsOf } from './hand.ts';
import { startJackpot, undoJackpot } from './jackpot.ts';
import { playAct, standByDefault } from './play.ts';
import { afterCard, beginDeal, discardMisdrawn, endInitialDeal, passOffers, refundLines } from './round.ts';
import { articlesOf, type BlackjackRules, rulesOf } from './rules.ts';
import { mayForfeit, refuseClosing, refuseForfeit, settleForfeits } from './streak.ts';

type EndCard = ShoeProcedure['endCard'];

const isShuffler = ({ cardSource }: BlackjackRules): boolean =>
  cardSource === 'autoShuffler' || cardSource === 'continuousShuffler';

const hasEndCard = (rules: BlackjackRules): boolean =>
  !isShuffler(rules) && rules.cardSource !== 'box' && rules.decks > 1;

/** art. 2.1.1: there or further forward; r.9: near the 50th card from the end, or the middle with one player. */
function endCardOf(state: TableState, { decks, cutBehind, warningFromEnd }: BlackjackRules): EndCard {
  if (warningFromEnd === undefined) return { least: cutBehind, most: decks * 52 - 1 };
  let taken = 0;
  for (const { seat } of state.seats) if (isTaken(state, seat)) taken += 1;
  const place = taken === 1 ? (decks * 52) / 2 : warningFromEnd;
  return { least: place, most: place };
}

/** Black Jack, «Vinte e Um», Blackjack/21: every regulation of it. */
export const BLACKJACK: Game = {
  id: 'blackjack',
  shoe(state) {
    const rules = rulesOf(state);
    const { decks, burnAtStart } = rules;
    const isFed = isShuffler(rules);
    return {
      deckCheck: rules.deckCheck ?? false,
      packets: isFed ? (rules.loadingPackets ?? 0) : 0,
      cut: isFed ? 'none' : rules.cutRight ? 'in-turn' : 'anyone',
      endCard: hasEndCard(rules) ? endCardOf(state, rules) : null,
      startBurn: burnAtStart === 'perDeck' ? decks : 1,
      burnByFace: null,
      roundsAfterEnd: 0,
      demoRounds: null,
      mayReplaceOne: isFed || rules.deckReplacement === 'damagedOnly',
    };
  },
  cardsBack(state) {
    const rules = rulesOf(state);
    if (!isShuffler(rules)) return 'never';
    return rules.feeding === 'dealer' ? 'fed-by-dealer' : 'at-close';
  },
  isShoeOfOneRound: (state) => rulesOf(state).cardSource === 'box',
  reserve(state) {
    const rules = rulesOf(state);
    // One deck has no second white card: two cards for every seat and the bank, and two burns.
    return hasEndCard(rules) ? (rules.warningFromEnd ?? rules.cutBehind) : 2 * (rules.seats + 1) + 2;
  },
  isExposedValid(state, isFirst) {
    const { exposedFirstCardValid, bankSecondReplaced } = rulesOf(state);
    if (!bankSecondReplaced) return isFirst && exposedFirstCardValid;
    const due = state.round && dueInRound(state.round, state);
    return due?.to !== 'bank' || !due.faceDown;
  },
  // art. 4.2: at the start of each following round of the shoe, not of the first.
  burnBeforeRound: (state) => (rulesOf(state).burnEachRound !== 'none' && state.shoe.rounds > 0 ? 1 : 0),
  isRound: (bets) => mainSeatAfter(bets, 0) > 0,
  bets,
  betRange,
  refuseBet,
  refuseClosing,
  series: { refuseForfeit, mayForfeit, settleForfeits },
  due: dueInRound,
  beginDeal,
  afterCard,
  afterSwap: endInitialDeal,
  play: playAct,
  passDecision: standByDefault,
  passOffers,
  refundLines,
  configured: startJackpot,
  voided(draft) {
    undoJackpot(draft);
    discardMisdrawn(draft);
  },
  readHand(cards, aceLocked = false) {
    const total = pointsOf({ cards, aceLocked });
    return {
      points: cards.length === 0 ? null : total,
      soft: total > hardTotalOf(cards),
      blackjack: isBlackjack(cards),
      busted: total > 21,
    };
  },
  cardsUp(state, round, hand) {
    const rules = rulesOf(state);
    return liesFaceDown(rules, round, hand)
      ? Math.min(openCards(rules), hand.cards.length)
      : hand.cards.length;
  },
  step: stepInRound,
  choices: choicesInRound,
  refuseReplacingSecond(state) {
    const { round, phase } = state;
    const cites = [articlesOf(state).bankSecond];
    if (!rulesOf(state).bankSecondReplaced) return reject('off', cites);
    const isDealt = phase === 'offers' || phase === 'turns';
    if (!round || !isDealt || !round.bankHoleDown) return reject('not-allowed', cites, 'no card face down');
    return round.additional > 0 ? reject('too-late', cites, 'an additional card is out') : null;
  },
  wrongCard(state, _card, shown) {
    // r.18: nobody has asked for a card; if it has not been seen, it is kept for who does, in the end the bank.
    const { misdrawnCard } = rulesOf(state);
    if ((state.phase === 'turns' || state.phase === 'bank') && misdrawnCard) return shown ? 'void' : 'kept';
    // r.19, r.22: no card more for the bank, whether or not its second one had to be turned.
    if (state.phase === 'settled' && misdrawnCard) return 'void';
    const hasBankStood = state.round !== null && isSecondCardOpen(state.round) && state.phase !== 'bank';
    if (!hasBankStood) return null;
    return shown || rulesOf(state).wrongDealerCard === 'void' ? 'void' : 'kept';
  },
};
