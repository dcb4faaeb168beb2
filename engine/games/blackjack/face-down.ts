import type { Hand, RoundState } from '../../table/state.ts';
import type { BlackjackRules } from './rules.ts';

/**
 * arts. 5.2.1, 5.2.3.5: the cards of a hand still lie face down on the table. They are shown with a bust (art. 6.2), a
 * blackjack, a split, a double, a prize or half payment that is asked for, and when the bets are settled. No money hangs
 * on it; where `playerCardsDown` is `one`, only the second card lies so.
 */
export function liesFaceDown(rules: BlackjackRules, round: RoundState, hand: Hand): boolean {
  const { dealing, playerCardsDown } = rules;
  const isDealtDown = dealing === 'faceDown' || playerCardsDown === 'both' || playerCardsDown === 'one';
  const isInPlay = hand.status === 'open' || hand.status === 'stood' || hand.status === 'done';
  return isDealtDown && round.lines === null && isInPlay && !hand.fromSplit && !hand.doubled && !hand.prize;
}
