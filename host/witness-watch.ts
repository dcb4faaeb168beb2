import { toHex } from '../ledger/chain/entry.codec.ts';
import type { Witness } from '../ledger/store/witness.store.ts';
import type { UploadStatus } from '../ledger/sync/uploader.ts';
import type { Terminal } from './terminal.ts';

/** Entries after which money has left the table, or a life has begun or ended: before anybody can act on one it is witnessed. */
const AT_ONCE: ReadonlySet<string> = new Set([
  'hand-paid',
  'held-note-resolved',
  'credit-adjusted',
  'program-started',
  'program-stopped',
]);
/** All others wait until this has passed, so that a round costs the disk one write. */
const LAG_MS = 5_000;

/** Tells the witness what the ledger has on its disk; always after the ledger, so that it can only lag. */
export class WitnessWatch {
  readonly #witness: Witness | null;
  readonly #terminal: Terminal;
  readonly #log: (line: string) => void;
  #timer: NodeJS.Timeout | null = null;
  #seen = '';

  /** `witness` null: there is none, which the start has said. */
  constructor(witness: Witness | null, terminal: Terminal, log: (line: string) => void) {
    this.#witness = witness;
    this.#terminal = terminal;
    this.#log = log;
    terminal.onCommit(({ entries }) => {
      if (entries.some(({ kind }) => AT_ONCE.has(kind))) this.#see();
      else this.#timer ??= setTimeout(() => this.#see(), LAG_MS).unref();
    });
  }

  /** The centre has another history: this process ends, and its successor pays nothing. Throws. */
  forked({ proved, lastError }: UploadStatus): never {
    if (proved) this.#guard(() => this.#witness?.proved(proved, this.#terminal.ledger.head()));
    throw new Error(`the ledger is in dispute, money is locked: ${lastError}`);
  }

  #see(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const head = this.#terminal.ledger.head();
    const hash = toHex(head.hash);
    if (hash === this.#seen) return;
    this.#seen = hash;
    this.#guard(() => this.#witness?.saw(head));
  }

  /** The ledger is whole without a witness: play goes on, and the log says that nothing looks over it. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log(`THE WITNESS IS NOT WRITTEN: ${(error as Error).message}`);
    }
  }
}
