/**
 * node test/mutation/conditions.ts [--jobs N] [--ms N] [--tests START] [--all] [--changed | --open]
 * [FILE…]: every condition of the engine made true, false and the neighbour of its comparison, one
 * at a time, against the engine's tests. FILE: a file or the beginning of a path; none = the whole
 * engine. `--changed`: files whose text was never judged; `--open`: again what was left open in
 * files that have not changed. Tests that take more than N ms of the processor, 1000 where nothing
 * is said, are left out, and random play is; with START only tests are called whose path begins so:
 * it is quick, and what they leave open is for `--open`. Prints what no test caught, `--all` the
 * rest too, and writes the counts to test/data/conditions.json. Exit 0 = nothing is left open,
 * 1 = something is, or a mutant of equivalent.ts was caught, 2 = the tests do not hold without a
 * change.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { type Mutant, mutantsOf } from './condition-mutants.ts';
import { EQUIVALENT } from './equivalent.ts';
import { openOf, readJudged, sha256Of, writeJudged } from './judged.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/**
 * A mutant that has taken so much of the processor and is not judged does not end: all tests
 * together take half of it.
 */
const MOST_CPU_SECONDS = 60;
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
    tests: { type: 'string', default: '' },
    changed: { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

interface Said {
  readonly no?: number;
  readonly caught?: string | null;
  readonly bad?: string;
}

/**
 * What caught each mutant of some files; null = nothing.
 * @param heard is called with all that is known after each of them
 */
async function judge(
  files: readonly string[],
  count: number,
  heard: (judged: readonly (Said | undefined)[], at: number) => void,
): Promise<void> {
  const judged: (Said | undefined)[] = Array.from({ length: count });
  const script = join(import.meta.dirname, 'conditions-one.ts');
  const which = values.open ? 'open' : 'all';
  for (let from = 0; from < count; ) {
    const child = spawn(process.execPath, [script, String(from), values.ms, which, values.tests, ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    let current = -1;
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
      if (said.caught !== undefined) {
        judged[current] = said;
        heard(judged, current);
      }
    }
    clearInterval(watch);
    if ((await closed) === 0) break;
    if (current < 0) throw new Error('the tests have not been called');
    if (judged[current] === undefined) judged[current] = { no: current, caught: 'does not end' };
    from = current + 1;
  }
  heard(judged, count - 1);
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const known = readJudged().files;
const isSame = (file: string): boolean => known[file]?.sha256 === sha256Of(textOf(file));
const engine = globSync('engine/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .toSorted();
const files = engine
  .filter((path) => positionals.length === 0 || positionals.some((start) => path.startsWith(start)))
  .filter((path) => !values.changed || !isSame(path))
  .filter((path) => !values.open || (isSame(path) && openOf(known[path]!).length > 0));
const count = { planted: 0, caught: 0, equivalent: 0, open: 0, stale: 0 };

function report(file: string, mutants: readonly Mutant[], judged: readonly (Said | undefined)[]): void {
  const lines: string[] = [];
  // What was caught before is not planted again where only the open ones are.
  const before = new Set(values.open ? known[file]!.survived : mutants.map(({ key }) => key));
  const survived: string[] = [];
  for (const [at, { key, condition }] of mutants.entries()) {
    const caught = judged[at]?.caught ?? null;
    const why = EQUIVALENT[key];
    if (caught === null && before.has(key)) survived.push(key);
    if (caught !== null && why !== undefined) {
      count.stale += 1;
      lines.push(`  NOT EQUIVALENT line ${condition.line} ${key}: ${caught}`);
    } else if (caught !== null || why !== undefined) {
      if (values.all) lines.push(`  ${key}: ${caught ?? why}`);
    } else if (before.has(key)) lines.push(`  OPEN line ${condition.line} ${key}`);
  }
  const now = { sha256: sha256Of(textOf(file)), planted: mutants.length, survived };
  const open = openOf(now).length;
  count.planted += mutants.length;
  count.caught += mutants.length - survived.length;
  count.equivalent += survived.length - open;
  count.open += open;
  const planted = engine.reduce((sum, path) => sum + mutantsOf(path, textOf(path)).length, 0);
  writeJudged({
    engine: { files: engine.length, planted },
    files: { ...readJudged().files, [file]: now },
  });
  const caught = mutants.length - survived.length;
  console.log([`${file}: ${mutants.length} planted, ${caught} caught, ${open} open`, ...lines].join('\n'));
}

/** Files of one process, which calls all tests once before it plants anything. */
const FILES_OF_A_CHUNK = 16;
const queue = Array.from({ length: Math.ceil(files.length / FILES_OF_A_CHUNK) }, (_, at) =>
  files.slice(at * FILES_OF_A_CHUNK, (at + 1) * FILES_OF_A_CHUNK),
);
const work = async (): Promise<void> => {
  for (let chunk = queue.shift(); chunk !== undefined; chunk = queue.shift()) {
    const started = performance.now();
    const planted = chunk.map((file) => mutantsOf(file, textOf(file)));
    const all = planted.reduce((sum, { length }) => sum + length, 0);
    // Each file is reported as soon as its last mutant is judged.
    let [told, first] = [0, 0];
    await judge(chunk, all, (judged, at) => {
      for (; told < chunk.length && first + planted[told]!.length <= at + 1; told++) {
        const { length } = planted[told]!;
        report(chunk[told]!, planted[told]!, judged.slice(first, first + length));
        first += length;
      }
    });
    console.log(`  ${all} planted in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
};
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(JSON.stringify(count));
process.exitCode = count.open + count.stale === 0 ? 0 : 1;
