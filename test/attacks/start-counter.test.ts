/** Data folder and witness put back together, on a machine whose TPM counts the starts: seen without any centre. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../shell/paths.ts';
import { NO_TPM, SoftwareTpm } from '../support/tpm.ts';
import { until } from '../support/until.ts';
import { assertLocked, headOf, owe, type Place, pay, place, start } from './images.ts';
import { folderOf } from './kit.ts';

async function counted(t: TestContext): Promise<{ readonly p: Place; readonly tpm: SoftwareTpm }> {
  const tpm = new SoftwareTpm(t);
  await tpm.start();
  const profile = join(folderOf(t), 'terminal.json');
  const demo = JSON.parse(readFileSync(join(ROOT, 'host/profiles/demo.json'), 'utf8')) as object;
  writeFileSync(profile, JSON.stringify({ ...demo, tpm: tpm.tcti }));
  return { p: place(t, ['--profile', profile]), tpm };
}

/** Everything that the machine has on its disks. */
const PARTS = ['data', 'witness'] as const;
const keepAll = (p: Place, name: string): void => {
  for (const part of PARTS)
    cpSync(p[part], join(p.images, name, part), {
      recursive: true,
      filter: (path) => !path.startsWith(join(p.data, 'rack')),
    });
};
const putAllBack = (p: Place, name: string): void => {
  for (const part of PARTS) {
    rmSync(p[part], { recursive: true, force: true });
    cpSync(join(p.images, name, part), p[part], { recursive: true });
  }
};

test('data folder and witness put back together pay nothing', { skip: NO_TPM }, async (t) => {
  const { p, tpm } = await counted(t);
  const one = await start(t, p);
  await owe(one);
  await one.terminal.stop();
  keepAll(p, 'old');
  const two = await start(t, p);
  await pay(two);
  await two.terminal.stop();
  keepAll(p, 'newest');
  putAllBack(p, 'old');
  const head = headOf(p);
  for (let life = 0; life < 2; life += 1) {
    const old = await start(t, p);
    await assertLocked(old, 'ledger-old');
    assert.match(
      old.log(),
      /MONEY IS LOCKED: the TPM has counted start \d+, this ledger knows of none after \d+/,
    );
    await old.terminal.stop();
  }
  assert.equal(headOf(p), head, 'nothing was written');
  putAllBack(p, 'newest');
  const newest = await start(t, p);
  const table = await newest.display('table');
  assert.deepEqual([table.view.hold, table.view.handPays], [null, []]);
  await newest.terminal.stop();
  // The TPM taken away, or another one put in.
  await tpm.stop();
  const without = await start(t, p);
  await assertLocked(without, 'witness-gone');
  // It was only late: the next look finds it.
  const from = without.terminal.events.length;
  await tpm.start();
  await without.terminal.event('a new host', (m) => (m['host'] as { ready?: unknown })?.ready === true, from);
  assert.equal((await without.display('table')).view.hold, null);
});

test('starts that die at any moment lock nothing, and the TPM counts on', { skip: NO_TPM }, async (t) => {
  const { p } = await counted(t);
  const terminal = await start(t, p);
  await owe(terminal);
  for (let i = 0; i < 6; i += 1) {
    const from = terminal.terminal.events.length;
    process.kill(terminal.terminal.pidOf('host'), 'SIGKILL');
    // Its successor in the middle of its start.
    const pid = terminal.terminal.pidOf('host');
    await until('its successor', () => terminal.terminal.pidOf('host') !== pid);
    await sleep(350 + i * 60);
    try {
      process.kill(terminal.terminal.pidOf('host'), 'SIGKILL');
    } catch {
      // It has gone by itself.
    }
    await terminal.terminal.event(
      'a new host',
      (m) => (m['host'] as { ready?: unknown })?.ready === true,
      from,
    );
  }
  await terminal.terminal.event('the last host', (m) => (m['host'] as { ready?: unknown })?.ready === true);
  const table = await terminal.display('table');
  assert.equal(table.view.hold, null);
  await pay(terminal);
  assert.doesNotMatch(terminal.log(), /MONEY IS LOCKED/);
});
