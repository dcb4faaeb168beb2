import { randomBytes, scrypt } from 'node:crypto';
import { join } from 'node:path';
import { isTaken } from '../../engine/table/draft.ts';
import { readBounded } from '../../ledger/chain/bounded-file.store.ts';
import {
  EXCLUSION_CHARACTERS,
  type ExclusionList,
  readExclusions,
} from '../../ledger/chain/exclusions.codec.ts';
import { type OrdersInForce, ordersIn } from '../../ledger/sync/command-desk.ts';
import type { Terminal } from '../table/terminal.ts';
import type { OwnFaults } from '../watches/own-faults.ts';
import { KeptText } from './kept-text.ts';

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
  readonly #kept: KeptText;
  #order: OrdersInForce['exclusions'] = null;

  /** `path`: the list of the terminal file, until the centre has sent one; null = there is none. */
  constructor(o: {
    readonly terminal: Terminal;
    readonly own: OwnFaults;
    readonly path: string | null;
    readonly dataDir: string;
  }) {
    this.#terminal = o.terminal;
    this.#own = o.own;
    this.#path = o.path;
    // Without a key for commands, too: pulling it does not bring the old list back.
    this.#order = ordersIn(o.terminal.ledger).orders.exclusions;
    this.#kept = new KeptText(join(o.dataDir, 'exclusions'), EXCLUSION_CHARACTERS);
  }

  /** On disk before the order that names it. */
  keep(sha256: string, text: string): void {
    this.#kept.keep(sha256, text);
  }

  /** The order is on the ledger: from here on this list alone counts. */
  take(order: OrdersInForce['exclusions']): void {
    if (order === null || order.no === this.#order?.no) return;
    this.#order = order;
    this.#kept.dropOthers(order.sha256);
  }

  start(): void {
    this.#terminal.onCommit(() => {
      if (this.#locked().length > 0) setImmediate(() => this.#free());
    });
    this.#free();
  }

  /** Null: there is no list, or it cannot be read; it is read anew, for the house renews it. */
  async isListed(document: string): Promise<boolean | null> {
    const list = this.#list();
    return list === null
      ? null
      : await hashOf(document, list).then(
          (hash) => list.hashes.includes(hash),
          () => null,
        );
  }

  #list(): ExclusionList | null {
    try {
      const text =
        this.#order !== null
          ? this.#kept.read(this.#order.sha256)
          : this.#path && readBounded(this.#path, EXCLUSION_CHARACTERS);
      const list = text && readExclusions(text);
      return list === null || typeof list === 'string' ? null : list;
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
