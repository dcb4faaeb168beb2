/**
 * Builds the gallery page with vite, serves it under the product's content policy and opens it in
 * Debian's Chromium. Used by the picture tests and, as a program, to look at the table: `node
 * test/pictures/gallery.ts OUT-DIR [--size 1920x1080] [--scale 1] [--renderer canvas|webgl]
 * [--states a,b] [--panels]`
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, normalize } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { VIEWS } from '../fixtures/views.ts';
import { FULL_HD, launchChromium, type Size } from '../support/chromium.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'";

export interface Gallery {
  readonly url: string;
  close(): Promise<void>;
}

export const serveGallery = (): Promise<Gallery> => servePage(join(import.meta.dirname, 'gallery.html'));

/** A page of its own with what it imports, and `files` beside it as they are. */
export async function servePage(
  html: string,
  {
    files = [],
    headers = {},
  }: { readonly files?: readonly string[]; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Gallery> {
  const out = mkdtempSync(join(tmpdir(), 'banca-page-'));
  await build({
    root: dirname(html),
    configFile: false,
    logLevel: 'error',
    base: './',
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'chrome120',
      chunkSizeWarningLimit: 4000,
      assetsInlineLimit: 0,
      rolldownOptions: { input: html },
    },
  });
  for (const file of files) copyFileSync(file, join(out, basename(file)));
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    const file = join(out, path);
    if (!file.startsWith(out) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': POLICY,
      ...headers,
    });
    response.end(readFileSync(file));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${basename(html)}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(out, { recursive: true });
    },
  };
}

export type Kind = 'canvas' | 'webgl';

export const launch = (kind: Kind): Promise<Browser> =>
  launchChromium([
    '--force-color-profile=srgb',
    '--font-render-hinting=none',
    ...(kind === 'canvas' ? ['--disable-gpu'] : ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']),
  ]);

export async function openGallery(
  browser: Browser,
  gallery: Gallery,
  query: Record<string, string>,
  size: Size = FULL_HD,
  scale = 1,
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: scale });
  const errors: string[] = [];
  const broken = new Promise<false>((told) => {
    page.on('pageerror', (error) => {
      errors.push(String(error));
      told(false);
    });
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  await page.goto(`${gallery.url}?${new URLSearchParams(query).toString()}`);
  // an error of the page ends the wait at once
  const started = await Promise.race([
    page.waitForFunction(() => 'views' in window, undefined, { timeout: 600_000 }).then(() => true),
    broken,
  ]);
  if (!started) throw new Error(`the gallery did not start: ${errors.join('; ')}`);
  return { page, errors };
}

if (import.meta.main) {
  const { positionals, values } = argumentsOf({
    allowPositionals: true,
    options: {
      size: { type: 'string', default: '1920x1080' },
      scale: { type: 'string', default: '1' },
      renderer: { type: 'string', default: 'canvas' },
      states: { type: 'string', default: Object.keys(VIEWS).join(',') },
      query: { type: 'string', default: '' },
      panels: { type: 'boolean', default: false },
    },
  });
  const out = positionals[0] ?? 'shots';
  mkdirSync(out, { recursive: true });
  const [width, height] = values.size.split('x').map(Number) as [number, number];
  const kind: Kind = values.renderer === 'webgl' ? 'webgl' : 'canvas';
  const gallery = await serveGallery();
  const browser = await launch(kind);
  try {
    for (const state of values.states.split(',')) {
      const query = {
        state,
        renderer: kind,
        still: '',
        ...(values.panels ? { panels: '' } : {}),
        ...Object.fromEntries(new URLSearchParams(values.query)),
      };
      const { page, errors } = await openGallery(
        browser,
        gallery,
        query,
        { width, height },
        Number(values.scale),
      );
      await page.screenshot({ path: join(out, `${state}-${values.size}-${kind}.png`) });
      for (const error of errors) console.error(`${state}: ${error}`);
      await page.close();
    }
  } finally {
    await browser.close();
    await gallery.close();
  }
}
