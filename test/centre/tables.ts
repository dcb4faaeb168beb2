/**
 * Tables that play while something happens to their centre: ledgers that grow, each with the
 * terminal's own uploader, over a road that the test may close or lead elsewhere.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createUploader, type Uploader } from '../../ledger/sync/uploader.ts';
import { until } from '../support/until.ts';
import { type GrowingLedger, growing, virtualLedger } from './virtual-ledger.ts';

export interface TablesOptions {
  readonly count: number;
  /** Of each, when it has played to its end. */
  readonly entries: number;
  readonly enrolDir: string;
  /** The centre that a table's message goes to; null where the road is closed. */
  readonly road: (table: number) => string | null;
}

/** Where the road begins; nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';
const PLAY_EVERY_MS = 40;
const FIRST_ENTRIES = 12;

export class Tables {
  readonly ledgers: readonly GrowingLedger[];
  /** Answers by their status, and messages without one. */
  readonly answers = new Map<number | 'none', number>();
  /** Longest time that a batch has waited for its answer. */
  slowestMs = 0;
  #seed = 0;
  readonly #o: TablesOptions;
  readonly #uploaders: Uploader[] = [];
  #playing: NodeJS.Timeout | null = null;

  constructor(o: TablesOptions) {
    this.#o = o;
    this.ledgers = Array.from({ length: o.count }, (_, i) => this.#made(i));
  }

  #made(i: number): GrowingLedger {
    const now = Date.now();
    this.#seed += 1;
    const whole = virtualLedger({
      terminalId: `table-${i + 1}`,
      seed: this.#seed,
      entryCount: this.#o.entries,
      fromMs: now - 3_600_000,
      toMs: now,
    });
    writeFileSync(join(this.#o.enrolDir, `${whole.terminalId}.pub`), whole.key.publicPem);
    return growing(whole, FIRST_ENTRIES);
  }

  /** The link of these tables, all of them unless said. */
  connect(from = 0, to = this.ledgers.length): void {
    for (let i = from; i < to; i += 1) {
      const ledger = this.ledgers[i]!;
      const uploader = createUploader(ledger, {
        url: NOWHERE,
        key: ledger.key,
        backoff: { firstMs: 50, mostMs: 500 },
        onStatus: () => undefined,
        fetch: (url, init) => this.#carry(i, String(url), init),
      });
      uploader.start();
      this.#uploaders[i] = uploader;
    }
  }

  async #carry(table: number, url: string, init?: RequestInit): Promise<Response> {
    const startMs = performance.now();
    const count = (status: number | 'none'): void => {
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    };
    try {
      const road = this.#o.road(table);
      if (road === null) throw new TypeError('fetch failed: the road is closed');
      const answer = await fetch(url.replace(NOWHERE, road), init);
      count(answer.status);
      return answer;
    } catch (error) {
      count('none');
      throw error;
    } finally {
      if (url.endsWith('/batches')) this.slowestMs = Math.max(this.slowestMs, performance.now() - startMs);
    }
  }

  /** Some entries each, again and again. */
  play(entriesAtOnce: number, everyMs = PLAY_EVERY_MS): void {
    this.#playing = setInterval(() => this.grow(entriesAtOnce), everyMs);
  }

  grow(entries: number): void {
    for (const [i, ledger] of this.ledgers.entries()) {
      ledger.grow(entries);
      this.#uploaders[i]?.wake();
    }
  }

  rest(): void {
    if (this.#playing !== null) clearInterval(this.#playing);
    this.#playing = null;
  }

  /** Newest acknowledged entry of each, 0 for none. */
  acked(): number[] {
    return this.ledgers.map((ledger) => ledger.acknowledged()?.seq ?? 0);
  }

  /** When the centre has acknowledged all that is written, in words of the links themselves. */
  async allAcked(limitMs = 120_000): Promise<void> {
    const isDone = (): boolean =>
      this.#uploaders.every((uploader, i) => {
        const { state, ackedSeq } = uploader.status();
        return state === 'up' && ackedSeq === this.ledgers[i]!.head().seq;
      });
    await until('the centre has everything', isDone, {
      limitMs,
      said: () => JSON.stringify(this.#uploaders.map((each) => each.status())),
    });
  }

  /** To the end of every ledger. */
  async playOut(): Promise<void> {
    this.rest();
    this.grow(this.#o.entries);
    await this.allAcked();
  }

  async stop(): Promise<void> {
    this.rest();
    await Promise.all(this.#uploaders.map((uploader) => uploader.stop()));
  }
}
