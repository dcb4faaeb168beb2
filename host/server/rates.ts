/** How much a display may ask for. */
import type { DisplayRole } from '../../wire/display.ts';

interface Rate {
  readonly aSecond: number;
  /** At once, after a pause. */
  readonly burst: number;
}

/**
 * The big table carries every seat's panel: seven hands that drum on it make 1,400 touches a
 * second.
 */
const OF_TABLE: Rate = { aSecond: 2_000, burst: 8_000 };
/** One pair of hands. */
const OF_OTHERS: Rate = { aSecond: 100, burst: 500 };
/** What cannot be read costs as much as twenty that can; a question as much as five. */
export const COST = { message: 1, query: 5, malformed: 20 } as const;
/** So many seconds of the rate in refused messages, and the display is hung up on. */
const PATIENCE_S = 5;
/** Sessions that are remembered: a display that comes again has no new credit. */
const REMEMBERED = 256;

interface Bucket {
  left: number;
  atMs: number;
  refused: number;
}

export type Allowance = 'go' | 'first-refused' | 'refused' | 'hang-up';

/** A bucket for each session, filled by a clock that nobody can set. */
export class Rates {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** May it send one more message? */
  take(session: string, role: DisplayRole): Allowance {
    const { aSecond, burst } = role === 'table' ? OF_TABLE : OF_OTHERS;
    const bucket = this.#bucket(session, aSecond, burst);
    if (bucket.left >= COST.message) {
      bucket.left -= COST.message;
      bucket.refused = 0;
      return 'go';
    }
    bucket.refused += 1;
    if (bucket.refused === 1) return 'first-refused';
    return bucket.refused > aSecond * PATIENCE_S ? 'hang-up' : 'refused';
  }

  /** What it sent costs more than a plain message. */
  charge(session: string, cost: number): void {
    const bucket = this.#buckets.get(session);
    if (bucket) bucket.left -= cost - COST.message;
  }

  #bucket(session: string, aSecond: number, burst: number): Bucket {
    const atMs = this.#now();
    const known = this.#buckets.get(session);
    if (known) {
      known.left = Math.min(burst, known.left + ((atMs - known.atMs) / 1_000) * aSecond);
      known.atMs = atMs;
      return known;
    }
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size < REMEMBERED) break;
      this.#buckets.delete(oldest);
    }
    const bucket = { left: burst, atMs, refused: 0 };
    this.#buckets.set(session, bucket);
    return bucket;
  }
}

const QUIET_MS = 1_000;

/**
 * Lines about what others send: one a second for each `about`, with the number of those that were
 * left out.
 */
export function quietly(
  log: (line: string) => void,
  now: () => number = () => performance.now(),
): (about: string, line: string) => void {
  const said = new Map<string, { atMs: number; left: number }>();
  return (about, line) => {
    const last = said.get(about);
    const atMs = now();
    if (last && atMs - last.atMs < QUIET_MS) {
      last.left += 1;
      return;
    }
    if (said.size >= REMEMBERED) said.clear();
    said.set(about, { atMs, left: 0 });
    log(last && last.left > 0 ? `${line} (and ${last.left} more like it)` : line);
  };
}
