/** The checks of a whole ledger as tasks that threads can share; each reads its part and reports in an order of its own. */
import type { Sqlite } from '../store/sqlite.store.ts';
import {
  checkAcks,
  checkCheckpoints,
  checkIndexes,
  checkReferences,
  checkSnapshots,
  newestCheckpoint,
  type Problem,
  userVersion,
} from './checks.store.ts';
import { checkBalances, checkClosings, checkCommands } from './closings.store.ts';
import { toHex } from './entry.codec.ts';
import { checkBeyond, checkEntries } from './entry-checks.store.ts';

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

export interface Task {
  readonly part: Problem['part'];
  /** Order of its problems in the report; the tasks themselves stand in the order in which they are best begun. */
  readonly rank: number;
  run(db: Sqlite, whole: Whole, found: (problem: Problem) => void): Partial<Seen>;
}

const ENTRIES_AT_ONCE = 50_000;
const CHECKPOINTS_AT_ONCE = 2_000;
/** A damaged number can be a very great one. */
const MOST_PARTS = 64;

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

/** Long ones first, so that no thread is left waiting for the last. */
export function tasksOf({ headSeq, lastCheckpoint }: Whole): Task[] {
  const tasks: Task[] = [
    { part: 'file', rank: 0, run: only(checkIndexes) },
    { part: 'command', rank: 30, run: only((db, found) => checkCommands(db, closes(db), found)) },
    { part: 'file', rank: 1, run: only(checkReferences) },
    { part: 'entry', rank: 20, run: only(checkBeyond) },
    {
      part: 'closing',
      rank: 60,
      run: (db, _, found) => {
        if (closes(db)) checkClosings(db, false, found);
        return { balances: Object.fromEntries(checkBalances(db, closes(db), found)) };
      },
    },
  ];
  for (const { from, to, isLast } of parts(headSeq, ENTRIES_AT_ONCE)) {
    tasks.push({
      part: 'entry',
      rank: 10 + from / 2 ** 53,
      run: (db, { terminal }, found) => {
        const { checked, notes, headHash } = checkEntries(db, terminal, from, to, found);
        return { entries: checked, notes, headHash: isLast ? toHex(headHash) : null };
      },
    });
  }
  for (const { from, to, isFirst } of parts(lastCheckpoint, CHECKPOINTS_AT_ONCE)) {
    tasks.push({
      part: 'checkpoint',
      rank: 40 + from / 2 ** 53,
      run: (db, { terminal, keys }, found) => {
        const first = isFirst ? Number.MIN_SAFE_INTEGER : from;
        return { checkpoints: checkCheckpoints(db, terminal, keys, first, to, found).count };
      },
    });
  }
  tasks.push(
    {
      part: 'snapshot',
      rank: 50,
      run: (db, { terminal, keys }, found) => ({
        snapshots: checkSnapshots(db, terminal, keys, false, found),
      }),
    },
    { part: 'ack', rank: 55, run: (db, _, found) => ({ acknowledgedSeq: checkAcks(db, found) }) },
  );
  return tasks;
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

  /** What cannot be read, or reads as what no ledger can hold, ends one check and not the others. */
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

/** Takes tasks until none is left; `next` gives each number to one thread. */
export function work(db: Sqlite, whole: Whole, next: () => number): Result[] {
  const tasks = tasksOf(whole);
  const results: Result[] = [];
  for (let i = next(); i < tasks.length; i = next()) {
    const { part, rank, run } = tasks[i]!;
    const findings = new Findings();
    let seen: Partial<Seen> = {};
    findings.guarded(part, () => {
      seen = run(db, whole, findings.found);
    });
    const { problems, problemCount, firstBadSeq } = findings;
    results.push({ rank, problems, problemCount, firstBadSeq, seen });
  }
  return results;
}
