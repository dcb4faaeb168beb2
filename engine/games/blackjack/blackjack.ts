import type { Minor } from '../../core/money.ts';
import { reject } from '../../core/result.ts';
import { isTaken } from '../../table/draft.ts';
import type { Game, ShoeProcedure } from '../../table/game.ts';
import { emit } from '../../table/lane.ts';
import type { TableState } from '../../table/state.ts';
import { isSecondCardOpen } from './bank.ts';
import { betRange, bets, refuseBet } from './bets.ts';
import { BLACKJACK_BOOK } from './book.ts';
import { choicesAhead, choicesInRound, stepInRound } from './choices.ts';
import { dueInRound, mainSeatAfter } from './due.ts';
import { BLACKJACK_ACTS, BLACKJACK_ALSO, BLACKJACK_ROWS } from './events.ts';
import { liesFaceDown, openCards } from './face-down.ts';
import { hardTotalOf, isBlackjack, pointsOf } from './hand.ts';
import { jackpotMeter, startJackpot, undoJackpot, unpaidJackpot } from './jackpot.ts';
import { findLastCard, isUntouched, maySwapAdditional, refuseTakingBack } from './last-card.ts';
import { playAct, standByDefault } from './play.ts';
import {
  afterCard,
  beginDeal,
  discardMisdrawn,
  endInitialDeal,
  judgeDoubled,
  passOffers,
  refundLines,
} from './round.ts';
import { articlesOf, type BlackjackRules, rulesOf } from './rules.ts';
import { BLACKJACK_SIGHT } from './sight.ts';
import {
  buttonOf,
  keptMinor,
  mayForfeit,
  refuseClosing,
  refuseForfeit,
  settleForfeits,
  streakAt,
} from './streak.ts';
import { tallyOf } from './tally.ts';

// Whoever imports the game has what it adds to the types of the table.
export type * from './book.ts';
export type * from './events.ts';
export type * from './parts.ts';

type EndCard = ShoeProcedure['endCard'];

const isShuffler = ({ cardSource }: BlackjackRules): boolean =>
  cardSource === 'autoShuffler' || cardSource === 'continuousShuffler';

const hasEndCard = (rules: BlackjackRules): boolean => !isShuffler(rules) && rules.decks > 1;

