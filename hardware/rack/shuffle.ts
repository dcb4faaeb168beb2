import { randomInt } from 'node:crypto';
import { seededChance } from '../transport/faults.ts';

/**
 * `decks` packs of 52 cards in random order, first card out first; cards 0..51 = suit * 13 + rank.
 * Without a seed the order comes from the system's secure generator, with one it is the same every
 * time. For simulated shoes only.
 */
export function shuffledDecks(decks: number, seed: number | null): readonly number[] {
  if (!Number.isInteger(decks) || decks < 1 || decks > 16) throw new RangeError(`${decks} decks`);
  const chance = seed === null ? { below: (limit: number) => randomInt(limit) } : seededChance(seed);
  const cards = Array.from({ length: decks * 52 }, (_, i) => i % 52);
  for (let last = cards.length - 1; last > 0; last--) {
    const other = chance.below(last + 1);
    [cards[last], cards[other]] = [cards[other]!, cards[last]!];
  }
  return cards;
}
