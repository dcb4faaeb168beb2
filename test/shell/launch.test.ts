/**
 * `npm start` without a display, with a host that has no table: addresses, pictures, refusals, a
 * clean end.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PNG } from 'pngjs';
import { holdPort } from '../../electron/held-socket.ts';
import { readLines } from '../../electron/json-lines.ts';
import { account, KIOSK_ACCOUNT } from '../../electron/kiosk-user.ts';
import { until } from '../support/until.ts';
import { ROOT } from './paths.ts';
import { alive, processTree } from './processes.ts';

const LAUNCH = join(ROOT, 'electron', 'launch.ts');
const DEMO_TABLE = readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8');
const FAKE_HOST = ['--test', '--host', join(import.meta.dirname, 'fake-host.ts')];

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'banca-launch-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function launch(t: TestContext, args: readonly string[]) {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _w, ...env } = process.env;
  // Beside its data and not where this machine's own terminals have theirs.
  const witness = ['--witness', join(args[args.indexOf('--data') + 1]!, 'witness')];
  const child = spawn(process.execPath, [LAUNCH, ...args, ...witness], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  });
  // From the first moment: one that ends at once may be gone before its last line is looked at.
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) readLines(stream, (line) => lines.push(line));
  t.after(() => child.kill('SIGKILL'));
  const line = async (wanted: RegExp): Promise<string> => {
    const said = (): string => lines.join('\n');
    return until(
      `a line like ${wanted}`,
      () => {
        const hasEnded = child.exitCode !== null;
        const found = lines.find((each) => wanted.test(each));
        assert.ok(found !== undefined || !hasEnded, `no line like ${wanted}:\n${said()}`);
        return found;
      },
      { said },
    );
  };
  return { child, ended, lines, line };
}

test('without a display it gives an address for a browser, and Ctrl+C ends everything', async (t) => {
  const data = join(folder(t), 'data');
  // Without --test: as a person starts it, with the project's own centre, devices and host.
  const { child, ended, line } = launch(t, ['--data', data]);
  await line(/no display: the terminal runs without a window/);
  const address = /http:\S+/.exec(await line(/open in a browser/))![0];
  assert.equal((await fetch(address, { redirect: 'manual' })).status, 303);
  assert.equal((await fetch(address, { redirect: 'manual' })).status, 403, 'an address works once');
  assert.equal(statSync(data).mode & 0o777, 0o700, 'the ledger’s folder is for our own account only');
  const pids = processTree(child.pid!).map(({ pid }) => pid);
  assert.ok(pids.length >= 4, 'supervisor, centre, devices, host');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(alive(pids), []);
});

test('a terminal file with devices: no rack is started, and those that are absent are named', async (t) => {
  const home = folder(t);
  const profile = join(home, 'terminal.json');
  const devices = {
    acceptors: { 1: { model: 'id003', at: `unix:${join(home, 'nobody')}` } },
    shoe: { model: 'ksp1', at: `unix:${join(home, 'no-shoe')}` },
    simulatorsAllowed: true,
  };
  writeFileSync(profile, JSON.stringify({ ...(JSON.parse(DEMO_TABLE) as object), devices }));
  const named = ['--data', join(home, 'data'), '--profile', profile];
  const { child, ended, line } = launch(t, [...named, '--simulators-allowed']);
  await line(/acceptor-1 \(id003 at unix:.*nobody\): .*ENOENT/);
  await line(/shoe \(ksp1 at unix:.*no-shoe\): .*ENOENT/);
  await line(/open in a browser/);
  const commands = processTree(child.pid!).map(({ command }) => command);
  assert.ok(commands.some((command) => /host\/main\.[jt]s/.test(command)));
  assert.ok(!commands.some((command) => command.includes('rack-main')), commands.join('\n'));
  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});

test('a terminal file with a centre: none is started here, and a wrong address is named', async (t) => {
  const home = folder(t);
  const profile = join(home, 'terminal.json');
  const fileWith = (centre: string): void =>
    writeFileSync(profile, JSON.stringify({ ...(JSON.parse(DEMO_TABLE) as object), centre }));
  fileWith('http://127.0.0.1:9');
  const { child, ended, line } = launch(t, ['--data', join(home, 'data'), '--profile', profile]);
  await line(/open in a browser/);
  const commands = processTree(child.pid!).map(({ command }) => command);
  assert.ok(commands.some((command) => /host\/main\.[jt]s/.test(command)));
  assert.ok(!commands.some((command) => command.includes('upstream')), commands.join('\n'));
  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);

  fileWith('https://10.0.0.5:8443');
  const wrong = launch(t, ['--data', join(home, 'data'), '--profile', profile]);
  await wrong.line(/centre: address of the centre https:\/\/10\.0\.0\.5:8443: https needs #pin=/);
  assert.deepEqual(await wrong.ended, [2, null]);
});

test('--shot without a display saves a picture of the size that was asked for', async (t) => {
  const home = folder(t);
  const shot = join(home, 'table.png');
  const { child, ended, line } = launch(t, [
    ...FAKE_HOST,
    '--data',
    join(home, 'data'),
    '--shot',
    shot,
    '--size',
    '1366x768',
  ]);
  await line(/picture saved/);
  const { width, height, data } = PNG.sync.read(readFileSync(shot));
  assert.deepEqual([width, height], [1366, 768]);
  // The stand-in page's felt, so it is the page that was drawn and not an error or an empty window.
  assert.deepEqual([...data.subarray(0, 3)], [0x0a, 0x5c, 0x3f]);
  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});

test('sockets that systemd hands over: the page is served on one, and the window of another account gets its tickets on the other', async (t) => {
  if (!account(KIOSK_ACCOUNT)) return t.skip(`there is no account ${KIOSK_ACCOUNT}`);
  const [page, window] = [holdPort(), holdPort()];
  const handed = 'LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=page:window exec "$0" "$@"';
  const args = [LAUNCH, ...FAKE_HOST, '--data', join(folder(t), 'data')];
  const child = spawn('sh', ['-c', handed, process.execPath, ...args], {
    stdio: ['pipe', 'ignore', 'ignore', page.fd, window.fd],
  });
  t.after(() => child.kill('SIGKILL'));
  /**
   * What the window's program is sent to, once it has been told which window it is and is one.
   * These sockets listen only when the supervisor does.
   */
  const sentTo = async (): Promise<string> => {
    for (;;) {
      const link = connect(window.port, '127.0.0.1');
      link.on('error', () => {});
      t.after(() => link.destroy());
      const line = await new Promise<string | null>((resolve) => {
        readLines(link, (line) => {
          if ((JSON.parse(line) as { show?: { role: string } }).show?.role === 'table')
            link.write('{"window":"ready"}\n');
          else resolve(line);
        });
        link.once('close', () => resolve(null));
      });
      link.destroy();
      if (line !== null) return (JSON.parse(line) as { open: string }).open;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const first = await sentTo();
  assert.equal(new URL(first).origin, `http://127.0.0.1:${page.port}`);
  assert.equal((await fetch(first, { redirect: 'manual' })).status, 303);
  assert.notEqual(await sentTo(), first, 'the next window gets a ticket of its own');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('wrong options end with one clear line, exit code 2 and nothing done', (t) => {
  const home = folder(t);
  const data = join(home, 'data');
  for (const [args, message] of [
    [['--size', 'big'], '--size big: expected WIDTHxHEIGHT'],
    [['--rounds', '0'], '--rounds 0: expected a whole number from 1'],
    [['--shell', 'firefox'], '--shell firefox: expected electron or chromium'],
    [['--debug-port', '9222'], "--debug-port is for the project's tests and needs --test"],
    [['--host', 'x.ts'], "--host is for the project's tests and needs --test"],
    [['--nonsense'], "Unknown option '--nonsense'"],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [LAUNCH, '--data', data, ...args], {
      encoding: 'utf8',
    });
    assert.equal(status, 2, args.join(' '));
    assert.ok(stderr.startsWith(message), stderr);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
  }
  assert.ok(!existsSync(data));
});

test('a second terminal on the same data is refused, and the first goes on', async (t) => {
  const data = join(folder(t), 'data');
  const { child, ended, line } = launch(t, [...FAKE_HOST, '--data', data]);
  await line(/"ready":true/);
  const second = spawnSync(process.execPath, [LAUNCH, ...FAKE_HOST, '--data', data], { encoding: 'utf8' });
  assert.deepEqual([second.status, second.stderr], [2, `another terminal is running on ${data}\n`]);
  assert.equal(child.exitCode, null);
  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});

for (const [what, text, said] of [
  ['no profile', '{ "people": [] }', /profile\.json: .*people/],
  [
    'an unlawful first table',
    DEMO_TABLE.replace('"seatCount": 7', '"seatCount": 6'),
    /profile\.json: table 'Black Jack 1' .*: seats \(art\.21\.1\): no record of an authorisation/,
  ],
] as const)
  test(`${what}: the host refuses it, the start ends at once and names the place`, async (t) => {
    const home = folder(t);
    const profile = join(home, 'profile.json');
    writeFileSync(profile, text);
    const { ended, line } = launch(t, ['--data', join(home, 'data'), '--profile', profile]);
    await line(said);
    assert.deepEqual(await ended, [2, null]);
  });
