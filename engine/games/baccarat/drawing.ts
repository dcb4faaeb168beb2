import { type Card, rankOf } from '../../core/cards.ts';

/**
 * art. 5: ten and figures are nothing, the others their pips, the ace one; tens of the sum are
 * dropped.
 */
export const pointsOf = (cards: readonly Card[]): number =>
  cards.reduce((sum, card) => sum + pipsOf(card), 0) % 10;

/** 0 to 9 */
const pipsOf = (card: Card): number => {
  const rank = rankOf(card);
  return rank >= 9 ? 0 : rank + 1;
};

/**
 * pairs: the first two cards of a side are of one rank, whatever their suits; a third card does not
 * count.
 */
export const isPair = (cards: readonly Card[]): boolean => rankOf(cards[0]!) === rankOf(cards[1]!);

/**
 * The Player's third card on which the Banker's two cards still draw, by the Banker's points:
 * lowest and highest.
 */
const BANKER_DRAWS: readonly (readonly [number, number])[] = [
  [0, 9],
  [0, 9],
  [0, 9],
  [0, 9],
  [2, 7],
  [4, 7],
  [6, 7],
];

/**
 * drawing: which side the next card goes to once both have their two; null = the hands are
 * complete. With 8 or 9 on either side nobody draws; the Player draws on 0 to 5; the Banker by what
 * the Player drew, like the Player where they took none.
 */
export function thirdCardDue(
  player: readonly Card[],
  banker: readonly Card[],
): 'player-side' | 'bank' | null {
  if (banker.length > 2) return null;
  const bankerPoints = pointsOf(banker);
  if (bankerPoints >= 8) return null;
  if (player.length === 2) {
    const playerPoints = pointsOf(player);
    if (playerPoints >= 8) return null;
    if (playerPoints <= 5) return 'player-side';
    return bankerPoints <= 5 ? 'bank' : null;
  }
  if (bankerPoints === 7) return null;
  const third = pipsOf(player[2]!);
  if (bankerPoints === 3) return third === 8 ? null : 'bank';
  const [lowest, highest] = BANKER_DRAWS[bankerPoints]!;
  return third >= lowest && third <= highest ? 'bank' : null;
}
