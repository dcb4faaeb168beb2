import { type Card, rankOf, suitOf } from '../../core/cards.ts';

const ACE = 0;
const SIX = 5;
const SEVEN = 6;
const EIGHT = 7;

/**
 * art. 8; r.6.b, r.6.c: pips, figures ten, the ace one; the eleven of an ace is added by `totalOf`.
 * By card.
 */
const PIPS = Uint8Array.from({ length: 52 }, (_, card) => Math.min(rankOf(card as Card) + 1, 10));

const pipsOf = (card: Card): number => PIPS[card]!;

export const isAce = (card: Card): boolean => rankOf(card) === ACE;
export const isSeven = (card: Card): boolean => rankOf(card) === SEVEN;
export const isTen = (card: Card): boolean => rankOf(card) >= 9;
export const isPair = (cards: readonly Card[]): boolean =>
  cards.length === 2 && rankOf(cards[0]!) === rankOf(cards[1]!);

/** r.26 with r.6: the same value, whatever the rank. */
export const isSameValue = (cards: readonly Card[]): boolean =>
  cards.length === 2 && pipsOf(cards[0]!) === pipsOf(cards[1]!);

/** Points with every ace as one. */
export const hardTotalOf = (cards: readonly Card[]): number =>
  cards.reduce((total, card) => total + pipsOf(card), 0);

/** art. 8: the best total, an ace being eleven unless that passes 21. */
export function totalOf(cards: readonly Card[]): number {
  const hard = hardTotalOf(cards);
  return hard <= 11 && cards.some(isAce) ? hard + 10 : hard;
}

/** r.32: with an ace of the first two cards bound to one; only another ace can still be eleven. */
export function lockedTotalOf(cards: readonly Card[]): number {
  const hard = hardTotalOf(cards);
  return hard <= 11 && cards.filter(isAce).length > 1 ? hard + 10 : hard;
}

interface Readable {
  readonly cards: readonly Card[];
  readonly aceLocked: boolean;
}

/** The points of a player's hand. */
export const pointsOf = ({ cards, aceLocked }: Readable): number =>
  aceLocked ? lockedTotalOf(cards) : totalOf(cards);

/** An ace of the hand counts eleven. */
export const isSoft = (cards: readonly Card[]): boolean => totalOf(cards) > hardTotalOf(cards);

/**
 * art. 10.1, r.1.a: an ace and a ten or figure as the first two cards; hands after a split never
 * are (art. 10.6).
 */
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
