/**
 * node test/mutation/mutation.ts [--only ID] [--shard I/N] [--jobs N] [--record] [--json]: plants
 * the bugs of mutations.ts one at a time in a copy of the tree and runs the nets on it until one
 * fails: first the part of a net that caught the bug last, as `--record` has written it to
 * test/data/caught-by.json; where it catches it no more, all of them. What catches is green without
 * a bug. Exit 0 = every bug was caught, 1 = some survived, 2 = a net is not green without a bug, or
 * a bug cannot be planted.
 */
import { availableParallelism } from 'node:os';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import type { Mutation } from './bugs.ts';
import { readCaughtBy, writeCaughtBy } from './caught-by.ts';
import { MUTATIONS } from './mutations.ts';
import { NETS, type Net, netOf } from './nets.ts';
import { BadMutation, type Caught, Workbench } from './workbench.ts';

const { values } = argumentsOf({
  options: {
    only: { type: 'string', multiple: true },
    shard: { type: 'string', default: '1/1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    record: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

function cannotRun(message: string): never {
  console.error(message);
  process.exit(2);
}

/** Which bugs were asked for. */
function chosen(): readonly Mutation[] {
  const [, part, parts] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(values.shard) ?? [];
  if (part === undefined || Number(part) > Number(parts)) cannotRun('--shard I/N, I out of 1..N');
  const unknown = values.only?.find((id) => !MUTATIONS.some((mutation) => mutation.id === id));
  if (unknown !== undefined) cannotRun(`no mutation ${unknown}`);
  return MUTATIONS.filter(
    ({ id }, at) =>
      at % Number(parts) === Number(part) - 1 && (values.only === undefined || values.only.includes(id)),
  );
}

interface Outcome {
  readonly mutation: Mutation;
  /** null = it survived all nets. */
  readonly caughtBy: ({ readonly net: Net } & Caught) | null;
  readonly ms: number;
}

const say = (line: string): void => {
  if (!values.json) console.log(line);
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const mutations = chosen();
const jobs = Number(values.jobs);
if (!Number.isInteger(jobs) || jobs < 1) cannotRun('--jobs N');
const started = performance.now();
const workbenches = Array.from({ length: Math.min(jobs, mutations.length) }, () => new Workbench());
/** No bug is ever planted here. */
const sound = new Workbench();
const dispose = (): void => {
  for (const workbench of [sound, ...workbenches]) workbench.dispose();
};
process.on('exit', dispose);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const soundRuns = new Map<string, Promise<void>>();
/** A net, or a part of it, is cast once without a bug: what fails there has caught nothing. */
function beGreen(net: Net, part: string | null): Promise<void> {
  const name = part ?? net;
  const cast = async (): Promise<void> => {
    const { caught, ms } = await sound.cast(net, part);
    if (caught !== null)
      throw new Error(`without a bug ${name} is not green: ${caught.part}, ${caught.test}`);
    say(`without a bug: ${name} green, ${seconds(ms)}`);
  };
  const run = soundRuns.get(name) ?? cast();
  soundRuns.set(name, run);
  return run;
}

const remembered = readCaughtBy();

/** What is cast for a bug, in this order; part null = the whole net. */
function castsFor({ id }: Mutation): { readonly net: Net; readonly part: string | null }[] {
  const part = remembered[id];
  const net = part === undefined ? undefined : netOf(part);
  const nets = NETS.map((each) => ({ net: each, part: null }));
  return part === undefined || net === undefined ? nets : [{ net, part }, ...nets];
}

async function tryOut(workbench: Workbench, mutation: Mutation): Promise<Outcome> {
  const began = performance.now();
  return workbench.withPlanted([mutation], async () => {
    for (const { net, part } of castsFor(mutation)) {
      const { caught } = await workbench.cast(net, part, mutation);
      if (caught === null) continue;
      await beGreen(net, part);
      return outcome({ net, ...caught });
    }
    return outcome(null);
  });

  function outcome(caughtBy: Outcome['caughtBy']): Outcome {
    return { mutation, caughtBy, ms: Math.round(performance.now() - began) };
  }
}

/** At once: a run that is ended has recorded what it has seen. */
function record({ mutation, caughtBy }: Outcome): void {
  const { [mutation.id]: _before, ...others } = readCaughtBy();
  writeCaughtBy(caughtBy?.part ? { ...others, [mutation.id]: caughtBy.part } : others);
}

/**
 * The bugs that cannot be planted. Those of different files are compiled at once, and each alone
 * where that fails.
 */
async function rottenOf(workbench: Workbench): Promise<string[]> {
  const refusalOf = (bugs: readonly Mutation[]): Promise<string | null> =>
    workbench
      .withPlanted(bugs, () => workbench.compile())
      .then(
        () => null,
        (error: unknown) => {
          if (error instanceof BadMutation) return error.message;
          throw error;
        },
      );
  const rotten: string[] = [];
  let left = mutations;
  while (left.length > 0) {
    const batch = [...new Map(left.map((bug) => [bug.file, bug])).values()];
    left = left.filter((bug) => !batch.includes(bug));
    if ((await refusalOf(batch)) === null) continue;
    for (const bug of batch) {
      const refusal = await refusalOf([bug]);
      if (refusal !== null) rotten.push(`${bug.id}: ${refusal}`);
    }
  }
  return rotten;
}

try {
  const rotten = mutations.length === 0 ? [] : await rottenOf(workbenches[0]!);
  if (rotten.length > 0) cannotRun(rotten.join('\n'));
  say(`${mutations.length} compile, ${seconds(performance.now() - started)}`);
  const outcomes: Outcome[] = [];
  const queue = [...mutations];
  await Promise.all(
    workbenches.map(async (workbench) => {
      for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
        const outcome = await tryOut(workbench, mutation);
        outcomes.push(outcome);
        if (values.record) record(outcome);
        const { caughtBy, ms } = outcome;
        const by = caughtBy === null ? 'SURVIVED' : `${caughtBy.net}: ${caughtBy.part}: ${caughtBy.test}`;
        say(`${mutation.id} (${mutation.article}) ${by}, ${seconds(ms)}`);
      }
    }),
  );
  const survivors = outcomes.filter(({ caughtBy }) => caughtBy === null);
  const ms = Math.round(performance.now() - started);
  if (values.json) {
    const list = mutations.map((mutation) => {
      const { caughtBy, ms: took } = outcomes.find((outcome) => outcome.mutation === mutation)!;
      const { id, rulebook, article, file, law } = mutation;
      return { id, rulebook, article, file, law, caughtBy, ms: took };
    });
    console.log(JSON.stringify({ planted: list.length, survived: survivors.length, ms, mutations: list }));
  } else {
    for (const { mutation } of survivors) console.log(`SURVIVED ${mutation.id}: ${mutation.law}`);
    console.log(
      `${mutations.length} planted, ${mutations.length - survivors.length} caught, ${survivors.length} survived, ${seconds(ms)}`,
    );
  }
  process.exitCode = survivors.length === 0 ? 0 : 1;
} catch (error) {
  cannotRun(error instanceof Error ? error.message : String(error));
}
