/**
 * The link between a terminal and the centre across a network: TLS 1.3, both sides known by their
 * keys.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import {
  type CertificateFields,
  makeCertificate,
  NO_END_MS,
  pinOf,
} from '../../ledger/chain/certificate.codec.ts';
import { keyFromPrivate, type LedgerKey } from '../../ledger/chain/key.ts';
import { loadOrMakeTls, pinOfPem, type TlsIdentity } from '../../ledger/chain/tls.store.ts';
import { readCentreAddress } from '../../ledger/sync/centre-address.ts';
import { createUploader, type UploaderOptions, type UploadStatus } from '../../ledger/sync/uploader.ts';
import { createTlsCentre } from '../../upstream/server.ts';
import { until } from '../support/until.ts';
import { testDatabase } from './database.ts';
import { loggedInWith, PASSWORD } from './operators.ts';
import { type VirtualLedger, virtualLedger } from './virtual-ledger.ts';

const DAY_MS = 86_400_000;
const root = mkdtempSync(join(tmpdir(), 'banca-link-'));
const { db, url: databaseUrl, close } = await testDatabase();
after(async () => {
  await close();
  rmSync(root, { recursive: true, force: true });
});

const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString();

/** A centre's key with certificates of any dates. */
function centreKey() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { publicKey, sign } = keyFromPrivate(privateKey);
  const names = { subject: 'centre', issuer: 'centre', publicKey };
  return {
    identity: (fromMs: number, toMs: number): TlsIdentity => ({
      key: pem(privateKey),
      cert: makeCertificate({ ...names, notBeforeMs: fromMs, notAfterMs: toMs }, sign),
    }),
  };
}
const valid = (key = centreKey()): TlsIdentity => key.identity(Date.now() - DAY_MS, Date.now() + DAY_MS);

async function centreWith(
  identity: TlsIdentity,
  port = 0,
  gate: (path: string) => Promise<void> = async () => undefined,
) {
  const { terminals, operators } = createTlsCentre({ db, enrolDir: root, password: PASSWORD }, identity);
  const asked: string[] = [];
  terminals.addHook('onRequest', async (request) => {
    asked.push(request.url);
    await gate(request.url);
  });
  let connections = 0;
  terminals.server.on('secureConnection', () => {
    connections += 1;
  });
  const url = await terminals.listen({ host: '127.0.0.1', port });
  return {
    base: url,
    port: Number(new URL(url).port),
    address: `${url}#pin=${pinOfPem(identity.cert)}`,
    /** Paths that were asked for, whatever became of it. */
    asked,
    connections: () => connections,
    close: async () => {
      terminals.server.closeAllConnections();
      await terminals.close();
      await operators.close();
    },
  };
}

let count = 0;
function newTerminal(entryCount: number, fromMs = Date.now() - DAY_MS): VirtualLedger {
  count += 1;
  const terminalId = `link-${count}`;
  const ledger = virtualLedger({ terminalId, seed: count, entryCount, fromMs, toMs: fromMs + DAY_MS });
  writeFileSync(join(root, `${terminalId}.pub`), ledger.key.publicPem);
  return ledger;
}

/** Runs an uploader until it says what is wanted. */
async function uploadUntil(
  ledger: VirtualLedger,
  url: string,
  wanted: (status: UploadStatus) => boolean,
  more: Partial<UploaderOptions> = {},
): Promise<UploadStatus> {
  const { promise, resolve } = Promise.withResolvers<UploadStatus>();
  const uploader = createUploader(ledger, {
    url,
    key: ledger.key,
    backoff: { firstMs: 5, mostMs: 50 },
    onStatus: (status) => {
      if (wanted(status)) resolve(status);
    },
    ...more,
  });
  uploader.start();
  const status = await promise;
  await uploader.stop();
  return status;
}
const isDown = (status: UploadStatus): boolean => status.state === 'down';
const hasAll = (ledger: VirtualLedger) => (status: UploadStatus) => status.ackedSeq === ledger.entryCount;

