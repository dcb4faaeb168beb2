import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { makeEarlierLedger } from '../../test/kits/ledger.ts';
import { schemaHash } from '../chain/checks.store.ts';
import { verifyLedger } from '../chain/verifier.store.ts';
import { MIGRATIONS, SCHEMA_SHA256, SNAPSHOTS_KEPT } from '../schema/migrations.ts';
import { KEY_FILE } from './key.store.ts';
import {
  DuplicateCommand,
  DuplicateNote,
  type Ledger,
  LedgerDamaged,
  LedgerUnusable,
  loadOrCreateKey,
  type NewEntry,
  openLedger,
  openLedgerReader,
  UnbalancedEntry,
} from './ledger.store.ts';
import { assertDurable, makeDurable, openInPlace, ROWS_AT_ONCE } from './sqlite.store.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-ledger-'));
after(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function place(): { dir: string; path: string } {
  count += 1;
  const dir = join(root, `t${count}`);
  loadOrCreateKey(dir);
  return { dir, path: join(dir, 'ledger.db') };
}

const open = (path: string, o: Partial<Parameters<typeof openLedger>[1]> = {}): Ledger =>
  openLedger(path, {
    terminalId: 'table-1',
    key: loadOrCreateKey(join(path, '..')),
    createIfMissing: true,
    ...o,
  });

const move = (from: string, to: string, amountMinor: number, extra: Partial<NewEntry> = {}): NewEntry => ({
  kind: 'moved',
  roundId: null,
  body: { from, to },
  postings: [
    { account: from, currency: 'MOP', amountMinor: -amountMinor },
    { account: to, currency: 'MOP', amountMinor },
  ],
  ...extra,
});

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * All files beside the ledger that hold something, by content: what a refused opening must leave
 * alone.
 */
const picture = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir)
      .filter((name) => !name.endsWith('-shm'))
      .filter((name) => !name.endsWith('-wal') || statSync(join(dir, name)).size > 0)
      .sort()
      .map((name) => [name, sha256(readFileSync(join(dir, name), 'latin1')).toString('hex')]),
  );

