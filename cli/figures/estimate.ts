/** Bets that are not enumerated, played on the engine for some seconds. */
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { Options } from '../simulate/fit.ts';
import { Lanes } from '../simulate/lanes.ts';
import { LEAST_PAID } from '../simulate/run.ts';
import { type Asked, blackjack, rulesFor } from '../simulate/setup.ts';
import { Tally } from '../simulate/tally.ts';
import type { TableFigures } from './bet-figures.ts';

export interface Estimated {
  readonly bet: string;
  /** What the house keeps of a unit, and its standard error. */
  readonly edge: string;
  readonly error: string;
  readonly rounds: number;
}

/** The same rounds for the same table, as far as there is time. */
const SEED = 20_090_330;
const PART = 2_000;
/** However slow the machine is. */
const LEAST_ROUNDS = 10_000;
const PLACES = 8;

/**
 * Streaks and jackpots of black jack, which are not enumerated where pairs are split. A bet that
 * has
 * paid too seldom to say is left out.
 */
export async function estimate(
  { rulebook, notEnumerated, bets, strategy }: TableFigures,
  options: Options,
  seconds: number,
): Promise<Estimated[]> {
  const open = notEnumerated.map(({ bet }) => bet).filter((bet) => !bets.some((known) => known.bet === bet));
  if (open.length === 0 || strategy === null) return [];
  const rules = rulesFor(rulebook, options) as BlackjackRules;
  const asked: Asked = {
    rulebook,
    options: {
      ...options,
      sideBets: (rules.sideBets ?? []).filter((bet) => open.includes(bet)),
      sideBetsAtOnce: 'any',
      ...(rules.jackpot ? { jackpot: options['jackpot']! } : {}),
    },
    strategy: null,
    seats: 1,
    shoe: 'fresh',
  };
  const { sideBetsAtOnce: _, ...inPortugal } = asked.options!;
  const setup = blackjack(
    rules.sideBetsAtOnce === undefined ? { ...asked, options: inPortugal } : asked,
    strategy,
  );
  const lanes = new Lanes(asked, setup, { seed: SEED, isLive: false });
  const tallies = lanes.table.tallies.map(({ bet }) => new Tally(bet));
  const endMs = performance.now() + 1_000 * seconds;
  let rounds = 0;
  for (let part = 0; rounds < LEAST_ROUNDS || performance.now() < endMs; part += 1) {
    for (const [i, sums] of lanes.play(part, PART).entries()) tallies[i]!.addSums(sums);
    rounds += PART;
  }
  return tallies.flatMap((tally) => {
    const net = tally.netPerInitial(lanes.table.stakeMinor);
    if (!open.includes(tally.bet) || net === null || tally.sums.paidBlocks < LEAST_PAID) return [];
    return [
      {
        bet: tally.bet,
        edge: (-net.value).toFixed(PLACES),
        error: net.standardError.toFixed(PLACES),
        rounds,
      },
    ];
  });
}
