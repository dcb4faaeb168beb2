/**
 * What stands before everything of the operators: who asks, whether their role has the right, and
 * whether a change comes from a page of ours. What shows personal data is noted first.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { note } from './audit.store.ts';
import {
  type Address,
  addressOf,
  cookieOf,
  isFromOwnPage,
  personFrom,
  personOf,
  SESSION,
  whoOf,
} from './caller.ts';
import type { Db } from './db.store.ts';
import { refuse, wantsPage } from './page.ts';
import { basicOf } from './password.store.ts';
import { PROGRAMS, type Program, rightOf } from './rights.ts';

/**
 * A wrong password is answered after this time. The right one is never kept waiting, so nobody is
 * shut out.
 */
const WRONG_MS = 1_000;
/**
 * Wrong ones that wait at once; more are turned away without a wait, so that they pile up nothing
 * here.
 */
const WAITING_MOST = 32;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

export interface Login {
  readonly db: Db;
  readonly address: Address;
  /** What programs log in with. */
  readonly passwords: Readonly<Record<Program, string>>;
}

const isChange = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';

/** Nothing in `scope` is answered to somebody without the right. */
export function addLogin(scope: FastifyInstance, { db, address, passwords }: Login): void {
  const right = PROGRAMS.map((program) => ({
    program,
    digest: digest(basicOf(passwords[program], program)),
  }));
  let waiting = 0;

  scope.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat())
      if (rightOf(each, url) === null) throw new Error(`${each} ${url} has no row in upstream/rights.ts`);
  });

  /** Which program shows this, or null after an answer. */
  async function programOf(shown: string, reply: FastifyReply): Promise<Program | null> {
    const found = right.find((each) => timingSafeEqual(digest(shown), each.digest));
    if (found !== undefined) return found.program;
    if (waiting >= WAITING_MOST) {
      await refuse(reply.request, reply.header('retry-after', '1'), { status: 429, code: 'too-many' });
      return null;
    }
    waiting += 1;
    await sleep(WRONG_MS);
    waiting -= 1;
    await askForLogin(reply.request, reply);
    return null;
  }

  async function askForLogin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const isOver = cookieOf(address, request, SESSION) !== null;
    const why = isOver ? 'session-over' : 'log-in';
    if (wantsPage(request) && !isChange(request))
      return reply
        .header('cache-control', 'no-store')
        .redirect(`${addressOf(address, request)}/log-in${isOver ? '?why=session-over' : ''}`, 303);
    return refuse(
      request,
      wantsPage(request)
        ? reply
        : reply.header('www-authenticate', 'Basic realm="banca centre", charset="UTF-8"'),
      { status: 401, code: why },
    );
  }

  scope.addHook('onRequest', async (request, reply) => {
    const { authorization, origin } = request.headers;
    const { roles, programs } = rightOf(request.method, request.routeOptions.url!)!;
    if (authorization !== undefined) {
      const program = await programOf(authorization, reply);
      if (program === null) return reply;
      // A browser that has been told the password would send it for any page.
      if (isChange(request) && origin !== undefined)
        return refuse(request, reply, { status: 403, code: 'other-site' });
      request.caller = { kind: 'program', program };
      return programs.includes(program)
        ? undefined
        : refuse(request, reply, { status: 403, code: 'no-right' });
    }
    const person = await personFrom(db, address, request);
    if (person === null) return askForLogin(request, reply);
    request.caller = person;
    const code = !roles.includes(person.role)
      ? 'no-right'
      : isChange(request) && !isFromOwnPage(address, request)
        ? 'other-site'
        : null;
    if (code === null) return undefined;
    await note(db, whoOf(request)!, 'refused', `${code} ${request.method} ${request.url}`);
    return refuse(request, reply, { status: 403, code });
  });

  scope.addHook('preValidation', async (request, reply) => {
    const person = personOf(request);
    if (person === null || !isChange(request)) return;
    const { token } = (request.body ?? {}) as { readonly token?: unknown };
    if ((request.headers['x-banca-token'] ?? token) === person.formToken) return;
    return refuse(request, reply, { status: 403, code: 'old-page' });
  });

  scope.addHook('preHandler', async (request) => {
    if (rightOf(request.method, request.routeOptions.url!)!.isNoted)
      await note(db, whoOf(request)!, 'look', request.url);
  });
}
