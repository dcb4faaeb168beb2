/**
 * The statement of a gaming day: as CSV, the same in every language, and as a page to print in one
 * of three. Each is made of closings alone, so who can compute those has both.
 */
import { unitsOf, wholeUnitsOf } from '../../engine/core/money.ts';
import { csvLine } from '../../ledger/chain/csv.ts';
import { type FloorClock, integerText, moneyText } from '../floor-figures.ts';
import { FLOOR_WORDS, gameOf } from '../floor-words.ts';
import { Html, html, table } from '../html.ts';
import type { Language } from '../login-words.ts';
import {
  type Closing,
  closingHash,
  currenciesOf,
  differences,
  noteOf,
  perHourTenths,
  readClosing,
  resultOf,
  type Sheet,
  type SignedClosing,
  sumOfNotes,
} from './closing.codec.ts';
import { type Notes, type Play, type Sums, standing } from './day-fold.ts';
import { type DayWords, filled } from './day-words.ts';

/** What the page is written with. */
export interface Pen {
  readonly w: DayWords;
  readonly lang: Language;
  readonly clock: FloorClock;
}

// ---- figures as texts ----

export function amount(minor: number, currency: string, lang: Language): string {
  const text = moneyText(Math.abs(minor), currency, lang).replaceAll(' ', '\u00a0');
  return minor < 0 ? `−${text}` : text;
}
/** Tenths or hundredths with the language's point; a dash for none. */
export function decimals(value: number | null, places: 1 | 2, lang: Language): string {
  if (value === null) return '–';
  const digits = String(Math.abs(value)).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}${lang === 'pt' ? ',' : '.'}${digits.slice(-places)}`;
  return value < 0 ? `−${text}` : text;
}
export const percent = (bp: number | null, lang: Language): string =>
  bp === null ? '–' : `${decimals(bp, 2, lang)} %`;

/** The game with its rulebook. */
export const gameText = (rulebook: string, lang: Language): string =>
  rulebook === '' ? '–' : `${FLOOR_WORDS[lang].games[gameOf(rulebook)]} · ${rulebook}`;

const noteText = (name: string, lang: Language): string => {
  const { currency, valueMinor } = noteOf(name);
  return `${currency} ${integerText(wholeUnitsOf(valueMinor), lang)}`;
};

/** Missing and surplus notes of a box, each in words; empty where it is as expected. */
export const differenceTexts = (notes: Notes, counted: Sums, { w, lang }: Pen): string[] =>
  differences(notes, counted).map(({ note, count }) =>
    filled(count < 0 ? w.missing : w.tooMany, { count: Math.abs(count), note: noteText(note, lang) }),
  );

/** Every box that is not as expected, by table, box and note. */
export const differenceLines = (sheets: readonly Sheet[], pen: Pen): string[] =>
  sheets.flatMap(({ terminal, boxes }) =>
    boxes.flatMap(({ acceptor, removedAtMs, notes, counted }) =>
      (counted === null ? [] : differenceTexts(notes, counted.notes, pen)).map((what) => {
        const time = pen.clock.moment(removedAtMs);
        return `${filled(pen.w.missingIn, { table: terminal, acceptor, time })}: ${what}`;
      }),
    ),
  );

const hoursTenths = (ms: number): number => Math.round(ms / 360_000);

interface Rated {
  readonly openMs: number;
  readonly rounds: number;
  readonly hands: number;
  readonly corrected: number;
}
const NOTHING_PLAYED: Rated = { openMs: 0, rounds: 0, hands: 0, corrected: 0 };
const rated = (play: readonly Rated[]): Rated =>
  play.reduce(
    (sum, each) => ({
      openMs: sum.openMs + each.openMs,
      rounds: sum.rounds + each.rounds,
      hands: sum.hands + each.hands,
      corrected: sum.corrected + each.corrected,
    }),
    NOTHING_PLAYED,
  );
const rateCells = ({ openMs, rounds, hands, corrected }: Rated, lang: Language): string[] => [
  decimals(hoursTenths(openMs), 1, lang),
  integerText(rounds, lang),
  integerText(hands, lang),
  decimals(perHourTenths(rounds, openMs), 1, lang),
  decimals(perHourTenths(hands, openMs), 1, lang),
  integerText(corrected, lang),
];
const rateHeads = (w: DayWords): string[] => [
  w.hours,
  w.rounds,
  w.hands,
  w.roundsPerHour,
  w.handsPerHour,
  w.corrected,
];

/** Of a day's own stretch. */
export const playOf = ({ spans }: Pick<Sheet, 'spans'>): readonly Play[] => spans.at(-1)!.figures.play;

/** Rates by dealer and game of one table, and of the whole table. */
export const playTable = (play: readonly Play[], { w, lang }: Pen): Html =>
  table(
    [w.dealer, w.game, ...rateHeads(w), w.staked, w.win],
    [
      ...play.map((each) => [
        each.dealer === '' ? w.nobody : `${each.name} (${each.dealer})`,
        gameText(each.game, lang),
        ...rateCells(each, lang),
        amount(each.stakedMinor, each.currency, lang),
        amount(each.wonMinor, each.currency, lang),
      ]),
      ...(play.length > 1
        ? [[html`<strong>${w.whole}</strong>`, '', ...rateCells(rated(play), lang), '', '']]
        : []),
    ],
    w.none,
  );

/** Rates of all tables together, by what `nameOf` says. */
export function ratesBy(
  sheets: readonly Sheet[],
  heading: string,
  nameOf: (play: Play) => string,
  { w, lang }: Pen,
): Html {
  const groups = Map.groupBy(
    sheets.flatMap((sheet) => playOf(sheet)),
    nameOf,
  );
  return table(
    [heading, ...rateHeads(w)],
    [...groups]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, play]) => [name, ...rateCells(rated(play), lang)]),
    w.none,
  );
}

// ---- parts of the page ----

const resultTable = (sheet: Sheet, { w, lang }: Pen): Html =>
  table(
    ['', w.drop, w.win, w.hold, w.handPaid, w.expected, w.counted, w.difference],
    currenciesOf(sheet).map((currency) => {
      const result = resultOf(sheet, currency);
      const money = (minor: number): string => amount(minor, currency, lang);
      return [
        currency,
        money(result.dropMinor),
        money(result.winMinor),
        percent(result.holdBp, lang),
        money(result.handPaidMinor),
        money(result.expectedMinor),
        money(result.countedMinor),
        money(result.varianceMinor),
      ];
    }),
    w.none,
  );

/** One row for each kind of note of a box. */
function boxRows(sheet: Sheet, { w, lang, clock }: Pen): (string | Html)[][] {
  return sheet.boxes.flatMap(({ acceptor, removedAtMs, notes, counted }) => {
    const head = [`${acceptor}`, clock.moment(removedAtMs)];
    if (counted === null) return [[...head, w.uncounted, '', '', '', '']];
    const names = [...new Set([...Object.keys(notes.known), ...Object.keys(counted.notes)])].toSorted(
      (a, b) => noteOf(a).valueMinor - noteOf(b).valueMinor,
    );
    const rows = names.map((name) => {
      const [by, found] = [notes.known[name] ?? 0, counted.notes[name] ?? 0];
      return [...head, noteText(name, lang), `${by}`, `${found}`, signed(found - by), counted.by];
    });
    const unknown =
      notes.unknown === 0 ? [] : [[...head, `${notes.unknown} ${w.unknownNotes}`, '', '', '', counted.by]];
    return names.length + unknown.length === 0
      ? [[...head, '–', '0', '0', '0', counted.by]]
      : [...rows, ...unknown];
  });
}
const signed = (n: number): string | Html =>
  n === 0 ? '0' : html`<span class="bad">${n > 0 ? '+' : '−'}${Math.abs(n)}</span>`;

const contentsText = (notes: Notes, { w, lang }: Pen): string =>
  [
    ...Object.entries(notes.known).map(([name, count]) => `${count} × ${noteText(name, lang)}`),
    ...(notes.unknown === 0 ? [] : [`${notes.unknown} ${w.unknownNotes}`]),
  ].join(', ');

const corrections = (sheet: Sheet, pen: Pen): Html => {
  const { w } = pen;
  const late = sheet.spans.slice(0, -1);
  if (late.length === 0) return html``;
  return html`<h3>${w.corrections}</h3>${late.map((span) => {
    const said = filled(w.correction, { day: span.day, from: span.fromSeq, to: span.toSeq });
    const rows = currenciesOf(sheet).map((currency) => {
      const { dropMinor, winMinor, handPaidMinor } = resultOf(sheet, currency, span);
      return [
        currency,
        ...[dropMinor, winMinor, handPaidMinor].map((minor) => amount(minor, currency, pen.lang)),
      ];
    });
    return html`<p>${said}</p>${table(['', w.drop, w.win, w.handPaid], rows, w.none)}`;
  })}`;
};

/**
 * What a day of a table comes to. Before every box is counted no sum that a count is held against.
 */
export function sheetHtml(sheet: Sheet, pen: Pen): Html {
  const { w } = pen;
  const isCounted = sheet.boxes.every(({ counted }) => counted !== null);
  const lines = differenceLines([sheet], pen);
  const { without } = sheet;
  const said =
    without === undefined
      ? ''
      : html`<p class="bad">${filled(w.without, { from: without.fromSeq, reason: without.reason })}</p>`;
  return html`${said}${isCounted ? resultTable(sheet, pen) : ''}
