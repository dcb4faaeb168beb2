import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rulebookOf } from '../../engine/books.ts';
import { MACAU_57_2009 } from '../../engine/games/blackjack/macau-57-2009.ts';
import {
  articlesIn,
  asNumbered,
  BOOKS,
  citedIn,
  coverage,
  lostTests,
  orphans,
  type Statement,
  withoutComments,
} from './coverage.ts';
import { unexplained } from './events.ts';
import { PARTS, ROOT, WHOLE_FILES, withPart } from './generated.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const REGULATION = 'docs/regulations/macau-57-2009.md';

for (const part of PARTS)
  test(`${part.document}: ${part.name} is what the code says (node test/docs/generated.ts writes it)`, () => {
    const text = read(part.document);
    assert.equal(text, withPart(text, part));
  });

for (const { path, make } of WHOLE_FILES)
  test(`${path} is what the catalogue says (node test/docs/generated.ts writes it)`, () => {
    assert.equal(read(path), make());
  });

test('every event of the list has an entry or a fault, or there is a reason why not; never both', () => {
  assert.deepEqual(unexplained(), []);
});

test('a changed default is seen', () => {
  const part = PARTS.find(({ name }) => name === 'options');
  assert.ok(part);
  const changed = read(REGULATION).replace(
    '| `decks` | `art.1.2` | 1 to 12 | `6` |',
    '| `decks` | `art.1.2` | 1 to 12 | `8` |',
  );
  assert.notEqual(changed, read(REGULATION));
  assert.notEqual(changed, withPart(changed, part));
});

test('the document of 57/2009 has a section for each of the 21 articles and a word on every option', () => {
  const text = read(REGULATION);
  const headings = [...text.matchAll(/^### Article (\d+)\b/gm)].map((match) => Number(match[1]));
  assert.deepEqual(
    headings,
    Array.from({ length: 21 }, (_, i) => i + 1),
  );
  const words = text.slice(text.indexOf('### Article 1 '));
  const silent = MACAU_57_2009.options
    .filter(({ id, article }) => article !== '' && !words.includes(`\`${id}\``))
    .map(({ id }) => id);
  assert.deepEqual(silent, []);
});

test('every article the rulebook cites is explained under its own heading', () => {
  const text = read(REGULATION);
  const sections = new Map(
    text
      .split(/^### Article /m)
      .slice(1)
      .map((section) => [Number.parseInt(section, 10), section]),
  );
  const cited = [
    ...new Set([
      ...Object.values(MACAU_57_2009.articles),
      ...MACAU_57_2009.options.map(({ article }) => article),
    ]),
  ];
  const missing = cited.filter(
    (id) => id !== '' && !sections.get(Number(id.split('.')[1]))?.includes(id.slice('art.'.length)),
  );
  assert.deepEqual(missing, []);
});

test('no article is an orphan: each has code and a test, or a reason why only people or paper can keep it', () => {
  const covered = coverage();
  for (const { id } of BOOKS) assert.deepEqual(orphans(covered.get(id)!), [], id);
});

test('every test that a statement names is there, and a statement without one says why', () => {
  for (const { id } of BOOKS) assert.deepEqual(lostTests(id), [], id);
  const held = 'engine/table/shoe.test.ts: r.9 the warning card';
  const lost = (statement: Statement): string[] =>
    lostTests('portugal-blackjack', [{ id: 'r.99', subject: 'nothing', statements: [statement] }]);
  assert.deepEqual(lost({ says: 'this', tests: [held, 'vector pt-bj/lose'] }), []);
  assert.deepEqual(lost({ says: 'this', tests: [`${held}s`, 'vector pt-bj/none', 'no.ts: x'] }), [
    `r.99: no such test: ${held}s`,
    'r.99: no such test: vector pt-bj/none',
    'r.99: no such test: no.ts: x',
  ]);
  assert.deepEqual(lost({ says: 'this' }), ['r.99, this: neither a test nor why there is none']);
  assert.deepEqual(lost({ says: 'this', tests: [held], open: 'nobody' }), [
    'r.99, this: a test and a reason',
  ]);
});

test('what a comment says holds nothing', () => {
  const text =
    "/** art. 1.1 */ test('art. 2: x', () => same('art.3.1')); // art. 4\n const a = 'http://x/art.5';";
  assert.deepEqual([...citedIn(withoutComments(text))].toSorted(), ['art.2', 'art.3.1', 'art.5']);
});

test('an article that nobody cites is found', () => {
  const article = { id: 'art.99', subject: 'nothing', code: [], vectors: 0, tests: [] };
  assert.deepEqual(orphans([article]), ['art.99: no code, no test']);
  assert.deepEqual(orphans([{ ...article, code: ['engine/a.ts'] }]), ['art.99: no test']);
  assert.deepEqual(orphans([{ ...article, paper: 'a cloth' }]), []);
});

test('the lists of articles hold every article that the rulebooks and the vectors cite, each once', () => {
  const vectors = [
    'vectors-macau-blackjack',
    'vectors-portugal-war-baccarat',
    'vectors-authorised-bets',
  ].flatMap(
    (name) =>
      (
        JSON.parse(read(`test/data/vectors/${name}.json`)) as {
          vectors: { rulebook: string; cites: string[] }[];
        }
      ).vectors,
  );
  for (const { id } of BOOKS) {
    const listed = articlesIn(id).map((article) => article.id);
    assert.equal(new Set(listed).size, listed.length, id);
    const { articles, options } = rulebookOf(id)!;
    const cited = new Set([
      ...Object.values(articles),
      ...options.map(({ article }) => article),
      ...vectors.filter(({ rulebook }) => rulebook === id).flatMap(({ cites }) => asNumbered(cites)),
    ]);
    // An article may be cited as a whole; the preamble is no article.
    const missing = [...cited].filter(
      (cite) =>
        cite !== '' &&
        !cite.startsWith('pre') &&
        !listed.some((each) => each === cite || each.startsWith(`${cite}.`)),
    );
    assert.deepEqual(missing, [], id);
  }
});

test('articles are read out of code, comments and names of tests', () => {
  const text =
    "say('art.6.1'); // arts. 16.6, 17.3 and 13.5.2.vi; r.21, r.6.a and r.50 b; (art. 5.2.3.4) 'tie' 2018.art.13";
  assert.deepEqual([...citedIn(text)].sort(), [
    '2018.art.13',
    'art.13.5.2.vi',
    'art.16.6',
    'art.17.3',
    'art.5.2.3.4',
    'art.6.1',
    'r.21',
    'r.50',
    'r.6.a',
    'tie',
  ]);
});
