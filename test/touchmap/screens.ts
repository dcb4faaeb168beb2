/**
 * The built page in Debian's Chromium, screen by screen: which regions it says it has, what each of
 * them does, and that a touch anywhere else does nothing. Time stands still in the page, so that
 * whatever changes has been touched.
 */
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { TouchRegion } from '../../renderer/station/touch-regions.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { TableView } from '../../wire/view.ts';
import { type FakeHost, type FakeHostOptions, startFakeHost } from '../fixtures/fake-host.ts';
import { simulated, VIEWS } from '../fixtures/views.ts';
import { builtPage } from '../support/built.ts';
import { launchChromium } from '../support/chromium.ts';
import { giveHands, type Outside } from './in-page.ts';

const SIZE = { width: 1920, height: 1080 };
/**
 * Frames of a quarter of the size: the explorer waits for hundreds of them and looks at no pixel.
 */
const SMALL = { width: 960, height: 540 };

export interface Screen {
  readonly name: string;
  readonly role: DisplayRole;
  readonly view: TableView;
}

/**
 * Every designed state on the big table, and one of every phase on the displays of single roles.
 */
export const SCREENS: readonly Screen[] = [
  ...Object.entries(VIEWS).map(([name, view]): Screen => ({ name, role: 'table', view })),
  ...(['idle-empty', 'betting', 'turn', 'settled'] as const).map(
    (name): Screen => ({ name: `${name} (display of seat 3)`, role: 'seat:3', view: VIEWS[name] }),
  ),
  ...(['no-dealer', 'burn', 'betting', 'turn', 'hold-unexpected-card', 'desk'] as const).map(
    (name): Screen => ({ name: `${name} (dealer's display)`, role: 'dealer', view: VIEWS[name] }),
  ),
  { name: 'service (display of its own)', role: 'service', view: VIEWS.service },
  { name: 'betting, devices simulated', role: 'table', view: simulated(VIEWS.betting) },
  { name: "operator's page of the simulated devices", role: 'operator', view: simulated(VIEWS.betting) },
];

/** The built page and a browser, until `close`. */
export class Workshop {
  readonly root: string;
  readonly browser: Browser;
  private constructor(root: string, browser: Browser) {
    this.root = root;
    this.browser = browser;
  }

  static async open(): Promise<Workshop> {
    const root = builtPage();
    const browser = await launchChromium(['--disable-gpu']);
    return new Workshop(root, browser);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

export interface OpenScreenOptions {
  /**
   * With the drawn table; without it there are no spots on the cloth, and a screen is there in a
   * fifth of the time.
   */
  readonly felt: boolean;
  readonly data?: NonNullable<FakeHostOptions['data']>;
}

/** A display of one role, against a host that shows chosen views and says `done` to everything. */
export class TouchPage {
  readonly host: FakeHost;
  readonly page: Page;
  readonly troubles: string[];
  readonly #felt: boolean;
  readonly #role: DisplayRole;
  #cdp: CDPSession | null = null;
  #shown = 0;

  private constructor(host: FakeHost, page: Page, troubles: string[], felt: boolean, role: DisplayRole) {
    this.host = host;
    this.page = page;
    this.troubles = troubles;
    this.#felt = felt;
    this.#role = role;
  }

  static async open(workshop: Workshop, screen: Screen, options: OpenScreenOptions): Promise<TouchPage> {
    const felt = options.felt && screen.role === 'table';
    const { root, browser } = workshop;
    const host = await startFakeHost({ root, ...screen, ...(options.data ? { data: options.data } : {}) });
    const context = await browser.newContext({ viewport: options.felt ? SIZE : SMALL, hasTouch: true });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    await page.addInitScript(giveHands);
    if (!felt)
      await page.route('**/table.scene-*.js', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: 'export const createTable = () => new Promise(() => {});',
        }),
      );
    await page.goto(host.url);
    const opened = new TouchPage(host, page, troubles, felt, screen.role);
    await opened.#settle();
    return opened;
  }

