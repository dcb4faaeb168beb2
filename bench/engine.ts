/**
 * Rounds of every game through the engine, in turn with the programs of others and with bare
 * arithmetic.
 */
import { execFileSync } from 'node:child_process';
import type { PartContext } from './part.ts';
import { fillingOf, GAMES, gameOf, nameOf, OWN_CASES, type OwnCase } from './peers/banca.ts';
import { STRATEGY_ID } from './peers/basic-strategy.ts';
import type { CeilingGame } from './peers/ceiling.ts';
import type { Measured } from './peers/measured.ts';
import { type Contender, inChild, type Program, preparePeers, reason } from './peers.ts';
import { median, progress, round3 } from './stats.ts';

const REPETITIONS = 7;

const RULES: Readonly<Record<CeilingGame, string>> = {
  blackjack: `six decks; the ceiling, engine-blackjack and banca play the strategy ${STRATEGY_ID}`,
  baccarat: 'eight decks, one bet a seat on the Banker with five per cent commission',
  'casino-war': 'six decks, every tie answered with the challenge',
};

interface Figures {
  /** Of the repetitions. */
  readonly roundsPerCpuSecond: { readonly median: number; readonly best: number };
  readonly roundsPerSecond: number | null;
  readonly heapBytesPerRound: number | null;
  /** What a player won a round, in stakes: shows that the game is played. */
  readonly meanNet: number;
}

interface Measuring<P> extends Contender<P> {
  readonly runs: Measured[];
}

const figuresOf = (runs: readonly Measured[]): Figures => {
  const perCpuSecond = runs.map(({ rounds, cpuSeconds }) => rounds / cpuSeconds);
  const perSecond = runs.flatMap(({ rounds, seconds }) => (seconds === null ? [] : [rounds / seconds]));
  const heap = runs.flatMap(({ heapBytesPerRound }) => heapBytesPerRound ?? []);
  return {
    roundsPerCpuSecond: { median: round3(median(perCpuSecond)), best: round3(Math.max(...perCpuSecond)) },
    roundsPerSecond: perSecond.length === 0 ? null : round3(median(perSecond)),
    heapBytesPerRound: heap.length === 0 ? null : median(heap),
    meanNet: round3(median(runs.map(({ meanNet }) => meanNet))),
  };
};

/** Our rate as a part of another's: the median of what both did in the same repetition. */
const ratio = (ours: readonly Measured[], theirs: readonly Measured[]): number =>
  round3(
    median(
      ours.map(({ rounds, cpuSeconds }, i) => {
        const other = theirs[i]!;
        return rounds / cpuSeconds / (other.rounds / other.cpuSeconds);
      }),
    ),
  );

const prepareOwn = async (context: PartContext): Promise<Contender<OwnCase>[]> => {
  const ready: Contender<OwnCase>[] = [];
  for (const own of OWN_CASES) {
    progress(`engine: making ready ${nameOf(own)}`);
    ready.push({ program: own, measure: await inChild(nameOf(own), '', context) });
  }
  return ready;
};

const measuring = <P>(contenders: readonly Contender<P>[]): Measuring<P>[] =>
  contenders.map((contender) => ({ ...contender, runs: [] }));

/**
 * Runs all of them on one processor: one of a virtual machine's two was a third slower than the
 * other for minutes, and a process stays on the one it began on.
 */
function onOneProcessor({ stack }: PartContext): void {
  const taskset = (...args: readonly string[]): string =>
    execFileSync('taskset', ['--cpu-list', '--pid', ...args, String(process.pid)], { encoding: 'utf8' });
  const [, all] = /: (.+)/.exec(taskset()) as unknown as [string, string];
  taskset(String(Number.parseInt(all, 10)));
  stack.defer(() => void taskset(all));
}

/** Takes about three minutes, and what the registry takes. */
export async function benchEngine(context: PartContext): Promise<object> {
  onOneProcessor(context);
  let others = measuring(await preparePeers(context));
  const ours = measuring(await prepareOwn(context));
  for (let repetition = 1; repetition <= REPETITIONS; repetition++) {
    progress(`engine: repetition ${repetition} of ${REPETITIONS}`);
    // They take turns, so that whatever else the machine does falls on all of them.
    for (const other of others)
      try {
        other.runs.push(await other.measure());
      } catch (error) {
        others = others.filter((each) => each !== other);
        context.cannot(other.program.name, `does not run: ${reason(error)}`);
      }
    for (const own of ours) own.runs.push(await own.measure());
  }
  return {
    repetitions: REPETITIONS,
    ...Object.fromEntries(GAMES.map((game) => [game, resultOf(game, ours, others)])),
  };
}

function resultOf(
  game: CeilingGame,
  ours: readonly Measuring<OwnCase>[],
  others: readonly Measuring<Program>[],
): object {
  const rivals = others.filter(({ program }) => program.game === game);
  return {
    rules: RULES[game],
    banca: ours
      .filter(({ program }) => gameOf(program) === game)
      .map(({ program, runs }) => ({
        ...program,
        ...figuresOf(runs),
        ...(program.road === 'remembered' ? { filling: fillingOf(program) } : {}),
        // The others play one seat.
        ...(program.seats === 1
          ? { of: Object.fromEntries(rivals.map((rival) => [rival.program.name, ratio(runs, rival.runs)])) }
          : {}),
      })),
    others: rivals.map(({ program: { name, version, licence, remark }, runs }) => ({
      name,
      version,
      licence,
      remark,
      ...figuresOf(runs),
    })),
  };
}
