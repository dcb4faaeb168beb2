import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterExit, NO_RESTARTS, type RestartHistory, type RestartLimits } from './restarts.ts';

const LIMITS: RestartLimits = { minWaitMs: 100, maxWaitMs: 1_000, healthyMs: 500, cap: 4, windowMs: 10_000 };

/**
 * Waits for a run of lives, each given as [time of its end, how long it lived]; null = given up.
 */
function waits(lives: readonly (readonly [number, number])[]): (number | null)[] {
  let history: RestartHistory = NO_RESTARTS;
  return lives.map(([nowMs, livedMs]) => {
    const verdict = afterExit(history, nowMs, livedMs, LIMITS);
    if (!verdict.again) return null;
    history = verdict.history;
    return verdict.waitMs;
  });
}

test('short lives wait twice as long each time, a healthy life starts over', () => {
  assert.deepEqual(
    waits([
      [1_000, 10],
      [1_200, 10],
      [1_500, 10],
      [9_000, 7_000],
    ]),
    [100, 200, 400, 100],
  );
});

test('the wait never passes its maximum', () => {
  const spread = [0, 1, 2, 3, 4, 5, 6].map((n) => [n * 20_000, 10] as const);
  assert.deepEqual(waits(spread), [100, 200, 400, 800, 1_000, 1_000, 1_000]);
});

test('the cap counts restarts of the last window only', () => {
  const quick = [0, 1_000, 2_000, 3_000, 4_000].map((at) => [at, 600] as const);
  assert.deepEqual(waits(quick), [100, 100, 100, 100, null]);
  assert.deepEqual(waits([...quick.slice(0, 4), [10_500, 600]]), [100, 100, 100, 100, 100]);
});

test('however a process falls, never more than the cap within one window', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3_000), fc.nat(2_000)), { maxLength: 60 }), (falls) => {
      let history: RestartHistory = NO_RESTARTS;
      let nowMs = 0;
      const restarts: number[] = [];
      for (const [gapMs, livedMs] of falls) {
        nowMs += gapMs;
        const verdict = afterExit(history, nowMs, livedMs, LIMITS);
        if (!verdict.again) continue;
        restarts.push(nowMs);
        history = verdict.history;
        assert.ok(verdict.waitMs >= LIMITS.minWaitMs && verdict.waitMs <= LIMITS.maxWaitMs);
      }
      for (const from of restarts)
        assert.ok(restarts.filter((at) => at >= from && at < from + LIMITS.windowMs).length <= LIMITS.cap);
    }),
  );
});
