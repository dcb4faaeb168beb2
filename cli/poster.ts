/**
 * The rules of a table for its wall: Chinese beside Portuguese on A3, as a page that any browser
 * prints. For staff the edge of every bet stands below, with a warning where it favours the player.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RulesTexts } from '../engine/books.ts';
import { Html, html } from '../upstream/html.ts';

/** The same in both languages, in that order. */
export type Both<T = string> = readonly [zh: T, pt: T];

export interface Poster {
  /** Its name; null = the options come from the command line. */
  readonly table: string | null;
  readonly texts: Both<RulesTexts>;
  /** Authorisations on record, each as a sentence. */
  readonly records: readonly Both[];
  /** Null: this one is for players. */
  readonly edges: Edges | null;
}

/** In one language. */
interface EdgeTexts {
  readonly title: string;
  readonly about: string;
  readonly favours: string;
  readonly rows: readonly { readonly bet: string; readonly edge: string; readonly favoursPlayer: boolean }[];
  /** What has no figure, as a sentence. */
  readonly none: string | null;
}
export type Edges = Both<EdgeTexts>;

type Inside = Html | readonly Html[] | string;

const both = (tag: Html, [zh, pt]: Both<Inside>): Html =>
  html`<div class="both ${tag}"><div lang="zh-Hant">${zh}</div><div lang="pt">${pt}</div></div>`;
const zip = <T>([zh, pt]: Both<readonly T[]>): Both<T>[] => zh.map((each, i) => [each, pt[i]!]);

function rowOf({ text, value, notes, cites }: RulesTexts['sections'][number]['rows'][number]): Html {
  const tail = [...notes, ...(cites === '' ? [] : [cites])].join(' · ');
  return html`${text}${value === null ? html`` : html` <b>${value}</b>`}${tail === '' ? html`` : html` <small>${tail}</small>`}`;
}

const sectionsOf = (texts: Both<RulesTexts>): Html[] =>
  zip([texts[0].sections, texts[1].sections]).map(
    ([zh, pt]) =>
      html`<section>${both(html`head`, [zh.title, pt.title])}${zip([zh.rows, pt.rows]).map(([a, b]) => both(html`row`, [rowOf(a), rowOf(b)]))}</section>`,
  );

function edgesOf([zh, pt]: Edges): Html {
  const row = ({ favours }: EdgeTexts, { bet, edge, favoursPlayer }: EdgeTexts['rows'][number]): Html =>
    html`${bet} <b>${edge}</b>${favoursPlayer ? html` <strong>${favours}</strong>` : html``}`;
  const rows = zip([zh.rows, pt.rows]).map(([a, b]) => both(html`row`, [row(zh, a), row(pt, b)]));
  const none = zh.none === null || pt.none === null ? html`` : both(html`row`, [zh.none, pt.none]);
  return html`<section class="staff">${both(html`head`, [zh.title, pt.title])}${both(html`row`, [zh.about, pt.about])}${rows}${none}</section>`;
}

const RANGE = /U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi;

/**
 * The faces of the built page's letters that this text needs, with their letters in them: who
 * prints the poster may have no Chinese font. Nothing where the page is not built.
 */
function lettersFor(text: string): string {
  const folder = fileURLToPath(new URL('../build/renderer/assets', import.meta.url));
  if (!existsSync(folder)) return '';
  const codes = new Set([...text].map((letter) => letter.codePointAt(0)!));
  const isNeeded = (face: string): boolean =>
    [...face.matchAll(RANGE)].some(([, from, to]) => {
      const [first, last] = [Number.parseInt(from!, 16), Number.parseInt(to ?? from!, 16)];
      for (let code = first; code <= last; code += 1) if (codes.has(code)) return true;
      return false;
    });
  const inFace = (face: string): string =>
    face.replace(/url\((?!data:)([^)]+)\)/, (_, file: string) => {
      const letters = readFileSync(join(folder, basename(file)));
      return `url(data:font/woff2;base64,${letters.toString('base64')})`;
    });
  return readdirSync(folder)
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/@font-face\{[^}]*\}/g) ?? [])
    .filter(isNeeded)
    .map(inFace)
    .join('\n');
}

/** One whole HTML page without anything from outside. */
export function posterPage({ table, texts, records, edges }: Poster): string {
  const [zh, pt] = texts;
  const head = [
    both(html`title`, [zh.title, pt.title]),
    ...(table === null ? [] : [both(html`table`, [table, table])]),
    both(html`stakes`, [zh.stakes, pt.stakes]),
    both(html`row`, [zh.regulation, pt.regulation]),
    ...zip([zh.wording, pt.wording]).map((each) => both(html`row`, each)),
    ...records.map((each) => both(html`row record`, each)),
  ];
  const body = html`<header>${head}</header><main>${sectionsOf(texts)}${edges === null ? html`` : edgesOf(edges)}</main>`;
  const style = new Html(lettersFor(`${zh.title}${body.text}`));
  return html`<!doctype html>
<html lang="zh-Hant"><head><meta charset="utf-8"><title>${zh.title} · ${pt.title}</title>
<style>
${style}
@page { size: A3 portrait; margin: 10mm 12mm }
body { margin: 0; font: 7pt/1.28 "Noto Sans HK Variable", "Noto Sans HK", sans-serif; color: #111 }
header { margin-bottom: 3mm; border-bottom: 0.6mm solid #111 }
main { columns: 2; column-gap: 7mm }
section { margin-bottom: 2mm }
.both { display: grid; grid-template-columns: 1fr 1fr; gap: 0 3mm; break-inside: avoid }
main .row { padding: 0.35mm 0; border-bottom: 0.1mm solid #ccc }
.title { font-size: 22pt; font-weight: 700; line-height: 1.15 }
.table, .stakes { font-size: 13pt; font-weight: 600 }
.head { break-after: avoid; font-size: 8.5pt; font-weight: 700; background: #e8e4d8; padding: 0.5mm 1mm }
small { color: #555; font-size: 0.84em }
.staff { column-span: all; border: 0.5mm solid #a40000; padding: 2mm }
strong { color: #a40000 }
</style></head><body>${body}</body></html>
`.text;
}
