/**
 * The time of a night that is over in seconds. There are two clocks in it: of the wall, which
 * `Date.now()` tells, and of the devices, which `performance.now()` tells. `pass` moves both, timer
 * by timer: whatever a device says meanwhile is said and heard. `skip` moves the wall alone, and
 * with it the timers of people (deadlines, limits, sessions): while nothing happens seven acceptors
 * would be asked two million times how they are.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';
import { systemClock } from '../../hardware/transport/clock.ts';

const realSleep = promises.setTimeout;
const realNow = performance.now.bind(performance);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What takes less is the machine's: a beat, a look, a pause of the line. */
const OF_PEOPLE_MS = 2_500;
/** Timers that run before sockets are looked at again. */
const AT_ONCE = 6;

interface Alarm {
  dueMs: number;
  readonly order: number;
  readonly run: () => void;
  /** Of an interval. */
  readonly everyMs: number | null;
  isOver: boolean;
}

/** The first of many: a heap in an array. */
class Alarms {
  readonly #all: Alarm[] = [];

  /** Those that are over count until their time has come. */
  get waiting(): number {
    return this.#all.reduce((count, { isOver }) => count + Number(!isOver), 0);
  }

  add(alarm: Alarm): void {
    const all = this.#all;
    let at = all.push(alarm) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(alarm, all[above]!); above = (at - 1) >> 1) {
      all[at] = all[above]!;
      at = above;
    }
    all[at] = alarm;
  }

  first(): Alarm | null {
    while (this.#all[0]?.isOver) this.take();
    return this.#all[0] ?? null;
  }

  take(): void {
    const all = this.#all;
    const last = all.pop()!;
    if (all.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= all.length) break;
      if (below + 1 < all.length && isBefore(all[below + 1]!, all[below]!)) below += 1;
      if (!isBefore(all[below]!, last)) break;
      all[at] = all[below]!;
      at = below;
    }
    all[at] = last;
  }
}
const isBefore = (a: Alarm, b: Alarm): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);

