/**
 * Before a terminal opens its ledger: the ledger and its copy are looked at, and the ledger is
 * mended from the copy where it is damaged, gone, or behind it. docs/ledger-format.md, section 9,
 * says what is done when.
 */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkKeys, checkSchema, terminalOf } from '../chain/checks.store.ts';
import { equalBytes } from '../chain/entry.codec.ts';
import type { LedgerKey } from '../chain/key.ts';
import { verifyLedger } from '../chain/verifier.store.ts';
import { LedgerForked } from '../store/errors.ts';
import { syncToDisk } from '../store/key.store.ts';
import { LedgerDamaged, LedgerUnusable, openLedger } from '../store/ledger.store.ts';
import { check, hasBeenHere, lockPath, type OpenOptions } from '../store/open.store.ts';
import { takeLock } from '../store/sqlite.store.ts';
import {
  evidenceName,
  finishRebuild,
  isDamage,
  lacking,
  openSource,
  rebuild,
  type Source,
  takePlace,
} from './rebuild.store.ts';

/** The copy's file in its folder. */
export const copyIn = (folder: string): string => join(folder, 'ledger.db');

export interface MendOptions {
  readonly terminalId: string;
  readonly key: LedgerKey;
  /** ms since 1970 UTC */
  readonly now: () => number;
}

/** What was done to the ledger; the body of its own entry `ledger-repaired`. */
export interface Repaired {
  readonly file: 'ledger';
  readonly why: string;
  /**
   * The entries that could no longer be trusted, from the first to the newest; `toSeq` < `fromSeq`
   * when it was none.
   */
  readonly fromSeq: number;
  readonly toSeq: number;
  /**
   * Whether nothing can be missing behind `toSeq`: the copy lags by milliseconds, and a file that
   * is gone tells nothing.
   */
  readonly isComplete: boolean;
  /** The damaged file, null when it was gone. */
  readonly evidence: string | null;
}

export type CopyState =
  | { readonly state: 'good' }
  /** To be rebuilt; `why` null when there has never been one. */
  | { readonly state: 'rebuild'; readonly why: string | null }
  /** It is not this ledger's copy and is left alone. */
  | { readonly state: 'foreign'; readonly why: string };

/**
 * A file of this size is checked in full at every start, in about a quarter of a second; a larger
 * one in its newest part.
 */
const WHOLE_BYTES = 16 * 2 ** 20;

const checkMark = (path: string): string => `${path}-check`;
const behindMark = (path: string): string => `${path}-copy-behind`;

/**
 * The next start checks the whole file: something is wrong that the check of its newest part does
 * not see.
 */
export function askForWholeCheck(path: string): void {
  writeFileSync(checkMark(path), '');
  syncToDisk(dirname(path));
}

/**
 * Leaves word beside the ledger that its copy does not have all of it, or takes it away: a ledger
 * that nobody can read any more is not mended from a copy that was known to be behind.
 */
export function markCopyBehind(path: string, isBehind: boolean): void {
  const mark = behindMark(path);
  if (isBehind === existsSync(mark)) return;
  if (isBehind) writeFileSync(mark, '');
  else rmSync(mark);
  syncToDisk(dirname(path));
}

/**
 * Throws LedgerDamaged, with nothing changed, where the two files do not hold enough between them;
 * LedgerForked where they hold different histories; LedgerUnusable where the ledger is in use or
 * another terminal's.
 */
export function mendLedger(
  path: string,
  copyPath: string,
  o: MendOptions,
): { readonly repaired: Repaired | null; readonly copy: CopyState } {
  const copyThere = existsSync(copyPath);
  // A new terminal, or one whose ledger is gone: opening it tells which.
  if (!existsSync(path) && !copyThere) return { repaired: null, copy: { state: 'rebuild', why: null } };
  const lock = takeLock(lockPath(path));
  if (lock === null) throw new LedgerUnusable(`ledger ${path} is in use by another process`);
  try {
    finishRebuild(path, o.terminalId);
    const wrong = wrongWith(path, o);
    const repaired = wrong === null ? null : mendFromCopy(path, copyPath, wrong, o);
    const { copy, behind } = compare(path, copyPath, o);
    if (behind === null) return { repaired, copy };
    return { repaired: mendFromCopy(path, copyPath, behind, o), copy };
  } finally {
    lock.close();
  }
}

interface Wrong {
  /** Null when it is not about an entry. */
  readonly seq: number | null;
  readonly what: string;
}

