import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { handOver, type KioskUser, makeHome, windowEnvironment } from './kiosk-user.ts';

test('the window’s folder is ours and closed until all is in it; a link in it is handed over as a link', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can give a folder to another account');
  const folder = mkdtempSync(join(tmpdir(), 'banca-home-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [home, secret, cookie] = ['home', 'secret', 'cookie'].map((name) => join(folder, name));
  for (const path of [secret!, cookie!]) writeFileSync(path, path, { mode: 0o600 });
  const stranger: KioskUser = { name: 'stranger', uid: 54_321, gid: 54_321, switchUser: true };

  // What an account that had the folder before has left there.
  symlinkSync(secret!, home!);
  makeHome(home!);
  const ours = lstatSync(home!);
  assert.deepEqual([ours.isDirectory(), ours.uid, ours.mode & 0o777], [true, 0, 0o700]);
  const { XAUTHORITY } = windowEnvironment(home!, { DISPLAY: ':1', XAUTHORITY: cookie! });
  assert.equal(statSync(XAUTHORITY!).uid, 0, 'written before it is given away');
  symlinkSync(secret!, join(home!, 'link'));
  handOver(home!, stranger);
  assert.deepEqual(
    [statSync(home!).uid, statSync(XAUTHORITY!).uid, statSync(XAUTHORITY!).mode & 0o777],
    [54_321, 54_321, 0o600],
  );
  assert.equal(lstatSync(join(home!, 'link')).uid, 54_321);
  const kept = statSync(secret!);
  assert.deepEqual([kept.uid, kept.mode & 0o777, readFileSync(secret!, 'utf8')], [0, 0o600, secret]);
});
