import { type Minor, type Parts, partOf, type Rounded } from '../core/money.ts';

/**
 * One settled bet, with everything that explains its amount: `recompute` gets the net from the line
 * alone, and `returnedMinor` is `stakeMinor + netMinor` on every line.
 */
export interface SettlementLine {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly hand: number | null;
  /**
   * Closed set: 'win' | 'lose' | 'push' | 'blackjack' | 'even-money' | 'surrender' |
   * 'five-card-half' | 'special-prize' | ...
   */
  readonly outcome: string;
  /** Money that lay on this bet, raises included; 0 for a prize whose bet has a line of its own. */
  readonly stakeMinor: Minor;
  /**
   * What the base wins, a to b; with a minus what it loses: [-1, 1] all of it, [-1, 2] half. Null =
   * neither.
   */
  readonly odds: Parts | null;
  /**
   * What the odds are reckoned on, where that is not the stake: the original of a doubled bet, a
   * jackpot's meter.
   */
  readonly baseMinor?: Minor;
  /** Part of the winnings that the house takes, as [1, 20] for 5 %. */
  readonly commission?: Parts;
  /** Part of the stake that the house keeps whatever is won: the chip of a progressive jackpot. */
  readonly keptMinor?: Minor;
  /**
   * Which way a fraction of a minor unit goes, first of the odds, then of the commission; absent =
   * none arises.
   */
  readonly rounded?: Rounded;
  /**
   * Credited when it arose, not with the settlement (art. 15; r.21, r.35); it stands in a cancelled
   * round too. Absent = not.
   */
  readonly atOnce?: true;
  /** Paid back including the stake where it returns. */
  readonly returnedMinor: Minor;
  readonly netMinor: Minor;
  readonly cites: readonly string[];
}

/** What a line wins or loses before commission and what the house keeps, in minor units. */
export const grossMinor = ({
  stakeMinor,
  odds,
  baseMinor = stakeMinor,
  rounded,
}: Pick<SettlementLine, 'stakeMinor' | 'odds' | 'baseMinor' | 'rounded'>): number =>
  odds === null ? 0 : partOf(baseMinor, odds, rounded);

/** What the house takes of the winnings of a line; 0 where nothing is won. */
export function commissionMinor(
  line: Pick<SettlementLine, 'stakeMinor' | 'odds' | 'baseMinor' | 'commission' | 'rounded'>,
): number {
  const { commission, rounded } = line;
  if (commission === undefined) return 0;
  const result = grossMinor(line);
  return result <= 0 ? 0 : partOf(result, commission, rounded);
}

/**
 * The net of a line in minor units from its own numbers alone, whatever its game and outcome:
 * base x odds, less the commission on what is won, less what the house keeps.
 * @throws RangeError as `partOf`
 */
export function recompute(
  line: Pick<SettlementLine, 'stakeMinor' | 'odds' | 'baseMinor' | 'commission' | 'keptMinor' | 'rounded'>,
): Minor {
  const { keptMinor = 0 } = line;
  return (grossMinor(line) - commissionMinor(line) - keptMinor) as Minor;
}

/** Lines whose money moves with the end of the round. */
export const stillUnpaid = (lines: readonly SettlementLine[]): readonly SettlementLine[] =>
  lines.some(({ atOnce }) => atOnce) ? lines.filter(({ atOnce }) => !atOnce) : lines;

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Fills in what a line pays; in place, because every round of a simulation goes through here. */
export function reckoned(line: Writable<SettlementLine>): SettlementLine {
  line.netMinor = recompute(line);
  line.returnedMinor = (line.stakeMinor + line.netMinor) as Minor;
  return line;
}