/**
 * Null when the ledger is there and holds, as far as a start looks. Throws LedgerUnusable when it
 * is not ours.
 */
function wrongWith(path: string, o: MendOptions): Wrong | null {
  if (!existsSync(path)) return { seq: null, what: 'the file is gone' };
  const mark = checkMark(path);
  const bytes = statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  const found = existsSync(mark) || bytes <= WHOLE_BYTES ? wholeCheck(path) : newestCheck(path, o);
  if (found === null) rmSync(mark, { force: true });
  return found;
}

function wholeCheck(path: string): Wrong | null {
  const { ok, firstBadSeq, problems, problem } = verifyLedger(path);
  if (ok) return null;
  const first = problems.find(({ part, seq }) => part === 'entry' && seq === firstBadSeq);
  return { seq: firstBadSeq, what: first?.what ?? problem };
}

function newestCheck(path: string, o: MendOptions): Wrong | null {
  try {
    check(path, { ...o, createIfMissing: false });
    return null;
  } catch (error) {
    if (error instanceof LedgerDamaged) return { seq: error.firstBadSeq, what: error.what };
    // A flipped bit can make another terminal's name or key of ours.
    if (error instanceof LedgerUnusable) {
      const wrong = wholeCheck(path);
      if (wrong !== null) return wrong;
    }
    if (isDamage(error)) return { seq: null, what: (error as Error).message };
    throw error;
  }
}

/** Where ledger and copy part, null = nowhere. Nothing is changed. */
export function forkOf(path: string, copyPath: string, o: MendOptions): LedgerForked | null {
  try {
    compare(path, copyPath, o);
    return null;
  } catch (error) {
    if (error instanceof LedgerForked) return error;
    throw error;
  }
}

/** Copy and ledger side by side; `behind`: what the ledger lacks. Throws LedgerForked. */
function compare(
  path: string,
  copyPath: string,
  o: MendOptions,
): { readonly copy: CopyState; readonly behind: Wrong | null } {
  if (!existsSync(copyPath)) {
    const why = hasBeenHere(copyPath) ? 'the file is gone' : null;
    return { copy: { state: 'rebuild', why }, behind: null };
  }
  const sources: Source[] = [];
  try {
    const ledger = openSource(path);
    sources.push(ledger);
    const copy = openSource(copyPath);
    sources.push(copy);
    checkSchema(copy.db, ({ what }) => {
      throw new LedgerDamaged(copyPath, null, what);
    });
    const terminal = terminalOf(copy.db);
    const keys = checkKeys(copy.db, () => {});
    const mine = newestOf(ledger);
    const theirs = newestOf(copy);
    const common = Math.min(mine.seq, theirs.seq);
    if (common > 0 && !equalBytes(hashAt(ledger, common), hashAt(copy, common))) {
      const fork = lacking(ledger.db, copy.db, o.terminalId);
      if (terminal === o.terminalId && fork !== null && fork.other !== null)
        throw new LedgerForked(
          path,
          fork,
          `its copy ${copyPath} has another entry there, hash ${fork.hash}; here it is ${fork.other}: a fork, nothing is merged`,
        );
      return { copy: { state: 'rebuild', why: `entry ${common} has another hash` }, behind: null };
    }
    if (terminal !== o.terminalId || !keys.has(o.key.keyId)) {
      const whole = verifyLedger(copyPath);
      const why = `it is a ledger of terminal ${terminal ?? 'without a name'} with keys ${[...keys.keys()].join(', ')}`;
      return whole.ok
        ? { copy: { state: 'foreign', why }, behind: null }
        : { copy: { state: 'rebuild', why: whole.problem }, behind: null };
    }
    const isBehind =
      theirs.seq > mine.seq || (theirs.seq === mine.seq && theirs.checkpoint > mine.checkpoint);
    return {
      copy: { state: 'good' },
      behind: isBehind ? { seq: mine.seq + 1, what: `it ends at entry ${mine.seq}, its copy later` } : null,
    };
  } catch (error) {
    if (error instanceof LedgerDamaged && error.path === path) throw error;
    if (!(error instanceof LedgerDamaged) && !isDamage(error)) throw error;
    const why = error instanceof LedgerDamaged ? error.what : (error as Error).message;
    return { copy: { state: 'rebuild', why }, behind: null };
  } finally {
    for (const { close } of sources) close();
  }
}

const newestOf = ({ db }: Source): { seq: number; checkpoint: number } =>
  db
    .prepare<[], { seq: number; checkpoint: number }>(
      `SELECT coalesce((SELECT max(seq) FROM entries), 0) AS seq,
       coalesce((SELECT max(no) FROM checkpoints), 0) AS checkpoint`,
    )
    .get()!;

