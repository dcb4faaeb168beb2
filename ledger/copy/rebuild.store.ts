/**
 * A ledger file rebuilt from others, and how it takes the place of a damaged one without anything
 * being lost.
 */
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Checkpoint, checkpointBytes } from '../chain/checkpoint.codec.ts';
import { checkKeys } from '../chain/checks.store.ts';
import {
  chainHash,
  decodeEntry,
  type EntryFields,
  equalBytes,
  GENESIS_HASH,
  toHex,
} from '../chain/entry.codec.ts';
import { verifySignature } from '../chain/key.ts';
import { verifyLedger } from '../chain/verifier.store.ts';
import type { Word } from '../chain/word.codec.ts';
import { syncToDisk } from '../store/key.store.ts';
import { emptyLedger, type OpenOptions } from '../store/open.store.ts';
import {
  openForReading,
  openInPlace,
  type ReadOnly,
  type Sqlite,
  sqliteCode,
} from '../store/sqlite.store.ts';
import { type Carrier, carrierBetween, isReadable, SourceDamaged } from './carry.store.ts';

/** Being built: worthless until it has its next name. */
const building = (path: string): string => `${path}.repair`;
/** Whole, verified and on the disk: it only has to take its place. */
const waiting = (path: string): string => `${path}.repaired`;

/** A file to take entries from, in place and without writing to it. */
export interface Source {
  readonly path: string;
  readonly db: Sqlite;
  readonly close: () => void;
}

/**
 * Opens a file that may be damaged, or lie on a medium that cannot be written. Throws what SQLite
 * says of it.
 */
export function openSource(path: string): Source {
  let file: ReadOnly;
  try {
    const db = openInPlace(path);
    file = { db, close: () => db.close() };
    // A damaged trigger must not hide the entries; nothing can be written here.
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    // One state of a ledger that is being written to.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    // In place SQLite wants a -shm beside the file.
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error))) throw error;
    file = openForReading(path);
  }
  return { path, ...file };
}

/**
 * What a file says is not to be believed or cannot be read; any other error is one of the place
 * that is written to.
 */
export const isDamage = (error: unknown): boolean =>
  error instanceof SourceDamaged ||
  /^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|FORMAT|MISMATCH|CONSTRAINT|IOERR_(SHORT_)?READ|IOERR_CORRUPTFS)/.test(
    sqliteCode(error),
  );

const BATCH = 2000;

/**
 * Stores all that the target lacks and `source` has, up to what is damaged there; returns how many
 * rows.
 */
function drain(source: Source, to: Sqlite, stopped: (why: string) => void): number {
  let stored = 0;
  /** Until there is nothing more to do, or what it meets is damaged. */
  const exhaust = (work: () => number): void => {
    try {
      for (let done = work(); done !== 0; done = work()) stored += done;
    } catch (error) {
      if (!isDamage(error)) throw error;
      stopped(`${source.path}: ${(error as Error).message}`);
    }
  };
  let carrier: Carrier;
  try {
    carrier = carrierBetween(source.db, to);
  } catch (error) {
    if (!isDamage(error)) throw error;
    stopped(`${source.path}: ${(error as Error).message}`);
    return 0;
  }
  // A batch with one bad entry in it is refused as a whole; what stands before that entry comes one
  // by one.
  for (const most of [BATCH, 1]) exhaust(() => carrier.entries(most));
  exhaust(() => carrier.marks());
  return stored;
}

