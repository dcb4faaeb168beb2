import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FuseV1Options } from '@electron/fuses';
import { PREFERENCES } from '../chromium-flags.ts';
import { FUSES } from './fuses.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

test('every fuse there is has been decided, and those that let code in are off', () => {
  const known = Object.values(FuseV1Options).filter((value) => typeof value === 'number');
  assert.deepEqual(new Set(Object.keys(FUSES).map(Number)), new Set(known));
  for (const off of [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ] as const)
    assert.equal(FUSES[off], false, FuseV1Options[off]);
  assert.equal(FUSES[FuseV1Options.OnlyLoadAppFromAsar], true);
});

test('the window manager has no key bindings', () => {
  const rc = read('openbox-rc.xml');
  assert.match(rc, /<keyboard><\/keyboard>/);
  assert.doesNotMatch(rc, /<keybind/);
});

test('the managed policy and the preferences close the same doors', () => {
  const policy = JSON.parse(read('chromium-policy.json')) as Record<string, unknown>;
  assert.deepEqual(
    [policy['URLBlocklist'], policy['URLAllowlist']],
    [['*', 'devtools://*', 'chrome://*', 'file://*'], ['127.0.0.1']],
  );
  // Forbidden (2) the supervisor's own pipe is refused and no table comes up; their page is on the
  // list above.
  assert.equal(policy['DeveloperToolsAvailability'], 0);
  assert.equal(policy['TranslateEnabled'], PREFERENCES.translate.enabled);
  assert.equal(policy['DownloadRestrictions'], PREFERENCES.download_restrictions);
});

test('a display’s machine has its window as a table has, and a start that is refused is not made again', () => {
  const unit = read('banca-display.service');
  assert.match(unit, /^Sockets=banca-window\.socket$/m);
  assert.match(
    unit,
    /^ExecStart=.*electron\/display\.ts --data \/var\/lib\/banca-display --terminal \$\{TERMINAL\} --key \$\{KEY\}$/m,
  );
  assert.match(unit, /^RestartPreventExitStatus=2$/m);
});

test('the unit plays for money, and a start that is refused is not made again', () => {
  const unit = read('banca.service');
  assert.match(unit, /^ExecStart=.*launch\.ts --production --profile \/etc\/banca\/terminal\.json /m);
  assert.doesNotMatch(unit, /simulators-allowed|--demo|--test/);
  assert.match(unit, /^RestartPreventExitStatus=2$/m);
});

test('the X server never blanks, switches no console, and asks everybody for a key that no command line shows', () => {
  const screen = read('screen.sh');
  for (const option of ['-s 0', '-dpms', '-dontvtswitch', '-nolisten tcp', '-auth "$XAUTHORITY"'])
    assert.ok(screen.includes(option), option);
  assert.doesNotMatch(screen + read('session.sh'), /xhost|-ac\b|xauth .*add/);
});

const UNITS = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.service'));

test('every unit comes back after every end, in an account of its own that is not root', () => {
  const accounts = UNITS.map((name) => {
    const unit = read(name);
    assert.match(unit, /^Restart=always$/m);
    assert.doesNotMatch(unit, /no-sandbox|remote-debugging/);
    return /^User=(.+)$/m.exec(unit)?.[1];
  });
  assert.deepEqual(accounts.sort(), ['banca', 'banca', 'banca-kiosk']);
});

test('every unit is exposed by at most 3.0, as systemd-analyze counts', (t) => {
  const found = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  if (found.status !== 0) return t.skip('systemd-analyze is not installed');
  for (const name of UNITS) {
    const path = join(import.meta.dirname, name);
    const args = ['security', '--offline=true', '--no-pager', path];
    const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
    t.diagnostic(`${name}: ${level}`);
    assert.ok(level <= 3, `${name}: ${level}\n${stdout}${stderr}`);
    assert.equal(stderr.trim(), '', 'a unit without a mistake');
  }
});

test('systemd holds both sockets for the supervisor, and only the window’s account may ask for tickets', () => {
  const unit = read('banca.service');
  assert.match(unit, /^Sockets=banca\.socket banca-window\.socket$/m);
  assert.match(read('banca.socket'), /^ListenStream=127\.0\.0\.1:\d+$/m);
  const window = read('banca-window.socket');
  const path = /^ListenStream=(.+)$/m.exec(window)![1]!;
  for (const line of ['SocketUser=root', 'SocketGroup=banca-kiosk', 'SocketMode=0660'])
    assert.ok(window.includes(`\n${line}\n`), line);
  assert.ok(read('session.sh').includes(`electron/window.ts ${path}`));
});
