/**
 * The gaming floor's board: one page that hears what changes, by server-sent events, and where
 * people acknowledge alarms.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { personOf } from './caller.ts';
import type { Db } from './db.store.ts';
import { alarmTrail, seeAlarm, TRAIL_PAGE } from './floor.store.ts';
import { briefOf, titleOf } from './floor-card.ts';
import { floorClock } from './floor-figures.ts';
import type { Floor, FloorKeeper } from './floor-keeper.ts';
import { type Board, boardOf, boardPage } from './floor-page.ts';
import type { FloorPlan } from './floor-plan.ts';
import type { Language } from './floor-table.ts';
import { FLOOR_WORDS } from './floor-words.ts';
import { html, table } from './html.ts';
import { parsed, Terminal } from './input.ts';
import { wordsFor } from './operator-words.ts';
import { rolesOf } from './people.store.ts';
import { mayAsk } from './rights.ts';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Walls and desks that look at one instance at once. */
const STREAMS_MOST = 64;
/** A browser that takes nothing is let go; it comes back by itself. */
const UNREAD_BYTES = 4 * 2 ** 20;
/** After this a stream ends, and the browser asks for another one: that counts as a use. */
const STREAM_MS = 600_000;

const AlarmPath = z.object({
  id: Terminal,
  no: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
});
const Trail = z.strictObject({
  before: z.coerce.number().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  terminal: Terminal.optional(),
});
const Nothing = z.strictObject({});

const file = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

interface Stream {
  readonly raw: ServerResponse;
  readonly lang: Language;
  readonly session: string;
}

