import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MACAU_57_2009 } from '../../engine/games/blackjack/macau-57-2009.ts';
import { PARTS, ROOT, withPart } from './generated.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const REGULATION = 'docs/regulations/macau-57-2009.md';

for (const part of PARTS)
  test(`${part.document}: ${part.name} is what the code says (node test/docs/generated.ts writes it)`, () => {
    const text = read(part.document);
    assert.equal(text, withPart(text, part));
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
