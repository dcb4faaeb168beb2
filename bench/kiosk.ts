/**
 * Windows as the product opens them, on a screen in memory: the whole terminal, and the same
 * browser with an empty page.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromiumBinary } from '../electron/choose-shell.ts';
import { startChromium } from '../electron/chromium-main.ts';
import { kioskUser } from '../electron/kiosk-user.ts';
import { startTerminal, type Terminal } from '../test/shell/terminal.ts';
import { startXvfb, type VirtualScreen } from '../test/shell/xvfb.ts';
import type { PartContext } from './part.ts';
import { progress } from './stats.ts';
import { writeProfile } from './table.ts';

const SIZE = { width: 1920, height: 1080 };
const PAINT_LIMIT_MS = 60_000;

const hasPainted = (message: Readonly<Record<string, unknown>>): boolean =>
  (message['host'] as { painted?: { role?: string } } | undefined)?.painted?.role === 'table';

/** A screen in memory, or null with the reason on record. */
export async function screenFor(context: PartContext, what: string): Promise<VirtualScreen | null> {
  if (chromiumBinary(process.env) === null) {
    context.cannot(what, 'Chromium is not installed (apt-get install chromium chromium-sandbox)');
    return null;
  }
  try {
    const screen = await startXvfb(SIZE);
    context.stack.defer(() => screen.stop());
    return screen;
  } catch (error) {
    context.cannot(what, `no screen: ${(error as Error).message} (apt-get install xvfb openbox)`);
    return null;
  }
}

/**
 * The whole terminal with its window, by default with the longest betting time; resolves when the
 * table has been painted.
 */
export async function startKiosk(
  context: PartContext,
  screen: VirtualScreen,
  args?: readonly string[],
  data = context.makeDir('kiosk'),
): Promise<Terminal> {
  const terminal = await startTerminal({
    shell: 'chromium',
    display: screen.display,
    data,
    args: args ?? ['--profile', writeProfile(data)],
  });
  context.stack.defer(async () => {
    await terminal.stop();
  });
  await terminal.event('the table was drawn', hasPainted);
  return terminal;
}

export interface BlankWindow {
  readonly pid: number;
  /** From the start of the browser to the second frame of its page. */
  readonly paintedMs: number;
  stop(): Promise<void>;
}

const BLANK_PAGE =
  '<!doctype html><meta charset="utf-8"><title>blank</title><script src="/blank.js"></script>';
const BLANK_SCRIPT =
  'requestAnimationFrame(() => requestAnimationFrame(() => fetch("/painted", { method: "POST" })));';

/** The kiosk's browser with the kiosk's flags, its account and its sandbox, on a page of ours. */
export async function openWindow(
  context: PartContext,
  screen: VirtualScreen,
  url: string,
  debugPort: number | null = null,
): Promise<{ readonly pid: number; stop(): Promise<void> }> {
  const binary = chromiumBinary(process.env);
  if (binary === null) throw new Error('Chromium is not installed');
  const user = kioskUser(progress);
  // The kiosk's account cannot see into the folders of root, so its files are where `npm start`
  // puts them.
  const parent = user.switchUser ? '/run/banca' : context.makeDir('window');
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  const home = join(parent, `bench-${process.pid}`);
  // The window takes its screen from the environment, as under `npm start`.
  process.env['DISPLAY'] = screen.display;
  const window = startChromium(binary, {
    user,
    home,
    mode: 'kiosk',
    place: {},
    size: SIZE,
    debugPort,
    events: { onPageLoads: () => {}, onTicketNeeded: () => {}, log: progress },
  });
  window.open(url);
  const stop = async (): Promise<void> => {
    await window.stop();
    rmSync(home, { recursive: true, force: true });
  };
  context.stack.defer(stop);
  return { pid: window.pid, stop };
}

/** The same with a page that has nothing on it. */
export async function startBlankWindow(context: PartContext, screen: VirtualScreen): Promise<BlankWindow> {
  const painted = Promise.withResolvers<number>();
  const server = createServer((request, response) => {
    if (request.url === '/painted') painted.resolve(performance.now());
    const script = request.url === '/blank.js';
    response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' });
    response.end(script ? BLANK_SCRIPT : BLANK_PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const startedMs = performance.now();
  const { port } = server.address() as AddressInfo;
  const window = await openWindow(context, screen, `http://127.0.0.1:${port}/`);
  const timer = setTimeout(() => painted.reject(new Error('the blank page was not painted')), PAINT_LIMIT_MS);
  const paintedMs = (await painted.promise) - startedMs;
  clearTimeout(timer);
  return { ...window, paintedMs };
}
