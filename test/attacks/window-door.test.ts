/** The way from the window to the host, tried by another account of the same machine. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { electronForTests } from '../shell/electron-for-tests.ts';
import { alive, processTree } from '../shell/processes.ts';
import { startXvfb } from '../shell/xvfb.ts';
import { LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import { attack, type Stranger, stranger } from './kit.ts';

const SIZE = { width: 1024, height: 768 };

/** A file that ends another account's program as soon as it is there. */
function stopFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'banca-stop-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'stop');
  t.after(() => {
    writeFileSync(file, '');
    setTimeout(() => rmSync(folder, { recursive: true, force: true }), 1_000);
  });
  return file;
}

/** Spends a ticket as our own account. */
async function cookieOf(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  assert.equal(response.status, 303);
  return response.headers.get('set-cookie')!.split(';')[0]!;
}

/**
 * Reads every command line there is, again and again until the file STOP is there; prints those
 * with a ticket in them.
 */
const READ_COMMAND_LINES = `
import { existsSync, readdirSync, readFileSync } from 'node:fs';
const found = new Set();
let readings = 0;
const [stop] = process.argv.slice(1);
const end = Date.now() + 300_000;
while (!existsSync(stop) && Date.now() < end) {
  for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)))
    for (const file of ['cmdline', 'environ', 'comm'])
      try {
        const text = readFileSync('/proc/' + pid + '/' + file, 'latin1');
        for (const [address] of text.matchAll(/127[.]0[.]0[.]1:[0-9]+[/][?]ticket=[^\\0 ]*/g)) found.add(address);
      } catch {}
  readings += 1;
  await new Promise((resolve) => setTimeout(resolve, 5));
}
console.log(JSON.stringify({ readings, found: [...found] }));
`;

for (const shell of ['chromium', 'electron'] as const)
  test(`the ticket of the window stands in no command line (${shell})`, async (t) => {
    const other = stranger(t);
    if (!other) return;
    const env: Record<string, string> = {};
    if (shell === 'electron') {
      const electron = await electronForTests();
      if (electron.binary === null) return t.skip(electron.reason);
      env['ELECTRON'] = electron.binary;
    }
    const screen = await startXvfb(SIZE);
    t.after(() => screen.stop());
    const stop = stopFile(t);
    const reading = other.run(READ_COMMAND_LINES, stop);
    const { terminal, port, log } = await attack(t, { shell, display: screen.display, env });
    await terminal.event(
      'the table is painted',
      ({ host }) => (host as { painted?: unknown })?.painted !== undefined,
    );
    // A window that is started again gets another ticket.
    const from = terminal.events.length;
    process.kill(terminal.pidOf('window'), 'SIGKILL');
    await terminal.event(
      'it is painted again',
      ({ host }) => (host as { painted?: unknown })?.painted !== undefined,
      from,
    );
    writeFileSync(stop, '');
    const { readings, found } = JSON.parse(await reading) as { readings: number; found: string[] };
    assert.ok(readings > 10, `only ${readings} readings`);
    const ours = found.filter((address) => address.includes(`:${port}/`));
    assert.deepEqual(ours, []);

    // What only root can read holds no secret either.
    const page = await terminal.page();
    const [cookie] = await page.context().cookies();
    assert.ok(cookie);
    const own = processTree(terminal.pid);
    assert.ok(own.length >= 5, 'supervisor, centre, devices, host and window');
    for (const { pid } of own)
      for (const file of ['cmdline', 'environ']) {
        const text = readFileSync(`/proc/${pid}/${file}`, 'latin1');
        assert.doesNotMatch(text, /[?&]ticket=|sessionKey/, file);
        assert.ok(!text.includes(cookie.value), file);
      }
    assert.doesNotMatch(log(), /ticket=/);
    assert.ok(!log().includes(cookie.value));
    assert.doesNotMatch(await page.title(), /ticket/);
    t.diagnostic(`${readings} readings of every command line, ${own.length} processes`);
  });

/**
 * Connects from FROM to HOST:PORT, sends TEXT, with END ends at once; prints what came back or the
 * error.
 */
