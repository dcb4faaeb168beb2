/**
 * node test/mutation/conditions-one.ts FROM MS WHICH TESTS FILE…: the mutants of the conditions of
 * these files, from number FROM on, in this process. The engine's tests are loaded and called once;
 * then each mutant is woken for as long as those run in which it makes another value of its
 * condition, the quickest first, and none that takes more than MS of the processor. WHICH: `all`,
 * or `open` for those that test/data/conditions.json has so. TESTS: the beginning of the paths of
 * the tests that are called, '' = all. A line of JSON for each.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Condition, isOther, type Mutant, mutantsOf, withMutants } from './condition-mutants.ts';
import { openOf, readJudged } from './judged.ts';
import { type KeptTest, keptTests, loading } from './node-test.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const urlOf = (path: string): string => pathToFileURL(join(ROOT, path)).href;
/** Where so many more conditions are asked than without a change, a loop has no end. */
const MOST_TIMES = 20;
const MORE = 10_000;

const [from = '0', mostMs = '', which = '', start = '', ...files] = process.argv.slice(2);
const open = new Set(Object.values(readJudged().files).flatMap(openOf));
const mutants: Mutant[] = [];
const planted = new Map<string, { readonly first: number; readonly mutants: readonly Mutant[] }>();
for (const file of files) {
  const own = mutantsOf(file, readFileSync(join(ROOT, file), 'utf8'));
  planted.set(urlOf(file), { first: mutants.length, mutants: own });
  mutants.push(...own);
}

/** The mutants of a condition, under the number of the first. */
const ofCondition = new Map<number, { readonly no: number; readonly mutant: Mutant }[]>();
const heardAs = new Map<Condition, number>();
for (const [no, mutant] of mutants.entries()) {
  const first = heardAs.get(mutant.condition) ?? no;
  heardAs.set(mutant.condition, first);
  ofCondition.set(first, [...(ofCondition.get(first) ?? []), { no, mutant }]);
}

const world = globalThis as unknown as {
  mutant: number;
  seen: (no: number, value: unknown, neighbour?: () => unknown) => unknown;
};
world.mutant = -1;
/** Mutants that would have made another value since the last test began. */
let others = new Set<number>();
let isListening = true;
let times = 0;
let mostTimes = Number.POSITIVE_INFINITY;
world.seen = (first, value, neighbour) => {
  if (++times > mostTimes) throw new Error('does not end');
  if (!isListening) return value;
  for (const { no, mutant } of ofCondition.get(first)!)
    if (!others.has(no) && isOther(mutant, { value, neighbour })) others.add(no);
  return value;
};

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test'
      ? { url: urlOf('test/mutation/node-test.ts'), shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    const loaded = next(url, context);
    const here = planted.get(url);
    if (!here || !loaded.source) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    return { ...loaded, source: withMutants(source, here.mutants, here.first) };
  },
});

/** Waits until it is out: a pipe that is full keeps what is written, and an exit would lose it. */
const say = async (line: object): Promise<void> => {
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, resolve));
};

/** Random play takes three quarters of the processor, and every test of it more than MS. */
const tests = globSync('engine/**/*.test.ts', { cwd: ROOT })
  .filter((path) => !path.includes('random'))
  .toSorted();
for (const path of [...tests, 'cli/vectors.test.ts'].filter((each) => each.startsWith(start))) {
  loading(path);
  await import(urlOf(path));
}

async function holds({ call }: KeptTest): Promise<boolean> {
  times = 0;
  try {
    await call();
    return true;
  } catch {
    return false;
  }
}

const timed: { test: KeptTest; ms: number; times: number; others: ReadonlySet<number> }[] = [];
for (const test of keptTests()) {
  others = new Set();
  const before = process.cpuUsage();
  if (!(await holds(test))) {
    await say({ bad: `${test.file}: ${test.name}` });
    process.exit(2);
  }
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  if (ms <= Number(mostMs)) timed.push({ test, ms, times, others });
}
// A condition that is asked while its file is loaded is asked by no test: it survives.
isListening = false;
timed.sort((a, b) => a.ms - b.ms);

for (let no = Number(from); no < mutants.length; no++) {
  if (which === 'open' && !open.has(mutants[no]!.key)) continue;
  await say({ no });
  const asking = timed.filter((each) => each.others.has(no));
  let caught: string | null = null;
  world.mutant = no;
  for (const { test, times: asked } of asking) {
    mostTimes = MOST_TIMES * asked + MORE;
    if (await holds(test)) continue;
    caught = `${test.file}: ${test.name}`;
    break;
  }
  world.mutant = -1;
  mostTimes = Number.POSITIVE_INFINITY;
  await say({ no, caught, asking: asking.length });
}
process.exit(0);
