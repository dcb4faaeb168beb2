import { type Card, suitOf } from '../../core/cards.ts';

import { type Minor, timesOf } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import { creditOf, type Draft, deadlineAt, profileOf, refuseLate } from '../../table/draft.ts';
import type { InputOf } from '../../table/inputs.ts';
import { emit } from '../../table/lane.ts';
import { roundSeat } from '../../table/places.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { Bet, RoundSeat, RoundState, TableState } from '../../table/state.ts';
import type { Choice } from '../../table/steps.ts';
import { sideBetRange } from './bets.ts';
import { hardTotalOf, isPair, isSeven, totalOf } from './hand.ts';
import { type BlackjackRules, rulesOf } from './rules.ts';
import {
  PAIR_PRICES,
  type Price,
  SEVENS_PRICES,
  SIDE_BET_ARTICLES,
  THIRTEEN_PRICE,
} from './side-bet-prices.ts';

/**
 * The bet wins at its price; `further` = its stake is already accounted for by the line of an
 * earlier pair.
 */
function wins({ seat, by, bet, amountMinor }: Bet, { pays, cites }: Price, further = false): SettlementLine {
  const netMinor = timesOf(amountMinor, pays) as Minor;
  const stakeMinor = further ? (0 as Minor) : amountMinor;
  return {
    seat,
    by,
    bet,
    hand: null,
    outcome: 'win',
    stakeMinor,
    odds: [pays, 1],
    ...(further ? { baseMinor: amountMinor } : {}),
    returnedMinor: (stakeMinor + netMinor) as Minor,
    netMinor,
    cites,
  };
}

const loses = ({ seat, by, bet, amountMinor }: Bet, cite: string): SettlementLine => ({
  seat,
  by,
  bet,
  hand: null,
  outcome: 'lose',
  stakeMinor: amountMinor,
  odds: [-1, 1],
  returnedMinor: 0 as Minor,
  netMinor: -amountMinor as Minor,
  cites: [cite],
});

/** art. 13: what the first two cards decide at once, whatever becomes of the hand. */
export function decideByFirstCards(draft: Draft): void {
  const round = draft.state.round!;
  const rules = rulesOf(draft.state);
  const lines: SettlementLine[] = [];
  for (const bet of round.bets) {
    const line = firstCardsLine(rules, bet, roundSeat(round, bet.seat)!.hands[0]!.cards);
    if (line) lines.push(line);
  }
  if (lines.length > 0) emit(draft, { type: 'side-bets-decided', atMs: draft.atMs, lines });
}

/** Null = the third card has a say too: two sevens (art. 13.2.2). */
function firstCardsLine(rules: BlackjackRules, bet: Bet, cards: readonly Card[]): SettlementLine | null {
  const article = SIDE_BET_ARTICLES[bet.bet] ?? '';
  switch (bet.bet) {
    case 'anyPair':
      return isPair(cards) ? wins(bet, PAIR_PRICES.anyPair) : loses(bet, 'art.13.1.1');
    case 'sevens':
      return cards.every(isSeven) ? null : loses(bet, 'art.13.2.1');
    case 'over13':
      return thirteen(cards, rules.over13Ace).high > 13 ? wins(bet, THIRTEEN_PRICE) : loses(bet, article);
    case 'under13':
      return thirteen(cards, rules.over13Ace).low < 13 ? wins(bet, THIRTEEN_PRICE) : loses(bet, article);
    case 'perfectPair': {
      const price = pairPrice(cards);
      return price ? wins(bet, price) : loses(bet, article);
    }
    default:
      return null;
  }
}

/**
 * art. 13.3 does not say what an ace counts: one, eleven (art. 8: never beyond 21), or as it suits
 * the bet.
 */
function thirteen(
  cards: readonly Card[],
  ace: BlackjackRules['over13Ace'],
): { readonly high: number; readonly low: number } {
  const one = hardTotalOf(cards);
  const eleven = totalOf(cards);
  return { high: ace === 'one' ? one : eleven, low: ace === 'eleven' ? eleven : one };
}

