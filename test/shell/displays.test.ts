/**
 * Displays of their own, at the built terminal: a window for each on its screen of X, one that is
 * unplugged in the middle of a touch, and one that is another machine of the table's network.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import { loadOrMakeTls, pinOfPem } from '../../ledger/chain/tls.store.ts';
import type { Command } from '../../wire/commands.ts';
import { attack, folderOf, handsAt, rackOf } from '../attacks/kit.ts';
import type { TestDisplay } from '../support/display.ts';
import { until } from '../support/until.ts';
import { electronForTests } from './electron-for-tests.ts';
import { ROOT } from './paths.ts';
import { alive, processTree } from './processes.ts';
import type { Terminal, TerminalOptions } from './terminal.ts';
import { startXvfb } from './xvfb.ts';

const DEMO = readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8');
const LIMITS = { displayLostMs: 1_000 };

/** A terminal file of the demonstration with these displays; its centre is never there. */
function fileWith(folder: string, displays: object): string {
  const path = join(folder, 'terminal.json');
  const { profile, ...file } = JSON.parse(DEMO) as { profile: { timing: object } };
  // One round of bets is open throughout, also where starting a window takes the 25 s of the file.
  const timing = { ...profile.timing, bettingMs: 120_000 };
  writeFileSync(
    path,
    JSON.stringify({
      ...{ ...file, profile: { ...profile, timing } },
      ...{ centre: 'http://127.0.0.1:9', limits: LIMITS, displays },
    }),
  );
  return path;
}

type Said = Readonly<Record<string, unknown>>;
const hostOf = (message: Said): Said => (message['host'] ?? {}) as Said;
const paints =
  (role: string) =>
  (message: Said): boolean =>
    (hostOf(message)['painted'] as Said | undefined)?.['role'] === role;
const isUp =
  (role: string) =>
  (message: Said): boolean =>
    hostOf(message)['display'] === 'up' && hostOf(message)['role'] === role;

const done = async (display: TestDisplay, command: Command): Promise<void> => {
  const answer = await display.command(command);
  assert.equal(answer?.status, 'done', `${command.type}: ${JSON.stringify(answer)}`);
};
const refused = async (display: TestDisplay, command: Command, code: string): Promise<void> => {
  const answer = await display.command(command);
  assert.ok(
    answer?.status === 'rejected' && answer.code === code,
    `${command.type}: ${JSON.stringify(answer)}`,
  );
};

const DEALER = { person: '1', pin: '1111' };
const ATTENDANT = { person: '2', pin: '2222' };

/** The dealer's part up to the first bets, and a note for seats 2 and 3. */
async function untilBetting(terminal: Terminal, data: string, dealer: TestDisplay): Promise<string> {
  const rack = await rackOf(data);
  const step = (name: string): Promise<unknown> =>
    until(name, () => dealer.view.dealer.step.step === name, { said: () => terminal.logs.join('\n') });
  await done(dealer, { type: 'sign-in-dealer', credential: DEALER });
  const cards = Array.from({ length: 312 }, (_, i) => i % 52);
  assert.ok((await rack.do({ do: 'load-shoe', cards })).ok);
  await step('cut-shoe');
  await done(dealer, { type: 'cut-shoe', seat: null });
  await done(dealer, { type: 'place-end-card', cardsBehind: 60 });
  await step('burn');
  await handsAt(rack, { do: 'draw-card' });
  await step('open-betting');
  for (const acceptor of [2, 3])
    await handsAt(rack, { do: 'insert-note', acceptor, valueMinor: 50_000, currency: 'MOP' });
  for (const at of [1, 2]) await until('credit', () => dealer.view.seats[at]?.creditMinor === 50_000);
  await done(dealer, { type: 'open-betting' });
  return (await until('a round', () => dealer.view.round)).id;
}

async function pageAt(t: TestContext, port: number): Promise<Page> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  t.after(() => browser.close().catch(() => {}));
  const page = browser.contexts()[0]?.pages()[0];
  assert.ok(page, `a page behind port ${port}`);
  return page;
}

/** Those of every screen of the server, each with the number of its own. */
const windowsOf = (display: string): string =>
  execFileSync('xdotool', ['search', '--onlyvisible', '--name', '.+', 'getwindowgeometry', '%@'], {
    env: { ...process.env, DISPLAY: display },
    encoding: 'utf8',
  });

const SIZES = [
  { width: 1366, height: 768 },
  { width: 800, height: 640 },
  { width: 1280, height: 800 },
];

