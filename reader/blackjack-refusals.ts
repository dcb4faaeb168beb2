/**
 * Why an act is refused: all reasons that hold, the one to be given first at the head; none = the
 * act is lawful now.
 */
import { ACCEPTED, type AuditedAct, type Refusals } from './auditor.ts';
import { isAce, isEqualValue, isPair, lowTotal } from './blackjack-cards.ts';
import type { Hand, Modality, Seat } from './blackjack-hands.ts';
import { compareToShare } from './blackjack-options.ts';
import type { Invitation, Round } from './blackjack-round.ts';
import { isSpareOffered } from './blackjack-settle.ts';

/**
 * Whoever speaks for a hand that is not there, or has no bet on it, is refused by every article
 * there is.
 */
const NOTHING_THERE: Refusals = [
  'not-allowed',
  'not-decider',
  'not-your-turn',
  'too-late',
  'off',
  'round-over',
];

export function refusalsOf(round: Round, act: AuditedAct): Refusals {
  const seat = round.seat(act.seat);
  const areFirstCardsDue = round.stage === 'offers' && round.queue.length > 0; // r.17
  if (!seat || round.bank.length === 0 || round.stage === 'deal' || areFirstCardsDue) return NOTHING_THERE;
  const by = act.by ?? seat.decider;
  if (!seat.hands[act.hand]) return NOTHING_THERE;
  // art. 13.1: "any pair" may lie on the hands of any player; they answer for that bet alone.
  const isPairAsked = round.stage === 'pair' && round.isInvited(seat, by);
  if (isPairAsked && (act.do === 'betPair' || act.do === 'playOn')) return ofPairBet(round, seat, act);
  if (!seat.bettor(by)) return NOTHING_THERE;
  switch (act.do) {
    case 'betPair':
      return ['not-allowed', 'off', 'too-late', 'round-over', 'out-of-range'];
    case 'insure':
      return ofInsurance(round, seat, by, act.amount);
    case 'declineInsurance':
      return ofSpeakingOfInsurance(round, seat, by);
    case 'evenMoney':
      return ofEvenMoney(round, seat, act);
    case 'surrender':
      return ofSurrender(round, seat, act);
    case 'playOn':
      return round.isInvited(seat, by) ? ACCEPTED : ['not-allowed', 'too-late', 'round-over'];
    case 'loseOriginalOnly':
      return ofSpare(round, seat, act);
    case 'followDouble':
    case 'followSplit': {
      const isAsked = round.following?.act === act.do && round.isInvited(seat, by);
      if (isAsked) return ACCEPTED;
      return [...(round.isPortugal ? [] : ['off']), 'not-allowed', 'too-late', 'round-over'];
    }
    case 'hit':
    case 'stand':
    case 'double':
    case 'split':
    case 'fiveCardHalf':
      return ofTurn(round, seat, act);
    default:
      // A decision of another game.
      return ['not-allowed', 'off', 'round-over'];
  }
}

// ---- in the hand's turn (arts. 6.2-6.4, 16, 17, 19; r.18, r.26-31) ----

function ofTurn(round: Round, seat: Seat, act: AuditedAct): Refusals {
  const { turn, stage } = round;
  const hand = seat.hands[act.hand]!;
  const reasons: string[] = [];
  if ((act.by ?? seat.decider) !== seat.decider) reasons.push('not-decider'); // art. 20.1, r.15, r.16
  if (act.do === 'fiveCardHalf' && !round.options.fiveCards) reasons.push('off');
  if (act.do === 'split' && hand.fromSplit) reasons.push(...ofSplitting(round, hand));
  if (hand.state === 'blackjack' || hand.state === 'surrendered') reasons.push('not-allowed');
  // art. 6.3
  if (turn && turn.seat !== seat) reasons.push('not-your-turn');
  if (hand.state !== 'open') reasons.push('not-allowed');
  if (stage === 'over') reasons.push('round-over');
  else if (stage !== 'turns' || turn?.hand !== hand) reasons.push('not-your-turn');
  // A card asked for has not come yet, or others are asked about a raise.
  if (round.queue.length > 0 || stage === 'follow') reasons.push('not-allowed');
  reasons.push(...ofAct(round, hand, act.do));
  return reasons;
}

function ofAct(round: Round, hand: Hand, act: string): Refusals {
  switch (act) {
    case 'hit':
      // art. 6.4, r.18: under 21; art. 6.4.3, r.26: one card on a split ace.
      return hand.total >= 21 || hand.splitAces ? ['not-allowed'] : ACCEPTED;
    case 'stand':
      // r.18: only above 11.
      return round.isPortugal && hand.total <= 11 ? ['must-draw'] : ACCEPTED;
    case 'double':
      return ofDoubling(round, hand);
    case 'split':
      return ofSplitting(round, hand);
    default: {
      // art. 19.1: five cards, not over 21, no ace up.
      const holds = hand.cards.length === 5 && hand.total <= 21 && !isAce(round.up);
      return holds ? ACCEPTED : ['not-allowed'];
    }
  }
}

