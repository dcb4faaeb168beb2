import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Card } from './cards.ts';

/**
 * A shuffled pack for simulation, simulators and tests; never for a real game, whose cards come out
 * of a real shoe.
 * @param decks number of 52-card decks
 * @param seed 32-bit integer; the same seed gives the same order on every machine
 * @returns the cards in the order in which they leave the shoe
 */
export function shuffledShoe(decks: number, seed: number): Card[] {
  if (!Number.isInteger(decks) || decks < 1) throw new RangeError(`decks: ${decks}`);
  const random = xoroshiro128plus(seed | 0);
  const cards = Array.from({ length: decks * 52 }, (_, i) => (i % 52) as Card);
  for (let last = cards.length - 1; last > 0; last--) {
    const other = uniformInt(random, 0, last);
    const card = cards[last]!;
    cards[last] = cards[other]!;
    cards[other] = card;
  }
  return cards;
}
