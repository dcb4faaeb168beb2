import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  carriedPartOf,
  downToStep,
  exactPartOf,
  minor,
  minorOfFigure,
  minorOfUnits,
  oddMinorOf,
  type Parts,
  partOf,
  shareRounded,
  timesOf,
  timesSaid,
  unitsOf,
  upToStep,
  wholePartOf,
  wholeUnitsOf,
} from './money.ts';

const amounts = fc.integer({ min: 0, max: 1_000_000_000 });

test('money is a safe integer of minor units', () => {
  assert.equal(minor(-5), -5);
  for (const other of [0.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER + 1])
    assert.throws(() => minor(other), RangeError);
});

test('a fraction that nothing rounds is an error, never a number', () => {
  assert.throws(() => partOf(5, [1, 2]), RangeError);
  assert.throws(() => partOf(Number.MAX_SAFE_INTEGER, [3, 1]), RangeError);
  assert.equal(partOf(5, [1, 2], 'down'), 2);
  assert.equal(partOf(5, [1, 2], 'up'), 3);
  assert.ok(Object.is(partOf(0, [-1, 2]), 0), 'nothing lost is not minus nothing');
});

test('a share whose product leaves the safe integers is as exact as every other', () => {
  const odd = [123_456_789, 987_654_321] as const;
  assert.equal(partOf(1_000_000_000, odd, 'down'), 124_999_998);
  assert.equal(partOf(1_000_000_000, odd, 'up'), 124_999_999);
  assert.equal(partOf(1_000_000_000, [-odd[0], odd[1]], 'down'), -124_999_998);
  assert.throws(() => partOf(1_000_000_000, odd), RangeError, 'a fraction that nothing rounds');
  for (const rounded of [undefined, 'up', 'down'] as const)
    assert.equal(partOf(987_654_321_000, odd, rounded), 123_456_789_000, 'whole');
  assert.throws(() => partOf(2 ** 53 + 4, [1, 4]), RangeError, 'an amount that is no safe integer');
  assert.throws(() => partOf(Number.MAX_SAFE_INTEGER, [3, 2], 'down'), RangeError, 'nor is the result');
});

test('a part is exact where it can be, and less than one unit off where it is rounded', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.integer({ min: -40, max: 5_000 }),
      fc.integer({ min: 1, max: 100 }),
      (base, a, b) => {
        const down = partOf(base, [a, b], 'down');
        const up = partOf(base, [a, b], 'up');
        const [low, high] = a < 0 ? [up, down] : [down, up];
        assert.ok(low * b <= base * a && base * a <= high * b);
        assert.equal(Math.abs(up - down), (base * Math.abs(a)) % b === 0 ? 0 : 1);
      },
    ),
  );
});

test('a part that is no whole minor unit is none, and its exact fraction is known', () => {
  assert.equal(wholePartOf(1_000, [3, 2]), 1_500);
  assert.equal(wholePartOf(1_001, [3, 2]), null);
  assert.deepEqual(exactPartOf(1_001, [3, 2]), [3_003n, 2n]);
  // The share of a jackpot on a receipt: its product is beyond the safe integers.
  assert.equal(wholePartOf(987_654_321_000, [123_456_789, 987_654_321]), 123_456_789_000);
  assert.equal(wholePartOf(1_000_000_000, [123_456_789, 987_654_321]), null);
});

test('what others have said may be beyond all sense', () => {
  assert.equal(timesSaid(2_500, 11), 27_500);
  assert.ok(timesSaid(Number.MAX_SAFE_INTEGER, 2) > Number.MAX_SAFE_INTEGER);
});

test('so many times an amount is exact or an error', () => {
  assert.equal(timesOf(2_500, 11), 27_500);
  assert.throws(() => timesOf(Number.MAX_SAFE_INTEGER, 2), RangeError);
  assert.throws(() => timesOf(5, 0.5), RangeError);
});

test('steps are cut down to and filled up to, and an amount in steps stays', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 100_000 }), (amount, step) => {
      const [down, up] = [downToStep(amount, step), upToStep(amount, step)];
      assert.ok(down <= amount && amount <= up && down % step === 0 && up % step === 0);
      assert.equal(up - down, amount % step === 0 ? 0 : step);
    }),
  );
});

test('equal shares come to the whole, and the first have what is odd', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 12 }), (amount, shares) => {
      const each = Array.from({ length: shares }, (_, at) =>
        partOf(amount, [1, shares], shareRounded(amount, shares, at)),
      );
      assert.equal(
        each.reduce((sum, share) => sum + share),
        amount,
      );
      assert.deepEqual(
        each,
        each.toSorted((a, b) => b - a),
      );
    }),
  );
});

test('what a part leaves is carried on: many small ones come to one of them all', () => {
  fc.assert(
    fc.property(fc.array(amounts), fc.integer({ min: 1, max: 100 }), (many, b) => {
      let [sum, rest] = [0, [0, 1] as Parts];
      for (const amount of many) {
        const next = carriedPartOf(amount, [1, b], rest);
        [sum, rest] = [sum + next.amountMinor, next.rest];
      }
      const all = many.reduce((whole, amount) => whole + amount, 0);
      assert.equal(sum, Math.floor(all / b));
      assert.equal(rest[0] * b, (all % b) * rest[1]);
    }),
  );
  // Of another share, as much as this one has parts: half of a hundredth is none of fifty.
  assert.deepEqual(carriedPartOf(0, [1, 50], [1, 100]), { amountMinor: 0, rest: [0, 50] });
});

test('units and what is less come to the amount, and back', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      assert.equal(minorOfUnits(wholeUnitsOf(amount)) + oddMinorOf(amount), amount);
      assert.equal(minorOfFigure(unitsOf(amount)), amount);
      assert.equal(oddMinorOf(-amount), oddMinorOf(amount));
    }),
  );
  assert.equal(minorOfFigure(0.07), 7);
  assert.equal(minorOfUnits(5, 3), 500_000);
  assert.equal(minorOfUnits(5_000, -3), 500);
  assert.equal(minorOfUnits(5, -3), 0.5, 'no whole minor unit');
  assert.equal(minorOfUnits(300_000, -7), 3, 'divided: times 0.00001 it is not');
});
