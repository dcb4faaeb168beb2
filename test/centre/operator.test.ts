/**
 * What operators see and do at the centre: pages, figures, and commands on their way to a terminal
 * and back.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BATCH_TYPE, encodeBatch, makeBatch } from '../../ledger/chain/batch.codec.ts';
import { COMMAND_TAKEN, type SignedCommand, signCommand } from '../../ledger/chain/command.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { type Ledger, loadOrCreateKey, type NewEntry, openLedger } from '../../ledger/store/ledger.store.ts';
import { createCommandDesk } from '../../ledger/sync/command-desk.ts';
import { createUploader, type UploadStatus } from '../../ledger/sync/uploader.ts';
import { createCentre } from '../../upstream/server.ts';
import { until } from '../support/until.ts';
import { testDatabase } from './database.ts';
import { loggedIn, type Operator, operatorAt, PASSWORD, PEOPLE_PASSWORD } from './operators.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-operator-'));
const enrolDir = join(root, 'enrol');
mkdirSync(enrolDir);
const { db, close } = await testDatabase();
const COMMAND = join(import.meta.dirname, '../../upstream/command.ts');
const keyFile = join(root, 'command-key.pem');
const passwordFile = join(root, 'password');
writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
const run = promisify(execFile);
/** `upstream/command.ts` with these arguments: what it says, or its exit code and complaint. */
async function command(...args: string[]): Promise<{ code: number; said: string }> {
  return await run(process.execPath, [COMMAND, '--key', keyFile, ...args]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
  );
}

let centre: ReturnType<typeof createCentre>;
let url: string;
/** Sees what the pages show. */
let floor: Operator;
before(async () => {
  const made = JSON.parse((await command('--make-key')).said) as { commandKey: string };
  const commandKey = Buffer.from(made.commandKey, 'base64');
  assert.equal(commandKey.length, 32);
  centre = createCentre({ db, enrolDir, commandKey, password: PASSWORD, peoplePassword: PEOPLE_PASSWORD });
  url = await centre.listen({ host: '127.0.0.1', port: 0 });
  floor = await operatorAt(url, PEOPLE_PASSWORD, 'floor');
});
after(async () => {
  await centre.close();
  await close();
  rmSync(root, { recursive: true, force: true });
});

function newTerminal(id: string) {
  const dir = join(root, id);
  const key = loadOrCreateKey(dir);
  writeFileSync(join(enrolDir, `${id}.pub`), key.publicPem);
  const path = join(dir, 'ledger.db');
  const ledger = openLedger(path, { terminalId: id, key, createIfMissing: true });
  return { id, key, path, ledger };
}
type Terminal = ReturnType<typeof newTerminal>;

function play(ledger: Ledger, entries: readonly Partial<NewEntry>[]): void {
  ledger.append(
    Date.now(),
    null,
    entries.map((e) => ({ kind: 'moved', roundId: null, body: {}, postings: [], ...e })),
  );
}

/** Uploads until everything is acknowledged, or the histories have parted. */
async function upload(
  { ledger, key }: Pick<Terminal, 'ledger' | 'key'>,
  onCommands?: (commands: readonly SignedCommand[]) => void,
): Promise<UploadStatus> {
  const { promise, resolve } = Promise.withResolvers<UploadStatus>();
  const uploader = createUploader(ledger, {
    url,
    key,
    backoff: { firstMs: 5, mostMs: 40 },
    onStatus: (status) => {
      if (status.state === 'fork' || status.ackedSeq === ledger.head().seq) resolve(status);
    },
    ...(onCommands === undefined ? {} : { onCommands }),
  });
  uploader.start();
  const status = await promise;
  // What a fork leads to is reported after it is shown.
  if (status.state === 'fork') await sleep(300);
  await uploader.stop();
  return status;
}

