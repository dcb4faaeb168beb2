import type { Hand, RoundState } from '../../table/state.ts';
import type { BlackjackRules } from './rules.ts';

/**
 * arts. 5.2.1, 5.2.3.5: players' cards are dealt face down; where `playerCardsDown` is `one`, the
 * first card is not.
 */
export const dealsDown = ({ dealing, playerCardsDown }: BlackjackRules): boolean =>
  dealing === 'faceDown' || playerCardsDown === 'both' || playerCardsDown === 'one';

/** Cards of a hand that lies face down that do not. */
export const openCards = ({ playerCardsDown }: { readonly playerCardsDown?: unknown }): 0 | 1 =>
  playerCardsDown === 'one' ? 1 : 0;

/**
 * The cards of a hand still lie face down on the table. They are shown with a bust (art. 6.2), a
 * blackjack, a split, a double, a prize or half payment that is asked for, and when the bets are
 * settled. No money hangs on it.
 */
export function liesFaceDown(rules: BlackjackRules, round: RoundState, hand: Hand): boolean {
  const { status, fromSplit, doubled, prize } = hand;
  const isKept = status === 'open' || status === 'stood' || status === 'done' || status === 'surrendered';
  return dealsDown(rules) && round.lines === null && isKept && !fromSplit && !doubled && !prize;
}
