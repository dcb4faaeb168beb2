/**
 * node test/mutation/conditions-one.ts FROM MS FILE…: the mutants of the conditions of these files,
 * from number FROM on, in this process. The engine's tests are loaded and called once; then each
 * mutant is woken for as long as those run that ask its condition, the quickest first, and none
 * that takes more than MS of the processor. A line of JSON for each.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Mutant, mutantsOf, withMutants } from './condition-mutants.ts';
import { type KeptTest, keptTests, loading } from './node-test.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const urlOf = (path: string): string => pathToFileURL(join(ROOT, path)).href;
/** A condition that is asked so often in one test is in a loop without end. */
const MOST_ASKED = 20_000_000;

const [from = '0', mostMs = '', ...files] = process.argv.slice(2);
const mutants: Mutant[] = [];
const planted = new Map<string, { readonly first: number; readonly mutants: readonly Mutant[] }>();
for (const file of files) {
  const own = mutantsOf(file, readFileSync(join(ROOT, file), 'utf8'));
  planted.set(urlOf(file), { first: mutants.length, mutants: own });
  mutants.push(...own);
}

const world = globalThis as unknown as { mutant: number; asked: (no: number) => void };
world.mutant = -1;
let asked = new Set<number>();
let isListening = true;
let times = 0;
world.asked = (no) => {
  if (isListening) asked.add(no);
  else if (++times > MOST_ASKED) throw new Error('does not end');
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

const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

const tests = globSync('engine/**/*.test.ts', { cwd: ROOT }).toSorted();
for (const path of [...tests, 'cli/vectors.test.ts']) {
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

const timed: { test: KeptTest; ms: number; asks: ReadonlySet<number> }[] = [];
for (const test of keptTests()) {
  asked = new Set();
  const before = process.cpuUsage();
  if (!(await holds(test))) {
    say({ bad: `${test.file}: ${test.name}` });
    process.exit(2);
  }
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  if (ms <= Number(mostMs)) timed.push({ test, ms, asks: asked });
}
isListening = false;
timed.sort((a, b) => a.ms - b.ms);

/** The number under which a condition is heard: that of its first mutant. */
const heardAs = new Map(mutants.map((each, no) => [each.condition, no] as const).toReversed());

for (let no = Number(from); no < mutants.length; no++) {
  const { condition } = mutants[no]!;
  say({ no });
  if (condition.atLoad) {
    say({ no, caught: null, why: 'at load' });
    continue;
  }
  const asking = timed.filter(({ asks }) => asks.has(heardAs.get(condition)!));
  let caught: string | null = null;
  world.mutant = no;
  for (const { test } of asking) {
    if (await holds(test)) continue;
    caught = `${test.file}: ${test.name}`;
    break;
  }
  world.mutant = -1;
  say({ no, caught, asking: asking.length });
}
process.exit(0);
