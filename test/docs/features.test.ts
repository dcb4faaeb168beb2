import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { problemsOf, ROOT } from './features.ts';

const DOCUMENT = readFileSync(join(ROOT, 'docs/features.md'), 'utf8');

test('docs/features.md: every row has a state, its tests are there, and the counts are those of the rows', () => {
  assert.deepEqual(problemsOf(DOCUMENT), []);
});

const GOOD = [
  'What is asked for: 2 features.',
  '| works | all | 1 |',
  '| partly | some | 1 |',
  '| missing | none | 0 |',
  '| elsewhere | not here | 0 |',
  '## A. First',
  '| A1 | It holds. | works | `test/docs/links.test.ts` «a planted mistake» | – |',
  '| A2 | It holds for some. | partly | `test/docs/links.test.ts` | the others |',
].join('\n');

const MISTAKES: readonly (readonly [from: string, to: string, problem: string])[] = [
  ['| works | `', '| | `', 'A1: no state: '],
  ['links.test.ts` «', 'rechts.test.ts` «', 'A1: no file test/docs/rechts.test.ts'],
  ['«a planted mistake»', '«a planted error»', 'A1: test/docs/links.test.ts has no «a planted error»'],
  ['`test/docs/links.test.ts` «a planted mistake»', '`test/docs/links.ts`', 'A1: no test'],
  ['`test/docs/links.test.ts` «a planted mistake»', '–', 'A1: no test'],
  ['| the others |', '| – |', 'A2: partly, and what is missing: –'],
  ['» | – |', '» | something |', 'A1: works, and what is missing: something'],
  ['| the others |', '| the others | more |', 'A2: 6 columns'],
  ['| works | all | 1 |', '| works | all | 2 |', 'works: 2 in the introduction, 1 rows'],
  [': 2 features', ': 3 features', '3 features, 2 rows'],
  ['| A2 |', '| A3 |', 'A3 stands where A2 should'],
  ['## A. First', '## B. First', 'section A is «B. First»'],
];

test('a planted mistake of each kind is found', () => {
  assert.deepEqual(problemsOf(GOOD), []);
  for (const [from, to, problem] of MISTAKES) {
    assert.ok(GOOD.includes(from), from);
    const found = problemsOf(GOOD.replace(from, to));
    assert.ok(found.includes(problem), `${to}: ${JSON.stringify(found)}`);
  }
});