export function addFloor(
  app: FastifyInstance,
  { db, plan, keeper }: { readonly db: Db; readonly plan: FloorPlan; readonly keeper: FloorKeeper },
): void {
  const [style, script] = [file('floor.css'), file('floor.js')];
  const streams = new Set<Stream>();
  const last = new Map<Language, Board>();
  let unwatch: (() => void) | null = null;

  const say = ({ raw }: Stream, said: object): void => {
    if (raw.writableLength > UNREAD_BYTES) raw.destroy();
    else raw.write(`event: floor\ndata: ${JSON.stringify(said)}\n\n`);
  };
  /** Nobody hears anything whose session has ended since, or whose new role may not look. */
  const endRevoked = async (): Promise<void> => {
    const asked = [...streams];
    const roles = await rolesOf(
      db,
      asked.map(({ session }) => session),
    );
    for (const stream of asked) {
      const role = roles.get(stream.session);
      if (role !== undefined && mayAsk(role, 'GET /floor/stream')) continue;
      stream.raw.destroy();
      leave(stream);
    }
  };
  /** Every look is sent, though nothing has changed: a page that hears nothing says so. */
  const tellAll = async (floor: Floor): Promise<void> => {
    await endRevoked();
    for (const lang of new Set([...streams].map((stream) => stream.lang))) {
      const board = boardOf(floor, plan, lang);
      const before = last.get(lang);
      last.set(lang, board);
      const said = before === undefined ? whole(board) : difference(before, board);
      for (const stream of streams) if (stream.lang === lang) say(stream, said);
    }
  };
  let telling = Promise.resolve();
  const tell = (floor: Floor): void => {
    // A database that does not answer is the keeper's to say; nobody hears anything meanwhile.
    telling = telling.then(() => tellAll(floor)).catch(() => undefined);
  };
  const leave = (stream: Stream): void => {
    streams.delete(stream);
    if (![...streams].some(({ lang }) => lang === stream.lang)) last.delete(stream.lang);
    if (streams.size > 0) return;
    unwatch?.();
    unwatch = null;
  };

  /** The newest look at the floor; waits for the first one. */
  const floor = async (): Promise<Floor> => {
    const known = keeper.newest();
    if (known !== null) return known;
    const { promise, resolve } = Promise.withResolvers<Floor>();
    const done = keeper.watch(resolve);
    try {
      return await promise;
    } finally {
      done();
    }
  };

  app.get('/floor', async (request, reply) => {
    const { lang } = wordsFor(request.headers['accept-language']);
    const board = boardOf(await floor(), plan, lang);
    return page(reply).send(boardPage(board, lang, personOf(request)?.formToken ?? '').text);
  });
  app.get('/floor.css', async (_request, reply) =>
    reply.headers(HEADERS).type('text/css; charset=utf-8').send(style),
  );
  app.get('/floor.js', async (_request, reply) =>
    reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(script),
  );

  app.get('/floor/stream', (request, reply) => {
    if (streams.size >= STREAMS_MOST)
      return void reply
        .code(503)
        .headers({ ...HEADERS, 'retry-after': '5' })
        .send({ code: 'busy', message: 'too many boards look at this instance' });
    const { lang } = wordsFor(request.headers['accept-language']);
    const { session } = personOf(request)!;
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...HEADERS,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    raw.write('retry: 500\n\n');
    const stream: Stream = { raw, lang, session };
    // What a page has may be older than what is sent from here on: it gets all of it.
    const known = last.get(lang);
    if (known !== undefined) say(stream, whole(known));
    streams.add(stream);
    const timer = setTimeout(() => raw.end(), STREAM_MS).unref();
    raw.once('close', () => {
      clearTimeout(timer);
      leave(stream);
    });
    unwatch ??= keeper.watch(tell);
  });

  app.post('/floor/alarms/:id/:no/seen', async (request, reply) => {
    const { id: terminal, no } = parsed(AlarmPath, request.params, 'path');
    // A form of a stranger's page can send no JSON here.
    parsed(Nothing, request.body, 'body');
    const person = personOf(request);
    if (person === null || isForeign(request))
      return reply.code(403).send({ code: 'refused', message: 'asks for a person who has logged in here' });
    const seen = await seeAlarm(db, { terminal, no, by: person.name });
    keeper.moved();
    return seen === null
      ? reply.code(404).send({ code: 'no-alarm', message: `terminal ${terminal} has no open alarm ${no}` })
      : reply.send(seen);
  });

  app.get('/floor/alarms', async (request, reply) => {
    const { before, terminal } = parsed(Trail, request.query, 'query');
    const { lang } = wordsFor(request.headers['accept-language']);
    const w = FLOOR_WORDS[lang];
    const clock = floorClock(plan.timeZone, lang);
    const alarms = await alarmTrail(db, { beforeMs: before ?? null, terminal: terminal ?? null });
    const of = terminal === undefined ? '' : `&terminal=${encodeURIComponent(terminal)}`;
    const rows = alarms.map((alarm) => [
      html`<a href="/floor/alarms?terminal=${alarm.terminal}">${alarm.terminal}</a>`,
      [titleOf(alarm, { w, lang }), briefOf(alarm, { w, lang })].filter(Boolean).join(' · '),
      clock.moment(alarm.sinceMs),
      clock.moment(alarm.openedMs),
      alarm.seenBy === null || alarm.seenMs === null
        ? w.nobody
        : `${alarm.seenBy}, ${clock.moment(alarm.seenMs)}`,
      alarm.curedMs === null ? html`<span class="bad">${w.stands}</span>` : clock.moment(alarm.curedMs),
    ]);
    const oldest = alarms.length < TRAIL_PAGE ? undefined : alarms.at(-1);
    const document = html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${w.trail}</title><link rel="stylesheet" href="/letters/index.css"><link rel="stylesheet" href="/style.css"></head><body>
<h1>${w.trail}</h1><nav><a href="/floor">${w.board}</a><a href="/">${w.centre}</a>${terminal === undefined ? '' : html`<a href="/floor/alarms">${w.all}</a>`}</nav>
${table([w.table, w.what, w.since, w.opened, w.seen, w.cured], rows, w.none)}
${oldest === undefined ? '' : html`<p><a href="/floor/alarms?before=${oldest.openedMs}${of}">${w.older}</a></p>`}</body></html>`;
    return page(reply).send(document.text);
  });

  app.addHook('onReady', async () => keeper.start());
  // Streams have no end of their own, and the server waits for them.
  app.addHook('preClose', async () => {
    for (const { raw } of streams) raw.end();
  });
  app.addHook('onClose', async () => keeper.stop());
}

const page = (reply: FastifyReply): FastifyReply => reply.headers(HEADERS).type('text/html; charset=utf-8');

/** A browser says whose page asks. */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);

const whole = ({ zones, parts, clock }: Board): object => ({
  zones,
  parts: [...parts].filter(([id]) => !id.startsWith('tile-') && !id.startsWith('sums-')),
  clock,
});
const difference = (before: Board, now: Board): object =>
  before.places === now.places
    ? { parts: [...now.parts].filter(([id, part]) => before.parts.get(id) !== part), clock: now.clock }
    : whole(now);
