import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DisplayRole } from '../../wire/display.ts';

const same = (a: string, b: string): boolean => {
  const x = Buffer.from(a);
  const y = Buffer.from(b);
  return x.length === y.length && timingSafeEqual(x, y);
};

interface Ticket {
  readonly role: DisplayRole;
  readonly untilMs: number;
}

/**
 * Who may look and touch. A ticket works once and becomes a session cookie, so nothing secret stays
 * in a command line or in history. Cookies are signed with a key that the supervisor keeps: a
 * display outlives a restarted host.
 */
export class Sessions {
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #tickets = new Map<string, Ticket>();

  constructor(key: Buffer, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  mint(role: DisplayRole, lifeMs: number): string {
    for (const [value, ticket] of this.#tickets)
      if (ticket.untilMs <= this.#now()) this.#tickets.delete(value);
    const value = randomBytes(24).toString('base64url');
    this.#tickets.set(value, { role, untilMs: this.#now() + lifeMs });
    return value;
  }

  /** Spends a ticket; null when it is unknown, spent or too old. */
  redeem(value: string): { cookie: string } | null {
    const ticket = this.#tickets.get(value);
    this.#tickets.delete(value);
    if (!ticket || ticket.untilMs <= this.#now()) return null;
    const body = `${ticket.role}.${randomBytes(12).toString('base64url')}`;
    return { cookie: `${body}.${this.#sign(body)}` };
  }

  roleOf(cookie: string): { role: DisplayRole; session: string } | null {
    const at = cookie.lastIndexOf('.');
    const body = cookie.slice(0, at);
    if (at < 0 || !same(cookie.slice(at + 1), this.#sign(body))) return null;
    return { role: body.slice(0, body.indexOf('.')) as DisplayRole, session: body };
  }

  #sign(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

export const parseRole = (text: unknown): DisplayRole | null =>
  typeof text === 'string' && /^(table|dealer|spectator|service|operator|seat:[1-9][0-9]?)$/.test(text)
    ? (text as DisplayRole)
    : null;
