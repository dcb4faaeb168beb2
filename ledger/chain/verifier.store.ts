/**
 * The whole ledger file checked without writing to it: `banca verify`, the self-test, the tests.
 */
import { availableParallelism } from 'node:os';
import { openForReading, type ReadOnly, type Sqlite, sqliteCode } from '../store/sqlite.store.ts';
import {
  checkIdentity,
  checkIndexes,
  checkKeys,
  checkNoteCount,
  checkSchema,
  type Problem,
  terminalOf,
} from './checks.store.ts';
import { GENESIS_HASH, toHex } from './entry.codec.ts';
import { workTogether } from './verify-helper.ts';
import {
  ENDLESS,
  Findings,
  newBoard,
  type Result,
  type Stage,
  type Whole,
  wholeOf,
  work,
} from './verify-tasks.store.ts';

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
  /** The first found, at most 50; how many there are is in `problemCount`. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

/** Hears of each stage of the check whether it holds, `ms` after the file was open. */
export type OnStage = (stage: Stage, holds: boolean, ms: number) => void;
/** Hears how many parts of the check have been begun. */
export type OnTask = (begun: number, total: number) => void;

/** A second thread takes a tenth of a second to begin. */
const WORTH_A_THREAD = 100_000;

/**
 * Checks everything docs/ledger-format.md promises. Never throws for what is inside the file:
 * damage of any kind is in the report. Throws LedgerUnusable when there is no file, and the
 * system's error when it cannot be read.
 * @param onStage called once for the chain (numbers, links, every hash, the newest signature), once
 * for all signatures; the rest comes after them. Not called for what is no ledger
 */
export function verifyLedger(path: string, onStage?: OnStage, onTask?: OnTask): VerifyReport {
  let file: ReadOnly;
  try {
    file = openForReading(path);
  } catch (error) {
    if (sqliteCode(error) === '') throw error;
    const findings = new Findings();
    findings.found({ part: 'file', seq: null, what: `${(error as Error).message} (${sqliteCode(error)})` });
    return reportOf(findings, NOTHING, []);
  }
  try {
    return verifyOpen(file.db, onStage, onTask);
  } finally {
    file.close();
  }
}

/** The same of a file that is open for reading. */
export function verifyOpen(db: Sqlite, onStage?: OnStage, onTask?: OnTask): VerifyReport {
  const startMs = performance.now();
  const findings = new Findings();
  let isLedger = false;
  findings.guarded('schema', () => {
    isLedger = checkSchema(db, findings.found);
  });
  if (!isLedger) {
    findings.guarded('file', () => checkIndexes(db, findings.found));
    return reportOf(findings, NOTHING, []);
  }
  let terminal: string | null = null;
  let keys: ReadonlyMap<string, Uint8Array> = new Map();
  findings.guarded('key', () => {
    terminal = terminalOf(db);
    checkIdentity(db, findings.found);
    keys = checkKeys(db, findings.found);
  });
  let whole: Whole = { ...ENDLESS, terminal: terminal ?? '', keys };
  findings.guarded('entry', () => {
    whole = wholeOf(db, whole.terminal, keys);
  });
  const isKnown = findings.problemCount === 0;
  const board = newBoard();
  const own = (): Result[] =>
    work(
      db,
      whole,
      board,
      onStage && ((stage, holds) => onStage(stage, isKnown && holds, performance.now() - startMs)),
      onTask,
    );
  const isShort = whole.headSeq < WORTH_A_THREAD || whole.headSeq === ENDLESS.headSeq;
  const results = isShort || availableParallelism() < 2 ? own() : workTogether(db.name, whole, board, own);
  results.sort((a, b) => a.rank - b.rank);
  for (const result of results) findings.add(result);
  const notes = results.reduce((sum, { seen }) => sum + (seen.notes ?? 0), 0);
  findings.guarded('note', () => checkNoteCount(db, notes, whole.headSeq, findings.found));
  return reportOf(findings, { terminal, keyIds: [...keys.keys()], headSeq: whole.headSeq }, results);
}

const NOTHING = { terminal: null, keyIds: [], headSeq: 0 };

function reportOf(
  { problems, problemCount, firstBadSeq }: Findings,
  known: Pick<VerifyReport, 'terminal' | 'keyIds' | 'headSeq'>,
  results: readonly Result[],
): VerifyReport {
  const sum = (of: 'entries' | 'checkpoints' | 'snapshots' | 'acknowledgedSeq'): number =>
    results.reduce((total, { seen }) => total + (seen[of] ?? 0), 0);
  const headHash = results.map(({ seen }) => seen.headHash).find((hash) => hash) ?? toHex(GENESIS_HASH);
  const first = problems.find((p) => p.seq === firstBadSeq) ?? problems[0];
  return {
    ok: problemCount === 0,
    ...known,
    entries: sum('entries'),
    headHash,
    checkpoints: sum('checkpoints'),
    snapshots: sum('snapshots'),
    acknowledgedSeq: sum('acknowledgedSeq'),
    balances: Object.assign({}, ...results.map(({ seen }) => seen.balances ?? {})) as Record<string, number>,
    firstBadSeq,
    problem: first === undefined ? '' : describeProblem(first),
    problems,
    problemCount,
  };
}

export const describeProblem = ({ part, seq, what }: Problem): string =>
  `${part}${seq === null ? '' : ` at entry ${seq}`}: ${what}`;
