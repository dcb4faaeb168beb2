import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Person, PersonRole } from '../../engine/table/inputs.ts';
import { type ListedPerson, PIN_HASH } from '../../ledger/chain/roster.codec.ts';
import type { LedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Credential } from '../../wire/fields.ts';
import type { Failures, HostEvent, Pad } from '../../wire/host-events.ts';
import type { TableView } from '../../wire/view.ts';
import { idAfter, lastOf } from '../program/life.ts';
import type { Terminal } from '../table/terminal.ts';

/**
 * `number`: what somebody types, or touches as a name, to say who they are. `pinHash`:
 * `scrypt$<log2 N>$<salt hex>$<hash hex>`, without the cost of an early version; the PIN itself is
 * stored nowhere.
 */
export type PersonRecord = ListedPerson;

/**
 * log2 of scrypt's N, with r = 8 and p = 1: 256 MiB and some 0.7 s of one core for each PIN that is
 * tried. Whoever has the file and two such cores tries the million PINs of six digits of one person
 * in four days (`node bench/pins.ts`).
 */
export const COST = 18;
/** Of records that carry no cost: the published ones of the demonstration. */
const EARLY_COST = 12;

interface PinHash {
  readonly cost: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

function readPinHash(text: string): PinHash {
  const [, cost, salt, hash] = PIN_HASH.exec(text) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('not a PIN made by `banca person`');
  const cut = { salt: Buffer.from(salt, 'hex'), hash: Buffer.from(hash, 'hex') };
  return { cost: cost === undefined ? EARLY_COST : Number(cost), ...cut };
}

/** Cheaper to search than the PINs that are made today. */
export const isWeakHash = (pinHash: string): boolean => readPinHash(pinHash).cost < COST;

const derive = (pin: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, fail) => {
    const N = 2 ** cost;
    // scrypt needs 128 · N · r bytes and a little.
    const options = { N, r: 8, p: 1, maxmem: 128 * N * 8 + 2 ** 20 };
    scrypt(pin, salt, 32, options, (error, key) => (error ? fail(error) : resolve(key)));
  });

/** Whether this is the PIN; takes as long as somebody at a pad waits. */
export async function isPinOf({ pinHash }: PersonRecord, pin: string): Promise<boolean> {
  const { cost, salt, hash } = readPinHash(pinHash);
  return timingSafeEqual(await derive(pin, salt, cost), hash);
}

