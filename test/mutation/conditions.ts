/**
 * node test/mutation/conditions.ts [--jobs N] [--ms N] [--all] [FILE…]: every condition of the
 * engine made true, false and the neighbour of its comparison, one at a time, against the engine's
 * tests. FILE: a file or the beginning of a path; none = engine/games and engine/table. Tests that
 * take more than N ms of the processor, 1000 where nothing is said, are left out: random play.
 * Prints what no test caught, `--all` the rest too. Exit 0 = all that survived stand in
 * equivalent.ts with a reason, 1 = some do not, or one that stands there was caught, 2 = the tests
 * do not hold without a change.
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
/**
 * A mutant that has taken so much of the processor and is not judged does not end: all tests
 * together take a quarter of it.
 */
const MOST_CPU_SECONDS = 120;
const TICKS_OF_A_SECOND = 100;

/** Seconds of the processor that a process has had (Linux). */
function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(user) + Number(system)) / TICKS_OF_A_SECOND;
  } catch {
    return 0;
  }
}

const { values, positionals } = argumentsOf({
  options: {
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    all: { type: 'boolean', default: false },
    ms: { type: 'string', default: '1000' },
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

/** What caught each mutant of some files; null = nothing. */
async function judge(files: readonly string[], count: number): Promise<(Said | undefined)[]> {
  const judged: (Said | undefined)[] = Array.from({ length: count });
  const script = join(import.meta.dirname, 'conditions-one.ts');
  for (let from = 0; from < count; ) {
    const child = spawn(process.execPath, [script, String(from), values.ms, ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let current = from;
    // Until the first line it calls all tests once, without a change.
    let since = Number.POSITIVE_INFINITY;
    const watch = setInterval(() => {
      if (cpuSecondsOf(child.pid!) - since > MOST_CPU_SECONDS) child.kill('SIGKILL');
    }, 2_000);
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line) as Said;
      if (said.bad !== undefined) {
        console.error(`without a change this test does not hold: ${said.bad}`);
        process.exit(2);
      }
      since = cpuSecondsOf(child.pid!);
      current = said.no!;
      if (said.caught !== undefined) judged[current] = said;
    }
    clearInterval(watch);
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

function report(file: string, mutants: readonly Mutant[], judged: readonly (Said | undefined)[]): void {
  const lines: string[] = [];
  for (const [at, { key, condition }] of mutants.entries()) {
    const { caught = null, why } = judged[at]!;
    const reason = EQUIVALENT[key] ?? why;
    count.planted += 1;
    if (caught !== null) count.caught += 1;
    else if (reason !== undefined) count.equivalent += 1;
    else count.survived += 1;
    if (caught !== null && EQUIVALENT[key] !== undefined) {
      count.stale += 1;
      lines.push(`  NOT EQUIVALENT line ${condition.line} ${key}: ${caught}`);
    } else if (caught === null && reason === undefined) {
      lines.push(`  SURVIVED line ${condition.line} ${key}`);
    } else if (values.all) lines.push(`  ${key}: ${caught ?? reason}`);
  }
  console.log([`${file}: ${mutants.length} planted`, ...lines].join('\n'));
}

/** Files of one process, which calls all tests once before it plants anything. */
const FILES_OF_A_CHUNK = 8;
const queue = Array.from({ length: Math.ceil(files.length / FILES_OF_A_CHUNK) }, (_, at) =>
  files.slice(at * FILES_OF_A_CHUNK, (at + 1) * FILES_OF_A_CHUNK),
);
const work = async (): Promise<void> => {
  for (let chunk = queue.shift(); chunk !== undefined; chunk = queue.shift()) {
    const started = performance.now();
    const planted = chunk.map((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')));
    const all = planted.reduce((sum, { length }) => sum + length, 0);
    const judged = await judge(chunk, all);
    let first = 0;
    for (const [at, file] of chunk.entries()) {
      report(file, planted[at]!, judged.slice(first, first + planted[at]!.length));
      first += planted[at]!.length;
    }
    console.log(`  ${all} planted in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
};
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(JSON.stringify(count));
process.exitCode = count.survived + count.stale === 0 ? 0 : 1;
