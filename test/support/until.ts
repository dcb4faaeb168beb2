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
 * Waits for a positive sign: the first answer of `look` that is not null, undefined or false.
 * Rejects with `what` when there is none in time.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { limitMs = 120_000, everyMs = 20, said = () => '' }: UntilOptions = {},
): Promise<Exclude<NonNullable<T>, false>> {
  for (const end = performance.now() + limitMs; ; await sleep(everyMs)) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false)
      return found as Exclude<NonNullable<T>, false>;
    if (performance.now() > end) assert.fail(`never: ${what}; ${said()}`);
  }
}
