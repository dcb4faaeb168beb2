import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HEARD_NOTHING,
  type Silence,
  silenceAfter,
  type ThreadState,
  threadOf,
  whyStalled,
} from './stall-watch.ts';

const SPEAKS: Silence = { ...HEARD_NOTHING, speaks: true };

/**
 * Looks every half second at a thread that does `each`; when and why it is ended, null = not within
 * two minutes.
 */
function judged(from: Silence, each: (look: number) => ThreadState, everyMs = 500): [number, string] | null {
  let silence = from;
  for (let look = 1; look <= 240; look++) {
    const thread = each(look);
    silence = silenceAfter(silence, everyMs, thread);
    const why = whyStalled(silence, thread);
    if (why !== null) return [look * 500, why];
  }
  return null;
}

test('one that was stopped, that loops, or that waits for ever is ended in time', () => {
  assert.deepEqual(
    judged(HEARD_NOTHING, () => ({ state: 'T', cpuMs: 10 })),
    [2_000, 'it was stopped'],
  );
  assert.deepEqual(
    judged(SPEAKS, (look) => ({ state: 'R', cpuMs: look * 480 })),
    [6_000, 'it said nothing for 6 s and kept the processor'],
  );
  assert.deepEqual(
    judged(SPEAKS, () => ({ state: 'S', cpuMs: 10 })),
    [6_000, 'it said nothing for 6 s'],
  );
});

test('one that only waits for its turn, for a disk, or that never spoke is not', () => {
  assert.equal(
    judged(SPEAKS, (look) => ({ state: 'R', cpuMs: look * 5 })),
    null,
    'starved',
  );
  assert.ok(judged(SPEAKS, () => ({ state: 'D', cpuMs: 10 }))![0] >= 60_000, 'a slow disk');
  assert.equal(
    judged(HEARD_NOTHING, () => ({ state: 'S', cpuMs: 10 })),
    null,
    'never spoke',
  );
});

test('our own stall is not the silence of the other', () => {
  let silence = SPEAKS;
  for (let i = 0; i < 5; i++) silence = silenceAfter(silence, 600_000, { state: 'S', cpuMs: 10 });
  assert.equal(whyStalled(silence, { state: 'S', cpuMs: 10 }), null);
});

test('the kernel says what a process does', () => {
  const own = threadOf(process.pid);
  assert.ok(own && /^[RSD]$/.test(own.state) && own.cpuMs > 0, JSON.stringify(own));
  assert.equal(threadOf(2 ** 22 + 1), null);
});
