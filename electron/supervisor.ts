import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Keeper } from './keeper.ts';
import { KeptWindow, type WindowOptions } from './kept-window.ts';
import { ENDED_EARLY, type NodeChild, startNodeChild } from './node-child.ts';
import type { WatchEvent } from './page-watch.ts';
import type { RestartLimits } from './restarts.ts';
import { touchMatrixIn } from './touch.ts';

/** A host that does not answer within this time is asked again by the next start of the window. */
const MINT_LIMIT_MS = 10_000;
/** What the host reports of a page, and what that is to its window. */
const SEEN: Readonly<Record<string, WatchEvent>> = {
  up: 'display-up',
  gone: 'display-gone',
  stalled: 'display-stalled',
};

export interface Service {
  readonly script: string;
  readonly args: readonly string[];
  /** A listening socket for it that is ours and outlives it. */
  readonly listenFd?: number;
}

export interface SupervisorOptions {
  /** Null = a centre elsewhere. */
  readonly centre: Service | null;
  /** Null = real devices. */
  readonly rack: Service | null;
  readonly host: Service;
  /** One for each display that is started here; none: addresses are for browsers. */
  readonly windows: readonly WindowOptions[];
  readonly limits: RestartLimits;
  /** See NodeChildOptions. */
  readonly mayCache: boolean;
  readonly log: (line: string) => void;
}

export interface SupervisorEvents {
  /** What the host says, message by message. */
  host: [Readonly<Record<string, unknown>>];
  started: [{ readonly name: string; readonly pid: number }];
  ended: [{ readonly name: string; readonly why: string }];
  /**
   * Host, window or simulated devices are given up: the terminal cannot be played. `isFinal`: for a
   * file or an option, which people have to change first.
   */
  'given-up': [{ readonly name: string; readonly isFinal: boolean }];
}

/**
 * The code of host and rack for a file or an option that they cannot work with: another start
 * cannot help.
 */
const cannotWork = (why: string): boolean => why === `${ENDED_EARLY}code 2`;

interface ServiceExtra {
  readonly firstLine?: () => unknown;
  readonly onMessage?: (message: Readonly<Record<string, unknown>>) => void;
  readonly onStarted?: () => void;
  readonly onEnded?: (why: string) => void;
  readonly isFinal?: (why: string) => boolean;
  readonly onGivenUp?: (isFinal: boolean) => void;
}

/**
 * Starts the centre, the rack of simulated devices, the host and a window for each display, and
 * starts each again when it ends. The host's cookies are signed
 * with a key that is kept here, and so is the socket it listens on: a page outlives a restarted
 * host, and nobody can put another one in its place.
 */
export class Supervisor extends EventEmitter<SupervisorEvents> {
  readonly #options: SupervisorOptions;
  readonly #sessionKey = randomBytes(32).toString('base64url');
  readonly #services: Keeper<NodeChild>[] = [];
  readonly #host: Keeper<NodeChild>;
  readonly #windows: readonly KeptWindow[];
  readonly #mints: { readonly role: string; resolve(url: string): void }[] = [];
  #hostWaiters: (() => void)[] = [];
  #hostEnd: string | null = null;
  /** How the last life of each process but the host ended. */
  readonly #ends = new Map<string, string>();
  /** What the next host has to hear, while there is none. */
  readonly #untold: { readonly restarted: string; readonly why: string }[] = [];

