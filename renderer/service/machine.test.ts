import assert from 'node:assert/strict';
import test from 'node:test';
import { VIEWS } from '../../test/fixtures/views.ts';
import { MAP, MAP_DEVICES } from '../../test/screens/service-answers.ts';
import { FAULTS, type FaultId } from '../../wire/faults.ts';
import type { DevicePage } from '../../wire/pages.ts';
import { brokeLast, countsOf, type Part, partsOf, type Told, worstOf } from './machine.ts';
import { GROUP_NAMES, GROUPS, groupOf, partsIn } from './page-groups.ts';

const VIEW = { ...VIEWS.service, devices: MAP_DEVICES };
const NOTHING: Told = {
  devices: null,
  displays: null,
  storage: null,
  clock: null,
  reading: null,
  software: null,
};
const TOLD: Told = {
  devices: MAP.devices!,
  displays: MAP.displays!,
  storage: MAP.storage!,
  clock: MAP.clock!,
  reading: MAP.reading!,
  software: MAP.software!,
};
const byId = (parts: readonly Part[]): Readonly<Record<string, Part>> =>
  Object.fromEntries(parts.map((part) => [part.id, part]));

test('every device, display, link, file and clock is a part, in its state', () => {
  const parts = partsOf(VIEW, TOLD);
  const at = byId(parts);
  assert.equal(parts.length, new Set(parts.map(({ id }) => id)).size);
  assert.deepEqual(
    ['acceptor-3', 'acceptor-5', 'printer', 'shoe', 'display:seat:4'].map((id) => at[id]?.health),
    ['fault', 'warning', 'warning', 'ok', 'ok'],
  );
  assert.deepEqual([at['acceptor-3']?.no, at['display:seat:4']?.no, at['shoe']?.no], [3, 4, null]);
  assert.deepEqual(countsOf(parts), { ok: parts.length - 3, warning: 2, fault: 1 });
  assert.deepEqual(
    GROUP_NAMES.map((group) => countsOf(partsIn(group, parts)).fault),
    [0, 0, 1, 0, 0, 0],
  );
});

test('before anything is answered the devices of the view are there, and what is not known is not drawn', () => {
  const parts = byId(partsOf(VIEW, NOTHING));
  for (const id of ['acceptor-1', 'shoe', 'display:table', 'link', 'ledger', 'clock', 'program'])
    assert.ok(parts[id], id);
  assert.equal(parts['reader'], undefined);
  assert.equal(parts['display:dealer'], undefined);
  // The fault of the jammed one is not told yet; its state is.
  assert.equal(parts['acceptor-3']?.health, 'warning');
});

const machine = (fault: FaultId, device: string): DevicePage => ({
  devices: [],
  machine: [
    {
      ...{ device, fault, place: device, sinceMs: 0, code: FAULTS[fault].code, level: FAULTS[fault].level },
      ...{ persons: [], canBeEnded: false, where: null, steps: [] },
    },
  ],
});

test('a fault of the machine itself stands at one part, a notice as a warning and any other level as a fault', () => {
  for (const [fault, device, id, health] of [
    ['storage-low', 'storage', 'ledger', 'warning'],
    ['storage-full', 'storage', 'ledger', 'fault'],
    ['witness-failed', 'witness', 'ledger', 'warning'],
    ['clock-behind', 'clock', 'clock', 'warning'],
    ['link-down', 'centre', 'link', 'warning'],
    ['books-differ', 'books', 'program', 'fault'],
    ['code-not-authentic', 'program', 'program', 'fault'],
    ['window-restarts', 'window', 'display:table', 'fault'],
    ['seat-display-lost', 'display:seat:2', 'display:seat:2', 'fault'],
    ['dealer-display-lost', 'display:dealer', 'display:dealer', 'warning'],
    ['sign-display-lost', 'display:spectator', 'display:spectator', 'warning'],
  ] as const) {
    const parts = partsOf(VIEW, { ...TOLD, devices: machine(fault, device), displays: null });
    const shown = parts.filter(({ faults }) => faults.length > 0);
    assert.deepEqual(
      shown.map((part) => [part.id, part.health]),
      [[id, health]],
      fault,
    );
  }
  const reader = partsOf(VIEW, { ...TOLD, devices: machine('reader-gone', 'reader') });
  assert.equal(byId(reader)['reader']?.health, 'fault');
});

test('service mode begins at the part that broke last of those that stop something; a notice is no such part', () => {
  const since = (fault: FaultId, device: string, sinceMs: number) =>
    machine(fault, device).machine.map((each) => ({ ...each, sinceMs }));
  const begun = (...faults: readonly DevicePage['machine'][]): string | null =>
    brokeLast(partsOf(VIEW, { ...NOTHING, devices: { devices: [], machine: faults.flat() } }))?.id ?? null;
  assert.equal(begun(), null);
  const notice = since('clock-behind', 'clock', 9);
  assert.equal(begun(notice), null);
  const [full, display] = [
    since('storage-full', 'storage', 3),
    since('seat-display-lost', 'display:seat:2', 5),
  ];
  assert.equal(begun(full, notice), 'ledger');
  assert.equal(begun(full, display, notice), 'display:seat:2');
  assert.equal(begun(display, full), 'display:seat:2');
  assert.equal(brokeLast(partsOf(VIEW, TOLD))?.id, 'acceptor-3');
});

test('a link without a centre, a clock off by more than a step and a failed self-test want to be looked at', () => {
  const off = { ...VIEW, link: { ...VIEW.link, state: 'off' as const } };
  assert.equal(byId(partsOf(off, TOLD))['link']?.health, 'warning');
  const clock = { ...TOLD.clock!, centre: { offMs: -2_001, ackAtMs: null } };
  assert.equal(byId(partsOf(VIEW, { ...TOLD, clock }))['clock']?.health, 'warning');
  const software = { ...TOLD.software!, selfTest: [{ check: 'books', ok: false, detail: '' }] };
  assert.equal(byId(partsOf(VIEW, { ...TOLD, software }))['program']?.health, 'fault');
  assert.equal(worstOf([]), 'ok');
});

test('every page stands in one group', () => {
  const pages = GROUP_NAMES.flatMap((group) => [...GROUPS[group]]);
  assert.equal(new Set(pages).size, pages.length);
  for (const page of pages) assert.ok((GROUPS[groupOf(page)] as readonly string[]).includes(page));
});
