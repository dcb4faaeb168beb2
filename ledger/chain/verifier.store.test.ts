import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { makeEarlierLedger } from '../../test/kits/ledger.ts';
import { loadOrCreateKey, openLedger } from '../store/ledger.store.ts';
import { openForReading } from '../store/sqlite.store.ts';
import { checkKeys } from './checks.store.ts';
import { type VerifyReport, verifyLedger } from './verifier.store.ts';
import { workTogether } from './verify-helper.ts';
import { newBoard, type Result, wholeOf, work } from './verify-tasks.store.ts';
import { verifyInBackground } from './verify-worker.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-verify-'));
after(() => rmSync(root, { recursive: true, force: true }));
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

const ENTRIES = 120;
const original = join(root, 'ledger.db');
{
  const ledger = openLedger(original, {
    terminalId: 'table-1',
    key: loadOrCreateKey(root),
    createIfMissing: true,
  });
  for (let i = 1; i <= ENTRIES / 2; i++) {
    const note = i % 10 === 0 ? { noteId: `note-${i}` } : {};
    ledger.append(1000 + i, i % 2 === 0 ? `c${i}` : null, [
      {
        kind: 'note-credited',
        roundId: `r${Math.ceil(i / 8)}`,
        body: { text: `莊閒 ${i}` },
        postings: [
          { account: 'bills', currency: 'MOP', amountMinor: -100 * i },
          { account: `seat:${i % 7}`, currency: 'MOP', amountMinor: 100 * i },
        ],
        ...note,
      },
      { kind: 'touched', roundId: null, body: { i }, postings: [] },
    ]);
    if (i % 20 === 0) {
      ledger.saveSnapshot(`{"i":${i}}`, sha256(`{"i":${i}}`));
      ledger.checkpoint('shift', null, 2000 + i);
      ledger.acknowledge(i, ledger.hashAt(i)!, 3000 + i);
    }
  }
  ledger.close();
}

let copies = 0;
function copy(of = original): string {
  copies += 1;
  const path = join(root, `copy-${copies}.db`);
  copyFileSync(of, path);
  return path;
}

/** Ledgers in which postings are rows of their own. */
const EARLIER = ([1, 2] as const).map((version) => {
  const path = join(root, `version-${version}.db`);
  makeEarlierLedger(path, version, loadOrCreateKey(root), ENTRIES);
  return path;
});

/** Runs SQL on a copy with the triggers out of the way and back afterwards. */
function changed(sql: string, of = original): string {
  const path = copy(of);
  const db = new Database(path);
  db.pragma('foreign_keys = OFF');
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(trigger.sql);
  db.close();
  return path;
}

/**
 * Everything a ledger says, by table; the time of an acknowledgement is the one column nothing
 * vouches for.
 */
function contents(path: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    const tables = [
      'identity',
      'keys',
      'entries',
      'commands',
      'note_credits',
      'checkpoints',
      'snapshots',
      'round_runs',
      'closings',
    ];
    return [
      db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all(),
      db.prepare('SELECT seq, hash FROM acks').all(),
      ...tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()),
    ];
  } finally {
    db.close();
  }
}

