/**
 * What must hold in a ledger file, each check once: opening runs them over the newest part, the
 * verifier over all. They only read. A check reports and goes on, so that the report is whole.
 */
import { hash as digest } from 'node:crypto';
import { APPLICATION_ID, MIGRATIONS, SCHEMA_SHA256 } from '../schema/migrations.ts';
import { openMemory, type Sqlite } from '../store/sqlite.store.ts';
import { type Checkpoint, checkpointBytes } from './checkpoint.codec.ts';
import { equalBytes, GENESIS_HASH } from './entry.codec.ts';
import { keyIdOf, verifySignature } from './key.ts';

export interface Problem {
  readonly part:
    | 'file'
    | 'schema'
    | 'key'
    | 'entry'
    | 'round'
    | 'checkpoint'
    | 'snapshot'
    | 'closing'
    | 'command'
    | 'note'
    | 'ack';
  /** Entry the problem is at, null when it is not about one. */
  readonly seq: number | null;
  readonly what: string;
}
export type Found = (problem: Problem) => void;

interface SchemaRow {
  readonly name: string;
  /** All there is about it, in one text. */
  readonly whole: string;
}

/** Brings an empty or older file to the newest schema, each step in one transaction. */
export function migrate(db: Sqlite): void {
  for (let version = userVersion(db); version < MIGRATIONS.length; version++) {
    db.transaction(() => {
      db.exec(MIGRATIONS[version]!);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${version + 1}`);
    })();
  }
}

export const userVersion = (db: Sqlite): number => Number(db.pragma('user_version', { simple: true }));

/**
 * In files of the first two versions postings were rows of their own; since then they are read from
 * the entries.
 */
export const hasPostingRows = (db: Sqlite): boolean => userVersion(db) < 3;

/** Pages, the order of their rows, and CHECKs. */
export function checkPages(db: Sqlite, found: Found): void {
  for (const row of db.prepare<[], string>('PRAGMA quick_check(1)').pluck().all()) {
    if (row !== 'ok') found({ part: 'file', seq: null, what: row });
  }
}

/** The same, and every index against its table. */
export function checkIndexes(db: Sqlite, found: Found): void {
  for (const row of db.prepare<[], string>('PRAGMA integrity_check(10)').pluck().all()) {
    if (row !== 'ok') found({ part: 'file', seq: null, what: row });
  }
}

export function checkReferences(db: Sqlite, found: Found): void {
  for (const row of db.prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check').all()) {
    found({
      part: 'file',
      seq: null,
      what: `a row of ${row.table} points to a missing row of ${row.parent}`,
    });
    return;
  }
}

/**
 * Marks of the file and every table, index and trigger against the frozen schema. False when it is
 * no ledger.
 */
export function checkSchema(db: Sqlite, found: Found): boolean {
  const id = db.pragma('application_id', { simple: true });
  if (id !== APPLICATION_ID) {
    found({ part: 'schema', seq: null, what: `application_id is ${String(id)}: not a ledger` });
    return false;
  }
  const version = userVersion(db);
  if (version < 1 || version > MIGRATIONS.length) {
    found({
      part: 'schema',
      seq: null,
      what: `user_version is ${version}, known are 1 to ${MIGRATIONS.length}`,
    });
    return false;
  }
  // A trigger has no page of its own; the pages of tables and indexes are SQLite's check.
  const rooted = db.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND rootpage IS NOT 0",
  );
  for (const name of rooted.pluck().all()) found({ part: 'schema', seq: null, what: `${name} names a page` });
  if (schemaHash(db) === SCHEMA_SHA256[version - 1]) return true;
  const memory = openMemory();
  try {
    for (const step of MIGRATIONS.slice(0, version)) memory.exec(step);
    // The storage classes as well: one flipped bit makes a text a blob of the same letters, which
    // SQLite reads otherwise.
    const list = `SELECT name, concat_ws('|', type, tbl_name, coalesce(sql, ''),
      typeof(type), typeof(name), typeof(tbl_name), typeof(sql)) AS whole FROM sqlite_schema ORDER BY name`;
    const wanted = new Map(
      memory
        .prepare<[], SchemaRow>(list)
        .all()
        .map((r) => [r.name, r.whole]),
    );
    const before = wanted.size;
    for (const { name, whole } of db.prepare<[], SchemaRow>(list).all()) {
      if (!wanted.has(name)) found({ part: 'schema', seq: null, what: `${name} does not belong here` });
      else if (wanted.get(name) !== whole) found({ part: 'schema', seq: null, what: `${name} was changed` });
      wanted.delete(name);
    }
    for (const name of wanted.keys()) found({ part: 'schema', seq: null, what: `${name} is missing` });
    return wanted.size < before;
  } finally {
    memory.close();
  }
}

/** SHA-256 of all rows of the schema, in hex; empty where one holds another thing than a text. */
export function schemaHash(db: Sqlite): string {
  const rows = db
    .prepare<[], unknown[]>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name')
    .raw()
    .all();
  if (!rows.flat().every((value) => value === null || typeof value === 'string')) return '';
  return digest('sha256', rows.map((row) => `${row.map((value) => value ?? '').join('|')}\n`).join(''));
}

/**
 * One row names the terminal, under the key 1. SQLite's own check passes over a CHECK on the key of
 * a row: a flipped bit of it would else stay unseen.
 */
export function checkIdentity(db: Sqlite, found: Found): void {
  const keys = db.prepare<[], number>('SELECT only FROM identity').pluck().all();
  if (keys.length !== 1 || keys[0] !== 1) {
    found({
      part: 'file',
      seq: null,
      what: `it names its terminal under the keys ${keys.join(', ') || 'of no row'}, not under 1 alone`,
    });
  }
}

/** The terminal's name in the file, null when there is none. */
export function terminalOf(db: Sqlite): string | null {
  return db.prepare<[], string>('SELECT terminal FROM identity').pluck().get() ?? null;
}

/** Public keys of the file by id, only those whose id is the id of the key. */
export function checkKeys(db: Sqlite, found: Found): Map<string, Uint8Array> {
  const keys = new Map<string, Uint8Array>();
  const rows = db.prepare<[], { id: string; key: Uint8Array }>(
    'SELECT key_id AS id, public_key AS key FROM keys',
  );
  for (const { id, key } of rows.all()) {
    if (keyIdOf(key) === id) keys.set(id, key);
    else found({ part: 'key', seq: null, what: `key ${id} is not the id of its public key` });
  }
  if (keys.size === 0) found({ part: 'key', seq: null, what: 'the ledger names no key' });
  return keys;
}

/** Stored hash of an entry, the genesis hash for 0, null when it is not there. */
export function hashAt(db: Sqlite, seq: number): Uint8Array | null {
  if (seq === 0) return GENESIS_HASH;
  return db.prepare<[number], Uint8Array>('SELECT hash FROM entries WHERE seq = ?').pluck().get(seq) ?? null;
}

/** Number of the newest checkpoint, 0 for none. */
export const newestCheckpoint = (db: Sqlite): number =>
  db.prepare<[], number>('SELECT coalesce(max(no), 0) FROM checkpoints').pluck().get()!;

/**
 * Numbers, positions and signatures of the checkpoints of these numbers. Returns the last one and
 * how many there are.
 */
export function checkCheckpoints(
  db: Sqlite,
  terminal: string,
  keys: ReadonlyMap<string, Uint8Array>,
  fromNo: number,
  toNo: number,
  found: Found,
): { readonly last: Pick<Checkpoint, 'no' | 'seq'> | null; readonly count: number } {
  const rows = db
    .prepare<[number, number], Checkpoint>(
      `SELECT no, seq, entry_hash AS entryHash, state_hash AS stateHash, reason, at_ms AS atMs, key_id AS keyId,
       signature FROM checkpoints WHERE no BETWEEN ? AND ? ORDER BY no`,
    )
    .all(fromNo, toNo);
  const hashes = db.prepare<[number], Uint8Array>('SELECT hash FROM entries WHERE seq = ?').pluck();
  let last =
    db
      .prepare<[number], Pick<Checkpoint, 'no' | 'seq'>>(
        'SELECT no, seq FROM checkpoints WHERE no < ? ORDER BY no DESC LIMIT 1',
      )
      .get(fromNo) ?? null;
  for (const c of rows) {
    const wrong = (what: string): void =>
      found({ part: 'checkpoint', seq: c.seq, what: `checkpoint ${c.no} ${what}` });
    if (c.no !== (last?.no ?? 0) + 1) wrong(`follows ${last?.no ?? 'nothing'}: one is missing`);
    if (last !== null && c.seq < last.seq) wrong('stands before the one it follows');
    last = c;
    const stored = c.seq === 0 ? GENESIS_HASH : hashes.get(c.seq);
    if (stored === undefined) wrong('stands on an entry that is not there');
    else if (!equalBytes(stored, c.entryHash)) wrong('has another hash than its entry');
    const key = keys.get(c.keyId);
    if (key === undefined) wrong(`is signed with the unknown key ${c.keyId}`);
    else if (!verifySignature(key, checkpointBytes(terminal, c), c.signature)) wrong('has a bad signature');
  }
  return { last, count: rows.length };
}

/** States that were kept, or the newest alone: text, hash and the checkpoint that signs it. */
export function checkSnapshots(
  db: Sqlite,
  terminal: string,
  keys: ReadonlyMap<string, Uint8Array>,
  newestOnly: boolean,
  found: Found,
): number {
  type Row = Omit<Checkpoint, 'stateHash'> & {
    readonly at: number;
    readonly state: string;
    readonly kept: Uint8Array;
    readonly stateHash: Uint8Array | null;
  };
  const rows = db
    .prepare<[], Row>(
      `SELECT s.seq AS at, s.state, s.state_hash AS kept, c.no, c.seq, c.entry_hash AS entryHash,
       c.state_hash AS stateHash, c.reason, c.at_ms AS atMs, c.key_id AS keyId, c.signature
       FROM snapshots s LEFT JOIN checkpoints c ON c.no = s.checkpoint_no
       ORDER BY s.seq DESC ${newestOnly ? 'LIMIT 1' : ''}`,
    )
    .all();
  for (const row of rows) {
    const wrong = (what: string): void => found({ part: 'snapshot', seq: row.at, what });
    if (!equalBytes(digest('sha256', row.state, 'buffer'), row.kept)) wrong('state does not have its hash');
    const key = keys.get(row.keyId);
    if (
      row.no === null ||
      row.seq !== row.at ||
      row.stateHash === null ||
      !equalBytes(row.stateHash, row.kept)
    ) {
      wrong('no checkpoint signs this state');
    } else if (key === undefined || !verifySignature(key, checkpointBytes(terminal, row), row.signature)) {
      wrong('its checkpoint has a bad signature');
    }
  }
  return rows.length;
}

/**
 * No credit of a note without its entry; `notes` is how many entries up to `headSeq` credit one.
 */
export function checkNoteCount(db: Sqlite, notes: number, headSeq: number, found: Found): void {
  const rows = db
    .prepare<[number], number>('SELECT count(*) FROM note_credits WHERE seq <= ?')
    .pluck()
    .get(headSeq)!;
  if (rows !== notes) {
    found({
      part: 'note',
      seq: null,
      what: `${rows} notes are recorded as credited, the entries credit ${notes}`,
    });
  }
}

/**
 * What the centre acknowledged is what stands here. Returns the newest acknowledged entry, 0 for
 * none.
 */
export function checkAcks(db: Sqlite, found: Found): number {
  const bad = db
    .prepare<[], number>(
      'SELECT a.seq FROM acks a LEFT JOIN entries e ON e.seq = a.seq WHERE e.hash IS NOT a.hash ORDER BY a.seq LIMIT 1',
    )
    .pluck()
    .get();
  if (bad !== undefined) {
    found({
      part: 'ack',
      seq: bad,
      what: 'the centre acknowledged another entry than the one that stands here',
    });
  }
  return db.prepare<[], number | null>('SELECT max(seq) FROM acks').pluck().get() ?? 0;
}
