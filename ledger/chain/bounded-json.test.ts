import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { readBounded, readJsonFile } from './bounded-file.store.ts';
import { DEEPEST_JSON, parseBounded, tooDeepAt } from './bounded-json.ts';

const BOUNDS = { characters: 1_000, depth: 4 };

test('what is too long, too deep or a name of all objects is refused with its place, before anything is made of it', () => {
  assert.deepEqual(parseBounded('{"a":[[{"b":1}]]}', BOUNDS), { a: [[{ b: 1 }]] });
  const refused: readonly (readonly [string, RegExp])[] = [
    ['[[[[[1]]]]]', /nested deeper than 4 at character 5$/],
    [`{"a":"]]]]","b":[[[[${']'.repeat(4)}}`, /nested deeper than 4 at character 20$/],
    ['['.repeat(1_000), /nested deeper than 4/],
    ['['.repeat(1_001), /1001 characters, 1000 at most/],
    ['{"__proto__":{"role":"table"}}', /'__proto__' is no name/],
    ['[{"a":{"constructor":1}}]', /'constructor' is no name/],
    ['{"\\u005f_proto__":1}', /'__proto__' is no name/],
    ['{"prototype":1}', /'prototype' is no name/],
    ['{"a":"\\ud800"}', /lone surrogate/],
    ['{"\\udfff":1}', /lone surrogate/],
    ['["\ud83c"]', /lone surrogate/],
    ['{"a":', /JSON/],
    ['', /JSON/],
  ];
  for (const [text, why] of refused) assert.throws(() => parseBounded(text, BOUNDS), why, text);
  assert.deepEqual(parseBounded('{"a":"__proto__ and \\u0041"}', BOUNDS), { a: '__proto__ and A' });
});

test('brackets inside of texts do not count, and a depth is found where it is', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(9), (value, most) => {
      assert.equal(tooDeepAt(JSON.stringify(value), most) === null, depthOf(value) <= most);
    }),
  );
});

test('a file is read up to its bound, also one that does not end', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-bounded-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, 'file.json');
  writeFileSync(path, `{"name":"${'莎'.repeat(40_000)}"}`);
  assert.deepEqual(readJsonFile(path), { name: '莎'.repeat(40_000) });
  assert.throws(() => readBounded(path, 100_000), /longer than 100000 bytes/);
  assert.throws(() => readJsonFile('/dev/zero'), /longer than/);
  writeFileSync(path, '['.repeat(2 ** 20));
  assert.throws(() => readJsonFile(path), new RegExp(`nested deeper than ${DEEPEST_JSON}`));
});
