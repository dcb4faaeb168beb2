/** The disk under the ledger: on real file systems, where this account may mount one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stopsOf } from '../../host/watches/faults.ts';
import { House } from './house.ts';

test('906: on a full or slow disk the round on the table is played to its end and paid, no other begins', async (t) => {
  const house = await House.open(t);
  // Seat 1, bank; seat 1; bank: 20 against 17.
  await house.ready('TS 9H KD TC 8D');
  await house.fund(1, 50_000);
  await house.deal({ 1: 10_000 });
  for (const fault of ['storage-full', 'storage-slow'] as const)
    house.host.terminal.submit({
      type: 'report-fault',
      device: 'storage',
      fault,
      place: '95 %',
      ...stopsOf(fault, []),
    });
  assert.equal(house.view.hold, null);
  await house.insert(1, 10_000).catch(() => {});
  assert.equal(house.seat(1).creditMinor, 40_000, 'no note is taken');
  while (house.view.phase === 'offers' || house.view.phase === 'turns') {
    const choice = house
      .seat(1)
      .choices.find(({ act, allowed }) => allowed && (act === 'stand' || act === 'playOn'));
    assert.ok(choice);
    await house.do(house.act(1, choice.act));
  }
  while (house.step === 'draw-for-bank') await house.draw();
  house.passDeadline();
  await house.do({ type: 'close-round' });
  assert.ok(house.seat(1).creditMinor > 40_000, 'paid');
  assert.equal(house.step, 'call-supervisor');
  await house.refused({ type: 'open-betting' }, 'held');
  for (const fault of ['storage-full', 'storage-slow'])
    house.host.terminal.submit({ type: 'clear-fault', device: 'storage', fault });
  assert.equal(house.step, 'open-betting');
});

test('a small disk of its own: thresholds, reserve, full, read-only', (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'banca-disk-'));
  t.after(() => rmSync(disk, { recursive: true, force: true }));
  const inside = (command: string): ReturnType<typeof spawnSync> =>
    spawnSync('unshare', ['-Urm', 'sh', '-ec', `mount -t tmpfs -o size=64m banca ${disk}; ${command}`], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: disk, NODE_TEST_CONTEXT: '' },
      timeout: 240_000,
    });
  const may = inside('true');
  if (may.status !== 0) {
    t.skip(`no file system of one's own here: ${String(may.error?.message ?? may.stderr)}`);
    return;
  }
  const script = fileURLToPath(new URL('small-disk.ts', import.meta.url));
  const { status, stdout } = inside(`exec ${process.execPath} --test-reporter=spec ${script}`);
  assert.equal(status, 0, String(stdout));
  t.diagnostic(String(stdout));
});
