/** Who may keep this service busy, and for how long: nobody's slowness is another's. */
import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

/**
 * Batches in work at once. A fleet that comes back together would else wait here longer than
 * terminals wait for an answer, and every batch would be sent again while it is still in line.
 */
const BATCHES_AT_ONCE = 24;
/**
 * Bodies on their way at once, of all terminals and of one: an honest terminal sends one after the
 * other.
 */
const BODIES_AT_ONCE = 64;
const BODIES_OF_ONE = 2;
/** A body that is not here after this gives its place to the next one. */
const SLOW_MS = 2_000;
/**
 * Batches that wait in line for a place, their bodies unread, and for how long: a fleet that comes
 * back together has far more than there is room for, and to be sent away and come again costs both
 * ends a connection and half a body.
 */
const IN_LINE = 1_024;
const IN_LINE_MS = 15_000;
const LOOK_MS = 500;
/** Somebody had to wait within this time: there is more than there is room for. */
const PRESSED_MS = 1_500;
/** Headers and body together: a terminal itself waits no longer for its answer. */
export const REQUEST_WITHIN_MS = 20_000;
export const HEADERS_WITHIN_MS = 10_000;
export const HANDSHAKE_WITHIN_MS = 5_000;
/**
 * Sockets in all; those that have shown no enrolled key yet, of one address; and those of one
 * terminal.
 */
const SOCKETS = 2_048;
const STRANGERS_OF_ONE = 128;
const STRANGER_MS = 10_000;
const SOCKETS_OF_ONE = 8;

interface Reading {
  readonly terminal: string;
  readonly sinceMs: number;
  drop(): void;
}

interface Waiting {
  readonly terminal: string;
  readonly sinceMs: number;
  /** Out of the line, to a place or away. */
  go(isTaken: boolean): void;
}

export type BatchPlaces = ReturnType<typeof batchPlaces>;

/** Places for batches: first for the body on its way, then for the work. */
export function batchPlaces(metrics: Metrics) {
  const reading = new Set<Reading>();
  const places = new WeakMap<FastifyRequest, Reading>();
  const line = new Set<Waiting>();
  let inWork = 0;
  let fullMs = -Infinity;
  /**
   * Whether there is room for one more of these, the oldest first; one that is slow gives up its
   * place.
   */
  const hasRoom = (theirs: readonly Reading[], most: number): boolean => {
    const [oldest] = theirs;
    if (theirs.length < most || oldest === undefined) return true;
    if (performance.now() - oldest.sinceMs < SLOW_MS) return false;
    oldest.drop();
    return true;
  };
  const isRoom = (): boolean => inWork < BATCHES_AT_ONCE && hasRoom([...reading], BODIES_AT_ONCE);
  const moveUp = (): void => {
    for (const waiting of line) {
      if (!isRoom()) return;
      waiting.go(true);
    }
  };
  const begin = (request: FastifyRequest, reply: FastifyReply, terminal: string): void => {
    const leave = (): void => {
      if (reading.delete(place)) moveUp();
    };
    const place: Reading = {
      terminal,
      sinceMs: performance.now(),
      drop: () => {
        reading.delete(place);
        request.raw.destroy();
      },
    };
    reading.add(place);
    places.set(request, place);
    reply.raw.once('close', leave);
  };
  let looking: NodeJS.Timeout | undefined;
  // A slow body may be all that is in the way, and nothing else would look for it.
  const look = (): void => {
    for (const waiting of line) {
      if (performance.now() - waiting.sinceMs <= IN_LINE_MS) break;
      waiting.go(false);
    }
    moveUp();
    if (line.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };
  /** Takes a place, at once or after a while in line; false where there is none in time. */
  const takePlace = (request: FastifyRequest, reply: FastifyReply, terminal: string): Promise<boolean> => {
    if (line.size === 0 && isRoom()) {
      begin(request, reply, terminal);
      return Promise.resolve(true);
    }
    fullMs = performance.now();
    if (line.size >= IN_LINE) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        terminal,
        sinceMs: performance.now(),
        go: (isTaken) => {
          line.delete(waiting);
          fullMs = performance.now();
          if (isTaken) begin(request, reply, terminal);
          resolve(isTaken);
        },
      };
      line.add(waiting);
      looking ??= setInterval(look, LOOK_MS).unref();
      reply.raw.once('close', () => line.has(waiting) && waiting.go(false));
    });
  };
  /** Hooks of the route. */
  const hooks = {
    /** Before the body is read: what is sent away costs nothing. */
    onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { id: terminal } = request.params as { readonly id: string };
      const own = [...reading].filter((each) => each.terminal === terminal);
      const inLine = [...line].filter((each) => each.terminal === terminal).length;
      const isOwn = own.length + inLine < BODIES_OF_ONE || (inLine === 0 && hasRoom(own, BODIES_OF_ONE));
      if (isOwn && (await takePlace(request, reply, terminal))) return undefined;
      metrics.batches.inc({ outcome: 'busy' });
      return await sendAway(reply)
        .code(503)
        .send({ code: 'busy', message: 'too many batches at once; try again' });
    },
    /** The body is here. */
    preHandler: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      reading.delete(places.get(request)!);
      inWork += 1;
      moveUp();
      reply.raw.once('close', () => {
        inWork -= 1;
        moveUp();
      });
    },
  };
  return { hooks, isPressed: (): boolean => performance.now() - fullMs < PRESSED_MS };
}

/** The body that may still be on its way is not waited for. */
export const sendAway = (reply: FastifyReply): FastifyReply => reply.header('connection', 'close');

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Bounds the sockets of a server. One that has not shown whose it is within ten seconds is closed,
 * and where one address has too many of those, its oldest is; `known` takes a socket out of them
 * and into those of its terminal, whose oldest is closed likewise.
 */
export function boundSockets(server: HttpServer): { known(socket: Socket, terminal: string): void } {
  server.maxConnections = SOCKETS;
  server.headersTimeout = HEADERS_WITHIN_MS;
  const strangers = new Map<string, { readonly socket: Socket; readonly timer: NodeJS.Timeout }>();
  const byTerminal = new Map<string, Set<Socket>>();
  const notStranger = (name: string): void => {
    clearTimeout(strangers.get(name)?.timer);
    strangers.delete(name);
  };
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    const { remoteAddress } = socket;
    const theirs = [...strangers.values()].filter((each) => each.socket.remoteAddress === remoteAddress);
    if (theirs.length >= STRANGERS_OF_ONE) theirs[0]!.socket.destroy();
    const timer = setTimeout(() => socket.destroy(), STRANGER_MS).unref();
    strangers.set(name, { socket, timer });
    socket.once('close', () => notStranger(name));
  });
  return {
    known(socket, terminal) {
      notStranger(nameOf(socket));
      const own = byTerminal.get(terminal) ?? new Set();
      if (own.has(socket)) return;
      byTerminal.set(terminal, own.add(socket));
      socket.once('close', () => {
        own.delete(socket);
        if (own.size === 0) byTerminal.delete(terminal);
      });
      if (own.size > SOCKETS_OF_ONE) for (const oldest of own) return void oldest.destroy();
    },
  };
}