describe('append', () => {
  it('numbers, chains and returns what it stored', () => {
    const { path } = place();
    const ledger = open(path);
    assert.deepEqual(ledger.head(), { seq: 0, hash: new Uint8Array(32) });
    const [one, two] = ledger.append(1000, 'c1', [
      move('seat:1', 'table', 500, { roundId: 'r1' }),
      { kind: 'noted', roundId: 'r1', body: { text: '莊 ã "x"' }, postings: [] },
    ]);
    assert.equal(one?.seq, 1);
    assert.equal(two?.seq, 2);
    const bytes = ledger.readBytes(1, 10);
    let previous = Buffer.alloc(32);
    for (const row of bytes) {
      previous = createHash('sha256').update(previous).update(row.bytes).digest();
      assert.equal(hex(row.hash), hex(previous));
    }
    assert.equal(hex(ledger.head().hash), hex(previous));
    assert.equal(String(ledger.readLines(1, 10)), bytes.map((row) => `${String(row.bytes)}\n`).join(''));
    assert.equal(String(ledger.readLines(2, 1)), `${String(bytes[1]!.bytes)}\n`);
    assert.equal(ledger.readLines(3, 1).length, 0);
    assert.deepEqual(JSON.parse(String(bytes[1]!.bytes)), {
      v: 1,
      terminal: 'table-1',
      seq: 2,
      atMs: 1000,
      kind: 'noted',
      roundId: 'r1',
      commandId: 'c1',
      noteId: null,
      body: { text: '莊 ã "x"' },
      postings: [],
    });
    assert.deepEqual(ledger.read(1, 10), [one, two]);
    assert.deepEqual(ledger.findCommand('c1'), { firstSeq: 1, lastSeq: 2 });
    assert.equal(ledger.findCommand('c2'), null);
    ledger.close();
  });

  it('stores as many entries in one transaction as there are, and all of them or none', () => {
    const { path } = place();
    const ledger = open(path);
    let stored = 0;
    for (const count of [1, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, ROWS_AT_ONCE + 1, 2 * ROWS_AT_ONCE, 100]) {
      const moves = Array.from({ length: count }, () => move('a', 'b', 1));
      ledger.append(1, `c${count}`, moves);
      stored += count;
      assert.deepEqual(ledger.findCommand(`c${count}`), { firstSeq: stored - count + 1, lastSeq: stored });
      assert.throws(() => ledger.append(1, `c${count}`, moves), DuplicateCommand);
      assert.equal(ledger.head().seq, stored);
    }
    // Their commands are entered in the file, and no longer known outside of it.
    for (let i = 0; i < 1_000; i++) ledger.append(1, `d${i}`, [move('a', 'b', 1)]);
    const { seq } = ledger.head();
    assert.throws(() => ledger.append(1, 'c100', [move('a', 'b', 1), move('a', 'b', 1)]), DuplicateCommand);
    assert.equal(ledger.head().seq, seq);
    ledger.append(1, 'e', [move('a', 'b', 1)]);
    ledger.close();
    assert.deepEqual(verifyLedger(path).problems, []);
  });

  it('keeps balances that equal the sums in the file, also after opening again', () => {
    const { path } = place();
    const ledger = open(path);
    for (let i = 1; i <= 200; i++) {
      ledger.append(i, null, [move(`seat:${i % 7}`, 'table', i * 10), move('table', `seat:${i % 3}`, i)]);
    }
    ledger.append(201, null, [
      {
        kind: 'foreign',
        roundId: null,
        body: {},
        postings: [
          { account: 'table', currency: 'HKD', amountMinor: 7 },
          { account: 'drop', currency: 'HKD', amountMinor: -7 },
        ],
      },
    ]);
    const live = new Map(ledger.balances());
    ledger.close();
    const db = new Database(path, { readonly: true });
    const sums = db
      .prepare<[], { k: string; s: number }>(
        `SELECT p.value ->> 'currency' || '/' || (p.value ->> 'account') AS k, sum(p.value ->> 'amountMinor') AS s
         FROM entries, json_each(bytes, '$.postings') p GROUP BY k`,
      )
      .all();
    db.close();
    assert.deepEqual(live, new Map(sums.map((r) => [r.k, r.s])));
    assert.equal(
      [...live.values()].reduce((a, b) => a + b, 0),
      0,
    );
    const again = open(path);
    assert.deepEqual(new Map(again.balances()), live);
    again.close();
  });

  it('refuses a command, a note or a sum for the second time, and goes on unharmed', () => {
    const { path } = place();
    const ledger = open(path);
    ledger.append(1, 'c1', [move('bills', 'seat:1', 10_000, { noteId: 'note-1' })]);
    const before = { head: ledger.head(), balances: new Map(ledger.balances()) };
    const refused = (work: () => void, error: object): void => {
      assert.throws(work, error);
      assert.deepEqual({ head: ledger.head(), balances: new Map(ledger.balances()) }, before);
      assert.equal(ledger.read(2, 1).length, 0);
    };
    refused(() => ledger.append(2, 'c1', [move('bills', 'seat:1', 1)]), new DuplicateCommand('c1', 1, 1));
    refused(
      () =>
        ledger.append(2, 'c2', [move('a', 'b', 1), move('bills', 'seat:1', 10_000, { noteId: 'note-1' })]),
      new DuplicateNote('note-1', 1),
    );
    assert.equal(ledger.findCommand('c2'), null);
    refused(
      () =>
        ledger.append(2, 'c3', [
          move('a', 'b', 1),
          {
            kind: 'odd',
            roundId: null,
            body: null,
            postings: [{ account: 'a', currency: 'MOP', amountMinor: 1 }],
          },
        ]),
      UnbalancedEntry,
    );
    // A balance per currency: one pataca is not one dollar.
    refused(
      () =>
        ledger.append(2, 'c3', [
          {
            kind: 'odd',
            roundId: null,
            body: null,
            postings: [
              { account: 'a', currency: 'MOP', amountMinor: 1 },
              { account: 'a', currency: 'HKD', amountMinor: -1 },
            ],
          },
        ]),
      UnbalancedEntry,
    );
    refused(() => ledger.append(2, 'c3', [move('a', 'b', 0.5)]), RangeError);
    refused(
      () => ledger.append(2, 'c3', [move('a', 'b', Number.MAX_SAFE_INTEGER), move('a', 'b', 2)]),
      RangeError,
    );
    refused(() => ledger.append(2, 'c3', []), RangeError);
    refused(() => ledger.append(Number.NaN, 'c3', [move('a', 'b', 1)]), RangeError);
    refused(
      () => ledger.append(2, 'c3', [{ kind: 'x', roundId: null, body: undefined, postings: [] }]),
      TypeError,
    );
    assert.equal(ledger.append(2, 'c2', [move('bills', 'seat:1', 1, { noteId: 'note-2' })])[0]?.seq, 2);
    ledger.close();
  });

  it('stops after an error it does not understand, because nobody knows what is on the disk', () => {
    const { path } = place();
    let fail = false;
    const ledger = open(path, {
      hooks: {
        beforeCommit() {
          if (fail) throw new Error('disk I/O error');
        },
      },
    });
    ledger.append(1, null, [move('a', 'b', 1)]);
    fail = true;
    assert.throws(() => ledger.append(2, null, [move('a', 'b', 1)]), /disk I\/O error/);
    fail = false;
    assert.throws(() => ledger.append(3, null, [move('a', 'b', 1)]), LedgerUnusable);
    ledger.close();
    const again = open(path);
    assert.equal(again.head().seq, 1);
    again.close();
  });

  it('stores what comes together in one commit, closings and signatures too', () => {
    const { path } = place();
    let commits = 0;
    const ledger = open(path, { hooks: { beforeCommit: () => void commits++ } });
    const appended = (atMs: number): void => {
      const [entry] = ledger.append(atMs, `c${atMs}`, [move('a', 'b', 1)]);
      assert.deepEqual(ledger.findCommand(`c${atMs}`), { firstSeq: entry!.seq, lastSeq: entry!.seq });
    };
    ledger.together(() => {
      // The books are closed in between.
      for (let atMs = 1; atMs <= 1500; atMs++) appended(atMs);
      ledger.append(1501, null, [move('bills', 'seat:1', 1, { noteId: 'n', roundId: 'r1' })]);
      ledger.saveSnapshot('{}', sha256('{}'));
      ledger.checkpoint('test', null, 1501);
    });
    assert.equal(commits, 1);
    assert.equal(ledger.balances().get('MOP/b'), 1500);
    ledger.close();
    assert.deepEqual(verifyLedger(path).problems, []);
    const again = open(path);
    assert.equal(again.head().seq, 1501);
    again.close();
  });

  it('stores nothing of what comes together when some of it cannot be', () => {
    const { path } = place();
    const ledger = open(path);
    ledger.append(1, null, [move('a', 'b', 1)]);
    const off = {
      ...move('a', 'b', 1),
      postings: [{ account: 'a', currency: 'MOP' as const, amountMinor: 1 }],
    };
    assert.throws(
      () =>
        ledger.together(() => {
          ledger.append(2, 'c', [move('a', 'b', 1)]);
          ledger.append(3, null, [off]);
        }),
      UnbalancedEntry,
    );
    // It is ahead of its file.
    assert.throws(() => ledger.append(4, null, [move('a', 'b', 1)]), LedgerUnusable);
    ledger.close();
    const again = open(path);
    assert.equal(again.head().seq, 1);
    assert.equal(again.findCommand('c'), null);
    again.close();
  });
});

