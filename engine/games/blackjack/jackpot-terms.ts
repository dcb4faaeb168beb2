import { timesSaid } from '../../core/money.ts';

/** r.40-r.44: the terms of a progressive jackpot; amounts in minor units. */
export interface JackpotTerms {
  readonly stake: number;
  /** Share of each chip that lifts the meter, 'a/b'. */
  readonly increment: string;
  readonly seed: number;
  /** r.42: how many cards of the player are looked at. */
  readonly cards: 2 | 3 | 4;
  /**
   * r.43: the highest combination first; it takes what remains of the meter, every other a share of
   * it or odds.
   */
  readonly pays: readonly {
    readonly combination: string;
    readonly share: string | null;
    readonly odds: number | null;
  }[];
  readonly marking: 'automatic' | 'manual';
}

/** r.44: the least a meter may start from; a chip may be too dear for any. */
export const leastJackpotMinor = (terms: JackpotTerms | null): number => timesSaid(terms?.stake ?? 0, 10_000);
