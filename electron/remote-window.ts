import { createServer, type Socket } from 'node:net';
import type { Shell, ShellEvents } from './shell.ts';
import { windowLines } from './window-lines.ts';

/**
 * The window of another account: `window.ts` runs as that account and connects to a socket that
 * only it may open. It gets its tickets there and nothing else; what it says is looked at like any
 * other input.
 */
export class RemoteWindow {
  readonly #server = createServer((socket) => this.#take(socket));
  #link: Socket | null = null;
  #arrived: (() => void) | null = null;

  /** A Unix socket, listening already or a path; who may connect to it is for its file to say. */
  constructor(at: { readonly fd: number } | { readonly path: string }) {
    this.#server.listen(at);
  }

  close(): void {
    this.#server.close();
  }

  /** Resolves when the window's account has connected; rejects when `signal` fires. */
  async arrived(signal: AbortSignal): Promise<void> {
    if (this.#link) return;
    await new Promise<void>((resolve, reject) => {
      this.#arrived = resolve;
      signal.addEventListener('abort', () => reject(new Error('no window has connected')), { once: true });
    });
  }

  start(events: ShellEvents): Shell {
    const link = this.#link;
    if (!link) throw new Error('the window is gone');
    const ended = new Promise<string>((resolve) => link.once('close', () => resolve('it disconnected')));
    const lines = windowLines(link, link, ended, events);
    const end = (): void => void link.destroy();
    return {
      // Its own account's to know.
      pid: 0,
      ended,
      open: lines.open,
      renewPage: lines.renew,
      kill: end,
      shot: lines.shot,
      stop: async () => {
        end();
        await ended;
      },
    };
  }

  #take(socket: Socket): void {
    socket.on('error', () => {});
    // One window: a second one of the same account would have the first one's place.
    if (this.#link) {
      socket.destroy();
      return;
    }
    this.#link = socket;
    socket.once('close', () => {
      this.#link = null;
    });
    this.#arrived?.();
    this.#arrived = null;
  }
}