describe('reading', () => {
  it('pages by number, kind and round', () => {
    const { path } = place();
    const ledger = open(path);
    for (let i = 1; i <= 30; i++) {
      ledger.append(i, `shoe:A:${i}`, [
        {
          kind: i % 3 === 0 ? 'opened' : 'bet',
          roundId: i > 5 ? `r${Math.ceil(i / 10)}` : null,
          body: { i },
          postings: [],
        },
      ]);
    }
    const seqs = (list: readonly { seq: number }[]): number[] => list.map((e) => e.seq);
    assert.deepEqual(seqs(ledger.read(29, 10)), [29, 30]);
    assert.deepEqual(seqs(ledger.newest({ beforeSeq: null, limit: 3, kind: null })), [30, 29, 28]);
    assert.deepEqual(seqs(ledger.newest({ beforeSeq: 28, limit: 2, kind: 'opened' })), [27, 24]);
    assert.deepEqual(seqs(ledger.readRound('r1')), [6, 7, 8, 9, 10]);
    assert.deepEqual(ledger.readRound('nowhere'), []);
    assert.equal(ledger.lastCommandId('shoe:A:'), 'shoe:A:30');
    assert.equal(ledger.lastCommandId('shoe:B:'), null);
    assert.equal(ledger.hashAt(31), null);
    assert.equal(hex(ledger.hashAt(0)!), '00'.repeat(32));

    const reader = openLedgerReader(path);
    assert.equal(reader.terminalId, 'table-1');
    assert.deepEqual(reader.read(1, 99), ledger.read(1, 99));
    reader.close();
    ledger.close();
  });
});

