/**
 * The way from the window of another machine to the terminal: what the browser says on 127.0.0.1
 * goes over TLS 1.3 to the terminal's own door, connection by connection. Both ends are known by
 * their keys before a byte goes over.
 */
import { createServer, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { accountOf } from '../host/server/loopback-peer.ts';
import { keyShown } from '../ledger/chain/certificate.codec.ts';
import type { TlsIdentity } from '../ledger/chain/tls.store.ts';

const CONNECTS_WITHIN_MS = 5_000;
/** A browser opens six. */
const MOST_CONNECTIONS = 64;
const SWITCHED = Buffer.from('HTTP/1.1 101 ');

export interface RelayOptions {
  readonly terminal: { readonly host: string; readonly port: number };
  /** Of the terminal's key: nothing is sent to any other one. */
  readonly key: string;
  readonly identity: TlsIdentity;
  /** Accounts of this machine that may connect. */
  readonly allowedUids: readonly number[];
  /** The page has its line to the terminal, or has lost it. */
  readonly onPage: (isUp: boolean) => void;
  /** The terminal was reached, or not. */
  readonly onTerminal: (isThere: boolean) => void;
  readonly log: (line: string) => void;
}

/** Resolves with its address on 127.0.0.1 when it listens. */
export async function startRelay(o: RelayOptions): Promise<{ readonly origin: string; close(): void }> {
  const open = new Set<Socket>();
  let lastSaid = '';
  /** Every try of the browser comes to the same end: it is said once. */
  const say = (line: string): void => {
    if (line !== lastSaid) o.log(line);
    lastSaid = line;
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    near.on('error', () => near.destroy());
    open.add(near);
    near.once('close', () => open.delete(near));
    void accountOf(near).then((uid) => {
      if (uid !== null && o.allowedUids.includes(uid)) carry(near, o, say);
      else {
        say(`connection of ${uid === null ? 'an unknown account' : `account ${uid}`} refused`);
        near.resetAndDestroy();
      }
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('the relay has no port');
  return {
    origin: `http://127.0.0.1:${at.port}`,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function carry(near: Socket, o: RelayOptions, say: (line: string) => void): void {
  const far: TLSSocket = connect({
    ...o.terminal,
    ...o.identity,
    minVersion: 'TLSv1.3',
    // The key takes the place of an authority.
    rejectUnauthorized: false,
  });
  const timer = setTimeout(() => far.destroy(new Error('no answer')), CONNECTS_WITHIN_MS);
  let isKnown = false;
  far.on('error', (error) => {
    if (!isKnown) {
      say(`the terminal cannot be reached: ${error.message}`);
      o.onTerminal(false);
    }
    near.destroy();
  });
  far.once('secureConnect', () => {
    clearTimeout(timer);
    const key = keyShown(far.getPeerX509Certificate());
    if (key !== o.key) {
      far.destroy(new Error(`it shows ${key} and not ${o.key}`));
      return;
    }
    isKnown = true;
    far.once('data', (first: Buffer) => {
      // Refused by the terminal, a connection ends without a byte.
      say(`connected to the terminal at ${o.terminal.host}:${o.terminal.port}`);
      o.onTerminal(true);
      if (!first.subarray(0, SWITCHED.length).equals(SWITCHED)) return;
      o.onPage(true);
      near.once('close', () => o.onPage(false));
    });
    near.pipe(far);
    far.pipe(near);
  });
  far.once('close', () => {
    clearTimeout(timer);
    near.destroy();
  });
  near.once('close', () => far.destroy());
}
