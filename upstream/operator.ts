/**
 * The operator's pages of terminals: written by the server, without a script. They show and change
 * nothing; orders are signed with `upstream/command.ts` by people who hold the key.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import codes from './alarm-codes.json' with { type: 'json' };
import { type Address, personOf } from './caller.ts';
import type { Db } from './db.store.ts';
import { SILENT_LOCKED_MS, SILENT_MS } from './floor-watch.ts';
import { type Html, html, moment, table } from './html.ts';
import { parsed, Terminal, TerminalPath } from './input.ts';
import {
  alarmsOf,
  balancesOf,
  commandsOf,
  type EntryLine,
  type ForkLine,
  forkLines,
  type IncidentLine,
  incidentLines,
  ROUNDS_WINDOW,
  roundEntries,
  roundsOf,
  type TerminalLine,
  tableOf,
  terminalLines,
} from './operator.store.ts';
import type { Words, wordsFor } from './operator-words.ts';
import { HEADERS, sendPage } from './page.ts';
import { posterOf } from './poster.ts';
import { CLOCK_LIMIT_MS } from './report.store.ts';

type Language = ReturnType<typeof wordsFor>['lang'];
interface Event {
  readonly class: string;
  readonly name: Readonly<Record<Language, string>>;
}
const {
  kinds,
  faults,
  events,
}: Readonly<Record<'kinds' | 'faults', Record<string, string>>> & {
  readonly events: Record<string, Event>;
} = codes;

/** A poster carries its own letters and style, and nothing else may come. */
const POSTER_HEADERS = {
  ...HEADERS,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const ForWhom = z.strictObject({ for: z.enum(['players', 'staff']).default('players') });

const Before = z.strictObject({ before: z.coerce.number().int().min(1).optional() });
const RoundPath = z.object({ id: Terminal, round: z.string().min(1).max(200) });

const ago = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
};
/** Every currency of the terminals has two decimals. */
export function amountText(minor: string | number): string {
  const text = String(minor);
  const digits = text.replace('-', '').padStart(3, '0');
  return `${text.startsWith('-') ? '−' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * A name that somebody lets resolve to this machine would open these pages to a stranger's page in
 * a browser here.
 */
export function addHostCheck(app: FastifyInstance, address: Address): void {
  const own = address === null ? 'localhost' : new URL(address).hostname;
  app.addHook('onRequest', async (request, reply) => {
    const host = request.hostname.replace(/^\[(.*)\]$/, '$1');
    if (host === 'localhost' || host === own || isIP(host) !== 0) return;
    return reply
      .code(421)
      .send({ code: 'wrong-host', message: 'ask by number, or by the name of --operator-address' });
  });
}

export function addOperatorPages(app: FastifyInstance, db: Db): void {
  const missing = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(request, reply.code(404), (w) => html`<p>${w.notFound}</p>`);

  app.get('/', async (request, reply) => {
    const lines = await terminalLines(db);
    const mayLook = personOf(request)?.may('GET /terminals/:id') === true;
    return sendPage(
      request,
      reply,
      (w) =>
        html`<h2>${w.terminals}</h2>${table(
          [w.terminal, w.link, w.newest, w.newestAt, w.lag, w.clock, w.forks],
          lines.map((line) => [
            mayLook ? html`<a href="/terminals/${line.terminal}">${line.terminal}</a>` : line.terminal,
            linkOf(line, w),
            line.headSeq,
            moment(line.headAtMs),
            line.lag,
            clockOf(line),
            line.openForks === 0
              ? '0'
              : mayLook
                ? html`<a class="bad" href="/forks">${line.openForks}</a>`
                : html`<span class="bad">${line.openForks}</span>`,
          ]),
          w.none,
        )}`,
    );
  });

  app.get('/terminals/:id', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const { before } = parsed(Before, request.query, 'query');
    const [line] = await terminalLines(db, id);
    if (line === undefined) return missing(request, reply);
    const from = before ?? line.headSeq + 1;
    const [balances, alarms, rounds, commands, incidents, forks] = await Promise.all([
      balancesOf(db, id),
      alarmsOf(db, id),
      roundsOf(db, id, from),
      commandsOf(db, id),
      incidentLines(db, id),
      forkLines(db, id),
    ]);
    return sendPage(
      request,
      reply,
      (w, lang, l) => html`<h2>${w.terminal} ${id}</h2>
<p>${linkOf(line, w)} · ${w.newest} ${line.headSeq} · ${moment(line.headAtMs)} · ${w.lag} ${line.lag} · ${w.clock} ${clockOf(line)}</p>
<p>${w.poster}: <a href="/terminals/${id}/poster">${w.forPlayers}</a> <a href="/terminals/${id}/poster?for=staff">${w.forStaff}</a></p>
${line.lockedAt === null ? '' : lockedNote(line, line.lockedAt, w)}
<h3>${w.alarms}</h3>${alarmTable(alarms, w, lang)}
<h3>${w.forks}</h3>${incidentTable(incidents, w)}${forkTable(forks, w)}
<h3>${w.meters}</h3>${table(
        [w.account, w.amount],
        balances.map((b) => [b.account, `${amountText(b.amountMinor)} ${b.currency}`]),
        w.none,
      )}
<h3>${w.commands}</h3>${personOf(request)?.may('GET /terminals/:id/order') === true ? html`<p><a href="/terminals/${id}/order">${l.order}</a></p>` : ''}${table(
        [w.number, w.issued, w.kind, w.outcome, w.detail],
        commands.map((c) => [
          c.no,
          moment(c.issuedAtMs),
          c.type,
          c.outcome ?? html`<em>${w.pending}</em>`,
          html`<code>${c.bytes}</code>`,
        ]),
        w.none,
      )}
<h3>${w.rounds}</h3>${table(
        [w.round, w.time, w.entries, w.entry],
        rounds.map((r) => [
          html`<a href="/terminals/${id}/rounds/${encodeURIComponent(r.roundId)}">${r.roundId}</a>`,
          moment(r.atMs),
          r.entries,
          r.firstSeq,
        ]),
        w.none,
      )}
${from > ROUNDS_WINDOW ? html`<p><a href="/terminals/${id}?before=${from - ROUNDS_WINDOW}">${w.older}</a></p>` : ''}`,
    );
  });

  app.get('/terminals/:id/rounds/:round', async (request, reply) => {
    const { id, round } = parsed(RoundPath, request.params, 'path');
    const entries = await roundEntries(db, id, round);
    if (entries.length === 0) return missing(request, reply);
    const cards = openedCards(entries);
    return sendPage(
      request,
      reply,
      (w) =>
        html`<h2>${w.round} ${round}</h2><p><a href="/terminals/${id}">${w.terminal} ${id}</a></p>${table(
          [w.entry, w.time, w.kind, w.detail, w.postings, w.hash],
          entries.map((e) => [
            e.seq,
            moment(e.atMs),
            e.kind,
            html`<code>${bodyText(e)}</code>${sealText(e, cards, w)}`,
            e.postings.map((p) => html`${p.account} ${amountText(p.amountMinor)} ${p.currency}<br>`),
            html`<code>${e.hash.slice(0, 16)}…</code>`,
          ]),
          w.none,
        )}`,
    );
  });

  app.get('/terminals/:id/poster', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const { for: whom } = parsed(ForWhom, request.query, 'query');
    const table = await tableOf(db, id);
    if (table === null) return missing(request, reply);
    const poster = await posterOf(table.bytes, whom === 'staff');
    if ('page' in poster)
      return reply.headers(POSTER_HEADERS).type('text/html; charset=utf-8').send(poster.page);
    return sendPage(
      request,
      reply.code(409),
      (w) => html`<h2>${w.terminal} ${id}</h2><p>${w.noPoster} <code>${poster.why}</code></p>`,
    );
  });

  app.get('/forks', async (request, reply) => {
    const [incidents, forks] = await Promise.all([incidentLines(db), forkLines(db)]);
    return sendPage(
      request,
      reply,
      (w) => html`<h2>${w.forks}</h2>${incidentTable(incidents, w)}${forkTable(forks, w)}`,
    );
  });
}

function linkOf(line: TerminalLine, w: Words): Html {
  if (line.silentMs === null) return html`<span class="none">${w.never}</span>`;
  return line.silentMs > (line.lockedAt === null ? SILENT_MS : SILENT_LOCKED_MS)
    ? html`<span class="bad">${w.silent} ${ago(line.silentMs)}</span>`
    : html`<span class="good">${w.up}</span>`;
}

function clockOf({ clockOffMs }: TerminalLine): Html | null {
  if (clockOffMs === null) return null;
  const text = `${clockOffMs < 0 ? '−' : '+'}${ago(Math.abs(clockOffMs))}`;
  return Math.abs(clockOffMs) > CLOCK_LIMIT_MS ? html`<span class="bad">${text}</span>` : html`${text}`;
}

const Opened = z.object({
  cards: z.array(
    z.object({
      card: z.int().min(0).max(51),
      confidence: z.int().optional(),
      opening: z.string(),
    }),
  ),
});
const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'] as const;

/**
 * Cards by the hash of their seal, out of the entries that open them (docs/ledger-format.md,
 * section 12).
 */
function openedCards(entries: readonly EntryLine[]): ReadonlyMap<string, string> {
  const cards = new Map<string, string>();
  for (const { bytes } of entries.filter(({ kind }) => kind === 'cards-opened')) {
    const { data } = Opened.safeParse((JSON.parse(bytes) as { body: unknown }).body);
    for (const { card, confidence, opening } of data?.cards ?? []) {
      const sealed = confidence === undefined ? `${card}` : `${card} ${confidence}`;
      const hash = createHash('sha256').update(Buffer.from(opening, 'hex')).update(sealed).digest('hex');
      cards.set(hash, `${'♠♥♦♣'[Math.floor(card / 13)]!}${RANKS[card % 13]!}`);
    }
  }
  return cards;
}

/** Of each seal of an entry the card that was under it, or that it is closed. */
function sealText(e: EntryLine, cards: ReadonlyMap<string, string>, w: Words): Html {
  const seals = [...bodyText(e).matchAll(/"hash":"([0-9a-f]{64})","nonce":/g)];
  if (seals.length === 0) return html``;
  return html`<br>${w.seals}: ${seals.map(([, hash]) => cards.get(hash!) ?? w.sealed).join(', ')}`;
}

const bodyText = ({ bytes }: Pick<EntryLine, 'bytes'>): string =>
  JSON.stringify((JSON.parse(bytes) as { body: unknown }).body);

/** The event of the terminals' catalogue; null for one that this version's catalogue has not. */
function eventOf(kind: string, fault: string | undefined): (Event & { readonly code: string }) | null {
  const code = (fault === undefined ? null : faults[fault]) ?? kinds[kind];
  const event = code === undefined ? undefined : events[code];
  return code === undefined || event === undefined ? null : { code, ...event };
}

interface AlarmBody {
  readonly device?: string;
  readonly fault?: string;
  readonly seat?: number;
  readonly on?: boolean;
}

/**
 * A fault is open until the same fault of the same device is cleared by a later entry, a call until
 * the same seat has called it off.
 */
function alarmTable(newestFirst: readonly EntryLine[], w: Words, lang: Language): Html {
  const cleared = new Set<string>();
  const rows = newestFirst.flatMap((e): (readonly (Html | string | number | null)[])[] => {
    const { device, fault, seat, on } = (JSON.parse(e.bytes) as { body: AlarmBody }).body;
    const isCall = e.kind === 'attendant-called';
    const cause = isCall ? `seat/${seat}` : `${device}/${fault}`;
    if (e.kind === 'fault-cleared' || (isCall && on === false)) {
      cleared.add(cause);
      return [];
    }
    const isOpen = (e.kind === 'fault-reported' || isCall) && !cleared.has(cause);
    // Of two calls of a seat the later one stands for both.
    if (isCall) cleared.add(cause);
    const state =
      e.kind !== 'fault-reported' && !isCall
        ? null
        : isOpen
          ? html`<span class="bad">${w.open}</span>`
          : html`${w.closed}`;
    const event = eventOf(e.kind, fault);
    const name = event ? html`${event.name[lang]} <small>${e.kind}</small>` : e.kind;
    return [
      [
        e.seq,
        moment(e.atMs),
        event && `${event.code} ${event.class}`,
        name,
        state,
        html`<code>${bodyText(e)}</code>`,
      ],
    ];
  });
  return table([w.entry, w.time, w.code, w.kind, w.state, w.detail], rows, w.none);
}

/**
 * What brings a locked terminal back: which entry it ends with, which is the newest here, and the
 * command for the word.
 */
const lockedNote = ({ terminal, headSeq, headHash }: TerminalLine, lockedAt: string, w: Words): Html =>
  html`<p><span class="bad">${w.locked}</span> ${w.lockedThere} <code>${lockedAt}</code>. ${w.lockedHere} <code>${headSeq}:${headHash}</code>.</p>
<p>${w.lockedWord} <code>node upstream/word.ts --key FILE --centre URL --password FILE --terminal ${terminal} --issuer NAME --disputed ${lockedAt} --out FILE</code></p>`;

const incidentTable = (incidents: readonly IncidentLine[], w: Words): Html =>
  table(
    [w.terminal, w.kind, w.state, w.entry, w.detail, w.times, w.first, w.last],
    incidents.map((i) => [
      html`<a href="/terminals/${i.terminal}">${i.terminal}</a>`,
      w.incidents[i.kind] ?? i.kind,
      i.open ? html`<span class="bad">${w.open}</span>` : w.closed,
      i.seq === 0 ? null : i.seq,
      i.detail,
      i.times,
      moment(i.firstMs),
      moment(i.lastMs),
    ]),
    w.none,
  );

const forkTable = (forks: readonly ForkLine[], w: Words): Html =>
  forks.length === 0
    ? html``
    : table(
        [w.terminal, w.kind, w.entry, w.stored, w.offered, w.times, w.first, w.last],
        forks.map((f) => [
          html`<a href="/terminals/${f.terminal}">${f.terminal}</a>`,
          html`<span class="bad">${w.incidents['fork'] ?? 'fork'}</span>`,
          f.seq,
          html`<code>${f.storedHash.slice(0, 16)}… ${f.storedBytes ?? ''}</code>`,
          html`<code>${f.offeredHash.slice(0, 16)}… ${f.offeredBytes ?? ''}</code> (${f.kept})`,
          f.times,
          moment(f.firstMs),
          moment(f.lastMs),
        ]),
        w.none,
      );
