import type { Card } from '../../core/cards.ts';
import { type Minor, type Parts, partOf } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import { parseFraction, rulebookOf } from '../../rules/rulebook.ts';
import { creditOf } from '../../table/draft.ts';
import type { Act } from '../../table/inputs.ts';
import { roundSeat } from '../../table/places.ts';
import type { Bettor, Hand, Raise, RoundSeat, RoundState, TableState } from '../../table/state.ts';
import { isLookDue, isSecondCardOpen, mayLoseOriginalOnly } from './bank.ts';
import { canMakeBlackjack, hardTotalOf, isAce, isPair, isSameValue, pointsOf, totalOf } from './hand.ts';
import type { DoubleModality } from './parts.ts';
import { articlesOf, type BlackjackArticles, type BlackjackRules, rulesOf } from './rules.ts';

/** Who asks for what, with everything the rules look at. */
export interface Asked {
  readonly state: TableState;
  readonly round: RoundState;
  readonly rules: BlackjackRules;
  readonly articles: BlackjackArticles;
  readonly seat: RoundSeat;
  readonly bettor: Bettor;
  readonly by: number;
  readonly handNo: number;
  readonly hand: Hand;
  readonly amountMinor: Minor | null;
}

/**
 * Finds seat, hand and bettor of an act. A bettor decides only where they have a bet (art. 20.1).
 */
export function askedOf(
  state: TableState,
  round: RoundState,
  seatNo: number,
  by: number,
  handNo: number,
  amountMinor: Minor | null,
): Asked | Rejection {
  const articles = articlesOf(state);
  const seat = roundSeat(round, seatNo);
  const hand = seat?.hands[handNo];
  if (seat === undefined || hand === undefined) {
    return reject('not-allowed', [articles.dealOrder], 'no such hand');
  }
  const bettor = seat.bettors.find((each) => each.by === by);
  if (bettor === undefined) return reject('not-decider', [articles.betsBehind], 'no bet on this seat');
  return { state, round, rules: rulesOf(state), articles, seat, bettor, by, handNo, hand, amountMinor };
}

/** Refusal of an act by the articles and by the state of the hand; null = lawful now. */
export function refusalOf(act: Act, asked: Asked): Rejection | null {
  switch (act) {
    case 'hit':
      return refuseHit(asked);
    case 'stand':
      return refuseStand(asked);
    case 'double':
      return refuseDouble(asked);
    case 'split':
      return refuseSplit(asked);
    case 'insure':
      return refuseInsurance(asked);
    case 'declineInsurance':
      return refuseInsuranceOffer(asked);
    case 'evenMoney':
      return refuseEvenMoney(asked);
    case 'surrender':
      return refuseSurrender(asked);
    case 'loseOriginalOnly':
      return refuseOriginalOnly(asked);
    case 'playOn':
      return refuseAnswer(asked);
    case 'fiveCardHalf':
      return refuseFiveCards(asked);
    case 'followSplit':
    case 'followDouble':
      return refuseFollowing(act, asked);
    default:
      return reject('not-allowed', [], 'no decision on a hand of this game');
  }
}

const refuseAnswer = ({ round, seat, by }: Asked): Rejection | null =>
  round.offers?.pending.some((offer) => offer.seat === seat.seat && offer.by === by)
    ? null
    : reject('not-allowed', [], 'nothing is offered to this bettor');

// ---- art. 12: insurance; art. 10.3: even money; art. 18: surrender; art. 10.7 ----

function refuseInsuranceOffer({ round, rules, articles, seat, bettor, by }: Asked): Rejection | null {
  const cites = [articles.insurance];
  if (!isAce(round.bank[0]!)) return reject('not-allowed', cites, 'no ace up');
  // r.15: insurance is free for a bettor behind, whatever the holder does.
  const hasTakenIt = bettor.evenMoney && (!rules.boundByHolder || by === seat.decider);
  if (hasTakenIt) return reject('not-allowed', [articles.evenMoney], 'even money was taken');
  if (bettor.insuranceMinor > 0 || bettor.insuranceDeclined) {
    return reject('not-allowed', cites, 'already answered');
  }
  if (round.bankLooked || isSecondCardOpen(round)) {
    return reject('too-late', cites, "the bank's second card is known");
  }
  if (round.additional > 0) return reject('too-late', cites, 'an additional card is out');
  return null;
}

