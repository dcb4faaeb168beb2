/** Pages of the gaming day: what is open, counts of boxes, closings and their statements. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { minorOfUnits, unitsOf } from '../../engine/core/money.ts';
import { isPlain } from '../../ledger/chain/plain-line.ts';
import { note } from '../audit.store.ts';
import { personOf, whoOf } from '../caller.ts';
import type { Db } from '../db.store.ts';
import { floorClock } from '../floor-figures.ts';
import { type Html, html, table } from '../html.ts';
import { Malformed, parsed, Terminal, TerminalPath } from '../input.ts';
import { wordsFor } from '../operator-words.ts';
import { formToken, HEADERS, refuse, sendPage } from '../page.ts';
import { type Bounds, type Calendar, type Day, dayAfter, isDay } from './calendar.ts';
import { type Closing, currenciesOf, noteOf, readClosing, resultOf, type Sheet } from './closing.codec.ts';
import {
  addCount,
  type BoxLine,
  boxAt,
  boxesOf,
  CLOSINGS_PAGE,
  type Closed,
  type ClosingRules,
  closeDay,
  closingsOf,
  closingsOfDay,
  countOn,
  mayBeLost,
  type Refused,
  refusalOf,
  type TableOn,
  tablesOn,
} from './day.store.ts';
import { DAY_WORDS, filled } from './day-words.ts';
import { pdfOf } from './pdf.ts';
import {
  amount,
  countedText,
  differenceLines,
  differenceTexts,
  gameText,
  type Pen,
  percent,
  proofHtml,
  ratesBy,
  sheetHtml,
  statementCsv,
  statementPage,
} from './statement.ts';

const DayText = z.string().refine(isDay, 'is no date');
const DayQuery = z.strictObject({ day: DayText.optional() });
const DayPath = z.object({ day: DayText });
const TablePath = z.object({ day: DayText, id: Terminal });
const BoxPath = z.object({
  id: Terminal,
  entry: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
});
const FormPath = z.object({ day: DayText, form: z.enum(['csv', 'pdf', 'html']) });
const OfTable = z.strictObject({ table: Terminal.optional() });
const After = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(2 ** 31)
    .default(0),
});
const Bare = z.strictObject({ token: z.string() });
const Lost = z.strictObject({
  token: z.string(),
  reason: z.string().trim().min(1).max(200).refine(isPlain, 'has characters that cannot be seen'),
});
/** More than any box holds. */
const NOTES_MOST = 100_000;
const Counted = z
  .object({
    token: z.string(),
    no: z.coerce.number().int().min(1).max(100),
    reason: z.string().trim().max(200).refine(isPlain, 'has characters that cannot be seen').default(''),
  })
  .catchall(z.string().regex(/^\d{0,6}$/, 'is no number of notes'));
const FORM = { bodyLimit: 16_384 };
/** So long a press waits for what has not been counted yet. */
const COUNT_MS = 5_000;
/** Earlier days that one press closes. */
const DAYS_AT_ONCE = 400;

/** Notes that there are, in whole units. */
const NOTES: Readonly<Record<string, readonly number[]>> = {
  MOP: [10, 20, 50, 100, 500, 1000],
  HKD: [10, 20, 50, 100, 150, 500, 1000],
  EUR: [5, 10, 20, 50, 100, 200, 500],
};
/** Houses of Macau take both. */
const BESIDE: Readonly<Record<string, string>> = { MOP: 'HKD', HKD: 'MOP' };

/** Kinds of notes that may lie in a box of this table, as `MOP_50000`; nothing tells which do. */
function notesOf({ currency, notes }: BoxLine): string[] {
  const found = Object.keys(notes.known).map((name) => noteOf(name).currency);
  const currencies = new Set([currency, BESIDE[currency] ?? '', ...found].filter((each) => each !== ''));
  return [...currencies].flatMap((each) =>
    (NOTES[each] ?? []).map((value) => `${each}_${minorOfUnits(value)}`),
  );
}

