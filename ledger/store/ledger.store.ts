/** The ledger of one terminal: an append-only, hash-chained, double-entry SQLite file. */
import { hash as digest } from 'node:crypto';
import { checkpointBytes } from '../chain/checkpoint.codec.ts';
import {
  chainHash,
  type Entry,
  encodeEntry,
  equalBytes,
  GENESIS_HASH,
  type Posting,
  toHex,
  unbalanced,
} from '../chain/entry.codec.ts';
import type { LedgerKey } from '../chain/key.ts';
import { SNAPSHOTS_KEPT } from '../schema/migrations.ts';
import { DuplicateCommand, DuplicateNote, LedgerUnusable, UnbalancedEntry } from './errors.ts';
import { openFile } from './open.store.ts';
import { type LedgerReader, readerOf } from './reader.store.ts';
import { type Sqlite, sqliteCode } from './sqlite.store.ts';

export type { Entry, Posting } from '../chain/entry.codec.ts';
export type { LedgerKey } from '../chain/key.ts';
export * from './errors.ts';
export { loadOrCreateKey } from './key.store.ts';
export { openLedgerReader } from './open.store.ts';
export type { Acknowledged, LedgerReader, Snapshot } from './reader.store.ts';

export interface NewEntry {
  readonly kind: string;
  readonly roundId: string | null;
  /** Plain JSON data. */
  readonly body: unknown;
  readonly postings: readonly Posting[];
  /** This entry credits that banknote; the same id is never credited twice. */
  readonly noteId?: string;
}

export interface Ledger extends LedgerReader {
  /** Newest entry; seq 0 and 32 zero bytes while the ledger is empty. */
  head(): { readonly seq: number; readonly hash: Uint8Array };
  /**
   * Stores the entries of one decision in ONE transaction that is on the disk when this returns, all of them or
   * none. `atMs` is ms since 1970 UTC. Throws DuplicateCommand, DuplicateNote, UnbalancedEntry (nothing stored, the
   * ledger goes on) or LedgerUnusable after an error of the disk (open it again to learn what was stored).
   */
  append(atMs: number, commandId: string | null, entries: readonly NewEntry[]): Entry[];
  /** Sum of all postings per account, signed minor units, key `${currency}/${account}`; the live map. */
  balances(): ReadonlyMap<string, number>;
  /**
   * Keeps the state at the head with a checkpoint that signs it. `stateHash` is SHA-256 of the UTF-8 of `state`.
   * Does nothing when there is a snapshot at the head already.
   */
  saveSnapshot(state: string, stateHash: Uint8Array): void;
  /** Signs the head, and the state there when its hash is given. `reason` is a short English word. */
  checkpoint(reason: string, stateHash: Uint8Array | null, atMs: number): void;
  /**
   * Notes that the centre has everything up to `seq`; an older one than the newest is ignored. Throws
   * LedgerUnusable when `hash` is not the hash of our own entry there: that is no acknowledgement of this ledger.
   */
  acknowledge(seq: number, hash: Uint8Array, atMs: number): void;
  close(): void;
}

export interface LedgerOptions {
  readonly terminalId: string;
  readonly key: LedgerKey;
  /** Make a new ledger where there is none. A ledger that has been there before is never made anew. */
  readonly createIfMissing: boolean;
  /** For tests that end the process at a commit's boundary. */
  readonly hooks?: { beforeCommit?(): void; afterCommit?(): void };
}

/**
 * Opens the terminal's ledger, checks the file, the newest entries, the newest checkpoint and snapshot, and folds
 * the balances. Throws LedgerDamaged (and leaves the file alone) or LedgerUnusable.
 */
export function openLedger(path: string, o: LedgerOptions): Ledger {
  const { db, lock } = openFile(path, o);
  try {
    return ledgerOver(db, lock, o);
  } catch (error) {
    db.close();
    lock.close();
    throw error;
  }
}

