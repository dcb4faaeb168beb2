/** What the lines of the rounds come to, bet by bet. */
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { Laid, LiveTable } from './live-table.ts';
import { Tally, type TallySums } from './tally.ts';

/** Rounds that count as one sample where bets live on from round to round. */
const ROUNDS_OF_SERIES = 100;

export class Tallies {
  /** One for each name that bets are counted under, the special prize last where there is one. */
  readonly all: readonly Tally[];
  readonly #hasPrize: boolean;
  readonly #stakeMinor: number;
  readonly #fresh: boolean;
  readonly #roundsOfBlock: number;
  /** By seat and bet: the place of its tally. */
  readonly #places: readonly Readonly<Record<string, number>>[];
  readonly #mains: readonly number[];
  readonly #round: Float64Array<ArrayBuffer>;
  /** Of the running block, as `amountsOf` has them. */
  readonly #block: Float64Array<ArrayBuffer>;
  #rounds = 0;

  constructor(
    { laid, shoe }: { readonly laid: readonly Laid[]; readonly shoe: 'fresh' | 'cut' },
    { stakeMinor, state }: Pick<LiveTable, 'stakeMinor' | 'state'>,
  ) {
    const rules = state.rules!;
    this.#hasPrize = 'specialPrize' in rules && rules.specialPrize === true;
    this.#stakeMinor = stakeMinor;
    this.#fresh = shoe === 'fresh';
    this.#roundsOfBlock = laid.some(({ bet }) => bet.startsWith('streak')) ? ROUNDS_OF_SERIES : 1;
    const names = [...new Set(laid.map(({ as }) => as))];
    this.all = [...names, ...(this.#hasPrize ? ['specialPrize'] : [])].map((name) => new Tally(name));
    this.#round = this.none();
    this.#block = this.none();
    const seats = Math.max(...laid.map(({ seat }) => seat));
    this.#places = Array.from({ length: seats + 1 }, (_, seat) =>
      Object.fromEntries(
        laid.filter((one) => one.seat === seat).map(({ bet, as }) => [bet, names.indexOf(as)] as const),
      ),
    );
    this.#mains = laid.flatMap(({ bet, as }) => (bet === 'main' ? [names.indexOf(as)] : []));
  }

  /** The place of the tally in which a line is counted. */
  #placeOf({ seat, bet }: Pick<SettlementLine, 'seat' | 'bet'>): number {
    return bet === 'specialPrize' ? this.all.length - 1 : this.#places[seat]![bet]!;
  }

  /**
   * What the lines of a whole round add to each tally: wagered, returned, laid before the cards.
   */
  amountsOf(lines: readonly SettlementLine[], into: Float64Array = this.none()): Float64Array {
    this.addLines(lines, into);
    this.addMains(into);
    return into;
  }

  none(): Float64Array<ArrayBuffer> {
    return new Float64Array(3 * this.all.length);
  }

  /** Of some lines of a round; what lies on the main bets before the cards is `addMains`. */
  addLines(lines: readonly SettlementLine[], into: Float64Array): void {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      const { bet, stakeMinor, returnedMinor } = line;
      const at = 3 * this.#placeOf(line);
      into[at]! += stakeMinor;
      into[at + 1]! += returnedMinor;
      // What lies on a main bet before the cards is counted below: a split has several lines of it.
      if (bet !== 'main' && bet !== 'specialPrize') into[at + 2]! += stakeMinor;
    }
  }

  addMains(into: Float64Array): void {
    for (let i = 0; i < this.#mains.length; i++) {
      into[3 * this.#mains[i]! + 2]! += this.#stakeMinor;
      if (this.#hasPrize) into[into.length - 1]! += this.#stakeMinor;
    }
  }

  /** A whole round. */
  add(lines: readonly SettlementLine[]): void {
    this.addAmounts(this.amountsOf(lines, this.#round.fill(0)));
  }

  /** The same, where its amounts are known. */
  addAmounts(amounts: Float64Array, from = 0): void {
    const block = this.#block;
    for (let i = 0; i < block.length; i++) block[i]! += amounts[from + i]!;
  }

  /**
   * The same of so many rounds, each by the number of its end.
   *
   * @param amounts of each end, one after the other
   */
  addEnds(ended: Int32Array, count: number, amounts: Float64Array): void {
    const block = this.#block;
    const size = block.length;
    for (let at = 0; at < size; at += 3) {
      let wagered = 0;
      let returned = 0;
      let initial = 0;
      for (let i = 0; i < count; i++) {
        const of = ended[i]! * size + at;
        wagered += amounts[of]!;
        returned += amounts[of + 1]!;
        initial += amounts[of + 2]!;
      }
      block[at]! += wagered;
      block[at + 1]! += returned;
      block[at + 2]! += initial;
    }
  }

  /** So many rounds that are each a sample. */
  addBlocks(rounds: number, amounts: Float64Array): void {
    for (let i = 0; i < this.all.length; i++) {
      const at = 3 * i;
      this.all[i]!.addBlocks(rounds, amounts[at]!, amounts[at + 1]!, amounts[at + 2]!, this.#stakeMinor);
    }
  }

  /**
   * Rounds of one shoe hang together until there is a new one, and so do the rounds of a series.
   */
  endRound(): void {
    this.#rounds += 1;
    if (this.#fresh && this.#rounds % this.#roundsOfBlock === 0) this.#endBlock();
  }

  endShoe(): void {
    if (!this.#fresh) this.#endBlock();
  }

  finish(): void {
    if (!this.#fresh || this.#rounds % this.#roundsOfBlock !== 0) this.#endBlock();
  }

  /** What there is of each tally, with what is left of the last block; all begin again. */
  take(): TallySums[] {
    this.finish();
    this.#rounds = 0;
    return this.all.map((tally) => tally.take());
  }

  #endBlock(): void {
    this.addBlocks(1, this.#block);
    this.#block.fill(0);
  }
}
