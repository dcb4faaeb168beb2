/** The page of receipts as one file, which a telephone keeps: code, letters and cards in it. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { codesOfLetters, ruleWithLetters, slicesOf } from '../texts/font-faces.ts';

/** What the page says of each file of texts; the rest of them does not travel with it. */
const SAYS: Readonly<Record<string, readonly string[]>> = {
  table: ['article', 'bet', 'event', 'hand', 'language', 'outcome', 'recall', 'receipt', 'result', 'seat'],
};

const TEXTS = /\/locales\/[^/]+\/(\w+)\.json$/;
const textsSaid = (path: string): string => {
  const said = SAYS[TEXTS.exec(path)?.[1] ?? ''] ?? [];
  const texts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(said.map((group) => [group, texts[group]])));
};
const onlyTextsSaid: Plugin = {
  name: 'only texts that are said',
  enforce: 'pre',
  load: (id) => (TEXTS.test(id) ? textsSaid(id) : null),
};

/** Figures of money and time, names in the letters of Portugal, and what is written by itself. */
const SIGNS = '♠♥♦♣…零一二三四五六七八九十年月日時';
const letters: Plugin = {
  name: 'letters of the receipt',
  enforce: 'pre',
  async transform(css, id) {
    if (!id.endsWith('/noto-sans-hk/index.css')) return undefined;
    const texts = globSync('../../locales/*/*.json', { cwd: import.meta.dirname }).map((path) =>
      textsSaid(join(import.meta.dirname, path)),
    );
    const wanted = codesOfLetters(texts.join('') + SIGNS);
    const isLatin = (code: number): boolean => (code >= 0x20 && code <= 0x17f) || code === 0x2212;
    const slices = slicesOf(css, id, (code) => isLatin(code) || wanted.has(code));
    return { code: (await Promise.all(slices.map(ruleWithLetters))).join(''), map: null };
  },
};

/** As a content policy names what stands in the page itself. */
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const oneFile: Plugin = {
  name: 'one file',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const page = bundle['index.html'];
    if (page?.type !== 'asset') throw new Error('no page');
    const files = Object.values(bundle);
    const code = files
      .flatMap((file) => (file.type === 'chunk' ? [file.code.replaceAll('</script', '<\\/script')] : []))
      .join('\n');
    const sheets = files.flatMap((file) =>
      file.fileName.endsWith('.css') && file.type === 'asset' ? [String(file.source)] : [],
    );
    const style = sheets.join('\n');
    const policy = [
      "default-src 'none'",
      `script-src ${hashOf(code)}`,
      `style-src ${hashOf(style)}`,
      "font-src data:; img-src data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'",
    ].join('; ');
    page.source = String(page.source)
      .replaceAll(/\s*<(?:script|link)[^>]*(?:src|href)="\.\/assets[^>]*>(?:<\/script>)?/g, '')
      .replace(
        '</head>',
        () =>
          `<meta http-equiv="content-security-policy" content="${policy}" /><style>${style}</style></head>`,
      )
      .replace('</body>', () => `<script type="module">${code}</script></body>`);
    for (const name of Object.keys(bundle)) if (name !== 'index.html') delete bundle[name];
    const source = readFileSync(join(import.meta.dirname, 'offline.js'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'offline.js', source });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [onlyTextsSaid, letters, oneFile],
  json: { stringify: true, namedExports: false },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../build/receipt',
    emptyOutDir: true,
    // Telephones of some years; older ones have no signatures of this kind either.
    target: ['chrome111', 'safari16.4', 'firefox115'],
    assetsInlineLimit: Number.POSITIVE_INFINITY,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
