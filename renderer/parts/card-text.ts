import type { Card } from '../../engine/core/cards.ts';
import { RANKS, rankOf, suitOf } from '../../engine/core/cards.ts';
import type { TableText } from '../texts/i18n.ts';

/** Signs of the suits in the order of the cards' numbers: S H D C. */
export const SUIT_SIGNS = ['♠', '♥', '♦', '♣'] as const;

/** How a rank is written for people: 'T' as '10'. */
export const rankText = (rank: number): string => (RANKS[rank] === 'T' ? '10' : (RANKS[rank] ?? '?'));

/** '10♦', 'K♠'. */
export const cardText = (card: Card): string => `${rankText(rankOf(card))}${SUIT_SIGNS[suitOf(card)]}`;

/** In the order of the cards' numbers. */
const SUIT_NAMES = ['S', 'H', 'D', 'C'] as const;
const SAID = new Set(['A', 'J', 'Q', 'K'] as const);
type SaidRank = typeof SAID extends Set<infer R> ? R : never;
const isSaid = (rank: string): rank is SaidRank => (SAID as ReadonlySet<string>).has(rank);

/** As it is said: 'ace of spades'. */
export function cardWords(card: Card, t: TableText): string {
  const rank = rankText(rankOf(card));
  return t('dealer.card', {
    rank: isSaid(rank) ? t(`speech.rank.${rank}`) : rank,
    suit: t(`dealer.suit.${SUIT_NAMES[suitOf(card)]!}`),
  });
}
