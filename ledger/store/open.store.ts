/** How a ledger file is made once, opened, and checked before anybody relies on it. */
import { existsSync, rmSync, statSync } from 'node:fs';
import {
  checkCheckpoints,
  checkKeys,
  checkPages,
  checkSchema,
  checkSnapshots,
  type Found,
  migrate,
  newestCheckpoint,
  terminalOf,
  userVersion,
} from '../chain/checks.store.ts';
import { checkClosings } from '../chain/closings.store.ts';
import { TERMINAL_ID } from '../chain/entry.codec.ts';
import { checkEntries } from '../chain/entry-checks.store.ts';
import type { LedgerKey } from '../chain/key.ts';
import { LedgerDamaged, LedgerOfAnother, LedgerUnusable } from './errors.ts';
import { linkOnce, syncToDisk } from './key.store.ts';
import { type LedgerReader, readerOf } from './reader.store.ts';
import {
  makeDurable,
  openForReading,
  openForWriting,
  openInPlace,
  type Sqlite,
  sqliteCode,
  takeLock,
} from './sqlite.store.ts';

export interface OpenOptions {
  readonly terminalId: string;
  readonly key: Pick<LedgerKey, 'keyId' | 'publicKey'>;
  readonly createIfMissing: boolean;
}

/**
 * Entries checked at every opening, more when the newest checkpoint is older. It signs the chain up
 * to it, so that a change before is found by the verifier, and what the terminal goes on from is
 * signed.
 */
const TAIL = 200;
/**
 * Pages of a file up to this size are looked at when it is opened; of a larger one the verifier
 * does it (0.3 s for a million entries).
 */
const SMALL_BYTES = 16 * 2 ** 20;

/** The lock file outlives the ledger on purpose: it tells a lost ledger from one that never was. */
export const lockPath = (path: string): string => `${path}-lock`;

/** Whether a ledger was in this place, though it may be gone. */
export const hasBeenHere = (path: string): boolean => existsSync(lockPath(path)) || existsSync(`${path}-wal`);

/** The checked file, and the lock that keeps other writers away. */
export function openFile(path: string, o: OpenOptions): { db: Sqlite; lock: Sqlite } {
  if (!TERMINAL_ID.test(o.terminalId)) {
    throw new LedgerUnusable(
      `terminal id ${JSON.stringify(o.terminalId)} does not match ${TERMINAL_ID.source}`,
    );
  }
  if (!existsSync(path)) create(path, o);
  // The chain's head is kept in memory, so there is one writer.
  const lock = takeLock(lockPath(path));
  if (lock === null) throw new LedgerUnusable(`ledger ${path} is in use by another process`);
  let sound: Sqlite | null = null;
  let db: Sqlite | null = null;
  try {
    sound = openSound(path, o);
    db = openForWriting(path, { create: false });
    makeDurable(db);
    migrate(db);
    return { db, lock };
  } catch (error) {
    db?.close();
    lock.close();
    throw error;
  } finally {
    // Only now: with no connection in between, what a kill has left of the WAL would be read
    // through a second time.
    sound?.close();
  }
}

/**
 * Opens any ledger file to read it, also one the host has open. Checks that it is a ledger, but no
 * chain.
 */
export function openLedgerReader(path: string): LedgerReader & { close(): void } {
  const file = naming(path, () => openForReading(path));
  try {
    const terminal = naming(path, () => {
      checkSchema(file.db, damaged(path));
      return terminalOf(file.db);
    });
    if (terminal === null) throw new LedgerDamaged(path, null, 'it names no terminal');
    return { ...readerOf(file.db, terminal), close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * A power cut while a ledger is made leaves no half ledger: it gets its name when it is whole and
 * on the disk.
 */
function create(path: string, o: OpenOptions): void {
  for (const trace of [lockPath(path), `${path}-wal`]) {
    if (existsSync(trace)) {
      throw new LedgerDamaged(path, null, `the file is gone, but ${trace} shows that it has been here`);
    }
  }
  if (!o.createIfMissing) throw new LedgerUnusable(`there is no ledger ${path}`);
  const temporary = `${path}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  emptyLedger(temporary, o).close();
  syncToDisk(temporary);
  linkOnce(temporary, path);
}

/** A ledger without entries in a new file, still open. */
export function emptyLedger(path: string, o: Pick<OpenOptions, 'terminalId' | 'key'>): Sqlite {
  const db = openForWriting(path, { create: true });
  makeDurable(db);
  migrate(db);
  db.prepare('INSERT INTO identity VALUES (1, ?)').run(o.terminalId);
  db.prepare('INSERT INTO keys VALUES (?, ?)').run(o.key.keyId, o.key.publicKey);
  return db;
}

export const check = (path: string, o: OpenOptions): void => {
  openSound(path, o).close();
};

/** On a connection that cannot write: closing a damaged file must not move its WAL into it. */
function openSound(path: string, o: OpenOptions): Sqlite {
  const db = naming(path, () => openInPlace(path));
  try {
    naming(path, () => checkNewest(path, db, o));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkNewest(path: string, db: Sqlite, o: OpenOptions): void {
  const found = damaged(path);
  checkSchema(db, found);
  if (statSync(path).size <= SMALL_BYTES) checkPages(db, found);
  const terminal = terminalOf(db);
  if (terminal !== o.terminalId) {
    throw new LedgerOfAnother(`ledger ${path} belongs to terminal ${terminal}, this is ${o.terminalId}`);
  }
  const keys = checkKeys(db, found);
  if (!keys.has(o.key.keyId)) {
    throw new LedgerOfAnother(
      `ledger ${path} was begun with key ${[...keys.keys()].join(', ')}, the key file holds ${o.key.keyId}`,
    );
  }
  const no = newestCheckpoint(db);
  const newest = checkCheckpoints(db, terminal, keys, no, no, found).last;
  checkSnapshots(db, terminal, keys, true, found);
  if (userVersion(db) >= 2) checkClosings(db, true, found);
  const head = db.prepare<[], number | null>('SELECT max(seq) FROM entries').pluck().get() ?? 0;
  checkEntries(
    db,
    terminal,
    Math.max(1, Math.min(newest?.seq ?? 1, head - TAIL + 1)),
    Number.MAX_SAFE_INTEGER,
    found,
  );
}

const damaged =
  (path: string): Found =>
  ({ part, seq, what }) => {
    throw new LedgerDamaged(path, seq, part === 'entry' ? what : `${part}: ${what}`);
  };

/** Gives SQLite's own complaints about a file the name of the ledger and of the trouble. */
export function naming<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = sqliteCode(error);
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|FORMAT|MISMATCH)/.test(code)) {
      throw new LedgerDamaged(path, null, `${(error as Error).message} (${code})`);
    }
    throw error;
  }
}
