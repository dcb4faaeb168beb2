/**
 * Data folder and witness put back together, on a machine whose TPM counts the starts: seen without
 * any centre.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../shell/paths.ts';
import { processTree } from '../shell/processes.ts';
import { LONG } from '../support/long.ts';
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

test('starts that die at any moment lock nothing, and the TPM counts on', {
  skip: NO_TPM || LONG,
}, async (t) => {
  const { p } = await counted(t);
  const terminal = await start(t, p);
  await owe(terminal);
  /** Process id of a host other than this one, from the moment it exists. */
  const after = (pid: number): Promise<number> =>
    until('the next host', () => {
      const hosts = processTree(terminal.terminal.pid).filter(({ command }) =>
        /\bhost\/main\.[jt]s\b/.test(command),
      );
      return hosts.find((process) => process.pid !== pid)?.pid;
    });
  let last = terminal.terminal.pidOf('host');
  for (const ms of [0, 50, 150, 250, 350, 500]) {
    await sleep(ms);
    process.kill(last, 'SIGKILL');
    last = await after(last);
  }
  await until('the last host', () => terminal.terminal.pidOf('host') === last);
  const table = await terminal.display('table');
  assert.equal(table.view.hold, null);
  await pay(terminal);
  assert.doesNotMatch(terminal.log(), /MONEY IS LOCKED/);
});
