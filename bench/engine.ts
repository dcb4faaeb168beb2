/** The engine alone: whole rounds through the road of the simulation and the road of the live table. */
import { GCProfiler } from 'node:v8';
import { type Path, RoundPlayer, Yardstick } from './round-player.ts';
import { median, progress, rate, round3 } from './stats.ts';

const REPETITIONS = 5;
const RUN_MS = 400;
const WARM_ROUNDS = 2_000;
const BATCH = 50;
const HEAP_ROUNDS = 2_000;

interface Case {
  readonly name: string;
  readonly seats: number;
  readonly playRound: () => void;
  readonly rates: { perSecond: number; perCpuSecond: number }[];
}

function caseOf(seats: number, path: Path | 'yardstick'): Case {
  const player = path === 'yardstick' ? new Yardstick(seats) : new RoundPlayer(seats, path);
  return { name: path, seats, playRound: () => player.playRound(), rates: [] };
}

/** Allocated bytes per round, from the heap's size before and after each collection. */
function heapPerRound(playRound: () => void): number {
  const profiler = new GCProfiler();
  const before = process.memoryUsage().heapUsed;
  profiler.start();
  for (let i = 0; i < HEAP_ROUNDS; i++) playRound();
  const { statistics } = profiler.stop();
  let allocated = 0;
  let left = before;
  for (const { beforeGC, afterGC } of statistics) {
    allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - left);
    left = afterGC.heapStatistics.usedHeapSize;
  }
  allocated += Math.max(0, process.memoryUsage().heapUsed - left);
  return Math.round(allocated / HEAP_ROUNDS);
}

export function benchEngine(): object {
  const cases = [1, 7].flatMap((seats) =>
    (['yardstick', 'simulation', 'live'] as const).map((path) => caseOf(seats, path)),
  );
  for (const { playRound } of cases) for (let i = 0; i < WARM_ROUNDS; i++) playRound();
  // The cases take turns, so that whatever else the machine does falls on all of them.
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    progress(`engine: repetition ${repetition + 1} of ${REPETITIONS}`);
    for (const each of cases) {
      each.rates.push(
        rate(RUN_MS, () => {
          for (let i = 0; i < BATCH; i++) each.playRound();
          return BATCH;
        }),
      );
    }
  }
  const perCpuSecond = (each: Case): number => median(each.rates.map((r) => r.perCpuSecond));
  const result = (seats: number): object => {
    const of = (name: string): Case => cases.find((each) => each.seats === seats && each.name === name)!;
    const limit = perCpuSecond(of('yardstick'));
    const figures = (name: Path): object => {
      const each = of(name);
      return {
        roundsPerSecond: round3(median(each.rates.map((r) => r.perSecond))),
        roundsPerCpuSecond: round3(perCpuSecond(each)),
        shareOfArithmetic: round3(perCpuSecond(each) / limit),
        heapBytesPerRound: heapPerRound(each.playRound),
      };
    };
    return {
      arithmeticRoundsPerCpuSecond: round3(limit),
      simulation: figures('simulation'),
      live: figures('live'),
    };
  };
  return { repetitions: REPETITIONS, oneSeat: result(1), sevenSeats: result(7) };
}
