/**
 * The centre's HTTP interface for terminals; docs/ledger-format.md describes it for those who write
 * another end.
 */
import type { ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  BATCH_BYTES,
  BATCH_LIMIT,
  BATCH_TYPE,
  BATCH_VERSION,
  type Batch,
  splitBatch,
} from '../ledger/chain/batch.codec.ts';
import { isSignedBy } from '../ledger/chain/certificate.codec.ts';
import type { SentCommand } from '../ledger/chain/command.codec.ts';
import type { LedgerKey } from '../ledger/chain/key.ts';
import { REPORT_VERSION } from '../ledger/chain/report.codec.ts';
import { endOfPem, type TlsIdentity } from '../ledger/chain/tls.store.ts';
import {
  type BatchPlaces,
  batchPlaces,
  boundSockets,
  HANDSHAKE_WITHIN_MS,
  HEADERS_WITHIN_MS,
  REQUEST_WITHIN_MS,
  sendAway,
} from './admission.ts';
import type { Address } from './caller.ts';
import { pendingCommands } from './commands.store.ts';
import { calendarOf } from './day/calendar.ts';
import { addDayPages } from './day/day-pages.ts';
import { addSecondsPage } from './day/seconds-page.ts';
import type { Db } from './db.store.ts';
import { type Enrolment, enrolmentOf } from './enrolment.store.ts';
import { addFloor } from './floor.ts';
import { createFloorKeeper, type FloorKeeper } from './floor-keeper.ts';
import { type FloorPlan, NO_PLAN } from './floor-plan.ts';
import { type IngestAnswer, ingest, position } from './ingest.store.ts';
import { Malformed, parsed, Terminal, TerminalPath } from './input.ts';
import { addLetters } from './letters.ts';
import { LOGGER, logController, sparing } from './log.ts';
import { addLogin } from './login.ts';
import { addLoginPages } from './login-pages.ts';
import { addCertificateEnd, createMetrics, type Metrics } from './metrics.ts';
import type { Provider } from './oidc.ts';
import { addHostCheck, addOperatorPages } from './operator.ts';
import { addOrderPage } from './order-page.ts';
import { sayWhy } from './page.ts';
import { newToken } from './people.store.ts';
import { addPeoplePages } from './people-pages.ts';
import { addCommandDesk, addHealth, addReadings } from './readings.ts';
import { takeReport } from './report.store.ts';

export interface CentreOptions {
  readonly db: Db;
  /** Where `<terminal>.pub` files of new terminals lie; null enrols nobody. */
  readonly enrolDir: string | null;
  /** Raw Ed25519 key whose commands are handed on; null takes none. */
  readonly commandKey?: Uint8Array | null;
  /** What programs log in with. */
  readonly password: string;
  /** What the command that adds a person logs in with; absent: nobody can. */
  readonly peoplePassword?: string;
  /** The operators' pages as people reach them; absent: this machine alone. */
  readonly address?: Address;
  /** The log-in of the house; absent: passkeys alone. */
  readonly provider?: Provider | null;
  /** Whether something before it says whose a request is. */
  readonly isBehindProxy?: boolean;
  /** Where the tables stand; absent = all in one zone. */
  readonly floor?: FloorPlan;
  /** Signs closings of gaming days; absent: none is made. */
  readonly closingKey?: LedgerKey;
  readonly log?: boolean;
}

/** A batch has `BATCH_BYTES`, or one entry that is longer, and its head. */
const BATCH_BODY_BYTES = 4 * BATCH_BYTES;
/**
 * Lists of exclusions on their way at once: each is megabytes, and a whole floor that comes back
 * asks for one each. Who has to wait asks again a second later.
 */
const LISTS_AT_ONCE = 2;
/** A signed command with its bundle, in JSON that may put a sign before every character. */
const BODY_BYTES = 2 ** 20;

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
const signature = z.string().regex(/^[0-9a-f]{128}$/, 'must be 128 lower-case hex digits');
const HeadLine = z.strictObject({
  v: z.literal(BATCH_VERSION),
  terminal: Terminal,
  firstSeq: z.int().min(1),
  count: z.int().min(1).max(BATCH_LIMIT),
  prevHash: hash,
  lastHash: hash,
  signature,
});
const ReportBody = z
  .strictObject({
    v: z.literal(REPORT_VERSION),
    terminal: Terminal,
    headSeq: z.int().min(0),
    headHash: hash,
    ackedSeq: z.int().min(0),
    ackedHash: hash,
    clockOffMs: z.int().nullable(),
    disputes: z.strictObject({ seq: z.int().min(0), ownHash: hash.nullable() }).nullable(),
    signature,
  })
  .refine(
    ({ headSeq, disputes }) => disputes === null || disputes.ownHash !== null || headSeq < disputes.seq,
    {
      path: ['disputes', 'ownHash'],
      message: 'is missing for an entry that the terminal has',
    },
  );

