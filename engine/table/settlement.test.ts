import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Minor } from '../core/money.ts';
import { partOf, reckoned, recompute } from './settlement.ts';

const minor = (value: number): Minor => value as Minor;

test('a line gives its net from its own numbers, whatever the game', () => {
  const net = (stake: number, line: Partial<Parameters<typeof recompute>[0]>): number =>
    recompute({ stakeMinor: minor(stake), odds: null, ...line });
  assert.equal(net(1_000, { odds: [3, 2] }), 1_500, 'blackjack');
  assert.equal(net(1_000, { odds: [-1, 1] }), -1_000, 'lost');
  assert.equal(net(1_000, { odds: [-1, 2] }), -500, 'surrender');
  assert.equal(net(1_000, {}), 0, 'a tie, a stake that comes back');
  assert.equal(
    net(2_000, { odds: [-1, 1], baseMinor: minor(1_000) }),
    -1_000,
    'a doubled bet: original only',
  );
  assert.equal(
    net(0, { odds: [3, 1], baseMinor: minor(600) }),
    1_800,
    'special prize: its base stays on the hand',
  );
  assert.equal(net(2_000, { odds: [2, 1], baseMinor: minor(1_000) }), 2_000, 'equal cards again in the war');
  assert.equal(net(10_000, { odds: [1, 1], commission: [1, 20] }), 9_500, 'the side of the bank with 5 %');
  assert.equal(
    net(10_010, { odds: [1, 1], commission: [1, 20], rounded: 'down' }),
    9_510,
    'never charged more',
  );
  assert.equal(net(10_001, { odds: [1, 2], rounded: 'up' }), 5_001, 'never paid less');
  assert.equal(net(1_001, { odds: [-1, 2], rounded: 'down' }), -500, 'never more than half');
  assert.equal(
    net(100, { odds: [1, 10], baseMinor: minor(999_050), keptMinor: minor(100) }),
    99_805,
    'jackpot',
  );
  assert.equal(net(100, { odds: [-1, 1], commission: [1, 20] }), -100, 'no commission on a lost bet');
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
  const amounts = fc.integer({ min: 0, max: 1_000_000_000 });
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

test('what comes back is the stake and the net', () => {
  const line = reckoned({
    seat: 1,
    by: 1,
    bet: 'main',
    hand: 0,
    outcome: 'blackjack',
    stakeMinor: minor(1_000),
    odds: [3, 2],
    returnedMinor: minor(0),
    netMinor: minor(0),
    cites: ['art.10.2'],
  });
  assert.equal(line.netMinor, 1_500);
  assert.equal(line.returnedMinor, 2_500);
});
