import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readProvider } from './oidc.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-provider-'));
after(() => rmSync(root, { recursive: true, force: true }));
const GOOD = {
  name: 'Casa',
  issuer: 'https://login.casino.example',
  clientId: 'banca',
  roles: [{ value: 'pit', role: 'floor' }],
};

function read(settings: unknown) {
  const path = join(root, 'provider.json');
  writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return readProvider(path);
}

test('settings of a provider are taken, or refused with the place', () => {
  assert.equal(read(GOOD).name, 'Casa');
  assert.equal(read({ ...GOOD, issuer: 'http://localhost:4000' }).name, 'Casa');
  const wrong: readonly [unknown, RegExp][] = [
    ['{', /JSON/],
    [{}, /name/],
    [{ ...GOOD, issuer: 'http://login.casino.example' }, /across a network a provider is asked over https/],
    [{ ...GOOD, issuer: 'ldap://login' }, /issuer/],
    [{ ...GOOD, roles: [] }, /roles/],
    [{ ...GOOD, roles: [{ value: 'pit', role: 'god' }] }, /roles\[0\]\.role/],
    [{ ...GOOD, name: 'turned\u202e' }, /cannot be seen/],
    [{ ...GOOD, more: 1 }, /more/],
    [{ ...GOOD, clientSecretFile: join(root, 'none') }, /ENOENT/],
  ];
  for (const [settings, why] of wrong) assert.throws(() => read(settings), why);
});

test('a provider that does not answer is away, and is asked again the next time', async () => {
  const provider = read({ ...GOOD, issuer: 'http://127.0.0.1:1' });
  for (let time = 0; time < 2; time += 1)
    assert.equal(await provider.begin('http://localhost:1/back', 'state', Buffer.alloc(32)), null);
});
