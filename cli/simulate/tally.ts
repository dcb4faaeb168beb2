/** A mean with the standard error of the sample it was taken from. */
export interface Estimate {
  readonly value: number;
  readonly standardError: number;
}

/**
 * What one kind of bet has cost and brought. Bets of one round hang together (same bank, same
 * cards), so the sample is not the bet but the block: a round, or as many rounds as hang together
 * themselves.
 */
export class Tally {
  readonly bet: string;
  /** Minor units put on the bet, raises included; paid back; and put on it before the cards. */
  wageredMinor = 0;
  returnedMinor = 0;
  initialMinor = 0;
  /** Of the running block, in the same units. */
  #wagered = 0;
  #returned = 0;
  #initial = 0;
  /** Blocks in which it paid something. */
  paidBlocks = 0;
  /**
   * Sums over all blocks, in stakes, so that squares stay within what a double counts without loss.
   */
  #blocks = 0;
  #ww = 0;
  #rr = 0;
  #rw = 0;
  #nn = 0;
  #ni = 0;
  #ii = 0;

  constructor(bet: string) {
    this.bet = bet;
  }

  add(wageredMinor: number, returnedMinor: number, initialMinor: number): void {
    this.#wagered += wageredMinor;
    this.#returned += returnedMinor;
    this.#initial += initialMinor;
  }

  /** @param stakeMinor what counts as one stake */
  endBlock(stakeMinor: number): void {
    this.addBlocks(1, this.#wagered, this.#returned, this.#initial, stakeMinor);
    this.#wagered = 0;
    this.#returned = 0;
    this.#initial = 0;
  }

  /** So many blocks that came to the same. */
  addBlocks(
    blocks: number,
    wageredMinor: number,
    returnedMinor: number,
    initialMinor: number,
    stakeMinor: number,
  ): void {
    this.wageredMinor += blocks * wageredMinor;
    this.returnedMinor += blocks * returnedMinor;
    this.initialMinor += blocks * initialMinor;
    const w = wageredMinor / stakeMinor;
    const r = returnedMinor / stakeMinor;
    const i = initialMinor / stakeMinor;
    const n = r - w;
    this.#blocks += blocks;
    if (returnedMinor > 0) this.paidBlocks += blocks;
    this.#ww += blocks * w * w;
    this.#rr += blocks * r * r;
    this.#rw += blocks * r * w;
    this.#nn += blocks * n * n;
    this.#ni += blocks * n * i;
    this.#ii += blocks * i * i;
  }

  /** Paid back per unit staked, raises included; null where nothing was staked, as on a prize. */
  returnToPlayer(stakeMinor: number): Estimate | null {
    if (this.wageredMinor === 0) return null;
    const value = this.returnedMinor / this.wageredMinor;
    return this.#estimate(value, this.#rr, this.#rw, this.#ww, this.wageredMinor / stakeMinor);
  }

  /** Won or lost per unit staked before the cards: what the exact figures give. */
  netPerInitial(stakeMinor: number): Estimate | null {
    if (this.initialMinor === 0) return null;
    const value = (this.returnedMinor - this.wageredMinor) / this.initialMinor;
    return this.#estimate(value, this.#nn, this.#ni, this.#ii, this.initialMinor / stakeMinor);
  }

  /**
   * Of a ratio of two sums over blocks: the spread of what each block is above or below the ratio.
   */
  #estimate(value: number, yy: number, yx: number, xx: number, sum: number): Estimate {
    const blocks = this.#blocks;
    const squares = Math.max(0, yy - 2 * value * yx + value * value * xx);
    return { value, standardError: Math.sqrt((squares * blocks) / Math.max(1, blocks - 1)) / sum };
  }
}
