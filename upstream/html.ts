import { plainLines } from '../ledger/chain/plain-line.ts';

/**
 * HTML as a value: text that is put in is escaped, so nothing a terminal wrote can become part of
 * the page.
 */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Inside = Html | string | number | null | readonly (Html | string)[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => plainLines(text).replace(/[&<>"']/g, (c) => ESCAPES[c]!);
const inside = (value: Inside): string => {
  if (value === null) return '–';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(inside).join('');
  return escaped(String(value));
};

export function html(parts: TemplateStringsArray, ...values: readonly Inside[]): Html {
  return new Html(parts.reduce((text, part, i) => text + inside(values[i - 1] ?? null) + part));
}

/** A table with a heading for each column; `none` where there are no rows. */
export function table(headings: readonly string[], rows: readonly (readonly Inside[])[], none: string): Html {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  const head = headings.map((h) => html`<th scope="col">${h}</th>`);
  const body = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  return html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Of terminals in several places: UTC, and says so. */
export const moment = (atMs: number | null): Html | null =>
  atMs === null ? null : html`<time>${new Date(atMs).toISOString().replace('T', ' ').slice(0, 19)}Z</time>`;

export const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, 'Noto Sans HK Variable', sans-serif; }
:root:lang(zh) { font-family: 'Noto Sans HK Variable', system-ui, sans-serif; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem; }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; }
nav a[aria-current] { font-weight: 600; text-decoration: none; }
.who { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin-left: auto; }
button, .button, input, select, textarea { font: inherit; min-height: 2.75rem; padding: .4rem .9rem; border: 1px solid #8889;
  border-radius: .4rem; box-sizing: border-box; color: inherit; background: Field; }
button, .button { background: #00695c; border-color: #00695c; color: #fff; cursor: pointer; }
.button { display: inline-block; text-decoration: none; line-height: 1.9rem; }
button:disabled { opacity: .55; cursor: default; }
nav button, td button { background: transparent; color: inherit; border-color: #8889; }
:focus-visible { outline: 3px solid #f9a825; outline-offset: 2px; }
.acts { display: flex; flex-wrap: wrap; gap: .5rem; }
.acts form { display: flex; gap: .25rem; }
.link, textarea { width: 100%; font-family: ui-monospace, monospace; }
textarea { min-height: 12rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
time { white-space: nowrap; }
code, pre { font: 12px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.bad { color: #c62828; font-weight: 600; }
.good { color: #2e7d32; }
.none { opacity: .7; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.parts { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; list-style: none; padding: 0; }
svg.seconds { vertical-align: middle; }
rect.players { fill: #1e88e5; } rect.dealer { fill: #f9a825; } rect.shoe { fill: #8e24aa; }
rect.screen { fill: #00897b; } rect.settlement { fill: #6d4c41; } rect.stopped { fill: #e53935; }
@media (prefers-color-scheme: dark) { .bad { color: #ff8a80; } .good { color: #a5d6a7; } }
`;
