/** A mean with the standard error of the sample it was taken from. */
export interface Estimate {
  readonly value: number;
  readonly standardError: number;
}

/** What blocks have come to. Those of one table can be added to those of another. */
export interface TallySums {
  /** Minor units put on the bet, raises included; paid back; and put on it before the cards. */
  wageredMinor: number;
  returnedMinor: number;
  initialMinor: number;
  blocks: number;
  /** Blocks in which it paid something. */
  paidBlocks: number;
  /**
   * Squares and products, in stakes, so that they stay within what a double counts without loss.
   */
  ww: number;
  rr: number;
  rw: number;
  nn: number;
  ni: number;
  ii: number;
}

const nothing = (): TallySums => ({
  wageredMinor: 0,
  returnedMinor: 0,
  initialMinor: 0,
  blocks: 0,
  paidBlocks: 0,
  ww: 0,
  rr: 0,
  rw: 0,
  nn: 0,
  ni: 0,
  ii: 0,
});

/**
 * What one kind of bet has cost and brought. Bets of one round hang together (same bank, same
 * cards), so the sample is not the bet but the block: a round, or as many rounds as hang together
 * themselves.
 */
export class Tally {
  readonly bet: string;
  #sums = nothing();

  constructor(bet: string) {
    this.bet = bet;
  }

  get sums(): Readonly<TallySums> {
    return this.#sums;
  }

  /** The sums so far; it begins again with nothing. */
  take(): TallySums {
    const sums = this.#sums;
    this.#sums = nothing();
    return sums;
  }

  addSums(more: Readonly<TallySums>): void {
    for (const key of Object.keys(more) as (keyof TallySums)[]) this.#sums[key] += more[key];
  }

  /**
   * So many blocks that came to the same.
   *
   * @param stakeMinor what counts as one stake
   */
  addBlocks(
    blocks: number,
    wageredMinor: number,
    returnedMinor: number,
    initialMinor: number,
    stakeMinor: number,
  ): void {
    const sums = this.#sums;
    sums.wageredMinor += blocks * wageredMinor;
    sums.returnedMinor += blocks * returnedMinor;
    sums.initialMinor += blocks * initialMinor;
    const w = wageredMinor / stakeMinor;
    const r = returnedMinor / stakeMinor;
    const i = initialMinor / stakeMinor;
    const n = r - w;
    sums.blocks += blocks;
    if (returnedMinor > 0) sums.paidBlocks += blocks;
    sums.ww += blocks * w * w;
    sums.rr += blocks * r * r;
    sums.rw += blocks * r * w;
    sums.nn += blocks * n * n;
    sums.ni += blocks * n * i;
    sums.ii += blocks * i * i;
  }

  /** Paid back per unit staked, raises included; null where nothing was staked, as on a prize. */
  returnToPlayer(stakeMinor: number): Estimate | null {
    const { wageredMinor, returnedMinor, rr, rw, ww } = this.#sums;
    if (wageredMinor === 0) return null;
    return this.#estimate(returnedMinor / wageredMinor, rr, rw, ww, wageredMinor / stakeMinor);
  }

  /** Won or lost per unit staked before the cards: what the exact figures give. */
  netPerInitial(stakeMinor: number): Estimate | null {
    const { wageredMinor, returnedMinor, initialMinor, nn, ni, ii } = this.#sums;
    if (initialMinor === 0) return null;
    const value = (returnedMinor - wageredMinor) / initialMinor;
    return this.#estimate(value, nn, ni, ii, initialMinor / stakeMinor);
  }

  /**
   * Of a ratio of two sums over blocks: the spread of what each block is above or below the ratio.
   */
  #estimate(value: number, yy: number, yx: number, xx: number, sum: number): Estimate {
    const { blocks } = this.#sums;
    const squares = Math.max(0, yy - 2 * value * yx + value * value * xx);
    return { value, standardError: Math.sqrt((squares * blocks) / Math.max(1, blocks - 1)) / sum };
  }
}