/** Rows of a file that may be damaged, as far as they can be read and come in order. */
function* readable(db: Sqlite, order: 'ASC' | 'DESC'): Generator<{ seq: number; hash: Uint8Array }> {
  let last = order === 'ASC' ? 0 : Infinity;
  try {
    const rows = db.prepare<[], { seq: number; hash: Uint8Array }>(
      `SELECT seq, hash FROM entries ORDER BY seq ${order}`,
    );
    for (const row of rows.iterate()) {
      // The pages of a damaged index can lead round in a circle.
      if (order === 'ASC' ? row.seq <= last : row.seq >= last) return;
      last = row.seq;
      yield row;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/**
 * An entry that `result` does not have, or has otherwise, and that is proved by its own hash or by
 * a signature.
 */
export interface Lacking {
  readonly seq: number;
  /** Hex, of the entry in `source` and of the one in `result`, null when that has none. */
  readonly hash: string;
  readonly other: string | null;
}

/** What `source` proves to have and `result` does not have so. Null: `result` has it all. */
export function lacking(result: Sqlite, source: Sqlite, terminal: string): Lacking | null {
  const own = result.prepare<[number], Uint8Array>('SELECT hash FROM entries WHERE seq = ?').pluck();
  const ownHash = (seq: number): Uint8Array | null => (seq === 0 ? GENESIS_HASH : (own.get(seq) ?? null));
  const differs = (seq: number, hash: Uint8Array): Lacking | null => {
    const other = ownHash(seq);
    if (other !== null && equalBytes(other, hash)) return null;
    return { seq, hash: toHex(hash), other: other && toHex(other) };
  };
  const guarded = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      return otherwise;
    }
  };
  /**
   * `claimed` is the hash of the entry after the one before it, and of no row that damage put into
   * another's place.
   */
  const isWhole = (seq: number, claimed: Uint8Array): boolean =>
    guarded(() => {
      const row = source.prepare<[number], { bytes: unknown; hash: unknown }>(
        'SELECT bytes, hash FROM entries WHERE seq = ?',
      );
      const previous = seq === 1 ? GENESIS_HASH : row.get(seq - 1)?.hash;
      const { bytes, hash } = row.get(seq) ?? {};
      if (typeof bytes !== 'string' || !(hash instanceof Uint8Array) || !(previous instanceof Uint8Array))
        return false;
      const decoded = decodeEntry(bytes);
      return (
        decoded.ok &&
        decoded.terminal === terminal &&
        decoded.fields.seq === seq &&
        equalBytes(chainHash(previous, bytes), hash) &&
        equalBytes(hash, claimed)
      );
    }, false);
  // From both ends, since nobody can read on behind a damaged page.
  for (const order of ['ASC', 'DESC'] as const)
    for (const { seq, hash } of readable(source, order)) {
      const found = hash instanceof Uint8Array ? differs(seq, hash) : null;
      if (found !== null && isWhole(seq, hash)) return found;
    }
  return guarded(() => {
    const keys = checkKeys(result, () => {});
    const rows = source.prepare<[], Checkpoint>(
      `SELECT no, seq, entry_hash AS entryHash, state_hash AS stateHash, reason, at_ms AS atMs, key_id AS keyId, signature
       FROM checkpoints ORDER BY no DESC`,
    );
    for (const c of rows.iterate()) {
      if (!isReadable(c)) continue;
      const found = differs(c.seq, c.entryHash);
      const key = keys.get(c.keyId);
      if (found !== null && key && verifySignature(key, checkpointBytes(terminal, c), c.signature))
        return found;
    }
    return null;
  }, null);
}

/**
 * Makes the ledger `path` again from all that the sources have between them: an entry is taken from
 * whichever has it with the hash that must come next. The new file is verified in full and on the
 * disk when this returns, and waits under a name of its own for `takePlace`. Null = done; else why
 * not, with nothing changed.
 * @param seal adds what is to be said about it, to the finished file and before it is verified
 */
export function rebuild(
  path: string,
  sources: readonly Source[],
  o: OpenOptions,
  seal: ((temporary: string) => void) | null,
): string | null {
  const temporary = building(path);
  discard(temporary);
  const why = build(temporary, sources, o, seal);
  if (why !== null) {
    discard(temporary);
    return why;
  }
  for (const suffix of ['-wal', '-shm', '-lock']) rmSync(temporary + suffix, { force: true });
  syncToDisk(temporary);
  renameSync(temporary, waiting(path));
  syncToDisk(dirname(path));
  return null;
}

function build(
  temporary: string,
  sources: readonly Source[],
  o: OpenOptions,
  seal: ((temporary: string) => void) | null,
): string | null {
  const stops = new Map<string, string>();
  const db = emptyLedger(temporary, o);
  try {
    for (let stored = 1; stored > 0; ) {
      stored = 0;
      for (const source of sources) {
        stops.delete(source.path);
        stored += drain(source, db, (why) => stops.set(source.path, why));
      }
    }
    for (const source of sources) {
      const found = lacking(db, source.db, o.terminalId);
      if (found !== null) {
        const { seq, hash, other } = found;
        return other === null
          ? [`entry ${seq} of ${source.path} cannot be reached`, ...stops.values()].join('; ')
          : `${source.path} has another entry ${seq}, hash ${hash} there and ${other} in the other file: a fork, nothing is merged`;
      }
    }
  } finally {
    db.close();
  }
  seal?.(temporary);
  // Its -shm keeps the verifier from reading a copy of the copy.
  const open = openInPlace(temporary);
  try {
    open.prepare('SELECT count(*) FROM sqlite_schema').get();
    const { ok, problem } = verifyLedger(temporary);
    return ok ? null : problem;
  } finally {
    open.close();
  }
}

/** What a process that was killed has left half done and was never a ledger. */
export function discard(temporary: string): void {
  for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(temporary + suffix, { force: true });
}

/**
 * Puts the file that waits in the place of `path`. The one there keeps existing, with its -wal,
 * under `evidenceName`. Killed at any step, it goes on where it was when it is called again. Nobody
 * may have the file open.
 */
export function takePlace(path: string): void {
  const folder = dirname(path);
  const wal = `${path}-wal`;
  const there = existsSync(path);
  if (existsSync(wal) && statSync(wal).size === 0) rmSync(wal);
  const name = evidenceName(path);
  if (there && !existsSync(name)) linkSync(path, name);
  syncToDisk(folder);
  rmSync(`${path}-shm`, { force: true });
  // With the old -wal beside it SQLite would play the old pages into the new file.
  if (existsSync(wal)) renameSync(wal, `${name}-wal`);
  syncToDisk(folder);
  renameSync(waiting(path), path);
  syncToDisk(folder);
}

/**
 * Under what name the file `path` goes on existing when another takes its place:
 * `<path>.damaged-<n>`, the next n.
 */
export function evidenceName(path: string): string {
  const name = (n: number): string => `${path}.damaged-${n}`;
  let n = 1;
  while (existsSync(name(n))) n += 1;
  // Killed after the link: the newest name is this very file, and its -wal may still have to follow
  // it.
  const isLinked =
    n > 1 &&
    statSync(name(n - 1)).ino === statSync(path, { throwIfNoEntry: false })?.ino &&
    !(existsSync(`${path}-wal`) && existsSync(`${name(n - 1)}-wal`));
  return name(isLinked ? n - 1 : n);
}

/**
 * Ends what an earlier process has begun: a file that waits takes its place, unless `path` has gone
 * on since; a half one goes away.
 */
export function finishRebuild(path: string, terminal: string): void {
  discard(building(path));
  const whole = waiting(path);
  if (!existsSync(whole)) return;
  if (verifyLedger(whole).ok && (isByWord(path, whole) || !hasGoneOn(path, whole, terminal))) takePlace(path);
  else discard(whole);
}

/**
 * Two persons and the centre have said that it takes the place of a ledger in dispute, which ended
 * where the word says: without its -wal, that was moved before a kill, it ends earlier, and never
 * later.
 */
function isByWord(path: string, whole: string): boolean {
  const newest = newestIn(whole);
  for (const suffix of ['-wal', '-shm']) rmSync(whole + suffix, { force: true });
  if (newest?.kind !== 'ledger-restored') return false;
  const { disputed } = JSON.parse((newest.body as { readonly bytes: string }).bytes) as Word;
  return !existsSync(path) || (newestIn(path)?.seq ?? 0) <= disputed.seq;
}

function newestIn(path: string): EntryFields | null {
  const { db, close } = openSource(path);
  try {
    const bytes = db.prepare<[], string>('SELECT bytes FROM entries ORDER BY seq DESC LIMIT 1').pluck().get();
    const newest = bytes === undefined ? null : decodeEntry(bytes);
    return newest?.ok === true ? newest.fields : null;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  } finally {
    close();
  }
}

function hasGoneOn(path: string, whole: string, terminal: string): boolean {
  if (!existsSync(path)) return false;
  const sources: Source[] = [];
  try {
    for (const each of [whole, path]) sources.push(openSource(each));
    return lacking(sources[0]!.db, sources[1]!.db, terminal) !== null;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  } finally {
    for (const { close } of sources) close();
    for (const suffix of ['-wal', '-shm']) rmSync(whole + suffix, { force: true });
  }
}
