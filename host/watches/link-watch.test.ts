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
  const link = new LinkWatch(own, 20);
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
