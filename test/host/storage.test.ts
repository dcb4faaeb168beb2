/** The disk under the ledger: on real file systems, where this account may mount one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stopsOf } from '../../host/watches/faults.ts';
import { TestTerminal } from './test-terminal.ts';

test('906: on a full or slow disk the round on the table is played to its end and paid, no other begins', async (t) => {
  const kit = await TestTerminal.open(t);
  // Seat 1, bank; seat 1; bank: 20 against 17.
  await kit.ready('TS 9H KD TC 8D');
  await kit.fund(1, 50_000);
  await kit.deal({ 1: 10_000 });
  for (const fault of ['storage-full', 'storage-slow'] as const)
    kit.host.terminal.submit({
      type: 'report-fault',
      device: 'storage',
      fault,
      place: '95 %',
      ...stopsOf(fault, []),
    });
  assert.equal(kit.view.hold, null);
  await kit.insert(1, 10_000).catch(() => {});
  assert.equal(kit.seat(1).creditMinor, 40_000, 'no note is taken');
  while (kit.view.phase === 'offers' || kit.view.phase === 'turns') {
    const choice = kit
      .seat(1)
      .choices.find(({ act, allowed }) => allowed && (act === 'stand' || act === 'playOn'));
    assert.ok(choice);
    await kit.do(kit.act(1, choice.act));
  }
  while (kit.step === 'draw-for-bank') await kit.draw();
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  assert.ok(kit.seat(1).creditMinor > 40_000, 'paid');
  assert.equal(kit.step, 'call-supervisor');
  await kit.refused({ type: 'open-betting' }, 'held');
  for (const fault of ['storage-full', 'storage-slow'])
    kit.host.terminal.submit({ type: 'clear-fault', device: 'storage', fault });
  assert.equal(kit.step, 'open-betting');
});

test('a small disk of its own: thresholds, reserve, full, read-only', (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'banca-disk-'));
  t.after(() => rmSync(disk, { recursive: true, force: true }));
  const inside = (command: string): ReturnType<typeof spawnSync> =>
    spawnSync('unshare', ['-Urm', 'sh', '-ec', `mount -t tmpfs -o size=64m banca ${disk}; ${command}`], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: disk, NODE_TEST_CONTEXT: '' },
      timeout: 600_000,
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
