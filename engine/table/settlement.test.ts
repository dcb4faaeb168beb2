import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Minor } from '../core/money.ts';
import { reckoned, recompute } from './settlement.ts';

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
