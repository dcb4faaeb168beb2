/**
 * What a ledger was once seen to have, kept where its data folder is not. An older image of the folder that is put back lacks
 * it, whether the centre can be asked or not. A file of one size, whatever the terminal plays: it holds the newest only.
 *
 * The ledger is on its disk first, the witness after it: a power cut leaves a witness that lags, and that is no fault.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../chain/bounded-file.store.ts';
import { toHex } from '../chain/entry.codec.ts';
import { syncToDisk } from './key.store.ts';
import type { Ledger } from './ledger.store.ts';

const Head = z.strictObject({ seq: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) });
const Seen = z.strictObject({
  v: z.literal(1),
  terminal: z.string(),
  keyId: z.string(),
  /** Newest entry that was seen on the disk. */
  head: Head,
  /** An entry that the centre proves to have and this ledger has not, or has with another hash; null = they agree. */
  centre: z.strictObject({ seq: z.int().min(0), hash: z.string().max(64) }).nullable(),
  /** When the word of the centre was made by which this ledger goes on, ms since 1970 UTC: none that is older counts. */
  wordAtMs: z.int().min(0),
});

/** An entry by number and hash; `hash` empty where only the number is known. */
export interface Claim {
  readonly seq: number;
  readonly hash: string;
}
type Seen = z.infer<typeof Seen>;

/** Why a ledger may not be gone on with. */
export interface Dispute {
  /** `older`: it ends before what is proved · `fork`: it has another entry there · `gone`: it is not the ledger that was here. */
  readonly kind: 'older' | 'fork' | 'gone';
  readonly why: string;
  /** The entry that it must have, where one is known. */
  readonly must: Claim | null;
}

export interface WitnessOptions {
  readonly folder: string;
  readonly terminalId: string;
  readonly keyId: string;
  /**
   * The terminal is one with real devices: its name has one ledger and no other, ever. Without: every key has its own, so that a
   * demonstration whose folder was taken away begins another.
   */
  readonly isOnlyOne: boolean;
}

const BOUNDS = { characters: 4_096, depth: 3 };
/** Files of demonstrations that were begun on this machine; older ones go. */
const DEMONSTRATIONS = 32;
const OF_A_KEY = /^[0-9a-f]{32}\.json$/;
/** Its name has a dash, no key's has. */
const fileOf = ({ terminalId, keyId, isOnlyOne }: WitnessOptions): string =>
  isOnlyOne ? `terminal-${terminalId}.json` : `${keyId}.json`;

export class Witness {
  readonly path: string;
  readonly #o: WitnessOptions;
  #seen: Seen | null;

  /** Throws the error of the system for a folder that cannot be made or read, SyntaxError or ZodError for a file that is none. */
  constructor(o: WitnessOptions) {
    this.#o = o;
    mkdirSync(o.folder, { recursive: true, mode: 0o700 });
    this.path = join(o.folder, fileOf(o));
    this.#seen = read(this.path);
  }

  /** The key that this terminal's ledger was begun with, where it is not the one given; else null. */
  get otherKey(): string | null {
    const keyId = this.#seen?.keyId ?? this.#o.keyId;
    return keyId === this.#o.keyId ? null : keyId;
  }

  /** Newest entry that was seen on the disk, null where nothing was. */
  get head(): Claim | null {
    return this.#seen?.head ?? null;
  }

  get wordAtMs(): number {
    return this.#seen?.wordAtMs ?? 0;
  }

  /** What this ledger lacks of what was seen; null = nothing. `ledger` null: there is none. */
  dispute(ledger: Pick<Ledger, 'hashAt' | 'head'> | null): Dispute | null {
    if (this.#seen === null) return null;
    const { terminal, keyId, head, centre } = this.#seen;
    const { path } = this;
    if (terminal !== this.#o.terminalId || keyId !== this.#o.keyId)
      return {
        kind: 'gone',
        why: `${path}: the ledger of this terminal was begun as ${terminal} with key ${keyId}`,
        must: head,
      };
    if (ledger === null)
      return { kind: 'gone', why: `${path}: there was a ledger with entry ${head.seq}`, must: head };
    for (const [must, who] of [
      [centre, 'the centre has it'],
      [head, 'it was on this disk'],
    ] as const) {
      const own = must && ledger.hashAt(must.seq);
      if (must === null || (own !== null && toHex(own!) === must.hash)) continue;
      return own === null
        ? {
            kind: 'older',
            why: `entry ${must.seq} is missing, ${who}; the ledger ends at ${ledger.head().seq}`,
            must,
          }
        : {
            kind: 'fork',
            why: `entry ${must.seq} has another hash, ${who} with ${must.hash || 'another one'}`,
            must,
          };
    }
    return null;
  }

  /** These are on the ledger's disk. Returns when that is on the witness's disk. */
  saw({ seq, hash }: { readonly seq: number; readonly hash: Uint8Array }): void {
    const { centre, wordAtMs } = this.#seen ?? { centre: null, wordAtMs: 0 };
    this.#write({ head: { seq, hash: toHex(hash) }, centre, wordAtMs });
  }

  /** The centre proves an entry that the ledger has not: from now on it must have it. `hash` empty: the centre did not say which. */
  proved(centre: Claim, head: Parameters<Witness['saw']>[0]): void {
    const own = this.#seen?.head ?? { seq: head.seq, hash: toHex(head.hash) };
    this.#write({ head: own, wordAtMs: this.wordAtMs, centre });
  }

  /** By the word of the centre made at `wordAtMs` the ledger with this head is the true one. */
  settled(head: Parameters<Witness['saw']>[0], wordAtMs: number): void {
    this.#write({ head: { seq: head.seq, hash: toHex(head.hash) }, wordAtMs, centre: null });
  }

  #write(what: Pick<Seen, 'head' | 'centre' | 'wordAtMs'>): void {
    const { folder, terminalId, keyId } = this.#o;
    if (this.#seen === null) makeRoom(folder);
    const seen: Seen = { v: 1, terminal: terminalId, keyId, ...what };
    const temporary = `${this.path}.new`;
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeSync(file, JSON.stringify(seen));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, this.path);
    syncToDisk(folder);
    this.#seen = seen;
  }
}

function read(path: string): Seen | null {
  return existsSync(path) ? Seen.parse(readJsonFile(path, BOUNDS)) : null;
}

function makeRoom(folder: string): void {
  const old = readdirSync(folder)
    .filter((name) => OF_A_KEY.test(name))
    .map((name) => ({ path: join(folder, name), atMs: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.atMs - a.atMs);
  for (const { path } of old.slice(DEMONSTRATIONS - 1)) rmSync(path);
}
