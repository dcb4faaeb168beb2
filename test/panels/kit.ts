/**
 * Opens displays in Debian's Chromium against a host that shows chosen views, and finds what is on
 * them.
 */
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import { formOf } from '../../renderer/table/form.ts';
import { layTable } from '../../renderer/table/layout.ts';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { type FakeHost, type FakeHostOptions, startFakeHost } from '../fixtures/fake-host.ts';
import {
  clearDisplay,
  FULL_HD,
  noChromium,
  type OpenedPage,
  openAgain,
  openDisplay,
  type Size,
  useChromium,
} from '../support/chromium.ts';
import { fullOr } from '../support/long.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';

export const skip = noChromium;
export const chromium = useChromium();

export interface Opened extends OpenedPage {
  readonly host: FakeHost;
  /** Before the test ends. */
  letGo(): Promise<void>;
}

/**
 * Pages whose tests have ended, with the drawn table and without: a new one takes twice the
 * processor time of another display in an old one.
 */
const rested = { felt: [] as OpenedPage[], plain: [] as OpenedPage[] };

/** Opens the display; it is let go of when the test ends, however it ends. */
export async function open(
  t: TestContext,
  view: TableView,
  options: Partial<Omit<FakeHostOptions, 'root' | 'view'>> & {
    role?: DisplayRole;
    size?: Size;
    /** With the drawn table; without it the panels stand on plain felt, which is quicker. */
    felt?: boolean;
  } = {},
): Promise<Opened> {
  const { role = 'table', size = FULL_HD, felt = false, ...rest } = options;
  const host = await startFakeHost({ root: chromium.root, role, view, ...rest });
  t.after(() => host.close());
  const resting = felt ? rested.felt : rested.plain;
  let opened = resting.pop();
  if (opened) await openAgain(opened, host.url, { size, felt });
  else opened = await openDisplay(chromium.browser, host.url, { size, felt, painted: felt });
  const { page, troubles } = opened;
  let isHeld = true;
  const letGo = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await clearDisplay(page);
    resting.push({ page, troubles });
  };
  t.after(letGo);
  return { host, page, troubles, letGo };
}

export const LANGUAGE_ORDER = ['zh-Hant', 'pt', 'en'] as const;

/**
 * The same view with the seats' languages moved on by `by`, so that every state is seen in every
 * language.
 */
export const turned = (view: TableView, by: number): TableView => ({
  ...view,
  seats: view.seats.map((seat) => ({
    ...seat,
    language: LANGUAGE_ORDER[(seat.seat + by) % 3] ?? 'zh-Hant',
  })),
});

/** The same view with every seat in one language and with this size of letters. */
export const spoken = (
  view: TableView,
  language: SeatView['language'],
  text: 'normal' | 'large',
): TableView => ({
  ...view,
  seats: view.seats.map((seat) => ({ ...seat, language, comfort: { ...PLAIN_COMFORT, text } })),
});

/**
 * At each size every state in one language, another one at each; `npm test` has every state at one
 * size in one language. `BANCA_EVERY_LANGUAGE=1` asks for all, which takes nine times as long.
 */
export const isTurn = (size: number, language: number, state: number): boolean =>
  process.env['BANCA_EVERY_LANGUAGE'] === '1' ||
  (fullOr(1, 3) * size + language + state) % fullOr(3, 9) === 0;

export const withSeat = (view: TableView, number: number, over: Partial<SeatView>): TableView => ({
  ...view,
  seats: view.seats.map((seat) => (seat.seat === number ? { ...seat, ...over } : seat)),
});

export const panel = (page: Page, seat: number, language: SeatView['language'] = 'zh-Hant'): Locator =>
  page.getByRole('region', { name: text(language, 'seat.name', { seat }), exact: true });

/**
 * Waits until the page has shown that seat's language and phase; views are drawn in the frame after
 * they came.
 */
export async function show(opened: Opened, view: TableView): Promise<void> {
  await opened.host.show(view);
  await opened.page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/**
 * The first `count` commands the host got; waits for them, a touch and its command are not one
 * moment.
 */
export async function sent(opened: Opened, count: number): Promise<readonly Command[]> {
  const { commands } = opened.host;
  await until(`${count} commands`, () => commands.length >= count, {
    said: () => `only ${JSON.stringify(commands)}`,
  });
  return commands.slice();
}

/** A sentence of the staff: both languages of the house. */
export const bi = (key: string): string => `${text('zh-Hant', key)} ${text('pt', key)}`;

/** Of the glass of 43 inches that the terminal is made for: the least a finger is given. */
export const leastPx = ({ width }: Size): number => (width / 952) * 25;

/** The smallest display of a seat: ten inches, 136 mm high. */
export const OWN = { width: 1280, height: 800 } as const;
export const OWN_MM = OWN.height / 136;

export interface Zone {
  readonly seat: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
/** Where the cards, totals and bets of each seat lie, whatever it has. */
export const zonesOf = (view: TableView, { width, height }: Size): Zone[] =>
  layTable(width, height, formOf(view), view.seats.length).seats.map(({ seat, zone }) => ({
    seat,
    left: zone.x,
    right: zone.x + zone.width,
    top: zone.y,
    bottom: zone.y + zone.height,
  }));

/** Panels that cover what belongs to another seat. */
export const overNeighbours = (page: Page, zones: readonly Zone[]): Promise<string[]> =>
  page.evaluate(
    (zones) =>
      [...document.querySelectorAll<HTMLElement>('.panels .panel')].flatMap((panel) => {
        const own = panel.getBoundingClientRect();
        return zones
          .filter(({ seat }) => String(seat) !== panel.dataset['seat'])
          .filter(
            ({ left, right, top, bottom }) =>
              own.left < right && own.right > left && own.top < bottom && own.bottom > top,
          )
          .map(({ seat }) => `over: seat ${panel.dataset['seat']} over seat ${seat}`);
      }),
    zones,
  );
