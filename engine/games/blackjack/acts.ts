import type { Minor } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import { articlesOf, creditOf, rulesOf } from '../../table/draft.ts';
import type { Raise } from '../../table/events.ts';
import type { Act } from '../../table/inputs.ts';
import type { Bettor, DoubleModality, Hand, RoundSeat, RoundState, TableState } from '../../table/state.ts';
import { parseFraction } from '../rulebook.ts';
import { canMakeBlackjack, isAce, isPair, totalOf } from './hand.ts';
import type { BlackjackArticles, BlackjackRules } from './rules.ts';

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

/** Finds seat, hand and bettor of an act. A bettor decides only where he has a bet (art. 20.1). */
export function askedOf(
  state: TableState,
  round: RoundState,
  seatNo: number,
  by: number,
  handNo: number,
  amountMinor: Minor | null,
): Asked | Rejection {
  const articles = articlesOf(state);
  const seat = round.seats.find((candidate) => candidate.seat === seatNo);
  const hand = seat?.hands[handNo];
  if (!seat || !hand) return reject('not-allowed', [articles.dealOrder], 'no such hand');
  const bettor = seat.bettors.find((candidate) => candidate.by === by);
  if (!bettor) return reject('not-decider', [articles.betsBehind], 'no bet on this seat');
  return { state, round, rules: rulesOf(state), articles, seat, bettor, by, handNo, hand, amountMinor };
}

/** Refusal of an act by the articles and by the state of the hand; null = lawful now. */
export function refusalOf(act: Act, asked: Asked): Rejection | null {
  switch (act) {
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
      return asked.round.offers?.pending.some(
        (offer) => offer.seat === asked.seat.seat && offer.by === asked.by,
      )
        ? null
        : reject('not-allowed', [], 'nothing is offered to this bettor');
    case 'hit':
      return refuseHit(asked);
    case 'stand':
      return refuseTurn(asked);
    case 'double':
      return refuseDouble(asked);
    case 'split':
      return refuseSplit(asked);
    case 'fiveCardHalf':
      return refuseFiveCards(asked);
  }
}

// ---- art. 12: insurance; art. 10.3: even money; art. 18: surrender; art. 10.7 ----