/** What `setTimeout` gives: the alarm, with the few methods that somebody calls on a timer. */
class Handle {
  readonly alarm: Alarm;
  readonly #again: () => Handle;
  constructor(alarm: Alarm, again: () => Handle) {
    this.alarm = alarm;
    this.#again = again;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  refresh(): Handle {
    this.alarm.isOver = true;
    Object.assign(this, { alarm: this.#again().alarm });
    return this;
  }
  close(): void {
    this.alarm.isOver = true;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

export class NightClock {
  /** ms since 1970 UTC. */
  #wallMs: number;
  /** ms since the night began, without what was skipped. */
  #deviceMs = 0;
  readonly #ofWall = new Alarms();
  readonly #ofDevices = new Alarms();
  #order = 0;
  #sinceTurn = 0;
  /** Requests to the centre that are not answered yet. */
  readonly #onTheirWay = new Set<ClientRequest>();
  #restore: () => void = () => {};

  constructor(fromMs: number) {
    this.#wallMs = fromMs;
  }

  get wallMs(): number {
    return this.#wallMs;
  }

  /** What was not skipped. */
  get deviceMs(): number {
    return this.#deviceMs;
  }

  /** Timers that wait, of both clocks. */
  get waiting(): number {
    return this.#ofWall.waiting + this.#ofDevices.waiting;
  }

  /** From here on this process has no other time, until `restore`. */
  install(): void {
    subscribe('http.client.request.start', this.#sent);
    const before = {
      setTimeout: globalThis.setTimeout,
      clearTimeout: globalThis.clearTimeout,
      setInterval: globalThis.setInterval,
      clearInterval: globalThis.clearInterval,
    };
    const dateNow = Date.now;
    const clock = { ...systemClock };
    const end = (handle: unknown): void => {
      if (handle instanceof Handle) handle.close();
      else before.clearTimeout(handle as NodeJS.Timeout);
    };
    Object.assign(globalThis, {
      setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        this.#after(Number(ms) || 0, () => run(...args)),
      setInterval: (run: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
        this.#every(Math.max(1, Number(ms) || 0), () => run(...args)),
      clearTimeout: end,
      clearInterval: end,
    });
    Date.now = () => Math.floor(this.#wallMs);
    performance.now = () => this.#deviceMs;
    Object.assign(systemClock, {
      now: () => this.#deviceMs,
      after: (ms: number, run: () => void) => {
        const alarm = this.#add(this.#ofDevices, this.#deviceMs + Math.max(0, ms), run);
        return () => {
          alarm.isOver = true;
        };
      },
    });
    Object.assign(promises, { setTimeout: this.#sleep.bind(this) });
    syncBuiltinESMExports();
    this.#restore = () => {
      unsubscribe('http.client.request.start', this.#sent);
      Object.assign(globalThis, before);
      Date.now = dateNow;
      performance.now = realNow;
      Object.assign(systemClock, clock);
      Object.assign(promises, { setTimeout: realSleep });
      syncBuiltinESMExports();
    };
  }

  restore(): void {
    this.#restore();
  }

  readonly #sent = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    if (!request.path.startsWith('/v1/terminals/')) return;
    this.#onTheirWay.add(request);
    request.once('close', () => this.#onTheirWay.delete(request));
  };

  /**
   * An answer takes no time here. On a busy machine it takes many turns of the loop, in which the
   * host's patience would run out, and the centre would count as lost.
   */
  async #answered(): Promise<void> {
    for (let i = 0; this.#onTheirWay.size > 0; i += 1) {
      if (i < 40) await turn();
      else if (i < 15_000) await realSleep(1);
      else throw new Error('the centre has no answer');
    }
  }

  #add(to: Alarms, dueMs: number, run: () => void, everyMs: number | null = null): Alarm {
    const alarm = { dueMs, order: this.#order++, run, everyMs, isOver: false };
    to.add(alarm);
    return alarm;
  }

  #after(ms: number, run: () => void): Handle {
    const alarm =
      ms >= OF_PEOPLE_MS
        ? this.#add(this.#ofWall, this.#wallMs + ms, run)
        : this.#add(this.#ofDevices, this.#deviceMs + ms, run);
    return new Handle(alarm, () => this.#after(ms, run));
  }

  /** One that was skipped comes once: as a process finds its intervals that was asleep. */
  #every(ms: number, run: () => void): Handle {
    const alarm = this.#add(this.#ofDevices, this.#deviceMs + ms, run, ms);
    return new Handle(alarm, () => this.#every(ms, run));
  }

  #sleep<T>(
    ms = 0,
    value?: T,
    { signal }: { readonly signal?: AbortSignal; readonly ref?: boolean } = {},
  ): Promise<T> {
    return new Promise((resolve, fail) => {
      const ended = (): void => fail(new Error('aborted', { cause: signal?.reason }));
      if (signal?.aborted) return ended();
      const alarm = this.#add(this.#ofDevices, this.#deviceMs + ms, () => {
        signal?.removeEventListener('abort', aborted);
        resolve(value as T);
      });
      const aborted = (): void => {
        alarm.isOver = true;
        ended();
      };
      signal?.addEventListener('abort', aborted, { once: true });
    });
  }

  /** Runs the first timer of those that may, if it is due by then; false = there is none. */
  #step(untilMs: number, withDevices: boolean): boolean {
    const ofWall = this.#ofWall.first();
    const ofDevices = withDevices ? this.#ofDevices.first() : null;
    const wallDueMs = ofWall?.dueMs ?? Infinity;
    const deviceDueMs = ofDevices === null ? Infinity : this.#wallMs + (ofDevices.dueMs - this.#deviceMs);
    const dueMs = Math.min(wallDueMs, deviceDueMs);
    if (dueMs > untilMs) return false;
    this.#to(Math.max(dueMs, this.#wallMs), withDevices);
    const [alarm, from] = wallDueMs <= deviceDueMs ? [ofWall!, this.#ofWall] : [ofDevices!, this.#ofDevices];
    from.take();
    if (alarm.everyMs !== null) {
      alarm.dueMs = this.#deviceMs + alarm.everyMs;
      from.add(alarm);
    } else alarm.isOver = true;
    alarm.run();
    return true;
  }

  #to(wallMs: number, withDevices: boolean): void {
    if (withDevices) this.#deviceMs += wallMs - this.#wallMs;
    this.#wallMs = wallMs;
  }

  /** What has been set going goes on; sockets are looked at now and then. */
  async #settle(): Promise<void> {
    this.#sinceTurn += 1;
    if (this.#sinceTurn < AT_ONCE) {
      // The longest chain of promises between two timers of a driver.
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
      return;
    }
    this.#sinceTurn = 0;
    await turn();
  }

  async #run(ms: number, withDevices: boolean): Promise<void> {
    const untilMs = this.#wallMs + ms;
    await turn();
    await this.#answered();
    while (this.#step(untilMs, withDevices)) {
      await this.#settle();
      await this.#answered();
    }
    this.#to(untilMs, withDevices);
    await turn();
  }

  /** So much time goes by, at the devices too. */
  pass(ms: number): Promise<void> {
    return this.#run(ms, true);
  }

  /** So much time goes by in which no device has anything to say. */
  skip(ms: number): Promise<void> {
    return this.#run(ms, false);
  }

  /** Time goes by until it holds; resolves with how much. */
  async until(what: string, holds: () => boolean, limitMs = 60_000): Promise<number> {
    const fromMs = this.#wallMs;
    for (let i = 0; !holds(); i += 1) {
      if (i < 4) await turn();
      else if (this.#step(fromMs + limitMs, true)) {
        await this.#settle();
        await this.#answered();
      } else throw new Error(`never in ${limitMs} ms: ${what}`);
    }
    return this.#wallMs - fromMs;
  }

  /**
   * Until the promise has settled: what comes over sockets and out of threads takes no time here;
   * `isTimed`: it waits for timers as well.
   */
  async during<T>(work: Promise<T>, isTimed = false): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    for (let i = 0; !isOver; i += 1) {
      if (i < 40) await turn();
      else if (isTimed) {
        await realSleep(1);
        await this.pass(20);
      } else if (i < 15_000) await realSleep(1);
      else throw new Error('it waits for a timer');
    }
    return work;
  }
}
