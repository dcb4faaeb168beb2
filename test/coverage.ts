/**
 * `npm run coverage [-- WORD…]`: which lines and branches of engine, ledger and host are run by the
 * tests beside them and by those of `test/host`, `test/auditor` and `test/ledgers`, programs that
 * they start included. Prints a table of the rooms and the files with the most lines that nothing
 * runs; with words, all files with a word in their path.
 */
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { dot } from 'node:test/reporters';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';

const ROOT = join(import.meta.dirname, '..');
const ROOMS = ['engine', 'ledger', 'host'] as const;
const TESTS = [...ROOMS, 'test/host', 'test/auditor', 'test/ledgers'].map((room) => `${room}/**/*.test.ts`);
const MOST_FILES = 15;

interface Counted {
  readonly path: string;
  readonly totalLineCount: number;
  readonly coveredLineCount: number;
  readonly totalBranchCount: number;
  readonly coveredBranchCount: number;
}

const percent = (covered: number, total: number): string =>
  (total === 0 ? 100 : (100 * covered) / total).toFixed(1).padStart(5);

function line(name: string, files: readonly Counted[]): string {
  const sum = (of: (file: Counted) => number): number => files.reduce((total, file) => total + of(file), 0);
  const [lines, coveredLines] = [sum((f) => f.totalLineCount), sum((f) => f.coveredLineCount)];
  const [branches, coveredBranches] = [sum((f) => f.totalBranchCount), sum((f) => f.coveredBranchCount)];
  return [
    `${percent(coveredLines, lines)} % of ${String(lines).padStart(6)} lines`,
    `${percent(coveredBranches, branches)} % of ${String(branches).padStart(5)} branches`,
    name,
  ].join('   ');
}

const words = argumentsOf({ allowPositionals: true }).positionals;
process.env['NODE_ENV'] = 'test';
let files: readonly Counted[] = [];
const stream = run({
  files: globSync(TESTS, { cwd: ROOT }).map((file) => join(ROOT, file)),
  cwd: ROOT,
  concurrency: 2,
  timeout: 900_000,
  coverage: true,
  coverageIncludeGlobs: ROOMS.map((room) => `${room}/**/*.ts`),
  coverageExcludeGlobs: ['**/*.test.ts'],
});
stream.on('test:fail', ({ name, todo }) => {
  if (todo !== undefined && todo !== false) return;
  console.log(`\nfailed: ${name}`);
  process.exitCode = 1;
});
stream.on('test:coverage', ({ summary }) => {
  files = summary.files.map((file) => ({ ...file, path: relative(ROOT, file.path) }));
});
const dots = stream.compose(dot);
dots.pipe(process.stdout, { end: false });
await finished(dots);

console.log('');
for (const room of ROOMS)
  console.log(
    line(
      room,
      files.filter(({ path }) => path.startsWith(`${room}/`)),
    ),
  );
const unrun = (file: Counted): number => file.totalLineCount - file.coveredLineCount;
const shown =
  words.length > 0
    ? files.filter(({ path }) => words.some((word) => path.includes(word)))
    : files.toSorted((a, b) => unrun(b) - unrun(a)).slice(0, MOST_FILES);
for (const file of shown) console.log(`  ${line(file.path, [file])}`);
