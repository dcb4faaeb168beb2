/**
 * node test/mutation/mutation.ts [--only ID] [--shard I/N] [--jobs N] [--json]: plants the bugs of
 * mutations.ts one at a time in a copy of the tree and runs the nets on it until one fails. Exit 0
 * = every bug was caught, 1 = some survived, 2 = the nets are not green without a bug, or a bug
 * cannot be planted.
 */
import { availableParallelism } from 'node:os';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import type { Mutation } from './bugs.ts';
import { MUTATIONS } from './mutations.ts';
import { BadMutation, NETS, type Net, Workbench } from './workbench.ts';

const { values } = argumentsOf({
  options: {
    only: { type: 'string', multiple: true },
    shard: { type: 'string', default: '1/1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
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
  readonly caughtBy: { readonly net: Net; readonly test: string } | null;
  readonly ms: number;
}

async function tryOut(workbench: Workbench, mutation: Mutation): Promise<Outcome> {
  const started = performance.now();
  return workbench.withPlanted(mutation, async () => {
    await workbench.compile();
    for (const net of NETS) {
      const { caught } = await workbench.cast(net, mutation.rulebook);
      if (caught !== null) return outcome({ net, test: caught });
    }
    return outcome(null);
  });

  function outcome(caughtBy: Outcome['caughtBy']): Outcome {
    return { mutation, caughtBy, ms: Math.round(performance.now() - started) };
  }
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
const dispose = (): void => {
  for (const workbench of workbenches) workbench.dispose();
};
process.on('exit', dispose);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  const sound = workbenches[0]!;
  await sound.compile();
  for (const net of NETS) {
    const { caught, ms } = await sound.cast(net);
    if (caught !== null) cannotRun(`without a bug ${net} is not green: ${caught}`);
    say(`without a bug: ${net} green, ${seconds(ms)}`);
  }
  const outcomes: Outcome[] = [];
  const bad: string[] = [];
  const queue = [...mutations];
  await Promise.all(
    workbenches.map(async (workbench) => {
      for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
        try {
          const outcome = await tryOut(workbench, mutation);
          outcomes.push(outcome);
          const { caughtBy, ms } = outcome;
          const by = caughtBy === null ? 'SURVIVED' : `${caughtBy.net}: ${caughtBy.test}`;
          say(`${mutation.id} (${mutation.article}) ${by}, ${seconds(ms)}`);
        } catch (error) {
          if (!(error instanceof BadMutation)) throw error;
          bad.push(`${mutation.id}: ${error.message}`);
        }
      }
    }),
  );
  if (bad.length > 0) cannotRun(bad.join('\n'));
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
