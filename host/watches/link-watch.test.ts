import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_LINK, type UploadStatus } from '../../ledger/sync/uploader.ts';
import { LinkWatch } from './link-watch.ts';
import type { OwnFaults } from './own-faults.ts';

const status = (change: Partial<UploadStatus>): UploadStatus => ({ ...NO_LINK, ...change });

test('701: a link that is back at once is no fault', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: string[] = [];
  const standing = new Set<string>();
  const own = {
    set: (_part: string, fault: string, isThere: boolean, o?: { place?: string }) => {
      if (isThere === standing.has(fault)) return;
      if (isThere) standing.add(fault);
      else standing.delete(fault);
      told.push(`${fault} ${isThere ? (o?.place ?? '') : 'over'}`);
    },
  } as unknown as OwnFaults;
  const link = new LinkWatch({
    own,
    lostAfterMs: 20,
    downSinceMs: () => null,
    now: () => 0,
    mostMs: () => null,
  });
  link.start();
  link.is(status({ state: 'up' }));
  link.is(status({ state: 'down', lastError: 'refused' }));
  link.is(status({ state: 'up' }));
  t.mock.timers.tick(60);
  assert.deepEqual(told, []);
  link.is(status({ state: 'down', lastError: 'refused' }));
  t.mock.timers.tick(19);
  assert.deepEqual(told, [], 'not yet');
  t.mock.timers.tick(1);
  assert.deepEqual(told, ['link-down refused']);
  link.is(status({ state: 'up' }));
  assert.deepEqual(told.splice(0), ['link-down refused', 'link-down over']);
  link.stop();
  link.is(status({ state: 'down' }));
  t.mock.timers.tick(60);
  assert.deepEqual(told, [], 'nothing after the end');
});

test('G7: without a centre for as long as the house allows, and not before, no further round; the link ends it', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 });
  const HOUR_MS = 3_600_000;
  // A timer that another one sets counts from where the clock stands after the tick.
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= 5_000) t.mock.timers.tick(Math.min(5_000, left));
  };
  const since = new Map<string, number>();
  const own = {
    set: (_part: string, fault: string, isThere: boolean) => {
      if (!isThere) since.delete(fault);
      else if (!since.has(fault)) since.set(fault, Date.now());
    },
  } as unknown as OwnFaults;
  let mostMs: number | null = 4 * HOUR_MS;
  const watch = (): LinkWatch =>
    new LinkWatch({
      own,
      lostAfterMs: 5_000,
      downSinceMs: () => since.get('link-down') ?? null,
      now: () => Date.now(),
      mostMs: () => mostMs,
    });
  let link = watch();
  link.start();
  link.is(status({ state: 'up' }));
  pass(HOUR_MS);
  link.is(status({ state: 'down' }));
  pass(5_000 + 4 * HOUR_MS - 1);
  assert.deepEqual([...since.keys()], ['link-down']);
  pass(1);
  assert.deepEqual([...since.keys()], ['link-down', 'link-overdue']);
  link.is(status({ state: 'up' }));
  assert.deepEqual([...since.keys()], []);
  // A restart does not begin it again.
  link.is(status({ state: 'down' }));
  pass(5_000 + 3 * HOUR_MS);
  link.stop();
  link = watch();
  link.start();
  pass(HOUR_MS - 1);
  assert.equal(since.has('link-overdue'), false);
  pass(1);
  assert.equal(since.has('link-overdue'), true);
  // Whoever allows more is obeyed within a minute.
  mostMs = null;
  pass(60_000);
  assert.deepEqual([...since.keys()], ['link-down']);
  link.stop();
});
