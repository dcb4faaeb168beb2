/**
 * What a ledger was once seen to have, kept where its data folder is not. An older image of the
 * folder that is put back lacks it, whether the centre can be asked or not. A file of one size,
 * whatever the terminal plays: it holds the newest only.
 *
 * The ledger is on its disk first, the witness after it: a power cut leaves a witness that lags,
 * and that is no fault.
 */
import { randomBytes } from 'node:crypto';
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
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../chain/bounded-file.store.ts';
import { toHex } from '../chain/entry.codec.ts';
import { KEY_FILE, syncToDisk } from './key.store.ts';
import type { Ledger } from './ledger.store.ts';

const Head = z.strictObject({ seq: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) });
const Seen = z.strictObject({
  v: z.literal(1),
  /**
   * Made with the file, and named by every later start of the ledger; empty in a file of an early
   * version.
   */
  id: z.string().max(64).default(''),
  terminal: z.string(),
  keyId: z.string(),
  /** The data folder; empty in a file of an early version. */
  data: z.string().max(4_096).default(''),
  /** Starts that the ledger has. */
  starts: z.int().min(0).default(0),
  /** Newest entry that was seen on the disk. */
  head: Head,
  /**
   * An entry that the centre proves to have and this ledger has not, or has with another hash; null
   * = they agree.
   */
  centre: z.strictObject({ seq: z.int().min(0), hash: z.string().max(64) }).nullable(),
  /**
   * When the word of the centre was made by which this ledger goes on, ms since 1970 UTC: none that
   * is older counts.
   */
  wordAtMs: z.int().min(0),
});

/** An entry by number and hash; `hash` empty where only the number is known. */
export interface Claim {
  readonly seq: number;
  readonly hash: string;
}
type Seen = z.infer<typeof Seen>;

/** The witness that a ledger has named in its newest start. */
export interface NamedWitness {
  readonly id: string;
  /**
   * Machine and folder. A demonstration that is carried elsewhere has left its witness behind, and
   * begins another.
   */
  readonly at: string;
}

const atOf = (folder: string): string => `${hostname()}:${resolve(folder)}`;
/** The folder of a witness that was named on this machine, null on another one. */
export const folderOf = ({ at }: NamedWitness): string | null =>
  at.startsWith(`${hostname()}:`) ? at.slice(hostname().length + 1) : null;

/** Why a ledger may not be gone on with. */
export interface Dispute {
  /**
   * `older`: it ends before what is proved · `fork`: it has another entry there · `gone`: it is not
   * the ledger that was here · `unwitnessed`: it names a witness that is not there, so nobody can
   * tell whether it is an older image.
   */
  readonly kind: 'older' | 'fork' | 'gone' | 'unwitnessed';
  readonly why: string;
  /** The entry that it must have, where one is known. */
  readonly must: Claim | null;
}

/** What the witness must know of a ledger to compare it. */
export type Witnessed = Pick<Ledger, 'hashAt' | 'head'> & { readonly named: NamedWitness | null };

export interface WitnessOptions {
  readonly folder: string;
  /** The data folder. */
  readonly data: string;
  readonly terminalId: string;
  readonly keyId: string;
  /**
   * The terminal is one with real devices: its name has one ledger and no other, ever. Without:
   * every key has its own, so that a demonstration whose folder was taken away begins another.
   */
  readonly isOnlyOne: boolean;
}

const BOUNDS = { characters: 8_192, depth: 3 };
/**
 * Files of demonstrations that were begun on this machine; older ones go, unless their data folder
 * is still there.
 */
const DEMONSTRATIONS = 32;
const OF_A_KEY = /^[0-9a-f]{32}\.json$/;
/** Its name has a dash, no key's has. */
const fileOf = ({ terminalId, keyId, isOnlyOne }: WitnessOptions): string =>
  isOnlyOne ? `terminal-${terminalId}.json` : `${keyId}.json`;

export class Witness {
  readonly path: string;
  readonly #at: string;
  readonly #o: WitnessOptions;
  #seen: Seen | null = null;
  #unreadable: string | null = null;

