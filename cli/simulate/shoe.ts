import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Card } from '../../engine/core/cards.ts';
import { CannotRun } from '../command.ts';

/** The first numbers of the generator show the seed: they are thrown away. */
const WARM_UP = 64;
const TO_UNIT = 2 ** -32;

/**
 * Cards that are shuffled as they are drawn: what has been drawn is always the beginning of an
 * evenly distributed order of all cards, and to gather them costs nothing. The same seed gives the
 * same cards on every machine.
 */
export class SimulatedShoe {
  /** Those drawn so far come first, in their order. */
  readonly cards: Uint8Array;
  /** Where the numbers of this lane begin. */
  readonly #lane: ReturnType<typeof xoroshiro128plus>;
  #laneNo = 0;
  #random: ReturnType<typeof xoroshiro128plus>;
  drawn = 0;

  /** @param seed a 32-bit integer */
  constructor(decks: number, seed: number) {
    this.cards = Uint8Array.from({ length: decks * 52 }, (_, i) => i % 52);
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
    for (let i = 0; i < this.cards.length; i++) this.cards[i] = i % 52;
    this.drawn = 0;
  }

  get left(): number {
    return this.cards.length - this.drawn;
  }

  /** All cards are in it again. */
  gather(): void {
    this.drawn = 0;
  }

  /**
   * @throws CannotRun on an empty shoe, with a sentence: rounds are dealt from it until its end
   * card
   */
  draw(): Card {
    const cards = this.cards;
    if (this.drawn === cards.length)
      throw new CannotRun('the cards ran out within a round: fewer seats or more decks');
    const from = this.drawn;
    // 32 random bits scaled to what is left: no card's chance is off by more than ten to the minus
    // seventh of it.
    const at = from + (((this.#random.next() >>> 0) * (cards.length - from) * TO_UNIT) | 0);
    const card = cards[at]!;
    cards[at] = cards[from]!;
    cards[from] = card;
    this.drawn = from + 1;
    return card as Card;
  }
}