/** art. 16, r.26, r.27: by the cards of the hand and the number of hands alone. */
export function ofSplitting(round: Round, hand: Hand): Refusals {
  const { maxHands, splitBy, resplit, resplitAces } = round.options;
  const seat = round.seatOf(hand);
  if (!(splitBy === 'value' ? isEqualValue(hand.cards) : isPair(hand.cards))) return ['not-allowed'];
  const reasons: string[] = [];
  if (hand.fromSplit) {
    // art. 16.3 rules aces, 16.5 the rest.
    const isOff = hand.splitAces ? !resplitAces : !resplit;
    if (isOff) reasons.push(round.isPortugal ? 'not-allowed' : 'off');
    // art. 16.5: once declined, no more.
    if (seat.declinedResplit && !hand.splitAces && !round.isPortugal) reasons.push('not-allowed');
  }
  if (maxHands !== null && seat.hands.length >= maxHands) reasons.push('limit');
  return reasons;
}

function ofDoubling(round: Round, hand: Hand): Refusals {
  // art. 17.1.2, 6.4.3: not on split aces; art. 6.4.1: not at 21.
  if (hand.cards.length !== 2 || hand.splitAces || hand.total >= 21) return ['not-allowed'];
  if (modalityOf(round, hand) !== null) return ACCEPTED;
  return [round.isPortugal ? 'not-allowed' : 'off'];
}

/**
 * Under which modality these two cards may be doubled; the booking decides what art. 17.3 protects.
 */
export function modalityOf({ options, isPortugal }: Round, hand: Hand): Modality | null {
  const { doubleOn } = options;
  const low = lowTotal(hand.cards);
  // r.29, r.31: 9, 10 or 11, aces as one (r.32).
  if (isPortugal) return low >= 9 && low <= 11 ? 'nineTenEleven' : null;
  if (hand.fromSplit) return doubleOn.includes('afterSplit') ? 'afterSplit' : null;
  if (doubleOn.includes('anyTwo')) return 'anyTwo';
  return doubleOn.includes('eleven') && hand.total === 11 ? 'eleven' : null;
}

// ---- the offers (arts. 10.3, 10.7, 12.1, 18; r.33, r.34, r.36) ----

/** After the round a hand that was closed before its end is refused as that. */
const ofClosedHand = (round: Round, hand: Hand): string[] =>
  round.stage === 'over' && hand.state !== 'open' ? ['not-allowed'] : [];

/** art. 12.1, r.33: whether the bettor may speak of insurance at all. */
function ofSpeakingOfInsurance(round: Round, seat: Seat, by: number): Refusals {
  const { insurance, declined, evenMoney } = seat.bettor(by)!;
  const reasons: string[] = ofClosedHand(round, seat.hands[0]!);
  if (!isAce(round.up)) reasons.push('not-allowed');
  // One insurance for each bettor and seat; a no is a no (art. 6.3).
  if (insurance > 0 || declined) reasons.push('not-allowed');
  // None beside even money; but r.15 leaves it to the complementary bettor, whatever the holder
  // does.
  if (evenMoney && (!round.isPortugal || by === seat.decider)) reasons.push('not-allowed');
  if (round.additional > 0 || round.isSecondKnown) reasons.push('too-late');
  if (round.stage === 'over') reasons.push('round-over');
  return reasons;
}

function ofInsurance(round: Round, seat: Seat, by: number, amount: number | undefined): Refusals {
  const { insuranceMin, insuranceMax } = round.options;
  const { original } = seat.bettor(by)!;
  const isAmount = amount !== undefined && Number.isSafeInteger(amount) && amount > 0;
  const isBetween =
    isAmount &&
    compareToShare(amount, insuranceMax, original) <= 0 &&
    (insuranceMin === null || compareToShare(amount, insuranceMin, original) >= 0);
  return [...ofSpeakingOfInsurance(round, seat, by), ...(isBetween ? [] : ['out-of-range'])];
}

/**
 * art. 10.3: against an ace or a ten; r.34: against an ace only. Before the bank's second card is
 * known.
 */