  constructor(o: WitnessOptions) {
    this.#o = o;
    this.path = join(o.folder, fileOf(o));
    this.#at = atOf(o.folder);
    try {
      this.#seen = read(this.path);
    } catch (error) {
      this.#unreadable = (error as Error).message;
    }
  }

  /**
   * The key that this terminal's ledger was begun with, where it is not the one given; else null.
   */
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

  /** For the ledger's next start; null while it is not on the disk. */
  get named(): NamedWitness | null {
    return this.#seen === null || this.#seen.id === '' ? null : { id: this.#seen.id, at: this.#at };
  }

  /** What this ledger lacks of what was seen; null = nothing. `ledger` null: there is none. */
  dispute(ledger: Witnessed | null): Dispute | null {
    const { path } = this;
    const named = ledger?.named ?? null;
    const isMissing = named !== null && named.id !== this.#seen?.id;
    if (isMissing && (this.#o.isOnlyOne || named.at === this.#at) && this.otherKey === null) {
      const found = this.#unreadable ?? (this.#seen === null ? 'it is not there' : 'this is another one');
      return {
        kind: 'unwitnessed',
        why: `${path}: the ledger names witness ${named.id}: ${found}`,
        must: null,
      };
    }
    if (this.#seen === null) return null;
    const { terminal, keyId, head, centre } = this.#seen;
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

  /**
   * These are on the ledger's disk: the newest entry, and with it how many starts, and when the
   * newest word that it goes on by was made. Returns when that is on the witness's disk.
   */
  saw({ seq, hash }: Head, { starts = 0, wordAtMs = 0 } = {}): void {
    const was = this.#seen;
    this.#write({
      head: { seq, hash: toHex(hash) },
      centre: was?.centre ?? null,
      starts: Math.max(starts, was?.starts ?? 0),
      wordAtMs: Math.max(wordAtMs, this.wordAtMs),
    });
  }

  /**
   * The centre proves an entry that the ledger has not: from now on it must have it. `hash` empty:
   * the centre did not say which.
   */
  proved(centre: Claim, head: Head): void {
    const own = this.#seen?.head ?? { seq: head.seq, hash: toHex(head.hash) };
    this.#write({ head: own, wordAtMs: this.wordAtMs, centre, starts: this.#seen?.starts ?? 0 });
  }

  /**
   * By the word of the centre made at `wordAtMs` the ledger with this head is the true one, and
   * this is the witness that it names.
   */
  settled({ seq, hash }: Head, wordAtMs: number, named: NamedWitness | null): void {
    this.#write({ head: { seq, hash: toHex(hash) }, wordAtMs, centre: null, starts: 0 }, named?.id);
  }

  #write(what: Pick<Seen, 'head' | 'centre' | 'wordAtMs' | 'starts'>, id?: string): void {
    const { folder, terminalId, keyId, data } = this.#o;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (this.#seen === null) makeRoom(folder, resolve(data));
    const seen: Seen = {
      v: 1,
      id: id || this.#seen?.id || randomBytes(16).toString('hex'),
      terminal: terminalId,
      keyId,
      data: resolve(data),
      ...what,
    };
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
    this.#unreadable = null;
  }
}

type Head = ReturnType<Ledger['head']>;

function read(path: string): Seen | null {
  return existsSync(path) ? Seen.parse(readJsonFile(path, BOUNDS)) : null;
}

function makeRoom(folder: string, ownData: string): void {
  const old = readdirSync(folder)
    .filter((name) => OF_A_KEY.test(name))
    .map((name) => ({ path: join(folder, name), atMs: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.atMs - a.atMs);
  for (const { path } of old.slice(DEMONSTRATIONS - 1)) if (!isInUse(path, ownData)) rmSync(path);
}

/** Our own data folder has our key, and no longer that of an earlier demonstration there. */
function isInUse(path: string, ownData: string): boolean {
  try {
    const data = read(path)?.data ?? '';
    return data !== '' && data !== ownData && existsSync(join(data, KEY_FILE));
  } catch {
    return false;
  }
}
