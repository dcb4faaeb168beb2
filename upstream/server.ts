/** The centre's HTTP interface; docs/ledger-format.md describes it for those who write another end. */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { BATCH_LIMIT, BATCH_VERSION } from '../ledger/chain/batch.codec.ts';
import { TERMINAL_ID } from '../ledger/chain/entry.codec.ts';
import type { Db } from './db.store.ts';
import { enrolmentOf } from './enrolment.store.ts';
import { type IngestAnswer, ingest, position } from './ingest.store.ts';

export interface CentreOptions {
  readonly db: Db;
  /** Where `<terminal>.pub` files of new terminals lie; null enrols nobody. */
  readonly enrolDir: string | null;
  readonly log?: boolean;
}

const BODY_BYTES = 32 * 2 ** 20;
const PAGE_LIMIT = 1000;

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
const Terminal = z.string().regex(TERMINAL_ID, `must match ${TERMINAL_ID.source}`);
const BatchBody = z.strictObject({
  v: z.literal(BATCH_VERSION),
  terminal: Terminal,
  firstSeq: z.int().min(1),
  prevHash: hash,
  entries: z
    .array(z.strictObject({ bytes: z.string().min(1), hash }))
    .min(1)
    .max(BATCH_LIMIT),
  signature: z.string().regex(/^[0-9a-f]{128}$/, 'must be 128 lower-case hex digits'),
});
const Params = z.object({ id: Terminal });
const Page = z.strictObject({
  from: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(PAGE_LIMIT),
});

/** Said to the client with its place; anything else that goes wrong is ours and is not. */
class Malformed extends Error {
  readonly place: string;
  constructor(place: string, what: string) {
    super(what);
    this.place = place;
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const place = issue.path.reduce<string>(
    (at, step) => (typeof step === 'number' ? `${at}[${step}]` : `${at}.${String(step)}`),
    where,
  );
  throw new Malformed(place, issue.message);
}

/** The centre as a Fastify instance that is not listening yet. Closing it leaves the database open. */
export function createCentre({ db, enrolDir, log }: CentreOptions): FastifyInstance {
  const enrolment = enrolmentOf(db, enrolDir);
  const registry = new Registry();
  const batches = new Counter({
    name: 'banca_batches_total',
    help: 'Batches received, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const stored = new Counter({
    name: 'banca_entries_total',
    help: 'Entries stored for the first time',
    labelNames: ['terminal'],
    registers: [registry],
  });
  const head = new Gauge({
    name: 'banca_terminal_head_seq',
    help: 'Newest entry stored',
    labelNames: ['terminal'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'banca_ingest_seconds',
    help: 'From a whole batch to its answer',
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [registry],
  });

  const app = Fastify({
    bodyLimit: BODY_BYTES,
    logger: log === true ? { level: 'warn', stream: process.stderr } : false,
  });

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof Malformed ? 400 : (error.statusCode ?? 500);
    if (status >= 500) {
      request.log.error(error);
      return reply.code(status).send({ code: 'failed', message: 'the centre could not do this; try again' });
    }
    if (request.url.endsWith('/batches')) batches.inc({ outcome: 'malformed' });
    const place = error instanceof Malformed ? error.place : 'body';
    return reply.code(status).send({ code: 'malformed', place, message: error.message });
  });

  app.post('/v1/terminals/:id/batches', async (request, reply) => {
    const stop = seconds.startTimer();
    const { id } = parsed(Params, request.params, 'path');
    const batch = parsed(BatchBody, request.body, 'body');
    if (batch.terminal !== id)
      throw new Malformed('body.terminal', `is ${batch.terminal}, the path says ${id}`);
    const answer = await ingest(db, enrolment, batch);
    if (answer.outcome === 'malformed') throw new Malformed(`body.${answer.place}`, answer.what);
    batches.inc({ outcome: answer.outcome });
    if (answer.outcome === 'stored') {
      stored.inc({ terminal: id }, answer.newEntries);
      head.set({ terminal: id }, answer.head.seq);
    }
    stop();
    return send(reply, id, answer);
  });

  app.get('/v1/terminals/:id', async (request, reply) => {
    const { id } = parsed(Params, request.params, 'path');
    const known = await enrolment.publicKeyOf(id);
    const at = known === null ? null : await position(db, id);
    if (at === null) return send(reply, id, { outcome: 'not-enrolled' });
    return reply.send({ terminal: id, ...at });
  });

  app.get('/v1/terminals/:id/entries', async (request, reply) => {
    const { id } = parsed(Params, request.params, 'path');
    const { from, limit } = parsed(Page, request.query, 'query');
    const entries = await db.query(
      `SELECT seq::float8 AS seq, bytes, encode(hash, 'hex') AS hash FROM entries
       WHERE terminal_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3`,
      [id, from, limit],
    );
    return reply.send({ terminal: id, entries });
  });

  app.get('/healthz', async (_request, reply) => {
    try {
      const [row] = await db.query<{ version: string }>('SELECT version() AS version');
      return reply.send({ ok: true, engine: db.engine, version: row?.version ?? '' });
    } catch (error) {
      return reply.code(503).send({ ok: false, engine: db.engine, message: (error as Error).message });
    }
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );

  return app;
}

type Said = Exclude<IngestAnswer, { outcome: 'malformed' }>;

function send(reply: FastifyReply, id: string, answer: Said): FastifyReply {
  switch (answer.outcome) {
    case 'stored':
      return reply.send({ ackSeq: answer.head.seq, ackHash: answer.head.hash });
    case 'gap':
      return reply.code(409).send({ code: 'gap', haveSeq: answer.head.seq, haveHash: answer.head.hash });
    case 'fork':
      return reply.code(409).send({
        code: 'fork',
        seq: answer.seq,
        message: `another entry ${answer.seq} is stored for terminal ${id}`,
      });
    case 'bad-signature':
      return reply
        .code(401)
        .send({ code: 'bad-signature', message: `not signed with the key of terminal ${id}` });
    case 'not-enrolled':
      return reply.code(404).send({ code: 'not-enrolled', message: `terminal ${id} is not enrolled` });
  }
}
