/** The log-in of operators: HTTP Basic, over loopback or what encrypts before it. */
import { hash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basicOf, OPERATOR } from './password.store.ts';

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

/**
 * Who asks, of a request in such a scope; null = nobody who may. All who know the password are one
 * here.
 */
export const personOf = (_request: FastifyRequest): { readonly name: string } | null => ({ name: OPERATOR });

/** Nothing in `scope` is answered without the password. */
export function addLogin(scope: FastifyInstance, password: string): void {
  const right = digest(basicOf(password));
  let waiting = 0;
  scope.addHook('onRequest', async (request, reply) => {
    const shown = request.headers.authorization;
    if (shown !== undefined && timingSafeEqual(digest(shown), right)) return;
    if (shown !== undefined) {
      if (waiting >= WAITING_MOST)
        return reply
          .code(429)
          .header('retry-after', '1')
          .send({ code: 'too-many', message: 'too many wrong passwords; wait' });
      waiting += 1;
      await sleep(WRONG_MS);
      waiting -= 1;
    }
    return reply
      .code(401)
      .header('www-authenticate', 'Basic realm="banca centre", charset="UTF-8"')
      .header('cache-control', 'no-store')
      .send({ code: 'log-in', message: "asks for the operators' password" });
  });
}
