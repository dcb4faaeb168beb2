/**
 * The page that the code of a receipt opens on a player's telephone, and the centre's word on it.
 * Nobody logs in here, so it says of a round only whether it is the one that is asked for.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { HEADERS_WITHIN_MS, REQUEST_WITHIN_MS } from './admission.ts';
import type { Db, Queryable } from './db.store.ts';
import { Malformed, parsed, Terminal } from './input.ts';
import { LOGGER, logController } from './log.ts';

const amount = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const hex32 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
const Asked = z.strictObject({
  terminal: Terminal,
  round: z.string().min(1).max(200),
  seat: z.coerce.number().int().min(1).max(12),
  staked: amount,
  returned: amount,
  key: hex32,
  seq: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  hash: hex32,
});

/** Of `round-settled` and `round-voided`. */
const Settled = z.object({
  body: z.object({
    lines: z.array(z.object({ by: z.number(), returnedMinor: z.number(), netMinor: z.number() })),
  }),
});

/**
 * `not-yet`: the terminal or the entry is not known here. `other`: it is, and the key, the entry's
 * hash or the amounts of this seat are others.
 */
export type Said = 'same' | 'other' | 'not-yet';

/** What the record says of a receipt. */
async function witness(q: Queryable, asked: z.infer<typeof Asked>): Promise<Said> {
  const { terminal, seq, round, seat } = asked;
  const [stored] = await q.query<{ key: string; hash: string | null }>(
    `SELECT encode(t.public_key, 'hex') AS key, encode(e.hash, 'hex') AS hash FROM terminals t
     LEFT JOIN entries e ON e.terminal_id = t.terminal_id AND e.seq = $2 WHERE t.terminal_id = $1`,
    [terminal, seq],
  );
  if (stored === undefined) return 'not-yet';
  if (stored.key !== asked.key) return 'other';
  if (stored.hash === null) return 'not-yet';
  if (stored.hash !== asked.hash) return 'other';
  const entries = await q.query<{ bytes: string }>(
    `SELECT bytes FROM entries WHERE terminal_id = $1 AND round_id = $2 AND seq <= $3
       AND kind IN ('round-settled', 'round-voided')`,
    [terminal, round, seq],
  );
  const lines = entries
    .flatMap(({ bytes }) => Settled.parse(JSON.parse(bytes)).body.lines)
    .filter(({ by }) => by === seat);
  const returned = lines.reduce((sum, { returnedMinor }) => sum + returnedMinor, 0);
  const staked = returned - lines.reduce((sum, { netMinor }) => sum + netMinor, 0);
  return lines.length > 0 && returned === asked.returned && staked === asked.staked ? 'same' : 'other';
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
};

/** What `npm run build` has made. Throws where it has not. */
const built = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../build/receipt/${name}`, import.meta.url)));

/** An instance that is not listening yet; what encrypts stands before it. */
export function createReceipts(o: { readonly db: Db; readonly log?: boolean }): FastifyInstance {
  const [page, offline] = [built('index.html'), built('offline.js')];
  const app = Fastify({
    bodyLimit: 1_024,
    requestTimeout: REQUEST_WITHIN_MS,
    logger: o.log === true && LOGGER,
    logController,
    http: { connectionsCheckingInterval: 1_000 } as object,
  });
  app.server.headersTimeout = HEADERS_WITHIN_MS;
  app.server.maxConnections = 1_024;
  app.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS));
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof Malformed ? 400 : (error.statusCode ?? 500);
    if (status >= 500) request.log.error(error);
    return reply.code(status).send({ code: status >= 500 ? 'failed' : 'malformed' });
  });
  app.get('/', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
  );
  app.get('/offline.js', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(offline),
  );
  app.get('/witness', async (request, reply) => {
    const said = await witness(o.db, parsed(Asked, request.query, 'query'));
    return reply.header('cache-control', 'no-store').send({ said });
  });
  return app;
}
