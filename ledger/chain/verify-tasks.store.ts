/**
 * The checks of a whole ledger as tasks that threads can share; each reads its part and reports in
 * an order of its own.
 */
import { type Sqlite, sqliteCode } from '../store/sqlite.store.ts';
import {
  checkAcks,
  checkCheckpoints,
  checkIndexes,
  checkReferences,
  checkSnapshots,
  hashAt,
  newestCheckpoint,
  type Problem,
  userVersion,
} from './checks.store.ts';
import { checkBalances, checkClosings, checkCommands } from './closings.store.ts';
import { toHex } from './entry.codec.ts';
import { checkBeyond, checkEntries } from './entry-checks.store.ts';
import { isChained } from './entry-pages.store.ts';

/** What a thread needs to know to take part. */
export interface Whole {
  readonly terminal: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
  /** Entries and checkpoints that the first reader saw: a ledger in use goes on meanwhile. */
  readonly headSeq: number;
  /** Number of the newest one. */
  readonly lastCheckpoint: number;
}

/** Sums of what tasks have seen. */
export interface Seen {
  entries: number;
  notes: number;
  /** Hex; of the task that saw the last entry. */
  headHash: string | null;
  checkpoints: number;
  snapshots: number;
  acknowledgedSeq: number;
  balances: Record<string, number>;
}

/**
 * What is looked at first and said apart, in this order. The chain is numbers, links, every hash
 * and the newest signature, which vouches for all of it; the older signatures vouch for no more of
 * it, and take OpenSSL longer than all the rest.
 */
const STAGES = ['chain', 'signatures'] as const;
export type Stage = (typeof STAGES)[number];

export interface Task {
  readonly part: Problem['part'];
  /**
   * Order of its problems in the report; the tasks themselves stand in the order in which they are
   * best begun.
   */
  readonly rank: number;
  readonly stage?: Stage;
  run(db: Sqlite, whole: Whole, found: (problem: Problem) => void, board: Board): Partial<Seen>;
}

/** What threads share while they work; whole numbers that only `Atomics` touch. */
export type Board = Int32Array;
/**
 * Places on it: number of the next task; 1 when the second thread has reported; for each stage the
 * tasks that are done, and 1 when it does not hold.
 */
const NEXT = 0;
export const REPORTED = 1;
const DONE = 2;
const BROKEN = DONE + STAGES.length;
/** From here on, for each part of the entries: 1 when its chain is proved. */
const PROVED = BROKEN + STAGES.length;

const BROKEN_CHAIN = BROKEN + STAGES.indexOf('chain');

const ENTRIES_AT_ONCE = 50_000;
const CHECKPOINTS_AT_ONCE = 500;
/** A damaged number can be a very great one. */
const MOST_PARTS = 64;

export const newBoard = (): Board =>
  new Int32Array(new SharedArrayBuffer((PROVED + MOST_PARTS + 1) * Int32Array.BYTES_PER_ELEMENT));

/** Numbers from 1 to `last` in parts of `size`, at least one part. */
function* parts(
  last: number,
  size: number,
): Generator<{ from: number; to: number; isFirst: boolean; isLast: boolean }> {
  const step = last === Number.MAX_SAFE_INTEGER ? last : Math.max(size, Math.ceil(last / MOST_PARTS));
  for (let from = 1; from === 1 || from <= last; from += step) {
    const to = Math.min(last, from + step - 1);
    yield { from, to, isFirst: from === 1, isLast: to >= last };
  }
}

export const wholeOf = (db: Sqlite, terminal: string, keys: Whole['keys']): Whole => ({
  terminal,
  keys,
  headSeq: db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM entries').pluck().get()!,
  lastCheckpoint: newestCheckpoint(db),
});
/** Where the end cannot be read: one task for all there is. */
export const ENDLESS = { headSeq: Number.MAX_SAFE_INTEGER, lastCheckpoint: Number.MAX_SAFE_INTEGER };

/**
 * Stage by stage; of the rest the long ones first, so that no thread is left waiting for the last.
 */
