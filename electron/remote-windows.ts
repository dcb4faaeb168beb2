import { createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { parseObject, readLines } from './json-lines.ts';
import type { PlacedWindow } from './place.ts';
import type { Shell, ShellEvents } from './shell.ts';
import { LINE_LIMIT, windowLines } from './window-lines.ts';

/** A connection of the window's account. */
interface Link {
  readonly socket: Socket;
  /** What it says once it is a window. */
  readonly said: PassThrough;
  readonly ready: Promise<void>;
}

/**
 * The windows of another account: `window.ts` runs as that account and connects to a socket that
 * only it may open. Each connection learns which window it is, and the next one is for the next
 * window; it gets the tickets of that one and nothing else. What it says is looked at like any
 * other input.
 */
export class RemoteWindows {
  readonly #server = createServer((socket) => this.#take(socket));
  /** Connected, and no window yet: never more than one. */
  #idle: Link | null = null;
  readonly #windows = new Map<string, Link>();
  #arrivals: (() => void)[] = [];

  /** A Unix socket, listening already or a path; who may connect to it is for its file to say. */
  constructor(at: { readonly fd: number } | { readonly path: string }) {
    this.#server.listen(at);
  }

  close(): void {
    this.#server.close();
  }

  /**
   * Resolves when there is a window for this display; rejects when `signal` fires, or when the
   * connection that was to become it ends.
   */
  async arrived(window: PlacedWindow, signal: AbortSignal): Promise<void> {
    let stop = (): void => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => reject(new Error('no window has connected'));
    });
    aborted.catch(() => {});
    // The signal lives as long as its window is kept.
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (this.#idle === null)
        await Promise.race([new Promise<void>((resolve) => this.#arrivals.push(resolve)), aborted]);
      const link = this.#idle;
      this.#idle = null;
      this.#windows.set(window.role, link);
      link.socket.once('close', () => this.#windows.delete(window.role));
      link.socket.write(`${JSON.stringify({ show: window })}\n`);
      await Promise.race([link.ready, aborted]).catch((error: Error) => {
        link.socket.destroy();
        throw error;
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  start({ role }: PlacedWindow, events: ShellEvents): Shell {
    const link = this.#windows.get(role);
    if (!link) throw new Error('the window is gone');
    const { socket } = link;
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve('it disconnected')));
    const lines = windowLines(socket, link.said, ended, events);
    const end = (): void => void socket.destroy();
    return {
      // Its own account's to know.
      pid: 0,
      ended,
      open: lines.open,
      renewPage: lines.renew,
      kill: end,
      shot: lines.shot,
      touch: (matrix) => void socket.write(`${JSON.stringify({ touch: matrix })}\n`),
      stop: async () => {
        end();
        await ended;
      },
    };
  }

  #take(socket: Socket): void {
    socket.on('error', () => {});
    // The one that waits keeps its place.
    if (this.#idle) {
      socket.destroy();
      return;
    }
    const said = new PassThrough();
    const ready = new Promise<void>((resolve, reject) => {
      readLines(
        socket,
        (line) => {
          if (parseObject(line)?.['window'] === 'ready') resolve();
          else said.write(`${line}\n`);
        },
        LINE_LIMIT,
      );
      socket.once('close', () => reject(new Error('it disconnected')));
    });
    ready.catch(() => {});
    const link: Link = { socket, said, ready };
    this.#idle = link;
    socket.once('close', () => {
      if (this.#idle === link) this.#idle = null;
    });
    for (const wake of this.#arrivals.splice(0)) wake();
  }
}