/** `cost` below `COST` is for the PINs of tests and drills, which guard nothing. */
export async function hashPin(pin: string, cost = COST): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${cost}$${salt.toString('hex')}$${(await derive(pin, salt, cost)).toString('hex')}`;
}

/** Outside of the demonstration a PIN has as many digits at least. */
export const LEAST_DIGITS = 6;

/** The demonstration's published PINs are shorter. */
export const DEMONSTRATION_DIGITS = 4;

/** More names than these are no choice for a finger: the number is typed. */
const MOST_NAMES = 8;

export const namesOn = (records: readonly PersonRecord[]): TableView['pinPad']['people'] =>
  records.length > MOST_NAMES
    ? []
    : records.map(({ number, name, role }) => ({ person: number, name, role }));

/** Why nobody should have this PIN, as the end of a sentence; null = somebody may. */
export function whyNotPin(pin: string): string | null {
  if (pin.length < LEAST_DIGITS) return `it needs at least ${LEAST_DIGITS} digits`;
  const steps = [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index]));
  const [first] = steps;
  if (steps.every((step) => step === first) && Math.abs(first ?? 0) <= 1)
    return 'digits that are all the same or in a row are guessed first';
  return null;
}

/** Wrong PINs of one person in a row that cost no time. */
export const FREE_FAILURES = 3;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;

/** For how long no PIN of a person counts after so many wrong ones in a row. */
export const waitAfter = (failures: number): number =>
  failures <= FREE_FAILURES
    ? 0
    : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - FREE_FAILURES - 1));

/**
 * `failures`: all that stand now. The newest of these in the ledger is what the next life begins
 * with.
 */
export type PinAnswer =
  | {
      readonly person: Person;
      /** Set where wrong ones went before and are forgiven now. */
      readonly forgiven: { readonly pad: Pad; readonly failures: readonly Failures[] } | null;
    }
  | {
      /** The same for the display whatever it was; null = there is nothing new for the ledger. */
      readonly refused: {
        readonly why: 'nobody' | 'wrong-pin' | 'role' | 'no-card' | 'locked-out';
        readonly person: Person | null;
        readonly pad: Pad;
        /** No further PIN of theirs counts for so long. */
        readonly waitMs: number;
        readonly failures: readonly Failures[];
      } | null;
    };

interface Standing extends Failures {
  /** By the monotonic clock. */
  readonly untilMs: number;
  /** The ledger knows that somebody has tried in spite of it. */
  readonly told: boolean;
}

export interface PeopleOptions {
  /** Ms since anything, never going back and moved by nobody's clock. */
  readonly monotonic: () => number;
  /** What stood at the end of the life before: every wait begins once more. */
  readonly failures?: readonly Failures[];
  /** Whether they have shown their card, or need none; absent: nobody does. */
  readonly hasShown?: (record: PersonRecord) => boolean;
}

interface Attempt {
  readonly credential: Credential;
  readonly roles: readonly PersonRole[];
  readonly pad: Pad;
  /** The pad it was typed on: no second attempt is taken from there while one is looked at. */
  readonly from: string;
}

/**
 * Who may do what by PIN. Somebody says who they are, so that one costly derivation answers and
 * wrong PINs count for that person alone. Whatever is refused takes the same derivation: neither
 * the answer nor its time tells whether a number is somebody's, whether the PIN was right for
 * another role, or whether the person has to wait.
 */
export class People {
  readonly #records: () => readonly PersonRecord[];
  readonly #decoy = { salt: randomBytes(16), hash: randomBytes(32) };
  readonly #monotonic: () => number;
  readonly #hasShown: (record: PersonRecord) => boolean;
  readonly #standing = new Map<string, Standing>();
  readonly #pads = new Set<string>();
  /** One derivation at a time: it fills 256 MiB. Staff go first. */
  readonly #waiting: Record<Pad, (() => void)[]> = { staff: [], players: [] };
  #isBusy = false;

  /** `records`: those who may be let in at the moment it is called. */
  constructor(records: () => readonly PersonRecord[], o: PeopleOptions) {
    const { monotonic, failures = [], hasShown = () => true } = o;
    this.#records = records;
    this.#monotonic = monotonic;
    this.#hasShown = hasShown;
    for (const { id, pad, count } of failures) this.#count(id, pad, count);
  }

  /** Of a staff number; null = nobody's. */
  #recordOf(number: string): PersonRecord | null {
    return this.#records().find((record) => record.number === number) ?? null;
  }

  /** As dear as the dearest PIN there is. */
  #nobodysHash(): PinHash {
    const costs = this.#records().map(({ pinHash }) => readPinHash(pinHash).cost);
    return { cost: Math.max(EARLY_COST, ...costs), ...this.#decoy };
  }

  /** Null: from there an attempt is being looked at, and this one was not. */
  async identify(attempt: Attempt): Promise<PinAnswer | null> {
    if (this.#pads.has(attempt.from)) return null;
    this.#pads.add(attempt.from);
    try {
      await this.#turn(attempt.pad);
      return await this.#identify(attempt).finally(() => this.#next());
    } finally {
      this.#pads.delete(attempt.from);
    }
  }

  #turn(pad: Pad): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting[pad].push(resolve);
      if (!this.#isBusy) this.#next();
    });
  }

  #next(): void {
    const next = this.#waiting.staff.shift() ?? this.#waiting.players.shift();
    this.#isBusy = next !== undefined;
    next?.();
  }

  async #identify({ credential, roles, pad }: Attempt): Promise<PinAnswer> {
    const record = this.#recordOf(credential.person);
    const person = record && { id: record.id, name: record.name, role: record.role };
    const { cost, salt, hash } = record ? readPinHash(record.pinHash) : this.#nobodysHash();
    const isHash = timingSafeEqual(await derive(credential.pin, salt, cost), hash);
    // The centre may have struck them off the list meanwhile.
    const isRight = isHash && this.#recordOf(credential.person)?.pinHash === record?.pinHash;
    const id = person?.id ?? null;
    const before = this.#standing.get(keyOf(id, pad));
    const leftMs = (before?.untilMs ?? 0) - this.#monotonic();
    if (before && leftMs > 0) {
      if (before.told) return { refused: null };
      this.#standing.set(keyOf(id, pad), { ...before, told: true });
      const failures = this.failures();
      return { refused: { why: 'locked-out', person, pad, waitMs: Math.ceil(leftMs), failures } };
    }
    const isShown = record !== null && this.#hasShown(record);
    if (person && isRight && isShown && roles.includes(person.role)) {
      const isForgiven = this.#standing.delete(keyOf(id, pad));
      return { person, forgiven: isForgiven ? { pad, failures: this.failures() } : null };
    }
    const waitMs = this.#count(id, pad, (before?.count ?? 0) + 1);
    const why = person === null ? 'nobody' : !isRight ? 'wrong-pin' : isShown ? 'role' : 'no-card';
    return { refused: { why, person, pad, waitMs, failures: this.failures() } };
  }

  #count(id: string | null, pad: Pad, count: number): number {
    const waitMs = waitAfter(count);
    this.#standing.set(keyOf(id, pad), {
      id,
      pad,
      count,
      untilMs: this.#monotonic() + waitMs,
      told: false,
    });
    return waitMs;
  }

  failures(): Failures[] {
    return [...this.#standing.values()].map(({ id, pad, count }) => ({ id, pad, count }));
  }
}

const keyOf = (id: string | null, pad: Pad): string => `${pad} ${id ?? ''}`;

/**
 * Command ids of the entries that carry `failures` are `access:<number>`, so that a start finds the
 * newest at once.
 */
const SERIES = 'access';

/** What stood at the end of the life before. */
export const failuresIn = (ledger: LedgerReader): readonly Failures[] =>
  (lastOf(ledger, SERIES)?.entry.body as { failures: readonly Failures[] } | undefined)?.failures ?? [];

/** On disk before anybody hears of it: a power cut takes no wrong PIN back. */
export function recordAccess(
  terminal: Terminal,
  event: Extract<HostEvent, { readonly failures?: readonly Failures[] }>,
): void {
  terminal.record(event, idAfter(lastOf(terminal.ledger, SERIES), SERIES));
}
