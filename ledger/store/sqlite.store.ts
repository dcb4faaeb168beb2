/**
 * Opening SQLite files: for writing with durability asserted, and for reading without leaving a
 * trace.
 */
import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type BetterSqlite3 from 'better-sqlite3';
import { LedgerUnusable } from './errors.ts';

export type Sqlite = BetterSqlite3.Database;

const NAPI_NEEDED = 10;

/** Loads the native module. Throws LedgerUnusable where loading it would crash the process. */
function sqliteModule(): typeof BetterSqlite3 {
  // The addon is built for Node-API 10; an older runtime does not refuse it, it dies with SIGSEGV.
  // So ask first.
  const napi = Number(process.versions['napi']);
  if (!(napi >= NAPI_NEEDED)) {
    throw new LedgerUnusable(
      `the ledger needs Node-API ${NAPI_NEEDED} (Node 22.14 or newer); this is Node ${process.versions.node} with ${napi}`,
    );
  }
  // Read when the addon is loaded: names of files may then be URIs, the only way to say what
  // `openForWriting` has to.
  process.env['SQLITE_USE_URI'] = '1';
  return createRequire(import.meta.url)('better-sqlite3') as typeof BetterSqlite3;
}

/** Rows of one statement: most commits have fewer, and each statement has a price of its own. */
export const ROWS_AT_ONCE = 16;

/**
 * Inserts rows of `columns` values each, given one after the other in one list: up to ROWS_AT_ONCE
 * with one statement. With a condition `where`, which takes one more value: none of the statement's
 * rows where it does not hold. Returns how many were inserted.
 */
export function insertInto(
  db: Sqlite,
  table: string,
  columns: number,
  where?: string,
): (values: unknown[], condition?: unknown) => number {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  const statements: BetterSqlite3.Statement<unknown[]>[] = [];
  const source = (rows: number): string => {
    const list = `VALUES ${Array(rows).fill(row).join(', ')}`;
    return where === undefined ? list : `SELECT * FROM (${list}) WHERE ${where}`;
  };
  const of = (rows: number): BetterSqlite3.Statement<unknown[]> =>
    (statements[rows] ??= db.prepare(`INSERT INTO ${table} ${source(rows)}`));
  return (values, condition) => {
    const most = ROWS_AT_ONCE * columns;
    let inserted = 0;
    for (let at = 0; at < values.length; at += most) {
      const part = values.length <= most ? values : values.slice(at, at + most);
      const statement = of(part.length / columns);
      inserted += (where === undefined ? statement.run(part) : statement.run(part, condition)).changes;
    }
    return inserted;
  };
}

/**
 * SQLite's own default, 2 MiB a connection. The library is compiled with 16, which a busy table
 * takes eight hours to fill, and no commit is cheaper for it.
 */
const PAGES_KEPT = 'cache_size = -2000';

/** Opens a file for writing. Nothing is durable before `makeDurable`. */
export function openForWriting(path: string, o: { create: boolean }): Sqlite {
  // A sector that is being written when the power fails may hold anything afterwards, and the end
  // of the commit before would stand in it. Without `psow` SQLite begins every commit in a sector
  // of its own (a page more in the log, 8 µs of 104).
  return new (sqliteModule())(`${pathToFileURL(path).href}?psow=0`, { fileMustExist: !o.create });
}

/** Opens an existing file in place for reading only; never writes its WAL back into it. */
export function openInPlace(path: string): Sqlite {
  const db = new (sqliteModule())(path, { readonly: true, fileMustExist: true });
  db.pragma(PAGES_KEPT);
  return db;
}

/** WAL, synchronous=FULL and foreign keys, set and read back. Throws LedgerUnusable. */
export function makeDurable(db: Sqlite): void {
  db.pragma('journal_mode = WAL');
  // The library is compiled with NORMAL as its default in WAL mode, which loses the last commits on
  // a power cut.
  db.pragma('synchronous = FULL');
  // SQLite's own 1000 for commits of two pages, as `psow` makes them: bringing the log back is a
  // touch of some milliseconds.
  db.pragma('wal_autocheckpoint = 2000');
  db.pragma(PAGES_KEPT);
  db.pragma('foreign_keys = ON');
  db.pragma('recursive_triggers = ON');
  db.pragma('trusted_schema = OFF');
  assertDurable(db);
}

/** Throws LedgerUnusable unless a commit on this connection survives a power cut. */
export function assertDurable(db: Sqlite): void {
  const wanted = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };
  for (const [pragma, value] of Object.entries(wanted)) {
    const got = db.pragma(pragma, { simple: true });
    if (got !== value) {
      throw new LedgerUnusable(`${db.name}: PRAGMA ${pragma} is ${String(got)}, must be ${value}`);
    }
  }
}

/**
 * Takes an exclusive lock that the kernel drops however the process dies and that hinders no reader
 * of another file: an open exclusive transaction on the (empty) file `path`. Null when another
 * process has it.
 */
export function takeLock(path: string): Sqlite | null {
  const lock = new (sqliteModule())(path, { timeout: LOCK_WAIT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCode(error) === 'SQLITE_BUSY') return null;
    throw error;
  }
}
/** A predecessor that was just killed may still be going down. */
const LOCK_WAIT_MS = 2000;

/**
 * SQLite's extended result code of an error, as in `SQLITE_CORRUPT_INDEX`; empty for any other
 * error.
 */
export function sqliteCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

/** The disk refused a write or a sync; which code is the file system's own for it differs. */
export const isDiskRefusal = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(sqliteCode(error)) ||
  /^(ENOSPC|EIO|EROFS|EDQUOT)$/.test(String((error as { code?: unknown } | null)?.code));

/** An empty database in memory, to compare a file's schema with. */
export const openMemory = (): Sqlite => new (sqliteModule())(':memory:');

export interface ReadOnly {
  readonly db: Sqlite;
  readonly close: () => void;
}

/**
 * Opens a file to read one consistent state of it, never changing it. A file in use (it has a
 * `-shm` beside it) is read in place inside one read transaction, which blocks no writer; any other
 * file is read from a temporary copy with its `-wal`, because SQLite would create files beside it
 * and could not open it at all on a read-only medium. Throws the SqliteError of a file that is no
 * database.
 */
export function openForReading(path: string): ReadOnly {
  const Database = sqliteModule();
  if (!existsSync(path)) throw new LedgerUnusable(`there is no file ${path}`);
  let copied: string | null = null;
  let file = path;
  if (!existsSync(`${path}-shm`)) {
    copied = mkdtempSync(join(tmpdir(), 'banca-read-'));
    file = join(copied, 'ledger.db');
    for (const suffix of ['', '-wal']) {
      if (existsSync(path + suffix)) copyFileSync(path + suffix, file + suffix, constants.COPYFILE_FICLONE);
    }
  }
  let db: Sqlite | null = null;
  const close = (): void => {
    db?.close();
    if (copied !== null) rmSync(copied, { recursive: true, force: true });
  };
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    db.pragma('trusted_schema = OFF');
    db.exec('BEGIN');
    return { db, close };
  } catch (error) {
    close();
    throw error;
  }
}
