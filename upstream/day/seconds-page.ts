/** Where the seconds of rounds go: by hour, game, dealer and table. No player is in it. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Db } from '../db.store.ts';
import { floorClock } from '../floor-figures.ts';
import { Html, html, table } from '../html.ts';
import { parsed, Terminal } from '../input.ts';
import { wordsFor } from '../operator-words.ts';
import { sendPage } from '../page.ts';
import { type Calendar, dayAfter, isDay } from './calendar.ts';
import { type SecondsLine, secondsOf } from './day.store.ts';
import { DAY_WORDS, filled } from './day-words.ts';
import { NO_SECONDS, PARTS, type Seconds } from './round-seconds.ts';
import { decimals, gameText, type Pen } from './statement.ts';

const Query = z.strictObject({
  day: z.string().refine(isDay, 'is no date').optional(),
  table: z.union([Terminal, z.literal('')]).optional(),
});
const HOUR_MS = 3_600_000;

interface Sum {
  readonly rounds: number;
  readonly ms: Seconds;
}
const summed = (lines: readonly Sum[]): Sum =>
  lines.reduce<Sum>(
    (sum, { rounds, ms }) => ({
      rounds: sum.rounds + rounds,
      ms: Object.fromEntries(PARTS.map((part) => [part, sum.ms[part] + ms[part]])) as Seconds,
    }),
    { rounds: 0, ms: NO_SECONDS },
  );
const lengthOf = (ms: Seconds): number => PARTS.reduce((sum, part) => sum + ms[part], 0);
/** Tenths of a second a round. */
const each = (ms: number, rounds: number): number => Math.round(ms / rounds / 100);

/** The parts beside each other, as wide as the longest is high; the figures stand in the table. */
function bar(ms: Seconds, rounds: number, longestMs: number): Html {
  let x = 0;
  const parts = PARTS.map((part) => {
    const width = longestMs === 0 ? 0 : Math.round((ms[part] / rounds / longestMs) * 2_000) / 10;
    const rect = `<rect class="${part}" x="${Math.round(x * 10) / 10}" y="0" width="${width}" height="14"/>`;
    x += width;
    return rect;
  });
  return new Html(`<svg class="seconds" width="200" height="14" aria-hidden="true">${parts.join('')}</svg>`);
}

function seconds(
  lines: readonly SecondsLine[],
  heading: string,
  nameOf: (line: SecondsLine) => string,
  { w, lang }: Pen,
): Html {
  const groups = [...Map.groupBy(lines, nameOf)].map(([name, own]) => ({ name, ...summed(own) }));
  const longestMs = Math.max(...groups.map(({ ms, rounds }) => lengthOf(ms) / rounds), 0);
  return table(
    [heading, w.rounds, w.perRound, ...PARTS.map((part) => w.parts[part]), ''],
    groups.map(({ name, rounds, ms }) => [
      name,
      rounds,
      decimals(each(lengthOf(ms), rounds), 1, lang),
      ...PARTS.map((part) => decimals(each(ms[part], rounds), 1, lang)),
      bar(ms, rounds, longestMs),
    ]),
    w.none,
  );
}

export function addSecondsPage(
  app: FastifyInstance,
  { db, calendar, timeZone }: { readonly db: Db; readonly calendar: Calendar; readonly timeZone: string },
): void {
  app.get('/seconds', async (request, reply) => {
    const { day = calendar.dayOf(Date.now()), table: asked = '' } = parsed(Query, request.query, 'query');
    const of = asked === '' ? null : asked;
    const bounds = calendar.boundsOf(day);
    const lines = await secondsOf(db, bounds, of);
    const { lang } = wordsFor(request.headers['accept-language']);
    const pen: Pen = { w: DAY_WORDS[lang], lang, clock: floorClock(timeZone, lang) };
    const { w, clock } = pen;
    const fromTo = { from: clock.moment(bounds.startMs), to: clock.moment(bounds.endMs) };
    const link = (to: string): string =>
      `/seconds?day=${to}${of === null ? '' : `&table=${encodeURIComponent(of)}`}`;
    const dealer = (line: SecondsLine): string =>
      line.dealer === '' ? w.nobody : `${line.name} (${line.dealer})`;
    return sendPage(
      request,
      reply,
      () => html`<h2>${w.seconds} · ${day}${of === null ? '' : html` · ${of}`}</h2><p>${w.secondsHelp}<br>${filled(w.fromTo, fromTo)}</p>
<nav><a href="${link(dayAfter(day, -1))}">${w.before}</a><a href="${link(dayAfter(day))}">${w.after}</a>
<form method="get" action="/seconds"><label>${w.day} <input type="date" name="day" value="${day}" required></label> <label>${w.table} <input name="table" value="${of ?? ''}" maxlength="64" placeholder="${w.all}" autocomplete="off"></label> <button>${w.show}</button></form></nav>
<ul class="parts">${PARTS.map((part) => html`<li><svg class="seconds" width="14" height="14" aria-hidden="true">${new Html(`<rect class="${part}" width="14" height="14"/>`)}</svg> <strong>${w.parts[part]}</strong>: ${w.partsHelp[part]}</li>`)}</ul>
<h3>${of === null ? w.byGame : w.game}</h3>${seconds(lines, w.game, ({ game }) => gameText(game, lang), pen)}
<h3>${of === null ? w.byDealer : w.dealer}</h3>${seconds(lines, w.dealer, dealer, pen)}
<h3>${w.byHour}</h3>${seconds(lines, w.hour, ({ hour }) => clock.at(hour * HOUR_MS, bounds.startMs), pen)}
${of === null ? html`<h3>${w.byEachTable}</h3>${seconds(lines, w.table, ({ terminal }) => terminal, pen)}` : ''}`,
    );
  });
}