/** The built terminal with table, dealer and seat 2 on three screens of X, all of them painted. */
async function threeDisplays(t: TestContext, options: Pick<TerminalOptions, 'shell' | 'env'>) {
  const screens = await startXvfb(...SIZES);
  t.after(() => screens.stop());
  const folder = folderOf(t);
  const drm = join(folder, 'drm');
  const plug = (state: 'connected' | 'disconnected'): void =>
    writeFileSync(join(drm, 'card0-DP-3', 'status'), `${state}\n`);
  mkdirSync(join(drm, 'card0-DP-3'), { recursive: true });
  plug('connected');
  const profile = fileWith(folder, {
    dealer: { screen: `${screens.display}.1` },
    seats: { 2: { screen: `${screens.display}.2`, connector: 'card0-DP-3' } },
  });
  const data = join(folder, 'data');
  const args = ['--profile', profile, '--drm', drm];
  const attacked = await attack(t, { ...options, display: `${screens.display}.0`, data, args });
  const { terminal } = attacked;
  for (const role of ['table', 'dealer', 'seat:2']) await terminal.event(`${role} is painted`, paints(role));
  const windows = windowsOf(screens.display);
  for (const [n, { width, height }] of SIZES.entries())
    assert.match(windows, new RegExp(`\\(screen: ${n}\\)\\n\\s*Geometry: ${width}x${height}\\n`));
  return { ...attacked, plug };
}

/** A window that ends is started again, alone. */
async function endsAlone(terminal: Terminal): Promise<void> {
  const others = [terminal.pidOf('window'), terminal.pidOf('window dealer'), terminal.pidOf('host')];
  const from = terminal.events.length;
  process.kill(terminal.pidOf('window seat:2'), 'SIGKILL');
  await terminal.event('it is up again', isUp('seat:2'), from);
  assert.deepEqual(alive(others).sort(), others.toSorted());
}

test('in Electron each display has its window on its screen, and one is unplugged and plugged in alone', async (t) => {
  const electron = await electronForTests();
  if (electron.binary === null) return t.skip(electron.reason);
  const { terminal, plug } = await threeDisplays(t, {
    shell: 'electron',
    env: { ELECTRON: electron.binary },
  });
  await endsAlone(terminal);
  const from = terminal.events.length;
  plug('disconnected');
  await terminal.event(
    'its window is gone',
    ({ ended }) => (ended as Said)?.['name'] === 'window seat:2',
    from,
  );
  plug('connected');
  await terminal.event('it is up again', isUp('seat:2'), from);
});

test('each display has its window on its screen; the dealer’s takes strip and PINs off the players’ glass; a seat’s is unplugged in mid-touch', async (t) => {
  const { terminal, data, display, plug } = await threeDisplays(t, { shell: 'chromium' });

  // What each one shows.
  const [table, dealers, seats] = [
    await pageAt(t, terminal.debugPort),
    await pageAt(t, terminal.debugPort + 1),
    await pageAt(t, terminal.debugPort + 2),
  ];
  const panels = async (page: Page): Promise<(string | undefined)[]> =>
    page.locator('.panel').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['seat']));
  assert.equal(await table.locator('.strip, .button-service, .pin-pad').count(), 0);
  assert.deepEqual(await panels(table), ['1', '3', '4', '5', '6', '7']);
  await dealers.locator('.strip').waitFor();
  assert.deepEqual(await panels(seats), ['2']);

  // What each one may send, whatever its page shows.
  const [big, dealer, own] = [await display('table'), await display('dealer'), await display('seat:2')];
  await refused(big, { type: 'sign-in-dealer', credential: DEALER }, 'not-allowed');
  await refused(big, { type: 'enter-service', credential: ATTENDANT }, 'not-allowed');
  await refused(big, { type: 'set-language', seat: 2, language: 'pt' }, 'not-allowed');
  await refused(own, { type: 'set-language', seat: 3, language: 'pt' }, 'not-allowed');
  const sign = await display('spectator');
  await refused(sign, { type: 'call-attendant', seat: 3, on: true }, 'not-allowed');
  const roundId = await untilBetting(terminal, data, dealer);
  await refused(big, { type: 'close-betting' }, 'not-allowed');
  await done(big, { type: 'set-language', seat: 3, language: 'en' });
  await done(own, { type: 'request-cash-out', seat: 2 });
  const requestId = (await until('the request', () => own.view.seats[1]?.cashOut)).requestId;
  for (const glass of [big, own])
    await refused(
      glass,
      { type: 'confirm-hand-pay', seat: 2, requestId, from: 'player', credential: ATTENDANT },
      'not-allowed',
    );
  await done(own, { type: 'cancel-cash-out', seat: 2, requestId });
  // The second display of this seat: the window is the one that is pulled.
  own.close();

  await endsAlone(terminal);

  // Pulled while a finger lies on a chip.
  const again = await pageAt(t, terminal.debugPort + 2);
  const chip = again.locator('.chip-button').first();
  await chip.waitFor();
  const box = (await chip.boundingBox())!;
  await again.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await again.mouse.down();
  const from = terminal.events.length;
  plug('disconnected');
  const lost = (): boolean => big.view.handedOver?.seats.length === 0;
  await until('the loss', lost);
  const bet = {
    type: 'place-bet',
    roundId,
    bet: 'main',
    amountMinor: 10_000,
    touchedAtMs: Date.now(),
  } as const;
  assert.deepEqual(big.view.seats[1]?.bets, [], 'a touch that was not ended is none');
  assert.equal(big.view.seats[1]?.creditMinor, 50_000, 'the money stays');
  await table.locator('.panel[data-seat="2"]').waitFor();
  await refused(big, { ...bet, seat: 2 }, 'seat-locked');
  await done(big, { ...bet, seat: 3 });
  await done(big, { type: 'request-cash-out', seat: 2 });
  const waiting = (await until('the request', () => big.view.seats[1]?.cashOut)).requestId;
  await done(dealer, { type: 'confirm-hand-pay', seat: 2, requestId: waiting, credential: ATTENDANT });

  // Plugged in again: it is back by itself, and an attendant ends the lock.
  plug('connected');
  await terminal.event('it is up again', isUp('seat:2'), from);
  await until('it has its panel', () => big.view.handedOver?.seats.join() === '2');
  await until('the table has it no more', async () => !(await panels(table)).includes('2'));
  await done(dealer, { type: 'enter-service', credential: ATTENDANT });
  await dealers.locator('.service').waitFor();
  assert.equal(await table.locator('.service').count(), 0);
  await done(dealer, {
    ...{ type: 'end-fault', device: 'display:seat:2', fault: 'seat-display-lost' },
    credential: ATTENDANT,
  });
  await done(dealer, { type: 'exit-service' });
});

