/** The best strategy of black jack for the options of a table. */
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import { type Allowed, bestStrategy } from './best-play.ts';
import { fullShoe } from './blackjack.ts';
import { type Counts, RANKS, totalOf } from './blackjack-hands.ts';
import { lawOfTable } from './blackjack-law.ts';
import type { Strategy } from './strategy-file.ts';

const hardOf = (counts: Counts): number => RANKS.reduce((sum, rank) => sum + rank * counts[rank]!, 0);

/**
 * r.29, r.31: nine, ten or eleven, an ace counting as one; r.32 binds that ace, so that a soft hand
 * loses by it and is left out.
 */
const nineTenEleven = (counts: Counts): boolean =>
  counts[1] === 0 && hardOf(counts) >= 9 && hardOf(counts) <= 11;

function allowedAt({ doubleOn, surrender, fiveCards, splitBy }: BlackjackRules): Allowed {
  const isByTotal = doubleOn.includes('nineTenEleven');
  const doubles = doubleOn.includes('anyTwo')
    ? () => true
    : isByTotal
      ? nineTenEleven
      : doubleOn.includes('eleven')
        ? (counts: Counts) => totalOf(counts).best === 11
        : () => false;
  const hasSplits = doubleOn.includes('afterSplit');
  return {
    surrender,
    fiveCards,
    doubles,
    doublesSplit: !hasSplits ? () => false : isByTotal ? nineTenEleven : () => true,
    splitsTens: splitBy === 'value',
  };
}

export const bestFor = (name: string, rules: BlackjackRules): Strategy =>
  bestStrategy(`best-${name}`, fullShoe(rules.decks), lawOfTable(rules, true), allowedAt(rules));
