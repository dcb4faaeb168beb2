import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { keyShown } from '../../ledger/chain/certificate.codec.ts';
import { http } from '../../ledger/chain/node-http.ts';
import type { TlsIdentity } from '../../ledger/chain/tls.store.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { ToDisplay } from '../../wire/messages.ts';
import { accountOf } from './loopback-peer.ts';
import { MESSAGE_BYTES } from './messages.ts';
import { quietly } from './rates.ts';
import { parseRole, type Sessions } from './sessions.ts';

/** Its name has the hash of what is in it, so a page that is loaded again need not ask. */
const HASHED = { 'cache-control': 'private, max-age=31536000, immutable' };

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.opus': 'audio/ogg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
};

/**
 * The page reaches its own origin and nothing else; no inline code, no eval, no second window, no
 * download, no dialog.
 */
const contentSecurityPolicy = (origin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self'",
    "worker-src 'self' blob:",
    `connect-src 'self' data: blob: ${origin.replace('http:', 'ws:')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    'sandbox allow-scripts allow-same-origin',
  ].join('; ');

/** Ping every 2 s, given up after 8 s: an endless loop in the page is found in 8 to 10 s. */
const PING_MS = 2_000;
const STALL_MS = 8_000;

/** Twelve seats, table, dealer, service and hands, twice. */
const MOST_DISPLAYS = 32;
/** Sent to one display and not read by it: some hundred pictures. */
const UNREAD_BYTES = 8 * 2 ** 20;
/** Connections that are no display: a browser opens six. The oldest goes where there are more. */
const MOST_PLAIN = 96;
/** In all, with those whose account is being looked for. */
const MOST_SOCKETS = 256;
/** Of other machines: each has a window, and a browser opens six. */
const MOST_FROM_AFAR = 128;
/** The address of the network may come up after us. */
const LISTEN_AGAIN_MS = 5_000;
/** As a browser behind a relay of ours names the page. */
const RELAYED = /^127\.0\.0\.1:[1-9]\d{0,4}$/;
const AT_ONCE_MS = 10_000;
const HEADER_BYTES = 8 * 1024;
const HEADERS_WITHIN_MS = 5_000;

export interface DisplayConnection {
  readonly id: string;
  readonly role: DisplayRole;
  /** Stays the same when the page loads again. */
  readonly session: string;
  send(message: ToDisplay): void;
  /** For a message that is the same for many displays and was encoded once. */
  sendEncoded(message: Buffer): void;
  close(): void;
}

/** Where displays of other machines come in. */
export interface DisplayNetwork {
  readonly host: string;
  readonly port: number;
  readonly identity: TlsIdentity;
  /** Which display a machine is, by the name of its key. */
  readonly roles: ReadonlyMap<string, DisplayRole>;
}

export interface DisplayServerOptions {
  /** Folder of the built renderer. */
  readonly rendererRoot: string;
  readonly sessions: Sessions;
  readonly port: number;
  /** A listening socket that this process was started with, instead of a port of its own. */
  readonly listenFd?: number | undefined;
  /**
   * Accounts that may connect, taken from the kernel's socket table: a leaked ticket is of no use
   * to another account.
   */
  readonly allowedUids: readonly number[];
  /** Absent or null: the loopback is all there is. */
  readonly network?: DisplayNetwork | null;
  readonly log: (line: string) => void;
  onOpen(display: DisplayConnection): void;
  onText(display: DisplayConnection, text: string): void;
  onClose(display: DisplayConnection, why: 'gone' | 'replaced' | 'stalled'): void;
}

interface Live {
  readonly connection: DisplayConnection;
  readonly socket: WebSocket;
  readonly session: string;
  pongAtMs: number;
  pings: number;
}

/** Serves the built renderer and one WebSocket per display on 127.0.0.1 only. */
export class DisplayServer {
  readonly #options: DisplayServerOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  readonly #live = new Set<Live>();
  /** Who was refused since the last beat: one line of the log for each, however often they try. */
  readonly #refused = new Set<string>();
  readonly #quiet: ReturnType<typeof quietly>;
  /** Connections that are no display, the oldest first. */
  readonly #plain = new Set<Duplex>();
  readonly #timer: NodeJS.Timeout;
  #beatAtMs: number;
  /** The display that the key at the other end is; connections of the loopback are not in it. */
  readonly #enrolled = new WeakMap<Duplex, DisplayRole>();
  readonly #door: TlsServer | null;
  #doorTimer: NodeJS.Timeout | undefined;
  #port = 0;

  constructor(options: DisplayServerOptions) {
    this.#options = options;
    this.#quiet = quietly(options.log);
    this.#server = http.createServer(
      {
        maxHeaderSize: HEADER_BYTES,
        headersTimeout: HEADERS_WITHIN_MS,
        requestTimeout: HEADERS_WITHIN_MS,
        connectionsCheckingInterval: 1_000,
        keepAliveTimeout: 2_000,
      },
      (request, response) => this.#serve(request, response),
    );
    this.#server.maxConnections = MOST_SOCKETS;
    // Nothing of a connection is read before its account is known. What HTTP does with one is done
    // then.
    const [take] = this.#server.listeners('connection') as [(socket: Socket) => void];
    Object.assign(this.#server, { pauseOnConnect: true }).removeAllListeners('connection');
    this.#server.on('connection', (socket) => void this.#admit(socket, take));
    this.#server.on('upgrade', (request, socket, head) => {
      const why = this.#refuse(request, true) ?? (request.url === '/ws' ? null : 'path');
      const session = why === null ? this.#session(request) : null;
      if (!session) {
        this.#quiet('display', `display refused: ${why ?? 'no session'}`);
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
        return;
      }
      this.#plain.delete(socket);
      this.#sockets.handleUpgrade(request, socket, head, (ws) =>
        this.#open(ws, session.role, session.session),
      );
    });
    this.#door = options.network ? this.#openDoor(options.network, take) : null;
    this.#beatAtMs = performance.now();
    this.#timer = setInterval(() => this.#beat(), PING_MS);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, fail) => {
      this.#server.once('error', fail);
      const { port, listenFd } = this.#options;
      this.#server.listen(listenFd === undefined ? { host: '127.0.0.1', port } : { fd: listenFd }, resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#listenAfar();
  }

  /** A network that is not there keeps nobody at the table from playing: it is tried again. */
  #listenAfar(): void {
    const { network, log } = this.#options;
    if (!network || !this.#door) return;
    const { host, port } = network;
    this.#door.removeAllListeners('error').once('error', (error) => {
      this.#quiet('network', `displays of the network cannot come in at ${host}:${port}: ${error.message}`);
      this.#doorTimer = setTimeout(() => this.#listenAfar(), LISTEN_AGAIN_MS);
    });
    this.#door.listen({ host, port }, () => log(`displays of the network come in at ${host}:${port}`));
  }

  /**
   * Another machine is the display that its key was enrolled as, and no other one: TLS has proved
   * that it holds the key. Then it is served like any other one.
   */
  #openDoor({ identity, roles }: DisplayNetwork, take: (socket: Socket) => void): TlsServer {
    const door = createTlsServer({
      ...identity,
      minVersion: 'TLSv1.3',
      requestCert: true,
      // No authority vouches for displays: the enrolled key does.
      rejectUnauthorized: false,
      handshakeTimeout: HEADERS_WITHIN_MS,
    });
    door.maxConnections = MOST_FROM_AFAR;
    door.on('tlsClientError', () => {});
    door.on('secureConnection', (socket) => {
      socket.on('error', () => socket.destroy());
      const key = keyShown(socket.getPeerX509Certificate());
      const role = roles.get(key);
      if (role === undefined) {
        this.#quiet('key', `display of the network refused: ${key} is not enrolled`);
        socket.destroy();
        return;
      }
      this.#enrolled.set(socket, role);
      this.#makeRoom(socket);
      take.call(this.#server, socket);
    });
    return door;
  }

  get port(): number {
    return this.#port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  ticketUrl(role: DisplayRole, lifeMs: number): { ticket: string; url: string } {
    const ticket = this.#options.sessions.mint(role, lifeMs);
    return { ticket, url: `${this.origin}/?ticket=${ticket}` };
  }

  displays(): readonly DisplayConnection[] {
    return [...this.#live].map((live) => live.connection);
  }

  pong(display: DisplayConnection): void {
    for (const live of this.#live) if (live.connection === display) live.pongAtMs = performance.now();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#doorTimer);
    for (const live of this.#live) live.socket.terminate();
    this.#sockets.close();
    this.#door?.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #beat(): void {
    this.#refused.clear();
    const nowMs = performance.now();
    // After a host has stood still, what its displays said meanwhile is not read yet.
    const stoodStill = nowMs - this.#beatAtMs > 2 * PING_MS;
    this.#beatAtMs = nowMs;
    for (const live of [...this.#live]) {
      if (!stoodStill && nowMs - live.pongAtMs > STALL_MS) {
        this.#drop(live, 'stalled');
      } else {
        live.connection.send({ t: 'ping', n: ++live.pings });
      }
    }
  }

  #drop(live: Live, why: 'gone' | 'replaced' | 'stalled'): void {
    if (!this.#live.delete(live)) return;
    live.socket.terminate();
    this.#options.onClose(live.connection, why);
  }

  /**
   * Another account's connection ends before a byte of it is read, and so does one whose account
   * the kernel does not tell: neither a ticket nor a cookie helps, and it holds nothing here.
   */
  async #admit(socket: Socket, take: (socket: Socket) => void): Promise<void> {
    socket.on('error', () => socket.destroy());
    const uid = socket.remoteAddress === '127.0.0.1' ? await accountOf(socket) : null;
    if (uid !== null && this.#options.allowedUids.includes(uid)) {
      this.#makeRoom(socket);
      take.call(this.#server, socket);
      socket.resume();
      return;
    }
    const who = uid === null ? 'an unknown account' : `account ${uid}`;
    if (!this.#refused.has(who)) this.#options.log(`connection of ${who} refused`);
    this.#refused.add(who);
    socket.resetAndDestroy();
  }

  #makeRoom(socket: Socket): void {
    const plain = this.#plain;
    for (const oldest of plain) {
      if (plain.size < MOST_PLAIN) break;
      plain.delete(oldest);
      oldest.destroy();
    }
    plain.add(socket);
    socket.once('close', () => plain.delete(socket));
  }

  /** Why a request is refused before its ticket or cookie is looked at; null = go on. */
  #refuse(request: IncomingMessage, upgrade: boolean): string | null {
    const { headers } = request;
    const origin = this.#originFor(request);
    // A page of another origin whose name resolves to 127.0.0.1 (DNS rebinding) shows itself in the
    // Host header.
    if (origin === null) return `host header ${headers.host}`;
    if (upgrade ? headers.origin !== origin : (headers.origin ?? origin) !== origin)
      return `origin ${headers.origin}`;
    const site = headers['sec-fetch-site'];
    if (!upgrade && site !== undefined && site !== 'none' && site !== 'same-origin') return 'sec-fetch-site';
    return null;
  }

  /**
   * The page's own origin: ours, and on another machine that of the relay there, whose port is the
   * machine's; null where the request names no such one.
   */
  #originFor({ headers: { host = '' }, socket }: IncomingMessage): string | null {
    if (this.#enrolled.has(socket)) return RELAYED.test(host) ? `http://${host}` : null;
    return `http://${host}` === this.origin ? this.origin : null;
  }

  #session(request: IncomingMessage): { role: DisplayRole; session: string } | null {
    const cookie = /(?:^|;\s*)banca=([A-Za-z0-9._:-]+)/.exec(request.headers.cookie ?? '')?.[1];
    const session = cookie ? this.#options.sessions.roleOf(cookie) : null;
    if (!session || !parseRole(session.role)) return null;
    // A machine has the display of its key, whatever cookie it shows.
    return session.role === (this.#enrolled.get(request.socket) ?? session.role) ? session : null;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const headers: Record<string, string> = {
      'content-security-policy': contentSecurityPolicy(this.#originFor(request) ?? this.origin),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'permissions-policy':
        'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=(), display-capture=()',
      'cache-control': 'no-store',
    };
    const forbid = (why: string): void => {
      this.#quiet('page', `page refused: ${why}`);
      response.writeHead(403, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
      response.end('This display has no session. Start it again from the terminal.\n');
    };
    const url = URL.parse(request.url ?? '/', this.origin);
    if (url === null) {
      forbid('address');
      return;
    }
    const ticket = url.searchParams.get('ticket');
    const path = normalize(decodePath(url.pathname));
    const why = request.method === 'GET' ? this.#refuse(request, false) : 'method';
    if (why !== null) {
      forbid(why);
      return;
    }
    const { sessions } = this.#options;
    const role = this.#enrolled.get(request.socket);
    // The key of the machine is its ticket, and no other one is.
    const spent =
      role === undefined
        ? ticket
        : path === '/' && !this.#session(request)
          ? sessions.mint(role, AT_ONCE_MS)
          : null;
    if (spent !== null) {
      const session = sessions.redeem(spent);
      if (!session) {
        forbid('ticket spent, too old or unknown');
        return;
      }
      // Ticket -> cookie, then the clean address.
      headers['set-cookie'] = `banca=${session.cookie}; HttpOnly; SameSite=Strict; Path=/`;
      response.writeHead(303, { ...headers, location: '/' }).end();
      return;
    }
    if (!this.#session(request)) {
      forbid('no session');
      return;
    }
    const file = join(this.#options.rendererRoot, path === '/' ? 'index.html' : path);
    if (path.includes('\0') || path.includes('../..') || !existsSync(file)) {
      response.writeHead(404, headers).end();
      return;
    }
    try {
      const body = readFileSync(file);
      response.writeHead(200, {
        ...headers,
        ...(path.startsWith('/assets/') ? HASHED : {}),
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      });
      response.end(body);
    } catch {
      response.writeHead(404, headers).end();
    }
  }

  #open(socket: WebSocket, role: DisplayRole, session: string): void {
    // One socket per session: a page that reloads replaces itself, a second tab cannot shadow the
    // first unseen.
    for (const live of [...this.#live]) if (live.session === session) this.#drop(live, 'replaced');
    if (this.#live.size >= MOST_DISPLAYS) {
      this.#quiet('displays', `display refused: ${MOST_DISPLAYS} are connected`);
      socket.close(1013);
      return;
    }
    const connection: DisplayConnection = {
      id: randomUUID(),
      role,
      session,
      send: (message) => connection.sendEncoded(encode(message)),
      sendEncoded: (message) => {
        if (socket.readyState !== socket.OPEN) return;
        socket.send(message, { binary: false });
        // One that does not read would be remembered for ever.
        if (socket.bufferedAmount > UNREAD_BYTES) this.#drop(live, 'stalled');
      },
      close: () => socket.close(),
    };
    const live: Live = { connection, socket, session, pongAtMs: performance.now(), pings: 0 };
    this.#live.add(live);
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#drop(live, 'gone');
      else this.#options.onText(connection, String(data));
    });
    socket.on('error', () => this.#drop(live, 'gone'));
    socket.on('close', () => this.#drop(live, 'gone'));
    this.#options.onOpen(connection);
  }
}

export const encode = (message: ToDisplay): Buffer => Buffer.from(JSON.stringify(message));

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '/\0';
  }
}
