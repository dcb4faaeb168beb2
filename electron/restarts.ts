/** When a process that ended is started again, and when that is given up. Pure. */

export interface RestartLimits {
  /** Wait before the first restart, doubled with every short life after it. */
  readonly minWaitMs: number;
  readonly maxWaitMs: number;
  /** A life longer than this was a healthy one: the next wait is the shortest again. */
  readonly healthyMs: number;
  /** At most this many restarts within `windowMs`. */
  readonly cap: number;
  readonly windowMs: number;
}

export const RESTART_LIMITS: RestartLimits = {
  minWaitMs: 250,
  maxWaitMs: 15_000,
  healthyMs: 10_000,
  cap: 10,
  windowMs: 600_000,
};

export interface RestartHistory {
  /** Short lives in a row. */
  readonly shortLives: number;
  /** Times of the restarts that still count, in the clock of the caller, ascending. */
  readonly restartsMs: readonly number[];
}

export const NO_RESTARTS: RestartHistory = { shortLives: 0, restartsMs: [] };

export type RestartVerdict =
  | { readonly again: true; readonly waitMs: number; readonly history: RestartHistory }
  | { readonly again: false; readonly restarts: number };

/** Decides after a process has ended at `nowMs` having lived `livedMs`. */
export function afterExit(
  history: RestartHistory,
  nowMs: number,
  livedMs: number,
  limits: RestartLimits,
): RestartVerdict {
  const recent = history.restartsMs.filter((at) => at > nowMs - limits.windowMs);
  if (recent.length >= limits.cap) return { again: false, restarts: recent.length };
  const shortLives = livedMs > limits.healthyMs ? 0 : history.shortLives + 1;
  const waitMs = Math.min(limits.maxWaitMs, limits.minWaitMs * 2 ** Math.max(0, shortLives - 1));
  return { again: true, waitMs, history: { shortLives, restartsMs: [...recent, nowMs] } };
}
