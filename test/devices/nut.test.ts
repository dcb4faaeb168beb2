/** Our reader of upsd against Debian's own, with its driver dummy-ups. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { PowerEvent, PowerStatus } from '../../hardware/ports.ts';
import { NutSupply } from '../../hardware/power/nut.driver.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { tcpTransport } from '../../hardware/transport/socket.transport.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { assertBuilt, BUILT_HOST } from '../support/built.ts';
import { DummyUps, NO_NUT } from '../support/nut.ts';
import { until } from '../support/until.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('Debian’s upsd: mains, battery, its end, a driver that ends', { skip: NO_NUT }, async (t) => {
  const ups = await DummyUps.start(t);
  const events: PowerEvent[] = [];
  const supply = new NutSupply('ups', () => tcpTransport(ups.port), systemClock, { ups: 'ups' });
  supply.start((event) => events.push(event));
  t.after(() => supply.stop());
  const status = (): PowerStatus | undefined => events.findLast((event) => event.type === 'power')?.status;
  const said = () => JSON.stringify(events);
  await until('on the mains', () => status()?.onBattery === false, { said });
  assert.match(events.find((event) => event.type === 'identity')?.identity.model ?? '', /Dummy/);
  assert.deepEqual([status()?.charge, status()?.runtime], [100, 600]);
  ups.says('OB DISCHRG', 60);
  await until('on battery', () => status()?.onBattery === true, { said });
  assert.deepEqual([status()?.charge, status()?.batteryLow], [60, false]);
  ups.says('OB LB', 5);
  await until('at its end', () => status()?.batteryLow === true, { said });
  await ups.stop();
  await until('gone', () => events.at(-1)?.type === 'link', { said });
});

test('a terminal on Debian’s upsd: at the end of the battery the process ends in order, and the ledger says why', {
  skip: NO_NUT,
}, async (t) => {
  const ups = await DummyUps.start(t);
  const dir = mkdtempSync(join(tmpdir(), 'banca-ups-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const file = JSON.parse(readFileSync(join(ROOT, 'host/profiles/demo.json'), 'utf8')) as object;
  const devices = {
    acceptors: {},
    shoe: { model: 'ksp1', at: `unix:${join(dir, 'no-shoe')}` },
    ups: { model: 'nut', at: `tcp:${ups.port}`, options: { ups: 'ups' } },
    simulatorsAllowed: true,
  };
  const profile = join(dir, 'terminal.json');
  writeFileSync(profile, JSON.stringify({ ...file, devices }));
  const data = join(dir, 'data');
  assertBuilt();
  const args = [BUILT_HOST, '--data', data, '--profile', profile, '--simulators-allowed'];
  const host = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => host.kill('SIGKILL'));
  let said = '';
  host.stdout.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const ended = once(host, 'exit');
  await until('ready', () => said.includes('"ready":true'));
  const kinds = (): string[] => {
    const ledger = openLedgerReader(join(data, 'ledger.db'));
    const rows = ledger.newest({ beforeSeq: null, limit: 100, kind: null });
    ledger.close();
    return rows.map(
      ({ kind, body }) =>
        `${kind} ${(body as { fault?: string; why?: string }).fault ?? (body as { why?: string }).why ?? ''}`,
    );
  };
  // The driver looks at the second in which its file was written: it is written again.
  const says = (status: string, charge: number) => {
    ups.says(status, charge);
    const timer = setInterval(() => ups.says(status, charge), 1_500);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  };
  {
    using _ = says('OB DISCHRG', 50);
    await until('on battery', () => kinds().includes('fault-reported ups-on-battery'), {
      everyMs: 200,
      said: () => kinds().join('\n'),
    });
  }
  {
    using _ = says('OB LB', 5);
    assert.equal((await ended)[0], 0);
  }
  assert.equal(kinds()[0], 'program-stopped the battery of the UPS is at its end');
  assert.match(said, /"shutdown":"the battery of the UPS is at its end"/);
  assert.equal(verifyLedger(join(data, 'ledger.db')).problem, '');
});
