/**
 * Debian's Chromium for tests and pictures: the built page, one browser, and a display opened in
 * it.
 */
import { existsSync } from 'node:fs';
import { after, before } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { builtPage } from './built.ts';
import { watchLetters } from './felt-letters.ts';

/** The same Chromium without windows: a page of it takes half the processor time. */
const HEADLESS = '/usr/bin/chromium-headless-shell';
const CHROMIUM = process.env['CHROMIUM'] ?? (existsSync(HEADLESS) ? HEADLESS : '/usr/bin/chromium');

/** Without windows it would draw letters at whole pixels, wider than on a screen. */
const ARGS = ['--no-sandbox', '--font-render-hinting=none'];

/** For the option `skip` of a test. */
export const noChromium = existsSync(CHROMIUM) ? false : 'no chromium on this machine';

export interface Size {
  readonly width: number;
  readonly height: number;
}
export const FULL_HD: Size = { width: 1920, height: 1080 };
/** The displays the terminal is made for. */
export const SIZES: readonly Size[] = [{ width: 1366, height: 768 }, FULL_HD, { width: 3840, height: 2160 }];

export const launchChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...ARGS, ...args] });

/**
 * The page as it ships and one browser for all tests of a file; both are there from its first test
 * on.
 */
export function useChromium(): { readonly root: string; readonly browser: Browser } {
  let root = '';
  let browser: Browser | undefined;
  before(
    async () => {
      if (noChromium !== false) return;
      root = builtPage();
      browser = await launchChromium();
    },
    { timeout: 600_000 },
  );
  after(() => browser?.close());
  return {
    get root() {
      return root;
    },
    get browser() {
      if (!browser) throw new Error('no browser yet');
      return browser;
    },
  };
}

/** Three test files share two cores with their terminals: half a minute was too short for some. */
export const PATIENCE_MS = 120_000;

export interface OpenedPage {
  readonly page: Page;
  /** Errors, warnings and refusals of the content policy, in the order they came. */
  readonly troubles: string[];
}

/**
 * What Chromium says of the host's content policy, which makes the page a sandbox of its own
 * scripts.
 */
const SANDBOX = 'allow-scripts and allow-same-origin for its sandbox attribute';

/**
 * The table's code is one that never draws. Asked of Chromium itself: Playwright's `route` would
 * stop every request of the page and leave nothing in its cache.
 */
async function withoutFelt(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const body = Buffer.from('export const createTable = () => new Promise(() => {});').toString('base64');
  const responseHeaders = [{ name: 'content-type', value: 'text/javascript' }];
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    void cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body });
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*/table.scene-*.js' }] });
}

/** From the start on: the first pictures of a page are the dearest. */
function unpainted(): void {
  const hide = (): void => document.documentElement?.style.setProperty('opacity', '0');
  hide();
  document.addEventListener('readystatechange', hide);
}

/**
 * Opens a display and waits for its first view and its letters. Without `felt` the panels stand on
 * plain felt, which is quicker; with it the table is drawn. What measures boxes and touches them
 * needs no pixels: with `painted: false` Chromium lays everything out and paints nothing, in half
 * the processor time.
 */
export async function openDisplay(
  browser: Browser,
  url: string,
  {
    size = FULL_HD,
    felt = false,
    painted = true,
    before = () => {},
  }: {
    readonly size?: Size;
    readonly felt?: boolean;
    readonly painted?: boolean;
    /** What is done with the page before its first request. */
    readonly before?: (page: Page) => void;
  } = {},
): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: size });
  before(page);
  page.setDefaultTimeout(PATIENCE_MS);
  const troubles: string[] = [];
  page.on('console', (message) => {
    const told = message.text();
    // Chromium gives a page a few seconds to take the pictures of the felt that it has asked for:
    // too few on a loaded machine, and without the felt nobody takes them.
    const isOurs = told.includes(SANDBOX) || told.includes('was preloaded using link preload');
    if (['error', 'warning'].includes(message.type()) && !isOurs) troubles.push(told);
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  if (felt) await watchLetters(page);
  else await withoutFelt(page);
  if (!painted) await page.addInitScript(unpainted);
  await goTo(page, url, felt);
  return { page, troubles };
}

async function goTo(page: Page, url: string, felt: boolean): Promise<void> {
  await page.goto(url);
  await page.locator('.screen').waitFor();
  if (felt && (await page.locator('.felt').count()) > 0)
    await page.locator('.felt canvas').first().waitFor({ timeout: 600_000 });
  await lettersReady(page);
}

/** Lets go of what a page shows and of what was set on it. */
export async function clearDisplay(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  await page.emulateMedia({ reducedMotion: null });
}

/** Another display in a cleared page, which was opened with the same `felt` and `painted`. */
export async function openAgain(
  { page, troubles }: OpenedPage,
  url: string,
  { size, felt }: { readonly size: Size; readonly felt: boolean },
): Promise<void> {
  troubles.length = 0;
  await page.setViewportSize(size);
  await goTo(page, url, felt);
}

/** Waits for two frames and for the letters that what they show has asked for. */
export const lettersReady = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
    await document.fonts.ready;
  });

/**
 * What sticks out of its box or is cut; a line's own ascent and descent may stand out by a few
 * pixels.
 */
export const problems = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const inside = '.panel, .strip, .dealer-popover > *, .operator-drawer > *, .alert, .road-sheet';
    for (const frame of document.querySelectorAll(inside)) {
      const outer = frame.getBoundingClientRect();
      for (const element of [frame, ...frame.querySelectorAll('*')]) {
        if (!(element instanceof HTMLElement) || element.clientWidth === 0) continue;
        if (getComputedStyle(element).visibility === 'hidden') continue;
        // They stand above the panel; a test of their own looks at them.
        if (element.closest('.rules, .seat-tab')) continue;
        const name = `${frame.getAttribute('data-seat') ?? ''} ${element.className} «${element.textContent?.slice(0, 40)}»`;
        const box = element.getBoundingClientRect();
        const sticksOut =
          box.left < outer.left - 1 ||
          box.right > outer.right + 1 ||
          box.top < outer.top - 1 ||
          box.bottom > outer.bottom + 1;
        if (sticksOut) found.push(`out: ${name}`);
        if (element.scrollWidth > element.clientWidth + 1 && !element.classList.contains('panel-body'))
          found.push(`wide: ${name} ${element.scrollWidth}/${element.clientWidth}`);
        const slack = Math.max(7, 0.35 * Number.parseInt(getComputedStyle(element).fontSize, 10));
        if (element.scrollHeight > element.clientHeight + slack)
          found.push(`high: ${name} ${element.scrollHeight}/${element.clientHeight}`);
      }
    }
    return found;
  });
