import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import subsetFont from 'subset-font';
import { defineConfig, type Plugin } from 'vite';
import { canvasLetters } from './table/canvas-letters.ts';

const FACE = /@font-face\s*\{[^}]*?url\(\.\/([^)]+)\)[^}]*?unicode-range:\s*([^;}]+)[^}]*\}/g;

/** The code points of a style sheet's unicode-range. */
const codesOf = (ranges: string): number[] =>
  [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].flatMap(([, from, to]) => {
    const first = Number.parseInt(from!, 16);
    const last = Number.parseInt(to ?? from!, 16);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
const rangeOf = (codes: readonly number[]): string => codes.map((code) => `U+${code.toString(16)}`).join(',');

const readAll = (files: readonly string[], folder: string): string =>
  files.map((file) => readFileSync(join(import.meta.dirname, folder, file), 'utf8')).join('');
/** What these files of `locales/` have in all languages. */
const textsOf = (...parts: string[]): string =>
  readAll(
    ['zh-Hant', 'pt', 'en'].flatMap((language) => parts.map((part) => `${language}/${part}.json`)),
    '../locales',
  );
/** Signs that the page writes by itself stand in its code: amounts in words, arrows, suits. */
const signsOfCode = (): string =>
  readAll(
    globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter((file) => !/\.(test|d)\.ts/.test(file)),
    '.',
  );

const codesOfLetters = (letters: string): Set<number> =>
  new Set([...letters].map((letter) => letter.codePointAt(0)!));

/**
 * Divides every slice of the font into the letters that players and dealers see, those of all other texts, and the rest, which
 * names of people may need: `index.css?others`. Whole slices are 1.3 MB before the first picture, and taking them apart keeps
 * both cores of a small machine busy; their letters of the table are 0.2 MB.
 */
const divideLetters: Plugin = {
  name: 'divide letters',
  enforce: 'pre',
  async transform(css, id) {
    const [path, query] = id.split('?');
    if (!path!.endsWith('/noto-sans-hk/index.css')) return undefined;
    const table = codesOfLetters(textsOf('table', 'felt') + canvasLetters());
    const texts = codesOfLetters(textsOf('service', 'events', 'rules') + signsOfCode());
    const folder = join(import.meta.dirname, '..', 'build', 'letters');
    mkdirSync(folder, { recursive: true });
    let divided = '';
    for (const [face, file, ranges] of css.matchAll(FACE)) {
      const codes = codesOf(ranges!);
      const parts = {
        table: codes.filter((code) => table.has(code)),
        texts: codes.filter((code) => texts.has(code) && !table.has(code)),
      };
      if (query === 'others') {
        const others = codes.filter((code) => !table.has(code) && !texts.has(code));
        if (others.length > 0) divided += `${face.replace(ranges!, rangeOf(others))}\n`;
        continue;
      }
      const whole = readFileSync(join(dirname(path!), file!));
      for (const [name, part] of Object.entries(parts)) {
        if (part.length === 0) continue;
        const own = join(folder, `${name}-${basename(file!)}`);
        writeFileSync(own, await subsetFont(whole, String.fromCodePoint(...part), { targetFormat: 'woff2' }));
        divided += `${face.replace(`./${file}`, relative(dirname(path!), own)).replace(ranges!, rangeOf(part))}\n`;
      }
    }
    return { code: divided, map: null };
  },
};

/** Displays whose ground is stored, and the width of the faces on their cards (`facesUrl`); two colours are what most houses have. */
const DISPLAYS = [
  { width: 1366, height: 768, cards: 120 },
  { width: 1920, height: 1080, cards: 120 },
  { width: 3840, height: 2160, cards: 240 },
] as const;

/**
 * The table's code, letters and pictures are asked for with the page itself. Only the code names them, so they came one after the
 * other: the page's code, the table's, the letters, each after the main thread had time for it.
 */
const askEarly: Plugin = {
  name: 'ask early',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) => {
      const files = Object.values(bundle ?? {});
      const table = files.find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/table/table.scene.ts'),
      );
      const css = files
        .map((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? String(file.source) : ''))
        .join('');
      const codes = codesOfLetters(canvasLetters());
      const slices = [...css.matchAll(FACE)]
        .filter(([, , ranges]) => codesOf(ranges!).some((code) => codes.has(code)))
        .map(([, file]) => `./assets/${file}`);
      const named = (name: string): string | null =>
        files.find(({ fileName }) => fileName.startsWith(`assets/${name}-`))?.fileName ?? null;
      const pictures = DISPLAYS.flatMap(({ width, height, cards }) =>
        [`ground-${width}x${height}`, `cards-2-standard-${cards}`].map((name) => ({
          href: named(name),
          media: `(width: ${width}px) and (height: ${height}px) and (resolution: 1dppx)`,
        })),
      );
      if (table === undefined || slices.length === 0 || pictures.some(({ href }) => href === null))
        throw new Error('no code, no letters or no picture of the table');
      return [
        { rel: 'modulepreload', href: `./${table.fileName}` },
        ...slices.map((href) => ({ rel: 'preload', as: 'font', type: 'font/woff2', href })),
        ...pictures.map(({ href, media }) => ({ rel: 'preload', as: 'fetch', media, href: `./${href}` })),
      ].map((attrs) => ({ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' }));
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [divideLetters, askEarly],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../build/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // Every file of its own: the content security policy has no place for inline code and little for data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
    // Dividing the letters takes a second or two, and is meant to.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
