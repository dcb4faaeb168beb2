/** The last rounds of a table in short, for players who want to see what has been. */
import type { SettlementLine } from './settlement.ts';

/**
 * What is left of a round: what the bank had, in the code of its game, and how many hands stood
 * above it, even with it and below it. Four small numbers, because a view and every snapshot hold
 * some of them.
 */
export type Tally = readonly [bank: number, above: number, even: number, below: number];

/** So many are kept; what a table shows at once. */
const MOST_TALLIES = 20;

/** How many of the oldest go before one more is added. */
export const outlivedTallies = (kept: number): number => Math.max(0, kept + 1 - MOST_TALLIES);

/** By what each hand has brought to all who bet on it, a prize of its cards included. */
export function tallyByMoney(bank: number, lines: readonly SettlementLine[]): Tally {
  const hands: { readonly seat: number; readonly hand: number | null; netMinor: number }[] = [];
  for (const { seat, hand, bet, netMinor } of lines) {
    if (bet !== 'main' && bet !== 'specialPrize') continue;
    const known = hands.find((each) => each.seat === seat && each.hand === hand);
    if (known) known.netMinor += netMinor;
    else hands.push({ seat, hand, netMinor });
  }
  const tally: [number, number, number, number] = [bank, 0, 0, 0];
  for (const { netMinor } of hands) tally[2 - Math.sign(netMinor)]! += 1;
  return tally;
}
