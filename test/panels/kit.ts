/**
 * Opens displays in Debian's Chromium against a host that shows chosen views, and finds what is on
 * them.
 */
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { type FakeHost, type FakeHostOptions, startFakeHost } from '../fixtures/fake-host.ts';
import {
  FULL_HD,
  noChromium,
  type OpenedPage,
  openDisplay,
  type Size,
  useChromium,
} from '../support/chromium.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';

export const skip = noChromium;
const chromium = useChromium();

export interface Opened extends OpenedPage {
  readonly host: FakeHost;
}

/** Opens the display; it is closed when the test ends, however it ends. */
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
  const opened = await openDisplay(chromium.browser, host.url, { size, felt });
  t.after(() => opened.page.close());
  return { host, ...opened };
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
