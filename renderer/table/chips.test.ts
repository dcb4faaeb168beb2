import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountText, amountTexts, CHIPS, chipColumns, signedText } from './chips.ts';

const worth = (columns: number[][]): number =>
  columns.flat().reduce((sum, kind) => sum + CHIPS[kind]!.value * 100, 0);

test('chips add up to the amount as long as ten chips can', () => {
  for (const patacas of [10, 50, 60, 100, 300, 600, 1500, 1560, 6000, 8760, 10_000]) {
    assert.equal(worth(chipColumns(patacas * 100)), patacas * 100, `${patacas}`);
  }
});

test('any amount is a stack of one to ten chips, never worth more than the amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), (minor) => {
      const columns = chipColumns(minor);
      const count = columns.flat().length;
      assert.ok(count >= 1 && count <= 10);
      assert.ok(columns.length <= 2 && columns.every((column) => column.length <= 5));
      assert.ok(worth(columns) <= minor);
    }),
  );
});

test('nothing is no stack, and a rest under ten is one plain chip on top', () => {
  assert.deepEqual(chipColumns(0), []);
  assert.deepEqual(chipColumns(2500), [[5, 5, 6]]);
});

test('amounts are short and exact, in the figures of their language', () => {
  assert.equal(amountText(225_000, 'zh-Hant'), '2,250');
  assert.equal(amountText(225_000, 'pt'), '2\u00a0250');
  assert.equal(amountText(1250, 'en'), '12.50');
  assert.equal(amountText(1250, 'pt'), '12,50');
  assert.equal(signedText(-60_000, 'en'), '−600');
  assert.equal(signedText(0, 'zh-Hant'), '+0');
});

test('a label with little room tells an amount as the chips do, where that is exact', () => {
  assert.deepEqual(amountTexts(90_000, 'en'), ['900']);
  assert.deepEqual(amountTexts(150_000, 'en'), ['1,500', '1.5K']);
  assert.deepEqual(amountTexts(150_000, 'pt'), ['1\u00a0500', '1,5K']);
  assert.deepEqual(amountTexts(125_000, 'zh-Hant'), ['1,250']);
  assert.deepEqual(amountTexts(-1_000_000, 'zh-Hant', true), ['−10,000', '−10K']);
});