async function assertStored(ledger: VirtualLedger, entryCount = ledger.entryCount): Promise<void> {
  const rows = await db.query<{ hash: string }>(
    "SELECT encode(hash, 'hex') AS hash FROM entries WHERE terminal_id = $1 ORDER BY seq",
    [ledger.terminalId],
  );
  assert.equal(
    rows.map((row) => row.hash).join(''),
    ledger.hashes.subarray(0, entryCount * 32).toString('hex'),
  );
}

describe('the address of the centre', () => {
  const pin = pinOfPem(valid().cert);
  it('names where it is and by which keys it is known', () => {
    const commandKey = Buffer.alloc(32, 0xfb).toString('base64');
    assert.deepEqual(
      readCentreAddress(`https://centre.example:8443/#pin=${pin}&pin=${pin}&command-key=${commandKey}`),
      { base: 'https://centre.example:8443', pins: [pin, pin], commandKey: Buffer.alloc(32, 0xfb) },
    );
    assert.deepEqual(readCentreAddress('http://127.0.0.1:80'), {
      base: 'http://127.0.0.1',
      pins: null,
      commandKey: null,
    });
  });
  for (const [address, why] of [
    ['centre', /not a URL/],
    ['ftp://127.0.0.1', /neither https nor http/],
    ['https://centre.example', /https needs #pin=/],
    ['https://centre.example#pin=abc', /pin abc is not/],
    ['http://10.0.0.5:8443', /this machine only/],
    [`http://127.0.0.1#pin=${pin}`, /a pin needs https/],
    ['http://127.0.0.1#command-key=abc', /command-key is not/],
    ['http://127.0.0.1#key=abc', /unknown member key/],
  ] as const)
    it(`${address} is refused: ${why.source}`, () => {
      assert.throws(() => readCentreAddress(address), why);
    });
});

describe('TLS 1.3 with pinned keys', () => {
  let centre: Awaited<ReturnType<typeof centreWith>>;
  before(async () => {
    centre = await centreWith(valid());
  });
  after(() => centre.close());

  it('carries everything to a centre that shows the pinned key', async () => {
    const ledger = newTerminal(1203);
    const before = centre.connections();
    await uploadUntil(ledger, centre.address, (status) => {
      assert.notEqual(status.state, 'down', status.lastError ?? '');
      return hasAll(ledger)(status);
    });
    await assertStored(ledger);
    // A second one where a batch takes so long that a report is sent beside it.
    assert.ok(centre.connections() - before <= 2, 'one handshake for all batches');
  });

  it('hears and is heard every second while a batch is long under way, and says so when it is not', async (t) => {
    const held = Promise.withResolvers<void>();
    let answersReports = true;
    const slow = await centreWith(valid(), 0, async (path) => {
      if (path.endsWith('/batches')) await held.promise;
      else if (!answersReports) throw new Error('away');
    });
    t.after(() => slow.close());
    const ledger = newTerminal(10);
    const statuses: UploadStatus[] = [];
    const all = uploadUntil(ledger, slow.address, (status) => {
      statuses.push(status);
      return hasAll(ledger)(status);
    });
    await until('two reports beside the batch', () => {
      const [, ...after] = slow.asked.slice(slow.asked.findIndex((path) => path.endsWith('/batches')));
      return after.filter((path) => path.endsWith('/reports')).length >= 2;
    });
    assert.ok(slow.asked.some((path) => path.endsWith('/batches')));
    assert.equal(statuses.at(-1)?.state, 'up');
    assert.ok(!statuses.some(isDown), 'slow is not gone');
    answersReports = false;
    const down = await until('the link is down', () => statuses.find(isDown));
    assert.match(down.lastError ?? '', /the centre answered 500/);
    answersReports = true;
    await until('the link is up', () => statuses.at(-1)?.state === 'up');
    assert.equal(ledger.acknowledged()?.seq ?? 0, 0, 'the batch is still under way');
    held.resolve();
    await all;
    await assertStored(ledger);
  });

  it('goes on when the centre shows the second of two pinned keys', async () => {
    const ledger = newTerminal(10);
    const address = `${centre.base}#pin=${pinOfPem(valid().cert)}&${centre.address.split('#')[1]}`;
    await uploadUntil(ledger, address, hasAll(ledger));
  });

  it('sends nothing at all to a centre that shows another key', async () => {
    const ledger = newTerminal(10);
    const other = pinOfPem(valid().cert);
    const asked = centre.asked.length;
    const { lastError } = await uploadUntil(ledger, `${centre.base}#pin=${other}`, isDown);
    const shown = centre.address.split('#pin=')[1]!;
    assert.equal(lastError, `the centre shows the key ${shown}, known is ${other}`);
    assert.equal(centre.asked.length, asked);
    assert.equal(ledger.acknowledged(), null);
  });

  it('speaks no older TLS', async () => {
    const socket = connect({ port: centre.port, maxVersion: 'TLSv1.2', rejectUnauthorized: false });
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve));
    assert.match(error.code ?? '', /ERR_SSL_(TLSV1_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)/);
  });

  it('answers nobody without a certificate that the enrolled key of that terminal has signed', async () => {
    const ledger = newTerminal(3);
    const stranger = newTerminal(3);
    const path = `/v1/terminals/${ledger.terminalId}`;
    const ask = (options: RequestOptions): Promise<number> =>
      new Promise((resolve, reject) => {
        httpsRequest(centre.base + path, { ...options, rejectUnauthorized: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        })
          .on('error', reject)
          .end();
      });
    /** A TLS key, with a certificate for it by somebody. */
    const shown = (by: LedgerKey, change: Partial<CertificateFields> = {}): RequestOptions => {
      const { privateKey } = generateKeyPairSync('ed25519');
      const { publicKey } = keyFromPrivate(privateKey);
      const fields = { subject: ledger.terminalId, issuer: ledger.terminalId, publicKey, ...change };
      return {
        key: pem(privateKey),
        cert: makeCertificate({ ...fields, notBeforeMs: 0, notAfterMs: NO_END_MS }, by.sign),
      };
    };
    assert.equal(await ask({}), 401);
    assert.equal(await ask(shown(stranger.key)), 401, 'another terminal with this name in its certificate');
    assert.equal(await ask(shown(ledger.key)), 200);
  });
});

