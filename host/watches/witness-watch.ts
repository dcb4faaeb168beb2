import { toHex } from '../../ledger/chain/entry.codec.ts';
import type { NamedWitness, Witness } from '../../ledger/store/witness.store.ts';
import type { UploadStatus } from '../../ledger/sync/uploader.ts';
import type { Starts } from '../program/life.ts';
import type { Terminal } from '../table/terminal.ts';
import type { OwnFaults } from './own-faults.ts';

/**
 * Entries after which money has left the table, or a life has begun or ended: before anybody can
 * act on one it is witnessed.
 */
const AT_ONCE: ReadonlySet<string> = new Set([
  'hand-paid',
  'held-note-resolved',
  'credit-adjusted',
  'program-started',
  'program-stopped',
]);
/** All others wait until this has passed, so that a round costs the disk one write. */
const LAG_MS = 5_000;

/**
 * A witness that cannot be written is tried again this often, until what is on its disk is right
 * again.
 */
const AGAIN_MS = 5_000;

/**
 * Tells the witness what the ledger has on its disk; always after the ledger, so that it can only
 * lag.
 */
export class WitnessWatch {
  readonly #witness: Witness | null;
  readonly #terminal: Terminal;
  readonly #log: (line: string) => void;
  readonly #wordAtMs: number;
  #own: OwnFaults | null = null;
  #timer: NodeJS.Timeout | null = null;
  #seen = '';
  #starts: number;
  #problem: string | null = null;
  #isStopped = false;

  /**
   * `witness` null: nobody wants one. It is on its disk before this life writes anything into the
   * ledger, so that a start can name it.
   */
  constructor(witness: Witness | null, terminal: Terminal, log: (line: string) => void, starts: Starts) {
    this.#witness = witness;
    this.#terminal = terminal;
    this.#log = log;
    this.#wordAtMs = starts.wordAtMs;
    this.#starts = starts.count;
    this.#see();
    terminal.onCommit(({ entries }) => {
      if (entries.some(({ kind }) => kind === 'program-started')) this.#starts += 1;
      if (entries.some(({ kind }) => AT_ONCE.has(kind))) this.#see();
      else this.#later(LAG_MS);
    });
  }

  get named(): NamedWitness | null {
    return this.#witness?.named ?? null;
  }

  /** From here on a witness that cannot be written is a fault of this machine. */
  start(own: OwnFaults): void {
    this.#own = own;
    this.#tell();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** The centre has another history: this process ends, and its successor pays nothing. Throws. */
  forked({ proved, lastError }: UploadStatus): never {
    if (proved) this.#guard(() => this.#witness?.proved(proved, this.#terminal.ledger.head()));
    throw new Error(`the ledger is in dispute, money is locked: ${lastError}`);
  }

  #later(ms: number): void {
    if (!this.#isStopped) this.#timer ??= setTimeout(() => this.#see(), ms).unref();
  }

  #see(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const head = this.#terminal.ledger.head();
    const hash = toHex(head.hash);
    if (hash === this.#seen) return;
    const of = { starts: this.#starts, wordAtMs: this.#wordAtMs };
    if (this.#guard(() => this.#witness?.saw(head, of))) this.#seen = hash;
    else this.#later(AGAIN_MS);
  }

  /**
   * The ledger is whole without a witness: play goes on, and a fault says that nothing looks over
   * it.
   */
  #guard(work: () => void): boolean {
    const was = this.#problem;
    try {
      work();
      this.#problem = null;
    } catch (error) {
      this.#problem = (error as Error).message;
      this.#log(`THE WITNESS IS NOT WRITTEN: ${this.#problem}`);
    }
    // Out of the commit that is being told: this may be the next one.
    if ((was === null) !== (this.#problem === null)) setImmediate(() => this.#tell());
    return this.#problem === null;
  }

  #tell(): void {
    if (this.#isStopped) return;
    const place = this.#problem ?? undefined;
    this.#own?.set('witness', 'witness-failed', place !== undefined, place === undefined ? {} : { place });
  }
}
