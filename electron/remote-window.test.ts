import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseObject, readLines } from './json-lines.ts';
import { RemoteWindow } from './remote-window.ts';

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

test('the window of another account is sent to the table, and asks for a ticket when it has none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-remote-'));
  const path = join(folder, 'window.sock');
  t.after(() => rmSync(folder, { recursive: true }));
  const remote = new RemoteWindow({ path });
  t.after(() => remote.close());
  const arrived = remote.arrived(AbortSignal.timeout(60_000));
  const window = program(t, path);
  await arrived;
  const said: string[] = [];
  const shell = remote.start({
    onPageLoads: () => said.push('loads'),
    onTicketNeeded: () => shell.open('http://127.0.0.1:1/?ticket=b'),
    log: (line) => said.push(line),
  });
  shell.open('http://127.0.0.1:1/?ticket=a');
  assert.deepEqual(await window.hears(1), [{ open: 'http://127.0.0.1:1/?ticket=a' }]);
  window.say({ log: 'x'.repeat(1_000) });
  window.say({ page: 'loads' });
  window.say({ page: 'needs-ticket' });
  assert.deepEqual((await window.hears(2))[1], { open: 'http://127.0.0.1:1/?ticket=b' });
  assert.deepEqual(said, ['x'.repeat(300), 'loads']);
  shell.renewPage('why');
  assert.deepEqual((await window.hears(3))[2], { renew: 'why' });
  const shot = shell.shot();
  await window.hears(4);
  window.say({ shot: Buffer.from('png').toString('base64') });
  assert.equal(String(await shot), 'png');

  const second = program(t, path);
  await once(second.socket, 'close');
  assert.equal(window.socket.destroyed, false, 'a second one does not take its place');

  shell.kill();
  assert.equal(await shell.ended, 'it disconnected');
  const again = remote.arrived(AbortSignal.timeout(60_000));
  program(t, path);
  await again;
});
