/**
 * node test/mutation/conditions.ts [--jobs N] [--all] [FILE…]: every condition of the engine made
 * true, false and the neighbour of its comparison, one at a time, against the engine's tests. FILE:
 * a file or the beginning of a path; none = engine/games and engine/table. Prints what no test
 * caught, `--all` the rest too. Exit 0 = all that survived stand in equivalent.ts with a reason, 1
 * = some do not, or one that stands there was caught, 2 = the tests do not hold without a change.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { type Mutant, mutantsOf } from './condition-mutants.ts';
import { EQUIVALENT } from './equivalent.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A mutant that has not been judged after so long does not end; all tests take a tenth of it. */
const MOST_MS = 120_000;

const { values, positionals } = argumentsOf({
  options: {
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    all: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

interface Said {
  readonly no?: number;
  readonly caught?: string | null;
  readonly why?: string;
  readonly asking?: number;
  readonly bad?: string;
}

/** What caught each mutant of a file; null = nothing. */
async function judge(file: string, mutants: readonly Mutant[]): Promise<(Said | undefined)[]> {
  const judged: (Said | undefined)[] = mutants.map(() => undefined);
  for (let from = 0; from < mutants.length; ) {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'conditions-one.ts'), file, String(from)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let current = from;
    let timer: NodeJS.Timeout | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line) as Said;
      if (said.bad !== undefined) {
        console.error(`without a change this test does not hold: ${said.bad}`);
        process.exit(2);
      }
      clearTimeout(timer);
      timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
      current = said.no!;
      if (said.caught !== undefined) judged[current] = said;
    }
    clearTimeout(timer);
    if (judged[current] === undefined) judged[current] = { no: current, caught: 'does not end' };
    from = current + 1;
  }
  return judged;
}

const wanted = positionals.length > 0 ? positionals : ['engine/games/', 'engine/table/'];
const files = globSync('engine/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts') && wanted.some((start) => path.startsWith(start)))
  .toSorted();
const count = { planted: 0, caught: 0, equivalent: 0, survived: 0, stale: 0 };
const queue = [...files];
const work = async (): Promise<void> => {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const started = performance.now();
    const mutants = mutantsOf(file, readFileSync(join(ROOT, file), 'utf8'));
    const judged = await judge(file, mutants);
    const left: string[] = [];
    for (const [at, { key, condition }] of mutants.entries()) {
      const { caught = null, why } = judged[at]!;
      const reason = EQUIVALENT[key] ?? why;
      count.planted += 1;
      if (caught !== null) count.caught += 1;
      else if (reason !== undefined) count.equivalent += 1;
      else count.survived += 1;
      if (caught !== null && EQUIVALENT[key] !== undefined) {
        count.stale += 1;
        left.push(`  NOT EQUIVALENT line ${condition.line} ${key}: ${caught}`);
      } else if (caught === null && reason === undefined)
        left.push(`  SURVIVED line ${condition.line} ${key}`);
      else if (values.all) left.push(`  ${key}: ${caught ?? reason}`);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log([`${file}: ${mutants.length} planted, ${seconds} s`, ...left].join('\n'));
  }
};
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(JSON.stringify(count));
process.exitCode = count.survived + count.stale === 0 ? 0 : 1;