describe('closing the books', () => {
  it('happens by itself, is not seen from outside, and a ledger opens again where it was', () => {
    const { path } = place();
    let ledger = open(path);
    const known = (n: number): void => {
      assert.deepEqual(ledger.findCommand(`c${n}`), { firstSeq: 2 * n - 1, lastSeq: 2 * n });
      assert.throws(() => ledger.append(1, `c${n}`, [move('a', 'b', 1)]), DuplicateCommand);
    };
    const COMMANDS = 2_403;
    for (let n = 1; n <= COMMANDS; n++) {
      ledger.append(n, `c${n}`, [move('a', 'b', n, { roundId: `r${n % 4}` }), move('b', 'c', 1)]);
      if (n % 400 === 0) for (const asked of [1, n - 1, n]) known(asked);
    }
    const live = new Map(ledger.balances());
    const before = ledger.readRound('r3').map((entry) => entry.seq);
    ledger.close();
    const db = new Database(path, { readonly: true });
    const [closed, entered] = ['SELECT max(seq) FROM closings', 'SELECT count(*) FROM commands'].map((sql) =>
      db.prepare(sql).pluck().get(),
    );
    db.close();
    assert.deepEqual([closed, entered], [4_000, 2_000]);
    const reader = openLedgerReader(path);
    for (const n of [1, 1_999, 2_001, COMMANDS])
      assert.deepEqual(reader.findCommand(`c${n}`), { firstSeq: 2 * n - 1, lastSeq: 2 * n });
    assert.equal(reader.findCommand('c0'), null);
    reader.close();
    ledger = open(path);
    assert.deepEqual(new Map(ledger.balances()), live);
    for (const n of [1, 1_999, 2_001, COMMANDS]) known(n);
    assert.deepEqual(
      ledger.readRound('r3').map((entry) => entry.seq),
      before,
    );
    assert.equal(before.length, Math.ceil(COMMANDS / 4));
    ledger.close();
    assert.deepEqual(verifyLedger(path).problems, []);
  });

  for (const version of [1, 2, 3] as const)
    it(`brings a file of version ${version} on, which a verifier reads as it is`, () => {
      const { dir, path } = place();
      open(path).close();
      rmSync(path);
      makeEarlierLedger(path, version, loadOrCreateKey(dir), 4_800);
      const asItWas = openLedgerReader(path);
      const round = asItWas.readRound('r5');
      assert.equal(round.length, 4);
      assert.deepEqual(asItWas.findCommand('c4800'), { firstSeq: 4_800, lastSeq: 4_800 });
      asItWas.close();
      assert.deepEqual(verifyLedger(path).problems, []);
      const ledger = open(path);
      assert.equal(ledger.balances().get('MOP/b'), (4_800 * 4_801) / 2);
      assert.deepEqual(ledger.readRound('r5'), round);
      assert.throws(() => ledger.append(1, 'c4800', [move('a', 'b', 1)]), DuplicateCommand);
      ledger.append(5_000, 'new', [move('a', 'b', 1)]);
      ledger.close();
      const report = verifyLedger(path);
      assert.deepEqual(report.problems, []);
      assert.equal(report.checkpoints, 1);
      open(path).close();
    });
});