const isOfPrograms = (path: string): boolean => /^\/(?:metrics|v1)/.test(path);
const page = async (path: string, headers: Record<string, string> = {}) => {
  const own = isOfPrograms(path) ? loggedIn() : floor.headers;
  const answer = await fetch(url + path, { headers: { ...own, ...headers } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe("the operator's pages", () => {
  const evil = `<script>alert("x")</script>' onerror=y ../../\u202eturned\u2028\u200b`;
  let terminal: Terminal;
  before(async () => {
    terminal = newTerminal('table-7');
    const stake = (seat: number, amountMinor: number): Partial<NewEntry> => ({
      kind: 'bet-placed',
      roundId: 'table-7-000001',
      body: { seat, remark: evil },
      postings: [
        { account: `credit:${seat}`, currency: 'MOP', amountMinor: -amountMinor },
        { account: 'stakes', currency: 'MOP', amountMinor },
      ],
    });
    play(terminal.ledger, [
      { kind: 'betting-opened', roundId: 'table-7-000001' },
      stake(1, 123_456),
      stake(2, 5),
      { kind: 'fault-reported', body: { device: 'shoe', fault: 'jam' } },
      { kind: 'fault-reported', body: { device: 'acceptor:2', fault: 'cash-box-full' } },
      { kind: 'fault-cleared', body: { device: 'shoe', fault: 'jam' } },
      { kind: 'round-settled', roundId: 'table-7-000002/<b>' },
    ]);
    await upload(terminal);
  });
  after(() => terminal.ledger.close());

  it('show terminals, lag and link; without a script, under a strict policy', async () => {
    const { status, headers, text } = await page('/');
    assert.equal(status, 200);
    assert.match(text, /<a href="\/terminals\/table-7">table-7<\/a><\/td><td><span class="good">up<\/span>/);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    for (const path of ['/', '/terminals/table-7', '/terminals/table-7/rounds/table-7-000001', '/forks']) {
      const shown = await page(path);
      assert.doesNotMatch(shown.text, /<script|style=|javascript:|["']\son[a-z]+=/i, path);
      assert.doesNotMatch(
        shown.text,
        /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u,
        'nothing that turns or hides what is read',
      );
      assert.match(shown.headers.get('content-type') ?? '', /^text\/html; charset=utf-8/);
    }
    assert.match((await page('/style.css')).headers.get('content-type') ?? '', /^text\/css/);
  });

  it('show the meters, the alarms that stand, and the rounds of a terminal', async () => {
    const { text } = await page('/terminals/table-7');
    assert.match(text, /<td>credit:1<\/td><td>−1234.56 MOP<\/td>/);
    assert.match(text, /<td>stakes<\/td><td>1234.61 MOP<\/td>/);
    assert.match(text, /<span class="bad">open<\/span><\/td><td><code>\{&quot;device&quot;:&quot;acceptor:2/);
    assert.match(text, /<td>308 F<\/td><td>Cash box full <small>fault-reported<\/small><\/td>/);
    assert.match(text, /<td>closed<\/td><td><code>\{&quot;device&quot;:&quot;shoe/);
    assert.match(text, /<a href="\/terminals\/table-7\/rounds\/table-7-000001">table-7-000001<\/a>/);
  });

  it('lead to every entry of a round, with what a terminal wrote as text', async () => {
    const { text } = await page('/terminals/table-7/rounds/table-7-000001');
    assert.match(text, /&lt;script&gt;alert/);
    assert.equal(text.match(/<tr><td>\d/g)?.length, 3);
    assert.match(text, /credit:1 −1234.56 MOP<br>stakes 1234.56 MOP<br>/);
    const odd = await page(`/terminals/table-7/rounds/${encodeURIComponent('table-7-000002/<b>')}`);
    assert.match(odd.text, /round-settled/);
    for (const path of ['/terminals/table-8', '/terminals/table-7/rounds/none'])
      assert.equal((await page(path)).status, 404, path);
    assert.equal((await page('/terminals/table-7?before=x')).status, 400);
  });

  it('speak Portuguese to a browser that prefers it', async () => {
    assert.match(
      (await page('/', { 'accept-language': 'pt-PT,pt;q=0.9,en;q=0.5' })).text,
      /<h2>Terminais<\/h2>/,
    );
    assert.match((await page('/', { 'accept-language': 'en,pt;q=0.5' })).text, /<h2>Terminals<\/h2>/);
    assert.match(
      (await page('/', { 'accept-language': 'zh-HK,en;q=0.5' })).text,
      /lang="zh-Hant".*<h2>終端機<\/h2>/s,
    );
  });

  it('answer to an address only: a name that was made to lead here is refused', async () => {
    const status = await new Promise((resolve, reject) => {
      httpRequest(`${url}/`, { headers: { ...floor.headers, host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    assert.equal(status, 421);
  });

  it('open to nobody without the password, and keep the right one waiting for nobody', async () => {
    const paths = [
      '/',
      '/terminals/table-7',
      '/terminals/table-7/rounds/table-7-000001',
      '/terminals/table-7/poster',
      '/forks',
    ];
    const readings = ['/metrics', '/v1/terminals/table-7/entries', '/v1/terminals/table-7/commands'];
    for (const path of [...paths, ...readings]) {
      const shut = await fetch(url + path);
      assert.equal(shut.status, 401, path);
      assert.match(shut.headers.get('www-authenticate') ?? '', /^Basic realm=/, path);
      assert.doesNotMatch(await shut.text(), /table-7/, path);
    }
    const handed = await fetch(`${url}/v1/terminals/table-7/commands`, { method: 'POST', body: '{}' });
    assert.equal(handed.status, 401);
    const wrong = Array.from({ length: 40 }, (_, i) => page('/metrics', loggedIn(`${PASSWORD}${i}`)));
    const right = page('/metrics');
    const shut = Promise.all(wrong);
    assert.equal(await Promise.race([right, shut.then(() => null)]).then((answer) => answer?.status), 200);
    const statuses = new Set((await shut).map(({ status }) => status));
    assert.deepEqual(statuses, new Set([401, 429]));
    assert.equal((await page('/metrics')).status, 200, 'nobody is shut out');
    assert.equal((await page('/', loggedIn())).status, 403, 'pages are for people');
    assert.equal((await page('/healthz', { authorization: '' })).text, '{"ok":true}');
    assert.equal((await fetch(`${url}/v1/terminals/table-7`)).status, 200, "the terminals' own");
  });

  it('print the rules of the table that a terminal is now, edges for staff alone, and say why not', async () => {
    const { ledger, ...table } = newTerminal('table-12');
    const poster = (query = '') => page(`/terminals/table-12/poster${query}`);
    play(ledger, [{}]);
    await upload({ ledger, ...table });
    assert.equal((await poster()).status, 404, 'it has said nothing of its table');
    const demo = join(import.meta.dirname, '../../host/profiles/demo.json');
    const { profile } = JSON.parse(readFileSync(demo, 'utf8')) as {
      profile: { options: Record<string, unknown> };
    };
    const configured = (options: Record<string, unknown>): Partial<NewEntry> => ({
      kind: 'table-configured',
      body: { profile: { ...profile, tableName: '<b>21</b>', options } } as NewEntry['body'],
    });
    play(ledger, [configured({ ...profile.options, decks: 99 })]);
    await upload({ ledger, ...table });
    const refused = await poster();
    assert.equal(refused.status, 409);
    assert.match(refused.text, /There is no poster of these rules: <code>.*decks/);
    play(ledger, [configured(profile.options)]);
    await upload({ ledger, ...table });
    const forPlayers = await poster();
    assert.equal(forPlayers.status, 200, forPlayers.text);
    assert.match(forPlayers.text, /size: A3.*&lt;b&gt;21&lt;\/b&gt;/s);
    assert.match(forPlayers.headers.get('content-security-policy') ?? '', /^default-src 'none'; /);
    assert.doesNotMatch(forPlayers.text, /https?:|<script|Vantagem da casa/);
    assert.match((await poster('?for=staff')).text, /Vantagem da casa/);
    assert.equal((await poster('?for=all')).status, 400);
    assert.match((await page('/terminals/table-12')).text, /href="\/terminals\/table-12\/poster"/);
    ledger.close();
  });

  it('list a cloned disk with both histories, and count it in the figures', async () => {
    const original = newTerminal('table-9');
    play(original.ledger, [{ kind: 'moved', body: { n: 1 } }]);
    original.ledger.close();
    const clonePath = join(root, 'clone.db');
    copyFileSync(original.path, clonePath);
    const open = (path: string): Ledger =>
      openLedger(path, { terminalId: original.id, key: original.key, createIfMissing: false });
    const [first, clone] = [open(original.path), open(clonePath)];
    play(first, [{ body: { side: 'original' } }]);
    play(clone, [{ body: { side: 'clone' } }]);
    await upload({ ledger: first, key: original.key });
    assert.equal((await upload({ ledger: clone, key: original.key })).state, 'fork');
    // As far as the clone's uploader goes, the centre knows hashes; a batch that is sent all the
    // same brings the entries.
    const batch = makeBatch(original.id, clone.hashAt(1)!, clone.readBytes(2, 1), original.key);
    const answer = await fetch(`${url}/v1/terminals/${original.id}/batches`, {
      method: 'POST',
      headers: { 'content-type': BATCH_TYPE },
      body: encodeBatch(batch),
    });
    assert.equal(answer.status, 409);
    const { text } = await page('/forks');
    assert.match(text, /table-9.*>fork<.*<td>2<\/td>.*side&quot;:&quot;original.*side&quot;:&quot;clone/s);
    const metrics = (await page('/metrics')).text;
    assert.match(metrics, /banca_incidents\{kind="fork"\} 1/);
    assert.match(metrics, /banca_terminal_head_seq\{terminal="table-9"\} 2/);
    assert.match(metrics, /banca_terminal_lag_entries\{terminal="table-9"\} 0/);
    assert.match(metrics, /banca_terminal_silent_seconds\{terminal="table-7"\} \d/);
    first.close();
    clone.close();
  });

  it('hear a table that plays and so sends nothing but entries; an old batch sent again is no sign of life', async () => {
    const table = newTerminal('table-11');
    play(table.ledger, [{}, {}]);
    await upload(table);
    const silence = async (): Promise<number> => {
      const { text } = await page('/metrics');
      return Number(/banca_terminal_silent_seconds\{terminal="table-11"\} ([\d.]+)/.exec(text)?.[1]);
    };
    const row = async (): Promise<string> => /table-11.*?<\/tr>/s.exec((await page('/')).text)?.[0] ?? '';
    const send = async (from: number, count: number): Promise<number> => {
      const { ledger, id, key } = table;
      const batch = makeBatch(id, ledger.hashAt(from - 1)!, ledger.readBytes(from, count), key);
      const answer = await fetch(`${url}/v1/terminals/${id}/batches`, {
        method: 'POST',
        headers: { 'content-type': BATCH_TYPE },
        body: encodeBatch(batch),
      });
      return answer.status;
    };
    // Two minutes pass; nobody but this test may change when an entry came.
    await db.query('ALTER TABLE entries DISABLE TRIGGER USER');
    await db.query(
      "UPDATE entries SET received_at = received_at - interval '2 minutes' WHERE terminal_id = 'table-11'",
    );
    await db.query('ALTER TABLE entries ENABLE TRIGGER USER');
    await db.query(
      "UPDATE reports SET received_at = received_at - interval '2 minutes' WHERE terminal_id = 'table-11'",
    );
    assert.ok((await silence()) >= 120);
    assert.match(await row(), /silent/);
    assert.equal(await send(1, 2), 200);
    assert.ok((await silence()) >= 120, 'nothing new was said');
    play(table.ledger, [{}]);
    assert.equal(await send(3, 1), 200);
    assert.ok((await silence()) < 60, 'it has just been heard');
    assert.doesNotMatch(await row(), /silent/);
    table.ledger.close();
  });

  it('say how far a terminal is behind', async () => {
    const behind = newTerminal('table-10');
    play(behind.ledger, Array(700).fill({}));
    let batches = 0;
    const uploader = createUploader(behind.ledger, {
      url,
      key: behind.key,
      onStatus: () => undefined,
      fetch: async (to, init) => {
        if (String(to).endsWith('/batches')) {
          batches += 1;
          if (batches > 1) throw new TypeError('fetch failed');
        }
        return await fetch(to, init);
      },
    });
    uploader.start();
    await until('a second batch', () => batches >= 2);
    await uploader.stop();
    assert.match(
      (await page('/')).text,
      /table-10<\/a>.*?<td>500<\/td><td><time>[^<]+<\/time><\/td><td>200<\/td>/s,
    );
    behind.ledger.close();
  });
});

describe('a command', () => {
  it('goes from a person with the key through the service to the ledger of the terminal, and its outcome back', async () => {
    const terminal = newTerminal('table-20');
    play(terminal.ledger, [{}]);
    await upload(terminal);
    const args = [
      '--centre',
      url,
      '--password',
      passwordFile,
      '--terminal',
      terminal.id,
      '--issuer',
      'M. Lei',
    ];
    assert.deepEqual(
      JSON.parse((await command(...args, '--order', '{"type":"lock","reason":"count"}')).said),
      {
        terminal: terminal.id,
        no: 1,
      },
    );
    assert.equal((await command(...args, '--order', '{"type":"unlock"}', '--valid-s', '60')).code, 0);
    assert.match((await page(`/terminals/${terminal.id}`)).text, /<em>not yet ledgered<\/em>/);

    const { publicKey } = keyOf();
    const desk = createCommandDesk({
      ledger: terminal.ledger,
      publicKey,
      nowMs: Date.now,
      record: (kind, body, commandId) => {
        terminal.ledger.append(Date.now(), commandId, [{ kind, roundId: null, body, postings: [] }]);
        return true;
      },
      keep: () => undefined,
      onOrders: () => undefined,
    });
    const brought: SignedCommand[] = [];
    const take = (commands: readonly SignedCommand[]): void => {
      brought.push(...commands);
      desk.take(commands);
    };
    // With the answer to a batch, too.
    play(terminal.ledger, [{}]);
    await upload(terminal, take);
    await upload(terminal, take);
    assert.deepEqual(
      terminal.ledger.newest({ beforeSeq: null, limit: 9, kind: COMMAND_TAKEN }).map(({ body }) => {
        const { no, outcome } = body as { no: number; outcome: string };
        return [no, outcome];
      }),
      [
        [2, 'taken'],
        [1, 'taken'],
      ],
    );
    assert.equal(desk.orders().lock, null);
    const batch = makeBatch(
      terminal.id,
      terminal.ledger.hashAt(terminal.ledger.head().seq - 1)!,
      terminal.ledger.readBytes(terminal.ledger.head().seq, 1),
      terminal.key,
    );
    const again = await fetch(`${url}/v1/terminals/${terminal.id}/batches`, {
      method: 'POST',
      headers: { 'content-type': BATCH_TYPE },
      body: encodeBatch(batch),
    });
    assert.deepEqual(((await again.json()) as { commands: unknown[] }).commands, [], 'no longer handed on');
    assert.match((await page(`/terminals/${terminal.id}`)).text, /<td>lock<\/td><td>taken<\/td>/);

    // An old one that somebody recorded does nothing and leaves no trace: it is what stands on the
    // ledger already.
    const head = terminal.ledger.head().seq;
    desk.take([brought[0]!]);
    assert.equal(terminal.ledger.head().seq, head);

    // A centre put back from before the commands goes on after the numbers that the terminal has
    // used.
    await db.query('DELETE FROM commands WHERE terminal_id = $1', [terminal.id]);
    const third = await command(...args, '--order', '{"type":"acceptor-off","acceptor":null}');
    assert.equal((JSON.parse(third.said) as { no: number }).no, 3);
    terminal.ledger.close();
  });

  it('is refused by the service as the terminal would refuse it', async () => {
    const terminal = newTerminal('table-21');
    play(terminal.ledger, [{}]);
    await upload(terminal);
    const hand = async (signed: unknown): Promise<[number, unknown]> => {
      const answer = await fetch(`${url}/v1/terminals/${terminal.id}/commands`, {
        method: 'POST',
        headers: { ...loggedIn(), 'content-type': 'application/json' },
        body: JSON.stringify(signed),
      });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    const fields = { terminal: terminal.id, no: 1, issuedAtMs: 0, notAfterMs: null, issuer: 'x' };
    const order = { type: 'unlock' } as const;
    const stranger = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
    assert.deepEqual(await hand(signCommand({ ...fields, order }, stranger)), [409, 'forged']);
    assert.deepEqual(await hand(signCommand({ ...fields, no: 2, order }, keyOf())), [409, 'gap']);
    assert.deepEqual(await hand(signCommand({ ...fields, notAfterMs: 5, order }, keyOf())), [409, 'expired']);
    assert.deepEqual(await hand(signCommand({ ...fields, terminal: 'table-7', order }, keyOf())), [
      409,
      'other-terminal',
    ]);
    assert.deepEqual(await hand({ bytes: '{}' }), [400, 'malformed']);
    const stored = await db.query('SELECT no FROM commands WHERE terminal_id = $1', [terminal.id]);
    assert.deepEqual(stored, []);

    const args = ['--centre', url, '--password', passwordFile, '--issuer', 'x'];
    const complaints: readonly [readonly string[], RegExp][] = [
      [['--terminal', terminal.id, '--order', '{"type":"pay","amountMinor":5}'], /--order: .*type/s],
      [['--terminal', terminal.id, '--order', 'lock'], /--order: .*JSON/],
      [['--terminal', 'nobody', '--order', '{"type":"unlock"}'], /not-enrolled/],
      [['--terminal', terminal.id], /--order is missing/],
      [['--make-key'], /EEXIST/],
    ];
    for (const [more, complaint] of complaints) {
      const { code, said } = await command(...args, ...more);
      assert.equal(code, 2, said);
      assert.match(said, complaint);
    }
    terminal.ledger.close();
  });
});

function keyOf() {
  return keyFromPrivate(createPrivateKey(readFileSync(keyFile, 'utf8')));
}