export interface DayDesk {
  readonly db: Db;
  readonly calendar: Calendar;
  readonly timeZone: string;
  readonly dayBegins: string;
  /** Null: this instance signs nothing. */
  readonly key: ClosingRules['key'] | null;
}

export function addDayPages(app: FastifyInstance, desk: DayDesk): void {
  const { db, calendar, timeZone, dayBegins, key } = desk;
  const penOf = (request: FastifyRequest): Pen => {
    const { lang } = wordsFor(request.headers['accept-language']);
    return { w: DAY_WORDS[lang], lang, clock: floorClock(timeZone, lang) };
  };
  const page = (request: FastifyRequest, reply: FastifyReply, body: (pen: Pen) => Html): FastifyReply =>
    sendPage(request, reply, () => body(penOf(request)));
  const missing = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(request, reply.code(404), (w) => html`<p>${w.notFound}</p>`);

  const refusalText = (refused: Refused, { w, clock }: Pen): string => {
    switch (refused.outcome) {
      case 'not-over':
        return filled(w.refusals['not-over'], { time: clock.moment(refused.endMs) });
      case 'missing':
        return refused.toSeq === null
          ? filled(w.refusals.missing, { from: refused.fromSeq })
          : filled(w.refusals['missing-to'], { from: refused.fromSeq, to: refused.toSeq });
      case 'uncounted': {
        const boxes = refused.boxes.map(
          ({ acceptor, removedAtMs }) => `${w.box} ${acceptor} (${clock.moment(removedAtMs)})`,
        );
        return filled(w.refusals.uncounted, { boxes: boxes.join(', ') });
      }
      case 'day-before':
        return filled(w.refusals['day-before'], { day: refused.day });
      case 'nothing':
        return w.refusals.nothing;
    }
  };

  interface Shown {
    readonly on: TableOn;
    readonly refused: Refused | null;
    readonly closing: Closing | null;
    /** Why the closing that is stored is none. */
    readonly broken: string | null;
    readonly sheet: Sheet | null;
  }
  const shownOf = (on: TableOn, boxes: readonly BoxLine[], bounds: Bounds): Shown => {
    if (on.closing !== null)
      try {
        const closing = readClosing(on.closing);
        return { on, refused: null, closing, broken: null, sheet: closing };
      } catch (error) {
        const broken = (error as Error).message;
        return { on, refused: null, closing: null, broken, sheet: null };
      }
    const sheet = on.part && {
      terminal: on.terminal,
      ...on.part,
      spans: [...on.part.spans],
      boxes: boxes.map(({ count, ...box }) => ({ ...box, counted: count })),
    };
    return { on, refused: refusalOf(on, boxes, bounds, Date.now()), closing: null, broken: null, sheet };
  };
  const stateOf = ({ on, refused, broken }: Shown, pen: Pen): Html => {
    const { w } = pen;
    if (broken !== null) return html`<span class="bad">${w.broken} ${broken}</span>`;
    if (on.closing !== null) return html`<span class="good">${w.closed} ${on.closing.no}</span>`;
    return html`${refused === null ? w.open : refusalText(refused, pen)}`;
  };

  // ---- a day of all tables ----

  app.get('/days', async (request, reply) => {
    const { day = dayAfter(calendar.dayOf(Date.now()), -1) } = parsed(DayQuery, request.query, 'query');
    const [tables, boxes] = [await tablesOn(db, day), await boxesOf(db, day)];
    return page(request, reply, (pen) => dayPage(request, pen, day, tables, boxes));
  });

  function dayPage(
    request: FastifyRequest,
    pen: Pen,
    day: Day,
    tables: readonly TableOn[],
    boxes: readonly BoxLine[],
  ): Html {
    const { w, lang } = pen;
    const person = personOf(request);
    const bounds = calendar.boundsOf(day);
    const byTable = Map.groupBy(boxes, ({ terminal }) => terminal);
    const ons = tables.map((on) => shownOf(on, byTable.get(on.terminal) ?? [], bounds));
    const sheets = ons.flatMap(({ sheet }) => sheet ?? []);
    const isAllowed = person?.may('POST /days/:day/close') === true && key !== null;
    const lines = differenceLines(sheets, pen);
    const fromTo = { from: pen.clock.moment(bounds.startMs), to: pen.clock.moment(bounds.endMs) };
    const rows = ons.map((shown) => [
      html`<a href="/days/${day}/${shown.on.terminal}">${shown.on.terminal}</a>`,
      stateOf(shown, pen),
      ...sums(shown.sheet, pen),
    ]);
    const isClosed = ons.some(({ on }) => on.closing !== null);
    return html`<h2>${w.gamingDay} ${day}</h2><p>${filled(w.fromTo, fromTo)}</p>
<nav><a href="/days?day=${dayAfter(day, -1)}">${w.before}</a><a href="/days?day=${dayAfter(day)}">${w.after}</a>
<form method="get" action="/days"><label>${w.day} <input type="date" name="day" value="${day}" required></label> <button>${w.show}</button></form>
${isClosed ? html`<span>${w.statement}: ${statementLinks(day, '', pen)}</span>` : ''}</nav>
${lines.length === 0 ? '' : html`<h3>${w.differences}</h3><ul>${lines.map((line) => html`<li class="bad">${line}</li>`)}</ul>`}
${table([w.table, w.state, w.drop, w.win, w.hold, w.expected, w.counted, w.difference], rows, w.none)}
${
  isAllowed && ons.some(({ on }) => on.closing === null)
    ? html`<form method="post" action="/days/${day}/close">${formToken(request)}<button>${w.close}</button></form><p class="none">${w.closeHelp}</p>`
    : key === null
      ? html`<p class="none">${w.noKey}</p>`
      : ''
}
<h3>${w.byGame}</h3>${ratesBy(sheets, w.game, ({ game }) => gameText(game, lang), pen)}
<h3>${w.byDealer}</h3>${ratesBy(sheets, w.dealer, ({ dealer, name }) => (dealer === '' ? w.nobody : `${name} (${dealer})`), { ...pen, lang })}`;
  }

  const statementLinks = (day: Day, of: string, { w }: Pen): Html =>
    html`<a href="/days/${day}/statement/pdf${of}">${w.asPdf}</a> <a href="/days/${day}/statement/csv${of}">${w.asCsv}</a> <a href="/days/${day}/statement/html${of}">${w.toPrint}</a>`;

  /** Nothing that a count is held against, while one is to come. */
  function sums(sheet: Sheet | null, { lang }: Pen): (Html | string)[] {
    if (sheet === null || sheet.boxes.some(({ counted }) => counted === null))
      return ['–', '–', '–', '–', '–', '–'];
    const results = currenciesOf(sheet).map((currency) => resultOf(sheet, currency));
    const column = (of: (result: (typeof results)[number]) => string): Html =>
      html`${results.map((result, at) => (at === 0 ? html`${of(result)}` : html`<br>${of(result)}`))}`;
    const money = (member: 'dropMinor' | 'winMinor' | 'expectedMinor' | 'countedMinor'): Html =>
      column((result) => amount(result[member], result.currency, lang));
    return [
      money('dropMinor'),
      money('winMinor'),
      column(({ holdBp }) => percent(holdBp, lang)),
      money('expectedMinor'),
      money('countedMinor'),
      html`${results.map(({ varianceMinor, currency }, at) => html`${at === 0 ? '' : html`<br>`}<span${varianceMinor === 0 ? '' : html` class="bad"`}>${amount(varianceMinor, currency, lang)}</span>`)}`,
    ];
  }

  // ---- closing ----

  app.post('/days/:day/close', FORM, async (request, reply) => {
    const { day } = parsed(DayPath, request.params, 'path');
    parsed(Bare, request.body, 'body');
    const pen = penOf(request);
    if (key === null)
      return refuse(request, reply, { status: 409, code: 'order-refused', detail: pen.w.noKey });
    // Up to what is here now; what takes longer is named as missing.
    const untilMs = Date.now() + COUNT_MS;
    while (Date.now() < untilMs && (await countOn(db, calendar)));
    const outcomes: Outcome[] = [];
    for (const table of await tablesOn(db, day)) outcomes.push(...(await closeUpTo(request, table, day)));
    return outcomePage(request, reply, day, outcomes);
  });

  interface Outcome {
    readonly terminal: string;
    readonly day: Day;
    readonly closed: Closed;
  }
  /** The day of a table, with each earlier one that is open. */
  const closeUpTo = async (
    request: FastifyRequest,
    { terminal, lastDay }: TableOn,
    day: Day,
    lost: string | null = null,
  ): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    const least = dayAfter(day, -DAYS_AT_ONCE);
    const from = lastDay === null || lastDay >= day ? day : dayAfter(lastDay);
    for (let at = from < least ? least : from; at <= day; at = dayAfter(at)) {
      const closed = await closeOne(request, terminal, at, lost);
      outcomes.push({ terminal, day: at, closed });
      if (closed.outcome !== 'closed' && closed.outcome !== 'exists') break;
    }
    return outcomes;
  };
  const outcomePage = (
    request: FastifyRequest,
    reply: FastifyReply,
    day: Day,
    outcomes: readonly Outcome[],
  ): FastifyReply =>
    page(
      request,
      reply,
      (each) =>
        html`<h2>${each.w.gamingDay} ${day}</h2><p><a href="/days?day=${day}">${each.w.gamingDay} ${day}</a></p>${table(
          [each.w.table, each.w.day, each.w.outcome],
          outcomes.map(({ terminal, day: of, closed }) => [
            html`<a href="/days/${of}/${terminal}">${terminal}</a>`,
            of,
            closed.outcome === 'closed'
              ? html`<span class="good">${each.w.justClosed} ${closed.no}</span>`
              : closed.outcome === 'exists'
                ? `${each.w.wasClosed} ${closed.no}`
                : refusalText(closed, each),
          ]),
          each.w.none,
        )}`,
    );

  const closeOne = (
    request: FastifyRequest,
    terminal: string,
    day: Day,
    lost: string | null,
  ): Promise<Closed> =>
    db.transaction(async (q) => {
      const who = whoOf(request)!;
      const rules = { calendar, timeZone, dayBegins, key: key! };
      const closed = await closeDay(q, rules, { terminal, day, by: who.name, nowMs: Date.now(), lost });
      if (closed.outcome !== 'exists' && closed.outcome !== 'nothing') {
        const act = closed.outcome === 'closed' ? 'day-closed' : 'closing-refused';
        await note(
          q,
          who,
          act,
          `${terminal} ${day} ${closed.outcome === 'closed' ? closed.no : closed.outcome}${lost === null ? '' : `, lost: ${lost}`}`,
        );
      }
      return closed;
    });

  app.post('/days/:day/:id/lost', FORM, async (request, reply) => {
    const { day, id } = parsed(TablePath, request.params, 'path');
    const { reason } = parsed(Lost, request.body, 'body');
    const [on] = await tablesOn(db, day, id);
    if (on === undefined) return missing(request, reply);
    if (key === null)
      return refuse(request, reply, { status: 409, code: 'order-refused', detail: penOf(request).w.noKey });
    const outcomes = await closeUpTo(request, on, day, reason);
    const isDone = outcomes.every(({ closed }) => closed.outcome === 'closed' || closed.outcome === 'exists');
    return outcomePage(request, isDone ? reply : reply.code(409), day, outcomes);
  });

  // ---- a day of one table ----

  app.get('/days/:day/:id', async (request, reply) => {
    const { day, id } = parsed(TablePath, request.params, 'path');
    const [on] = await tablesOn(db, day, id);
    if (on === undefined) return missing(request, reply);
    const boxes = await boxesOf(db, day, id);
    const shown = shownOf(on, boxes, calendar.boundsOf(day));
    const { sheet, closing } = shown;
    const mayCount = personOf(request)?.may('GET /boxes/:id/:entry') === true;
    const mayGiveUp =
      shown.refused?.outcome === 'missing' &&
      key !== null &&
      personOf(request)?.may('POST /days/:day/:id/lost') === true &&
      mayBeLost(on, calendar.boundsOf(day), Date.now());
    return page(request, reply, (pen) => {
      const { w } = pen;
      const links = boxes.map(
        ({ acceptor, removedSeq, removedAtMs, count }) =>
          html`<a class="button" href="/boxes/${id}/${removedSeq}">${w.box} ${acceptor}, ${pen.clock.moment(removedAtMs)}: ${count === null ? w.countIt : w.countAgain}</a>`,
      );
      return html`<h2>${w.table} ${id} · ${day}</h2><nav><a href="/days?day=${day}">${w.gamingDay} ${day}</a><a href="/days/${dayAfter(day, -1)}/${id}">${w.before}</a><a href="/days/${dayAfter(day)}/${id}">${w.after}</a>${
        on.closing === null
          ? ''
          : html`<span>${w.statement}: ${statementLinks(day, `?table=${encodeURIComponent(id)}`, pen)}</span>`
      }</nav>
<p>${w.state}: ${stateOf(shown, pen)}</p>${mayCount && on.closing === null && links.length > 0 ? html`<div class="acts">${links}</div>` : ''}${
        mayGiveUp
          ? html`<form method="post" action="/days/${day}/${id}/lost">${formToken(request)}<p class="none">${w.lostHelp}</p><p><label>${w.reason}<br><input name="reason" required maxlength="200" size="60" autocomplete="off"></label></p><button>${w.closeLost}</button></form>`
          : ''
      }
${sheet === null ? html`<p class="none">${w.none}</p>` : sheetHtml(sheet, pen)}
${closing === null ? '' : proofHtml(on.closing!, closing, pen)}`;
    });
  });

  app.get('/days/:day/statement/:form', async (request, reply) => {
    const { day, form } = parsed(FormPath, request.params, 'path');
    const { table: of } = parsed(OfTable, request.query, 'query');
    const closings = await closingsOfDay(db, day, of ?? null);
    const name = `${of ?? 'tables'}-${day}`;
    const pen = penOf(request);
    const file = (type: string, end: string): FastifyReply =>
      reply
        .headers({ ...HEADERS, 'content-disposition': `attachment; filename="${name}.${end}"` })
        .type(type);
    if (form === 'csv') return file('text/csv; charset=utf-8', 'csv').send(statementCsv(closings));
    const bounds = calendar.boundsOf(day);
    if (form === 'html')
      return reply
        .headers(STATEMENT_HEADERS)
        .type('text/html; charset=utf-8')
        .send(statementPage(bounds, closings, pen, '/letters/index.css').text);
    const pdf = await pdfOf((letters) => statementPage(bounds, closings, pen, letters).text);
    if ('pdf' in pdf) return file('application/pdf', 'pdf').send(pdf.pdf);
    request.log.error(pdf.why);
    return sendPage(
      request,
      reply.code(409),
      () =>
        html`<p role="alert" class="bad">${pen.w.noPdf} <a href="/days/${day}/statement/html${of === undefined ? '' : `?table=${encodeURIComponent(of)}`}">${pen.w.toPrint}</a></p>`,
    );
  });

  app.get('/v1/terminals/:id/closings', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const { after } = parsed(After, request.query, 'query');
    const closings = await closingsOf(db, id, after);
    const more = closings.length === CLOSINGS_PAGE;
    return reply.send({ terminal: id, closings, more });
  });

  // ---- counts ----

  app.get('/boxes/:id/:entry', async (request, reply) => {
    const { id, entry } = parsed(BoxPath, request.params, 'path');
    const box = await boxAt(db, id, entry);
    if (box === null) return missing(request, reply);
    return page(request, reply, (pen) => boxPage(request, pen, box, null));
  });

  function boxPage(request: FastifyRequest, pen: Pen, box: BoxLine, said: Html | null): Html {
    const { w, lang, clock } = pen;
    const { terminal, removedSeq, count, acceptor, day } = box;
    const isAgain = count !== null;
    const mayEnter = count?.person !== personOf(request)?.id;
    const fields = notesOf(box).map((name) => {
      const { currency: of, valueMinor } = noteOf(name);
      return html`<tr><th scope="row"><label for="${name}">${of} ${unitsOf(valueMinor)}</label></th><td><input id="${name}" name="${name}" inputmode="numeric" pattern="[0-9]*" maxlength="6" autocomplete="off"></td></tr>`;
    });
    const found = count === null ? [] : differenceTexts(box.notes, count.notes, pen);
    return html`<h2>${w.count}: ${terminal}, ${w.box} ${acceptor}</h2>
<p><a href="/days/${day}/${terminal}">${w.table} ${terminal} · ${day}</a> · ${w.removed} ${clock.moment(box.removedAtMs)} · ${w.entry} ${removedSeq}</p>
${said ?? ''}${
  count === null
    ? html`<p>${w.countHelp}</p>`
    : html`<p>${w.countNo} ${count.no}, ${w.countedBy} ${count.by}, ${clock.moment(count.atMs)}: ${countedText(count.notes, lang)} · ${found.length === 0 ? html`<span class="good">${w.asExpected}</span>` : html`<span class="bad">${found.join(', ')}</span>`}</p><p>${w.againHelp}</p>`
}
${
  mayEnter
    ? html`<form method="post" action="/boxes/${terminal}/${removedSeq}">${formToken(request)}<input type="hidden" name="no" value="${(count?.no ?? 0) + 1}">
<table><thead><tr><th scope="col">${w.note}</th><th scope="col">${w.notes}</th></tr></thead><tbody>${fields}</tbody></table>
${isAgain ? html`<p><label>${w.reason}<br><input name="reason" required maxlength="200" size="60" autocomplete="off"></label></p>` : ''}<button>${isAgain ? w.countAgain : w.enter}</button></form>`
    : ''
}`;
  }

  app.post('/boxes/:id/:entry', FORM, async (request, reply) => {
    const { id, entry } = parsed(BoxPath, request.params, 'path');
    const { token: _, no, reason, ...fields } = parsed(Counted, request.body, 'body');
    const box = await boxAt(db, id, entry);
    if (box === null) return missing(request, reply);
    const lawful = new Set(notesOf(box));
    const notes: Record<string, number> = {};
    for (const [name, said] of Object.entries(fields)) {
      if (!lawful.has(name)) throw new Malformed(`body.${name}`, 'is no kind of note');
      const number = Number(said);
      if (number > NOTES_MOST) throw new Malformed(`body.${name}`, `is more than ${NOTES_MOST}`);
      if (number > 0) notes[name] = number;
    }
    const person = personOf(request)!;
    const answer = await db.transaction(async (q) => {
      const came = await addCount(q, id, entry, { no, notes, by: person.name, person: person.id, reason });
      const about = `${id} box ${box.acceptor} entry ${entry} count ${no}`;
      if (came !== 'exists')
        await note(
          q,
          whoOf(request)!,
          came === 'counted' ? 'count' : 'count-refused',
          came === 'counted' ? about : `${about}: ${came}`,
        );
      return came;
    });
    const isDone = answer === 'counted' || answer === 'exists';
    const now = (await boxAt(db, id, entry))!;
    return page(request, isDone ? reply : reply.code(409), (pen) =>
      boxPage(
        request,
        pen,
        now,
        isDone
          ? html`<p role="status" class="good">${pen.w.counts[answer]}</p>`
          : html`<p role="alert" class="bad">${pen.w.counts[answer]}</p>`,
      ),
    );
  });
}

/** A page to print carries its own style. */
const STATEMENT_HEADERS = {
  ...HEADERS,
  'content-security-policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
