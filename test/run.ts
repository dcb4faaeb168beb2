/**
 * The whole proof in one command: types, style, build, then every test. Ends with the closing lines of node's test runner.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const started = performance.now();
const unitOnly = process.argv.includes('--unit');
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const testEnv = { ...process.env, NODE_ENV: 'test' };

function run(title: string, command: string, args: readonly string[]): void {
  const at = performance.now();
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit', env: testEnv });
  ended(title, at, status, signal);
}

function ended(title: string, at: number, status: number | null, signal: string | null): void {
  const seconds = ((performance.now() - at) / 1000).toFixed(1);
  if (status !== 0) {
    console.log(`\n${title}: FAILED (${signal ?? `exit ${status}`}) after ${seconds} s`);
    process.exit(1);
  }
  console.log(`${title}: ${seconds} s`);
}

/** Runs beside what comes next; what it says is printed by the returned function, which waits for its end. */
function beside(title: string, command: string, args: readonly string[]): () => Promise<void> {
  const at = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'banca-test-'));
  const said = join(folder, 'said');
  const output = openSync(said, 'w');
  const child = spawn(command, args, { stdio: ['ignore', output, output], env: testEnv });
  closeSync(output);
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  process.once('exit', () => child.kill());
  return async () => {
    const [status, signal] = await exit;
    process.stdout.write(readFileSync(said));
    rmSync(folder, { recursive: true });
    ended(title, at, status, signal);
  };
}

const tests = (patterns: readonly string[]): string[] =>
  globSync([...patterns]).filter((file) => only.length === 0 || only.some((word) => file.includes(word)));
const nodeTest = (title: string, files: readonly string[], concurrency: number): void => {
  if (files.length > 0)
    run(title, process.execPath, [
      '--test',
      '--test-timeout=900000',
      `--test-concurrency=${concurrency}`,
      '--test-reporter=spec',
      ...files,
    ]);
};

const UNIT = [
  'engine',
  'hardware',
  'ledger',
  'wire',
  'host',
  'renderer',
  'electron',
  'upstream',
  'cli',
  'assets',
  'bench',
]
  .map((room) => `${room}/**/*.test.ts`)
  .concat('test/house/**/*.test.ts');
/** Windows that are watched in time: one file at a time, for a loaded machine would blur what they show. */
const WINDOWS = [
  'test/shell/**/*.test.ts',
  'test/pictures/table.test.ts',
  'test/e2e/{chromium,electron}.test.ts',
];
const isHouse = (file: string): boolean => file.startsWith('test/house/');

if (only.length === 0 && !unitOnly) {
  run('types', 'tsc', ['-b']);
  run('format and lint', 'biome', ['check', '.']);
  run('type-aware lint', 'oxlint', ['--type-aware']);
}
// The guest of the rig waits most of its time, so it runs beside the others.
const usb =
  !unitOnly && (only.length === 0 || only.includes('usb'))
    ? beside('tests on USB', process.execPath, ['test/usb/usb.ts'])
    : null;
nodeTest('unit tests', tests(UNIT), 2);
if (unitOnly) process.exit(0);
const windows = tests(WINDOWS);
const panels = tests(['test/panels/**/*.test.ts']);
const services = tests(['test/**/*.test.ts']).filter(
  (file) => !isHouse(file) && !windows.includes(file) && !panels.includes(file),
);
// They wait for terminals, centres and browsers half of their time.
nodeTest('tests of whole processes', services, 3);
await usb?.();
nodeTest('tests of panels', panels, 2);
nodeTest('tests of whole windows', windows, 1);
console.log(`all tests: ${((performance.now() - started) / 1000).toFixed(0)} s`);