  constructor(options: SupervisorOptions) {
    super();
    this.#options = options;
    if (options.centre) this.#services.push(this.#keep('centre', options.centre, {}));
    if (options.rack)
      this.#services.push(
        this.#keep('rack', options.rack, {
          isFinal: cannotWork,
          onGivenUp: (isFinal) => this.emit('given-up', { name: 'rack', isFinal }),
        }),
      );
    this.#host = this.#keep('host', options.host, {
      firstLine: () => ({ sessionKey: this.#sessionKey, endedWhy: this.#hostEnd }),
      onMessage: (message) => this.#onHost(message),
      onStarted: () => {
        this.#see('host-started');
        for (const restart of this.#untold.splice(0)) this.#host.current?.tell(restart);
        for (const wake of this.#hostWaiters.splice(0)) wake();
      },
      onEnded: (why) => {
        this.#hostEnd = why;
        this.#mints.length = 0;
        this.#see('host-ended');
      },
      isFinal: cannotWork,
      onGivenUp: (isFinal) => this.emit('given-up', { name: 'host', isFinal }),
    });
    const { log, limits } = options;
    this.#windows = options.windows.map(
      (window) =>
        new KeptWindow({
          ...{ ...window, log, limits },
          mint: (role, signal = AbortSignal.timeout(MINT_LIMIT_MS)) => this.#mint(role, signal),
          onStarted: (name, pid) => {
            this.#tellStart(name);
            this.emit('started', { name, pid });
          },
          onEnded: (name, why, wasUp) => {
            if (wasUp) this.#ends.set(name, why);
            this.emit('ended', { name, why });
          },
          onGivenUp: (name, isFinal) => this.emit('given-up', { name, isFinal }),
        }),
    );
  }

  start(): void {
    for (const service of this.#services) service.start();
    this.#host.start();
    for (const window of this.#windows) window.start();
  }

  /** Ends everything: the windows first, so that nobody sees a table without its host. */
  async stop(): Promise<void> {
    await Promise.all(this.#windows.map((window) => window.stop()));
    await this.#host.stop();
    await Promise.all(this.#services.map((service) => service.stop()));
  }

  /**
   * A fresh address for a display of `role`, usable once. Rejects when the host does not answer.
   */
  mint(role: string): Promise<string> {
    return this.#mint(role, AbortSignal.timeout(MINT_LIMIT_MS));
  }

  /** PNG of the table's window. Rejects when there is none. */
  async shot(): Promise<Buffer> {
    const shell = this.#windowOf('table')?.current;
    if (!shell) throw new Error('no window is open');
    return await shell.shot();
  }

  #keep(name: string, service: Service, extra: ServiceExtra): Keeper<NodeChild> {
    const { log, limits, mayCache } = this.#options;
    return new Keeper<NodeChild>({
      name,
      limits,
      log,
      start: (signal) =>
        startNodeChild({
          name,
          script: service.script,
          args: service.args,
          listenFd: service.listenFd,
          firstLine: extra.firstLine?.(),
          signal,
          mayCache,
          log,
          onMessage: extra.onMessage ?? (() => {}),
        }),
      onStarted: ({ pid }) => {
        extra.onStarted?.();
        if (name !== 'host') this.#tellStart(name);
        this.emit('started', { name, pid });
      },
      onEnded: (why) => {
        extra.onEnded?.(why);
        if (name !== 'host') this.#ends.set(name, why);
        this.emit('ended', { name, why });
      },
      isFinal: extra.isFinal ?? (() => false),
      onGivenUp: extra.onGivenUp ?? (() => {}),
    });
  }

  /** The host keeps the record of what was started again, and why. */
  #tellStart(name: string): void {
    const why = this.#ends.get(name);
    if (why === undefined) return;
    this.#ends.delete(name);
    const restart = { restarted: name, why };
    if (this.#host.current) this.#host.current.tell(restart);
    else this.#untold.push(restart);
  }

  #onHost(message: Readonly<Record<string, unknown>>): void {
    if (message['ready'] === true) {
      // The ticket it comes with is for hosts without a supervisor; ours is asked for when a window
      // wants one.
      const { ticket: _ticket, url: _url, ...rest } = message;
      this.emit('host', rest);
      return;
    }
    if (typeof message['ticket'] === 'string' && typeof message['url'] === 'string') {
      const at = this.#mints.findIndex((waiting) => waiting.role === message['role']);
      if (at >= 0) this.#mints.splice(at, 1)[0]!.resolve(message['url']);
      return;
    }
    const touch = message['touch'] as { readonly role?: unknown; readonly matrix?: unknown } | undefined;
    const matrix = touchMatrixIn(touch?.matrix);
    if (matrix !== undefined) this.#windowOf(touch?.role)?.touch(matrix);
    const seen = SEEN[String(message['display'])];
    if (seen !== undefined) this.#windowOf(message['role'])?.see(seen);
    this.emit('host', message);
  }

  async #mint(role: string, signal: AbortSignal): Promise<string> {
    let stop = (): void => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => reject(new Error('the host gave no ticket'));
    });
    aborted.catch(() => {});
    // The signal lives as long as its window is kept.
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        const host = this.#host.current;
        if (!host) {
          await Promise.race([aborted, new Promise<void>((resolve) => this.#hostWaiters.push(resolve))]);
          continue;
        }
        const answer = new Promise<string>((resolve) => this.#mints.push({ role, resolve }));
        host.tell({ mint: role });
        // An answer is lost with the host that owed it: the next one is asked.
        const url = await Promise.race([aborted, answer, host.ended.then(() => null)]);
        if (url !== null) return url;
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  #windowOf(role: unknown): KeptWindow | undefined {
    return this.#windows.find((window) => window.role === role);
  }

  #see(event: WatchEvent): void {
    for (const window of this.#windows) window.see(event);
  }
}
