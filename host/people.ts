import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Person, PersonRole } from '../engine/table/inputs.ts';

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

export type PinAnswer = { readonly person: Person } | { readonly refused: 'unknown' | 'role' | 'locked-out' };

/** Who may do what by PIN. Failures are counted for the whole terminal, not per person: the PIN names the person. */
export class People {
  readonly #records: readonly PersonRecord[];
  readonly #now: () => number;
  #failures = 0;
  #lockedUntilMs = 0;

  constructor(records: readonly PersonRecord[], now: () => number) {
    this.#records = records;
    this.#now = now;
  }

  async identify(pin: string, roles: readonly PersonRole[]): Promise<PinAnswer> {
    if (this.#now() < this.#lockedUntilMs) return { refused: 'locked-out' };
    for (const { pinHash, ...person } of this.#records) {
      if (!(await matches(pin, pinHash))) continue;
      this.#failures = 0;
      return roles.includes(person.role) ? { person } : { refused: 'role' };
    }
    this.#failures += 1;
    if (this.#failures >= MAX_FAILURES) {
      this.#failures = 0;
      this.#lockedUntilMs = this.#now() + LOCK_OUT_MS;
    }
    return { refused: 'unknown' };
  }
}
