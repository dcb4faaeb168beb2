import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { articles, verdictOf, wanted } from './articles.ts';
import { type Held, statements } from './coverage.ts';

const held = (over: Partial<Held>): Held => ({
  ...{ rulebook: 'macau-casino-war', article: 'art.5.1', no: null, says: 'something' },
  ...{ vectors: [], tests: [], why: null },
  ...over,
});

test('L10: a statement passes where all that holds it was run and passed, and nothing else does', () => {
  const ran = {
    vectors: new Map([
      ['V1', true],
      ['V2', false],
    ]),
    tests: new Map([
      [
        'a.test.ts',
        [
          { title: 'art. 1: holds', passed: true },
          { title: 'art. 2: not', passed: false },
        ],
      ],
    ]),
  };
  const of = (over: Partial<Held>): string => {
    const { verdict, failed } = verdictOf(held(over), ran);
    return [verdict, ...failed].join(' ');
  };
  assert.equal(of({ vectors: ['V1'] }), 'passes');
  assert.equal(of({ vectors: ['V1', 'V2'] }), 'fails vector V2');
  assert.equal(of({ vectors: ['V3'] }), 'fails vector V3', 'what was not run holds nothing');
  assert.equal(of({ tests: [{ file: 'a.test.ts', title: 'art. 1' }] }), 'passes');
  assert.equal(of({ tests: [{ file: 'a.test.ts', title: null }] }), 'fails a.test.ts');
  assert.equal(of({ tests: [{ file: 'a.test.ts', title: 'art. 3' }] }), 'fails a.test.ts: art. 3');
  assert.equal(of({ why: { paper: 'cloth' } }), 'paper');
  assert.equal(of({ why: { open: 'nobody has' } }), 'open');
});

test('L10: every statement of the five regulations is asked for by its number, the parts of an article with it', () => {
  const all = statements();
  assert.ok(all.length > 380, `${all.length} statements`);
  assert.equal(new Set(all.map(({ rulebook }) => rulebook)).size, 5);
  const one = wanted(all, ['art.16']);
  assert.ok(one.length > 1 && one.every(({ article }) => /^art\.16(\.|$)/.test(article)));
  assert.deepEqual(wanted(all, ['art.99']), []);
});

test('L10: one command runs an article and says of it whether it passes', async () => {
  const said: string[] = [];
  assert.equal(await articles(['art.99'], (line) => said.push(line)), 2);
  assert.match(said.join(), /no regulation or article art\.99/);
  // In a process of its own: the runner of tests runs none inside of a test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const out = execFileSync(process.execPath, ['test/docs/articles.ts', 'r.13', 'r.19'], {
    encoding: 'utf8',
    env,
  });
  assert.match(out, /^(passes|paper|open) +portugal-blackjack r\.19 /m);
  assert.match(out, /^\d+ passes, 0 fails, /m);
});
