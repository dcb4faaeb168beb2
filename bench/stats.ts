/** Three significant digits: more would be noise. */
export const round3 = (value: number): number => Number(value.toPrecision(3));

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Nearest-rank quantile; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
}

/** Quantiles of durations, in their own unit. */
export const spread = (values: readonly number[]): Spread => ({
  p50: round3(quantile(values, 0.5)),
  p95: round3(quantile(values, 0.95)),
  p99: round3(quantile(values, 0.99)),
  max: round3(quantile(values, 1)),
  count: values.length,
});

export interface Goal {
  readonly value: number;
  readonly atMost: number;
  readonly met: boolean;
}

export const atMost = (value: number, limit: number): Goal => ({
  value: round3(value),
  atMost: limit,
  met: value <= limit,
});

/** Least squares: how much `y` grows with one of `x`. */
export function slope(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const over = x.reduce((sum, value, i) => sum + (value - mx) * (y[i]! - my), 0);
  return over / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

/**
 * Repeats `work` (which returns how much it did) for `ms`; what was done per second, and per second
 * of CPU time of this process.
 */
export function rate(ms: number, work: () => number): { perSecond: number; perCpuSecond: number } {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let done = 0;
  let elapsed = 0;
  while (elapsed < ms) {
    done += work();
    elapsed = performance.now() - start;
  }
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (done / elapsed) * 1_000, perCpuSecond: (done / (user + system)) * 1_000_000 };
}

export const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
