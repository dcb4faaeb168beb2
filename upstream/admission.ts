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

/**
 * Places for batches: first for the body on its way, then for the work. Both are hooks of the
 * route.
 */
export function batchPlaces(metrics: Metrics) {
  const reading = new Set<Reading>();
  const places = new WeakMap<FastifyRequest, Reading>();
  let inWork = 0;
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
  return {
    /** Before the body is read: what is sent away costs nothing. */
    onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { id: terminal } = request.params as { readonly id: string };
      const own = [...reading].filter((each) => each.terminal === terminal);
      if (
        inWork >= BATCHES_AT_ONCE ||
        !hasRoom(own, BODIES_OF_ONE) ||
        !hasRoom([...reading], BODIES_AT_ONCE)
      ) {
        metrics.batches.inc({ outcome: 'busy' });
        return await sendAway(reply)
          .code(503)
          .send({ code: 'busy', message: 'too many batches at once; try again' });
      }
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
      reply.raw.once('close', () => reading.delete(place));
      return undefined;
    },
    /** The body is here. */
    preHandler: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      reading.delete(places.get(request)!);
      inWork += 1;
      reply.raw.once('close', () => {
        inWork -= 1;
      });
    },
  };
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