const hashAt = ({ db }: Source, seq: number): Uint8Array =>
  db.prepare<[number], Uint8Array>('SELECT hash FROM entries WHERE seq = ?').pluck().get(seq) ??
  new Uint8Array();

/** The ledger rebuilt from both files, one of which must hold in full. Throws LedgerDamaged. */
function mendFromCopy(path: string, copyPath: string, wrong: Wrong, o: MendOptions): Repaired {
  const refuse = (why: string): never => {
    throw new LedgerDamaged(path, wrong.seq, `${wrong.what}; its copy ${copyPath} does not mend it: ${why}`);
  };
  if (!existsSync(copyPath)) refuse('it is not there');
  const of = { terminalId: o.terminalId, key: o.key, createIfMissing: false };
  const fromSeq = wrong.seq ?? 1;
  const evidence = existsSync(path) ? evidenceName(path) : null;
  let done = null as Repaired | null;
  const sources: Source[] = [];
  try {
    const copySource = openOrNull(copyPath);
    const ledgerSource = openOrNull(path);
    if (copySource) sources.push(copySource);
    if (ledgerSource) sources.push(ledgerSource);
    const copy = verifyLedger(copyPath);
    if (!copy.ok && !(existsSync(path) && verifyLedger(path).ok)) refuse(copy.problem);
    if (copy.ok && (copy.terminal !== o.terminalId || !copy.keyIds.includes(o.key.keyId)))
      refuse(`it is a ledger of terminal ${copy.terminal} with keys ${copy.keyIds.join(', ')}`);
    const isComplete = stoppedInOrder(copySource) || isNewest(ledgerSource, copySource);
    if (!isComplete && existsSync(behindMark(path)))
      refuse('it was known to be behind, and nobody can tell any more by how much');
    const why = rebuild(path, sources, of, (temporary) => {
      const ledger = openLedger(temporary, of);
      try {
        const atMs = Math.max(o.now(), ledger.read(ledger.head().seq, 1)[0]?.atMs ?? 0);
        done = { file: 'ledger', why: wrong.what, fromSeq, toSeq: ledger.head().seq, isComplete, evidence };
        ledger.append(atMs, null, [{ kind: 'ledger-repaired', roundId: null, body: done, postings: [] }]);
        ledger.checkpoint('repair', null, atMs);
      } finally {
        ledger.close();
      }
    });
    if (why !== null) refuse(why);
  } finally {
    for (const { close } of sources) close();
  }
  takePlace(path);
  rmSync(checkMark(path), { force: true });
  return done!;
}

function openOrNull(path: string): Source | null {
  if (!existsSync(path)) return null;
  try {
    return openSource(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/** The ledger was closed in order after the newest entry of the copy, which has that on record. */
function stoppedInOrder(copy: Source | null): boolean {
  const last = readOf(copy, ({ db }) =>
    db
      .prepare<[], { seq: number; reason: string }>(
        'SELECT seq, reason FROM checkpoints ORDER BY no DESC LIMIT 1',
      )
      .get(),
  );
  return last?.reason === 'stop' && last.seq === readOf(copy, newestOf)?.seq;
}

/** The ledger can be read up to its end, and that is not before the end of the copy. */
function isNewest(ledger: Source | null, copy: Source | null): boolean {
  const newest = readOf(ledger, newestOf);
  return newest !== null && newest.seq >= (readOf(copy, newestOf)?.seq ?? 0);
}

/** Null where the file is not there or cannot be read. */
function readOf<T>(source: Source | null, read: (source: Source) => T): T | null {
  if (source === null) return null;
  try {
    return read(source);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/**
 * A missing or damaged copy rebuilt from the ledger. Throws LedgerDamaged when that does not hold.
 */
export function rebuildCopy(
  path: string,
  copyPath: string,
  o: Pick<OpenOptions, 'terminalId' | 'key'>,
): void {
  const lock = takeLock(lockPath(copyPath));
  if (lock === null) throw new LedgerUnusable(`copy ${copyPath} is in use by another process`);
  try {
    const ledger = openSource(path);
    try {
      const why = rebuild(copyPath, [ledger], { ...o, createIfMissing: false }, null);
      if (why !== null) throw new LedgerDamaged(path, null, why);
    } finally {
      ledger.close();
    }
    takePlace(copyPath);
  } finally {
    lock.close();
  }
}
