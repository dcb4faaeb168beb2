/**
 * The terminal's uploader against the real centre, on the embedded database and on a PostgreSQL
 * server.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BATCH_LIMIT,
  BATCH_TYPE,
  type Batch,
  batchBytes,
  encodeBatch,
  makeBatch,
} from '../../ledger/chain/batch.codec.ts';
import { GENESIS_HASH, toHex } from '../../ledger/chain/entry.codec.ts';
import { keyFromPrivate, type LedgerKey } from '../../ledger/chain/key.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { type Ledger, loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import {
  createUploader,
  type Uploader,
  type UploaderOptions,
  type UploadStatus,
} from '../../ledger/sync/uploader.ts';
import { type Db, openEmbedded, openPostgres } from '../../upstream/db.store.ts';
import { createCentre } from '../../upstream/server.ts';
import { LONG } from '../support/long.ts';
import { FedTable, roundOf } from './fed-table.ts';
import { loggedIn, loggedInWith, operatorAt, PASSWORD, PEOPLE_PASSWORD } from './operators.ts';
import { startPostgres } from './postgres.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-centre-'));
after(() => rmSync(root, { recursive: true, force: true }));
const enrolDir = join(root, 'enrol');
mkdirSync(enrolDir);

let terminals = 0;

interface Terminal {
  readonly id: string;
  readonly dir: string;
  readonly path: string;
  readonly key: LedgerKey;
  ledger: Ledger;
}

function newTerminal(o: { enrolled?: boolean } = {}): Terminal {
  terminals += 1;
  const id = `table-${process.pid}-${terminals}`;
  const dir = join(root, id);
  const key = loadOrCreateKey(dir);
  if (o.enrolled !== false) writeFileSync(join(enrolDir, `${id}.pub`), key.publicPem);
  const path = join(dir, 'ledger.db');
  return { id, dir, path, key, ledger: openLedger(path, { terminalId: id, key, createIfMissing: true }) };
}

function play(terminal: Terminal, entries: number, mark = 'x'): void {
  for (let left = entries; left > 0; left -= 50) {
    const from = terminal.ledger.head().seq;
    terminal.ledger.append(
      from + 1,
      `c${from}-${mark}`,
      Array.from({ length: Math.min(50, left) }, (_, i) => ({
        kind: 'moved',
        roundId: `r${from}`,
        body: { mark, n: from + i, name: '莊 "閒" \\ \u0000' },
        postings: [
          { account: 'a', currency: 'MOP', amountMinor: -(from + i) },
          { account: 'b', currency: 'MOP', amountMinor: from + i },
        ],
      })),
    );
  }
}

/** Starts an uploader and gives a way to wait for what it says. */
function uploading(terminal: Terminal, url: string, o: Partial<UploaderOptions> = {}) {
  let changed = (): void => {};
  const seen: UploadStatus[] = [];
  const uploader: Uploader = createUploader(terminal.ledger, {
    url,
    key: terminal.key,
    backoff: { firstMs: 5, mostMs: 40 },
    onStatus: (status) => {
      seen.push(status);
      changed();
    },
    ...o,
  });
  uploader.start();
  const until = async (wanted: (status: UploadStatus) => boolean): Promise<UploadStatus> => {
    for (;;) {
      const status = uploader.status();
      if (wanted(status)) return status;
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    }
  };
  return { uploader, seen, until };
}

async function centreOn(db: Db, port = 0) {
  const app = createCentre({ db, enrolDir, password: PASSWORD, peoplePassword: PEOPLE_PASSWORD });
  const url = await app.listen({ host: '127.0.0.1', port });
  return { url, port: Number(new URL(url).port), close: () => app.close() };
}

const stored = (db: Db, id: string): Promise<{ seq: number; hash: string; bytes: string }[]> =>
  db.query(
    "SELECT seq::float8 AS seq, encode(hash, 'hex') AS hash, bytes FROM entries WHERE terminal_id = $1 ORDER BY seq",
    [id],
  );

/** The centre has exactly what the terminal has, once each. */
async function assertSameChain(db: Db, terminal: Terminal): Promise<void> {
  const own = terminal.ledger
    .readBytes(1, 1_000_000)
    .map((e) => ({ seq: e.seq, hash: toHex(e.hash), bytes: String(e.bytes) }));
  assert.deepEqual(await stored(db, terminal.id), own);
}

