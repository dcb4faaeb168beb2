/**
 * `node test/docs/cost.ts`: how many files each kind of extension has touched, counted from the
 * commit that CONTRIBUTING.md names as its example. What a command makes is counted apart. Exit
 * status 1 when one costs more than it may.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { PARTS, ROOT, WHOLE_FILES } from './generated.ts';

argumentsOf({});

/** Files that an extension may touch by hand. */
const MOST = {
  'An option of a rulebook': 10,
  'A page of service mode': 10,
  'An event of the table': 10,
  // Of the code that was there before: the registry. Its words, its documents and its place in the
  // tests stand beside it in the list.
  'A bill protocol': 1,
} as const;
const isOldCode = ({ path, isNew }: { readonly path: string; readonly isNew: boolean }): boolean =>
  !isNew && /^(?!test\/).*(?<!\.test)\.tsx?$/.test(path);

const MADE: ReadonlySet<string> = new Set([
  ...PARTS.map(({ document }) => document),
  ...WHOLE_FILES.map(({ path }) => path),
  'renderer/texts/resources.d.ts',
]);

/** What was added and changed, by path. */
function touched(commit: string): { readonly path: string; readonly isNew: boolean }[] {
  const shown = execFileSync('git', ['show', '--name-status', '--no-renames', '--format=', commit], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return shown
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [kind, path] = line.split('\t') as [string, string];
      return { path, isNew: kind === 'A' };
    });
}

const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
for (const [kind, most] of Object.entries(MOST)) {
  const section = text.split('\n\n').find((each) => each.startsWith(`**${kind}.**`)) ?? '';
  const commit = /Example: `git show ([0-9a-f]{7,40})`/.exec(section)?.[1];
  if (commit === undefined) throw new Error(`CONTRIBUTING.md, «${kind}»: no example`);
  const files = touched(commit);
  const byHand = files.filter(({ path }) => !MADE.has(path));
  const counted = kind === 'A bill protocol' ? byHand.filter(isOldCode) : byHand;
  const shown = kind === 'A bill protocol' ? byHand.filter(({ isNew }) => !isNew) : byHand;
  console.log(
    `${kind} (${commit}): ${counted.length} of at most ${most}; ${files.length - byHand.length} more made by a command`,
  );
  for (const each of shown) console.log(`  ${counted.includes(each) ? '' : '(beside) '}${each.path}`);
  if (counted.length > most) process.exitCode = 1;
}
