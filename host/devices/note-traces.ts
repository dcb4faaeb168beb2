/**
 * What an acceptor and its driver said to each other round the time of a note. A recording keeps
 * minutes; so the part of it that belongs to a note is laid into a file of its own when the note is
 * settled, and the newest are kept.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameRecord } from '../../hardware/ports.ts';
import { readJsonFile } from '../../ledger/chain/bounded-file.store.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import type { NoteTrace } from '../../wire/pages.ts';
import type { Drivers } from './drivers.ts';

/**
 * The unit has read the note before the host hears of it, and goes on talking after its last word.
 */
const BEFORE_MS = 4_000;
const AFTER_MS = 1_500;
/** Some 5 kB each. */
const KEPT = 1_000;
const MOST_FRAMES = 400;

const SETTLED: ReadonlySet<string> = new Set([
  'note-refused',
  'note-rejected-by-device',
  'note-held',
  'note-credited',
  'note-returned',
]);

/** As it is kept: what its frames say is said when it is looked at. */
type Kept = Omit<NoteTrace, 'frames'> & { readonly frames: readonly (FrameRecord & { times: number })[] };

export interface NoteTracesOptions {
  readonly folder: string;
  readonly drivers: Pick<Drivers, 'frames'>;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

export class NoteTraces {
  readonly #o: NoteTracesOptions;
  /** Entry and time a note began with, by acceptor. */
  readonly #open = new Map<number, { readonly seq: number; readonly atMs: number }>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Numbers of the entries, oldest first. */
  #kept: number[] = [];
  #hasFailed = false;

  constructor(o: NoteTracesOptions) {
    this.#o = o;
    try {
      mkdirSync(o.folder, { recursive: true, mode: 0o700 });
      this.#kept = readdirSync(o.folder)
        .map((name) => Number(/^(\d+)\.json$/.exec(name)?.[1]))
        .filter((seq) => Number.isSafeInteger(seq))
        .toSorted((a, b) => a - b);
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  /** Entries of a commit. */
  take(entries: readonly Entry[]): void {
    for (const { kind, seq, atMs, body } of entries) {
      if (!kind.startsWith('note-')) continue;
      const { acceptor, noteId } = body as { acceptor?: number; noteId?: string | null };
      if (acceptor === undefined) continue;
      if (kind === 'note-escrowed') this.#open.set(acceptor, { seq, atMs });
      if (!SETTLED.has(kind)) continue;
      const known = noteId == null || kind === 'note-refused' ? undefined : this.#open.get(acceptor);
      const begun = known ?? { seq, atMs };
      this.#open.delete(acceptor);
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        void this.#keep(acceptor, begun);
      }, AFTER_MS);
      this.#timers.add(timer);
    }
  }

  /** Of the note that began with this entry; `frames` empty where nothing is left of it. */
  of(seq: number, acceptor: number, atMs: number): Kept {
    try {
      return readJsonFile(this.#path(seq)) as Kept;
    } catch {
      return this.#now(acceptor, { seq, atMs });
    }
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #path(seq: number): string {
    return join(this.#o.folder, `${seq}.json`);
  }

  #now(acceptor: number, { seq, atMs }: { readonly seq: number; readonly atMs: number }): Kept {
    const device = `acceptor-${acceptor}`;
    const frames = this.#o.drivers.frames(device, atMs - BEFORE_MS, this.#o.now());
    return { seq, device, frames: repeated(frames).slice(0, MOST_FRAMES) };
  }

  async #keep(acceptor: number, begun: { readonly seq: number; readonly atMs: number }): Promise<void> {
    const trace = this.#now(acceptor, begun);
    if (trace.frames.length === 0) return;
    try {
      await writeFile(this.#path(begun.seq), JSON.stringify(trace), { mode: 0o600 });
      this.#kept.push(begun.seq);
      while (this.#kept.length > KEPT) rmSync(this.#path(this.#kept.shift()!), { force: true });
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  /** Said once: no trace is worth a terminal. */
  #failed(error: Error): void {
    if (!this.#hasFailed) this.#o.log(`traces of notes cannot be kept: ${error.message}`);
    this.#hasFailed = true;
  }
}

/**
 * A driver asks the same some times a second and hears the same: such a pair of frames is shown
 * once, with its number.
 */
export function repeated<F extends FrameRecord>(
  frames: readonly F[],
): readonly (F & { readonly times: number })[] {
  const told: (F & { times: number })[] = [];
  let phase = 0;
  for (const frame of frames) {
    const before = told[told.length - 2 + phase];
    if (before?.hex === frame.hex && before.direction === frame.direction) {
      before.times += 1;
      phase = 1 - phase;
    } else {
      told.push({ ...frame, times: 1 });
      phase = 0;
    }
  }
  return told;
}
