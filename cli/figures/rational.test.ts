import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  decimalText,
  edgeOf,
  fractionText,
  over,
  plus,
  power,
  ratio,
  readRational,
  times,
} from './rational.ts';

describe('a fraction', () => {
  it('is always in its lowest terms, with the sign above', () => {
    assert.equal(fractionText(ratio(6, -8)), '-3/4');
    assert.equal(fractionText(ratio(0, -8)), '0/1');
    assert.equal(fractionText(plus(ratio(1, 6), ratio(1, 3))), '1/2');
    assert.equal(fractionText(times(ratio(2, 3), ratio(3, 4))), '1/2');
    assert.equal(fractionText(over(ratio(2, 3), ratio(-4, 9))), '-3/2');
    assert.equal(fractionText(power(ratio(-2, 4), 3)), '-1/8');
    assert.throws(() => ratio(1, 0), RangeError);
  });

  it('becomes a decimal by rounding half away from zero', () => {
    assert.equal(decimalText(ratio(2, 3), 3), '0.667');
    assert.equal(decimalText(ratio(-2, 3), 3), '-0.667');
    assert.equal(decimalText(ratio(1, 8), 2), '0.13');
    assert.equal(decimalText(ratio(-1, 8), 2), '-0.13');
    assert.equal(decimalText(ratio(-1, 1000), 2), '0.00');
    assert.equal(decimalText(ratio(1234, 10), 2), '123.40');
  });

  it('is read from what people write, and from nothing else', () => {
    for (const [text, fraction, decimals] of [
      ['6/8', '3/4', null],
      ['0.250', '1/4', 3],
      ['.25', '1/4', 2],
      ['1', '1/1', null],
    ] as const) {
      const read = readRational(text)!;
      assert.deepEqual([fractionText(read.value), read.decimals], [fraction, decimals]);
    }
    for (const text of ['', '.', '1.', '-1', '+1', '1/0', '1/-2', '1e3', '0x1', ' 1', '1/2/3', 'half'])
      assert.equal(readRational(text), null, text);
  });

  it('comes back from its own text', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        (a, b) => {
          const value = ratio(a, b);
          assert.deepEqual(readRational(fractionText(value))?.value, value);
        },
      ),
    );
  });

  it('of the house is what the prizes leave of the stake', () => {
    assert.equal(fractionText(edgeOf()), '1/1');
    assert.equal(fractionText(edgeOf([ratio(1, 37), 35])), '1/37');
    assert.equal(fractionText(edgeOf([ratio(1, 2), 1], [ratio(1, 4), 3])), '-1/1');
  });
});
