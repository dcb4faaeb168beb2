/** The board as HTML, in parts that a page puts in place as they change. */
import type { AlarmLine, FloorLine } from './floor.store.ts';
import { SLOT_MS } from './floor.store.ts';
import {
  after,
  briefOf,
  byUrgency,
  card,
  type Sign,
  sign,
  signAlone,
  signOf,
  type Told,
  type Tone,
  titleOf,
  toneOf,
  WAITING,
} from './floor-card.ts';
import { type FloorClock, floorClock, integerText } from './floor-figures.ts';
import type { Floor, Pace } from './floor-keeper.ts';
import { type FloorPlan, placed } from './floor-plan.ts';
import type { Language } from './floor-table.ts';
import { isSilent } from './floor-watch.ts';
import { FLOOR_WORDS, type FloorWords, gameOf } from './floor-words.ts';
import { Html, html } from './html.ts';

type StateName = keyof FloorWords['states'];
const stateOf = (line: FloorLine): StateName => {
  const { state } = line;
  if (state.isOff) return 'off';
  if (isSilent(line)) return 'silent';
  if (state.service !== null) return 'service';
  if (state.isHeld) return 'held';
  if (state.isLockedByCentre) return 'locked';
  return state.dealer === null ? 'closed' : state.phase;
};
const isOpen = ({ state }: FloorLine): boolean => state.dealer !== null && !state.isOff;

// ---- a tile ----

const FELT = 'M3 2H117V11C108 34 88 45 60 45S12 34 3 11Z';
/** Seat 1 at the right, where the dealer's left hand is. */
function dotAt(seat: number, seats: number): { x: number; y: number } {
  const part = seats === 1 ? 0.5 : (seat - 1) / (seats - 1);
  const angle = Math.PI * (0.06 + 0.88 * part);
  const round = (value: number): number => Math.round(value * 10) / 10;
  return { x: round(60 + 56 * Math.cos(angle)), y: round(8 + 43 * Math.sin(angle)) };
}

function tile(line: FloorLine, alarms: readonly AlarmLine[], told: Told): Html {
  const { w, lang } = told;
  const { terminal, state } = line;
  const stateName = stateOf(line);
  const open = isOpen(line);
  const sorted = alarms.toSorted(byUrgency);
  const [first] = sorted;
  const waiting = new Set(
    alarms.flatMap(({ kind, facts, seenMs }) =>
      WAITING[kind] !== undefined && facts.seat !== undefined && seenMs === null ? [facts.seat] : [],
    ),
  );
  const taken = new Set(state.taken);
  const dots = Array.from({ length: state.seatCount }, (_, i) => {
    const { x, y } = dotAt(i + 1, state.seatCount);
    const kind = waiting.has(i + 1) ? 'waits' : taken.has(i + 1) ? 'taken' : 'free';
    return new Html(`<circle class="${kind}" cx="${x}" cy="${y}" r="${kind === 'waits' ? 5 : 3.6}"/>`);
  });
  const isCalm = ['between', 'betting', 'playing', 'paying'].includes(stateName);
  const who = isCalm ? (state.dealer ?? w.states.closed) : w.states[stateName];
  const seats = `${state.taken.length}/${state.seatCount}`;
  // Read after what is seen.
  const spoken = [
    ...(open && isCalm ? [w.states[stateName]] : []),
    ...sorted.map((alarm) => titleOf(alarm, { w, lang })),
  ].map((each) => html`, ${each}`);
  const tone = first === undefined ? 'calm' : `${toneOf(first)}${first.seenMs === null ? '' : '-seen'}`;
  return html`<li class="tile ${tone} ${open ? 'open' : 'shut'}" id="tile-${terminal}"><button type="button" id="table-${terminal}" data-table="${terminal}" aria-haspopup="dialog"><span class="line"><b>${terminal}</b><span class="seats">${state.seatCount === 0 || !open ? '' : seats}</span></span><svg viewBox="0 0 120 56" aria-hidden="true"><path class="felt ${gameOf(line.state.rulebook)}" d="${FELT}"/>${dots}${first === undefined ? '' : sign(signOf(first), 60, 20)}</svg><span class="who">${who}</span><span class="spoken">${spoken}</span></button><template>${facts(line, sorted, told)}</template></li>`;
}

