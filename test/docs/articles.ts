/**
 * `npm run test:articles [-- REGULATION|ARTICLE…]`: runs the vectors and tests that hold each
 * statement of the regulations, and says of each whether it passes: `node test/docs/articles.ts
 * art.16.3 portugal-blackjack` runs one article of every regulation and the whole of another. Exit
 * 0 all pass, 1 one fails, 2 there is no such article.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { playVectors } from '../../cli/vectors.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { type Held, statements } from './coverage.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** What was run: names of vectors and titles of tests by file, each with whether it passed. */
export interface Run {
  readonly vectors: ReadonlyMap<string, boolean>;
  readonly tests: ReadonlyMap<string, readonly { readonly title: string; readonly passed: boolean }[]>;
}

export type Verdict = 'passes' | 'fails' | 'open' | 'paper';

/** Of a statement; with what did not pass or was not run. */
export function verdictOf(held: Held, { vectors, tests }: Run): { verdict: Verdict; failed: string[] } {
  const failed = [
    ...held.vectors.filter((id) => vectors.get(id) !== true).map((id) => `vector ${id}`),
    ...held.tests.flatMap(({ file, title }) => {
      const own = (tests.get(file) ?? []).filter((each) => title === null || each.title.startsWith(title));
      // A test that is not there any more, or was skipped, holds nothing.
      return own.length > 0 && own.every(({ passed }) => passed)
        ? []
        : [`${file}${title === null ? '' : `: ${title}`}`];
    }),
  ];
  if (failed.length > 0) return { verdict: 'fails', failed };
  if (held.vectors.length + held.tests.length > 0) return { verdict: 'passes', failed };
  return { verdict: held.why !== null && 'paper' in held.why ? 'paper' : 'open', failed };
}

/** Those of a regulation or with that number, its parts too. */
export const wanted = (all: readonly Held[], words: readonly string[]): Held[] =>
  words.length === 0
    ? [...all]
    : all.filter(({ rulebook, article }) =>
        words.some((word) => word === rulebook || article === word || article.startsWith(`${word}.`)),
      );

function playedVectors(): Map<string, boolean> {
  const played = new Map<string, boolean>();
  for (const path of globSync('test/data/vectors/*.json', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const { failures } = playVectors(text);
    for (const { id } of (JSON.parse(text) as { vectors: { id: string }[] }).vectors) played.set(id, true);
    for (const { id } of failures) played.set(id, false);
  }
  return played;
}

async function ranTests(files: readonly string[]): Promise<Run['tests']> {
  const ran = new Map<string, { title: string; passed: boolean }[]>();
  if (files.length === 0) return ran;
  const note = (file: string | undefined, title: string, passed: boolean): void => {
    if (file === undefined) return;
    const path = relative(ROOT, file);
    ran.set(path, [...(ran.get(path) ?? []), { title, passed }]);
  };
  const stream = run({ files: files.map((file) => join(ROOT, file)), concurrency: 2, timeout: 900_000 });
  for await (const { type, data } of stream) {
    if (type === 'test:pass' && data.skip === undefined) note(data.file, data.name, true);
    else if (type === 'test:fail') note(data.file, data.name, false);
  }
  return ran;
}

/** The command; returns its exit code. */
export async function articles(words: readonly string[], say: (line: string) => void): Promise<number> {
  const all = statements();
  const unknown = words.filter((word) => wanted(all, [word]).length === 0);
  if (unknown.length > 0) {
    say(`there is no regulation or article ${unknown.join(', ')}: see docs/regulations/coverage.md`);
    return 2;
  }
  const asked = wanted(all, words);
  const files = [...new Set(asked.flatMap(({ tests }) => tests.map(({ file }) => file)))];
  const needsVectors = asked.some(({ vectors }) => vectors.length > 0);
  const done: Run = { vectors: needsVectors ? playedVectors() : new Map(), tests: await ranTests(files) };
  const counts = { passes: 0, fails: 0, open: 0, paper: 0 };
  for (const held of asked) {
    const { verdict, failed } = verdictOf(held, done);
    counts[verdict] += 1;
    const number = held.no === null ? held.article : `${held.article} (${held.no})`;
    const why = held.why === null ? '' : `: ${Object.values(held.why).join()}`;
    say(`${verdict.padEnd(6)} ${held.rulebook} ${number} ${held.says}${verdict === 'passes' ? '' : why}`);
    for (const each of failed) say(`       did not pass: ${each}`);
  }
  say(
    Object.entries(counts)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(', '),
  );
  return counts.fails === 0 ? 0 : 1;
}

if (import.meta.main) {
  const { positionals } = argumentsOf({ allowPositionals: true, options: {} });
  process.exitCode = await articles(positionals, console.log);
}
