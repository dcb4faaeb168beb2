/**
 * What cards are worth and what they make, as arts. 8, 10.1, 13-15 (Macau) and r.1, r.6, r.26,
 * r.32, r.35 (Portugal) say.
 */

export const rank = (card: string): string => card.charAt(0);
const suit = (card: string): string => card.charAt(1);
export const isAce = (card: string): boolean => rank(card) === 'A';
/** Figures and the ten count ten (art. 8, r.6 b). */
export const isTen = (card: string): boolean => 'TJQK'.includes(rank(card));
const isRed = (card: string): boolean => 'HD'.includes(suit(card));

/** The ace as one. */
const pips = (card: string): number => (isAce(card) ? 1 : isTen(card) ? 10 : Number(rank(card)));

export const lowTotal = (cards: readonly string[]): number =>
  cards.reduce((sum, card) => sum + pips(card), 0);

/**
 * The best total not over 21, else the lowest (art. 8, r.6 a). At most one ace can count eleven.
 * @param boundAces first cards whose aces count one for good (r.32)
 */
export function total(cards: readonly string[], boundAces = 0): number {
  const low = lowTotal(cards);
  const hasFreeAce = cards.some((card, at) => at >= boundAces && isAce(card));
  return hasFreeAce && low + 10 <= 21 ? low + 10 : low;
}

export const isSoft = (cards: readonly string[]): boolean => total(cards) !== lowTotal(cards);

/** art. 10.1, r.1 a: an ace and a card worth ten as the first two. */
export const makesBlackjack = (cards: readonly string[]): boolean =>
  cards.length === 2 && cards.some(isAce) && cards.some(isTen);

/** art. 6.6: a 6 and an ace; nothing else is Soft 17 in the words of the article. */
export const isAceSix = (cards: readonly string[]): boolean =>
  cards.length === 2 && cards.some(isAce) && cards.some((card) => rank(card) === '6');

/** art. 13.1.1: "J" and "Q" are no pair, "J" and "J" are. */
export const isPair = (cards: readonly string[]): boolean =>
  cards.length === 2 && rank(cards[0]!) === rank(cards[1]!);

/** r.26 with r.6: two cards of one value in points. */
export const isEqualValue = (cards: readonly string[]): boolean =>
  cards.length === 2 && pips(cards[0]!) === pips(cards[1]!);

export const isOneSuit = (cards: readonly string[]): boolean =>
  cards.every((card) => suit(card) === suit(cards[0]!));

export const isOneColour = (cards: readonly string[]): boolean =>
  cards.every((card) => isRed(card) === isRed(cards[0]!));

export const areSevens = (cards: readonly string[]): boolean => cards.every((card) => rank(card) === '7');

/** art. 15, r.35: 6-7-8 of one suit in any order, or three sevens. */
export const earnsSpecialPrize = (cards: readonly string[]): boolean =>
  cards.length === 3 &&
  (areSevens(cards) || (isOneSuit(cards) && '678'.split('').every((r) => cards.some((c) => rank(c) === r))));
