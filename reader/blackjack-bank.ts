import { isAceSix, isSoft, total } from './blackjack-cards.ts';
import type { Hand, Seat } from './blackjack-hands.ts';
import type { Round } from './blackjack-round.ts';

/** art. 6.1, r.19: the bank draws at 16 or less; art. 6.6: and on Soft 17. */
export function mustBankDraw({ bank, options }: Round): boolean {
  const points = total(bank);
  if (points <= 16) return true;
  if (points > 17 || !options.dealerHitsSoft17) return false;
  return options.soft17 === 'any' ? isSoft(bank) : isAceSix(bank);
}

/** Whether a main or insurance bet still waits for the bank's second card. */
export function needsSecondCard(round: Round): boolean {
  if (round.options.dealerPlaysOut === 'always') return true;
  return round.seats.some(
    (seat) =>
      seat.bettors.some(({ insurance }) => insurance > 0) ||
      seat.hands.some((hand) => isUndecided(round, seat, hand) || mayComeBack(round, seat, hand)),
  );
}

/**
 * Whether the bank's points can still change anything (r.22): a blackjack waits only for the second
 * card.
 */
export function needsThirdCard({ options, seats }: Round): boolean {
  if (options.dealerPlaysOut === 'always') return true;
  return seats.some((seat) => seat.hands.some((hand) => isInPlay(seat, hand) && hand.state !== 'blackjack'));
}

/** The bank may have a blackjack: its open card allows it, and it has not looked (art. 5.2.3.3). */
const mayBankHaveBlackjack = (round: Round): boolean => round.canBankMakeBlackjack && !round.isSecondKnown;

/** A blackjack has won where the bank has none. */
const isUndecided = (round: Round, seat: Seat, hand: Hand): boolean =>
  isInPlay(seat, hand) && (hand.state !== 'blackjack' || mayBankHaveBlackjack(round));

function isInPlay(seat: Seat, hand: Hand): boolean {
  if (hand.isPaid || hand.state === 'bust') return false;
  return seat.bettors.some(({ by, evenMoney }) => hand.stakes.has(by) && !evenMoney);
}

/** art. 16.6, 17.3: a busted bet of a split or doubled seat goes back if the bank has blackjack. */
function mayComeBack(round: Round, seat: Seat, hand: Hand): boolean {
  const { splitVsDealerBlackjack, doubledVsDealerBlackjack, bustedVsDealerBlackjack } = round.options;
  if (hand.state !== 'bust' || !mayBankHaveBlackjack(round)) return false;
  if (bustedVsDealerBlackjack === 'bustsLost') return false;
  if (seat.hands.length > 1) return splitVsDealerBlackjack === 'originalOnly';
  return hand.doubled === 'anyTwo' && doubledVsDealerBlackjack === 'originalOnly';
}
