/** docs/features.md, read: everything in its rows and counts that does not hold. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
const STATES: readonly string[] = ['works', 'partly', 'missing', 'elsewhere'];
const NONE = '–';

/** A path in code marks, and words of the name of a test in that file. */
const SHOWN = /`([^`]+)`(?: «([^»]+)»)?/g;

interface Row {
  readonly id: string;
  readonly feature: string;
  readonly state: string;
  readonly shownBy: string;
  readonly without: string;
  readonly columns: number;
}

function rowOf(line: string): Row {
  const cells = line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  const [id = '', feature = '', state = '', shownBy = '', without = ''] = cells;
  return { id, feature, state, shownBy, without, columns: cells.length };
}

function problemsOfRow({ id, feature, state, shownBy, without, columns }: Row): string[] {
  const problems: string[] = [];
  if (columns !== 5) problems.push(`${columns} columns`);
  if (feature === '') problems.push('says nothing');
  if (!STATES.includes(state)) problems.push(`no state: ${state}`);
  let tests = 0;
  for (const [, path = '', name] of shownBy.matchAll(SHOWN)) {
    const file = join(ROOT, path);
    if (!existsSync(file)) problems.push(`no file ${path}`);
    else if (name !== undefined && !readFileSync(file, 'utf8').includes(name))
      problems.push(`${path} has no «${name}»`);
    else if (path.endsWith('.test.ts')) tests += 1;
  }
  if (['works', 'partly'].includes(state) && tests === 0) problems.push('no test');
  if (['partly', 'missing'].includes(state) === (without === NONE || without === ''))
    problems.push(`${state}, and what is missing: ${without}`);
  return problems.map((problem) => `${id}: ${problem}`);
}

/** One sentence for each; empty = the document holds. */
export function problemsOf(document: string): string[] {
  const [head = '', ...sections] = document.split(/^## /m);
  const rows = sections.map((section) =>
    section
      .split('\n')
      .filter((line) => /^\| [A-Z]\d/.test(line))
      .map(rowOf),
  );
  const all = rows.flat();
  const problems = all.flatMap(problemsOfRow);
  for (const [i, section] of sections.entries()) {
    const letter = String.fromCharCode('A'.charCodeAt(0) + i);
    if (!section.startsWith(`${letter}. `))
      problems.push(`section ${letter} is «${section.split('\n', 1)[0]}»`);
    for (const [before, { id }] of rows[i]!.entries())
      if (id !== `${letter}${before + 1}`) problems.push(`${id} stands where ${letter}${before + 1} should`);
  }
  const said = (pattern: RegExp): number => Number(pattern.exec(head)?.[1]);
  const total = said(/: (\d+) features/);
  if (total !== all.length) problems.push(`${total} features, ${all.length} rows`);
  for (const state of STATES) {
    const told = said(new RegExp(`^\\| ${state} \\|.*\\| (\\d+) \\|$`, 'm'));
    const count = all.filter((row) => row.state === state).length;
    if (told !== count) problems.push(`${state}: ${told} in the introduction, ${count} rows`);
  }
  return problems;
}
