import type { VerifyReport } from '../../ledger/chain/verifier.store.ts';
import { verifyInBackground } from '../../ledger/chain/verify-worker.ts';
import type { LedgerCheck, LedgerFile, StorageReport } from '../../wire/pages.ts';

interface Running {
  readonly sinceMs: number;
  taken: number;
  total: number | null;
  readonly report: Promise<VerifyReport>;
  readonly ends: AbortController;
}

/**
 * Ledger and copy read from end to end, each once at a time: who runs now and how far, and what the
 * last one has found.
 */
export class Verification {
  readonly #paths: Readonly<Record<LedgerFile, string | null>>;
  readonly #now: () => number;
  readonly #running = new Map<LedgerFile, Running>();
  readonly #last = new Map<LedgerFile, LedgerCheck>();

  /** @param paths null = there is no such file */
  constructor(paths: Readonly<Record<LedgerFile, string | null>>, now: () => number) {
    this.#paths = paths;
    this.#now = now;
  }

  /**
   * Who asks while it runs gets the report of the one that runs. Rejects where the file cannot be
   * read at all.
   */
  run(file: LedgerFile): Promise<VerifyReport> {
    const path = this.#paths[file];
    if (path === null) throw new Error(`there is no ${file}`);
    const known = this.#running.get(file);
    if (known !== undefined) return known.report;
    const sinceMs = this.#now();
    const ends = new AbortController();
    const told = (taken: number, total: number) => Object.assign(running, { taken, total });
    const report = verifyInBackground(path, told, ends.signal).then((found) => {
      const { ok, problem, entries } = found;
      this.#last.set(file, {
        file,
        atMs: this.#now(),
        tookMs: this.#now() - sinceMs,
        ok,
        problem,
        entries,
      });
      return found;
    });
    const running: Running = { sinceMs, taken: 0, total: null, report, ends };
    this.#running.set(file, running);
    return report.finally(() => this.#running.delete(file));
  }

  /** Ends every check that runs: whoever waits for its report hears that it was stopped. */
  stop(): boolean {
    for (const { ends } of this.#running.values()) ends.abort();
    return this.#running.size > 0;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  page(): Pick<StorageReport, 'running' | 'checks'> {
    return {
      running: [...this.#running].map(([file, { sinceMs, taken, total }]) => ({
        file,
        sinceMs,
        taken,
        total,
      })),
      checks: [...this.#last.values()],
    };
  }
}
