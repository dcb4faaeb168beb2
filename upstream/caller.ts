/** Who asks: a person with a session, or a program with a password; and where they ask. */
import { hash } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Who } from './audit.store.ts';
import type { Queryable } from './db.store.ts';
import { type PersonRow, personOfSession, sessionName } from './people.store.ts';
import { mayAsk, type Program, type Request, type Role } from './rights.ts';

export interface Person {
  readonly kind: 'person';
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  /** The session's name in the database. */
  readonly session: string;
  /** Every form of this session carries it, and no page of another site can know it. */
  readonly formToken: string;
  may(request: Request): boolean;
}

export type Caller = Person | { readonly kind: 'program'; readonly program: Program };

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the log-in has looked, and where it does not stand before the route. */
    caller: Caller | null;
  }
}

/** The person behind a request that has passed the log-in, with their rights; null for programs. */
export const personOf = ({ caller }: FastifyRequest): Person | null =>
  caller?.kind === 'person' ? caller : null;

/** For the audit. Null where nobody has logged in. */
export function whoOf(request: FastifyRequest): Who | null {
  const { caller, ip: from } = request;
  if (caller === null) return null;
  return caller.kind === 'person'
    ? { person: caller.id, name: caller.name, role: caller.role, from }
    : { person: null, name: caller.program, role: 'program', from };
}

/**
 * The address of the operators' pages as people type it: https with a name, as passkeys need it;
 * null for this machine alone, where `localhost` counts as safe.
 */
export type Address = string | null;

export const addressOf = (address: Address, { socket }: FastifyRequest): string =>
  address ?? `http://localhost:${socket.localPort}`;

/** Cookies of one name do not know their port: two centres on one machine have two. */
const nameOf = (address: Address, { socket }: FastifyRequest): string =>
  address === null ? `banca-${socket.localPort}` : '__Host-banca';

export const SESSION = '';
/** Holds a log-in at a provider together. */
export const AT_PROVIDER = '-provider';
export type Cookie = typeof SESSION | typeof AT_PROVIDER;

export function cookieOf(address: Address, request: FastifyRequest, cookie: Cookie): string | null {
  const { cookie: sent } = request.headers;
  return (sent === undefined ? undefined : parseCookie(sent)[nameOf(address, request) + cookie]) ?? null;
}

/** An empty value takes it away. */
export function setCookie(
  address: Address,
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, value }: { readonly cookie: Cookie; readonly value: string },
): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: nameOf(address, request) + cookie,
      value,
      path: '/',
      httpOnly: true,
      secure: address !== null,
      // The way back from a provider is a way from another site.
      sameSite: cookie === AT_PROVIDER ? 'lax' : 'strict',
      ...(value === '' ? { maxAge: 0 } : cookie === AT_PROVIDER ? { maxAge: 600 } : {}),
    }),
  );
}

/** The person whose session a request shows; null for none, and for one that is over. */
export async function personFrom(
  q: Queryable,
  address: Address,
  request: FastifyRequest,
): Promise<Person | null> {
  const token = cookieOf(address, request, SESSION);
  if (token === null) return null;
  const session = sessionName(token);
  const row = await personOfSession(q, session);
  return row === null ? null : inSession(row, session, token);
}

const inSession = ({ id, name, role }: PersonRow, session: string, token: string): Person => ({
  kind: 'person',
  id,
  name,
  role,
  session,
  formToken: hash('sha256', `form ${token}`, 'base64url'),
  may: (request) => mayAsk(role, request),
});

/**
 * Whether a request that changes something comes from a page of ours. Browsers say with every such
 * request which page it comes from.
 */
export function isFromOwnPage(address: Address, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return request.headers['sec-fetch-site'] === 'same-origin';
  return origin === addressOf(address, request) || (address === null && origin === `http://${request.host}`);
}
