/** A card is 0..51: suit * 13 + rank, suits S H D C = 0..3, ranks A 2 .. 10 J Q K = 0..12. */
export type Card = number & { readonly __unit: 'card' };

export const RANKS = 'A23456789TJQK';
export const SUITS = 'SHDC';

export const cardOf = (suit: number, rank: number): Card => (suit * 13 + rank) as Card;
export const rankOf = (card: Card): number => card % 13;
export const suitOf = (card: Card): number => Math.floor(card / 13);

export const isCard = (value: unknown): value is Card =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 52;

/** 'AS', 'TD', '7H' -> Card; null where the text names no card. */
export function parseCard(text: string): Card | null {
  const rank = RANKS.indexOf(text[0] ?? '?');
  const suit = SUITS.indexOf(text[1] ?? '?');
  return text.length === 2 && rank >= 0 && suit >= 0 ? cardOf(suit, rank) : null;
}

/** `??`: a card that is not known here. */
export const cardName = (card: Card | null): string =>
  card === null ? '??' : `${RANKS[rankOf(card)]}${SUITS[suitOf(card)]}`;
