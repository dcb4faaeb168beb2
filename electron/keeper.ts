import { afterExit, NO_RESTARTS, type RestartLimits } from './restarts.ts';

/** A started process (or process group) that ends once. */
export interface Running {
  readonly pid: number;
  /** Resolves when it has ended, with a readable reason. Never rejects. */
  readonly ended: Promise<string>;
  /** Asks it to end and makes sure that it does. */
  stop(): Promise<void>;
}

export interface KeeperOptions<R extends Running> {
  readonly name: string;
  /**
   * Starts one life. A rejection counts as a life that ended at once. When `signal` fires the start
   * is given up.
   */
  start(signal: AbortSignal): Promise<R>;
  readonly limits: RestartLimits;
  readonly log: (line: string) => void;
  /** True for an end after which another start cannot help. */
  readonly isFinal?: (why: string) => boolean;
  onStarted?(running: R): void;
  onEnded?(why: string): void;
  /** Nothing is started any more: the end was final, or else the cap is reached. */
  onGivenUp(isFinal: boolean): void;
}

/**
 * Keeps one process alive: starts it again after every end, slower when it keeps falling, and says
 * so when it gives up.
 */
export class Keeper<R extends Running> {
  readonly #options: KeeperOptions<R>;
  #history = NO_RESTARTS;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopping = new AbortController();
  #starting: Promise<void> = Promise.resolve();
  current: R | null = null;

  constructor(options: KeeperOptions<R>) {
    this.#options = options;
  }

  start(): void {
    this.#starting = this.#live();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.current?.stop();
    await this.#starting;
  }

  async #live(): Promise<void> {
    const { name, log } = this.#options;
    const startedMs = performance.now();
    try {
      const running = await this.#options.start(this.#stopping.signal);
      if (this.#stopping.signal.aborted) return await running.stop();
      this.current = running;
      log(`${name} started, pid ${running.pid}`);
      void running.ended.then((why) => this.#ended(why, startedMs));
      this.#options.onStarted?.(running);
    } catch (error) {
      this.#ended(error instanceof Error ? error.message : String(error), startedMs);
    }
  }

  #ended(why: string, startedMs: number): void {
    const { name, log, limits } = this.#options;
    this.current = null;
    this.#options.onEnded?.(why);
    if (this.#stopping.signal.aborted) return;
    if (this.#options.isFinal?.(why)) {
      log(`${name} ENDED (${why}) AND IS NOT STARTED AGAIN: it cannot run like this`);
      this.#options.onGivenUp(true);
      return;
    }
    const nowMs = performance.now();
    const verdict = afterExit(this.#history, nowMs, nowMs - startedMs, limits);
    if (!verdict.again) {
      log(
        `${name} ENDED (${why}) AND IS NOT STARTED AGAIN: ${verdict.restarts} restarts ` +
          `in the last ${Math.round(limits.windowMs / 60_000)} minutes`,
      );
      this.#options.onGivenUp(false);
      return;
    }
    this.#history = verdict.history;
    log(`${name} ended (${why}), starts again in ${verdict.waitMs} ms`);
    this.#timer = setTimeout(() => this.start(), verdict.waitMs);
  }
}