/**
 * Entries for which one snapshot stays for ever: the state before any old round is that many entries away at most. A
 * snapshot has some 10 kB, so a million entries leave 2 MB.
 */
const LANDMARK_EVERY = 5_000;

function ledgerOver(db: Sqlite, lock: Sqlite, { terminalId, key, hooks }: LedgerOptions): Ledger {
  const reader = readerOf(db, terminalId);
  const sql = {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    entry: db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)'),
    posting: db.prepare('INSERT INTO postings VALUES (?, ?, ?, ?, ?)'),
    command: db.prepare('INSERT INTO commands VALUES (?, ?, ?)'),
    note: db.prepare('INSERT INTO note_credits VALUES (?, ?)'),
    noteSeq: db.prepare<[string], number>('SELECT seq FROM note_credits WHERE note_id = ?').pluck(),
    checkpoint: db.prepare('INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    lastCheckpoint: db.prepare<[], number | null>('SELECT max(no) FROM checkpoints').pluck(),
    snapshot: db.prepare('INSERT INTO snapshots VALUES (?, ?, ?, ?)'),
    prune: db.prepare(
      `DELETE FROM snapshots WHERE seq < (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 1 OFFSET ?) AND EXISTS (
         SELECT 1 FROM snapshots older
         WHERE older.seq < snapshots.seq AND older.seq >= snapshots.seq / ${LANDMARK_EVERY} * ${LANDMARK_EVERY})`,
    ),
    ack: db.prepare('INSERT INTO acks VALUES (?, ?, ?)'),
  };

  let head = { seq: 0, hash: GENESIS_HASH };
  const last = db
    .prepare<[], { seq: number; hash: Uint8Array }>('SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1')
    .get();
  if (last !== undefined) head = last;
  const balances = new Map<string, number>();
  for (const { key: account, sum } of db.prepare<[], { key: string; sum: number }>(SUMS).iterate()) {
    balances.set(account, sum);
  }

  let broken: unknown = null;
  /** All of `work` in one transaction, durable on return. */
  const transaction = (work: () => void): void => {
    if (broken !== null) {
      throw new LedgerUnusable(`ledger stopped after an error of the disk: ${(broken as Error).message}`);
    }
    sql.begin.run();
    try {
      work();
      hooks?.beforeCommit?.();
      sql.commit.run();
    } catch (error) {
      // After a failed write or sync nobody knows what is on the disk, and a second try may report success for
      // pages the kernel has dropped: only opening the file again tells.
      if (!refused(error)) broken = error;
      if (db.inTransaction) sql.rollback.run();
      throw error;
    }
    hooks?.afterCommit?.();
  };

  const sign = (reason: string, stateHash: Uint8Array | null, atMs: number): number => {
    const no = (sql.lastCheckpoint.get() ?? 0) + 1;
    const { seq, hash: entryHash } = head;
    const bytes = checkpointBytes(terminalId, {
      no,
      seq,
      entryHash,
      stateHash,
      reason,
      atMs,
      keyId: key.keyId,
    });
    sql.checkpoint.run(no, seq, entryHash, stateHash, reason, atMs, key.keyId, key.sign(bytes));
    return no;
  };

  return {
    ...reader,
    head: () => head,
    balances: () => balances,

    append(atMs, commandId, entries) {
      if (entries.length === 0) throw new RangeError('append needs at least one entry');
      if (!Number.isSafeInteger(atMs)) throw new RangeError(`atMs is not an integer: ${atMs}`);
      const sums = new Map<string, number>();
      const made: { entry: Entry; bytes: string }[] = [];
      let { seq, hash } = head;
      for (const e of entries) {
        addPostings(e, sums, balances);
        seq += 1;
        const fields = {
          seq,
          atMs,
          kind: e.kind,
          roundId: e.roundId,
          commandId,
          noteId: e.noteId ?? null,
          body: e.body,
          postings: e.postings,
        };
        const bytes = encodeEntry(terminalId, fields);
        hash = chainHash(hash, bytes);
        made.push({ entry: { ...fields, hash }, bytes });
      }
      transaction(() => {
        for (const { entry, bytes } of made) {
          sql.entry.run(entry.seq, atMs, entry.kind, entry.roundId, commandId, bytes, entry.hash);
          let line = 0;
          for (const p of entry.postings) {
            line += 1;
            sql.posting.run(entry.seq, line, p.account, p.currency, p.amountMinor);
          }
          if (entry.noteId !== null) {
            orElse(
              () => sql.note.run(entry.noteId, entry.seq),
              () => new DuplicateNote(entry.noteId!, sql.noteSeq.get(entry.noteId!) ?? 0),
            );
          }
        }
        if (commandId !== null) {
          orElse(
            () => sql.command.run(commandId, head.seq + 1, seq),
            () => {
              const before = reader.findCommand(commandId)!;
              return new DuplicateCommand(commandId, before.firstSeq, before.lastSeq);
            },
          );
        }
      });
      head = { seq, hash };
      for (const [account, sum] of sums) balances.set(account, sum);
      return made.map((m) => m.entry);
    },

    saveSnapshot(state, stateHash) {
      if (!equalBytes(digest('sha256', state, 'buffer'), stateHash)) {
        throw new RangeError(`stateHash ${toHex(stateHash)} is not SHA-256 of the state`);
      }
      if (reader.latestSnapshot()?.seq === head.seq) return;
      const atMs = reader.read(head.seq, 1)[0]?.atMs ?? 0;
      transaction(() => {
        sql.snapshot.run(head.seq, state, stateHash, sign('snapshot', stateHash, atMs));
        sql.prune.run(SNAPSHOTS_KEPT - 1);
      });
    },

    checkpoint(reason, stateHash, atMs) {
      transaction(() => sign(reason, stateHash, atMs));
    },

    acknowledge(seq, hash, atMs) {
      const own = reader.hashAt(seq);
      if (own === null || !equalBytes(own, hash)) {
        throw new LedgerUnusable(
          `entry ${seq} here has hash ${own === null ? 'none' : toHex(own)}, ${toHex(hash)} was acknowledged`,
        );
      }
      if (seq <= (reader.acknowledged()?.seq ?? 0)) return;
      transaction(() => sql.ack.run(seq, hash, atMs));
    },

    close() {
      db.close();
      lock.close();
    },
  };
}