describe('snapshots, checkpoints, acknowledgements', () => {
  it('keeps the newest snapshots, refuses a false hash, and finds the one before an entry', () => {
    const { path } = place();
    const ledger = open(path);
    assert.throws(() => ledger.saveSnapshot('{}', sha256('{ }')), RangeError);
    for (let i = 1; i <= SNAPSHOTS_KEPT + 4; i++) {
      ledger.append(i, null, [move('a', 'b', 1)]);
      ledger.saveSnapshot(`{"n":${i}}`, sha256(`{"n":${i}}`));
      ledger.saveSnapshot(`{"n":${i}}`, sha256(`{"n":${i}}`));
    }
    assert.equal(ledger.latestSnapshot()?.state, `{"n":${SNAPSHOTS_KEPT + 4}}`);
    assert.equal(ledger.latestSnapshot(7)?.state, '{"n":7}');
    // The first one of every five thousand entries stays.
    assert.equal(ledger.latestSnapshot(4)?.state, '{"n":1}');
    assert.equal(ledger.latestSnapshot(0), null);
    ledger.checkpoint('shift', null, 99);
    ledger.close();
    const db = new Database(path);
    assert.equal(db.prepare('SELECT count(*) FROM snapshots').pluck().get(), SNAPSHOTS_KEPT + 1);
    assert.throws(() => db.exec('DELETE FROM snapshots WHERE seq = 5'), /snapshots_keep_newest/);
    db.close();
    open(path).close();
  });

  it('keeps the first snapshot of every 5000 entries, so that an old state is never far', () => {
    const { path } = place();
    const ledger = open(path);
    const filler = Array.from({ length: 400 }, () => move('a', 'b', 1));
    for (let i = 1; i <= 40; i++) {
      ledger.append(i, null, filler);
      ledger.saveSnapshot(`{"n":${i}}`, sha256(`{"n":${i}}`));
    }
    const kept = [400, 5_200, 10_000, ...[13_200, 13_600, 14_000, 14_400, 14_800, 15_200, 15_600, 16_000]];
    for (const seq of kept) assert.equal(ledger.latestSnapshot(seq)?.seq, seq);
    assert.deepEqual(
      [5_199, 9_999, 13_199].map((seq) => ledger.latestSnapshot(seq)?.seq),
      [400, 5_200, 10_000],
    );
    ledger.close();
    open(path).close();
  });

  it('stores an acknowledgement only of its own entry', () => {
    const { path } = place();
    const ledger = open(path);
    ledger.append(1, null, [move('a', 'b', 1)]);
    ledger.append(2, null, [move('a', 'b', 1)]);
    assert.equal(ledger.acknowledged(), null);
    assert.throws(() => ledger.acknowledge(1, ledger.hashAt(2)!, 5), LedgerUnusable);
    assert.throws(() => ledger.acknowledge(3, ledger.hashAt(2)!, 5), LedgerUnusable);
    ledger.acknowledge(2, ledger.hashAt(2)!, 5);
    ledger.acknowledge(1, ledger.hashAt(1)!, 6);
    assert.equal(ledger.acknowledged()?.seq, 2);
    assert.equal(ledger.acknowledged()?.atMs, 5);
    assert.deepEqual([ledger.acknowledged(4), ledger.acknowledged(5)?.seq], [null, 2], 'as of a time');
    ledger.close();
  });
});

