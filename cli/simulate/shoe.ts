import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Card } from '../../engine/core/cards.ts';
import { CannotRun } from '../command.ts';

/** The first numbers of the generator show the seed: they are thrown away. */
const WARM_UP = 64;
const TO_UNIT = 2 ** -32;
const NUMBERS = 1_024;
/**
 * How many cards are shuffled ahead of the next draw, so that no draw waits for its own random
 * number. With a fresh shoe every round most of them would be wasted.
 */
const AHEAD = { cut: 32, fresh: 6 } as const;

/** A table that ends after any one card. */
const NOWHERE = new Int32Array(1);
const ALIKE = new Uint8Array(52);

/**
 * Cards that are shuffled as they are drawn: what has been drawn is always the beginning of an
 * evenly distributed order of all cards, and to gather them costs nothing. The same seed gives the
 * same cards on every machine.
 */
export class SimulatedShoe {
  /** Those drawn so far come first, in their order. */
  readonly cards: Uint8Array;
  readonly #ahead: number;
  /** Where the numbers of this lane begin. */
  readonly #lane: ReturnType<typeof xoroshiro128plus>;
  #laneNo = 0;
  #random: ReturnType<typeof xoroshiro128plus>;
  /** At least 0 and less than 1. */
  readonly #numbers = new Float64Array(NUMBERS);
  #used = NUMBERS;
  /** How many cards, from the first, are shuffled. */
  #shuffled = 0;
  drawn = 0;

  /** @param seed a 32-bit integer */
  constructor(decks: number, seed: number, kind: keyof typeof AHEAD) {
    this.cards = Uint8Array.from({ length: decks * 52 }, (_, i) => i % 52);
    this.#ahead = AHEAD[kind];
    this.#lane = xoroshiro128plus(seed | 0);
    for (let i = 0; i < WARM_UP; i++) this.#lane.next();
    this.#random = this.#lane.clone();
  }

  /**
   * All cards are in it in their first order, and the numbers are those of lane `no`, 2^64 further
   * on for each: no two lanes share one. Lanes come in ascending order.
   */
  toLane(no: number): void {
    for (; this.#laneNo < no; this.#laneNo++) this.#lane.jump();
    this.#random = this.#lane.clone();
    this.#used = NUMBERS;
    for (let i = 0; i < this.cards.length; i++) this.cards[i] = i % 52;
    this.gather();
  }

  get left(): number {
    return this.cards.length - this.drawn;
  }

  /** All cards are in it again. */
  gather(): void {
    this.drawn = 0;
    this.#shuffled = 0;
  }

  /**
   * @throws CannotRun on an empty shoe, with a sentence: rounds are dealt from it until its end
   * card
   */
  draw(): Card {
    this.follow(NOWHERE, ALIKE, 0);
    return this.cards[this.drawn - 1] as Card;
  }

  /**
   * Draws cards and follows them through the table `next`: from the row at `at`, each card's kind
   * picks the entry. A positive entry is the next row; the first one that is not is returned.
   *
   * @throws CannotRun as `draw`
   */
  follow(next: Int32Array, kinds: Uint8Array, at: number): number {
    const { cards } = this;
    let from = this.drawn;
    let to = at;
    for (;;) {
      const stop = this.#shuffled;
      while (from < stop) {
        to = next[to + kinds[cards[from++]!]!]!;
        if (to > 0) continue;
        this.drawn = from;
        return to;
      }
      this.#shuffle(from);
    }
  }

  /** Shuffles the next cards, from number `from` on. */
  #shuffle(from: number): void {
    const { cards } = this;
    const { length } = cards;
    if (from === length) throw new CannotRun('the cards ran out within a round: fewer seats or more decks');
    const numbers = this.#numbers;
    const stop = Math.min(length, from + this.#ahead);
    if (this.#used + stop - from > NUMBERS) {
      for (let i = 0; i < NUMBERS; i++) numbers[i] = (this.#random.next() >>> 0) * TO_UNIT;
      this.#used = 0;
    }
    let used = this.#used;
    for (let i = from; i < stop; i++) {
      // 32 random bits scaled to what is left: no card's chance is off by more than ten to the
      // minus seventh of it.
      const place = i + ((numbers[used++]! * (length - i)) | 0);
      const card = cards[place]!;
      cards[place] = cards[i]!;
      cards[i] = card;
    }
    this.#used = used;
    this.#shuffled = stop;
  }
}