function refuseInsurance(asked: Asked): Rejection | null {
  const refused = refuseInsuranceOffer(asked);
  if (refused) return refused;
  const { state, rules, articles, bettor, by, amountMinor } = asked;
  const { minMinor, maxMinor } = insuranceRange(rules, bettor);
  if (amountMinor === null || amountMinor < minMinor || amountMinor > maxMinor) {
    return reject('out-of-range', [articles.insurance], `${minMinor}..${maxMinor}`);
  }
  return amountMinor > creditOf(state, by) ? reject('no-credit', [articles.insurance]) : null;
}

/**
 * art. 12.1: between the two fractions of the original bet; half of an odd amount is rounded into
 * the range.
 */
export function insuranceRange(
  rules: BlackjackRules,
  { originalMinor }: Bettor,
): { minMinor: Minor; maxMinor: Minor } {
  // r.33: no least amount, but a bet.
  const least: Parts = rules.insuranceMin === null ? [0, 1] : parseFraction(rules.insuranceMin)!;
  const most: Parts = parseFraction(rules.insuranceMax)!;
  return {
    minMinor: Math.max(1, partOf(originalMinor, least, 'up')) as Minor,
    maxMinor: partOf(originalMinor, most, 'down') as Minor,
  };
}

/** art. 10.3: against an ace, ten or figure; r.34: against an ace. */
export const isEvenMoneyUp = ({ evenMoneyAgainst }: BlackjackRules, up: Card): boolean =>
  evenMoneyAgainst === 'ace' ? isAce(up) : canMakeBlackjack(up);

function refuseEvenMoney({ round, rules, articles, seat, bettor, hand, by }: Asked): Rejection | null {
  const cites = [articles.evenMoney];
  if (rules.boundByHolder && by !== seat.decider) return reject('not-decider', [articles.betsBehind]);
  if (hand.status !== 'blackjack') return reject('not-allowed', cites, 'no blackjack');
  if (!isEvenMoneyUp(rules, round.bank[0]!)) return reject('not-allowed', cites, 'not against this card');
  if (bettor.evenMoney) return reject('not-allowed', cites, 'already taken');
  return round.bankLooked || isSecondCardOpen(round)
    ? reject('too-late', cites, "the bank's second card is known")
    : null;
}

function refuseSurrender(asked: Asked): Rejection | null {
  const { round, rules, articles, seat, hand, by } = asked;
  if (!rules.surrender) return reject('off', [articles.waived]);
  if (by !== seat.decider) return reject('not-decider', [articles.betsBehind]);
  if (isAce(round.bank[0]!)) return reject('not-allowed', [articles.surrender], 'ace up');
  const cites = [articles.surrenderWindow];
  if (hand.fromSplit) return reject('too-late', cites, 'a split hand');
  if (rules.surrenderWindow === 'beforeAnyCard') {
    if (round.additional > 0) return reject('too-late', cites, 'an additional card is out');
  } else if (hand.cards.length > 2) {
    return reject('too-late', cites, 'an additional card is out');
  }
  if (hand.status !== 'open' || hand.called) return reject('not-allowed', cites, `hand is ${hand.status}`);
  if (isLookDue(rules, round)) return reject('not-due', [articles.look], 'the bank looks first');
  // A hand is open in the offers and in the turns, and never after them.
  return rules.surrenderWindow === 'beforeAnyCard' ? null : refuseTurn(asked);
}

function refuseOriginalOnly({ round, rules, articles, seat, by }: Asked): Rejection | null {
  const cites = [articles.originalOnlyOffer];
  if (!seat.hands.some((hand) => mayLoseOriginalOnly(rules, hand))) {
    return seat.hands.some((hand) => hand.doubled)
      ? reject('off', cites)
      : reject('not-allowed', cites, 'no doubled bet');
  }
  if (round.offers?.kind !== 'original-only') return reject('not-due', cites, 'nothing is offered yet');
  return round.offers.pending.some((offer) => offer.seat === seat.seat && offer.by === by)
    ? null
    : reject('not-allowed', cites, 'already answered');
}

// ---- arts. 6, 16, 17, 19: the turn ----

/** art. 6.3: the decider of the hand whose turn it is, and only while no card is on its way. */
function refuseTurn(asked: Asked): Rejection | null {
  const { state, round, seat, handNo, hand, by } = asked;
  const isTurn = state.phase === 'turns' && round.turn?.seat === seat.seat && round.turn.hand === handNo;
  const isAsked = isTurn && hand.status === 'open' && !hand.called && hand.cards.length > 1;
  return isAsked && by === seat.decider ? null : whyNotAsked(asked, isTurn);
}