const SUMS =
  "SELECT currency || '/' || account AS key, sum(amount_minor) AS sum FROM postings GROUP BY currency, account";

/** Adds an entry's postings to the new sums of the accounts it touches. Throws UnbalancedEntry or RangeError. */
function addPostings(e: NewEntry, sums: Map<string, number>, balances: ReadonlyMap<string, number>): void {
  for (const { account, currency, amountMinor } of e.postings) {
    const key = `${currency}/${account}`;
    const sum = (sums.get(key) ?? balances.get(key) ?? 0) + amountMinor;
    if (!Number.isSafeInteger(amountMinor) || !Number.isSafeInteger(sum)) {
      throw new RangeError(
        `posting of ${amountMinor} to ${key} in a ${e.kind} entry leaves the safe integers`,
      );
    }
    sums.set(key, sum);
  }
  const off = unbalanced(e.postings);
  if (off !== null) throw new UnbalancedEntry(e.kind, off.currency, off.sumMinor);
}

const isConstraint = (error: unknown): boolean => sqliteCode(error).startsWith('SQLITE_CONSTRAINT');

/** The ledger said no, and is as good as before. */
const refused = (error: unknown): boolean =>
  isConstraint(error) || error instanceof DuplicateCommand || error instanceof DuplicateNote;

function orElse(insert: () => void, duplicate: () => Error): void {
  try {
    insert();
  } catch (error) {
    throw isConstraint(error) ? duplicate() : error;
  }
}
