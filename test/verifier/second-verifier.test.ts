/**
 * `verify.py`, written from docs/ledger-format.md in another language, agrees with our own
 * verifier.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { type Checkpoint, checkpointBytes } from '../../ledger/chain/checkpoint.codec.ts';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { makeEarlierLedger } from '../kits/ledger.ts';
import { makePlayedLedger } from './played-ledger.ts';
import { pagesOf } from './sqlite-pages.ts';

const absent = (program: string): string | false =>
  spawnSync(program, ['--version']).error === undefined ? false : `${program} is not installed`;

const root = mkdtempSync(join(tmpdir(), 'banca-second-'));
after(() => rmSync(root, { recursive: true, force: true }));
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const posted = (i: number) => [
  { account: 'seat:1', currency: 'MOP', amountMinor: -i },
  { account: 'table', currency: 'MOP', amountMinor: i },
];

/** Texts, numbers and nesting that two languages could write in two ways. */
const BODIES: readonly unknown[] = [
  { name: '莊\u0000 "閒" €\u007f\u2028\\', '\u{1f0a1}': 1, '\ufb33': 2, a: { 10: 1, 9: 2 } },
  [0.5, 1e21, 1e-7, 123456789012345680000, 5e-324, 1.7976931348623157e308, -0, 1 / 3, 2 ** 53, 100, 1e-6],
  null,
  [[], {}, [true, false], ''],
];

function handMade(): { path: string; publicPem: string; keyId: string } {
  const path = join(root, 'hand.db');
  const key = loadOrCreateKey(root);
  const ledger = openLedger(path, { terminalId: 'table-1', key, createIfMissing: true });
  for (let i = 1; i <= 60; i++) {
    const body = BODIES[i % BODIES.length];
    const roundId = i % 3 === 0 ? null : `r${Math.ceil(i / 8)}`;
    ledger.append(1_000 + i, i % 5 === 0 ? null : `c${i}`, [
      { kind: 'moved', roundId, body, postings: posted(i), ...(i % 10 === 0 ? { noteId: `n${i}` } : {}) },
      { kind: 'touched', roundId, body: i, postings: [] },
    ]);
    if (i % 20 !== 0) continue;
    ledger.saveSnapshot(`{"i":${i}}`, sha256(`{"i":${i}}`));
    ledger.acknowledge(i, ledger.hashAt(i)!, 3_000 + i);
    if (i < 60) ledger.checkpoint('shift', null, 2_000 + i);
  }
  ledger.close();
  return { path, ...key };
}

function earlierVersion(version: 1 | 2 | 3): string {
  const path = join(root, `version-${version}.db`);
  makeEarlierLedger(path, version, loadOrCreateKey(root), 30);
  return path;
}

interface Verdict {
  readonly ok: boolean;
  readonly firstBadSeq: number | null;
  readonly part: string | null;
}

function ofPython(paths: readonly string[]): Verdict[] {
  const { stdout, stderr, status } = spawnSync(
    'python3',
    [join(import.meta.dirname, 'verify.py'), ...paths],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  assert.ok(status === 0 || status === 1, stderr);
  const verdicts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Verdict);
  assert.equal(verdicts.length, paths.length, stderr);
  assert.equal(status, verdicts.every(({ ok }) => ok) ? 0 : 1);
  return verdicts;
}

function ofOurs(path: string): Verdict & { readonly isInOrder: boolean } {
  const { ok, firstBadSeq, problems } = verifyLedger(path);
  const first = problems.find(({ seq }) => seq === firstBadSeq) ?? problems[0];
  const isInOrder = !problems.some(({ part, what }) => part === 'file' && /order/.test(what));
  return { ok, firstBadSeq, part: first?.part ?? null, isInOrder };
}

const brief = ({ ok, firstBadSeq, part }: Verdict): string => `${ok} ${firstBadSeq} ${part}`;