describe('the file', () => {
  it('refuses to change or take away what is stored', () => {
    const { path } = place();
    const ledger = open(path);
    ledger.append(1, 'c1', [move('a', 'b', 1, { noteId: 'n1', roundId: 'r1' })]);
    ledger.checkpoint('test', null, 1);
    ledger.saveSnapshot('{}', sha256('{}'));
    ledger.acknowledge(1, ledger.head().hash, 1);
    ledger.close();
    const db = new Database(path);
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    assert.deepEqual([...tables].sort(), [
      'acks',
      'checkpoints',
      'closings',
      'commands',
      'entries',
      'identity',
      'keys',
      'note_credits',
      'round_runs',
      'snapshots',
    ]);
    for (const table of tables) {
      const column = db
        .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
        .pluck()
        .get(table)!;
      assert.throws(() => db.exec(`UPDATE ${table} SET ${column} = ${column}`), /no_update/, table);
      assert.throws(() => db.exec(`DELETE FROM ${table}`), /no_delete|keep_newest/, table);
    }
    // Of these two a row that another tool has replaced shows in the chain.
    for (const table of tables.filter((name) => name !== 'commands' && name !== 'entries')) {
      assert.throws(
        () => db.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table} LIMIT 1`),
        /_in_order/,
        table,
      );
    }
    assert.throws(
      () => db.exec('INSERT INTO entries SELECT * FROM entries'),
      /UNIQUE constraint failed: entries.seq/,
    );
    assert.throws(
      () =>
        db
          .prepare('INSERT INTO entries VALUES (2,?,?,NULL,NULL,?,?)')
          .run('soon', 'x', '{}', Buffer.alloc(32)),
      /cannot store TEXT/,
    );
    db.close();
  });

  it('is written in WAL mode with synchronous=FULL, and says so when it is not', () => {
    const { path } = place();
    open(path).close();
    const db = new Database(path);
    assert.throws(() => assertDurable(db), /synchronous is 1, must be 2/);
    db.pragma('synchronous = FULL');
    assertDurable(db);
    db.pragma('foreign_keys = OFF');
    assert.throws(() => assertDurable(db), /foreign_keys is 0/);
    db.pragma('foreign_keys = ON');
    db.pragma('journal_mode = DELETE');
    assert.throws(() => assertDurable(db), /journal_mode is delete/);
    db.close();
    const ledger = open(path);
    ledger.append(1, null, [move('a', 'b', 1)]);
    ledger.close();
  });

  it('keeps 2 MiB of its pages in memory, however long it gets', () => {
    const { path } = place();
    open(path).close();
    const db = new Database(path);
    makeDurable(db);
    const reading = openInPlace(path);
    for (const one of [db, reading]) {
      assert.equal(one.pragma('cache_size', { simple: true }), -2_000);
      one.close();
    }
  });

  it('keeps a commit when the power fails in the next one and makes waste of the sector being written', () => {
    const SECTOR = 512;
    const { dir, path } = place();
    const ledger = open(path);
    const wal = (): Buffer => readFileSync(`${path}-wal`);
    for (let i = 1; i <= 40; i++) {
      ledger.append(i, `c${i}`, [move('a', 'b', i, { body: { pad: 'x'.repeat((i * 37) % 900) } })]);
      const before = wal();
      ledger.append(i, null, [move('a', 'b', i)]);
      const after = wal();
      const first = after.findIndex((byte, at) => byte !== before[at]);
      const sector = Math.floor(first / SECTOR) * SECTOR;
      const cut = join(dir, `cut-${i}.db`);
      copyFileSync(path, cut);
      after.fill(0xa5, sector, sector + SECTOR);
      writeFileSync(`${cut}-wal`, after);
      const { ok, headSeq } = verifyLedger(cut);
      assert.deepEqual([ok, headSeq], [true, 2 * i - 1], `${first} of ${after.length}`);
    }
    ledger.close();
  });

  it('has one writer, and readers beside it', () => {
    const { path } = place();
    const ledger = open(path);
    assert.throws(() => open(path), /in use by another process/);
    openLedgerReader(path).close();
    ledger.append(1, null, [move('a', 'b', 1)]);
    ledger.close();
    open(path).close();
  });

  it('is made once: a lost ledger is not replaced by an empty one', () => {
    const { dir, path } = place();
    assert.throws(() => open(path, { createIfMissing: false }), /there is no ledger/);
    assert.equal(existsSync(path), false);
    open(path).close();
    rmSync(path);
    assert.throws(() => open(path), LedgerDamaged);
    assert.equal(existsSync(path), false);
    assert.deepEqual(readdirSync(dir).sort(), [KEY_FILE, 'ledger.db-lock']);
  });

  it('belongs to one terminal and one key', () => {
    const { path } = place();
    open(path).close();
    assert.throws(
      () => open(path, { terminalId: 'table-2' }),
      /belongs to terminal table-1, this is table-2/,
    );
    assert.throws(() => open(path, { key: loadOrCreateKey(join(root, 'other')) }), /was begun with key/);
    assert.throws(() => open(path, { terminalId: '../x' }), /does not match/);
  });

  it('is refused when damaged, named by the first bad entry, and left as it is', () => {
    const damages: readonly [string, number | null, (path: string) => void][] = [
      [
        'a changed amount',
        40,
        (p) =>
          tamper(
            p,
            'UPDATE entries SET bytes = replace(bytes, \'"amountMinor":\', \'"amountMinor":1\') WHERE seq = 40',
          ),
      ],
      [
        'a changed text',
        50,
        (p) => tamper(p, "UPDATE entries SET bytes = replace(bytes, 'seat:1', 'seat:2') WHERE seq = 50"),
      ],
      ['a missing entry', 30, (p) => tamper(p, 'DELETE FROM entries WHERE seq = 30')],
      ['a changed time', 7, (p) => tamper(p, 'UPDATE entries SET at_ms = 1 WHERE seq = 7')],
      ['another state', 60, (p) => tamper(p, `UPDATE snapshots SET state = '{"rich":true}'`)],
      [
        'a state with its hash but no signature',
        60,
        (p) =>
          tamper(
            p,
            `UPDATE snapshots SET state = '{"rich":true}', state_hash = x'${hex(sha256('{"rich":true}'))}'`,
          ),
      ],
      ['a changed checkpoint', 60, (p) => tamper(p, "UPDATE checkpoints SET reason = 'x'")],
      ['a missing trigger', null, (p) => new Database(p).exec('DROP TRIGGER entries_no_update').close()],
      ['an empty file', null, (p) => truncateSync(p, 0)],
      ['half a file', null, (p) => truncateSync(p, 8192)],
      ['another file', null, (p) => writeFileSync(p, 'not a ledger, but long enough to look at'.repeat(99))],
      [
        'another database',
        null,
        (p) => {
          rmSync(p);
          new Database(p).exec('CREATE TABLE t (a)').close();
        },
      ],
    ];
    for (const [name, seq, damage] of damages) {
      const { dir, path } = place();
      const ledger = open(path);
      for (let i = 1; i <= 60; i++) ledger.append(1000 + i, `c${i}`, [move('seat:1', 'table', 100)]);
      ledger.saveSnapshot('{"poor":true}', sha256('{"poor":true}'));
      ledger.close();
      damage(path);
      const before = picture(dir);
      assert.throws(
        () => open(path),
        (error) =>
          error instanceof LedgerDamaged && error.firstBadSeq === seq && error.message.includes(path),
        name,
      );
      assert.deepEqual(picture(dir), before, name);
    }
  });

  it('leaves the WAL of a damaged ledger where it is', () => {
    const { dir, path } = place();
    const ledger = open(path);
    for (let i = 1; i <= 20; i++) ledger.append(i, null, [move('a', 'b', 1)]);
    ledger.close();
    const killed = place();
    tamper(path, 'UPDATE entries SET at_ms = 99 WHERE seq = 9', () => {
      for (const name of [KEY_FILE, 'ledger.db', 'ledger.db-wal']) {
        copyFileSync(join(dir, name), join(killed.dir, name));
      }
    });
    assert.ok(statSync(`${killed.path}-wal`).size > 0);
    const before = picture(killed.dir);
    assert.throws(
      () => open(killed.path),
      (error) => error instanceof LedgerDamaged && error.firstBadSeq === 9,
    );
    assert.deepEqual(picture(killed.dir), { ...before, 'ledger.db-lock': sha256('').toString('hex') });
  });

  it('has a schema whose released steps never change', () => {
    assert.deepEqual(
      MIGRATIONS.map((step) => sha256(step).toString('hex')),
      SCHEMA_STEPS,
    );
    const db = new Database(':memory:');
    const hashes = MIGRATIONS.map((step) => schemaHash(db.exec(step)));
    db.close();
    assert.deepEqual(hashes, SCHEMA_SHA256);
  });
});

const SCHEMA_STEPS = [
  '4ac8879f8c338e0bd57dc722125cc8efdd23b7f78e26334f652acee3bbacbc1d',
  '43650473d39058d51f89a931f70be0ebf768a542c76e2bfde3f6da38f6d8d884',
  'dbeb8d61a09d7963ebb2e5843ee87a941384a3fc70cf6e0c587ca84c6729e30c',
  '99cb2137513942c7083dea57fcd0718157a5a641152cc85dc874acd4fe37a1f9',
];

describe('the key', () => {
  it('is made once, with mode 0600, and refused when others can read it', () => {
    const { dir } = place();
    const key = loadOrCreateKey(dir);
    assert.equal(statSync(join(dir, KEY_FILE)).mode & 0o777, 0o600);
    assert.equal(loadOrCreateKey(dir).keyId, key.keyId);
    chmodSync(join(dir, KEY_FILE), 0o644);
    assert.throws(() => loadOrCreateKey(dir), /mode 0644, must be 0600/);
    chmodSync(join(dir, KEY_FILE), 0o600);
    writeFileSync(join(dir, KEY_FILE), 'nonsense');
    assert.throws(() => loadOrCreateKey(dir), /cannot be used/);
  });
});

/**
 * Changes a ledger behind its triggers and puts them back, as somebody with the file and `sqlite3`
 * could.
 */
function tamper(path: string, sql: string, beforeClose?: () => void): void {
  const db = new Database(path);
  db.pragma('foreign_keys = OFF');
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(trigger.sql);
  beforeClose?.();
  db.close();
}