describe('dates and clocks', () => {
  it('an expired certificate is refused and named; with a new one of the same key it goes on, nothing lost', async () => {
    const key = centreKey();
    const expired = key.identity(Date.parse('2020-01-01'), Date.parse('2021-01-01'));
    const first = await centreWith(expired);
    const ledger = newTerminal(600);
    const { lastError, ackedSeq } = await uploadUntil(ledger, first.address, isDown);
    assert.match(
      lastError ?? '',
      /certificate is valid from 2020-01-01T00:00:00.000Z to 2021-01-01T00:00:00.000Z; its clock says/,
    );
    assert.equal(ackedSeq, 0);
    assert.deepEqual([...new Set(first.asked)], [`/v1/terminals/${ledger.terminalId}/reports`]);
    await first.close();
    const renewed = await centreWith(key.identity(Date.now() - DAY_MS, Date.now() + DAY_MS), first.port);
    // The pin is of the key and has not changed.
    await uploadUntil(ledger, first.address, hasAll(ledger));
    await assertStored(ledger);
    await renewed.close();
  });

  for (const [clock, offMs] of [
    ['stands in 1970', -Date.now()],
    ['is ten years ahead', 3650 * DAY_MS],
  ] as const)
    it(`a terminal whose clock ${clock} delivers all the same, in order, and the clock is named`, async () => {
      const centre = await centreWith(valid());
      const wrongNow = (): number => Date.now() + offMs;
      const ledger = newTerminal(700, Math.max(0, wrongNow()));
      const { clockOffMs } = await uploadUntil(ledger, centre.address, hasAll(ledger), { nowMs: wrongNow });
      assert.ok(Math.abs(clockOffMs! - offMs) <= 5_000, `${clockOffMs} ms`);
      await assertStored(ledger);
      const [named] = await db.query<{ detail: string }>(
        "SELECT detail FROM incidents WHERE terminal_id = $1 AND kind = 'clock'",
        [ledger.terminalId],
      );
      assert.match(named?.detail ?? 'not named', offMs < 0 ? /ms behind$/ : /ms ahead$/);
      await centre.close();
    });
});