<h3>${w.byTable}</h3>${playTable(playOf(sheet), pen)}
<h3>${w.boxes}</h3>${lines.map((line) => html`<p class="bad">${line}</p>`)}${table(
    [w.box, w.removed, w.note, w.byLedger, w.asCounted, w.difference, w.countedBy],
    boxRows(sheet, pen),
    w.none,
  )}${corrections(sheet, pen)}`;
}

/** Meters of a closing: what was counted since the first entry, and what stands on the accounts. */
export const metersOf = ({ after, currency }: Pick<Closing, 'after' | 'currency'>): Sums => ({
  ...after.meters,
  ...standing(after.accounts, currency),
});
const IS_COUNT = /^(?:rounds_|seat_games$|stacker_removed$)/;

/** What only a closing has: meters, what is left in the boxes, and the proof. */
export function proofHtml(signedClosing: SignedClosing, closing: Closing, pen: Pen): Html {
  const { w, lang, clock } = pen;
  const left = Object.entries(closing.inBoxes).map(([acceptor, notes]) => [
    acceptor,
    contentsText(notes, pen),
  ]);
  const meters = Object.entries(metersOf(closing)).map(([code, value]) => [
    html`${w.meterNames[code] ?? ''} <code>${code}</code>`,
    IS_COUNT.test(code) ? integerText(value, lang) : amount(value, closing.currency, lang),
  ]);
  const facts: readonly (readonly [string, string | number | Html])[] = [
    [w.number, closing.no],
    [w.closedBy, closing.closedBy],
    [w.closedAt, clock.moment(closing.closedAtMs)],
    [w.entries, `${closing.spans[0]!.fromSeq} – ${closing.toSeq}`],
    [w.hash, html`<code>${closingHash(signedClosing.bytes)}</code>`],
    [w.hashBefore, html`<code>${closing.prevHash}</code>`],
    [w.key, html`<code>${signedClosing.key}</code>`],
    [w.signature, html`<code>${signedClosing.signature}</code>`],
  ];
  return html`<h3>${w.inBoxes}</h3>${table([w.box, w.notes], left, w.none)}