export function tasksOf({ headSeq, lastCheckpoint }: Whole): Task[] {
  const chain: Omit<Task, 'stage'>[] = [];
  const signatures: Omit<Task, 'stage'>[] = [];
  for (const { from, to, isFirst } of parts(lastCheckpoint, CHECKPOINTS_AT_ONCE)) {
    signatures.push({
      part: 'checkpoint',
      rank: 40 + from / 2 ** 53,
      run: (db, { terminal, keys }, found) => {
        const first = isFirst ? Number.MIN_SAFE_INTEGER : from;
        return { checkpoints: checkCheckpoints(db, terminal, keys, first, to, found).count };
      },
    });
  }
  const contents: Task[] = [];
  for (const { from, to, isLast } of parts(headSeq, ENTRIES_AT_ONCE)) {
    const place = PROVED + contents.length;
    // What is wrong with a chain that does not hold, or cannot be read, is said by the task that
    // looks at the contents.
    chain.push({
      part: 'entry',
      rank: 9,
      run: (db, _, __, board) => {
        let isProved = false;
        try {
          isProved = to !== ENDLESS.headSeq && isChained(db, from, to, hashAt(db, from - 1));
        } catch (error) {
          if (sqliteCode(error) === '') throw error;
        }
        Atomics.store(board, isProved ? place : BROKEN_CHAIN, 1);
        return {};
      },
    });
    contents.push({
      part: 'entry',
      rank: 10 + from / 2 ** 53,
      run: (db, { terminal }, found, board) => {
        const isProved = Atomics.load(board, place) === 1;
        const { checked, notes, headHash } = checkEntries(db, terminal, from, to, found, isProved);
        return { entries: checked, notes, headHash: isLast ? toHex(headHash) : null };
      },
    });
  }
  chain.push(
    {
      part: 'checkpoint',
      rank: 9,
      // What is wrong with it is said by the task that looks at all of them.
      run: (db, { terminal, keys, lastCheckpoint: no }, _, board) => {
        checkCheckpoints(db, terminal, keys, no, no, () => Atomics.store(board, BROKEN_CHAIN, 1));
        return {};
      },
    },
    { part: 'entry', rank: 20, run: only(checkBeyond) },
    { part: 'ack', rank: 55, run: (db, _, found) => ({ acknowledgedSeq: checkAcks(db, found) }) },
  );
  return [
    ...chain.map((task) => ({ ...task, stage: 'chain' as const })),
    ...signatures.map((task) => ({ ...task, stage: 'signatures' as const })),
    { part: 'command', rank: 30, run: only((db, found) => checkCommands(db, closes(db), found)) },
    { part: 'file', rank: 0, run: only(checkIndexes) },
    {
      part: 'closing',
      rank: 60,
      run: (db, _, found) => {
        if (closes(db)) checkClosings(db, false, found);
        return { balances: Object.fromEntries(checkBalances(db, closes(db), found)) };
      },
    },
    ...contents,
    { part: 'file', rank: 1, run: only(checkReferences) },
    {
      part: 'snapshot',
      rank: 50,
      run: (db, { terminal, keys }, found) => ({
        snapshots: checkSnapshots(db, terminal, keys, false, found),
      }),
    },
  ];
}

const only =
  (check: (db: Sqlite, found: (problem: Problem) => void) => void): Task['run'] =>
  (db, _, found) => {
    check(db, found);
    return {};
  };

const closes = (db: Sqlite): boolean => userVersion(db) >= 2;

/** What one task found, to be put together with the others. */
export interface Result {
  readonly rank: number;
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly firstBadSeq: number | null;
  readonly seen: Partial<Seen>;
}

/** More of them say nothing more. */
export const MOST_PROBLEMS = 50;

/** Collects problems; the first ones in full. */
export class Findings {
  readonly problems: Problem[] = [];
  problemCount = 0;
  firstBadSeq: number | null = null;

  readonly found = (problem: Problem): void => {
    this.problemCount += 1;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
    this.#first(problem.seq);
  };

  /**
   * What cannot be read, or reads as what no ledger can hold, ends one check and not the others.
   */
  guarded(part: Problem['part'], check: () => void): void {
    try {
      check();
    } catch (error) {
      this.found({ part, seq: null, what: `cannot be checked: ${(error as Error).message}` });
    }
  }

  add({ problems, problemCount, firstBadSeq }: Omit<Result, 'rank' | 'seen'>): void {
    for (const problem of problems) if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
    this.problemCount += problemCount;
    this.#first(firstBadSeq);
  }

  #first(seq: number | null): void {
    if (seq !== null && (this.firstBadSeq === null || seq < this.firstBadSeq)) this.firstBadSeq = seq;
  }
}

/**
 * Takes tasks from the board until none is left. With `onStage` it waits at the end of each stage
 * until all its tasks are done, and says whether it holds, before it goes on.
 */
export function work(
  db: Sqlite,
  whole: Whole,
  board: Board,
  onStage?: (stage: Stage, holds: boolean) => void,
  onTask?: (begun: number, total: number) => void,
): Result[] {
  const tasks = tasksOf(whole);
  let said = onStage === undefined ? STAGES.length : 0;
  const sayStagesBefore = (end: number): void => {
    for (; said < end; said++) {
      const stage = STAGES[said]!;
      const count = tasks.filter((task) => task.stage === stage).length;
      for (let done = 0; done < count; done = Atomics.load(board, DONE + said)) {
        Atomics.wait(board, DONE + said, done);
      }
      onStage!(stage, Atomics.load(board, BROKEN + said) === 0);
    }
  };
  const results: Result[] = [];
  for (let i = Atomics.add(board, NEXT, 1); i < tasks.length; i = Atomics.add(board, NEXT, 1)) {
    const { part, rank, stage, run } = tasks[i]!;
    onTask?.(i + 1, tasks.length);
    const stageNo = stage === undefined ? STAGES.length : STAGES.indexOf(stage);
    sayStagesBefore(stageNo);
    const findings = new Findings();
    let seen: Partial<Seen> = {};
    findings.guarded(part, () => {
      seen = run(db, whole, findings.found, board);
    });
    const { problems, problemCount, firstBadSeq } = findings;
    results.push({ rank, problems, problemCount, firstBadSeq, seen });
    if (stage === undefined) continue;
    if (problemCount > 0) Atomics.store(board, BROKEN + stageNo, 1);
    Atomics.add(board, DONE + stageNo, 1);
    Atomics.notify(board, DONE + stageNo);
  }
  sayStagesBefore(STAGES.length);
  return results;
}
