/** The ledger of one terminal: an append-only, hash-chained, double-entry SQLite file. */
import { hash as digest } from 'node:crypto';
import { checkpointBytes } from '../chain/checkpoint.codec.ts';
import { CLOSING } from '../chain/closings.store.ts';
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
import { OpenBooks, type Range } from './books.store.ts';
import { DuplicateCommand, DuplicateNote, LedgerUnusable, UnbalancedEntry } from './errors.ts';
import { naming, openFile } from './open.store.ts';
import { type LedgerReader, readerOf } from './reader.store.ts';
import { insertInto, ROWS_AT_ONCE, type Sqlite, sqliteCode } from './sqlite.store.ts';

export type { Entry, Posting } from '../chain/entry.codec.ts';
export type { LedgerKey } from '../chain/key.ts';
export * from './errors.ts';
export { loadOrCreateKey } from './key.store.ts';
export { openLedgerReader } from './open.store.ts';
export type { Acknowledged, LedgerReader, Snapshot } from './reader.store.ts';
export { isDiskRefusal } from './sqlite.store.ts';

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
   * Stores the entries of one decision in ONE transaction that is on the disk when this returns,
   * all of them or none. `atMs` is ms since 1970 UTC. Throws DuplicateCommand, DuplicateNote,
   * UnbalancedEntry (nothing stored, the ledger goes on) or LedgerUnusable after an error of the
   * disk (open it again to learn what was stored).
   */
  append(atMs: number, commandId: string | null, entries: readonly NewEntry[]): Entry[];
  /**
   * What `work` appends and signs is one commit: all of it is on the disk afterwards, or nothing.
   * Whatever is thrown in between stops this ledger, which is ahead of its file by then.
   */
  together(work: () => void): void;
  /**
   * Sum of all postings per account, signed minor units, key `${currency}/${account}`; the live
   * map.
   */
  balances(): ReadonlyMap<string, number>;
  /**
   * Keeps the state at the head with a checkpoint that signs it. `stateHash` is SHA-256 of the
   * UTF-8 of `state`. Does nothing when there is a snapshot at the head already.
   */
  saveSnapshot(state: string, stateHash: Uint8Array): void;
  /**
   * Signs the head, and the state there when its hash is given. `reason` is a short English word.
   */
  checkpoint(reason: string, stateHash: Uint8Array | null, atMs: number): void;
  /**
   * Notes that the centre has everything up to `seq`; an older one than the newest is ignored.
   * Throws LedgerUnusable when `hash` is not the hash of our own entry there: that is no
   * acknowledgement of this ledger.
   */
  acknowledge(seq: number, hash: Uint8Array, atMs: number): void;
  readonly mac: LedgerKey['mac'];
  close(): void;
}

export interface LedgerOptions {
  readonly terminalId: string;
  readonly key: LedgerKey;
  /**
   * Make a new ledger where there is none. A ledger that has been there before is never rebuilt.
   */
  readonly createIfMissing: boolean;
  /** For tests that end the process at a commit's boundary. */
  readonly hooks?: { beforeCommit?(): void; afterCommit?(): void };
}

/**
 * Opens the terminal's ledger, checks the file, the newest entries, the newest checkpoint and
 * snapshot, and folds the balances. Throws LedgerDamaged (and leaves the file alone) or
 * LedgerUnusable.
 */
export function openLedger(path: string, o: LedgerOptions): Ledger {
  const { db, lock } = openFile(path, o);
  try {
    return naming(path, () => ledgerOver(db, lock, o));
  } catch (error) {
    db.close();
    lock.close();
    throw error;
  }
}

/**
 * Entries for which one snapshot stays for ever: the state before any old round is that many
 * entries away at most. A snapshot has some 10 kB, so a million entries leave 2 MB.
 */
const LANDMARK_EVERY = 5_000;