describe('a second verifier written from docs/ledger-format.md', { skip: absent('python3') }, () => {
  const hand = handMade();
  const played = join(root, 'ledger.db');
  makePlayedLedger(root, 700);
  const earlier = ([1, 2, 3] as const).map(earlierVersion);

  it('has at most 230 lines, and the schemas that the document names', () => {
    const source = readFileSync(join(import.meta.dirname, 'verify.py'), 'utf8');
    assert.ok(source.trimEnd().split('\n').length <= 230);
    const document = readFileSync(join(import.meta.dirname, '../../docs/ledger-format.md'), 'utf8');
    for (const [, hash] of source.matchAll(/\d: "([0-9a-f]{64})"/g)) assert.ok(document.includes(hash!));
  });

  it('finds that good ledgers hold: played, made by hand, of earlier versions, empty', () => {
    const empty = join(root, 'empty.db');
    openLedger(empty, { terminalId: 'table-1', key: loadOrCreateKey(root), createIfMissing: true }).close();
    const good = [played, hand.path, ...earlier, empty];
    assert.deepEqual(
      good.map(ofOurs).map(brief),
      good.map(() => 'true null null'),
    );
    assert.deepEqual(
      ofPython(good).map(brief),
      good.map(() => 'true null null'),
    );
  });

  it('names the same first bad entry and part in ledgers that were changed', () => {
    const changes: readonly string[] = [
      "UPDATE entries SET bytes = replace(bytes, '莊', '閒') WHERE seq = 39",
      'UPDATE entries SET at_ms = at_ms + 1 WHERE seq = 41',
      "UPDATE entries SET round_id = 'r9' WHERE seq = 41",
      `UPDATE entries SET hash = x'${'11'.repeat(32)}' WHERE seq = 41`,
      'UPDATE entries SET bytes = replace(bytes, \'"amountMinor":\', \'"amountMinor":1\') WHERE seq = 41',
      'DELETE FROM entries WHERE seq = 41',
      'DELETE FROM entries WHERE seq > 100',
      "DELETE FROM commands WHERE id = 'c7'",
      "INSERT INTO commands VALUES ('zzz', 1, 1)",
      "UPDATE commands SET last_seq = 15 WHERE id = 'c7'",
      "DELETE FROM note_credits WHERE note_id = 'n20'",
      "UPDATE note_credits SET seq = 2 WHERE note_id = 'n20'",
      "INSERT INTO note_credits VALUES ('note-x', 2)",
      "UPDATE checkpoints SET reason = 'x' WHERE no = 2",
      'DELETE FROM checkpoints WHERE no = 2',
      "UPDATE snapshots SET state = '{}' WHERE seq = 80",
      `UPDATE acks SET hash = x'${'11'.repeat(32)}' WHERE seq = 40`,
      `UPDATE keys SET public_key = x'${'11'.repeat(32)}'`,
      "UPDATE identity SET terminal = 'table-2'",
      "UPDATE closings SET balances = replace(balances, '-', '') WHERE seq = 80",
      'DELETE FROM closings WHERE seq = 80',
      'DELETE FROM round_runs WHERE first_seq = 7',
      "INSERT INTO round_runs VALUES (4, 'r9')",
      'DROP TRIGGER entries_no_delete',
      'CREATE TABLE more (a)',
      "CREATE VIEW postings AS SELECT 1 AS seq, 1 AS line, 'a' AS account, 'MOP' AS currency, 5 AS amount_minor",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'entries_no_delete'",
    ];
    const ofRows = [
      'UPDATE postings SET amount_minor = 1 WHERE seq = 21 AND line = 1',
      'DELETE FROM postings WHERE seq = 21 AND line = 2',
      "INSERT INTO postings VALUES (22, 3, 'a', 'MOP', 5)",
      "INSERT INTO postings VALUES (31, 1, 'a', 'MOP', 5)",
    ];
    const cases = [
      ...changes.map((sql) => ({ from: hand.path, sql })),
      ...earlier.slice(0, 2).flatMap((from) => ofRows.map((sql) => ({ from, sql }))),
    ];
    const paths = cases.map(({ from, sql }, i) => {
      const path = join(root, `changed-${i}.db`);
      copyFileSync(from, path);
      const db = new Database(path);
      db.pragma('foreign_keys = OFF');
      db.unsafeMode();
      const triggers = db
        .prepare<[], { name: string; sql: string }>(
          "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
        )
        .all();
      const isOfSchema = /^(DROP|PRAGMA)/.test(sql);
      if (!isOfSchema) for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
      db.exec(sql);
      if (!isOfSchema) for (const trigger of triggers) db.exec(trigger.sql);
      db.close();
      return path;
    });
    const ours = paths.map(ofOurs);
    for (const [i, verdict] of ofPython(paths).entries()) {
      const { sql } = cases[i]!;
      assert.equal(`${sql}: ${brief(verdict)}`, `${sql}: ${brief(ours[i]!)}`);
      assert.equal(verdict.ok, false, sql);
    }
  });

  it('the type byte of a key column is found with any value but those that take up no room, which read as 0 does', () => {
    const good = readFileSync(hand.path);
    const pages = pagesOf(hand.path);
    const pageNo = pages.findIndex(({ table, type }) => table === 'entries' && type === 'leaf');
    const { size, placeOf } = pages[pageNo]!;
    const within = Array.from({ length: size }, (_, at) => at).find(
      (at) => placeOf(at) === 'type of column 0',
    )!;
    const at = pageNo * size + within;
    assert.equal(good[at], 0);
    const entriesOf = (path: string): string => {
      const db = new Database(path, { readonly: true });
      const rows = JSON.stringify(db.prepare('SELECT rowid, * FROM entries').all());
      db.close();
      return rows;
    };
    const paths = Array.from({ length: 256 }, (_, value) => {
      const bytes = Buffer.from(good);
      bytes[at] = value;
      const path = join(root, `type-${value}.db`);
      writeFileSync(path, bytes);
      return path;
    });
    const passed = paths.flatMap((path, value) => (ofOurs(path).ok ? [value] : []));
    assert.deepEqual(passed, [0, 8, 9, 10, 11, 12, 13]);
    for (const value of passed) assert.equal(entriesOf(paths[value]!), entriesOf(hand.path));
    const theirs = ofPython(paths.slice(0, 16));
    assert.deepEqual(
      theirs.flatMap(({ ok }, value) => (ok ? [value] : [])),
      passed,
    );
  });

  it('agrees about flipped bits', (t) => {
    const isNumber = (seq: number | null): boolean => seq !== null && seq > 0 && seq < 1_000;
    const FLIPS = 150;
    const seed = Number(process.env['BANCA_SEED'] ?? 14_785);
    t.diagnostic(`seed ${seed} (set BANCA_SEED to repeat)`);
    const good = readFileSync(hand.path);
    const flips = Array.from({ length: FLIPS }, (_, i) => {
      const draw = sha256(`${seed}/${i}`);
      const at = draw.readUInt32BE(0) % good.length;
      const bytes = Buffer.from(good);
      bytes[at] = bytes[at]! ^ (1 << (draw[4]! % 8));
      const path = join(root, `flip-${i}.db`);
      writeFileSync(path, bytes);
      return { at, path };
    });
    const theirs = ofPython(flips.map(({ path }) => path));
    let found = 0;
    let same = 0;
    for (const [i, { at, path }] of flips.entries()) {
      const [ours, other] = [ofOurs(path), theirs[i]!];
      const context = `seed ${seed}, flip ${i} at byte ${at}: ${brief(ours)}, Python ${brief(other)}`;
      assert.equal(other.ok, ours.ok, context);
      if (ours.ok) continue;
      found += 1;
      if (brief(ours) === brief(other)) same += 1;
      // Where a page cannot be read any more, two versions of SQLite need not come equally far;
      // where keys stand out of order, looking one up misses what reading them all finds; and a row
      // whose number was hit goes by it or by its gap.
      else if (ours.isInOrder && isNumber(ours.firstBadSeq) && isNumber(other.firstBadSeq))
        assert.equal(other.firstBadSeq, ours.firstBadSeq, context);
    }
    t.diagnostic(`${FLIPS} flips, ${found} found by both, ${same} with the same entry and part`);
    assert.ok(found > 0);
  });

  it('checks a signature with OpenSSL', { skip: absent('openssl') }, () => {
    const db = new Database(hand.path, { readonly: true });
    const row = db
      .prepare<[], Checkpoint>(
        `SELECT no, seq, entry_hash AS entryHash, state_hash AS stateHash, reason, at_ms AS atMs, key_id AS keyId,
         signature FROM checkpoints WHERE reason = 'shift'`,
      )
      .get()!;
    db.close();
    const text =
      `banca-checkpoint-v1\n{"atMs":2020,"entryHash":"${toHex(row.entryHash)}","keyId":"${hand.keyId}","no":3,` +
      '"reason":"shift","seq":40,"stateHash":null,"terminal":"table-1"}';
    assert.equal(Buffer.from(checkpointBytes('table-1', row)).toString(), text);
    const file = (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(root, name), content);
      return join(root, name);
    };
    const publicKey = file('table-1.pub', hand.publicPem);
    const signature = file('signature', row.signature);
    const check = (bytes: string): number | null =>
      spawnSync(
        'openssl',
        `pkeyutl -verify -pubin -rawin -inkey ${publicKey} -in ${file('bytes', bytes)} -sigfile ${signature}`.split(
          ' ',
        ),
      ).status;
    assert.equal(check(text), 0);
    assert.equal(check(text.replace('shift', 'night')), 1);
  });
});
