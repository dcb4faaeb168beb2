import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseObject, readLines } from './json-lines.ts';
import type { PlacedWindow } from './place.ts';
import { RemoteWindows } from './remote-windows.ts';

/** A window's program that writes down what it is sent. */
function program(t: TestContext, path: string) {
  const socket: Socket = connect(path);
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  const heard: unknown[] = [];
  readLines(socket, (line) => heard.push(parseObject(line)));
  const hears = async (count: number): Promise<unknown[]> => {
    while (heard.length < count) await once(socket, 'data');
    return heard;
  };
  return { socket, hears, say: (message: unknown) => socket.write(`${JSON.stringify(message)}\n`) };
}

const TABLE: PlacedWindow = { role: 'table', place: {} };
const SEAT: PlacedWindow = { role: 'seat:2', place: { screen: ':0.1' } };
const SOON = () => AbortSignal.timeout(60_000);

test('the window of another account learns which it is and goes to its page, and asks for a ticket when it has none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-remote-'));
  const path = join(folder, 'window.sock');
  t.after(() => rmSync(folder, { recursive: true }));
  const remote = new RemoteWindows({ path });
  t.after(() => remote.close());
  const arrived = remote.arrived(TABLE, SOON());
  const window = program(t, path);
  assert.deepEqual(await window.hears(1), [{ show: TABLE }]);
  window.say({ window: 'ready' });
  await arrived;
  const said: string[] = [];
  const shell = remote.start(TABLE, {
    onPageLoads: () => said.push('loads'),
    onTicketNeeded: () => shell.open('http://127.0.0.1:1/?ticket=b'),
    log: (line) => said.push(line),
  });
  shell.open('http://127.0.0.1:1/?ticket=a');
  assert.deepEqual((await window.hears(2))[1], { open: 'http://127.0.0.1:1/?ticket=a' });
  window.say({ log: 'x'.repeat(1_000) });
  window.say({ page: 'loads' });
  window.say({ page: 'needs-ticket' });
  assert.deepEqual((await window.hears(3))[2], { open: 'http://127.0.0.1:1/?ticket=b' });
  assert.deepEqual(said, ['x'.repeat(300), 'loads']);
  shell.renewPage('why');
  assert.deepEqual((await window.hears(4))[3], { renew: 'why' });
  const shot = shell.shot();
  await window.hears(5);
  window.say({ shot: Buffer.from('png').toString('base64') });
  assert.equal(String(await shot), 'png');

  // The next connection is the next window; a third one has nobody's place.
  const next = program(t, path);
  const second = remote.arrived(SEAT, SOON());
  assert.deepEqual(await next.hears(1), [{ show: SEAT }]);
  next.say({ window: 'ready' });
  await second;
  const waiting = program(t, path);
  await once(waiting.socket, 'connect');
  const third = program(t, path);
  await once(third.socket, 'close');
  assert.ok(!window.socket.destroyed && !next.socket.destroyed && !waiting.socket.destroyed);

  // One that ends is one alone, and whoever waits becomes it.
  shell.kill();
  assert.equal(await shell.ended, 'it disconnected');
  assert.ok(!next.socket.destroyed);
  const again = remote.arrived(TABLE, SOON());
  assert.deepEqual(await waiting.hears(1), [{ show: TABLE }]);
  waiting.say({ window: 'ready' });
  await again;

  // One that goes before it is a window is no window.
  const late = remote.arrived(SEAT, SOON());
  const short = program(t, path);
  await short.hears(1);
  short.socket.destroy();
  await assert.rejects(late, /it disconnected/);
});
