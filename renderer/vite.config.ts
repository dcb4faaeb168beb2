import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { canvasLetters } from './table/canvas-letters.ts';
import { codesOfLetters, ruleWithLetters, slicesOf } from './texts/font-faces.ts';

const textsIn = (language: string, part: string): string =>
  readFileSync(join(import.meta.dirname, '../locales', language, `${part}.json`), 'utf8');
/** What these files of `locales/` have in all languages. */
const textsOf = (...parts: string[]): string =>
  ['zh-Hant', 'pt', 'en'].flatMap((language) => parts.map((part) => textsIn(language, part))).join('');
/** The regulations' own words. */
const textsOfLaw = (): string =>
  globSync('rules/law/*.json', { cwd: import.meta.dirname })
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('');
/** Signs that the page writes by itself stand in its code: amounts in words, arrows, suits. */
const signsOfCode = (): string =>
  globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .filter((file) => !/\.(test|d)\.ts/.test(file))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('');

/**
 * Divides every slice of the font: the letters that players and dealers see come with the page;
 * those of the rules and of service mode with them (`index.css?later`), the rest that names of
 * people may need after those (`?names`). Whole slices are 1.3 MB before the first picture, and
 * taking them apart keeps both cores of a small machine busy; their letters of the table are
 * 0.2 MB. For a slice that is not there yet Chromium asks the system for another font at every size
 * of letter, which was two fifths of laying out the panels.
 */
const divideLetters: Plugin = {
  name: 'divide letters',
  enforce: 'pre',
  async transform(css, id) {
    const [path, query] = id.split('?');
    if (!path!.endsWith('/noto-sans-hk/index.css')) return undefined;
    const table = codesOfLetters(textsOf('table', 'felt', 'portugal') + canvasLetters() + signsOfCode());
    const later = codesOfLetters(
      textsOf('rules', 'service', 'events', 'map', 'portugal-service') + textsOfLaw(),
    );
    const sheetOf = (code: number): string =>
      table.has(code) ? 'table' : later.has(code) ? 'later' : 'names';
    const sheetAsked = query ?? 'table';
    const folder = join(import.meta.dirname, '..', 'build', 'letters');
    mkdirSync(folder, { recursive: true });
    let divided = '';
    for (const slice of slicesOf(css, path!, (code) => sheetOf(code) === sheetAsked)) {
      if (sheetAsked === 'names') divided += slice.rule(`./${slice.file}`);
      else if (sheetAsked === 'later') {
        const made = join(folder, basename(slice.file));
        writeFileSync(made, await slice.subset());
        divided += slice.rule(relative(dirname(path!), made));
      }
      // In the style sheet itself: thirty files were thirty requests, a twenty-fifth of the time to
      // the first picture.
      else divided += await ruleWithLetters(slice);
    }
    return { code: divided, map: null };
  },
};

/**
 * Displays whose ground is stored, and the width of the faces on their cards (`facesUrl`); two
 * colours are what most houses have.
 */
const DISPLAYS = [
  { width: 1366, height: 768, cards: 120 },
  { width: 1920, height: 1080, cards: 120 },
  { width: 3840, height: 2160, cards: 240 },
] as const;

/**
 * The table's code and pictures are asked for with the page itself. Only the code names them, so
 * they came one after the other: the page's code, the table's, the pictures, each after the main
 * thread had time for it.
 */
const askEarly: Plugin = {
  name: 'ask early',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const files = Object.values(bundle ?? {});
      const table = files.find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/table/table.scene.ts'),
      );
      const named = (name: string): string | null =>
        files.find(({ fileName }) => fileName.startsWith(`assets/${name}-`))?.fileName ?? null;
      const pictures = DISPLAYS.flatMap(({ width, height, cards }) => {
        const media = `(width: ${width}px) and (height: ${height}px) and (resolution: 1dppx)`;
        return [
          { as: 'image', media, href: named(`ground-${width}x${height}`) },
          {
            as: 'fetch',
            crossorigin: true,
            fetchpriority: 'low',
            media,
            href: named(`cards-2-standard-${cards}`),
          },
        ];
      });
      if (table === undefined || pictures.some(({ href }) => href === null))
        throw new Error('no code or no picture of the table');
      const tags = [
        { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `./${table.fileName}` },
        ...pictures.map(({ href, ...attrs }) => ({ rel: 'preload', ...attrs, href: `./${href}` })),
      ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
      // a frame of the empty page keeps the main thread for 50 ms on a busy machine, and shows
      // nothing
      return { html: html.replace('<script ', '<script blocking="render" '), tags };
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [divideLetters, askEarly],
  // texts are half of the page's code, and read faster as JSON than as code
  json: { stringify: true, namedExports: false },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../build/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // Every file of its own: the content security policy has no place for inline code and little
    // for data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
    // Dividing the letters takes a second or two, and is meant to.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