/** Waits until the centre has named it. */
async function named(db: Db, id: string, kind: string, seq: number): Promise<object> {
  for (;;) {
    const [row] = await db.query<object>(
      `SELECT * FROM (SELECT terminal_id, kind, seq::float8 AS seq, detail FROM incidents
         UNION ALL SELECT terminal_id, 'fork', seq::float8, '' FROM forks) AS found
       WHERE terminal_id = $1 AND kind = $2 AND seq = $3`,
      [id, kind, seq],
    );
    if (row !== undefined) {
      const { terminal_id: _id, ...rest } = row as { terminal_id: string };
      return rest;
    }
    await sleep(10);
  }
}

const post = async (
  url: string,
  id: string,
  body: string | Batch,
): Promise<{ status: number; json: Record<string, unknown> }> => {
  const answer = await fetch(`${url}/v1/terminals/${id}/batches`, {
    method: 'POST',
    headers: { 'content-type': BATCH_TYPE },
    body: typeof body === 'string' ? body : encodeBatch(body),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
};

function batchOf(terminal: Terminal, from: number, to: number, key = terminal.key): Batch {
  const entries = terminal.ledger.readBytes(from, to - from + 1);
  return makeBatch(terminal.id, terminal.ledger.hashAt(from - 1) ?? GENESIS_HASH, entries, key);
}

const started = startPostgres();
const engines: readonly {
  readonly name: string;
  open(): Promise<{ db: Db; close(): Promise<void> } | { skip: string }>;
}[] = [
  {
    name: 'embedded PGlite',
    open: async () => {
      // The server is asked the same, and terminals of other tests have this one beside them.
      if (LONG !== false && !('skip' in (await started))) return { skip: LONG };
      const db = await openEmbedded(join(root, 'pglite'));
      return { db, close: () => db.close() };
    },
  },
  {
    name: 'a PostgreSQL server',
    open: async () => {
      const server = await started;
      if ('skip' in server) return server;
      const db = await openPostgres(server.url);
      return {
        db,
        close: async () => {
          await db.close();
          await server.stop();
        },
      };
    },
  },
];

// All at once: a suite that ends before the next is known would end the file, with its folder.
const databases = await Promise.all(engines.map(async (engine) => ({ engine, opened: await engine.open() })));
for (const { engine, opened } of databases) {
  const skip = 'skip' in opened ? opened.skip : false;
  describe(`centre on ${engine.name}`, { skip }, () => {
    if ('skip' in opened) return;
    const { db } = opened;
    let centre: Awaited<ReturnType<typeof centreOn>>;
    before(async () => {
      centre = await centreOn(db);
    });
    after(async () => {
      await centre.close();
      await opened.close();
    });

    it('gets the whole chain in order, in batches, and goes on as play does', async () => {
      const terminal = newTerminal();
      play(terminal, 1203);
      const { uploader, until } = uploading(terminal, centre.url);
      const status = await until((s) => s.ackedSeq === 1203);
      assert.equal(status.state, 'up');
      assert.equal(status.ackedUpToMs, terminal.ledger.read(1203, 1)[0]?.atMs);
      await assertSameChain(db, terminal);
      play(terminal, 7);
      uploader.wake();
      await until((s) => s.ackedSeq === 1210);
      await uploader.stop();
      assert.equal(uploader.status().state, 'off');
      await assertSameChain(db, terminal);
      assert.equal(terminal.ledger.acknowledged()?.seq, 1210);
      assert.equal(toHex(terminal.ledger.acknowledged()!.hash), toHex(terminal.ledger.head().hash));
      const sums = await db.query<{ account: string; sum: number }>(
        'SELECT account, sum(amount_minor)::float8 AS sum FROM postings WHERE terminal_id = $1 GROUP BY account ORDER BY account',
        [terminal.id],
      );
      assert.deepEqual(
        new Map(sums.map((r) => [`MOP/${r.account}`, r.sum])),
        new Map(terminal.ledger.balances()),
      );
      const kept = await db.query<{ account: string; sum: number }>(
        'SELECT account, amount_minor::float8 AS sum FROM balances WHERE terminal_id = $1 ORDER BY account',
        [terminal.id],
      );
      assert.deepEqual(kept, sums);
      terminal.ledger.close();
      assert.equal(verifyLedger(terminal.path).acknowledgedSeq, 1210);
    });

    it('tells the gaming floor of a call as it comes, and when it is over', async () => {
      const terminal = newTerminal();
      const call = (on: boolean): void => {
        const body = { seat: 3, on };
        const entry = { kind: 'attendant-called', roundId: null, body, postings: [] };
        terminal.ledger.append(Date.now(), null, [entry]);
      };
      const person = await operatorAt(centre.url, PEOPLE_PASSWORD, 'floor');
      const answer = await fetch(`${centre.url}/floor/stream`, { headers: person.headers });
      assert.equal(answer.status, 200);
      const told = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      /** Reads on until an event that came since then has it. */
      const heard = async (what: RegExp): Promise<void> => {
        for (text = ''; !what.test(text); ) {
          const { done, value } = await told.read();
          assert.ok(!done, text);
          text += value;
        }
      };
      await heard(/event: floor\ndata: .*"clock":"\d\d:\d\d"/);
      call(true);
      const { uploader, until } = uploading(terminal, centre.url);
      await heard(new RegExp(`id=\\\\"alarm-${terminal.id}-1\\\\"`));
      await until((s) => s.ackedSeq === 1);
      call(false);
      uploader.wake();
      await heard(new RegExp(`\\["alarms",(?:(?!alarm-${terminal.id}-1).)*\\n\\n`));
      await told.cancel();
      await uploader.stop();
      terminal.ledger.close();
    });

    it('gets the backlog of a terminal that was offline, nothing twice', async () => {
      const terminal = newTerminal();
      let own = await centreOn(db);
      const { uploader, until } = uploading(terminal, own.url);
      play(terminal, 10);
      uploader.wake();
      await until((s) => s.ackedSeq === 10);
      await own.close();
      play(terminal, 300);
      uploader.wake();
      const down = await until((s) => s.state === 'down');
      assert.ok(down.lastError !== null && down.lastError.length > 0);
      assert.equal(down.ackedSeq, 10);
      play(terminal, 300);
      own = await centreOn(db, own.port);
      await until((s) => s.state === 'up' && s.ackedSeq === 610);
      await uploader.stop();
      await assertSameChain(db, terminal);
      terminal.ledger.close();
      await own.close();
    });

    it('stores once what is sent many times: answers lost, requests doubled, connections cut', async () => {
      const terminal = newTerminal();
      play(terminal, 700);
      let calls = 0;
      const unreliable: typeof fetch = async (url, init) => {
        calls += 1;
        const turn = calls % 4;
        if (turn === 1) throw new TypeError('fetch failed: cut before it left');
        const answer = await fetch(url, init);
        if (turn === 2) throw new TypeError('fetch failed: answer lost');
        if (turn === 3) await fetch(url, init);
        return answer;
      };
      const { uploader, until } = uploading(terminal, centre.url, { fetch: unreliable, batchLimit: 60 });
      await until((s) => s.ackedSeq === 700);
      await uploader.stop();
      await assertSameChain(db, terminal);
      terminal.ledger.close();
    });

    it('resumes from where the centre is when it is behind, and when it has forgotten', async () => {
      const terminal = newTerminal();
      play(terminal, 120);
      const first = uploading(terminal, centre.url, { batchLimit: 50 });
      await first.until((s) => s.ackedSeq === 120);
      await first.uploader.stop();
      // A centre restored from an old backup: what the terminal remembers of it is no longer true.
      const putBack = (seq: number): Promise<void> =>
        db.transaction(async (q) => {
          await q.query('ALTER TABLE entries DISABLE TRIGGER entries_no_change');
          await q.query('DELETE FROM entries WHERE terminal_id = $1 AND seq > $2', [terminal.id, seq]);
          await q.query('ALTER TABLE entries ENABLE TRIGGER entries_no_change');
          await q.query(
            'UPDATE terminals SET head_seq = $2, head_hash = (SELECT hash FROM entries WHERE terminal_id = $1 AND seq = $2) WHERE terminal_id = $1',
            [terminal.id, seq],
          );
        });
      await putBack(30);
      const answer = await post(centre.url, terminal.id, batchOf(terminal, 100, 110));
      assert.equal(answer.status, 409);
      assert.deepEqual(answer.json, {
        code: 'gap',
        haveSeq: 30,
        haveHash: toHex(terminal.ledger.hashAt(30)!),
      });
      play(terminal, 5);
      const second = uploading(terminal, centre.url);
      await second.until((s) => s.ackedSeq === 125);
      // And while the terminal plays: its next batch finds out, not a report.
      await putBack(60);
      play(terminal, 5);
      second.uploader.wake();
      await second.until((s) => s.ackedSeq === 130);
      await second.uploader.stop();
      await assertSameChain(db, terminal);
      // Named: the terminal holds the proof that the centre once had more.
      assert.match(
        JSON.stringify(await named(db, terminal.id, 'centre-restored', 120)),
        /entry 120 was acknowledged, the database ended at 30/,
      );
      assert.match(
        JSON.stringify(await named(db, terminal.id, 'centre-restored', 125)),
        /entry 125 was acknowledged, the database ended at 60/,
      );
      assert.match(JSON.stringify(await named(db, terminal.id, 'gap', 31)), /entries 31 to 99 were missing/);
      terminal.ledger.close();
    });

    it('answers a gap in the middle of sending with its position, and the terminal follows', async () => {
      const terminal = newTerminal();
      play(terminal, 200);
      assert.equal((await post(centre.url, terminal.id, batchOf(terminal, 1, 20))).status, 200);
      let lied = false;
      const { uploader, until } = uploading(terminal, centre.url, {
        batchLimit: 40,
        fetch: async (url, init) => {
          if (String(url).endsWith('/reports') && !lied) {
            lied = true;
            return Response.json({ seq: 90, hash: toHex(terminal.ledger.hashAt(90)!), nowMs: Date.now() });
          }
          return await fetch(url, init);
        },
      });
      await until((s) => s.ackedSeq === 200);
      await uploader.stop();
      await assertSameChain(db, terminal);
      terminal.ledger.close();
    });

    it('names a fork: two sides go on from one copied ledger', async () => {
      const terminal = newTerminal();
      play(terminal, 100);
      terminal.ledger.close();
      const cloneDir = join(terminal.dir, 'clone');
      mkdirSync(cloneDir);
      copyFileSync(join(terminal.dir, 'ledger-key.pem'), join(cloneDir, 'ledger-key.pem'));
      const clonePath = join(cloneDir, 'ledger.db');
      copyFileSync(terminal.path, clonePath);
      const reopen = (path: string): Ledger =>
        openLedger(path, { terminalId: terminal.id, key: terminal.key, createIfMissing: false });
      terminal.ledger = reopen(terminal.path);
      const clone: Terminal = { ...terminal, dir: cloneDir, path: clonePath, ledger: reopen(clonePath) };

      play(terminal, 30, 'original');
      play(clone, 10, 'clone');
      const one = uploading(terminal, centre.url);
      await one.until((s) => s.ackedSeq === 130);
      await one.uploader.stop();

      // Shorter than what the centre has: it can see by itself that it is not the newest.
      const two = uploading(clone, centre.url);
      const behind = await two.until((s) => s.state === 'fork');
      assert.match(behind.lastError ?? '', /the centre has entry 130, this ledger ends at 110/);
      // A fork that only the terminal can see is reported to the centre.
      assert.deepEqual(await named(db, terminal.id, 'older-copy', 110), {
        kind: 'older-copy',
        seq: 110,
        detail: "entry 130 is stored, the terminal's ledger ended at 110: an older copy of its disk",
      });
      // Longer: the hash at the centre's position is another one.
      play(clone, 90, 'clone');
      const three = uploading(clone, centre.url);
      const other = await three.until((s) => s.state === 'fork');
      assert.match(other.lastError ?? '', /entry 130 is [0-9a-f]{64} here and [0-9a-f]{64} at the centre/);
      assert.equal(clone.ledger.acknowledged(), null);
      await named(db, terminal.id, 'fork', 130);
      // A batch sent all the same is refused, kept for inquiry, and stores nothing.
      const overlap = await post(centre.url, terminal.id, batchOf(clone, 91, 120));
      assert.equal(overlap.status, 409);
      assert.deepEqual([overlap.json['code'], overlap.json['seq']], ['fork', 101]);
      const after130 = await post(centre.url, terminal.id, batchOf(clone, 131, 140));
      assert.deepEqual([after130.status, after130.json['code'], after130.json['seq']], [409, 'fork', 130]);
      await post(centre.url, terminal.id, batchOf(clone, 91, 120));
      const forks = await db.query<{ seq: number; times: number; offered: string | null }>(
        'SELECT seq::float8 AS seq, times, offered_bytes AS offered FROM forks WHERE terminal_id = $1 ORDER BY seq',
        [terminal.id],
      );
      assert.deepEqual(forks, [
        { seq: 101, times: 2, offered: String(clone.ledger.readBytes(101, 1)[0]!.bytes) },
        { seq: 110, times: 1, offered: null },
        { seq: 130, times: 2, offered: null },
      ]);
      // The other history is kept beside the stored one, from where they part.
      const kept = await db.query<{ seq: number; bytes: string }>(
        'SELECT seq::float8 AS seq, bytes FROM fork_entries WHERE terminal_id = $1 ORDER BY seq',
        [terminal.id],
      );
      assert.deepEqual(
        kept,
        [...clone.ledger.readBytes(101, 20), ...clone.ledger.readBytes(131, 10)].map(({ seq, bytes }) => ({
          seq,
          bytes: String(bytes),
        })),
      );
      await assertSameChain(db, terminal);
      for (const u of [two, three]) await u.uploader.stop();
      assert.equal(three.uploader.status().state, 'fork');
      terminal.ledger.close();
      clone.ledger.close();
    });

    it('tells an uploader in the middle of its work that the history has forked', async () => {
      const terminal = newTerminal();
      play(terminal, 10);
      const { uploader, until } = uploading(terminal, centre.url, {
        fetch: async (url, init) =>
          String(url).endsWith('/batches')
            ? Response.json({ code: 'fork', seq: 4, message: 'another entry 4 is stored' }, { status: 409 })
            : await fetch(url, init),
      });
      const status = await until((s) => s.state === 'fork');
      assert.match(status.lastError ?? '', /another entry 4/);
      await uploader.stop();
      terminal.ledger.close();
    });

    it('believes no acknowledgement of something else', async () => {
      const terminal = newTerminal();
      play(terminal, 10);
      const { uploader, until } = uploading(terminal, centre.url, {
        fetch: async (url, init) =>
          String(url).endsWith('/batches')
            ? Response.json({ ackSeq: 10, ackHash: 'ab'.repeat(32) })
            : await fetch(url, init),
      });
      await until((s) => s.state === 'fork');
      assert.equal(terminal.ledger.acknowledged(), null);
      await uploader.stop();
      terminal.ledger.close();
    });

    it('refuses strangers and forged batches, and stores nothing of them', async () => {
      const stranger = newTerminal({ enrolled: false });
      play(stranger, 3);
      const unknown = await post(centre.url, stranger.id, batchOf(stranger, 1, 3));
      assert.deepEqual([unknown.status, unknown.json['code']], [404, 'not-enrolled']);
      assert.equal((await fetch(`${centre.url}/v1/terminals/${stranger.id}`)).status, 404);
      // Enrolled while the centre runs.
      writeFileSync(join(enrolDir, `${stranger.id}.pub`), stranger.key.publicPem);
      const position = await fetch(`${centre.url}/v1/terminals/${stranger.id}`);
      assert.deepEqual(await position.json(), { terminal: stranger.id, seq: 0, hash: '0'.repeat(64) });

      const forger = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
      const forged = await post(centre.url, stranger.id, batchOf(stranger, 1, 3, forger));
      assert.deepEqual([forged.status, forged.json['code']], [401, 'bad-signature']);
      const good = batchOf(stranger, 1, 3);
      for (const change of [
        { firstSeq: 2 },
        { prevHash: '11'.repeat(32) },
        { lastHash: toHex(stranger.ledger.hashAt(2)!) },
      ]) {
        const answer = await post(centre.url, stranger.id, { ...good, ...change });
        assert.equal(answer.status, 401, JSON.stringify(change));
      }
      assert.deepEqual(await named(db, stranger.id, 'bad-signature', 0), {
        kind: 'bad-signature',
        seq: 0,
        detail: 'a batch from entry 1 on',
      });
      // The first key stays.
      writeFileSync(join(enrolDir, `${stranger.id}.pub`), forger.publicPem);
      assert.equal((await post(centre.url, stranger.id, batchOf(stranger, 1, 3, forger))).status, 401);
      assert.deepEqual(await stored(db, stranger.id), []);

      const { uploader, until } = uploading({ ...stranger, key: forger }, centre.url);
      const status = await until((s) => s.state === 'down');
      assert.match(status.lastError ?? '', /401.*bad-signature/);
      await uploader.stop();
      stranger.ledger.close();
    });

    /**
     * What comes of a body that is too long by its word, or without one: the status of the
     * answer, or `cut` where the centre has hung up on who goes on writing.
     */
    const hugeBody = (path: string, type: string, length: number | null): Promise<number | 'cut'> =>
      new Promise((resolve) => {
        const request = httpRequest(centre.url + path, {
          ...{ method: 'POST', agent: false },
          headers: { 'content-type': type, ...(length === null ? {} : { 'content-length': length }) },
        });
        const part = Buffer.alloc(2 ** 16, 'x');
        const more = (): void => {
          while (!request.destroyed && request.write(part));
        };
        request.on('response', (answer) => {
          resolve(answer.statusCode!);
          answer.resume();
          request.destroy();
        });
        request.on('error', () => resolve('cut'));
        if (length !== null) return void request.write(part);
        request.on('drain', more);
        more();
      });

    it('refuses what is not a batch, with the place, and stores nothing of it', async () => {
      const terminal = newTerminal();
      play(terminal, 4);
      const good = batchOf(terminal, 1, 4);
      const entries = (change: (list: string[]) => void): Batch => {
        const list = good.entries.map(String);
        change(list);
        return signedAnew({ ...good, entries: list.map((text) => Buffer.from(text)) }, terminal.key);
      };
      /** Whatever the types forbid. */
      const changed = (change: object): Batch => ({ ...good, ...change });
      const refused: readonly [string | Batch, string, RegExp][] = [
        ['{"v":2,', 'body', /has no end/],
        ['{"v":2,\n', 'body', /not JSON/],
        ['[]\n', 'body', /object/],
        [changed({ v: 1 }), 'body.v', /2/],
        [changed({ more: 1 }), 'body', /more/],
        [changed({ firstSeq: 1.5 }), 'body.firstSeq', /int/],
        [changed({ prevHash: 'AB' }), 'body.prevHash', /64/],
        [changed({ lastHash: 'zz' }), 'body.lastHash', /64/],
        [changed({ terminal: '../etc' }), 'body.terminal', /match/],
        [changed({ terminal: 'table-other' }), 'body.terminal', /path says/],
        [changed({ entries: [] }), 'body.count', /is 4, the lines are 0/],
        [changed({ count: 0, entries: [] }), 'body.count', /1/],
        [changed({ count: BATCH_LIMIT + 1 }), 'body.count', /500/],
        [
          signedAnew(changed({ lastHash: '11'.repeat(32) }), terminal.key),
          'body.lastHash',
          /does not end in it/,
        ],
        [
          entries((list) => {
            list[1] = list[1]!.replace('"mark":"x"', '"mark":"y"');
          }),
          'body.lastHash',
          /entry 4: the chain/,
        ],
        [
          entries((list) => {
            [list[1], list[2]] = [list[2]!, list[1]!];
          }),
          'body.entries[1]',
          /bytes name entry 3, not 2/,
        ],
        [rechained(terminal, 'table-other', (text) => text), 'body.entries[0]', /bytes name terminal/],
        [
          rechained(terminal, terminal.id, (text) => text.replace('"seq":3', '"seq":9')),
          'body.entries[2]',
          /bytes name entry 9, not 3/,
        ],
        [
          rechained(terminal, terminal.id, (text) => text.replace('"amountMinor":2', '"amountMinor":3')),
          'body.entries[2]',
          /sum to 1 MOP/,
        ],
        [
          rechained(terminal, terminal.id, (text) => text.replace('"v":1', '"v" :1')),
          'body.entries[0]',
          /canonical/,
        ],
        [signedAnew(changed({ prevHash: '11'.repeat(32) }), terminal.key), 'body.prevHash', /32 zero bytes/],
      ];
      // What is not UTF-8 could not be stored as it was signed.
      const broken = encodeBatch(good);
      broken[broken.indexOf('"mark":"x"') + 8] = 0xff;
      const answer = await fetch(`${centre.url}/v1/terminals/${terminal.id}/batches`, {
        method: 'POST',
        headers: { 'content-type': BATCH_TYPE },
        body: broken,
      });
      assert.deepEqual(
        [answer.status, ((await answer.json()) as { message: string }).message],
        [400, 'not UTF-8'],
      );
      for (const [body, place, message] of refused) {
        const answer = await post(centre.url, terminal.id, body);
        assert.deepEqual(
          [answer.status, answer.json['code'], answer.json['place']],
          [400, 'malformed', place],
          JSON.stringify(answer.json),
        );
        assert.match(String(answer.json['message']), message);
      }
      // Longer than anything a terminal has to say: by its word, and without one.
      for (const [path, type] of [
        ['batches', BATCH_TYPE],
        ['reports', 'application/json'],
      ] as const)
        for (const length of [64 * 2 ** 20, null]) {
          const answer = await hugeBody(`/v1/terminals/${terminal.id}/${path}`, type, length);
          assert.ok(answer === 413 || (length === null && answer === 'cut'), `${path}: ${answer}`);
        }
      assert.deepEqual(await stored(db, terminal.id), []);
      assert.equal((await post(centre.url, terminal.id, good)).status, 200);
      await assertSameChain(db, terminal);
      for (const path of ['/v1/terminals/%2e%2e%2fx', `/v1/terminals/${terminal.id}/entries?from=0`]) {
        assert.equal((await fetch(centre.url + path, { headers: loggedIn() })).status, 400, path);
      }
      terminal.ledger.close();
    });

    it('keeps one history when the same batches arrive side by side', async () => {
      const terminal = newTerminal();
      play(terminal, 400);
      const answers = await Promise.all(
        [...Array(24).keys()].map((i) =>
          post(centre.url, terminal.id, batchOf(terminal, 1 + (i % 8) * 50, 50 + (i % 8) * 50)),
        ),
      );
      for (const { status, json } of answers)
        assert.ok(status === 200 || json['code'] === 'gap' || json['code'] === 'busy', JSON.stringify(json));
      const { uploader, until } = uploading(terminal, centre.url);
      await until((s) => s.ackedSeq === 400);
      await uploader.stop();
      await assertSameChain(db, terminal);
      terminal.ledger.close();
    });

    it('sends away a third body of a terminal while two are on their way, which shuts out nobody else and not for long', async () => {
      const [terminal, other] = [newTerminal(), newTerminal()];
      for (const each of [terminal, other]) play(each, 10);
      const full = Promise.withResolvers<number>();
      // Bodies that do not end.
      const slow = Array.from({ length: 3 }, () => {
        const request = httpRequest(`${centre.url}/v1/terminals/${terminal.id}/batches`, {
          method: 'POST',
          agent: false,
          headers: { 'content-type': BATCH_TYPE, 'content-length': 1000 },
        });
        request.on('error', () => undefined);
        request.on('response', (answer) => full.resolve(answer.statusCode!));
        request.write('{');
        return request;
      });
      assert.equal(await full.promise, 503);
      assert.equal((await post(centre.url, other.id, batchOf(other, 1, 10))).status, 200);
      // Its own next batch takes the place of one that is slow.
      while ((await post(centre.url, terminal.id, batchOf(terminal, 1, 10))).status === 503) await sleep(50);
      await assertSameChain(db, terminal);
      for (const request of slow) request.destroy();
      for (const each of [terminal, other]) each.ledger.close();
    });

    it('lets those that come at once wait in line: nobody is sent away', async () => {
      const fleet = Array.from({ length: 120 }, (_, i) =>
        new FedTable(`fleet-${i}`).enrol(enrolDir).add(...roundOf(1)),
      );
      await Promise.all(fleet.map((table) => table.send(centre.url)));
    });

    it('is known to be gone when it hangs, and to be there when it answers again', async () => {
      const terminal = newTerminal();
      play(terminal, 3);
      let hangs = false;
      const { uploader, until } = uploading(terminal, centre.url, {
        fetch: (url, init) =>
          hangs
            ? new Promise((_, reject) => {
                init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error));
              })
            : fetch(url, init),
      });
      await until((s) => s.state === 'up' && s.ackedSeq === 3);
      hangs = true;
      // Nobody has anything to send: its report is missed.
      assert.match((await until((s) => s.state === 'down')).lastError!, /timeout/);
      hangs = false;
      await until((s) => s.state === 'up');
      await uploader.stop();
      terminal.ledger.close();
    });

    it('lets nobody change what is stored', async () => {
      await assert.rejects(db.query('UPDATE entries SET kind = $1', ['x']), /append-only/);
      await assert.rejects(db.query('DELETE FROM entries'), /append-only/);
      await assert.rejects(db.query('TRUNCATE entries'), /append-only/);
      await assert.rejects(db.query('TRUNCATE entries_3'), /append-only/);
    });

    it('gives its entries, its health and its figures', async () => {
      const terminal = newTerminal();
      play(terminal, 5);
      await post(centre.url, terminal.id, batchOf(terminal, 1, 5));
      const page = (await (
        await fetch(`${centre.url}/v1/terminals/${terminal.id}/entries?from=4&limit=1`, {
          headers: loggedIn(),
        })
      ).json()) as {
        entries: { seq: number; bytes: string; hash: string }[];
      };
      const own = terminal.ledger.readBytes(4, 1)[0]!;
      assert.deepEqual(page.entries, [{ seq: 4, bytes: String(own.bytes), hash: toHex(own.hash) }]);
      assert.deepEqual(await (await fetch(`${centre.url}/healthz`)).json(), { ok: true });
      const metrics = await (await fetch(`${centre.url}/metrics`, { headers: loggedIn() })).text();
      assert.match(metrics, new RegExp(`banca_terminal_head_seq\\{terminal="${terminal.id}"\\} 5`));
      assert.match(metrics, /banca_batches_total\{outcome="stored"\} \d+/);
      terminal.ledger.close();
    });
  });
}

