import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COST, quietly, Rates } from './rates.ts';

test('a seat may touch as fast as a hand can; a flood is refused, and hung up on when it goes on', () => {
  let nowMs = 0;
  const rates = new Rates(() => nowMs);
  for (; nowMs < 60_000; nowMs += 20)
    assert.equal(rates.take('a', 'seat:1'), 'go', '50 a second, for a minute');
  const heard = Array.from({ length: 1_100 }, () => rates.take('a', 'seat:1'));
  assert.equal(heard.filter((allowance) => allowance === 'go').length, 500);
  assert.equal(heard[500], 'first-refused');
  assert.equal(heard.at(-1), 'hang-up');
  assert.equal(rates.take('b', 'seat:2'), 'go', 'another display pays nothing for it');
  nowMs += 1_000;
  assert.equal(rates.take('a', 'seat:1'), 'go', 'after a pause it may go on');
});

test('1,400 touches a second on the big table are no flood', () => {
  let nowMs = 0;
  const rates = new Rates(() => nowMs);
  for (let i = 0; i < 1_400 * 60; i++, nowMs = (i / 1_400) * 1_000)
    assert.equal(rates.take('table', 'table'), 'go');
});

test('what cannot be read costs more', () => {
  const rates = new Rates(() => 0);
  let read = 0;
  for (; rates.take('a', 'dealer') === 'go'; read++) rates.charge('a', COST.malformed);
  assert.equal(read, 25);
});

test('a log line about the same is said once a second, with the number of the others', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const log = quietly(
    (line) => lines.push(line),
    () => nowMs,
  );
  for (; nowMs < 2_000; nowMs += 100) {
    log('seat:1', 'malformed');
    if (nowMs === 500) log('seat:2', 'other');
  }
  assert.deepEqual(lines, ['malformed', 'other', 'malformed (and 9 more like it)']);
});
