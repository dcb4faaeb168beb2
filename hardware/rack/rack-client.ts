import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { unixTransport } from '../transport/socket.transport.ts';
import { type RackTransports, simulatedTransport } from './rack.sim.ts';
import type { RackAnswer, RackCommand, RackControl } from './rack-commands.ts';
import { rackPaths } from './rack-paths.ts';

/**
 * Hands on a rack in another process. Commands are answered in their order; a lost rack rejects
 * what is open.
 */
export class RackClient implements RackControl {
  readonly #socket: Socket;
  readonly #waiting: { resolve: (answer: never) => void; reject: (error: Error) => void }[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      try {
        this.#waiting.shift()?.resolve(JSON.parse(line) as never);
      } catch {
        // Not a rack, or no more: as if it had hung up.
        socket.destroy();
      }
    });
    socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('the device rack is gone'));
    });
  }

  /** Connects to the rack whose sockets are in `dir`; rejects when none listens there. */
  static connect(dir: string): Promise<RackClient> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(rackPaths(dir).control);
      socket.on('error', reject);
      socket.once('connect', () => resolve(new RackClient(socket)));
    });
  }

  get isConnected(): boolean {
    return !this.#socket.destroyed;
  }

  do<C extends RackCommand>(command: C): Promise<RackAnswer<C>> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(new Error('the device rack is gone'));
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#socket.write(`${JSON.stringify(command)}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Transports to the devices of a rack in another process. */
export function socketTransports(dir: string): RackTransports {
  const paths = rackPaths(dir);
  const to = (path: string) => simulatedTransport(() => unixTransport(path));
  return {
    acceptor: (number) => to(paths.acceptor(number)),
    shoe: to(paths.shoe),
    printer: to(paths.printer),
    cabinet: to(paths.cabinet),
    ups: to(paths.ups),
  };
}
