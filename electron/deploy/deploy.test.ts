import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  assert.deepEqual([policy['URLBlocklist'], policy['URLAllowlist']], [['*'], ['127.0.0.1']]);
  assert.equal(policy['DeveloperToolsAvailability'], 2, 'developer tools nowhere');
  assert.equal(policy['TranslateEnabled'], PREFERENCES.translate.enabled);
  assert.equal(policy['DownloadRestrictions'], PREFERENCES.download_restrictions);
});

test('the unit plays for money, and a start that is refused is not made again', () => {
  assert.match(read('session.sh'), /launch\.ts --production --profile \/etc\/banca\/terminal\.json /);
  assert.doesNotMatch(read('session.sh'), /simulators-allowed|--demo|--test/);
  assert.match(read('banca.service'), /^RestartPreventExitStatus=2$/m);
});

/** xinit as it is: it runs the session and ends with 0, however the session ended. */
test('the unit ends with the code of the supervisor', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-unit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const session = read('session.sh')
    .replace(/^cd .*$|^openbox .*$/gm, '')
    .replace(/^node_modules.*$/m, 'sh -c "exit $CODE"');
  writeFileSync(join(folder, 'session.sh'), session, { mode: 0o755 });
  writeFileSync(join(folder, 'xinit'), `#!/bin/sh\n${join(folder, 'session.sh')}\nexit 0\n`, { mode: 0o755 });
  const start = read('start.sh').replace('/usr/bin/xinit', join(folder, 'xinit'));
  writeFileSync(join(folder, 'start.sh'), start, { mode: 0o755 });
  for (const code of [0, 1, 2]) {
    const env = { ...process.env, RUNTIME_DIRECTORY: folder, CODE: String(code) };
    assert.equal(spawnSync(join(folder, 'start.sh'), ['X'], { env }).status, code);
  }
});

test('the X server never blanks and switches no console', () => {
  const unit = read('banca.service');
  for (const option of ['-s 0', '-dpms', '-dontvtswitch', '-nolisten tcp'])
    assert.ok(unit.includes(option), option);
  assert.match(unit, /^Restart=always$/m);
  assert.doesNotMatch(unit, /no-sandbox|remote-debugging|^User=root$/m);
});