/** A network of two: this machine, and another one behind a cable. */
function secondMachine(
  t: TestContext,
): { readonly address: string; run(args: string[]): ChildProcess; cable(state: 'up' | 'down'): void } | null {
  if (process.getuid?.() !== 0) {
    t.skip('only root can make a second network namespace');
    return null;
  }
  const id = randomBytes(3).toString('hex');
  const [space, here, there] = [`banca-${id}`, `bh${id}`, `bt${id}`];
  const net = `10.${200 + (randomBytes(1)[0]! % 50)}.${randomBytes(1)[0]}`;
  const ip = (...args: string[]): void =>
    void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    ip('netns', 'add', space);
  } catch (error) {
    t.skip(`no second network namespace here: ${(error as Error).message.split('\n').at(-2)}`);
    return null;
  }
  t.after(() => ip('netns', 'del', space));
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
  ip('link', 'set', there, 'netns', space);
  ip('addr', 'add', `${net}.1/24`, 'dev', here);
  ip('link', 'set', here, 'up');
  for (const args of [
    ['addr', 'add', `${net}.2/24`, 'dev', there],
    ['link', 'set', there, 'up'],
    ['link', 'set', 'lo', 'up'],
  ])
    ip('-n', space, ...args);
  return {
    address: `${net}.1:7443`,
    run: (args) => {
      const { DISPLAY: _d, WAYLAND_DISPLAY: _w, ...env } = process.env;
      const child = spawn('ip', ['netns', 'exec', space, process.execPath, ...args], { env });
      t.after(() => child.kill('SIGTERM'));
      return child;
    },
    cable: (state) => ip('link', 'set', here, state),
  };
}

/** What somebody with this key hears of the door; run on the other machine. */
const KNOCK = `
import { connect } from 'node:tls';
const [at, key, cert, version, request] = process.argv.slice(1);
const [host, port] = at.split(':');
const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...(key ? { key, cert } : {}), ...(version ? { maxVersion: version, minVersion: 'TLSv1.2' } : {}) });
let heard = '';
socket.on('secureConnect', () => socket.write(request));
socket.on('data', (data) => { heard += data; if (heard.includes('\\r\\n\\r\\n')) socket.destroy(); });
socket.on('error', (error) => (heard += '[' + error.code + ']'));
setTimeout(() => socket.destroy(), 10_000).unref();
socket.on('close', () => console.log(heard));
`;