/** All there is about one table, for whoever asks. */
function facts(line: FloorLine, alarms: readonly AlarmLine[], told: Told): Html {
  const { w, lang, clock, nowMs } = told;
  const { terminal, state, lag, silentMs } = line;
  const link =
    silentMs === null
      ? w.linkNever
      : isSilent(line)
        ? w.linkSilent(clock.at(nowMs - silentMs, nowMs))
        : lag !== null && lag > 0
          ? w.linkLate(integerText(lag, lang))
          : w.linkUp;
  const rows: readonly (readonly [string, string | null])[] = [
    [w.name, state.name],
    [w.state, w.states[stateOf(line)]],
    [w.round, state.roundNo === 0 ? null : integerText(state.roundNo, lang)],
    [w.dealer, state.dealer],
    [w.seats, w.seatsOf(state.taken.length, state.seatCount)],
    [w.game, `${w.games[gameOf(line.state.rulebook)]} · ${state.rulebook}`],
    [w.link, link],
    [w.software, state.softwareId && `${state.version ?? ''} · ${state.softwareId.slice(0, 16)}`],
    [w.profile, state.profileId],
  ];
  return html`<h2 id="table-title">${terminal}</h2><dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}<dt>${w.waits}</dt><dd>${alarms.length === 0 ? w.none : alarms.map((alarm) => html`<p>${titleOf(alarm, told)}${after(briefOf(alarm, told))} · ${w.sinceAt(clock.at(alarm.sinceMs, nowMs))}</p>`)}</dd></dl><p><a href="/terminals/${terminal}">${w.more}</a></p>`;
}
// ---- the rest ----

function counts(floor: Floor, told: Told): Html {
  const { w } = told;
  const tables = (tone: Tone): number =>
    new Set(floor.alarms.filter((alarm) => toneOf(alarm) === tone).map(({ terminal }) => terminal)).size;
  const waiting = floor.alarms.filter((alarm) => toneOf(alarm) === 'waiting' && alarm.seenMs === null).length;
  const troubled = new Set(floor.alarms.map(({ terminal }) => terminal));
  const calm = floor.lines.filter((line) => isOpen(line) && !troubled.has(line.terminal)).length;
  const [faults, slow] = [tables('fault'), tables('slow')];
  const count = (of: Sign | 'calm', number: number, word: string): Html =>
    html`<li class="${number === 0 ? 'zero' : of}">${of === 'calm' ? CALM : signAlone(of)}<b>${number}</b> ${word}</li>`;
  return html`<ul id="counts" class="counts">${count('calm', calm, w.calm)}${count('fault', faults, faults === 1 ? w.fault : w.faults)}${count('slow', slow, slow === 1 ? w.slow : w.slows)}${count('call', waiting, w.waiting)}</ul>`;
}
const CALM = new Html(
  '<svg class="icon" viewBox="-16 -16 32 32" aria-hidden="true"><circle class="green" r="13"/><path class="stroke" d="M-6 0-2 5 6-5"/></svg>',
);

function paceOf(pace: Pace, { w, lang, clock, nowMs }: Told): Html {
  const most = Math.max(1, ...pace.rounds);
  const points = pace.rounds.map(
    (rounds, i) =>
      `${Math.round((i * 3000) / Math.max(1, pace.rounds.length - 1)) / 10},${Math.round(560 - (rounds * 520) / most) / 10}`,
  );
  const endMs = (pace.fromSlot + pace.rounds.length) * SLOT_MS;
  const percent =
    pace.weekAgo === null || pace.weekAgo === 0 ? null : Math.round((pace.lastHour / pace.weekAgo - 1) * 100);
  const signed = percent === null ? '' : `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)}%`;
  const week = percent === null ? '' : w.onLast(signed, clock.weekday(nowMs));
  const line = new Html(points.join(' '));
  return html`<section id="pace" class="pace"><h2>${w.perHour}</h2><b>${integerText(pace.lastHour, lang)}</b><span class="week">${week}</span><svg viewBox="0 0 300 58" preserveAspectRatio="none" aria-hidden="true"><path d="M0,58 L${line} L300,58 Z"/><polyline points="${line}"/></svg><span>${clock.minute(pace.fromSlot * SLOT_MS)}</span><span>${clock.minute(endMs)}</span></section>`;
}

const ORDER_OF_GAMES = ['blackjack', 'baccarat', 'war', 'other'] as const;

export interface Board {
  /** Which table stands where: a page with another layout gets all zones. */
  readonly places: string;
  /** By the id of the element. */
  readonly parts: ReadonlyMap<string, string>;
  /** All zones, for a page whose places have changed. */
  readonly zones: string;
  readonly clock: string;
}

