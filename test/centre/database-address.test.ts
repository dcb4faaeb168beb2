/**
 * What the centre makes of DATABASE_URL: which addresses it refuses, and what it says where one
 * fails.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, test } from 'node:test';
import pg from 'pg';
import { makeCertificate } from '../../ledger/chain/certificate.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { openPostgres } from '../../upstream/db.store.ts';
import { greetPostgres, refusalOf, serversOf } from '../../upstream/postgres-address.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const TLS_ONLY = { plainAllowed: false };
const REMOTE = 'postgres://banca:geheim@db.casino.example/banca';

test('an address across a network without a certificate that is looked at is refused, unless told otherwise', () => {
  for (const [url, why] of [
    [REMOTE, /db\.casino\.example:5432 is across a network, and its entries would travel in clear/],
    [`${REMOTE}?sslmode=disable`, /in clear/],
    [`${REMOTE}?ssl=false`, /no certificate is looked at/],
    [`${REMOTE}?sslmode=no-verify`, /to whoever answers there: no certificate is looked at/],
    [`${REMOTE}?uselibpqcompat=true&sslmode=require`, /no certificate is looked at/],
    ['postgres://banca@10.0.0.7:6000/banca', /10\.0\.0\.7:6000 is across/],
    ['postgres://banca@localhost.example/banca', /localhost\.example:5432 is across/],
    ['postgres://banca@127.evil.example/banca', /127\.evil\.example:5432 is across/],
    // The name behind `host=` is the one that is called, whatever stands in front.
    ['postgres://banca@localhost/banca?host=10.0.0.7', /10\.0\.0\.7:5432 is across/],
  ] as const) {
    assert.match(refusalOf(url, TLS_ONLY) ?? '', why, url);
    assert.doesNotMatch(refusalOf(url, TLS_ONLY) ?? '', /geheim/);
    assert.equal(refusalOf(url, { plainAllowed: true }), null, url);
  }
  for (const url of [
    `${REMOTE}?sslmode=verify-full`,
    `${REMOTE}?ssl=true`,
    'postgresql://banca@localhost/banca',
    'postgres://banca@127.0.0.1:5433/banca?sslmode=disable',
    'postgres://banca@[::1]/banca',
    'postgres:///banca?host=/var/run/postgresql',
  ])
    assert.equal(refusalOf(url, TLS_ONLY), null, url);
});

test('what is no address gets a sentence, and none has the password', () => {
  for (const [url, why] of [
    ['db.casino.example', /is no address of PostgreSQL, as postgres:/],
    ['mysql://banca:geheim@db/banca', /is no address of PostgreSQL/],
    ['postgres://banca:ge/heim@db:x/banca', /signs such as @ : \/ # \? in the password are written as/],
    [`${REMOTE}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`, /cannot be read: .*\/nowhere\/ca\.pem/],
  ] as const) {
    const said = refusalOf(url, TLS_ONLY) ?? '';
    assert.match(said, why);
    assert.doesNotMatch(said, /geheim|ge\/heim/);
  }
});

test('several servers in one address are each judged, and each tried', async () => {
  const both = 'postgres://banca:a%2Cb@one:5433,two/banca?sslmode=verify-full';
  assert.deepEqual(serversOf(both), [
    'postgres://banca:a%2Cb@one:5433/banca?sslmode=verify-full',
    'postgres://banca:a%2Cb@two/banca?sslmode=verify-full',
  ]);
  // A sign between two words of the password names no second server.
  for (const one of ['postgres://banca:a,b@one/banca', 'postgres://one/banca?options=a,b'])
    assert.deepEqual(serversOf(one), [one]);
  assert.equal(refusalOf(`${both}&target_session_attrs=read-write`, TLS_ONLY), null);
  for (const [url, why] of [
    ['postgres://banca:geheim@127.0.0.1,10.0.0.7/banca', /10\.0\.0\.7:5432 is across a network/],
    ['postgres://banca:geheim@localhost,/banca', /one of several servers has no name/],
    ['postgres://banca:geheim@,localhost/banca', /one of several servers has no name/],
    [`${both}&target_session_attrs=standby`, /target_session_attrs=standby: the centre writes/],
  ] as const) {
    assert.match(refusalOf(url, TLS_ONLY) ?? '', why, url);
    assert.doesNotMatch(refusalOf(url, TLS_ONLY) ?? '', /geheim/);
  }
  const [first, second] = [await freePort(), await freePort()];
  await assert.rejects(
    openPostgres(`postgres://banca@127.0.0.1:${first},127.0.0.1:${second}/banca`),
    new RegExp(
      `no database answers at 127\\.0\\.0\\.1:${first}; no database answers at 127\\.0\\.0\\.1:${second}$`,
    ),
  );
});

test('a name that leads nowhere, a port where nobody answers and a host that says nothing each have their sentence', async (t) => {
  await assert.rejects(
    openPostgres('postgres://banca@no-such-host.invalid/banca', { plainAllowed: true }),
    /the name no-such-host\.invalid of DATABASE_URL leads to no address/,
  );
  const port = await freePort();
  for (const host of ['127.0.0.1', 'localhost'])
    await assert.rejects(
      openPostgres(`postgres://banca@${host}:${port}/banca`),
      new RegExp(`no database answers at ${host}:${port}`),
    );
  const mute = createServer();
  await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
  t.after(() => mute.close());
  const { port: at } = mute.address() as { port: number };
  await assert.rejects(
    greetPostgres(`postgres://banca@127.0.0.1:${at}/banca`, 300),
    new RegExp(`127\\.0\\.0\\.1:${at} has not answered within 0\\.3 s`),
  );
});

/** The program, which must end by itself; its exit code and its one sentence. */
async function centre(databaseUrl: string, ...argv: string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'banca-address-'));
  const child = spawn(process.execPath, ['upstream/main.ts', '--data', dir, ...argv], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const [said, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((done) => child.once('close', done)),
  ]);
  rmSync(dir, { recursive: true, force: true });
  return { code, said: said.trimEnd() };
}

