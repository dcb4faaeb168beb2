import net, { type AddressInfo } from 'node:net';

/** A socket of the supervisor on 127.0.0.1, on which its child listens. */
export interface HeldSocket {
  readonly fd: number;
  readonly port: number;
}

/** Node's own way to a bound socket that does not listen yet; cluster uses it for the same end. */
interface Binding {
  _createServerHandle(address: string, port: number, family: 4, fd: -1, flags: 0): TcpHandle | number;
}

interface TcpHandle {
  readonly fd: number;
  getsockname(out: Partial<AddressInfo>): number;
}

/** Kept for the life of this process: whoever collected them would close them. */
const held: TcpHandle[] = [];

/**
 * Binds a free port of 127.0.0.1 for a child that is given the socket. It listens from the child's
 * first start to the end of this process: when the child dies nobody else can take the port, and
 * who connects meanwhile waits in the kernel for the next child.
 */
export function holdPort(): HeldSocket {
  const handle = (net as unknown as Binding)._createServerHandle('127.0.0.1', 0, 4, -1, 0);
  if (typeof handle === 'number') throw new Error(`no port on 127.0.0.1 is free: error ${handle}`);
  held.push(handle);
  const name: Partial<AddressInfo> = {};
  handle.getsockname(name);
  return { fd: handle.fd, port: name.port! };
}

/**
 * Listening sockets that systemd has started this process with, by their FileDescriptorName; they
 * are nobody else's then.
 */
export function handedSockets(env: NodeJS.ProcessEnv): ReadonlyMap<string, number> {
  const { LISTEN_PID: pid, LISTEN_FDS: count, LISTEN_FDNAMES: names } = env;
  if (Number(pid) !== process.pid) return new Map();
  return new Map(
    (names ?? '')
      .split(':')
      .slice(0, Number(count))
      .map((name, n) => [name, 3 + n]),
  );
}
