import type { Card } from '../../engine/core/cards.ts';
import { RANKS, rankOf, suitOf } from '../../engine/core/cards.ts';

/** Signs of the suits in the order of the cards' numbers: S H D C. */
export const SUIT_SIGNS = ['♠', '♥', '♦', '♣'] as const;

/** How a rank is written for people: 'T' as '10'. */
export const rankText = (rank: number): string => (RANKS[rank] === 'T' ? '10' : (RANKS[rank] ?? '?'));

/** '10♦', 'K♠'. */
export const cardText = (card: Card): string => `${rankText(rankOf(card))}${SUIT_SIGNS[suitOf(card)]}`;