const isRed = (card: Card): boolean => suitOf(card) === 1 || suitOf(card) === 2;

/** arts. 13.4, 14.4: the classes exclude each other, the highest is paid. */
function pairPrice(cards: readonly Card[]): Price | null {
  if (!isPair(cards)) return null;
  const [first, second] = cards as [Card, Card];
  if (first === second) return PAIR_PRICES.perfect;
  return isRed(first) === isRed(second) ? PAIR_PRICES.colour : PAIR_PRICES.mixed;
}

/**
 * What an additional card of a seat decides: later pairs (art. 13.1.2), the third card of two
 * sevens (art. 13.2.2).
 */
export function decideByCard(draft: Draft, at: number, handNo: number): void {
  const round = draft.state.round!;
  const lines: SettlementLine[] = [];
  for (const bet of round.bets) {
    if (bet.seat !== at) continue;
    const line = cardLine(rulesOf(draft.state), bet, roundSeat(round, at)!, handNo);
    if (line) lines.push(line);
  }
  if (lines.length > 0) emit(draft, { type: 'side-bets-decided', atMs: draft.atMs, lines });
}

function cardLine(rules: BlackjackRules, bet: Bet, seat: RoundSeat, handNo: number): SettlementLine | null {
  const hand = seat.hands[handNo]!;
  if (bet.bet === 'sevens') return isThirdCard(seat) ? sevensLine(rules, bet, seat) : null;
  if (bet.bet !== 'anyPair') return null;
  if (bet.hand === handNo) {
    return isPair(hand.cards) ? wins(bet, PAIR_PRICES.laterPair) : loses(bet, 'art.13.1.2');
  }
  // Two cards, after one has come, are those of a hand that was split.
  return rules.anyPairResplit === 'eachPair' && isPair(hand.cards)
    ? wins(bet, PAIR_PRICES.laterPair, true)
    : null;
}

/** The card just dealt is the first after the two the hand began with. */
const isThirdCard = ({ hands }: RoundSeat): boolean =>
  hands.length === 1
    ? hands[0]!.cards.length === 3
    : hands.length === 2 && hands[0]!.cards.length === 2 && hands[1]!.cards.length === 1;

/**
 * art. 14.2: the greatest combination alone is paid. A third seven counts after a split; by a hit
 * only where the house has it so.
 */
function sevensLine(rules: BlackjackRules, bet: Bet, { hands }: RoundSeat): SettlementLine | null {
  const isSplit = hands.length > 1;
  const own = hands[0]!.cards;
  const two = [own[0]!, isSplit ? hands[1]!.cards[0]! : own[1]!];
  if (!two.every(isSeven)) return null;
  const third = isSplit ? own[1] : own[2];
  const isSuited = (cards: readonly Card[]): boolean =>
    cards.every((card) => suitOf(card) === suitOf(cards[0]!));
  if (third !== undefined && isSeven(third) && (isSplit || rules.sevensThird === 'splitOrHit')) {
    return wins(bet, isSuited([...two, third]) ? SEVENS_PRICES.threeSuited : SEVENS_PRICES.three);
  }
  return wins(bet, isSuited(two) ? SEVENS_PRICES.twoSuited : SEVENS_PRICES.two);
}

/**
 * art. 13.2.1: with the lines of two sevens that never got a third card, at the end of the round.
 */
export function withOpenSevens(
  rules: BlackjackRules,
  round: RoundState,
  settled: SettlementLine[],
): SettlementLine[] {
  const lines = [...settled];
  for (const bet of round.bets) {
    if (bet.bet !== 'sevens') continue;
    const seat = roundSeat(round, bet.seat)!;
    const hasTwoCards = seat.hands.length === 1 && seat.hands[0]!.cards.length === 2;
    const line = hasTwoCards ? sevensLine(rules, bet, seat) : null;
    if (line) lines.push(line);
  }
  return lines;
}

