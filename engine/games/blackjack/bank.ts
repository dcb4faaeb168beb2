import type { Card } from '../../core/cards.ts';
import type { Hand, RoundSeat, RoundState } from '../../table/state.ts';
import { canMakeBlackjack, isAceSix, isSoft, totalOf } from './hand.ts';
import type { BlackjackRules } from './rules.ts';

/** art. 6.1: 16 or less draws, 17 or more stands, except on «Soft 17» as art. 6.6 and the option define it. */
export function bankDraws(rules: BlackjackRules, bank: readonly Card[]): boolean {
  const total = totalOf(bank);
  if (total !== 17 || !rules.dealerHitsSoft17) return total <= 16;
  return rules.soft17 === 'any' ? isSoft(bank) : isAceSix(bank);
}

/** The hand is decided against the bank's points. */
const isOpenAgainstPoints = (hand: Hand): boolean => hand.status === 'stood' || hand.status === 'done';

/** Some hand is still decided by the bank's points. */
export const needsBank = (round: RoundState): boolean =>
  round.seats.some((seat) => seat.hands.some(isOpenAgainstPoints));

/** arts. 16.6, 17.3: against a bank's blackjack less than everything is lost, so a bust is not yet the last word. */
function isBustUndecided(rules: BlackjackRules, seat: RoundSeat, hand: Hand): boolean {
  if (hand.status !== 'busted' || rules.bustedVsDealerBlackjack === 'bustsLost') return false;
  return seat.hands.length > 1
    ? rules.splitVsDealerBlackjack !== 'loseAll'
    : hand.doubled !== null && rules.doubledVsDealerBlackjack !== 'loseAll';
}

/** Some bet cannot be settled without the bank's second card. */
export function needsSecondCard(rules: BlackjackRules, round: RoundState): boolean {
  if (needsBank(round)) return true;
  const blackjackPossible = canMakeBlackjack(round.bank[0]!);
  return round.seats.some(
    (seat) =>
      seat.bettors.some(
        (bettor) =>
          bettor.insuranceMinor > 0 ||
          (blackjackPossible && !bettor.evenMoney && seat.hands[0]!.status === 'blackjack'),
      ) ||
      (blackjackPossible && seat.hands.some((hand) => isBustUndecided(rules, seat, hand))),
  );
}
