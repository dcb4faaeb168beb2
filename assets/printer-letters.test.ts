/** The letters of the printer are those of the font that is shipped. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw } from '../hardware/printer/letters.ts';
import { lettersOf, slices } from './printer-letters.ts';

test('drawn again out of the font, some letters are dot for dot what is in the repository', async () => {
  const all = slices();
  assert.ok(all.length > 100);
  const withA = (letter: string) => all.find(({ codes }) => codes.includes(letter.codePointAt(0)!))!;
  for (const letter of ['a', 'ç', '派']) {
    const { file, codes } = withA(letter);
    const some = codes.filter((code) => code === letter.codePointAt(0) || code % 7 === 0).slice(0, 60);
    const letters = await lettersOf(file, [...some, letter.codePointAt(0)!]);
    assert.ok(letters.length > 5, letter);
    for (const { code, columns } of letters) {
      const { rows } = draw(String.fromCodePoint(code), {})![0]!;
      const dots = columns.map((_, x) =>
        rows.reduce((column, row, y) => column | (((row[x >> 3]! >> (7 - (x & 7))) & 1) << y), 0),
      );
      assert.deepEqual(dots, columns, String.fromCodePoint(code));
    }
  }
});