const TALK = `
import { connect } from 'node:net';
const [port, host, localAddress, text, end] = process.argv.slice(1);
const socket = connect({ port: Number(port), host, ...(localAddress ? { localAddress } : {}) });
let heard = '';
socket.on('data', (data) => (heard += data)).on('error', (error) => (heard += '[' + error.code + ']'));
if (end) socket.end(text, () => socket.destroy());
else socket.write(text);
setTimeout(() => socket.destroy(), 15_000).unref();
socket.on('close', () => console.log(heard));
`;

interface Way {
  readonly host: string;
  readonly from?: string;
  /**
   * Closes at once, so that the kernel keeps the connection as nobody's, which it shows as root's.
   */
  readonly leaves?: true;
}

const WAYS: readonly Way[] = [
  { host: '127.0.0.1' },
  { host: '::ffff:127.0.0.1' },
  { host: '::1' },
  { host: '127.0.0.1', from: '127.0.0.2' },
  { host: '::ffff:127.0.0.1', from: '::ffff:127.0.0.2' },
  { host: '127.0.0.1', leaves: true },
  { host: '::ffff:127.0.0.1', leaves: true },
];

test('another account with a stolen ticket or cookie is not heard, by whatever address it comes', async (t) => {
  const other = stranger(t);
  if (!other) return;
  const { terminal, port, log } = await attack(t);
  const cookie = await cookieOf(await terminal.mint('table'));
  const url = await terminal.mint('table');
  const ticket = new URL(url).search;
  const head = `Host: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\n`;
  const texts = {
    'a ticket': `GET /${ticket} HTTP/1.1\r\n${head}\r\n`,
    'a cookie': `GET / HTTP/1.1\r\n${head}Cookie: ${cookie}\r\n\r\n`,
    'a socket': `GET /ws HTTP/1.1\r\n${head}Cookie: ${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    'a file of the page': `GET /assets/ HTTP/1.1\r\n${head}\r\n`,
  };
  const heard: string[] = [];
  for (const way of WAYS)
    for (const [what, text] of Object.entries(texts)) {
      const args = [String(port), way.host, way.from ?? '', text, way.leaves ? 'end' : ''];
      heard.push(
        `${what} by ${way.host} from ${way.from ?? 'anywhere'}: ${(await other.run(TALK, ...args)).trim()}`,
      );
    }
  assert.deepEqual(
    heard.filter((each) => /: HTTP\/1\.1 [123]/.test(each)),
    [],
  );
  for (const each of heard) assert.match(each, /: (?:\[[A-Z_]+\])?$/);
  assert.match(log(), new RegExp(`connection of account ${other.uid} refused`));
  assert.equal((await fetch(url, { redirect: 'manual' })).status, 303, 'the stolen ticket was not spent');
});

/**
 * Tries to listen on the ports, in every way there is, until the file STOP is there; prints how
 * fullOr, and what succeeded.
 */
const TAKE_PORTS = `
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
const [stop, ...ports] = process.argv.slice(1);
const taken = [];
let tries = 0;
const take = (options) =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    tries += 1;
    server.once('error', resolve);
    server.listen(options, () => {
      if (taken.length < 20) taken.push(options);
      server.close(resolve);
    });
  });
const end = Date.now() + 300_000;
while (!existsSync(stop) && Date.now() < end) {
  for (const port of ports.map(Number))
    for (const host of ['127.0.0.1', '0.0.0.0', '::', '::ffff:127.0.0.1'])
      for (const reusePort of [false, true]) await take({ port, host, reusePort });
  await new Promise((resolve) => setTimeout(resolve, 5));
}
console.log(JSON.stringify({ tries, taken }));
`;

async function portTaker(t: TestContext, other: Stranger, ports: readonly number[]) {
  const stop = stopFile(t);
  const running = other.run(TAKE_PORTS, stop, ...ports.map(String));
  return async () => {
    writeFileSync(stop, '');
    return JSON.parse(await running) as { tries: number; taken: object[] };
  };
}

test('while host and centre are killed again and again nobody else gets their ports, and a page waits for the next host', {
  skip: LONG,
}, async (t) => {
  const other = stranger(t);
  if (!other) return;
  const { terminal, port } = await attack(t, { centre: true });
  await terminal.started('centre');
  const cookie = await cookieOf(await terminal.mint('table'));
  const host = processTree(terminal.pid).find(({ pid }) => pid === terminal.pidOf('host'))!;
  const centrePort = Number(/--upstream http:\/\/127\.0\.0\.1:(\d+)/.exec(host.command)![1]);
  const result = await portTaker(t, other, [port, centrePort]);
  const pages: (number | string)[] = [];
  for (let n = 0; n < 5; n++) {
    const from = terminal.events.length;
    for (const name of ['centre', 'host']) process.kill(terminal.pidOf(name), 'SIGKILL');
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } }).catch(
      (error: Error) => error,
    );
    pages.push('status' in page ? page.status : page.message);
    for (const name of ['centre', 'host'])
      await terminal.event(
        `${name} is back`,
        ({ started }) => (started as { name?: string })?.name === name,
        from,
      );
  }
  const { tries, taken } = await result();
  assert.ok(tries > 100, `only ${tries} tries`);
  assert.deepEqual(taken, []);
  assert.deepEqual(pages, [200, 200, 200, 200, 200], 'a page waits for the next host');
  t.diagnostic(`${tries} tries`);
});

const DEPLOY = join(import.meta.dirname, '..', '..', 'electron', 'deploy');

test('the screen of the shipped session asks every account for its key, and shows the key to none', async (t) => {
  const [kiosk, other] = [stranger(t), stranger(t)];
  if (!kiosk || !other) return;
  for (const program of ['xinit', 'Xvfb', 'xdpyinfo', 'openbox'])
    if (spawnSync('which', [program]).status !== 0) return t.skip(`${program} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), 'banca-screen-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  // The checkout of a test may be closed to other accounts.
  const deploy = join(folder, 'electron', 'deploy');
  cpSync(DEPLOY, deploy, { recursive: true });
  const runtime = join(folder, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  chownSync(runtime, kiosk.uid, kiosk.uid);
  const display = `:${40_000 + (process.pid % 10_000)}`;
  const asAccount = (who: Stranger): string[] => ['--reuid', who.name, '--regid', who.name, '--clear-groups'];
  const session = spawn('setpriv', [...asAccount(kiosk), join(deploy, 'screen.sh')], {
    env: {
      PATH: '/usr/bin:/bin',
      RUNTIME_DIRECTORY: runtime,
      BANCA_X: '/usr/bin/Xvfb',
      BANCA_DISPLAY: display,
    },
    stdio: 'ignore',
  });
  const key = join(runtime, 'Xauthority');
  const look = (who: Stranger, xauthority: string): { status: number | null; said: string } => {
    const env = { PATH: '/usr/bin:/bin', DISPLAY: display, XAUTHORITY: xauthority };
    const { status, stdout, stderr } = spawnSync('setpriv', [...asAccount(who), 'xdpyinfo'], {
      env,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  try {
    await until('the screen is up', () => {
      assert.equal(session.exitCode, null);
      return look(kiosk, key).status === 0;
    });
    assert.equal(statSync(key).mode & 0o777, 0o600);
    const secret = execFileSync('xauth', ['-f', key, 'list'], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .at(-1)!;
    assert.match(secret, /^[0-9a-f]{32}$/);
    for (const who of [kiosk, other]) assert.notEqual(look(who, '/dev/null').status, 0, 'without the key');
    assert.match(look(other, '/dev/null').said, /unable to open display/);
    assert.notEqual(look(other, key).status, 0, 'the key is closed to another account');
    for (const { command } of processTree(session.pid!)) assert.ok(!command.includes(secret), command);
  } finally {
    // Before the accounts are removed: one with a process cannot be.
    const pids = processTree(session.pid!).map(({ pid }) => pid);
    session.kill('SIGTERM');
    for (const end = performance.now() + 10_000; alive(pids).length > 0 && performance.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 100));
    for (const pid of alive(pids)) process.kill(pid, 'SIGKILL');
    await until('all have ended', () => alive(pids).length === 0);
  }
});