<h3>${w.meters}</h3>${table([w.meters, w.value], meters, w.none)}
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

const PRINT = new Html(`
@page { size: A4; margin: 14mm; }
body { font: 10pt/1.4 'Noto Sans HK Variable', 'Noto Sans HK', system-ui, sans-serif; margin: 0; color: #000; background: #fff; }
h1 { font-size: 16pt; margin: 0 0 2mm; } h2 { font-size: 13pt; margin: 6mm 0 2mm; } h3 { font-size: 10.5pt; margin: 4mm 0 1mm; }
section { break-before: page; } section:first-of-type { break-before: auto; }
table { border-collapse: collapse; width: 100%; } tr { break-inside: avoid; }
th, td { text-align: left; padding: 1mm 2mm; border-bottom: .3pt solid #777; vertical-align: top; font-variant-numeric: tabular-nums; }
code { font-family: ui-monospace, monospace; font-size: 8pt; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5mm 4mm; break-inside: avoid; } dd { margin: 0; }
.bad { color: #b00020; font-weight: 600; }
`);

/** The whole statement as a page of its own, with nothing outside of it but the letters. */
export function statementPage(
  day: { readonly day: string; readonly startMs: number; readonly endMs: number },
  signedClosings: readonly SignedClosing[],
  pen: Pen,
  letters: string | null,
): Html {
  const { w, lang, clock } = pen;
  const fromTo = { from: clock.moment(day.startMs), to: clock.moment(day.endMs) };
  const sections = signedClosings.map((each) => {
    const closing = readClosing(each);
    return html`<section><h2>${w.table} ${closing.terminal} ${closing.name === '' ? '' : `· ${closing.name}`}</h2>
${sheetHtml(closing, pen)}${proofHtml(each, closing, pen)}</section>`;
  });
  const font = letters === null ? '' : html`<link rel="stylesheet" href="${letters}">`;
  return html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>${w.statement} ${day.day}</title>${font}<style>${PRINT}</style></head>
<body><h1>${w.gamingDay} ${day.day}</h1><p>${filled(w.fromTo, fromTo)}<br>${w.ownForm}<br>${w.check} <code>banca day LEDGER.db --closings FILE --key KEY</code></p>
${signedClosings.length === 0 ? html`<p>${w.none}</p>` : sections}</body></html>`;
}

// ---- CSV ----

const HEAD = ['day', 'table', 'closing', 'section', 'item', 'who', 'currency', 'value', 'unit'];

function csvOf(closing: Closing, hash: string): string[] {
  const { day, terminal, no } = closing;
  const lines: string[] = [];
  const row = (
    section: string,
    item: string,
    o: { who?: string; currency?: string; value: string | number; unit: string },
  ): void => {
    const { who = '', currency = '', value, unit } = o;
    lines.push(csvLine([day, terminal, no, section, item, who, currency, value, unit]));
  };
  // Two decimals at most: as a number it is written exactly.
  const money = (section: string, item: string, currency: string, minor: number, who = ''): void =>
    row(section, item, { who, currency, value: unitsOf(minor), unit: 'amount' });
  for (const currency of currenciesOf(closing)) {
    const result = resultOf(closing, currency);
    money('result', 'drop', currency, result.dropMinor);
    money('result', 'win', currency, result.winMinor);
    if (result.holdBp !== null)
      row('result', 'hold', { currency, value: result.holdBp / 100, unit: 'percent' });
    money('result', 'paid-by-hand', currency, result.handPaidMinor);
    money('result', 'boxes-expected', currency, result.expectedMinor);
    money('result', 'boxes-counted', currency, result.countedMinor);
    money('result', 'variance', currency, result.varianceMinor);
  }
  for (const { acceptor, removedSeq, notes, counted } of closing.boxes) {
    const box = `acceptor ${acceptor}, entry ${removedSeq}`;
    for (const name of [
      ...new Set([...Object.keys(notes.known), ...Object.keys(counted.notes)]),
    ].toSorted()) {
      const { currency, valueMinor } = noteOf(name);
      const item = `${box}, note ${unitsOf(valueMinor)}`;
      const [by, found] = [notes.known[name] ?? 0, counted.notes[name] ?? 0];
      row('box-expected', item, { currency, value: by, unit: 'notes' });
      row('box-counted', item, { who: counted.by, currency, value: found, unit: 'notes' });
      row('box-difference', item, { currency, value: found - by, unit: 'notes' });
    }
    if (notes.unknown > 0) row('box-unknown', box, { value: notes.unknown, unit: 'notes' });
    if (counted.reason !== '')
      row('box-recount', box, { who: counted.by, value: counted.reason, unit: 'text' });
  }
  for (const [acceptor, notes] of Object.entries(closing.inBoxes))
    for (const name of Object.keys(notes.known).toSorted()) {
      const { currency, valueMinor } = noteOf(name);
      const item = `acceptor ${acceptor}, note ${unitsOf(valueMinor)}`;
      row('in-box', item, { currency, value: notes.known[name]!, unit: 'notes' });
    }
  for (const each of playOf(closing)) {
    const { game, currency, rounds, hands, corrected, openMs } = each;
    const who = each.dealer === '' ? '' : `${each.name} (${each.dealer})`;
    row('play', `${game} hours`, { who, value: hoursTenths(openMs) / 10, unit: 'hours' });
    row('play', `${game} rounds`, { who, value: rounds, unit: 'rounds' });
    row('play', `${game} hands`, { who, value: hands, unit: 'hands' });
    row('play', `${game} corrected`, { who, value: corrected, unit: 'cards' });
    const perHour = perHourTenths(hands, openMs);
    if (perHour !== null) row('play', `${game} hands-per-hour`, { who, value: perHour / 10, unit: 'hands' });
    money('play', `${game} staked`, currency, each.stakedMinor, who);
    money('play', `${game} win`, currency, each.wonMinor, who);
  }
  for (const span of closing.spans.slice(0, -1))
    for (const currency of currenciesOf(closing)) {
      const result = resultOf(closing, currency, span);
      const of = `${span.day}, entries ${span.fromSeq} to ${span.toSeq}`;
      money('correction', `${of}, drop`, currency, result.dropMinor);
      money('correction', `${of}, win`, currency, result.winMinor);
      money('correction', `${of}, paid-by-hand`, currency, result.handPaidMinor);
    }
  for (const [code, value] of Object.entries(metersOf(closing)))
    if (IS_COUNT.test(code)) row('meter', code, { value, unit: 'count' });
    else money('meter', code, closing.currency, value);
  const { without } = closing;
  if (without !== undefined)
    row('closing', `without entries from ${without.fromSeq} on`, { value: without.reason, unit: 'text' });
  const entries = `${closing.spans[0]!.fromSeq} to ${closing.toSeq}`;
  row('closing', 'entries', { value: entries, unit: 'text' });
  const closedAt = new Date(closing.closedAtMs).toISOString();
  row('closing', 'closed', { who: closing.closedBy, value: closedAt, unit: 'text' });
  row('closing', 'sha256', { value: hash, unit: 'text' });
  return lines;
}

/** All closings of a day, table by table. */
export const statementCsv = (signedClosings: readonly SignedClosing[]): string =>
  [
    csvLine(HEAD),
    ...signedClosings.flatMap((each) => csvOf(readClosing(each), closingHash(each.bytes))),
  ].join('');

/** The notes' sum, for who counts. */
export const countedText = (notes: Sums, lang: Language): string =>
  [...new Set(Object.keys(notes).map((name) => noteOf(name).currency))]
    .map((currency) => amount(sumOfNotes(notes, currency), currency, lang))
    .join(', ');
