/**
 * What a new bill protocol needs: the files of `tin/`, its page among them, and the line that
 * stands here for that of the registry.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MODELS, modelOf } from '../../hardware/models.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { readRecording } from '../../hardware/transport/recording.ts';
import { replay } from '../../hardware/transport/replay.ts';
import { serveDevice } from '../../hardware/transport/socket.transport.ts';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { startAt } from './host.ts';
import { tin } from './tin/tin.model.ts';

Object.assign(MODELS, { tin });

const DEMO = join(resolve(import.meta.dirname, '../..'), 'host/profiles/demo.json');

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !holds(); await sleep(10))
    assert.ok(performance.now() < end, `never: ${what}`);
}

test('a protocol that nobody here knows: the terminal file, its drivers, the ledger and the recording take it from its row', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-tin-'));
  const unit = await tin.simulator({ clock: systemClock, seed: 1 });
  const ksp1 = modelOf('ksp1');
  assert.ok(ksp1?.kind === 'card-shoe');
  const shoe = await ksp1.simulator({ clock: systemClock, seed: 2 });
  const servers = await Promise.all([
    serveDevice(join(dir, 'a.sock'), (line) => unit.sim.plug(line)),
    serveDevice(join(dir, 's.sock'), (line) => shoe.sim.plug(line)),
  ]);
  const demo = JSON.parse(readFileSync(DEMO, 'utf8')) as object;
  const path = join(dir, 'terminal.json');
  const fileWith = (options: object): ReturnType<typeof readTerminalFile> => {
    const devices = {
      acceptors: { 1: { model: 'tin', at: `unix:${join(dir, 'a.sock')}`, options } },
      shoe: { model: 'ksp1', at: `unix:${join(dir, 's.sock')}` },
      simulatorsAllowed: true,
    };
    writeFileSync(path, JSON.stringify({ ...demo, devices }));
    return readTerminalFile(path);
  };
  assert.throws(() => fileWith({ currency: 'pataca' }), /options.*currency/s, 'its own options are checked');
  const file = fileWith({ currency: 'MOP' });
  const host = await startAt(dir, file);
  t.after(async () => {
    await host.stop();
    await Promise.all(servers.map((server) => server.close()));
    rmSync(dir, { recursive: true, force: true });
  });
  const view = () => host.view().devices.find(({ id }) => id === 'acceptor-1');
  await until('it is open', () => view()?.state === 'idle' && view()?.model === 'Tin');
  await until('a note goes in', () => unit.insert(50_000, 'MOP').taken);
  await until('credit', () => host.view().seats[0]?.creditMinor === 50_000);
  await until('acknowledged', () => view()?.state === 'idle');
  assert.equal(unit.look()['cashBox'], 1);
  const kinds = ['note-escrowed', 'note-stack-requested', 'note-credited'];
  const reader = openLedgerReader(join(dir, 'ledger.db'));
  t.after(() => reader.close());
  const stored = reader.newest({ beforeSeq: null, limit: 100, kind: null, kinds });
  assert.deepEqual(stored.map(({ kind }) => kind).reverse(), kinds);
});

test('its machine is driven, recorded and played again like any other', async () => {
  const { HandClock } = await import('../../hardware/transport/clock.ts');
  const { memoryPair } = await import('../../hardware/transport/memory.transport.ts');
  const { RingTape } = await import('../../hardware/transport/recording.ts');
  const clock = new HandClock();
  const unit = await tin.simulator({ clock, seed: 1 });
  const tape = new RingTape();
  const open = () => {
    const [host, device] = memoryPair({ clock, latencyMs: 3 });
    unit.sim.plug(device);
    return host;
  };
  const told: string[] = [];
  const driver = tin.create('a', Object.assign(open, { tape }), clock, tin.example);
  driver.allow([10_000]);
  driver.start((event) => {
    told.push(event.type === 'state' ? event.state : event.type);
    if (event.type === 'escrowed') driver.stack();
    if (event.type === 'credit') driver.acknowledgeCredit();
  });
  await clock.turnUntil('open', () => unit.insert(10_000, 'MOP').taken);
  await clock.turnUntil('credited', () => told.includes('credit') && driver.state() === 'idle');
  unit.sim.powerOff();
  await clock.turnUntil('lost', () => driver.state() === 'offline');
  unit.sim.powerOn();
  await clock.turnUntil('back', () => driver.state() === 'idle', 20_000);
  await driver.stop();
  const expected = [
    'link',
    'identity',
    'settled-unknown',
    'idle',
    'escrowed',
    'escrow',
    'stacking',
    'credit',
  ];
  assert.deepEqual(told, [...expected, 'credited', 'idle', 'link', 'offline', 'link', 'identity', 'idle']);

  const text = tape.text(
    { model: 'tin', options: tin.example, withheld: [], madeAt: '2026-01-01T00:00:00Z' },
    [],
  );
  const { entries } = readRecording(text);
  assert.equal(replay(tin.machine(tin.example, null), entries, 'recorded').departure, null);
});