test('a display on another machine: TLS 1.3 by enrolled keys alone, the same wire, and a cable that is pulled', async (t) => {
  const other = secondMachine(t);
  if (other === null) return;
  const folder = folderOf(t);
  const keys = (name: string) => loadOrMakeTls(join(folder, name), 'display', Date.now());
  const [seat, dealer, stranger] = [keys('seat'), keys('dealer'), keys('stranger')];
  const profile = fileWith(folder, {});
  const banca = (...args: string[]): string =>
    execFileSync(
      process.execPath,
      [join(ROOT, 'cli', 'banca.ts'), 'display', '--profile', profile, ...args],
      {
        encoding: 'utf8',
      },
    );
  assert.throws(() => banca('--role', 'seat:3', '--key', pinOfPem(seat.cert)), /displays\.listen: missing/);
  banca('--role', 'seat:3', '--key', pinOfPem(seat.cert), '--listen', other.address);
  banca('--role', 'dealer', '--key', pinOfPem(dealer.cert));
  const data = join(folder, 'data');
  const { terminal, display, log } = await attack(t, { data, args: ['--profile', profile] });
  const known = (await until('its key', () => /know this terminal by the key (sha256\/\S+)/.exec(log())))[1]!;
  await until('the door', () => log().includes(`come in at ${other.address}`));

  const get = (more = '', path = '/'): string =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n${more}Connection: close\r\n\r\n`;
  const knock = async (identity: typeof seat | null, request = get(), version = ''): Promise<string> => {
    const args = [other.address, identity?.key ?? '', identity?.cert ?? '', version, request];
    const child = other.run(['--input-type=module', '-e', KNOCK, '--', ...args]);
    let heard = '';
    child.stdout!.on('data', (text) => (heard += String(text)));
    await new Promise((resolve) => child.once('close', resolve));
    return heard.trim();
  };
  const mine = await knock(seat);
  assert.match(mine, /^HTTP\/1\.1 303 /);
  const cookie = /set-cookie: (banca=[^;]+)/i.exec(mine)![1]!;
  assert.match(cookie, /^banca=seat:3\./);
  assert.match(await knock(seat, get(`Cookie: ${cookie}\r\n`)), /^HTTP\/1\.1 200 /);
  // Who is not enrolled, shows nothing or an older TLS, hears nothing.
  for (const [who, request, version] of [
    [stranger, get(), ''],
    [null, get(), ''],
    [stranger, get(`Cookie: ${cookie}\r\n`), ''],
    [seat, get(), 'TLSv1.2'],
  ] as const)
    assert.doesNotMatch(await knock(who, request, version), /HTTP/);
  const asDealer = await knock(dealer, get(`Cookie: ${cookie}\r\n`));
  assert.match(asDealer, /set-cookie: banca=dealer\./i, 'its own display, whatever it shows');
  const upgrade = `Origin: http://127.0.0.1:4000\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: ${cookie}\r\n`;
  const socket = (host: string): string =>
    `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n${upgrade}\r\n`;
  assert.match(await knock(seat, socket('127.0.0.1:4000')), /^HTTP\/1\.1 101 /);
  assert.match(await knock(dealer, socket('127.0.0.1:4000')), /^HTTP\/1\.1 403 /, 'another role');
  assert.match(await knock(seat, socket('evil.example:4000')), /^HTTP\/1\.1 403 /);
  const ticket = new URL(await terminal.mint('table')).search;
  assert.doesNotMatch(await knock(seat, get('', `/${ticket}`)), /banca=table/, 'a ticket is of no use there');

  // The whole display, as its machine starts it.
  const program = (key: string): ChildProcess =>
    other.run([
      ...[join(ROOT, 'electron', 'display.ts'), '--data', join(folder, 'seat')],
      ...['--terminal', other.address, '--key', key],
    ]);
  const astray = program(pinOfPem(stranger.cert));
  let said = '';
  astray.stderr!.on('data', (text) => (said += String(text)));
  await until('it does not know this terminal', () => said.includes(`it shows ${known}`), {
    said: () => said,
  });
  astray.kill('SIGTERM');
  await new Promise((resolve) => astray.once('close', resolve));
  let from = terminal.events.length;
  const shown = program(known);
  await terminal.event('seat 3 is painted', paints('seat:3'), from);
  const tree = processTree(shown.pid!);
  for (const { command, uid } of tree) if (command.includes('--type=renderer')) assert.notEqual(uid, 0);

  const table = await display('table');
  assert.deepEqual(table.view.handedOver, { dealer: true, seats: [3] });
  from = terminal.events.length;
  other.cable('down');
  await until('the loss', () => table.view.handedOver?.seats.length === 0);
  await done(table, { type: 'set-language', seat: 3, language: 'en' });
  other.cable('up');
  await terminal.event('it is up again', isUp('seat:3'), from);
  await until('it has its panel', () => table.view.handedOver?.seats.join() === '3');
  await refused(table, { type: 'set-language', seat: 3, language: 'pt' }, 'not-allowed');
});
