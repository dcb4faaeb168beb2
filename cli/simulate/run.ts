/** Plays the parts of one simulation on all threads and adds them up in their order. */
import { Lanes, type Played } from './lanes.ts';
import type { Asked, Setup } from './setup.ts';
import { Tally } from './tally.ts';
import { type PartPlayer, startThread } from './thread.ts';

/** So many parts wait at each thread, so that none waits for this one. */
const AHEAD = 2;

export interface Wanted extends Played {
  /** At most; all of them where `until` is null. */
  readonly rounds: number;
  /** Of each bet per unit staked before the cards: the standard error that is small enough. */
  readonly until: number | null;
  readonly threads: number;
}

export interface Simulated {
  readonly tallies: readonly Tally[];
  readonly stakeMinor: number;
  readonly rounds: number;
  readonly threads: number;
  readonly whyLive: string | null;
  /** The bet whose standard error is the largest; null = nobody has asked. */
  readonly widest: Widest | null;
  readonly seconds: number;
}

export interface Widest {
  readonly bet: string;
  /** Infinity: it has paid too seldom to say. */
  readonly error: number;
}

/** Told after every part. */
export type OnPart = (rounds: number, seconds: number, widest: Widest | null) => void;

/**
 * With fewer blocks in which a bet paid at all, its sampled spread says nothing: a prize that never
 * came has none.
 */
export const LEAST_PAID = 25;

/** Rejects as `Lanes` and its tables throw. */
export async function simulateTable(
  asked: Asked,
  index: number,
  setup: Setup,
  wanted: Wanted,
  onPart: OnPart,
): Promise<Simulated> {
  const { rounds, until } = wanted;
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const lanes = new Lanes(asked, setup, wanted);
  const { stakeMinor } = lanes.table;
  const tallies = lanes.table.tallies.map(({ bet }) => new Tally(bet));
  const parts = Math.ceil(rounds / lanes.roundsOfPart);
  const roundsOf = (part: number): number => Math.min(lanes.roundsOfPart, rounds - part * lanes.roundsOfPart);
  const isAlone = wanted.threads === 1 || parts === 1;
  const threads = isAlone ? 1 : Math.min(wanted.threads, parts);
  const players: PartPlayer[] = isAlone
    ? [{ play: async (part, count) => lanes.play(part, count), end: () => {} }]
    : Array.from({ length: threads }, () => startThread(asked, index, wanted));
  const waiting: ReturnType<PartPlayer['play']>[] = [];
  let played = 0;
  let widest: Widest | null = null;
  try {
    for (let part = 0; part < parts; part += 1) {
      while (waiting.length < parts && waiting.length < part + (isAlone ? 1 : AHEAD * threads)) {
        const next = waiting.length;
        waiting.push(players[lanes.laneOf(next) % threads]!.play(next, roundsOf(next)));
      }
      for (const [i, sums] of (await waiting[part]!).entries()) tallies[i]!.addSums(sums);
      played += roundsOf(part);
      widest = until === null ? null : widestOf(tallies, stakeMinor);
      onPart(played, seconds(), widest);
      if (until !== null && widest!.error <= until) break;
    }
  } finally {
    for (const player of players) player.end();
  }
  const { whyLive } = lanes;
  return { tallies, stakeMinor, rounds: played, threads, whyLive, widest, seconds: seconds() };
}

/** A prize that has not come yet may be none of this table: it is not waited for. */
function widestOf(tallies: readonly Tally[], stakeMinor: number): Widest {
  let widest: Widest = { bet: '', error: 0 };
  for (const tally of tallies) {
    const { paidBlocks } = tally.sums;
    if (tally.bet === 'specialPrize' && paidBlocks === 0) continue;
    const error =
      paidBlocks < LEAST_PAID ? Number.POSITIVE_INFINITY : tally.netPerInitial(stakeMinor)!.standardError;
    if (error > widest.error) widest = { bet: tally.bet, error };
  }
  return widest;
}
