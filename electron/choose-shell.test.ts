import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chooseShell, electronBinary } from './choose-shell.ts';
import { type KioskUser, reachable } from './kiosk-user.ts';

const OURSELVES: KioskUser = {
  name: 'us',
  uid: process.getuid!(),
  gid: process.getgid!(),
  switchUser: false,
};
const STRANGER: KioskUser = { name: 'stranger', uid: 54_321, gid: 54_321, switchUser: true };

/** A checkout with the named files in it. */
function checkout(t: TestContext, ...files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'banca-choice-'));
  chmodSync(root, 0o755);
  t.after(() => rmSync(root, { recursive: true }));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), file.endsWith('path.txt') ? 'electron' : '');
  }
  return root;
}

test('Electron is found by its files alone', (t) => {
  const root = checkout(
    t,
    'node_modules/electron/path.txt',
    'node_modules/electron/dist/electron',
    'other/electron',
  );
  assert.equal(electronBinary(root, {}), join(root, 'node_modules/electron/dist/electron'));
  assert.equal(
    electronBinary(root, { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'other') }),
    join(root, 'other/electron'),
  );
  assert.equal(
    electronBinary(root, { ELECTRON: join(root, 'other/electron') }),
    join(root, 'other/electron'),
  );
  assert.equal(electronBinary(root, { ELECTRON: join(root, 'missing') }), null);
  assert.equal(
    electronBinary(checkout(t, 'node_modules/electron/package.json'), {}),
    null,
    'package without binary',
  );
});

test('Electron when it is there, else Chromium with the reason, else neither', (t) => {
  const both = checkout(t, 'node_modules/electron/dist/electron', 'bin/chromium');
  const chromiumOnly = checkout(t, 'bin/chromium');
  const env = (root: string): NodeJS.ProcessEnv => ({ CHROMIUM: join(root, 'bin/chromium') });
  assert.equal(chooseShell(both, env(both), OURSELVES, null).kind, 'electron');
  assert.deepEqual(chooseShell(both, env(both), OURSELVES, 'chromium'), {
    kind: 'chromium',
    binary: join(both, 'bin/chromium'),
    because: null,
  });
  const fallback = chooseShell(chromiumOnly, env(chromiumOnly), OURSELVES, null);
  assert.equal(fallback.kind, 'chromium');
  assert.match(fallback.kind === 'chromium' ? fallback.because! : '', /Electron binary is not installed/);
  const none = chooseShell(chromiumOnly, { CHROMIUM: join(chromiumOnly, 'missing') }, OURSELVES, null);
  assert.match(none.kind === 'none' ? none.because : '', /Electron .* and Chromium is not installed/);
  assert.equal(chooseShell(chromiumOnly, env(chromiumOnly), OURSELVES, 'electron').kind, 'none');
});

test('an Electron that the window’s account cannot read is not chosen', (t) => {
  const root = checkout(t, 'node_modules/electron/dist/electron', 'bin/chromium');
  const env = { CHROMIUM: join(root, 'bin/chromium') };
  assert.ok(reachable(join(root, 'bin/chromium'), STRANGER));
  chmodSync(join(root, 'node_modules'), 0o700);
  assert.ok(!reachable(join(root, 'node_modules/electron/dist/electron'), STRANGER));
  const choice = chooseShell(root, env, STRANGER, null);
  assert.match(choice.kind === 'chromium' ? choice.because! : '', /cannot be read by the user stranger/);
});
