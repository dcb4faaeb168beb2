/**
 * The whole proof in one command: types, style, build, then every test. Ends with the closing lines of node's test runner.
 * Shell and end-to-end tests run one file at a time: they measure what a loaded machine would blur.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const started = performance.now();
const unitOnly = process.argv.includes('--unit');
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));

// The set-up script names itself to the terminal it starts, which ends with it; terminals that tests start have other parents.
const { BANCA_PARENT: _parent, ...env } = process.env;

function run(title: string, command: string, args: readonly string[]): void {
  const at = performance.now();
  const { status, signal } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...env, NODE_ENV: 'test' },
  });
  const seconds = ((performance.now() - at) / 1000).toFixed(1);
  if (status !== 0) {
    console.log(`\n${title}: FAILED (${signal ?? `exit ${status}`}) after ${seconds} s`);
    process.exit(1);
  }
  console.log(`${title}: ${seconds} s`);
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
const WHOLE = ['test/!(house)/**/*.test.ts'];

if (only.length === 0 && !unitOnly) {
  run('types', 'tsc', ['-b']);
  run('format and lint', 'biome', ['check', '.']);
  run('type-aware lint', 'oxlint', ['--type-aware']);
}
nodeTest('unit tests', tests(UNIT), 2);
if (unitOnly) process.exit(0);
console.log(`before the whole-terminal tests: ${((performance.now() - started) / 1000).toFixed(0)} s`);
if (only.length === 0 || only.includes('usb')) run('tests on USB', process.execPath, ['test/usb/usb.ts']);
nodeTest('whole-terminal tests', tests(WHOLE), 1);