/**
 * The centre on plain HTTP, for terminals and operators of this machine: a Fastify instance that is
 * not listening yet. Closing it leaves the database open.
 */
export function createCentre(o: CentreOptions): FastifyInstance {
  const metrics = createMetrics(o.db);
  const app = instance(o, metrics, null);
  const places = batchPlaces(metrics);
  const { moved } = addOperators(app, o, { metrics, places });
  addTerminals(app, o.db, enrolmentOf(o.db, o.enrolDir), { metrics, places, moved });
  return app;
}

/**
 * The centre across a network: terminals on TLS 1.3, each of which shows a certificate signed with
 * its enrolled key, and operators on an instance of their own.
 */
export function createTlsCentre(
  o: CentreOptions,
  identity: TlsIdentity,
): { terminals: FastifyInstance; operators: FastifyInstance } {
  const metrics = createMetrics(o.db);
  const enrolment = enrolmentOf(o.db, o.enrolDir);
  const tls: ServerOptions = {
    ...identity,
    minVersion: 'TLSv1.3',
    requestCert: true,
    // No authority vouches for terminals: the enrolled key does, below.
    rejectUnauthorized: false,
    handshakeTimeout: HANDSHAKE_WITHIN_MS,
  };
  const terminals = instance(o, metrics, tls);
  const sockets = boundSockets(terminals.server);
  terminals.addHook('onRequest', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const publicKey = await enrolment.publicKeyOf(id);
    if (publicKey === null) return send(sendAway(reply), id, { outcome: 'not-enrolled' });
    const shown = (request.socket as TLSSocket).getPeerX509Certificate();
    if (shown !== undefined && isSignedBy(shown, publicKey)) {
      sockets.known(request.socket, id);
      return;
    }
    return sendAway(reply)
      .code(401)
      .send({ code: 'bad-certificate', message: `no certificate signed with the key of terminal ${id}` });
  });
  const operators = instance(o, metrics, null);
  const places = batchPlaces(metrics);
  const { moved } = addOperators(operators, o, { metrics, places });
  addTerminals(terminals, o.db, enrolment, { metrics, places, moved });
  addCertificateEnd(metrics, endOfPem(identity.cert));
  return { terminals, operators };
}

function instance(
  { log, isBehindProxy = false }: CentreOptions,
  metrics: Metrics,
  tls: ServerOptions | null,
): FastifyInstance {
  const times = { connectionsCheckingInterval: 1_000 };
  const app = Fastify({
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    // The one hop that is ours; what is before it anybody can write.
    trustProxy: isBehindProxy && ((_address: string, hop: number) => hop === 0),
    logger: log === true && LOGGER,
    logController,
    ...((tls === null ? { http: times } : { https: { ...tls, ...times } }) as object),
  });
  app.server.headersTimeout = HEADERS_WITHIN_MS;
  const sayError = sparing((error, times) => app.log.error({ err: error, times }));
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof Malformed ? 400 : (error.statusCode ?? 500);
    if (status >= 500) {
      sayError(error);
      return reply.code(status).send({ code: 'failed', message: 'the centre could not do this; try again' });
    }
    if (request.url.endsWith('/batches')) metrics.batches.inc({ outcome: 'malformed' });
    if (request.url.endsWith('/reports')) metrics.reports.inc({ outcome: 'malformed' });
    const place = error instanceof Malformed ? error.place : 'body';
    return reply.code(status).send({ code: 'malformed', place, message: error.message });
  });
  return app;
}

/** What both sides of the centre share. */
interface Shared {
  readonly metrics: Metrics;
  readonly places: BatchPlaces;
}