  /** Another display and this one again: nothing of what was opened is left. */
  async reset(): Promise<void> {
    this.host.greet(this.#role === 'operator' ? 'dealer' : 'operator');
    await this.#drawn();
    this.host.greet(this.#role);
    await this.#drawn();
  }

  async show(view: TableView): Promise<void> {
    // a host that was not there before is shown without travel
    const bootId = `screen ${++this.#shown}`;
    await this.host.show({ ...view, bootId });
    await this.page.waitForFunction((id) => window.hands.shown() === id, bootId);
    // Views are gathered for a moment, the panels are drawn in one frame and the table in the next.
    await this.#drawn();
    await this.#drawn();
  }

  async regions(): Promise<readonly TouchRegion[]> {
    return this.page.evaluate(() => window.touchRegions() as TouchRegion[]);
  }

  async touchOutside(seed: number, count: number): Promise<Outside> {
    return this.page.evaluate(
      async ([from, many]) => {
        const before = window.hands.state(true);
        window.hands.sent();
        const result = await window.hands.touchOutside(from!, many!);
        if (result.found.length > 0 || window.hands.state(true) === before) return result;
        return { ...result, found: ['the page is not what it was, in pixels or places of scrolling'] };
      },
      [seed, count],
    );
  }

  /** The same by the browser's own input, finger by finger. */
  async touchOutsideForReal(points: readonly { x: number; y: number }[]): Promise<readonly string[]> {
    this.#cdp ??= await this.page.context().newCDPSession(this.page);
    // the page's own clock looks at the hour of a new view with its next tick
    await this.page.waitForTimeout(TICK_MS);
    const before = await this.page.evaluate(() => {
      window.hands.sent();
      return window.hands.state(true);
    });
    for (const { x, y } of points) {
      await this.#cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      await this.#cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    }
    await this.#drawn();
    const after = await this.page.evaluate(() => ({
      sent: window.hands.sent(),
      state: window.hands.state(true),
    }));
    return [...after.sent, ...differences(before, after.state)];
  }

  /** What a touch of a region does: commands and questions it sends, or how the page changes. */
  async press(index: number): Promise<string> {
    const { before, isChosen } = await this.page.evaluate((at) => {
      const before = window.hands.state(false);
      window.hands.sent();
      return { before, isChosen: window.hands.press(at) };
    }, index);
    await this.#drawn();
    const after = await this.page.evaluate(() => ({
      sent: window.hands.sent(),
      state: window.hands.state(false),
    }));
    const said = [...new Set(after.sent)].join(', ');
    if (after.state === before && said === '') return isChosen ? CHOSEN : NOTHING;
    if (after.state === before) return said;
    return said === '' ? PAGE : `${said}; the page changes`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    await this.host.close();
  }

  async #settle(): Promise<void> {
    await this.page.locator('.screen').waitFor();
    await this.page.evaluate(() => document.fonts.ready.then(() => undefined));
    if (this.#felt) await this.page.locator('.felt canvas').first().waitFor({ timeout: 600_000 });
    await this.#drawn();
    await this.page.evaluate(() => window.hands.standStill());
    await this.#drawn();
  }

  /** Two frames, and as many more as something of the screen is still to come. */
  async #drawn(): Promise<void> {
    const isWhole = (): Promise<boolean> =>
      new Promise((done) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => done(!window.hands.waits()), 0)),
        ),
      );
    while (!(await this.page.evaluate(isWhole)));
  }
}

/** The slower of the two periods of the page's clock, and a little. */
const TICK_MS = 1_100;

function differences(before: string, after: string): string[] {
  const [was, is] = [before.split('\n'), after.split('\n')];
  return is.flatMap((line, index) => {
    const old = was[index] ?? '';
    if (line === old) return [];
    const from = Math.max(0, [...line].findIndex((letter, at) => letter !== old[at]) - 60);
    return [`was «${old.slice(from, from + 160)}», is «${line.slice(from, from + 160)}»`];
  });
}

export const NOTHING = 'nothing';
export const CHOSEN = 'is chosen already';
export const PAGE = 'the page changes';