/** The batch with a signature that fits it again: a terminal that is broken, not an outsider. */
const signedAnew = (batch: Batch, key: LedgerKey): Batch => ({
  ...batch,
  signature: toHex(key.sign(batchBytes(batch))),
});

/** Entries 1 to 4 with their text changed and the chain made to fit, signed by the terminal. */
function rechained(terminal: Terminal, name: string, change: (text: string) => string): Batch {
  let previous: Buffer = Buffer.alloc(32);
  const entries = terminal.ledger.readBytes(1, 4).map(({ seq, bytes }) => {
    const text = change(String(bytes).replace(`"terminal":"${terminal.id}"`, `"terminal":"${name}"`));
    previous = createHash('sha256').update(previous).update(text).digest();
    return { seq, bytes: Buffer.from(text), hash: previous };
  });
  return makeBatch(terminal.id, Buffer.alloc(32), entries, terminal.key);
}

describe('the centre as a process', () => {
  it('says where it is, keeps what it acknowledged over SIGKILL, and ends with its stdin', async () => {
    const terminal = newTerminal();
    const data = join(root, 'process');
    const start = async (...more: string[]) => {
      const child = spawn(
        process.execPath,
        [
          join(import.meta.dirname, '../../upstream/main.ts'),
          '--data',
          data,
          '--enrol-dir',
          enrolDir,
          '--supervised',
          ...more,
        ],
        { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, DATABASE_URL: '' } },
      );
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      return {
        child,
        said: JSON.parse(line) as { ready: boolean; url: string; port: number; database: string },
      };
    };
    const first = await start();
    assert.deepEqual([first.said.ready, first.said.database], [true, 'pglite']);
    await assert.rejects(openEmbedded(join(data, 'postgres')), /in use by another process/);
    play(terminal, 250);
    const { uploader, until } = uploading(terminal, first.said.url, { batchLimit: 100 });
    await until((s) => s.ackedSeq === 250);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    play(terminal, 10);
    uploader.wake();
    await until((s) => s.state === 'down');

    const second = await start('--port', String(first.said.port));
    const position = await (await fetch(`${second.said.url}/v1/terminals/${terminal.id}`)).json();
    assert.ok((position as { seq: number }).seq >= 250);
    await until((s) => s.state === 'up' && s.ackedSeq === 260);
    await uploader.stop();
    const all = (await (
      await fetch(`${second.said.url}/v1/terminals/${terminal.id}/entries`, {
        headers: loggedInWith(join(data, 'operator-password')),
      })
    ).json()) as {
      entries: { hash: string }[];
    };
    assert.deepEqual(
      all.entries.map((e) => e.hash),
      terminal.ledger.readBytes(1, 1000).map((e) => toHex(e.hash)),
    );
    terminal.ledger.close();
    second.child.stdin.end();
    const [code] = (await once(second.child, 'exit')) as [number | null];
    assert.equal(code, 0);
  });
});