describe('the verifier', () => {
  it('finds that a good ledger holds, and counts it', () => {
    const report = verifyLedger(original);
    assert.deepEqual(report.problems, []);
    assert.equal(report.ok, true);
    assert.equal(report.problem, '');
    assert.equal(report.terminal, 'table-1');
    assert.equal(report.entries, ENTRIES);
    assert.equal(report.headSeq, ENTRIES);
    assert.equal(report.checkpoints, 9);
    assert.equal(report.snapshots, 3);
    assert.equal(report.acknowledgedSeq, 60);
    assert.equal(
      Object.values(report.balances).reduce((a, b) => a + b, 0),
      0,
    );
    assert.equal(report.balances['MOP/bills'], (-100 * (60 * 61)) / 2);
  });

  it('makes all balances anew from the postings of the entries, whatever their bodies look like', () => {
    const folder = mkdtempSync(join(root, 'balances-'));
    const path = join(folder, 'ledger.db');
    const ledger = openLedger(path, {
      terminalId: 'table-1',
      key: loadOrCreateKey(folder),
      createIfMissing: true,
    });
    const line = (account: string, amountMinor: number) => ({ account, amountMinor, currency: 'MOP' });
    const own = [line('of "postings":[{', 300), line('莊', -300)];
    const body = { postings: [line('nobody', 9_999)], roundId: 'of the body', z: '"postings":[{' };
    for (const postings of [own, [], own, []])
      for (const roundId of [null, '],"roundId":'])
        ledger.append(1_000, null, [{ kind: 'played', roundId, body: { ...body, body }, postings }]);
    const kept = new Map(ledger.balances());
    ledger.close();
    const report = verifyLedger(path);
    assert.deepEqual(report.problems, []);
    assert.deepEqual(new Map(Object.entries(report.balances)), kept);
    assert.deepEqual(report.balances, { 'MOP/of "postings":[{': 1_200, 'MOP/莊': -1_200 });
  });

  it('says the same in a thread of its own', async () => {
    assert.deepEqual(await verifyInBackground(original), verifyLedger(original));
    await assert.rejects(verifyInBackground(join(root, 'nothing.db')), /there is no file/);
  });

  it('says the same when a second thread takes part', () => {
    for (const path of [
      original,
      changed("UPDATE entries SET kind = 'x' WHERE seq = 41"),
      changed('UPDATE postings SET amount_minor = 1 WHERE seq = 41 AND line = 1', EARLIER[1]),
    ]) {
      const { db, close } = openForReading(path);
      try {
        const whole = wholeOf(
          db,
          'table-1',
          checkKeys(db, () => {}),
        );
        const alone = work(db, whole, newBoard());
        const board = newBoard();
        const together = workTogether(db.name, whole, board, () => work(db, whole, board));
        const sorted = (results: Result[]): Result[] => results.toSorted((a, b) => a.rank - b.rank);
        assert.deepEqual(sorted(together), sorted(alone));
        // All of it by the other thread: this one takes nothing.
        assert.deepEqual(sorted(workTogether(db.name, whole, newBoard(), () => [])), sorted(alone));
      } finally {
        close();
      }
    }
  });

  it('changes nothing, also on a medium that cannot be written', () => {
    const dir = mkdtempSync(join(root, 'medium-'));
    const path = join(dir, 'evidence.db');
    copyFileSync(original, path);
    chmodSync(path, 0o400);
    chmodSync(dir, 0o500);
    assert.equal(verifyLedger(path).ok, true);
    assert.deepEqual(readdirSync(dir), ['evidence.db']);
    chmodSync(dir, 0o700);
    assert.deepEqual(readFileSync(path), readFileSync(original));
  });

  it('reads a ledger in use, up to what is committed, and the copy of one that was killed', () => {
    const dir = mkdtempSync(join(root, 'live-'));
    const path = join(dir, 'ledger.db');
    const ledger = openLedger(path, {
      terminalId: 'table-9',
      key: loadOrCreateKey(dir),
      createIfMissing: true,
    });
    for (let i = 1; i <= 10; i++) {
      ledger.append(i, null, [{ kind: 'x', roundId: null, body: i, postings: [] }]);
      const report = verifyLedger(path);
      assert.deepEqual([report.ok, report.headSeq], [true, i]);
    }
    const killed = mkdtempSync(join(root, 'killed-'));
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, join(killed, `l.db${suffix}`));
    ledger.close();
    const before = readdirSync(killed).map((name) =>
      sha256(readFileSync(join(killed, name))).toString('hex'),
    );
    assert.equal(verifyLedger(join(killed, 'l.db')).headSeq, 10);
    assert.deepEqual(
      readdirSync(killed).map((name) => sha256(readFileSync(join(killed, name))).toString('hex')),
      before,
    );
  });

  const cases: readonly [string, string, Pick<VerifyReport['problems'][number], 'part' | 'seq'>][] = [
    [
      'a changed byte',
      "UPDATE entries SET bytes = replace(bytes, '莊', '閒') WHERE seq = 41",
      { part: 'entry', seq: 41 },
    ],
    [
      'a changed time column',
      'UPDATE entries SET at_ms = at_ms + 1 WHERE seq = 41',
      { part: 'entry', seq: 41 },
    ],
    ['a changed kind column', "UPDATE entries SET kind = 'x' WHERE seq = 41", { part: 'entry', seq: 41 }],
    [
      'a changed round column',
      "UPDATE entries SET round_id = 'r9' WHERE seq = 41",
      { part: 'entry', seq: 41 },
    ],
    [
      'a changed hash',
      `UPDATE entries SET hash = x'${'11'.repeat(32)}' WHERE seq = 41`,
      { part: 'entry', seq: 41 },
    ],
    [
      'a changed amount',
      `UPDATE entries SET bytes = replace(bytes, '"amountMinor":', '"amountMinor":1') WHERE seq = 41`,
      { part: 'entry', seq: 41 },
    ],
    ['a missing entry', 'DELETE FROM entries WHERE seq = 41', { part: 'entry', seq: 41 }],
    ['a missing end', 'DELETE FROM entries WHERE seq > 100', { part: 'checkpoint', seq: 120 }],
    ['a missing command', "DELETE FROM commands WHERE id = 'c20'", { part: 'command', seq: 39 }],
    ['an added command', "INSERT INTO commands VALUES ('zzz', 1, 1)", { part: 'command', seq: 1 }],
    [
      'a stretched command',
      "UPDATE commands SET last_seq = 41 WHERE id = 'c20'",
      { part: 'command', seq: 39 },
    ],
    ['a missing note', "DELETE FROM note_credits WHERE note_id = 'note-20'", { part: 'note', seq: 39 }],
    ['a moved note', "UPDATE note_credits SET seq = 2 WHERE note_id = 'note-20'", { part: 'note', seq: 39 }],
    ['an added note', "INSERT INTO note_credits VALUES ('note-x', 2)", { part: 'note', seq: null }],
    ['a changed reason', "UPDATE checkpoints SET reason = 'x' WHERE no = 2", { part: 'checkpoint', seq: 40 }],
    ['a missing checkpoint', 'DELETE FROM checkpoints WHERE no = 2', { part: 'checkpoint', seq: 40 }],
    [
      'changed balances',
      "UPDATE closings SET balances = replace(balances, '-', '') WHERE seq = 80",
      { part: 'closing', seq: 80 },
    ],
    ['a missing closing', 'DELETE FROM closings WHERE seq = 120', { part: 'closing', seq: null }],
    ['a missing begin of a round', 'DELETE FROM round_runs WHERE first_seq = 41', { part: 'round', seq: 41 }],
    ['an added begin of a round', "INSERT INTO round_runs VALUES (42, 'r9')", { part: 'round', seq: 42 }],
    [
      'a changed begin of a round',
      "UPDATE round_runs SET round_id = 'r9' WHERE first_seq = 41",
      { part: 'round', seq: 41 },
    ],
    ['a changed state', "UPDATE snapshots SET state = '{}' WHERE seq = 80", { part: 'snapshot', seq: 80 }],
    [
      'a changed acknowledgement',
      `UPDATE acks SET hash = x'${'11'.repeat(32)}' WHERE seq = 40`,
      { part: 'ack', seq: 40 },
    ],
    ['another key', `UPDATE keys SET public_key = x'${'11'.repeat(32)}'`, { part: 'key', seq: null }],
    ['another terminal', "UPDATE identity SET terminal = 'table-2'", { part: 'entry', seq: 1 }],
    [
      'a line end in a column of text',
      "UPDATE entries SET command_id = command_id || char(10) || 'x' WHERE seq = 7",
      { part: 'entry', seq: 7 },
    ],
    [
      'columns that swap what their names say',
      `UPDATE entries SET command_id = 'c4","kind":"note-credited' WHERE seq = 7`,
      { part: 'entry', seq: 7 },
    ],
    ['a mark for no round', "UPDATE entries SET round_id = '' WHERE seq = 8", { part: 'entry', seq: 8 }],
    [
      'a command under another name',
      "UPDATE commands SET id = 'c' || char(10) || '4' WHERE id = 'c4'",
      { part: 'command', seq: 7 },
    ],
    ['a command that is not entered', "DELETE FROM commands WHERE id = 'c4'", { part: 'command', seq: 7 }],
  ];
  for (const [name, sql, expected] of cases) {
    it(`names ${name}`, () => {
      const report = verifyLedger(changed(sql));
      assert.equal(report.ok, false);
      const { part, seq } = expected;
      assert.ok(
        report.problems.some((p) => p.part === part && p.seq === seq),
        `${JSON.stringify(expected)} is not in ${JSON.stringify(report.problems, null, 1)}`,
      );
      if (seq !== null && part === 'entry') assert.equal(report.firstBadSeq, seq);
    });
  }

  it('names rows of postings that are not those of the bytes, where earlier versions have them', () => {
    const changes: readonly [string, number][] = [
      ['UPDATE postings SET amount_minor = 1 WHERE seq = 41 AND line = 1', 41],
      ['DELETE FROM postings WHERE seq = 41 AND line = 2', 41],
      ["INSERT INTO postings VALUES (42, 3, 'a', 'MOP', 5)", 42],
      [`INSERT INTO postings VALUES (${ENTRIES + 1}, 1, 'a', 'MOP', 5)`, ENTRIES + 1],
      ['UPDATE postings SET account = account || char(10) WHERE seq = 7 AND line = 1', 7],
    ];
    for (const path of EARLIER) {
      assert.deepEqual(verifyLedger(path).problems, []);
      for (const [sql, seq] of changes) {
        const { problems, firstBadSeq } = verifyLedger(changed(sql, path));
        assert.equal(firstBadSeq, seq, sql);
        assert.ok(
          problems.some((problem) => problem.part === 'entry' && problem.seq === seq),
          sql,
        );
      }
    }
  });

  it('says of the chain and of the signatures whether they hold, before it looks at what the entries say', () => {
    const stagesOf = (path: string): [string, boolean][] => {
      const said: [string, boolean][] = [];
      verifyLedger(path, (stage, holds) => said.push([stage, holds]));
      return said;
    };
    assert.deepEqual(stagesOf(original), [
      ['chain', true],
      ['signatures', true],
    ]);
    const unsound = (sql: string): string[] =>
      stagesOf(changed(sql)).flatMap(([stage, holds]) => (holds ? [] : [stage]));
    for (const sql of [
      "UPDATE entries SET bytes = replace(bytes, '莊', '閒') WHERE seq = 41",
      `UPDATE entries SET hash = x'${'11'.repeat(32)}' WHERE seq = 41`,
      'DELETE FROM entries WHERE seq = 41',
      `UPDATE acks SET hash = x'${'11'.repeat(32)}' WHERE seq = 40`,
    ])
      assert.deepEqual(unsound(sql), ['chain'], sql);
    // Only the newest signature is part of the chain.
    assert.deepEqual(unsound("UPDATE checkpoints SET reason = 'x' WHERE no = 2"), ['signatures']);
    for (const sql of [
      // One of them stands on it.
      'UPDATE entries SET seq = 500 WHERE seq = 120',
      "UPDATE checkpoints SET reason = 'x' WHERE no = (SELECT max(no) FROM checkpoints)",
      `UPDATE keys SET public_key = x'${'11'.repeat(32)}'`,
    ])
      assert.deepEqual(unsound(sql), ['chain', 'signatures'], sql);
    for (const sql of [
      "UPDATE entries SET kind = 'x' WHERE seq = 41",
      "DELETE FROM commands WHERE id = 'c20'",
    ])
      assert.deepEqual(unsound(sql), [], sql);
  });

  it('names a chain that was rebuilt from an entry on: the checkpoints were not', () => {
    const path = copy();
    const db = new Database(path);
    const rows = db
      .prepare<[], { seq: number; bytes: string }>('SELECT seq, bytes FROM entries ORDER BY seq')
      .all();
    db.close();
    let previous = Buffer.alloc(32);
    const updates = rows.map(({ seq, bytes }) => {
      const text = seq === 90 ? bytes.replace('"i":45', '"i":46') : bytes;
      previous = createHash('sha256').update(previous).update(text).digest();
      return `UPDATE entries SET bytes = '${text}', hash = x'${previous.toString('hex')}' WHERE seq = ${seq};`;
    });
    const report = verifyLedger(changed(updates.join('\n')));
    assert.equal(
      report.problems.some((p) => p.part === 'entry'),
      false,
    );
    assert.deepEqual(report.problems.map((p) => [p.part, p.seq])[0], ['checkpoint', 120]);
  });

  it('names triggers and tables that are not as they were', () => {
    for (const sql of [
      'DROP TRIGGER entries_no_delete',
      'CREATE TABLE more (a)',
      'DROP INDEX round_runs_by_round',
    ]) {
      const path = copy();
      new Database(path).exec(sql).close();
      assert.equal(verifyLedger(path).problems[0]?.part, 'schema', sql);
    }
  });

  it('calls a file that is no ledger what it is', () => {
    const text = join(root, 'text.db');
    writeFileSync(text, 'hello'.repeat(1000));
    assert.match(verifyLedger(text).problem, /not a database/);
    const empty = join(root, 'empty.db');
    writeFileSync(empty, '');
    assert.match(verifyLedger(empty).problem, /not a ledger/);
  });

  it('has SQLite look at the whole file: the list of free pages, and pages that belong to nothing', () => {
    const path = join(root, 'header.db');
    const good = readFileSync(original);
    for (const [at, value] of [
      [33, 0x80],
      [39, 1],
      [67, 1],
    ] as const) {
      const bytes = Buffer.from(good);
      bytes[at] = value;
      writeFileSync(path, bytes);
      assert.equal(verifyLedger(path).problems[0]?.part, 'file', `byte ${at} of the header`);
    }
    const pageSize = good.readUInt16BE(16);
    const longer = Buffer.concat([good, Buffer.alloc(pageSize)]);
    longer.writeUInt32BE(longer.length / pageSize, 28);
    writeFileSync(path, longer);
    assert.match(verifyLedger(path).problem, /Page \d+: never used/);
  });

  it('notices any byte of the file that changes what it says', (t) => {
    const good = readFileSync(original);
    const goodContents = contents(original);
    const seed = Number(process.env['BANCA_SEED'] ?? Date.now() % 1_000_000);
    t.diagnostic(`seed ${seed} (set BANCA_SEED to repeat)`);
    const path = join(root, 'flipped.db');
    let silent = 0;
    // test/verifier/flips.ts takes every byte in turn.
    const FLIPS = 400;
    for (let i = 0; i < FLIPS; i++) {
      const draw = sha256(`${seed}/${i}`);
      const at = draw.readUInt32BE(0) % good.length;
      const bytes = Buffer.from(good);
      bytes[at] = bytes[at]! ^ (1 << (draw[4]! % 8));
      writeFileSync(path, bytes);
      const report = verifyLedger(path);
      if (report.ok) {
        // Unused space in a page and a few header fields carry no meaning: then nothing may read
        // differently.
        silent += 1;
        assert.deepEqual(
          contents(path),
          goodContents,
          `seed ${seed}: flip ${i} at byte ${at} was not noticed`,
        );
      } else {
        assert.ok(report.problem.length > 0);
      }
    }
    t.diagnostic(`${FLIPS} flips, ${silent} of bytes without a meaning`);
    assert.ok(silent < FLIPS, 'no flip was noticed at all');
  });
});
