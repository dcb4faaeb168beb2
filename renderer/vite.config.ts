import { defineConfig, type Plugin } from 'vite';
import { canvasLetters } from './table/canvas-letters.ts';

/** Addresses of the slices of the font that hold these letters, as the built style sheet writes them. */
function slicesOf(css: string, letters: string): string[] {
  const codes = [...new Set(letters)].map((letter) => letter.codePointAt(0)!);
  return [...css.matchAll(/@font-face\s*\{[^}]*?url\(\.\/([^)]+)\)[^}]*?unicode-range:([^;}]+)/g)].flatMap(
    ([, file, ranges]) => {
      const holds = [...ranges!.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].some(([, from, to]) =>
        codes.some((code) => code >= Number.parseInt(from!, 16) && code <= Number.parseInt(to ?? from!, 16)),
      );
      return holds ? [`./assets/${file}`] : [];
    },
  );
}

/**
 * The table's code and letters are asked for with the page itself. Only the code names them, so they came one after the other:
 * the page's code, the table's, the letters, each after the main thread had time for it.
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
      const slices = slicesOf(css, canvasLetters());
      if (table === undefined || slices.length === 0) throw new Error('no code or no letters of the table');
      return [
        { rel: 'modulepreload', href: `./${table.fileName}` },
        ...slices.map((href) => ({ rel: 'preload', as: 'font', type: 'font/woff2', href })),
      ].map((attrs) => ({ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' }));
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [askEarly],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../build/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // Every file of its own: the content security policy has no place for inline code and little for data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
  },
});
