/** The whole ledger file checked without writing to it: `banca verify`, the self-test, the tests. */
import { openForReading, type ReadOnly, type Sqlite, sqliteCode } from '../store/sqlite.store.ts';
import {
  checkAcks,
  checkCheckpoints,
  checkIdentity,
  checkKeys,
  checkNoteCount,
  checkPages,
  checkSchema,
  checkSnapshots,
  type Problem,
  terminalOf,
  userVersion,
} from './checks.store.ts';
import { checkBalances, checkClosings, checkCommands } from './closings.store.ts';
import { GENESIS_HASH, toHex } from './entry.codec.ts';
import { checkEntries } from './entry-checks.store.ts';

export type { Problem } from './checks.store.ts';

export interface VerifyReport {
  readonly ok: boolean;
  readonly terminal: string | null;
  /** Entries checked. */
  readonly entries: number;
  readonly headSeq: number;
  /** Hex. */
  readonly headHash: string;
  readonly keyIds: readonly string[];
  readonly checkpoints: number;
  readonly snapshots: number;
  /** Newest entry the centre acknowledged, 0 for none. */
  readonly acknowledgedSeq: number;
  /** Sum of the postings per account, minor units, key `${currency}/${account}`. */
  readonly balances: Readonly<Record<string, number>>;
  /** Smallest entry number among the problems, null when none is about an entry. */
  readonly firstBadSeq: number | null;
  /** The first problem in one line, empty when all holds. */
  readonly problem: string;
  /** The first found, at most MOST_PROBLEMS; how many there are is in `problemCount`. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

const MOST_PROBLEMS = 50;

/**
 * Checks everything docs/ledger-format.md promises. Never throws for what is inside the file: damage of any kind is
 * in the report. Throws LedgerUnusable when there is no file, and the system's error when it cannot be read.
 */
export function verifyLedger(path: string): VerifyReport {
  const problems: Problem[] = [];
  let problemCount = 0;
  let firstBadSeq: number | null = null;
  const found = (problem: Problem): void => {
    problemCount++;
    if (problems.length < MOST_PROBLEMS) problems.push(problem);
    if (problem.seq !== null && (firstBadSeq === null || problem.seq < firstBadSeq))
      firstBadSeq = problem.seq;
  };
  const seen = {
    terminal: null as string | null,
    entries: 0,
    headSeq: 0,
    headHash: toHex(GENESIS_HASH),
    keyIds: [] as string[],
    checkpoints: 0,
    snapshots: 0,
    acknowledgedSeq: 0,
    balances: {} as Record<string, number>,
  };
  /** What cannot be read, or reads as what no ledger can hold, ends one check and not the others. */
  const guarded = (part: Problem['part'], check: () => void): void => {
    try {
      check();
    } catch (error) {
      found({ part, seq: null, what: `cannot be checked: ${(error as Error).message}` });
    }
  };

  const checkContents = (db: Sqlite): void => {
    let keys: ReadonlyMap<string, Uint8Array> = new Map();
    guarded('key', () => {
      seen.terminal = terminalOf(db);
      checkIdentity(db, found);
      keys = checkKeys(db, found);
      seen.keyIds = [...keys.keys()];
    });
    const terminal = seen.terminal ?? '';
    const closes = userVersion(db) >= 2;
    guarded('entry', () => {
      const { checked, headSeq, headHash, notes } = checkEntries(
        db,
        terminal,
        1,
        Number.MAX_SAFE_INTEGER,
        found,
      );
      Object.assign(seen, { entries: checked, headSeq, headHash: toHex(headHash) });
      guarded('note', () => checkNoteCount(db, notes, found));
    });
    guarded('command', () => checkCommands(db, closes, found));
    guarded('checkpoint', () => {
      seen.checkpoints = checkCheckpoints(db, terminal, keys, false, found).size;
    });
    guarded('snapshot', () => {
      seen.snapshots = checkSnapshots(db, terminal, keys, false, found);
    });
    guarded('ack', () => {
      seen.acknowledgedSeq = checkAcks(db, found);
    });
    guarded('closing', () => {
      if (closes) checkClosings(db, false, found);
      seen.balances = Object.fromEntries(checkBalances(db, closes, found));
    });
  };

  let file: ReadOnly | null = null;
  try {
    file = openForReading(path);
  } catch (error) {
    if (sqliteCode(error) === '') throw error;
    found({ part: 'file', seq: null, what: `${(error as Error).message} (${sqliteCode(error)})` });
  }
  if (file !== null) {
    const { db, close } = file;
    try {
      let isLedger = false;
      guarded('schema', () => {
        isLedger = checkSchema(db, found);
      });
      guarded('file', () => checkPages(db, true, found));
      if (isLedger) checkContents(db);
    } finally {
      close();
    }
  }
  const first = problems.find((p) => p.seq === firstBadSeq) ?? problems[0];
  const problem = first === undefined ? '' : describeProblem(first);
  return { ok: problemCount === 0, ...seen, firstBadSeq, problem, problems, problemCount };
}

export const describeProblem = ({ part, seq, what }: Problem): string =>
  `${part}${seq === null ? '' : ` at entry ${seq}`}: ${what}`;
