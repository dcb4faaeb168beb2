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

export const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem; }
nav a { margin-right: 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
time { white-space: nowrap; }
code, pre { font: 12px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.bad { color: #c62828; font-weight: 600; }
.good { color: #2e7d32; }
.none { opacity: .7; }
@media (prefers-color-scheme: dark) { .bad { color: #ff8a80; } .good { color: #a5d6a7; } }
`;
