import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** An integer from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** The same seed gives the same numbers on every machine. */
export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed | 0);
  return (below) => uniformInt(generator, 0, below - 1);
}

const DECK = [...'SHDC'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => `${rank}${suit}`));
/** Ranks that make something happen. */
const FAVOURED = ['', '', 'A', 'AT', '8', '7', '7', '678', '23A', 'AK', '5', '9T', '6A', '2', '9', 'T'];

/** A pack of whole decks in random order, some ranks of which may come more often for a while. */
export class RandomPack {
  readonly #random: Random;
  #cards: string[] = [];
  #favoured = '';

  constructor(random: Random) {
    this.#random = random;
  }

  get length(): number {
    return this.#cards.length;
  }

  /** @param out cards that lie on the table and are not in the pack */
  shuffle(decks: number, out: readonly string[] = []): void {
    const cards = Array.from({ length: decks }, () => DECK).flat();
    for (const card of out) cards.splice(cards.indexOf(card), 1);
    for (let last = cards.length - 1; last > 0; last--) {
      const other = this.#random(last + 1);
      [cards[last], cards[other]] = [cards[other]!, cards[last]!];
    }
    this.#cards = cards;
  }

  /** Other ranks come more often from now on, or none. */
  favour(ranks = FAVOURED[this.#random(FAVOURED.length)]!): void {
    this.#favoured = ranks;
  }

  /** @returns the next card, '' where there is none; one of the favoured ranks if it lies near */
  next(): string {
    const cards = this.#cards;
    if (this.#favoured !== '' && this.#random(3) > 0) {
      for (let at = cards.length - 1; at >= 0 && at > cards.length - 40; at--) {
        if (!this.#favoured.includes(cards[at]!.charAt(0))) continue;
        [cards[at], cards[cards.length - 1]] = [cards[cards.length - 1]!, cards[at]!];
        break;
      }
    }
    return cards.pop() ?? '';
  }

  /** One of these cards is the next one, as long as there is any. */
  bringUp(wanted: readonly string[]): void {
    const cards = this.#cards;
    const at = cards.findLastIndex((card) => wanted.includes(card));
    if (at >= 0) [cards[at], cards[cards.length - 1]] = [cards[cards.length - 1]!, cards[at]!];
  }

  /** One of the cards that are still in it, in whose place `card` comes; '' where there is none. */
  exchange(card: string): string {
    if (this.#cards.length === 0) return '';
    const at = this.#random(this.#cards.length);
    const other = this.#cards[at]!;
    this.#cards[at] = card;
    return other;
  }

  /** Takes the exchange back. */
  restore(other: string, card: string): void {
    this.#cards[this.#cards.indexOf(card)] = other;
  }
}
