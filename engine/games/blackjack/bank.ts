import type { Card } from '../../core/cards.ts';
import type { Hand, RoundSeat, RoundState } from '../../table/state.ts';
import { canMakeBlackjack, isAceSix, isSoft, totalOf } from './hand.ts';
import type { BlackjackRules } from './rules.ts';

/**
 * art. 6.1: 16 or less draws, 17 or more stands, except on «Soft 17» as art. 6.6 and the option
 * define it.
 */
export function bankDraws(rules: BlackjackRules, bank: readonly Card[]): boolean {
  const total = totalOf(bank);
  if (total !== 17 || !rules.dealerHitsSoft17) return total <= 16;
  return rules.soft17 === 'any' ? isSoft(bank) : isAceSix(bank);
}

/** Two cards for the bank before the players draw, the second face down: arts. 5.2.1.2, 5.2.3.2. */
export const dealsHoleCard = ({ dealing, cardSource }: BlackjackRules): boolean =>
  dealing === 'holeCard' || cardSource === 'box';

/** Everybody can see the bank's second card. */
export const isSecondCardOpen = (round: RoundState): boolean => round.bank.length > 1 && !round.bankHoleDown;

/**
 * art. 5.2.3.3: with an ace or ten up the bank looks whether it has a blackjack, before anybody
 * plays.
 */
export const isLookDue = ({ dealing, noLook }: BlackjackRules, round: RoundState): boolean =>
  dealing === 'holeCard' &&
  !noLook &&
  round.bankHoleDown &&
  !round.bankLooked &&
  canMakeBlackjack(round.bank[0]!);

/** The hand is decided against the bank's points. */
const isOpenAgainstPoints = (hand: Hand): boolean => hand.status === 'stood' || hand.status === 'done';

/** Some hand is still decided by the bank's points. */
export const needsBank = ({ seats }: RoundState): boolean =>
  seats.some(({ hands }) => hands.some(isOpenAgainstPoints));

/**
 * arts. 16.6, 17.3: against a bank's blackjack less than everything is lost, so a bust is not yet
 * the last word.
 */
function isBustUndecided(rules: BlackjackRules, seat: RoundSeat, hand: Hand): boolean {
  if (hand.status !== 'busted' || rules.bustedVsDealerBlackjack === 'bustsLost') return false;
  return seat.hands.length > 1
    ? rules.splitVsDealerBlackjack !== 'loseAll'
    : hand.doubled !== null && rules.doubledVsDealerBlackjack !== 'loseAll';
}

/**
 * art. 10.7: a doubled bet for which the bank offers the original only; a busted one is lost
 * already (art. 7.2).
 */
export function mayLoseOriginalOnly(rules: BlackjackRules, { doubled, status }: Hand): boolean {
  if (doubled === null || status === 'busted') return false;
  return (doubled === 'eleven' ? rules.elevenVsDealerBlackjack : rules.doubledVsDealerBlackjack) === 'offer';
}

/** Some bet cannot be settled without the bank's second card. */
export function needsSecondCard(rules: BlackjackRules, round: RoundState): boolean {
  if (needsBank(round)) return true;
  // art. 5.2.3.3: the look has answered it.
  if (round.bankLooked) return false;
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
