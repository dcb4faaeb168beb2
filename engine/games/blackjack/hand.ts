import { type Card, rankOf, suitOf } from '../../core/cards.ts';

const ACE = 0;
const SIX = 5;
const SEVEN = 6;
const EIGHT = 7;

/** art. 8: pips, figures ten, the ace one; the eleven of an ace is added by `totalOf`. */
const pipsOf = (card: Card): number => Math.min(rankOf(card) + 1, 10);

export const isAce = (card: Card): boolean => rankOf(card) === ACE;
export const isTen = (card: Card): boolean => rankOf(card) >= 9;
export const isPair = (cards: readonly Card[]): boolean =>
  cards.length === 2 && rankOf(cards[0]!) === rankOf(cards[1]!);

/** Points with every ace as one. */
function hardTotalOf(cards: readonly Card[]): number {
  let total = 0;
  for (let i = 0; i < cards.length; i++) total += pipsOf(cards[i]!);
  return total;
}

function hasAce(cards: readonly Card[]): boolean {
  for (let i = 0; i < cards.length; i++) if (isAce(cards[i]!)) return true;
  return false;
}

/** art. 8: the best total, an ace being eleven unless that passes 21. */
export function totalOf(cards: readonly Card[]): number {
  const hard = hardTotalOf(cards);
  return hard <= 11 && hasAce(cards) ? hard + 10 : hard;
}

/** An ace of the hand counts eleven. */
export const isSoft = (cards: readonly Card[]): boolean => hasAce(cards) && hardTotalOf(cards) <= 11;

/** art. 10.1: an ace and a ten or figure as the first two cards; hands after a split never are (art. 10.6). */
export const isBlackjack = (cards: readonly Card[]): boolean => cards.length === 2 && totalOf(cards) === 21;

/** The bank's first open card can become a blackjack. */
export const canMakeBlackjack = (card: Card): boolean => isAce(card) || isTen(card);

/** art. 6.6 read to the letter: exactly a six and an ace. */
export const isAceSix = (cards: readonly Card[]): boolean =>
  cards.length === 2 && cards.some(isAce) && cards.some((card) => rankOf(card) === SIX);

/** art. 15: 6-7-8 of one suit in any order, or three sevens; in exactly three cards. */
export function isSpecialPrize(cards: readonly Card[]): boolean {
  if (cards.length !== 3) return false;
  if (cards.every((card) => rankOf(card) === SEVEN)) return true;
  const suit = suitOf(cards[0]!);
  return [SIX, SEVEN, EIGHT].every((rank) =>
    cards.some((card) => rankOf(card) === rank && suitOf(card) === suit),
  );
}
