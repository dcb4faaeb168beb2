import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

export interface UntilOptions {
  /** How long it may take on a machine under any load. */
  readonly limitMs?: number;
  /** Between two looks. */
  readonly everyMs?: number;
  /** What else to say when it never comes. */
  readonly said?: () => string;
}

/**
 * A look that itself takes time, at a whole ledger or at every process, comes more seldom: what is
 * waited for needs the processor too.
 */
const REST = 3;
const LONGEST_REST_MS = 250;

/**
 * Waits for a positive sign: the first answer of `look` that is not null, undefined or false.
 * Rejects with `what` when there is none in time.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { limitMs = 120_000, everyMs = 20, said = () => '' }: UntilOptions = {},
): Promise<Exclude<NonNullable<T>, false>> {
  for (const end = performance.now() + limitMs; ; ) {
    const from = performance.now();
    const found = await look();
    if (found !== null && found !== undefined && found !== false)
      return found as Exclude<NonNullable<T>, false>;
    const now = performance.now();
    if (now > end) assert.fail(`never: ${what}; ${said()}`);
    await sleep(Math.max(everyMs, Math.min(REST * (now - from), LONGEST_REST_MS)));
  }
}
