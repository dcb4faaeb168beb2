/**
 * `node test/docs/cost.ts`: how many files each kind of extension has touched, counted from the
 * commit that CONTRIBUTING.md names as its example. What a command makes is counted apart. Exit
 * status 1 when one costs more than it may. What a bill protocol costs is a test of its own
 * (test/devices/new-protocol.test.ts).
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
} as const;

const MADE: ReadonlySet<string> = new Set([
  ...PARTS.map(({ document }) => document),
  ...WHOLE_FILES.map(({ path }) => path),
  'renderer/texts/resources.d.ts',
]);

/** What was added and changed. */
const touched = (commit: string): string[] =>
  execFileSync('git', ['show', '--name-only', '--no-renames', '--format=', commit], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line !== '');

const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
for (const [kind, most] of Object.entries(MOST)) {
  const section = text.split('\n\n').find((each) => each.startsWith(`**${kind}.**`)) ?? '';
  const commit = /Example: `git show ([0-9a-f]{7,40})`/.exec(section)?.[1];
  if (commit === undefined) throw new Error(`CONTRIBUTING.md, «${kind}»: no example`);
  const files = touched(commit);
  const byHand = files.filter((path) => !MADE.has(path));
  console.log(
    `${kind} (${commit}): ${byHand.length} of at most ${most}; ${files.length - byHand.length} more made by a command`,
  );
  for (const path of byHand) console.log(`  ${path}`);
  if (byHand.length > most) process.exitCode = 1;
}