function whyNotAsked({ round, articles, seat, handNo, hand, by }: Asked, isTurn: boolean): Rejection {
  if (by !== seat.decider) return reject('not-decider', [articles.betsBehind]);
  if (hand.status !== 'open' && hand.status !== 'stood') {
    const cite = hand.status === 'busted' ? articles.bust : articles.hitRefused;
    return reject('not-allowed', [cite], `hand is ${hand.status}`);
  }
  if (hand.status === 'stood') {
    return hasLaterHand(round, seat, handNo)
      ? reject('not-your-turn', [articles.turns])
      : reject('not-allowed', [articles.turns], 'hand has stood');
  }
  return isTurn
    ? reject('not-due', [articles.turns], 'a card is due first')
    : reject('not-your-turn', [articles.turns]);
}

const hasLaterHand = (round: RoundState, seat: RoundSeat, handNo: number): boolean =>
  handNo + 1 < seat.hands.length || round.seats.some((other) => other.seat > seat.seat);

/** r.18: «só pode ficar» above eleven. */
function refuseStand(asked: Asked): Rejection | null {
  const { rules, articles, hand } = asked;
  const refused = refuseTurn(asked);
  if (refused !== null) return refused;
  return mustDraw(rules, hand)
    ? reject('must-draw', [articles.mustDraw], `below ${rules.mustDrawBelow}`)
    : null;
}

export const mustDraw = ({ mustDrawBelow }: BlackjackRules, hand: Hand): boolean =>
  mustDrawBelow !== undefined && pointsOf(hand) < mustDrawBelow;

/** art. 6.4: below 21; art. 16.4: on other split pairs than aces any number of cards. */
function refuseHit(asked: Asked): Rejection | null {
  const { articles, hand } = asked;
  const refused = refuseTurn(asked);
  if (refused !== null) return refused;
  if (hand.splitAces) return reject('not-allowed', [articles.splitAces], 'one card per split ace');
  return totalOf(hand.cards) === 21 ? reject('not-allowed', [articles.hitRefused], '21') : null;
}

/**
 * art. 17.1: the modality a double is booked under; where "any two" is on, an 11 is one of them
 * (art. 17.3 decides by it).
 */
export function doubleModality(rules: BlackjackRules, hand: Hand): DoubleModality | null {
  // r.29, r.31: nine, ten or eleven, an ace counting as one.
  const isByTotal = rules.doubleOn.includes('nineTenEleven');
  const hard = isByTotal ? hardTotalOf(hand.cards) : 0;
  if (isByTotal && (hard < 9 || hard > 11)) return null;
  const first: DoubleModality = hand.fromSplit ? 'afterSplit' : isByTotal ? 'nineTenEleven' : 'anyTwo';
  if (rules.doubleOn.includes(first)) return first;
  return !hand.fromSplit && totalOf(hand.cards) === 11 && rules.doubleOn.includes('eleven') ? 'eleven' : null;
}

function refuseDouble(asked: Asked): Rejection | null {
  const { rules, articles, hand } = asked;
  const refused = refuseTurn(asked);
  if (refused !== null) return refused;
  if (hand.cards.length !== 2) return reject('not-allowed', [articles.double], 'only on two cards');
  if (hand.splitAces) return reject('not-allowed', [articles.doubleAfterSplit], 'split aces');
  if (totalOf(hand.cards) === 21) return reject('not-allowed', [articles.hitRefused], '21');
  if (doubleModality(rules, hand) === null) {
    return reject(rules.doubleOn.includes('nineTenEleven') ? 'not-allowed' : 'off', [articles.double]);
  }
  return refuseRaise(asked);
}

/** r.27: no limit where the regulation has none. */
export const mostHands = ({ maxHands }: BlackjackRules): number => maxHands ?? Number.POSITIVE_INFINITY;

