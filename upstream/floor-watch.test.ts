import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FloorLine, SLOT_MS, type Standing } from './floor.store.ts';
import { NO_PLAN } from './floor-plan.ts';
import { NOTHING_KNOWN, type TableNow } from './floor-table.ts';
import { type Watched, watch } from './floor-watch.ts';

const NOW_MS = 5_000 * SLOT_MS + 1_000;
const SLOT = 5_000;
const line = (more: Partial<FloorLine> = {}, state: Partial<TableNow> = {}): FloorLine => ({
  ...{ terminal: 'T-1', headSeq: 9, lag: 0, silentMs: 500, clockOffMs: 0, isLocked: false },
  state: { ...NOTHING_KNOWN, ...state },
  ...more,
});
const watched = (more: Partial<Watched>): Watched => ({
  ...{
    nowMs: NOW_MS,
    lines: [line()],
    standing: [],
    hearsSinceMs: 0,
    lateSinceMs: new Map(),
    slots: [],
    plan: NO_PLAN,
  },
  ...more,
});
const wantedOf = (more: Partial<Watched>): string[] =>
  watch(watched(more)).wanted.map(({ kind, about }) => `${kind} ${about}`.trim());
const stands = (kind: Standing['kind'], about = ''): Standing => ({ terminal: 'T-1', no: 4, kind, about });
const overOf = (more: Partial<Watched>): string[] => watch(watched(more)).over.map(({ kind }) => kind);

test('silence is more than three seconds, of a locked terminal more than forty', () => {
  for (const [silentMs, isLocked, expected] of [
    [2_900, false, []],
    [3_001, false, ['silent']],
    [3_001, true, ['locked']],
    [40_001, true, ['silent', 'locked']],
    [null, false, []],
  ] as const)
    assert.deepEqual(
      wantedOf({ lines: [line({ silentMs, isLocked })] }),
      expected,
      `${silentMs} ${isLocked}`,
    );
});

test('nobody is called silent for what the centre itself could not hear, nor who has gone in order', () => {
  const lines = [line({ silentMs: 9_000 })];
  assert.deepEqual(wantedOf({ lines, hearsSinceMs: NOW_MS - 2_900 }), []);
  assert.deepEqual(wantedOf({ lines, hearsSinceMs: NOW_MS - 3_001 }), ['silent']);
  assert.deepEqual(wantedOf({ lines: [line({ silentMs: 9_000 }, { isOff: true })] }), []);
  const standing = [stands('silent')];
  assert.deepEqual(
    overOf({ lines, standing, hearsSinceMs: NOW_MS }),
    [],
    'what stands is not cured by not knowing',
  );
  assert.deepEqual(overOf({ lines: [line()], standing }), ['silent']);
  assert.deepEqual(wantedOf({ lines, standing }), [], 'once');
});

test('a wrong clock, entries that are late, a lock', () => {
  assert.deepEqual(wantedOf({ lines: [line({ clockOffMs: -60_001 })] }), ['clock']);
  assert.deepEqual(wantedOf({ lines: [line({ clockOffMs: 60_000 })] }), []);
  const late = (ms: number) => ({ lines: [line({ lag: 40 })], lateSinceMs: new Map([['T-1', NOW_MS - ms]]) });
  assert.deepEqual(wantedOf(late(2_001)), ['late']);
  assert.deepEqual(wantedOf(late(1_900)), []);
  assert.deepEqual(overOf({ standing: [stands('late'), stands('clock'), stands('locked')] }).toSorted(), [
    ...['clock', 'late', 'locked'],
  ]);
  assert.deepEqual(
    overOf({ standing: [stands('fault'), stands('call')] }),
    [],
    'those are for entries to cure',
  );
});

test('rounds an hour outside of the limits, once somebody has sat there for all of the time', () => {
  const plan = { ...NO_PLAN, pace: { minutes: 10, least: 30, most: 90 } };
  const slots = (...rounds: number[]) =>
    rounds.map((each, i) => ({ terminal: 'T-1', slot: SLOT - rounds.length + i, rounds: each }));
  const active = (slotsAgo: number) => [line({}, { activeSinceMs: (SLOT - slotsAgo) * SLOT_MS })];
  assert.deepEqual(wantedOf({ plan, lines: active(2), slots: slots(2, 2) }), ['pace low'], '24 an hour');
  assert.deepEqual(wantedOf({ plan, lines: active(2), slots: slots(99, 2, 3) }), [], '30 an hour');
  assert.deepEqual(wantedOf({ plan, lines: active(2), slots: slots(8, 8) }), ['pace high'], '96 an hour');
  assert.deepEqual(wantedOf({ plan, lines: active(1), slots: slots(0, 0) }), [], 'not for all of the time');
  assert.deepEqual(wantedOf({ plan, lines: [line()], slots: slots(0, 0) }), [], 'nobody sits there');
  assert.deepEqual(wantedOf({ lines: active(9), slots: [] }), [], 'the house has no limits');
  const low = [stands('pace', 'low')];
  assert.deepEqual(overOf({ plan, lines: active(2), slots: slots(9, 9), standing: low }), ['pace']);
  assert.deepEqual(overOf({ plan, lines: [line()], slots: [], standing: low }), ['pace'], 'they have left');
  const [wanted] = watch(watched({ plan, lines: active(2), slots: slots(2, 2) })).wanted;
  assert.deepEqual(wanted?.facts, { perHour: 24, limit: 30 });
});
