import type { Minor } from '../core/money.ts';

/** One settled bet, with everything that explains its amount. */
export interface SettlementLine {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly hand: number | null;
  /** Closed set: 'win' | 'lose' | 'push' | 'blackjack' | 'even-money' | 'surrender' | 'five-card-half' | 'special-prize' | ... */
  readonly outcome: string;
  readonly stakeMinor: Minor;
  /** Odds a to b; null where the stake just stays or goes. */
  readonly odds: readonly [number, number] | null;
  /** Paid back including the stake where it returns. */
  readonly returnedMinor: Minor;
  readonly netMinor: Minor;
  readonly cites: readonly string[];
}