function ofEvenMoney(round: Round, seat: Seat, act: AuditedAct): Refusals {
  const by = act.by ?? seat.decider;
  const reasons: string[] = ofClosedHand(round, seat.hands[act.hand]!);
  // r.15: the holder decides for the complementary bets; in Macau each bettor for themselves.
  if (round.isPortugal && by !== seat.decider) reasons.push('not-decider');
  const isAgainst = round.isPortugal ? isAce(round.up) : round.canBankMakeBlackjack;
  const hasBlackjack = seat.hands[act.hand]!.state === 'blackjack';
  if (!hasBlackjack || !isAgainst || seat.bettor(by)!.evenMoney) reasons.push('not-allowed');
  if (round.stage === 'over') reasons.push('round-over');
  if (round.isSecondKnown) reasons.push('too-late');
  return reasons;
}

/** art. 18, r.36 */
function ofSurrender(round: Round, seat: Seat, act: AuditedAct): Refusals {
  const { surrender, surrenderWindow } = round.options;
  const { stage, turn } = round;
  const hand = seat.hands[act.hand]!;
  const reasons: string[] = [];
  if (!surrender) reasons.push('off');
  if ((act.by ?? seat.decider) !== seat.decider) reasons.push('not-decider');
  if (isAce(round.up)) reasons.push('not-allowed');
  // A split hand cannot be given up: its cards have come (art. 18.2).
  if (seat.hands.length > 1) reasons.push('too-late');
  if (hand.state !== 'open') reasons.push('not-allowed');
  // They have asked for a card, or doubled and the others are asked: that is their decision.
  const hasDecided = round.queue.length > 0 || stage === 'follow';
  if (turn?.hand === hand && hasDecided) reasons.push('not-allowed');
  if (stage === 'over') reasons.push('round-over');
  const cards = surrenderWindow === 'beforeOwnCard' ? seat.additional : round.additional;
  if (cards > 0 || hand.doubled) reasons.push('too-late');
  // Before one's own card: the decision of one's turn (art. 6.3).
  if (surrenderWindow === 'beforeOwnCard' && turn?.hand !== hand) reasons.push('not-your-turn');
  // Procedure 3: the look comes first (art. 5.2.3.3).
  if (round.hasLook && stage === 'offers') reasons.push('not-allowed', 'not-your-turn');
  return reasons;
}

/** art. 13.1.2: a bet on the split hand in turn. */
function ofPairBet(
  { options, turn }: Round,
  seat: Seat,
  { do: what, hand, amount = 0 }: AuditedAct,
): Refusals {
  if (seat.hands[hand] !== turn?.hand) return ['not-allowed', 'not-your-turn'];
  if (what === 'playOn') return ACCEPTED;
  const least = options.sideBetMin ?? 1;
  const most = options.sideBetMax ?? options.max;
  return Number.isSafeInteger(amount) && amount >= least && amount <= most ? ACCEPTED : ['out-of-range'];
}

/** art. 10.7 */
function ofSpare(round: Round, seat: Seat, act: AuditedAct): Refusals {
  const { doubledVsDealerBlackjack, elevenVsDealerBlackjack } = round.options;
  if (doubledVsDealerBlackjack !== 'offer' && elevenVsDealerBlackjack !== 'offer') {
    return ['off', 'not-allowed', 'round-over'];
  }
  const isAsked = round.stage === 'spare' && round.isInvited(seat, act.by ?? seat.decider);
  return isAsked ? ACCEPTED : ['not-allowed', 'off', 'too-late', 'round-over'];
}

/** Every bettor who could now accept one of the offers made before play begins. */
export function invitations(round: Round): Invitation[] {
  return round.seats.flatMap((seat) =>
    seat.bettors.filter(({ by }) => couldAccept(round, seat, by)).map(({ by }) => ({ seat: seat.seat, by })),
  );
}

/** arts. 10.3, 12.1; r.33, r.34: an answer on insurance leaves the right to be paid one to one. */
export const mayTakeEvenMoney = (round: Round, seat: Seat, by: number): boolean =>
  ofEvenMoney(round, seat, { do: 'evenMoney', seat: seat.seat, hand: 0, by }).length === 0;

function couldAccept(round: Round, seat: Seat, by: number): boolean {
  const ask = { seat: seat.seat, hand: 0, by };
  return (
    ofSpeakingOfInsurance(round, seat, by).length === 0 ||
    mayTakeEvenMoney(round, seat, by) ||
    (round.options.surrenderWindow === 'beforeAnyCard' &&
      ofSurrender(round, seat, { ...ask, do: 'surrender' }).length === 0)
  );
}

/**
 * art. 10.7: at a seat with a doubled hand that the offer concerns everybody is asked, once for all
 * such hands.
 */
export function spareInvitations(round: Round): Invitation[] {
  return round.seats
    .filter((seat) => seat.hands.some((hand) => isSpareOffered(round.options, seat, hand)))
    .flatMap((seat) => seat.bettors.map(({ by }) => ({ seat: seat.seat, by })));
}
