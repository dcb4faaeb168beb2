import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadOrMakePassword, readPassword } from './password.store.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-password-'));
after(() => rmSync(root, { recursive: true, force: true }));

test('a password is made once, for its own account only, and another one for each centre', () => {
  const path = join(root, 'a', 'operator-password');
  const password = loadOrMakePassword(path);
  assert.match(password, /^[A-Za-z0-9_-]{32}$/);
  assert.equal(readFileSync(path, 'utf8'), `${password}\n`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(root, 'a')).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(join(root, 'a')), ['operator-password']);
  assert.equal(loadOrMakePassword(path), password);
  assert.notEqual(loadOrMakePassword(join(root, 'b', 'operator-password')), password);
});

test('a file that others can read, or with a short password, is refused', () => {
  const path = join(root, 'own');
  assert.throws(() => readPassword(path), /ENOENT/);
  writeFileSync(path, 'short', { mode: 0o600 });
  assert.throws(() => loadOrMakePassword(path), /own: a password has at least 20 characters/);
  writeFileSync(path, 'x'.repeat(20));
  chmodSync(path, 0o640);
  assert.throws(() => loadOrMakePassword(path), /own can be read by others; it must have mode 0600/);
});
