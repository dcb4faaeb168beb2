import type { Checkpoint } from '../chain/checkpoint.codec.ts';
import { userVersion } from '../chain/checks.store.ts';
import { closedUpTo } from '../chain/closings.store.ts';
import type { Entry, Posting } from '../chain/entry.codec.ts';
import type { Sqlite } from './sqlite.store.ts';

export interface Snapshot {
  readonly seq: number;
  readonly state: string;
  readonly stateHash: Uint8Array;
}

export interface Acknowledged {
  readonly seq: number;
  readonly hash: Uint8Array;
  /** When the terminal received the acknowledgement, ms since 1970 UTC. */
  readonly atMs: number;
}

/** An entry as the wire to the centre carries it. */
export interface StoredBytes {
  readonly seq: number;
  /** UTF-8. */
  readonly bytes: Buffer;
  readonly hash: Uint8Array;
}

export interface LedgerReader {
  readonly terminalId: string;
  readonly sqliteVersion: string;
  /** At most `limit` entries from `fromSeq` on, ascending. */
  read(fromSeq: number, limit: number): Entry[];
  readBytes(fromSeq: number, limit: number): StoredBytes[];
  /** The bytes of the same, each with a line end behind it, which they do not hold. */
  readLines(fromSeq: number, limit: number): Buffer;
  /**
   * Newest first, older than `beforeSeq` when given, not older than `downToSeq` when given, of one
   * kind when given. A kind is looked for entry by entry (0.2 s for each million): an index on it
   * would cost every commit of a round a fifth of its time, and only people ask for a kind.
   */
  newest(o: {
    beforeSeq: number | null;
    limit: number;
    kind: string | null;
    /** Of one of these kinds, where `kind` is null. */
    kinds?: readonly string[] | null;
    downToSeq?: number;
  }): Entry[];
  /** All entries of a round, ascending; empty for an unknown round. */
  readRound(roundId: string): Entry[];
  /** First and last entry of a round, null for an unknown round. */
  roundSpan(roundId: string): { readonly firstSeq: number; readonly lastSeq: number } | null;
  /** Hash of an entry, the genesis hash for 0, null for an entry that is not there. */
  hashAt(seq: number): Uint8Array | null;
  findCommand(id: string): { firstSeq: number; lastSeq: number } | null;
  /**
   * Id of the newest command whose id begins with `prefix`, null for none. Where none of the newest
   * entries has it, every command with the prefix is read.
   */
  lastCommandId(prefix: string): string | null;
  /** Newest state kept, at or before `atSeq` when given. */
  latestSnapshot(atSeq?: number): Snapshot | null;
  /** What the centre has acknowledged, or had at `atMs`. */
  acknowledged(atMs?: number): Acknowledged | null;
  /** First signed position at or after an entry, null where there is none yet. */
  checkpointFrom(seq: number): Checkpoint | null;
  /** All signed positions, ascending; `verifyLedger` checks their signatures, this does not. */
  checkpoints(): Checkpoint[];
  /** Public keys (32 raw bytes of Ed25519) whose signatures occur. */
  keys(): { keyId: string; publicKey: Uint8Array }[];
}

interface Row {
  readonly seq: number;
  readonly bytes: string;
  readonly hash: Uint8Array;
}

interface Stored extends Omit<Entry, 'hash'> {
  readonly postings: readonly Posting[];
}

/**
 * Entries among which the newest command of a prefix is looked for first: a shoe that deals has
 * spoken just now.
 */
const RECENT = 5_000;

/** All entries of a round, by the index that the first version of the format had. */
const ROUND_V1 = 'SELECT seq, bytes, hash FROM entries WHERE round_id = ? ORDER BY seq';
/** The same, run by run: a run ends before the first entry of another round or of none. */
const ROUND = `SELECT e.seq, e.bytes, e.hash FROM round_runs r
  JOIN entries e ON e.seq >= r.first_seq AND e.seq < coalesce(
    (SELECT n.seq FROM entries n WHERE n.seq > r.first_seq AND n.round_id IS NOT r.round_id ORDER BY n.seq LIMIT 1),
    9007199254740991)
  WHERE r.round_id = ? ORDER BY e.seq`;

/**
 * Reading statements over an open ledger file; the same for the live ledger and for a file opened
 * to read.
 */