describe('key and certificate of the centre', () => {
  it('are made once; the certificate is rebuilt with the same key before it ends', () => {
    const dir = join(root, 'tls');
    const nowMs = Date.parse('2026-01-01');
    const first = loadOrMakeTls(dir, 'centre', nowMs);
    assert.deepEqual(loadOrMakeTls(dir, 'centre', nowMs + 300 * DAY_MS), first);
    const renewed = loadOrMakeTls(dir, 'centre', nowMs + 320 * DAY_MS);
    assert.notEqual(renewed.cert, first.cert);
    assert.equal(pinOfPem(renewed.cert), pinOfPem(first.cert));
    const parsed = new X509Certificate(renewed.cert);
    assert.equal(parsed.validToDate.getTime(), nowMs + (320 + 397) * DAY_MS);
    assert.ok(parsed.checkIssued(parsed) && parsed.verify(parsed.publicKey));
    assert.match(pinOf(parsed), /^sha256\/[A-Za-z0-9+/]{43}=$/);
    const other = valid();
    writeFileSync(join(root, 'own.key'), other.key);
    writeFileSync(join(root, 'own.crt'), first.cert);
    const own = { key: join(root, 'own.key'), cert: join(root, 'own.crt') };
    assert.throws(() => loadOrMakeTls(dir, 'centre', nowMs, own), /is not a certificate of the key/);
    writeFileSync(own.cert, other.cert);
    assert.deepEqual(loadOrMakeTls(dir, 'centre', nowMs, own), other);
  });
});

describe('the centre as a process', () => {
  const main = (...args: string[]) =>
    spawn(process.execPath, [join(import.meta.dirname, '../../upstream/main.ts'), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, DATABASE_URL: databaseUrl ?? '' },
    });

  it('says its pin; terminals come over TLS, operators on an address of their own', async () => {
    const child = main('--tls', '--data', join(root, 'process'), '--enrol-dir', root, '--supervised');
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const said = JSON.parse(line) as Record<'url' | 'pin' | 'operator' | 'operatorPassword', string>;
    const headers = loggedInWith(said.operatorPassword);
    const ledger = newTerminal(40);
    await uploadUntil(ledger, `${said.url}#pin=${said.pin}`, hasAll(ledger));
    const entries = (await (
      await fetch(`${said.operator}/v1/terminals/${ledger.terminalId}/entries`, { headers })
    ).json()) as { entries: unknown[] };
    assert.equal(entries.entries.length, 40);
    assert.match(
      await (await fetch(`${said.operator}/metrics`, { headers })).text(),
      /banca_certificate_end_timestamp_seconds \d{10}/,
    );
    // Neither takes what is the other's.
    const wrong = await fetch(`${said.operator}/v1/terminals/${ledger.terminalId}/batches`, {
      method: 'POST',
      headers,
    });
    assert.equal(wrong.status, 404);
    assert.equal((await fetch(`${said.operator}/metrics`)).status, 401);
    child.stdin.end();
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
  });

  for (const [args, why] of [
    [['--host', '0.0.0.0', '--data', root], /across a network entries travel with --tls/],
    [
      ['--tls', '--operator-host', '0.0.0.0', '--data', root],
      /passwords and sessions would cross the network in clear/,
    ],
    [['--tls', '--tls-key', 'x', '--data', root], /--tls-key and --tls-cert belong together/],
    [['--command-key', 'abc', '--data', root], /--command-key is not 32 bytes/],
    [['--operator-address', 'http://centre', '--data', root], /expected https:\/\/NAME/],
  ] as const)
    it(`does not start with ${args.slice(0, -2).join(' ')}`, async () => {
      const child = main(...args);
      const complaint = await text(child.stderr);
      assert.match(complaint, why);
      assert.equal(child.exitCode ?? ((await once(child, 'exit')) as [number])[0], 2);
    });
});
