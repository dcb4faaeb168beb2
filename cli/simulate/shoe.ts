import { type Cipheriv, createCipheriv } from 'node:crypto';
import type { Card } from '../../engine/core/cards.ts';
import { CannotRun } from '../command.ts';

const NUMBERS = 4_096;
const ZEROS = new Uint8Array(4 * NUMBERS);

/**
 * How many cards are shuffled at once, so that no draw waits for its own random number. With
 * a fresh shoe every round most of them would be wasted.
 */
const AHEAD = { cut: 32, fresh: 6 } as const;

/** A table that ends after any one card. */
const NOWHERE = new Int32Array(1);
const ALIKE = new Uint8Array(52);

/**
 * AES in counter mode: the key is the seed, and the lane is the first half of the counter, so no
 * two lanes share a block.
 */
function randomOf(seed: number, lane: number): Cipheriv {
  const key = new DataView(new ArrayBuffer(16));
  key.setInt32(0, seed);
  const counter = new DataView(new ArrayBuffer(16));
  counter.setBigUint64(0, BigInt(lane));
  return createCipheriv('aes-128-ctr', key, counter);
}

/**
 * Cards that are shuffled as they are drawn: what has been drawn is always the beginning of an
 * evenly distributed order of all cards, and to gather them costs nothing. The same seed gives the
 * same cards on every machine.
 */
export class SimulatedShoe {
  /** Those drawn so far come first, in their order. */
  readonly cards: Uint8Array;
  readonly #ahead: number;
  readonly #seed: number;
  #random: Cipheriv;
  readonly #numbers = new Uint32Array(NUMBERS);
  #used = NUMBERS;
  /** How many cards, from the first, are shuffled. */
  #shuffled = 0;
  drawn = 0;

  /** @param seed a 32-bit integer */
  constructor(decks: number, seed: number, kind: keyof typeof AHEAD) {
    this.cards = Uint8Array.from({ length: decks * 52 }, (_, i) => i % 52);
    this.#ahead = AHEAD[kind];
    this.#seed = seed;
    this.#random = randomOf(seed, 0);
  }

  /** All cards are in it in their first order, and the numbers are those of lane `no`. */
  toLane(no: number): void {
    this.#random = randomOf(this.#seed, no);
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
    const { length } = this.cards;
    if (from === length) throw new CannotRun('the cards ran out within a round: fewer seats or more decks');
    this.shuffleTo(from + 1);
  }

  /**
   * At least the first `least` cards are shuffled, always some at a time: which numbers a shoe
   * takes hangs on the last card drawn from it alone.
   */
  shuffleTo(least: number): void {
    const { cards } = this;
    const { length } = cards;
    const count = Math.min(length, Math.ceil(least / this.#ahead) * this.#ahead);
    const numbers = this.#numbers;
    let at = this.#shuffled;
    while (at < count) {
      if (this.#used === NUMBERS) {
        new Uint8Array(numbers.buffer).set(this.#random.update(ZEROS));
        this.#used = 0;
      }
      const stop = Math.min(count, at + NUMBERS - this.#used);
      const ahead = this.#used - at;
      this.#used = stop + ahead;
      for (; at < stop; at++) {
        // 32 random bits scaled to what is left, in two halves, for integers hold no more: no
        // card's chance is off by more than ten to the minus seventh of it.
        const number = numbers[at + ahead]!;
        const left = length - at;
        const low = Math.imul(number & 0xffff, left) >>> 16;
        const place = at + ((Math.imul(number >>> 16, left) + low) >>> 16);
        const card = cards[place]!;
        cards[place] = cards[at]!;
        cards[at] = card;
      }
    }
    this.#shuffled = at;
  }
}