function addOperators(app: FastifyInstance, o: CentreOptions, { metrics, places }: Shared): FloorKeeper {
  const { db, commandKey = null, address = null, provider = null, floor: plan = NO_PLAN } = o;
  app.decorateRequest('caller', null);
  addHostCheck(app, address);
  addHealth(app, db);
  const calendar = calendarOf(plan);
  const keeper = createFloorKeeper({
    db,
    plan,
    calendar,
    isPressed: places.isPressed,
    onError: sparing((error, times) => app.log.error({ err: error, times })),
  });
  void app.register(async (open) => {
    open.setErrorHandler(sayWhy);
    addLoginPages(open, { db, address, provider });
    addLetters(open);
  });
  void app.register(async (scope) => {
    scope.setErrorHandler(sayWhy);
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const passwords = { operator: o.password, people: o.peoplePassword ?? newToken() };
    addLogin(scope, { db, address, passwords });
    addOperatorPages(scope, db);
    addReadings(scope, db, metrics.registry);
    addCommandDesk(scope, db, commandKey);
    addOrderPage(scope, db, commandKey);
    addPeoplePages(scope, { db, address });
    addFloor(scope, { db, plan, keeper });
    addDayPages(scope, { db, calendar, ...plan, key: o.closingKey ?? null });
    addSecondsPage(scope, { db, calendar, timeZone: plan.timeZone });
  });
  return keeper;
}

function addTerminals(
  app: FastifyInstance,
  db: Db,
  enrolment: Enrolment,
  { metrics, places, moved }: Shared & Pick<FloorKeeper, 'moved'>,
): void {
  /** A signed body says whose it is; the path must say the same. */
  const ownBody = <T extends { terminal: string }>(
    request: FastifyRequest,
    schema: z.ZodType<T>,
    said: unknown = request.body,
  ): T => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const body = parsed(schema, said, 'body');
    if (body.terminal !== id)
      throw new Malformed('body.terminal', `is ${body.terminal}, the path says ${id}`);
    return body;
  };

  app.addContentTypeParser(BATCH_TYPE, { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  const batchOf = (request: FastifyRequest): Batch => {
    const split = Buffer.isBuffer(request.body) ? splitBatch(request.body) : `not ${BATCH_TYPE}`;
    if (typeof split === 'string') throw new Malformed('body', split);
    const head = ownBody(request, HeadLine, split.head);
    if (head.count !== split.entries.length)
      throw new Malformed('body.count', `is ${head.count}, the lines are ${split.entries.length}`);
    return { ...head, entries: split.entries };
  };

  const options = { ...places.hooks, bodyLimit: BATCH_BODY_BYTES };
  app.post('/v1/terminals/:id/batches', options, async (request, reply) => {
    const stop = metrics.seconds.startTimer();
    const batch = batchOf(request);
    const answer = await ingest(db, enrolment, batch);
    if (answer.outcome === 'malformed') throw new Malformed(`body.${answer.place}`, answer.what);
    metrics.batches.inc({ outcome: answer.outcome });
    stop();
    if (answer.outcome !== 'stored') return send(reply, batch.terminal, answer);
    metrics.entries.inc(answer.newEntries);
    if (answer.newEntries > 0) moved();
    const commands = await commandsFor(reply, batch.terminal);
    return reply.send({ ackSeq: answer.head.seq, ackHash: answer.head.hash, commands });
  });

  let listsUnderWay = 0;
  /** For the answer to this terminal. */
  const commandsFor = async (reply: FastifyReply, terminal: string): Promise<SentCommand[]> => {
    const commands = await pendingCommands(db, terminal, { lists: listsUnderWay < LISTS_AT_ONCE });
    if (commands.some(({ exclusions }) => exclusions !== undefined)) {
      listsUnderWay += 1;
      reply.raw.once('close', () => {
        listsUnderWay -= 1;
      });
    }
    return commands;
  };

  app.post('/v1/terminals/:id/reports', async (request, reply) => {
    const report = ownBody(request, ReportBody);
    const answer = await takeReport(db, enrolment, report);
    metrics.reports.inc({ outcome: answer.outcome });
    if (answer.outcome !== 'noted') return send(reply, report.terminal, answer);
    const commands = await commandsFor(reply, report.terminal);
    return reply.send({ ...answer.head, nowMs: Date.now(), commands });
  });

  app.get('/v1/terminals/:id', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const known = await enrolment.publicKeyOf(id);
    const at = known === null ? null : await position(db, id);
    if (at === null) return send(reply, id, { outcome: 'not-enrolled' });
    return reply.send({ terminal: id, ...at });
  });
}

type Refused = Exclude<IngestAnswer, { outcome: 'malformed' | 'stored' }>;

function send(reply: FastifyReply, id: string, answer: Refused): FastifyReply {
  switch (answer.outcome) {
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