test('the program says it in one line and ends with 2; --database-plain is what tells it otherwise', async () => {
  const url = 'postgres://banca:geheim@no-such-host.invalid/banca';
  const refused = await centre(url);
  assert.deepEqual([refused.code, refused.said.split('\n').length], [2, 1], refused.said);
  assert.match(
    refused.said,
    /^centre: the database cannot be opened: DATABASE_URL: no-such-host\.invalid:5432 is across a network/,
  );
  const told = await centre(url, '--database-plain');
  assert.equal(told.code, 2);
  assert.equal(
    told.said,
    'centre: the database cannot be opened: the name no-such-host.invalid of DATABASE_URL leads to no address',
  );
});

const started = await startPostgres(true);
const given = process.env['DATABASE_URL'] ? 'the server of DATABASE_URL is not ours to set' : false;
describe('on a PostgreSQL server', { skip: 'skip' in started ? started.skip : given }, () => {
  const server = started as PostgresServer;
  const admin = new pg.Client({ connectionString: server.url });
  const dir = mkdtempSync(join(tmpdir(), 'banca-tls-'));
  const at = (database: string, more = '', host = '127.0.0.1'): string => {
    const url = new URL(server.url);
    url.hostname = host;
    url.pathname = `/${database}`;
    return `${url.href}${more}`;
  };
  before(() => admin.connect());
  after(async () => {
    await admin.end();
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it('a database of another encoding is refused, and is left as it was', async () => {
    for (const encoding of ['LATIN1', 'SQL_ASCII']) {
      const name = `wrong_${encoding.toLowerCase()}`;
      await admin.query(
        `CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
      );
      await assert.rejects(
        openPostgres(at(name)),
        new RegExp(`${name} at 127\\.0\\.0\\.1:\\d+ is encoded in ${encoding}; entries need UTF8`),
      );
      const inside = new pg.Client({ connectionString: at(name) });
      await inside.connect();
      const { rows } = await inside.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
      await inside.end();
      assert.deepEqual(rows, []);
      await admin.query(`DROP DATABASE ${name}`);
    }
  });

  it('a database or a user that is not there gets a sentence', async () => {
    await assert.rejects(openPostgres(at('nowhere')), /has no such database: database "nowhere"/);
    const url = new URL(server.url);
    url.username = 'nobody-here';
    await assert.rejects(openPostgres(url.href), /does not let this user in: role "nobody-here"/);
  });

  it('TLS that is asked for is had: not offered, not trusted, of another name, and in order', async () => {
    const database = new URL(server.url).pathname.slice(1);
    const full = '?sslmode=verify-full';
    await assert.rejects(openPostgres(at(database, full)), /127\.0\.0\.1:\d+ offers no TLS/);
    const { privateKey } = generateKeyPairSync('ed25519');
    const { publicKey, sign } = keyFromPrivate(privateKey);
    const now = Date.now();
    const names = { subject: 'localhost', issuer: 'localhost', publicKey };
    const cert = makeCertificate(
      { ...names, notBeforeMs: now - 86_400_000, notAfterMs: now + 86_400_000 },
      sign,
    );
    writeFileSync(join(dir, 'ca.pem'), cert);
    // Written by the server itself: its key must be nobody else's to read.
    const files = (await admin.query<{ data_directory: string }>('SHOW data_directory')).rows[0]!;
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    for (const [name, pem] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const)
      await admin.query(
        `COPY (SELECT regexp_split_to_table('${pem.trimEnd()}', '\n')) TO PROGRAM 'umask 077; cat > ${files.data_directory}/${name}'`,
      );
    await admin.query("ALTER SYSTEM SET ssl = 'on'");
    await admin.query('SELECT pg_reload_conf()');
    const rootcert = `${full}&sslrootcert=${join(dir, 'ca.pem')}`;
    const db = await until('TLS is on', () =>
      openPostgres(at(database, rootcert, 'localhost')).catch((error: Error) => {
        assert.match(error.message, /offers no TLS/);
        return null;
      }),
    );
    const [seen] = await db.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    assert.equal(seen?.ssl, true);
    await db.close();
    await assert.rejects(
      openPostgres(at(database, full, 'localhost')),
      /the certificate of localhost:\d+ is not accepted: .*; sslrootcert=FILE names the authority/,
    );
    await assert.rejects(
      openPostgres(at(database, rootcert)),
      /the certificate of 127\.0\.0\.1:\d+ is not accepted: /,
    );
  });
});