/**
 * art. 2.1.1: there or further forward; r.9: near the 50th card from the end, or the middle with
 * one player.
 */
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
  book: BLACKJACK_BOOK,
  sight: BLACKJACK_SIGHT,
  rows: BLACKJACK_ROWS,
  acts: BLACKJACK_ACTS,
  also: BLACKJACK_ALSO,
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
      replacesAnyTime: rules.deckReplacement !== undefined,
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
    const due = dueInRound(state.round!, state);
    return due?.to !== 'bank' || !due.faceDown;
  },
  // art. 4.2: at the start of each following round of the shoe, not of the first.
  burnBeforeRound: (state) => (rulesOf(state).burnEachRound !== 'none' && state.shoe.rounds > 0 ? 1 : 0),
  isRound: (bets) => mainSeatAfter(bets, 0) > 0,
  bets,
  betRange,
  refuseBet,
  refuseClosing,
  unpaidPrize(state) {
    const seat = unpaidJackpot(state);
    return seat === null ? null : { seat, cite: articlesOf(state).jackpotStays };
  },
  series: {
    open: ({ streaks }) =>
      streaks.flatMap(({ seat, open }) => open.map(({ by, amountMinor }) => ({ seat, by, amountMinor }))),
    refuseForfeit,
    mayForfeit,
    keptMinor,
    forfeit(draft, seat, by, person) {
      emit(draft, { type: 'streak-forfeited', atMs: draft.atMs, seat, by, person });
    },
    settleForfeits,
  },
  due: dueInRound,
  beginDeal,
  afterCard,
  maySwap: ({ bankLooked }, from, to) =>
    !bankLooked &&
    [from, to].every(
      ({ hands, bettors }) =>
        (hands[0]!.status === 'open' || hands[0]!.status === 'blackjack') &&
        !bettors.some(({ evenMoney }) => evenMoney),
    ),
  maySwapBank: isUntouched,
  afterSwap(draft) {
    // These offers were made on the cards as they lay; the deal judges anew what is offered now.
    if (draft.state.round!.offers) emit(draft, { type: 'offers-closed', atMs: draft.atMs });
    endInitialDeal(draft);
  },
  findLastCard,
  refuseTakingBack,
  additional: {
    maySwap: maySwapAdditional,
    afterSwap(draft, seats) {
      for (const seat of seats) judgeDoubled(draft, seat);
    },
  },
  play: playAct,
  passDecision: standByDefault,
  passOffers,
  tally: tallyOf,
  refundLines,
  configured: startJackpot,
  voided(draft) {
    undoJackpot(draft);
    discardMisdrawn(draft);
  },
  readHand(cards, hand) {
    const total = pointsOf({ cards, aceLocked: hand?.aceLocked ?? false });
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
  liesFaceDown: (state, round, hand) => liesFaceDown(rulesOf(state), round, hand),
  openCards: (rules) => openCards(rules as BlackjackRules),
  view(state) {
    if (state.rules?.game !== 'blackjack') return { jackpot: null };
    const { jackpot } = rulesOf(state);
    if (!jackpot) return { jackpot: null };
    const { meterMinor } = jackpotMeter(state)!;
    return { jackpot: { meterMinor, stakeMinor: jackpot.stake as Minor } };
  },
  viewSeat(state, seat) {
    const streak = streakAt(state, seat);
    const bettors = state.round?.seats.find((played) => played.seat === seat)?.bettors ?? [];
    return {
      streak: streak && { button: buttonOf(streak), open: streak.open },
      insurance: bettors.flatMap(({ by, insuranceMinor }) =>
        insuranceMinor > 0 ? [{ by, amountMinor: insuranceMinor }] : [],
      ),
    };
  },
  step: stepInRound,
  choices: choicesInRound,
  choicesAhead,
  besideMinor(round, by) {
    let sum = 0;
    for (const { bettors } of round.seats)
      for (const bettor of bettors) if (bettor.by === by) sum += bettor.insuranceMinor;
    // r.21: the stake of a blackjack that has been paid lies on its hand no more.
    for (const line of round.prizes) if (line.atOnce && line.by === by) sum -= line.stakeMinor;
    return sum;
  },
  owes({ jackpots, profile }) {
    return [['jackpot', jackpots.find(({ currency }) => currency === profile?.currency)?.meterMinor ?? 0]];
  },
  bankSecond: {
    refuseReplacing(state) {
      const { round, phase } = state;
      const cites = [articlesOf(state).bankSecond];
      if (!rulesOf(state).bankSecondReplaced) return reject('off', cites);
      const isDealt = phase === 'offers' || phase === 'turns';
      if (!isDealt) return reject('not-allowed', cites, 'no card face down');
      // It is turned while it is dealt: not once somebody has decided on their hand.
      const { seats, additional } = round!;
      const isPlayed = seats.some(
        ({ hands }) => hands.length > 1 || hands[0]!.called || hands[0]!.status === 'stood',
      );
      return isPlayed || additional > 0 ? reject('too-late', cites, 'a hand has been played') : null;
    },
    replace(draft, person) {
      const { state, atMs } = draft;
      const card = state.round!.bank[1]!;
      emit(draft, { type: 'bank-second-burned', atMs, card, person, cites: [articlesOf(state).exposed] });
    },
  },
  wrongCard(state, _card, shown) {
    // r.18: nobody has asked for a card; if it has not been seen, it is kept for who does, in the
    // end the bank.
    const { misdrawnCard } = rulesOf(state);
    if ((state.phase === 'turns' || state.phase === 'bank') && misdrawnCard) return shown ? 'void' : 'kept';
    // r.19, r.22: no card more for the bank, whether or not its second one had to be turned.
    if (state.phase === 'settled' && misdrawnCard) return 'void';
    const hasBankStood = state.round !== null && isSecondCardOpen(state.round) && state.phase !== 'bank';
    if (!hasBankStood) return null;
    return shown || rulesOf(state).wrongDealerCard === 'void' ? 'void' : 'kept';
  },
};
