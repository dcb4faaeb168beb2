import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ByteTransport } from '../ports.ts';
import { fromHex, toHex } from './bytes.ts';
import { HandClock } from './clock.ts';
import { memoryPair } from './memory.transport.ts';
import { Recorder } from './recorder.ts';
import { serveDevice, unixTransport } from './socket.transport.ts';

const listen = () => {
  const seen: string[] = [];
  return {
    seen,
    onBytes: (bytes: Uint8Array) => void seen.push(toHex(bytes)),
    onClose: (reason: string) => void seen.push(reason),
  };
};

test('memory: bytes arrive later, never inside write, and are a copy', async () => {
  const clock = new HandClock();
  const [host, device] = memoryPair({ clock, latencyMs: 5 });
  const at = listen();
  await host.open(listen());
  await device.open(at);
  const buffer = fromHex('01 02');
  await host.write(buffer);
  buffer[0] = 9;
  assert.deepEqual(at.seen, []);
  await clock.turn(4);
  assert.deepEqual(at.seen, []);
  await clock.turn(1);
  assert.deepEqual(at.seen, ['01 02']);
});

test('memory: bytes wait for an end that is not open yet', async () => {
  const clock = new HandClock();
  const [host, device] = memoryPair({ clock });
  await host.open(listen());
  await host.write(fromHex('05'));
  await clock.turn(10);
  const at = listen();
  await device.open(at);
  assert.deepEqual(at.seen, ['05']);
});

test('memory: unplugging closes both ends once, and nothing can be written or opened after it', async () => {
  const clock = new HandClock();
  const [host, device] = memoryPair({ clock });
  const [a, b] = [listen(), listen()];
  await host.open(a);
  await device.open(b);
  host.unplug('pulled');
  device.unplug('again');
  await clock.turn(1);
  assert.deepEqual([a.seen, b.seen], [['pulled'], ['pulled']]);
  await assert.rejects(host.write(fromHex('01')), /closed/);
  await assert.rejects(host.open(listen()), /not there/);
});

test('memory: a bad line is bad in the same way for the same seed', async () => {
  const run = async (seed: number): Promise<string> => {
    const clock = new HandClock();
    const faults = { dropPerMille: 200, flipPerMille: 200, losePerMille: 200 };
    const [host, device] = memoryPair({ clock, seed, faults });
    const at = listen();
    await host.open(listen());
    await device.open(at);
    for (let i = 0; i < 100; i++) await host.write(Uint8Array.of(i, i, i));
    await clock.turn(1);
    return at.seen.join(' | ');
  };
  const first = await run(7);
  assert.equal(first, await run(7));
  assert.notEqual(first, await run(8));
  assert.ok(first.split(' | ').length < 95);
});

test('socket: bytes both ways, a new plug pushes out the old one, a lost device closes the line', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, 'device.sock');
  await assert.rejects(unixTransport(path).open(listen()), /ENOENT/);

  const plugs: ByteTransport[] = [];
  const atDevice = listen();
  const server = await serveDevice(path, (transport) => {
    plugs.push(transport);
    void transport.open(atDevice);
  });
  const closed = Promise.withResolvers<string>();
  const answered = Promise.withResolvers<string>();
  const first = unixTransport(path);
  await first.open({ onBytes: (bytes) => answered.resolve(toHex(bytes)), onClose: closed.resolve });
  await first.write(fromHex('fc 05'));
  while (atDevice.seen.length === 0) await new Promise(setImmediate);
  assert.deepEqual(atDevice.seen, ['fc 05']);
  await plugs[0]?.write(fromHex('aa'));
  assert.equal(await answered.promise, 'aa');

  const second = unixTransport(path);
  const lost = Promise.withResolvers<string>();
  await second.open({ onBytes: () => {}, onClose: lost.resolve });
  assert.match(await closed.promise, /closed by the device/);
  await assert.rejects(first.write(fromHex('01')), /closed/);
  await server.close();
  assert.match(await lost.promise, /closed by the device/);
  // A stale socket file is no obstacle.
  const again = await serveDevice(path, () => {});
  await again.close();
});

test('the recorder keeps the last frames and no more', () => {
  const recorder = new Recorder(3);
  for (let i = 0; i < 5; i++) recorder.add(i, i % 2 === 0 ? 'in' : 'out', Uint8Array.of(i));
  assert.deepEqual(recorder.frames(), [
    { atMs: 2, direction: 'in', hex: '02' },
    { atMs: 3, direction: 'out', hex: '03' },
    { atMs: 4, direction: 'in', hex: '04' },
  ]);
});

test('the hand-turned clock runs timers in their order and lets one be cancelled', async () => {
  const clock = new HandClock();
  const ran: string[] = [];
  clock.after(20, () => ran.push('b'));
  clock.after(10, () => {
    ran.push('a');
    clock.after(5, () => ran.push('a+5'));
  });
  const cancel = clock.after(15, () => ran.push('never'));
  clock.after(20, () => ran.push('c'));
  cancel();
  await clock.turn(19);
  assert.deepEqual(ran, ['a', 'a+5']);
  await clock.turn(1);
  assert.deepEqual(ran, ['a', 'a+5', 'b', 'c']);
  assert.equal(clock.now(), 20);
  await assert.rejects(
    clock.turnUntil('the moon', () => false, 100),
    /the moon: not within 100 ms/,
  );
});

test('hex text is read strictly', () => {
  assert.equal(toHex(fromHex('FC 05')), 'fc 05');
  assert.throws(() => fromHex('f'), /not hex/);
  assert.throws(() => fromHex('zz'), /not hex/);
});
