import { lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import type { ByteTransport } from '../ports.ts';

type Handlers = Parameters<ByteTransport['open']>[0];

class SocketTransport implements ByteTransport {
  readonly name: string;
  readonly #connect: () => Socket;
  readonly #settleMs: number;
  #socket: Socket | null = null;

  /** `settleMs`: a line that is closed within this time, and has said nothing, was never open. */
  constructor(name: string, connect: () => Socket, settleMs = 0) {
    this.name = name;
    this.#connect = connect;
    this.#settleMs = settleMs;
  }

  open(handlers: Handlers): Promise<void> {
    if (this.#socket !== null) return Promise.reject(new Error(`${this.name}: already open`));
    const socket = this.#connect();
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      let isOpen = false;
      let hasConnected = !socket.connecting && !socket.destroyed;
      let reason = 'closed by the device';
      let settling: NodeJS.Timeout | undefined;
      const open = (): void => {
        clearTimeout(settling);
        isOpen = true;
        resolve();
      };
      const onConnect = (): void => {
        hasConnected = true;
        if (this.#settleMs === 0) open();
        else settling = setTimeout(open, this.#settleMs);
      };
      socket.on('data', (chunk: Buffer) => {
        const bytes = Uint8Array.from(chunk);
        if (isOpen) return handlers.onBytes(bytes);
        // Whoever awaits open() hears first that the line is open.
        open();
        socket.pause();
        setImmediate(() => {
          handlers.onBytes(bytes);
          socket.resume();
        });
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        reason = `${this.name}: ${error.code ?? error.message}`;
      });
      socket.on('close', () => {
        clearTimeout(settling);
        if (isOpen) handlers.onClose(reason);
        else if (hasConnected && this.#settleMs > 0)
          reject(new Error(`${this.name}: it hangs up at once, as if another host had the line`));
        else reject(new Error(reason));
      });
      if (hasConnected) onConnect();
      else socket.once('connect', onConnect);
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    const socket = this.#socket;
    if (socket === null || socket.destroyed) return Promise.reject(new Error(`${this.name}: closed`));
    return new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    const socket = this.#socket;
    if (socket === null || socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
      socket.destroy();
    });
  }
}

/** A device behind a Unix socket; every open() is a new connection. */
export const unixTransport = (path: string): ByteTransport =>
  new SocketTransport(`unix:${path}`, () => createConnection(path));

/** A device behind a TCP port of this machine. */
export const tcpTransport = (port: number): ByteTransport =>
  new SocketTransport(`tcp:${port}`, () => createConnection(port, '127.0.0.1'));

/**
 * A network that has said nothing for so long is asked, and after ten questions without an answer,
 * one second apart, it is lost: a serial server that has no power any more closes nothing.
 */
const KEEP_ALIVE_MS = 5000;
/** More than that: what is held back longer does not come any more. */
export const NETWORK_STALL_MS = 20_000;
/** A server that has given its only place to another host hangs up within a round trip or two. */
const SETTLE_MS = 500;

/** A device on the line of a serial server, which passes on the bytes of one TCP connection. */
export const serialServerTransport = (host: string, port: number): ByteTransport =>
  new SocketTransport(
    `tcp:${host}:${port}`,
    () =>
      createConnection({
        host,
        port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
      }),
    SETTLE_MS,
  );

export interface DeviceServer {
  close(): Promise<void>;
}

export interface ServedDevice extends DeviceServer {
  /** The TCP port, null behind a path. */
  readonly port: number | null;
}

/**
 * Offers one device at a Unix socket path (or a TCP port of 127.0.0.1). A device has one plug: a
 * new connection pushes out the one before, so a host that was killed and has come back is never
 * shut out by its own half-open predecessor. Port 0 takes any that is free. A socket that stands at
 * the path is replaced; rejects for a path at which something else stands.
 */
export async function serveDevice(
  where: string | number,
  onPlug: (transport: ByteTransport) => void,
): Promise<ServedDevice> {
  if (typeof where === 'string') {
    const there = lstatSync(where, { throwIfNoEntry: false });
    if (there?.isSocket()) unlinkSync(where);
    else if (there !== undefined) throw new Error(`${where} is there already and no socket`);
  }
  let plugged: Socket | null = null;
  const server = createServer((socket) => {
    plugged?.destroy();
    plugged = socket;
    socket.on('error', () => socket.destroy());
    onPlug(new SocketTransport(`peer of ${where}`, () => socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const onListening = (): void =>
      resolve({
        port: typeof where === 'string' ? null : (server.address() as AddressInfo).port,
        close: () =>
          new Promise((done) => {
            plugged?.destroy();
            server.close(() => done());
          }),
      });
    if (typeof where === 'string') server.listen(where, onListening);
    else server.listen(where, '127.0.0.1', onListening);
  });
}
