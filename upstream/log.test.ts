import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparing } from './log.ts';

test('an error that repeats itself is said once in ten seconds, with how often it was seen, and others between', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  let nowMs = 5;
  t.mock.method(performance, 'now', () => nowMs);
  const said: [string, number][] = [];
  const say = sparing((error, times) => said.push([(error as Error).message, times]));
  for (let i = 0; i < 500; i += 1) {
    say(new Error('away'));
    if (i % 2 === 0) say(new Error('busy'));
  }
  assert.deepEqual(said, [
    ['away', 1],
    ['busy', 1],
  ]);
  nowMs += 10_000;
  say(new Error('away'));
  assert.deepEqual(said.at(-1), ['away', 500]);
  // A thousand different ones are all said; what is remembered of them is little.
  for (let i = 0; i < 1_000; i += 1) say(new Error(`other ${i}`));
  assert.equal(said.length, 1_003);
  say(new Error('away'));
  assert.equal(said.length, 1_004);
});