// ---- art. 13.1.2 read as a new bet on each split hand ----

/**
 * Asks whoever has any pair on the seat for a new bet on the hand in turn, before its second card.
 */
export function offerPairBets(draft: Draft): void {
  const { state, atMs } = draft;
  const round = state.round!;
  const turn = round.turn!;
  if (rulesOf(state).anyPairResplit !== 'newBet') return;
  const pending = round.bets
    .filter(({ bet, seat, hand }) => bet === 'anyPair' && seat === turn.seat && hand === undefined)
    .map(({ seat, by }) => ({ seat, by }));
  if (pending.length === 0) return;
  const deadline = deadlineAt('offers', atMs, profileOf(state).timing.offersMs);
  emit(draft, { type: 'offers-opened', atMs, kind: 'any-pair', pending, deadline });
}

function refusePairBet(
  state: TableState,
  seat: number,
  by: number,
  hand: number,
  amountMinor: number | null,
): Rejection | null {
  const cites = ['art.13.1.2'];
  const { offers, turn } = state.round!;
  if (rulesOf(state).anyPairResplit !== 'newBet') return reject('off', cites);
  if (offers?.kind !== 'any-pair') return reject('not-due', cites, 'no split hand waits for its second card');
  const isAsked = offers.pending.some((offer) => offer.seat === seat && offer.by === by);
  if (!isAsked || turn?.hand !== hand) return reject('not-allowed', cites, 'not asked, or answered already');
  const { least, most } = sideBetRange(rulesOf(state));
  if (amountMinor === null || amountMinor < least || amountMinor > most) {
    return reject('out-of-range', cites, `${least}..${most}`);
  }
  return amountMinor > creditOf(state, by) ? reject('no-credit', cites) : null;
}

/** `betPair` or `playOn` of a bettor who was asked for a new bet on the hand in turn. */
export function answerPairOffer(draft: Draft, input: InputOf<'decide'>): Rejection | null {
  const { state, atMs } = draft;
  const { seat, by, hand } = input;
  const isBet = input.act === 'betPair';
  const amountMinor = isBet ? (input.amountMinor ?? null) : sideBetRange(rulesOf(state)).least;
  const refused = refusePairBet(state, seat, by, hand, amountMinor);
  if (refused && (isBet || refused.code !== 'no-credit')) return refused;
  // While the time stands still the table is held, and nobody is heard.
  const late = refuseLate(input, state.deadline!.atMs, ['art.13.1.2']);
  if (late !== null) return late;
  const answer = { atMs, seat, by, byDefault: false };
  if (isBet) {
    const { currency } = profileOf(state);
    emit(draft, { type: 'pair-bet-laid', ...answer, hand, currency, amountMinor: amountMinor as Minor });
  } else {
    emit(draft, { type: 'offer-passed', ...answer });
  }
  return null;
}

/**
 * The panel of a bettor who is asked for a new bet; the hand may be another player's (art. 13.1).
 */
export function pairChoices(state: TableState, by: number): Choice[] {
  const { offers, turn } = state.round!;
  if (!turn || !offers?.pending.some((offer) => offer.by === by)) return [];
  const { least, most } = sideBetRange(rulesOf(state));
  const refused = state.hold ? reject('held') : refusePairBet(state, turn.seat, by, turn.hand, least);
  const choice = { seat: turn.seat, hand: turn.hand, cites: ['art.13.1.2'], amountMinor: null };
  return [
    {
      ...choice,
      act: 'betPair',
      allowed: refused === null,
      code: refused?.code ?? null,
      minMinor: least as Minor,
      maxMinor: Math.max(least, Math.min(most, creditOf(state, by))) as Minor,
    },
    {
      ...choice,
      act: 'playOn',
      allowed: state.hold === null,
      code: state.hold ? 'held' : null,
      minMinor: null,
      maxMinor: null,
    },
  ];
}
