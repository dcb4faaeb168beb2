import { Keeper } from './keeper.ts';
import { IDLE_WATCH, type WatchEvent, watchStep } from './page-watch.ts';
import type { RestartLimits } from './restarts.ts';
import type { Shell, ShellEvents } from './shell.ts';
import type { TouchMatrix } from './touch.ts';

/** A window that is refused with a new ticket, too, does not keep the host busy. */
const TICKET_PAUSE_MS = 500;
const TABLE = 'table';

export interface WindowOptions {
  /** Of its display: `table`, `dealer`, `seat:3`, `spectator`. */
  readonly role: string;
  readonly start: (events: ShellEvents) => Shell;
  /** Resolves when it can be started; absent: at any time. */
  readonly arrives?: (signal: AbortSignal) => Promise<void>;
}

export interface KeptWindowOptions extends WindowOptions {
  readonly limits: RestartLimits;
  /** A fresh address of its page. */
  readonly mint: (role: string, signal?: AbortSignal) => Promise<string>;
  readonly log: (line: string) => void;
  readonly onStarted: (name: string, pid: number) => void;
  /**
   * `wasUp`: its page was; the table's counts in any case. What cannot even come up is tried for
   * ever, and the record of restarts must not grow with that.
   */
  readonly onEnded: (name: string, why: string, wasUp: boolean) => void;
  /** The table's alone: without it nobody plays. */
  readonly onGivenUp: (name: string, isFinal: boolean) => void;
}

/** What processes and logs call it. */
export const windowName = (role: string): string => (role === TABLE ? 'window' : `window ${role}`);

/**
 * The window of one display: started again when it ends, its page renewed when that is gone or does
 * not answer. It knows of no other one.
 */
export class KeptWindow {
  readonly role: string;
  readonly #o: KeptWindowOptions;
  readonly #name: string;
  readonly #keeper: Keeper<Shell>;
  #watch = IDLE_WATCH;
  #wasUp = false;
  /** Where its glass is felt, once the host has said so. */
  #touch: TouchMatrix = null;
  #watchTimer: NodeJS.Timeout | undefined;
  #ticketTimer: NodeJS.Timeout | undefined;

  constructor(o: KeptWindowOptions) {
    const name = windowName(o.role);
    this.role = o.role;
    this.#o = o;
    this.#name = name;
    this.#keeper = new Keeper<Shell>({
      name,
      // A display beside the table's may be away for a day: play goes on, and it is tried again.
      limits: o.role === TABLE ? o.limits : { ...o.limits, cap: Number.POSITIVE_INFINITY },
      log: o.log,
      start: async (signal) => {
        await o.arrives?.(signal);
        return await this.#opened(o.start(this.#events()), signal);
      },
      onStarted: (shell) => {
        this.see('shell-started');
        if (this.#touch !== null) shell.touch(this.#touch);
        o.onStarted(name, shell.pid);
      },
      onEnded: (why) => {
        this.see('shell-ended');
        o.onEnded(name, why, this.#wasUp || o.role === TABLE);
        this.#wasUp = false;
      },
      onGivenUp: (isFinal) => o.onGivenUp(name, isFinal),
    });
  }

  get current(): Shell | null {
    return this.#keeper.current;
  }

  start(): void {
    this.#keeper.start();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#watchTimer);
    clearTimeout(this.#ticketTimer);
    await this.#keeper.stop();
  }

  /** Now, and at each start of it. */
  touch(matrix: TouchMatrix): void {
    this.#touch = matrix;
    this.#keeper.current?.touch(matrix);
  }

  /** What host or window have said of its page. */
  see(event: WatchEvent): void {
    const shell = this.#keeper.current;
    if (!shell && event !== 'shell-ended') return;
    if (event === 'display-up') this.#wasUp = true;
    const { watch, action } = watchStep(this.#watch, event, performance.now());
    const why = event === 'deadline' ? `no page (${this.#watch.waitingFor})` : 'the page does not answer';
    this.#watch = watch;
    clearTimeout(this.#watchTimer);
    if (watch.deadlineMs !== null)
      this.#watchTimer = setTimeout(
        () => this.see('deadline'),
        Math.max(0, Math.ceil(watch.deadlineMs - performance.now())) + 1,
      );
    if (action === 'renew-page') shell?.renewPage(why);
    if (action === 'kill-shell') {
      this.#o.log(`${this.#name}: renewing its page did not help (${why}), starting it again`);
      shell?.kill();
    }
  }

  /**
   * The window as soon as it has its address: it starts while the host does, which takes as long.
   */
  async #opened(shell: Shell, signal: AbortSignal): Promise<Shell> {
    try {
      const ended = shell.ended.then((why) => Promise.reject(new Error(why)));
      shell.open(await Promise.race([this.#o.mint(this.role, signal), ended]));
      return shell;
    } catch (error) {
      await shell.stop();
      throw error;
    }
  }

  #events(): ShellEvents {
    const { log, mint } = this.#o;
    return {
      onPageLoads: () => this.see('page-loads'),
      // A page without a session says so more than once.
      onTicketNeeded: () => {
        this.#ticketTimer ??= setTimeout(() => {
          this.#ticketTimer = undefined;
          log(`${this.#name}: its page has no session and is opened with a new ticket`);
          mint(this.role).then(
            (url) => this.#keeper.current?.open(url),
            (error: Error) => log(`${this.#name}: ${error.message}`),
          );
        }, TICKET_PAUSE_MS);
      },
      log: this.role === TABLE ? log : (line) => log(`${this.role}: ${line}`),
    };
  }
}
