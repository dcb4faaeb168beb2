import type { DeviceClock } from '../ports.ts';

/**
 * The machine's monotonic clock, milliseconds since the process started: a change of the wall clock
 * moves no time-out.
 */
export const systemClock: DeviceClock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

interface Alarm {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * A clock that stands still until somebody turns it; timers due at the same instant run in the
 * order they were set.
 */
export class HandClock implements DeviceClock {
  #nowMs = 0;
  #order = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const alarm: Alarm = { atMs: this.#nowMs + Math.max(0, ms), order: this.#order++, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /**
   * Turns the clock on by `ms`, running every timer on the way; promises settle between two timers.
   */
  async turn(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      await settle();
      const next = this.#first();
      if (next === null || next.atMs > untilMs) break;
      this.#alarms.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  /** Turns the clock until `holds()`; throws when it does not within `limitMs` of device time. */
  async turnUntil(what: string, holds: () => boolean, limitMs = 60_000): Promise<void> {
    const untilMs = this.#nowMs + limitMs;
    while (!holds()) {
      if (this.#nowMs >= untilMs) throw new Error(`${what}: not within ${limitMs} ms of device time`);
      await this.turn(20);
    }
  }

  #first(): Alarm | null {
    let first: Alarm | null = null;
    for (const alarm of this.#alarms)
      if (
        first === null ||
        alarm.atMs < first.atMs ||
        (alarm.atMs === first.atMs && alarm.order < first.order)
      )
        first = alarm;
    return first;
  }
}

// A transport's open() is the longest chain of promises between two timers; three turns of the
// microtask queue cover it, and each turn more is paid for at every one of the millions of timers
// of a fault run.
async function settle(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
}