export function boardOf(floor: Floor, plan: FloorPlan, lang: Language): Board {
  const w = FLOOR_WORDS[lang];
  const clock = clockOf(plan, lang);
  const lines = new Map(floor.lines.map((line) => [line.terminal, line]));
  const alarms = Map.groupBy(floor.alarms, ({ terminal }) => terminal);
  const zones = placed(plan, [...lines.keys()]).filter(({ tables }) => tables.length > 0);
  const zoneNames = new Map(
    zones.flatMap(({ name, tables }) =>
      name === null ? [] : tables.map((id) => [id, typeof name === 'string' ? name : name[lang]] as const),
    ),
  );
  const zoneOf = (terminal: string): string | null => zoneNames.get(terminal) ?? null;
  const told: Told = { w, lang, clock, nowMs: floor.atMs, zoneOf };
  const parts = new Map<string, string>();
  const put = (id: string, part: Html): Html => {
    parts.set(id, part.text);
    return part;
  };
  const sections = zones.map(({ tables }, index) => {
    const own = tables.map((terminal) => lines.get(terminal)!);
    const openOnes = own.filter(isOpen);
    const taken = openOnes.reduce((sum, { state }) => sum + state.taken.length, 0);
    const seats = openOnes.reduce((sum, { state }) => sum + state.seatCount, 0);
    const called = zoneOf(tables[0]!) ?? (zones.length === 1 ? w.all : w.others);
    const sums = html`<span id="sums-${index}">${openOnes.length} ${w.open} · ${w.seatsOf(taken, seats)}</span>`;
    const tiles = own.map((line) =>
      put(`tile-${line.terminal}`, tile(line, alarms.get(line.terminal) ?? [], told)),
    );
    return {
      called,
      count: own.length,
      section: html`<section class="zone" data-zone="${index}" aria-labelledby="zone-${index}"><h2><span id="zone-${index}">${called}</span>${put(`sums-${index}`, sums)}</h2><ul>${tiles}</ul></section>`,
    };
  });
  const chip = (shown: string, called: string): Html =>
    html`<button type="button" id="chip-${shown}" data-show="${shown}" aria-pressed="${String(shown === '')}">${called}</button>`;
  const isOne = zones.length < 2;
  put(
    'chips',
    html`<span id="chips">${isOne ? '' : chip('', `${w.all} ${floor.lines.length}`)}${isOne ? '' : sections.map(({ called }, index) => chip(`${index}`, called))}</span>`,
  );
  const games = new Set(
    floor.lines.filter(({ state }) => state.rulebook !== '').map(({ state }) => gameOf(state.rulebook)),
  );
  const legend = html`<p class="legend">${ORDER_OF_GAMES.filter((game) => games.has(game)).map((game) => html`<span><svg viewBox="0 0 16 12" aria-hidden="true"><rect class="felt ${game}" width="16" height="12" rx="2"/></svg>${w.games[game]}</span>`)}<span class="gap"></span>${(['taken', 'free', 'waits'] as const).map((kind) => html`<span><svg viewBox="-6 -6 12 12" aria-hidden="true"><circle class="${kind}" r="${kind === 'waits' ? 5 : 3.6}"/></svg>${kind === 'taken' ? w.seatTaken : kind === 'free' ? w.seatFree : w.seatWaits}</span>`)}</p>`;
  const cards = floor.alarms.toSorted(byUrgency).flatMap((alarm) => {
    const line = lines.get(alarm.terminal);
    return line === undefined ? [] : [card(alarm, line, told)];
  });
  put('counts', counts(floor, told));
  put('pace', paceOf(floor.pace, told));
  put(
    'alarms',
    html`<ol id="alarms">${cards.length === 0 ? html`<li class="card none" id="alarm-none"><p class="words">${w.noAlarm}</p></li>` : cards}</ol>`,
  );
  return {
    places: JSON.stringify([zones.map(({ tables }) => tables), [...games].toSorted()]),
    parts,
    zones: html`<div id="zones">${sections.map(({ section }) => section)}${legend}</div>`.text,
    clock: clock.minute(floor.atMs),
  };
}

const clocks = new Map<string, FloorClock>();
function clockOf({ timeZone }: FloorPlan, lang: Language): FloorClock {
  const known = clocks.get(`${timeZone} ${lang}`) ?? floorClock(timeZone, lang);
  clocks.set(`${timeZone} ${lang}`, known);
  return known;
}

export function boardPage(board: Board, lang: Language, formToken: string): Html {
  const w = FLOOR_WORDS[lang];
  const part = (id: string): Html => new Html(board.parts.get(id)!);
  return html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Banca · ${w.title}</title><link rel="stylesheet" href="/letters/index.css"><link rel="stylesheet" href="/floor.css"><script src="/floor.js" defer></script></head>
<body data-not-sent="${w.notSent}" data-token="${formToken}"><header><h1><b>Banca</b> ${w.title}</h1>${part('chips')}${part('counts')}<time id="clock">${board.clock}</time></header>
<noscript><p class="stale-words">${w.noScript}</p></noscript>
<p id="stale" class="stale-words" role="alert" hidden>${w.stale} <time id="stale-since"></time>. <a href="/floor">${w.again}</a></p>
<main>${new Html(board.zones)}</main>
<aside aria-label="${w.waits}">${part('alarms')}${part('pace')}<nav><a href="/floor/alarms">${w.trail}</a><a href="/">${w.centre}</a></nav></aside>
<p id="said" role="status"></p>
<dialog id="table" aria-labelledby="table-title"><div id="table-facts"></div><form method="dialog"><button>${w.close}</button></form></dialog>
</body></html>`;
}
