import type { Latency } from '../../wire/pages.ts';

const KEPT = 1_000;
/** Upper ends of the bars, ms; what is longer falls into the last one. */
const ENDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

/** How long things have taken lately: the newest thousand of each, of this life of the process. */
export class Latencies {
  readonly #of = new Map<string, { readonly ms: number[]; next: number; count: number }>();

  /** `what`: `commit`, `link`, or the id of a device. */
  took(what: string, ms: number): void {
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
