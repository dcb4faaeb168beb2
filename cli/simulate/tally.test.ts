import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tally } from './tally.ts';

const near = (got: number | undefined, due: number): void =>
  assert.ok(Math.abs(got! - due) < 1e-12, `${got} is not ${due}`);

test('net per initial stake: the mean of the rounds and its standard error', () => {
  const tally = new Tally('main');
  // Won 1, lost 1, lost 2 after a double, won 1.5: mean -1/8, squares of the distances 6.1875 + …
  for (const [wagered, returned] of [
    [100, 200],
    [100, 0],
    [200, 0],
    [100, 250],
  ] as const) {
    tally.addBlocks(1, wagered, returned, 100, 100);
  }
  const { wageredMinor, returnedMinor, initialMinor } = tally.sums;
  assert.deepEqual([wageredMinor, returnedMinor, initialMinor], [500, 450, 400]);
  const nets = [1, -1, -2, 1.5];
  const variance = nets.reduce((sum, net) => sum + (net + 0.125) ** 2, 0) / 3;
  const net = tally.netPerInitial(100);
  near(net?.value, -0.125);
  near(net?.standardError, Math.sqrt(variance / 4));
  near(tally.returnToPlayer(100)?.value, 0.9);
});

test('seats of one round are one sample: alike results do not make the mean surer', () => {
  const [one, seven] = [new Tally('main'), new Tally('main')];
  for (const returned of [200, 0, 0, 200, 200, 0]) {
    one.addBlocks(1, 100, returned, 100, 100);
    seven.addBlocks(1, 700, 7 * returned, 700, 100);
  }
  near(seven.netPerInitial(100)?.standardError, one.netPerInitial(100)!.standardError);
});

test('a bet that is not decided in every round: the error of a ratio', () => {
  const tally = new Tally('streak2');
  for (const [wagered, returned] of [
    [0, 0],
    [100, 400],
    [100, 0],
    [0, 0],
  ] as const) {
    tally.addBlocks(1, wagered, returned, wagered, 100);
  }
  const back = tally.returnToPlayer(100);
  near(back?.value, 2);
  near(back?.standardError, Math.sqrt(((2 ** 2 + 2 ** 2) * 4) / 3) / 2);
});

test('nothing wagered has no return: a prize is measured by the bet that won it', () => {
  const prize = new Tally('specialPrize');
  assert.equal(prize.netPerInitial(100), null);
  prize.addBlocks(1, 0, 300, 1_000, 100);
  assert.equal(prize.returnToPlayer(100), null);
  near(prize.netPerInitial(100)?.value, 0.3);
});

test('sums of two tallies come to those of one that saw all blocks', () => {
  const whole = new Tally('main');
  const added = new Tally('main');
  const part = new Tally('main');
  for (const [no, returned] of [200, 0, 250, 100, 0, 0, 200].entries()) {
    for (const tally of [whole, part]) tally.addBlocks(1, 100, returned, 100, 100);
    if (no === 2 || no === 6) added.addSums(part.take());
  }
  assert.deepEqual(added.sums, whole.sums);
  assert.deepEqual(added.netPerInitial(100), whole.netPerInitial(100));
  assert.equal(part.sums.blocks, 0, 'what was taken is counted once');
});
