import { lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import type { ByteTransport } from '../ports.ts';

type Handlers = Parameters<ByteTransport['open']>[0];

class SocketTransport implements ByteTransport {
  readonly name: string;
  readonly #connect: () => Socket;
  #socket: Socket | null = null;

  constructor(name: string, connect: () => Socket) {
    this.name = name;
    this.#connect = connect;
  }

  open(handlers: Handlers): Promise<void> {
    if (this.#socket !== null) return Promise.reject(new Error(`${this.name}: already open`));
    const socket = this.#connect();
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      let connected = !socket.connecting && !socket.destroyed;
      let reason = 'closed by the device';
      const onConnect = (): void => {
        connected = true;
        resolve();
      };
      socket.on('data', (chunk: Buffer) => handlers.onBytes(Uint8Array.from(chunk)));
      socket.on('error', (error: NodeJS.ErrnoException) => {
        reason = `${this.name}: ${error.code ?? error.message}`;
      });
      socket.on('close', () => {
        if (connected) handlers.onClose(reason);
        else reject(new Error(reason));
      });
      if (connected) resolve();
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
