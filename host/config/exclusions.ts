import { randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { isTaken } from '../../engine/table/draft.ts';
import { readBoundedBytes } from '../../ledger/chain/bounded-file.store.ts';
import { parseBounded } from '../../ledger/chain/bounded-json.ts';
import type { Terminal } from '../table/terminal.ts';
import type { OwnFaults } from '../watches/own-faults.ts';

/**
 * People who may not play, as the house or its centre keeps them: no names, and of the number of
 * each document the hash alone. One salt for all of them, so that one question is one derivation.
 */
const exclusionsSchema = z.strictObject({
  format: z.literal('banca-exclusions/1'),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  /** log2 of scrypt's N. */
  cost: z.int().min(12).max(20),
  hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(200_000),
});
export type ExclusionList = z.infer<typeof exclusionsSchema>;

const BOUNDS = { characters: 16_000_000, depth: 3 };
/** 16 MiB and some 50 ms of one core for each number that somebody tries. */
const COST = 14;

/** As it is typed and as it is printed are the same: letters and digits alone count. */
const plainOf = (document: string): string => document.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const hashOf = (document: string, { salt, cost }: Pick<ExclusionList, 'salt' | 'cost'>): Promise<string> =>
  new Promise((resolve, fail) => {
    const N = 2 ** cost;
    const options = { N, r: 8, p: 1, maxmem: 128 * N * 8 + 2 ** 20 };
    scrypt(plainOf(document), Buffer.from(salt, 'hex'), 32, options, (error, key) =>
      error ? fail(error) : resolve(key.toString('hex')),
    );
  });

export async function makeExclusions(documents: readonly string[]): Promise<ExclusionList> {
  const list = { salt: randomBytes(16).toString('hex'), cost: COST };
  const hashes = new Set<string>();
  for (const document of documents) if (plainOf(document) !== '') hashes.add(await hashOf(document, list));
  return { format: 'banca-exclusions/1', ...list, hashes: [...hashes].sort() };
}

/** Throws where there is no such file, or it is none. */
const readExclusions = (path: string): ExclusionList =>
  exclusionsSchema.parse(parseBounded(readBoundedBytes(path, BOUNDS.characters).toString(), BOUNDS));

const FAULT = 'excluded-person';
const partOf = (seat: number): string => `seat:${seat}`;

/**
 * Asked by an attendant, answered from a file without a network. Whoever is on it lays no bet at
 * their seat until they have been paid and have gone; the ledger has that somebody asked, and the
 * answer.
 */
export class Exclusions {
  readonly #terminal: Terminal;
  readonly #own: OwnFaults;
  readonly #path: string | null;

  constructor(o: { readonly terminal: Terminal; readonly own: OwnFaults; readonly path: string | null }) {
    this.#terminal = o.terminal;
    this.#own = o.own;
    this.#path = o.path;
  }

  start(): void {
    this.#terminal.onCommit(() => {
      if (this.#locked().length > 0) setImmediate(() => this.#free());
    });
    this.#free();
  }

  /** Null: there is no list, or it cannot be read; it is read anew, for the house renews it. */
  async isListed(document: string): Promise<boolean | null> {
    if (this.#path === null) return null;
    try {
      const list = readExclusions(this.#path);
      return list.hashes.includes(await hashOf(document, list));
    } catch {
      return null;
    }
  }

  /** No bet is laid from this seat any more. */
  lock(seat: number): void {
    if (isTaken(this.#terminal.state, seat)) this.#own.set(partOf(seat), FAULT, true, { seats: [seat] });
  }

  #locked(): number[] {
    return this.#terminal.state.faults.flatMap(({ device, fault }) =>
      fault === FAULT ? [Number(device.slice(partOf(0).length - 1))] : [],
    );
  }

  /** They have gone. */
  #free(): void {
    for (const seat of this.#locked())
      if (!isTaken(this.#terminal.state, seat)) this.#own.set(partOf(seat), FAULT, false);
  }
}
