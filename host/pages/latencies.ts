import type { Entry } from '../../ledger/store/ledger.store.ts';
import type { Latency } from '../../wire/pages.ts';

const KEPT = 1_000;
/** Upper ends of the bars, ms; what is longer falls into the last one. */
const ENDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

/**
 * `commit`: one write to the ledger · `link`: from an entry to the centre's answer · `touch` and
 * `card`: from the finger, or from the shoe's word, until the entry is on the disk · `note`: from
 * escrow until the credit is · else the id of a device, which has answered.
 */
export type Took = 'commit' | 'link' | 'touch' | 'card' | 'note' | (string & {});

/** How long things have taken lately: the newest thousand of each, of this life of the process. */
export class Latencies {
  readonly #of = new Map<string, { readonly ms: number[]; next: number; count: number }>();
  /** Notes in escrow: acceptor -> which one, since when. */
  readonly #escrowed = new Map<number, { readonly noteId: string; readonly atMs: number }>();
  #listener: (what: Took, ms: number) => void = () => {};

  /** `listener` hears each from now on. */
  listen(listener: (what: Took, ms: number) => void): void {
    this.#listener = listener;
  }

  /** These entries of one commit are on the disk, at `nowMs` of the terminal's clock. */
  stored(entries: readonly Pick<Entry, 'kind' | 'body' | 'atMs'>[], nowMs: number): void {
    let touchedAtMs: number | null = null;
    for (const { kind, body, atMs } of entries) {
      const facts = body as { touchedAtMs?: number; acceptor?: number; noteId?: string };
      // One finger may lay several chips.
      touchedAtMs ??= facts.touchedAtMs ?? null;
      const { acceptor = 0, noteId = '' } = facts;
      if (kind === 'note-escrowed') this.#escrowed.set(acceptor, { noteId, atMs });
      const since = kind === 'note-credited' ? this.#escrowed.get(acceptor) : undefined;
      // Another one: its escrow was in a life before this one.
      if (since?.noteId === noteId) this.took('note', nowMs - since.atMs);
    }
    if (touchedAtMs !== null) this.took('touch', Math.max(0, nowMs - touchedAtMs));
  }

  took(what: Took, ms: number): void {
    this.#listener(what, ms);
    let of = this.#of.get(what);
    if (of === undefined) {
      of = { ms: [], next: 0, count: 0 };
      this.#of.set(what, of);
    }
    of.ms[of.next] = ms;
    of.next = (of.next + 1) % KEPT;
    of.count += 1;
  }

  page(): Latency[] {
    return [...this.#of].map(([what, { ms, count }]) => {
      const sorted = ms.toSorted((a, b) => a - b);
      const at = (part: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
      const bars = [...ENDS_MS, Infinity].map((end, i) => {
        const from = ENDS_MS[i - 1] ?? -Infinity;
        return {
          upToMs: end === Infinity ? null : end,
          count: ms.filter((each) => each > from && each <= end).length,
        };
      });
      return {
        what,
        count,
        kept: ms.length,
        medianMs: at(0.5),
        p95Ms: at(0.95),
        mostMs: sorted.at(-1)!,
        bars,
      };
    });
  }
}