export function readerOf(db: Sqlite, terminalId: string): LedgerReader {
  const columns = 'SELECT seq, bytes, hash FROM entries';
  const range = db.prepare<[number, number], Row>(`${columns} WHERE seq >= ? ORDER BY seq LIMIT ?`);
  // The text as the file has it, which on the wire is never a string of this program.
  const rawRange = db.prepare<[number, number], StoredBytes>(
    'SELECT seq, CAST(bytes AS BLOB) AS bytes, hash FROM entries WHERE seq >= ? ORDER BY seq LIMIT ?',
  );
  // A row that crosses into this program costs more than sending it.
  const lines = db
    .prepare<[number, number], Buffer | null>(
      `SELECT CAST(group_concat(bytes || char(10), '') AS BLOB)
       FROM (SELECT bytes FROM entries WHERE seq >= ? ORDER BY seq LIMIT ?)`,
    )
    .pluck();
  const newest = db.prepare<[number, number, number], Row>(
    `${columns} WHERE seq < ? AND seq >= ? ORDER BY seq DESC LIMIT ?`,
  );
  const newestOfKind = db.prepare<[string, number, number, number], Row>(
    `${columns} WHERE kind = ? AND seq < ? AND seq >= ? ORDER BY seq DESC LIMIT ?`,
  );
  const newestOfKinds = db.prepare<[string, number, number, number], Row>(
    `${columns} WHERE kind IN (SELECT value FROM json_each(?)) AND seq < ? AND seq >= ? ORDER BY seq DESC LIMIT ?`,
  );
  const closes = userVersion(db) >= 2;
  const roundSql = closes ? ROUND : ROUND_V1;
  const round = db.prepare<[string], Row>(roundSql);
  const span = db.prepare<[string], { firstSeq: number | null; lastSeq: number }>(
    `SELECT min(seq) AS firstSeq, max(seq) AS lastSeq FROM (${roundSql})`,
  );
  const hashAt = db.prepare<[number], Uint8Array>('SELECT hash FROM entries WHERE seq = ?').pluck();
  const command = db.prepare<[string], { firstSeq: number; lastSeq: number }>(
    'SELECT first_seq AS firstSeq, last_seq AS lastSeq FROM commands WHERE id = ?',
  );
  const open = db.prepare<[number, string], { firstSeq: number | null; lastSeq: number }>(
    'SELECT min(seq) AS firstSeq, max(seq) AS lastSeq FROM entries WHERE seq > ? AND command_id = ?',
  );
  const recentIn = db
    .prepare<[number, string, string], string>(
      `SELECT command_id FROM entries WHERE seq > (SELECT coalesce(max(seq), 0) FROM entries) - ?
       AND command_id >= ? AND command_id < ? ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  const commandIn = db
    .prepare<[string, string], string>(
      'SELECT id FROM commands WHERE id >= ? AND id < ? ORDER BY last_seq DESC LIMIT 1',
    )
    .pluck();
  const snapshot = db.prepare<[number], Snapshot>(
    'SELECT seq, state, state_hash AS stateHash FROM snapshots WHERE seq <= ? ORDER BY seq DESC LIMIT 1',
  );
  const ack = db.prepare<[number], Acknowledged>(
    'SELECT seq, hash, at_ms AS atMs FROM acks WHERE at_ms <= ? ORDER BY seq DESC LIMIT 1',
  );
  const CHECKPOINTS = `SELECT no, seq, entry_hash AS entryHash, state_hash AS stateHash, reason, at_ms AS atMs,
    key_id AS keyId, signature FROM checkpoints`;
  const checkpoints = db.prepare<[], Checkpoint>(`${CHECKPOINTS} ORDER BY no`);
  const checkpointFrom = db.prepare<[number], Checkpoint>(
    `${CHECKPOINTS} WHERE seq >= ? ORDER BY no LIMIT 1`,
  );
  const keys = db.prepare<[], { keyId: string; publicKey: Uint8Array }>(
    'SELECT key_id AS keyId, public_key AS publicKey FROM keys ORDER BY key_id',
  );

  const toEntry = (row: Row): Entry => {
    const { seq, atMs, kind, roundId, commandId, noteId, body, postings } = JSON.parse(row.bytes) as Stored;
    return { seq, atMs, kind, roundId, commandId, noteId, body, postings, hash: row.hash };
  };

  return {
    terminalId,
    sqliteVersion: db.prepare<[], string>('SELECT sqlite_version()').pluck().get()!,
    read: (fromSeq, limit) => range.all(fromSeq, limit).map(toEntry),
    readBytes: (fromSeq, limit) => rawRange.all(fromSeq, limit),
    readLines: (fromSeq, limit) => lines.get(fromSeq, limit) ?? Buffer.alloc(0),
    newest: ({ beforeSeq, limit, kind, kinds = null, downToSeq = 1 }) => {
      const before = beforeSeq ?? Number.MAX_SAFE_INTEGER;
      if (kind !== null) return newestOfKind.all(kind, before, downToSeq, limit).map(toEntry);
      if (kinds !== null)
        return newestOfKinds.all(JSON.stringify(kinds), before, downToSeq, limit).map(toEntry);
      return newest.all(before, downToSeq, limit).map(toEntry);
    },
    readRound: (roundId) => round.all(roundId).map(toEntry),
    roundSpan: (roundId) => {
      const { firstSeq, lastSeq } = span.get(roundId)!;
      return firstSeq === null ? null : { firstSeq, lastSeq };
    },
    hashAt: (seq) => (seq === 0 ? new Uint8Array(32) : (hashAt.get(seq) ?? null)),
    findCommand(id) {
      const entered = command.get(id);
      if (entered !== undefined || !closes) return entered ?? null;
      const { firstSeq, lastSeq } = open.get(closedUpTo(db), id)!;
      return firstSeq === null ? null : { firstSeq, lastSeq };
    },
    lastCommandId(prefix) {
      // U+10FFFF is the greatest character in UTF-8 order, so this is every id that begins with the
      // prefix.
      const end = `${prefix}\u{10FFFF}`;
      return recentIn.get(RECENT, prefix, end) ?? commandIn.get(prefix, end) ?? null;
    },
    latestSnapshot: (atSeq) => snapshot.get(atSeq ?? Number.MAX_SAFE_INTEGER) ?? null,
    acknowledged: (atMs) => ack.get(atMs ?? Number.MAX_SAFE_INTEGER) ?? null,
    checkpointFrom: (seq) => checkpointFrom.get(seq) ?? null,
    checkpoints: () => checkpoints.all(),
    keys: () => keys.all(),
  };
}
