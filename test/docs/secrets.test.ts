/** No key lies in the repository but those of the ledgers that the tests read. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
/** Of ledgers that nobody has ever played for money by. */
const OF_TESTS = /^test\/ledgers\/[^/]+\/[^/]+\.pem$/;

const SECRETS: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\r?\n[A-Za-z0-9+/=\r\n]{40}/,
  'a private key as JSON': /"kty"\s*:\s*"[A-Z]+"[^}]*"d"\s*:\s*"[A-Za-z0-9_-]{20}/,
  'a token of a forge or a registry':
    /\b(?:(?:gh[pousr]_|github_pat_|glpat-)[A-Za-z0-9_]{20}|npm_[A-Za-z0-9]{36})/,
  'a key of a cloud': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  // Hosts of examples are nobody's.
  'a password in an address':
    /\b[a-z]{2,12}:\/\/[^\s/:@'"`$<>{}]+:[^\s/@'"`$<>{}]{6,}@(?:[a-z0-9-]+\.)+(?!example\b|invalid\b)[a-z]{2,}(?![a-z0-9.-])/,
};
const KEY_FILE = /\.(?:pem|key|p12|pfx|jks|keystore)$/;

const secretsIn = (path: string, text: string): string[] =>
  Object.entries(SECRETS).flatMap(([what, pattern]) => (pattern.test(text) ? [`${path}: ${what}`] : []));

test('no file of the repository holds a key, a token or a password of somebody', (t) => {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  if (listed.status !== 0) return t.skip('this is no checkout of the repository');
  const paths = listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  assert.ok(paths.length > 1_000, `${paths.length} files`);
  const found = paths
    .filter((path) => !OF_TESTS.test(path))
    .flatMap((path) =>
      KEY_FILE.test(path)
        ? [`${path}: a file of keys`]
        : secretsIn(path, readFileSync(join(ROOT, path), 'latin1')),
    );
  assert.deepEqual(found, []);
});

test('a key that somebody adds is found', () => {
  const body = 'MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF';
  const dashes = '-'.repeat(5);
  const planted = [
    `${dashes}BEGIN PRIVATE KEY${dashes}\n${body}\n`,
    `${dashes}BEGIN RSA PRIVATE KEY${dashes}\r\n${body}\r\n`,
    JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: body.slice(0, 43) }),
    `token: ${'ghp'}_${body.replaceAll('+', 'x').slice(0, 36)}`,
    `${'AK'}IAIOSFODNN7EXAMPLE`,
    `postgres://banca:${'very'}secret@db.casino.mo/centre`,
  ];
  for (const text of planted) assert.equal(secretsIn('x', text).length, 1, text);
  assert.deepEqual(secretsIn('x', `${dashes}BEGIN PUBLIC KEY${dashes}\n${body}\n`), []);
});