function refuseSplit(asked: Asked): Rejection | null {
  const { state, rules, articles, seat, hand, by } = asked;
  // A split ace closes with its one card, yet "may be split one or more times": the refusal names
  // which rule bars it.
  const isClosedAcePair = hand.splitAces && hand.status === 'done' && isSplittable(rules, hand.cards);
  if (by !== seat.decider) return reject('not-decider', [articles.betsBehind]);
  if (!isClosedAcePair) {
    const refused = refuseTurn(asked);
    if (refused) return refused;
  }
  if (!isSplittable(rules, hand.cards)) return reject('not-allowed', [articles.split], 'no pair');
  if (seat.hands.length >= mostHands(rules)) return reject('limit', [articles.split]);
  if (hand.splitAces) {
    if (!rules.resplitAces) return reject(codeOfOff(state, 'resplitAces'), [articles.splitAces]);
  } else if (hand.fromSplit) {
    if (!rules.resplit) return reject('off', [articles.resplit]);
    if (seat.resplitDeclined)
      return reject('not-allowed', [articles.resplit], 'a further split was declined');
  }
  return refuseRaise(asked);
}

/** Two cards of one rank, or of one value where the house reads the rule so. */
const isSplittable = ({ splitBy }: BlackjackRules, cards: readonly Card[]): boolean =>
  splitBy === 'value' ? isSameValue(cards) : isPair(cards);

/**
 * What the house has not had authorised is off; what a reading of the rule excludes is a matter of
 * the hand.
 */
const codeOfOff = (state: TableState, option: string): 'off' | 'not-allowed' =>
  rulebookOf(state.profile!.rulebook)!.options.some(
    ({ id, authorisation }) => id === option && authorisation !== null,
  )
    ? 'off'
    : 'not-allowed';

/**
 * A pair on a split hand, not of aces, that may be split again now: to play it otherwise declines
 * for good.
 */
export const mayResplit = (asked: Asked): boolean =>
  asked.hand.fromSplit &&
  !asked.rules.resplitStaysOpen &&
  !asked.hand.splitAces &&
  refuseSplit(asked) === null;

/** art. 19.1: asked for, not forced; art. 19.2: who does not ask, or meets an ace, plays on. */
function refuseFiveCards(asked: Asked): Rejection | null {
  const { round, rules, articles, hand } = asked;
  const cites = [articles.fiveCards];
  if (!rules.fiveCards) return reject('off', cites);
  const refused = refuseTurn(asked);
  if (refused) return refused;
  if (hand.cards.length !== 5) return reject('not-allowed', cites, 'not five cards');
  return isAce(round.bank[0]!) ? reject('not-allowed', cites, 'ace up') : null;
}

// ---- raises ----

/**
 * r.28, r.30: a bettor behind with money on the hand, between the holder's act and the next card.
 */
function refuseFollowing(act: 'followSplit' | 'followDouble', asked: Asked): Rejection | null {
  const { state, round, rules, articles, seat, hand, by } = asked;
  const cites = [act === 'followSplit' ? articles.followSplit : articles.followDouble];
  if (rules.followers !== 'own') return reject('off', cites);
  const kind = act === 'followSplit' ? 'follow-split' : 'follow-double';
  if (round.offers?.kind === kind && round.offers.pending.some((o) => o.seat === seat.seat && o.by === by)) {
    return refuseRaise(asked);
  }
  if (by === seat.decider) return reject('not-allowed', cites, 'the holder decides and does not follow');
  const isDone = act === 'followSplit' ? hand.fromSplit : hand.doubled !== null;
  if (!isDone) return reject('not-allowed', cites, 'the holder has not');
  const isOpen = round.offers?.kind === kind || hand.called;
  if (isOpen && asked.bettor.originalMinor > creditOf(state, by)) return reject('no-credit', cites);
  return isOpen
    ? reject('not-allowed', cites, 'answered, or no bet on this hand')
    : reject('too-late', cites);
}

/**
 * The decider's own money must cover the raise; a bet behind that cannot follow stays as it lies.
 */
function refuseRaise({ state, articles, bettor, by }: Asked): Rejection | null {
  return bettor.originalMinor > creditOf(state, by) ? reject('no-credit', [articles.splitStake]) : null;
}

/**
 * arts. 16.2, 17.1: each raise equals the initial bet; the bets behind follow where the house has
 * it so.
 */
export function raisesOf({ state, rules, seat, hand, by }: Asked): Raise[] {
  return seat.bettors
    .filter(
      (bettor, i) =>
        hand.stakesMinor[i]! > 0 &&
        (bettor.by === by || (rules.behindFollows && bettor.originalMinor <= creditOf(state, bettor.by))),
    )
    .map((bettor) => ({ by: bettor.by, amountMinor: bettor.originalMinor }));
}