function refuseInsuranceOffer({ round, articles, bettor }: Asked): Rejection | null {
  const cites = [articles.insurance];
  if (!isAce(round.bank[0]!)) return reject('not-allowed', cites, 'no ace up');
  if (bettor.evenMoney) return reject('not-allowed', [articles.evenMoney], 'even money was taken');
  if (bettor.insuranceMinor > 0 || bettor.insuranceDeclined) {
    return reject('not-allowed', cites, 'already answered');
  }
  if (round.additional > 0 || round.bank.length > 1) {
    return reject('too-late', cites, 'an additional card is out');
  }
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

/** art. 12.1: between the two fractions of the original bet; half of an odd amount is rounded into the range. */
export function insuranceRange(
  rules: BlackjackRules,
  { originalMinor }: Bettor,
): { minMinor: Minor; maxMinor: Minor } {
  const [minA, minB] = parseFraction(rules.insuranceMin)!;
  const [maxA, maxB] = parseFraction(rules.insuranceMax)!;
  return {
    minMinor: Math.ceil((originalMinor * minA) / minB) as Minor,
    maxMinor: Math.floor((originalMinor * maxA) / maxB) as Minor,
  };
}

function refuseEvenMoney({ round, articles, bettor, hand }: Asked): Rejection | null {
  const cites = [articles.evenMoney];
  if (hand.status !== 'blackjack') return reject('not-allowed', cites, 'no blackjack');
  if (!canMakeBlackjack(round.bank[0]!)) return reject('not-allowed', cites, 'no ace, ten or figure up');
  if (bettor.evenMoney) return reject('not-allowed', cites, 'already taken');
  return round.bank.length > 1 ? reject('too-late', cites, "the bank's second card is out") : null;
}

function refuseSurrender(asked: Asked): Rejection | null {
  const { state, round, rules, articles, seat, hand, by } = asked;
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
  if (rules.surrenderWindow === 'beforeAnyCard') {
    return state.phase === 'offers' || state.phase === 'turns' ? null : reject('too-late', cites);
  }
  return refuseTurn(asked);
}

function refuseOriginalOnly({ round, rules, articles, seat, by }: Asked): Rejection | null {
  const cites = [articles.originalOnlyOffer];
  const offered = seat.hands.some((hand) =>
    hand.doubled === 'eleven'
      ? rules.elevenVsDealerBlackjack === 'offer'
      : hand.doubled !== null && rules.doubledVsDealerBlackjack === 'offer',
  );
  if (!offered) {
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
function refuseTurn({ state, round, articles, seat, handNo, hand, by }: Asked): Rejection | null {
  if (by !== seat.decider) return reject('not-decider', [articles.betsBehind]);
  if (hand.status !== 'open' && hand.status !== 'stood') {
    const cite = hand.status === 'busted' ? articles.bust : articles.hitRefused;
    return reject('not-allowed', [cite], `hand is ${hand.status}`);
  }
  const isTurn = state.phase === 'turns' && round.turn?.seat === seat.seat && round.turn.hand === handNo;
  if (hand.status === 'stood') {
    return hasLaterHand(round, seat, handNo)
      ? reject('not-your-turn', [articles.turns])
      : reject('not-allowed', [articles.turns], 'hand has stood');
  }
  if (!isTurn) return reject('not-your-turn', [articles.turns]);
  if (hand.called || hand.cards.length < 2) return reject('not-due', [articles.turns], 'a card is due first');
  return null;
}

const hasLaterHand = (round: RoundState, seat: RoundSeat, handNo: number): boolean =>
  handNo + 1 < seat.hands.length || round.seats.some((other) => other.seat > seat.seat);

function refuseHit(asked: Asked): Rejection | null {
  const { articles, hand } = asked;
  const refused = refuseTurn(asked);
  if (refused) return refused;
  if (hand.splitAces) return reject('not-allowed', [articles.splitAces], 'one card per split ace');
  return totalOf(hand.cards) === 21 ? reject('not-allowed', [articles.hitRefused], '21') : null;
}

/** art. 17.1: the modality a double is booked under; where "any two" is on, an 11 is one of them (art. 17.3 decides by it). */
export function doubleModality(rules: BlackjackRules, hand: Hand): DoubleModality | null {
  const first: DoubleModality = hand.fromSplit ? 'afterSplit' : 'anyTwo';
  if (rules.doubleOn.includes(first)) return first;
  return !hand.fromSplit && totalOf(hand.cards) === 11 && rules.doubleOn.includes('eleven') ? 'eleven' : null;
}

function refuseDouble(asked: Asked): Rejection | null {
  const { rules, articles, hand } = asked;
  const refused = refuseTurn(asked);
  if (refused) return refused;
  if (hand.cards.length !== 2) return reject('not-allowed', [articles.double], 'only on two cards');
  if (hand.splitAces) return reject('not-allowed', [articles.doubleAfterSplit], 'split aces');
  if (totalOf(hand.cards) === 21) return reject('not-allowed', [articles.hitRefused], '21');
  if (doubleModality(rules, hand) === null) return reject('off', [articles.double]);
  return refuseRaise(asked);
}

function refuseSplit(asked: Asked): Rejection | null {
  const { rules, articles, seat, hand, by } = asked;
  // A split ace closes with its one card, yet "may be split one or more times": the refusal names which rule bars it.
  const isClosedAcePair = hand.splitAces && hand.status === 'done' && isPair(hand.cards);
  if (by !== seat.decider) return reject('not-decider', [articles.betsBehind]);
  if (!isClosedAcePair) {
    const refused = refuseTurn(asked);
    if (refused) return refused;
  }
  if (!isPair(hand.cards)) return reject('not-allowed', [articles.split], 'no pair');
  if (seat.hands.length >= rules.maxHands) return reject('limit', [articles.split]);
  if (hand.splitAces) {
    if (!rules.resplitAces) return reject('off', [articles.splitAces]);
    if (isClosedAcePair) return reject('not-allowed', [articles.splitAces], 'hand is closed');
  } else if (hand.fromSplit) {
    if (!rules.resplit) return reject('off', [articles.resplit]);
    if (seat.resplitDeclined)
      return reject('not-allowed', [articles.resplit], 'a further split was declined');
  }
  return refuseRaise(asked);
}

/** A pair on a split hand, not of aces, that may be split again now: to play it otherwise declines for good. */
export const mayResplit = (asked: Asked): boolean =>
  asked.hand.fromSplit && !asked.hand.splitAces && isPair(asked.hand.cards) && refuseSplit(asked) === null;

function refuseFiveCards(asked: Asked): Rejection | null {
  const { round, articles, hand } = asked;
  const refused = refuseTurn(asked);
  if (refused) return refused;
  const cites = [articles.fiveCards];
  if (hand.cards.length !== 5) return reject('not-allowed', cites, 'not five cards');
  return isAce(round.bank[0]!) ? reject('not-allowed', cites, 'ace up') : null;
}

// ---- raises ----

/** The decider's own money must cover the raise; a bet behind that cannot follow stays as it lies. */
function refuseRaise({ state, articles, bettor, by }: Asked): Rejection | null {
  return bettor.originalMinor > creditOf(state, by) ? reject('no-credit', [articles.splitStake]) : null;
}

/** arts. 16.2, 17.1: each raise equals the initial bet; the bets behind follow where the house has it so. */
export function raisesOf({ state, rules, seat, hand, by }: Asked): Raise[] {
  return seat.bettors
    .filter(
      (bettor, i) =>
        hand.stakesMinor[i]! > 0 &&
        (bettor.by === by || (rules.behindFollows && bettor.originalMinor <= creditOf(state, bettor.by))),
    )
    .map((bettor) => ({ by: bettor.by, amountMinor: bettor.originalMinor }));
}
