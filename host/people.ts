import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Person, PersonRole } from '../engine/table/inputs.ts';
import type { Ledger } from '../ledger/store/ledger.store.ts';

export interface PersonRecord extends Person {
  /** `scrypt$<salt hex>$<hash hex>`; the PIN itself is stored nowhere. */
  readonly pinHash: string;
}

const derive = (pin: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, fail) => {
    scrypt(pin, salt, 32, { N: 4096, r: 8, p: 1 }, (error, key) => (error ? fail(error) : resolve(key)));
  });

export async function hashPin(pin: string, salt: Buffer = randomBytes(16)): Promise<string> {
  return `scrypt$${salt.toString('hex')}$${(await derive(pin, salt)).toString('hex')}`;
}

async function matches(pin: string, pinHash: string): Promise<boolean> {
  const [scheme, salt, hash] = pinHash.split('$');
  if (scheme !== 'scrypt' || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'hex');
  const given = await derive(pin, Buffer.from(salt, 'hex'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Failures in a row before the door stays shut, and for how long; a PIN has only 10^4 values. */
export const MAX_FAILURES = 5;
export const LOCK_OUT_MS = 5 * 60_000;

export type PinAnswer =
  | { readonly person: Person }
  | {
      readonly refused: 'unknown' | 'role' | 'locked-out';
      /** Whose PIN it was, where it was somebody's. */
      readonly person: Person | null;
      /** Set while the door is shut: no PIN is tried before then, ms since 1970 UTC. */
      readonly lockedUntilMs: number | null;
    };

/** Who may do what by PIN. Failures are counted for the whole terminal, not per person: the PIN names the person. */
export class People {
  readonly #records: readonly PersonRecord[];
  readonly #now: () => number;
  #failures = 0;
  #lockedUntilMs: number;
  #last: Promise<unknown> = Promise.resolve();

  /** `lockedUntilMs`: a lock-out of an earlier life of this process; switching off and on opens no door. */
  constructor(records: readonly PersonRecord[], now: () => number, lockedUntilMs = 0) {
    this.#records = records;
    this.#now = now;
    this.#lockedUntilMs = lockedUntilMs;
  }

  /** One PIN after the other: of a thousand that are sent at once only the first five are tried. */
  identify(pin: string, roles: readonly PersonRole[]): Promise<PinAnswer> {
    const answer = this.#last.then(() => this.#identify(pin, roles));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #identify(pin: string, roles: readonly PersonRole[]): Promise<PinAnswer> {
    if (this.#now() < this.#lockedUntilMs)
      return { refused: 'locked-out', person: null, lockedUntilMs: this.#lockedUntilMs };
    for (const { pinHash, ...person } of this.#records) {
      if (!(await matches(pin, pinHash))) continue;
      // A PIN that may not do this opens nothing and forgives nothing: else a dealer could guess four PINs, name
      // himself, and guess on.
      if (!roles.includes(person.role)) return { refused: 'role', person, lockedUntilMs: null };
      this.#failures = 0;
      return { person };
    }
    this.#failures += 1;
    const isOut = this.#failures >= MAX_FAILURES;
    if (isOut) {
      this.#failures = 0;
      this.#lockedUntilMs = this.#now() + LOCK_OUT_MS;
    }
    return { refused: 'unknown', person: null, lockedUntilMs: isOut ? this.#lockedUntilMs : null };
  }
}

/** End of a lock-out that is not over, 0 for none; `nowMs` by the host's clock. It can only stand in the newest entries. */
export function lockedOutUntil(ledger: Ledger, nowMs: number): number {
  for (let beforeSeq = ledger.head().seq + 1; beforeSeq > 1; ) {
    const page = ledger.newest({ beforeSeq, limit: 200, kind: null });
    for (const { kind, body, atMs } of page) {
      if (atMs < nowMs - LOCK_OUT_MS) return 0;
      if (kind === 'access-refused') return (body as { lockedUntilMs: number | null }).lockedUntilMs ?? 0;
    }
    beforeSeq = page.at(-1)?.seq ?? 1;
  }
  return 0;
}