function ledgerOver(db: Sqlite, lock: Sqlite, { terminalId, key, hooks }: LedgerOptions): Ledger {
  const reader = readerOf(db, terminalId);
  const insertEntries = insertInto(db, 'entries', 7, 'NOT EXISTS (SELECT 1 FROM commands WHERE id = ?)');
  const sql = {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    roundRun: db.prepare('INSERT INTO round_runs VALUES (?, ?)'),
    command: db.prepare<[string], Range>(
      'SELECT first_seq AS firstSeq, last_seq AS lastSeq FROM commands WHERE id = ?',
    ),
    note: db.prepare('INSERT INTO note_credits VALUES (?, ?)'),
    noteSeq: db.prepare<[string], number>('SELECT seq FROM note_credits WHERE note_id = ?').pluck(),
    checkpoint: db.prepare('INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    lastCheckpoint: db.prepare<[], number | null>('SELECT max(no) FROM checkpoints').pluck(),
    newestSnapshot: db.prepare<[], number | null>('SELECT max(seq) FROM snapshots').pluck(),
    snapshot: db.prepare('INSERT INTO snapshots VALUES (?, ?, ?, ?)'),
    prune: db.prepare(
      `DELETE FROM snapshots WHERE seq < (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 1 OFFSET ?) AND EXISTS (
         SELECT 1 FROM snapshots older
         WHERE older.seq < snapshots.seq AND older.seq >= snapshots.seq / ${LANDMARK_EVERY} * ${LANDMARK_EVERY})`,
    ),
    ack: db.prepare('INSERT INTO acks VALUES (?, ?, ?)'),
  };

  let head = { seq: 0, hash: GENESIS_HASH };
  let openRoundId: string | null = null;
  const last = db
    .prepare<[], { seq: number; hash: Uint8Array; roundId: string | null }>(
      'SELECT seq, hash, round_id AS roundId FROM entries ORDER BY seq DESC LIMIT 1',
    )
    .get();
  if (last !== undefined) {
    head = { seq: last.seq, hash: last.hash };
    openRoundId = last.roundId;
  }
  const books = new OpenBooks(db);
  const { balances } = books;

  let broken: unknown = null;
  /** Inside of `together`: its transaction is everybody's. */
  let isTogether = false;
  /** `commit` brings what it does to the disk, all of it or nothing. */
  const durably = (commit: () => void): void => {
    if (broken !== null) {
      throw new LedgerUnusable(`ledger stopped after an error of the disk: ${(broken as Error).message}`);
    }
    if (isTogether) return commit();
    try {
      commit();
    } catch (error) {
      // After a failed write or sync nobody knows what is on the disk, and a second try may report
      // success for pages the kernel has dropped: only opening the file again tells.
      if (!refused(error)) broken = error;
      if (db.inTransaction) sql.rollback.run();
      throw error;
    }
    hooks?.afterCommit?.();
  };
  const transaction = (work: () => void): void =>
    durably(() => {
      if (isTogether) return work();
      sql.begin.run();
      work();
      hooks?.beforeCommit?.();
      sql.commit.run();
    });

  const sign = (reason: string, stateHash: Uint8Array | null, atMs: number): number => {
    const no = (sql.lastCheckpoint.get() ?? 0) + 1;
    const { seq, hash: entryHash } = head;
    const { keyId } = key;
    const bytes = checkpointBytes(terminalId, { no, seq, entryHash, stateHash, reason, atMs, keyId });
    sql.checkpoint.run(no, seq, entryHash, stateHash, reason, atMs, keyId, key.sign(bytes));
    return no;
  };
  /** `work` in a transaction that closes the books up to the head first when that is `due`. */
  const onClosedBooks = (due: boolean, atMs: number, work: () => void): void => {
    const { seq } = head;
    transaction(() => {
      if (due) books.close(seq, (balancesHash) => sign(CLOSING, balancesHash, atMs));
      work();
    });
    if (due) books.closed(seq);
  };
  const findCommand = (id: string): Range | null => books.commands.get(id) ?? sql.command.get(id) ?? null;

  const creditNote = (noteId: string, seq: number): void => {
    try {
      sql.note.run(noteId, seq);
    } catch (error) {
      throw isConstraint(error) ? new DuplicateNote(noteId, sql.noteSeq.get(noteId) ?? 0) : error;
    }
  };

  return {
    ...reader,
    mac: key.mac,
    findCommand,
    head: () => head,
    balances: () => balances,

    append(atMs, commandId, entries) {
      if (entries.length === 0) throw new RangeError('append needs at least one entry');
      if (!Number.isSafeInteger(atMs)) throw new RangeError(`atMs is not an integer: ${atMs}`);
      if (commandId === '') throw new RangeError('commandId is empty');
      const refuseAgain = (before: Range | undefined): void => {
        if (before !== undefined) throw new DuplicateCommand(commandId!, before.firstSeq, before.lastSeq);
      };
      if (commandId !== null) refuseAgain(books.commands.get(commandId));
      const sums = new Map<string, number>();
      const made: Entry[] = [];
      const rows: unknown[] = [];
      /** What rounds that begin and banknotes need beside. */
      const more: (() => void)[] = [];
      let { seq, hash } = head;
      let open = openRoundId;
      for (const { kind, roundId, body, postings, noteId = null } of entries) {
        addPostings(kind, postings, sums, balances);
        seq += 1;
        const entry = { seq, atMs, kind, roundId, commandId, noteId, body, postings, hash };
        const bytes = encodeEntry(terminalId, entry);
        entry.hash = hash = chainHash(hash, bytes);
        rows.push(seq, atMs, kind, roundId, commandId, bytes, hash);
        made.push(entry);
        if (roundId !== null && roundId !== open) more.push(() => sql.roundRun.run(entry.seq, roundId));
        if (noteId !== null) more.push(() => creditNote(noteId, entry.seq));
        open = roundId;
      }
      const insert = (): void => {
        const inserted = insertEntries(rows, commandId);
        if (inserted === made.length) return;
        refuseAgain(commandId === null ? undefined : sql.command.get(commandId));
        throw new LedgerUnusable(`${inserted} of ${made.length} entries were inserted`);
      };
      const isDue = books.isDue(head.seq);
      if (isDue || more.length > 0 || made.length > ROWS_AT_ONCE) {
        onClosedBooks(isDue, atMs, () => {
          insert();
          for (const insertMore of more) insertMore();
        });
      } else {
        // One statement is a transaction of its own: BEGIN and COMMIT would take 3 µs each, the
        // three calls of the other road another 3.
        durably(() => {
          if (!isTogether) hooks?.beforeCommit?.();
          insert();
        });
      }
      openRoundId = open;
      if (commandId !== null) books.commands.set(commandId, { firstSeq: head.seq + 1, lastSeq: seq });
      head = { seq, hash };
      for (const [account, sum] of sums) balances.set(account, sum);
      return made;
    },

    together(work) {
      transaction(() => {
        isTogether = true;
        try {
          work();
        } catch (error) {
          broken = error;
          throw error;
        } finally {
          isTogether = false;
        }
      });
    },

    saveSnapshot(state, stateHash) {
      if (!equalBytes(digest('sha256', state, 'buffer'), stateHash)) {
        throw new RangeError(`stateHash ${toHex(stateHash)} is not SHA-256 of the state`);
      }
      if (sql.newestSnapshot.get() === head.seq) return;
      const atMs = reader.read(head.seq, 1)[0]?.atMs ?? 0;
      transaction(() => {
        sql.snapshot.run(head.seq, state, stateHash, sign('snapshot', stateHash, atMs));
        sql.prune.run(SNAPSHOTS_KEPT - 1);
      });
    },

    checkpoint(reason, stateHash, atMs) {
      onClosedBooks(books.isOpen(head.seq), atMs, () => sign(reason, stateHash, atMs));
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

/**
 * Adds an entry's postings to the new sums of the accounts it touches. Throws UnbalancedEntry or
 * RangeError.
 */
function addPostings(
  kind: string,
  postings: readonly Posting[],
  sums: Map<string, number>,
  balances: ReadonlyMap<string, number>,
): void {
  for (const { account, currency, amountMinor } of postings) {
    const key = `${currency}/${account}`;
    const sum = (sums.get(key) ?? balances.get(key) ?? 0) + amountMinor;
    if (!Number.isSafeInteger(amountMinor) || !Number.isSafeInteger(sum)) {
      throw new RangeError(`posting of ${amountMinor} to ${key} in a ${kind} entry leaves the safe integers`);
    }
    sums.set(key, sum);
  }
  const off = unbalanced(postings);
  if (off !== null) throw new UnbalancedEntry(kind, off.currency, off.sumMinor);
}

const isConstraint = (error: unknown): boolean => sqliteCode(error).startsWith('SQLITE_CONSTRAINT');

/** The ledger said no, and is as good as before. */
const refused = (error: unknown): boolean =>
  isConstraint(error) ||
  sqliteCode(error).startsWith('SQLITE_BUSY') ||
  error instanceof DuplicateNote ||
  error instanceof DuplicateCommand;
