/** From a touch to the frame that shows it: the real window, its real page, seven seats at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { screenFor, startKiosk } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { atMost, progress, quantile, spread } from './stats.ts';
import { SEATS, TableHands } from './table.ts';

const BURSTS = 30;
const SINGLES = 30;
const SETTLE_MS = 2_000;
/** Chips have come to rest; people do not bet twice in the same moment. */
const PAUSE_MS = 500;
const SHOWN_LIMIT_MS = 3_000;

/**
 * What the page keeps of one burst, by seat: when it was touched, when the light under the finger
 * and when the changed balance was on the glass.
 */
interface PageBench {
  touchedMs: Record<number, number>;
  litMs: Record<number, number>;
  shownMs: Record<number, number>;
}

declare global {
  interface Window {
    bench: PageBench;
  }
}

/**
 * Sets the page up to notice touches and the frames that show what came of them. Runs in the page.
 */
function observe(): void {
  window.bench = { touchedMs: {}, litMs: {}, shownMs: {} };
  // A message posted in a frame's callback is handled after that frame has been painted.
  const afterPainting = (then: () => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });
  };
  const isLit = ({ clientX, clientY }: PointerEvent): boolean =>
    [...document.querySelectorAll('.touch-light')].some((light) => {
      const { x, y, width, height } = light.getBoundingClientRect();
      return Math.abs(x + width / 2 - clientX) < 1 && Math.abs(y + height / 2 - clientY) < 1;
    });
  const seatOf = (target: EventTarget | null): number =>
    Number((target as Element | null)?.closest<HTMLElement>('[data-seat]')?.dataset['seat']);
  addEventListener(
    'pointerdown',
    (event) => {
      const seat = seatOf(event.target);
      window.bench.touchedMs[seat] ??= event.timeStamp;
      if (!isLit(event)) return;
      afterPainting(() => {
        window.bench.litMs[seat] ??= performance.now();
      });
    },
    { capture: true },
  );
  for (const panel of document.querySelectorAll<HTMLElement>('[data-seat]')) {
    const seat = Number(panel.dataset['seat']);
    const balance = (): string => panel.querySelector('.balance strong')?.textContent ?? '';
    let known = balance();
    new MutationObserver(() => {
      if (balance() === known) return;
      known = balance();
      afterPainting(() => {
        window.bench.shownMs[seat] ??= performance.now();
      });
    }).observe(panel, { subtree: true, childList: true, characterData: true });
  }
}

/** A bet of one chip and its withdrawal in turn, so that no credit runs out. */
const buttonOf = (seat: number, turn: number): string =>
  `[data-seat="${seat}"] ${turn % 2 === 0 ? '.chip-button:nth-child(2)' : '.tools .button-tool:first-child'}`;

/** One real touch of as many fingers as there are seats, all down and all up in the same moment. */
async function touch(page: Page, cdp: CDPSession, seats: readonly number[], turn: number): Promise<void> {
  const touchPoints = await page.evaluate(
    (buttons) =>
      buttons.map((button, id) => {
        const { x, y, width, height } = document.querySelector(button)!.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2, id };
      }),
    seats.map((seat) => buttonOf(seat, turn)),
  );
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** The click that a touch becomes, made by the page itself on all buttons in one task. */
async function click(page: Page, seats: readonly number[], turn: number): Promise<void> {
  await page.evaluate(
    ({ buttons }) => {
      for (const { seat, button } of buttons) {
        window.bench.touchedMs[seat] = performance.now();
        document.querySelector<HTMLElement>(button)!.click();
      }
    },
    { buttons: seats.map((seat) => ({ seat, button: buttonOf(seat, turn) })) },
  );
}

/**
 * Milliseconds from touch to frame, of every seat that was lit and that has shown a change before
 * the limit.
 */
interface Answered {
  readonly lit: readonly number[];
  readonly shown: readonly number[];
}

async function answered(page: Page, seats: readonly number[]): Promise<Answered> {
  await page
    .waitForFunction((count) => Object.keys(window.bench.shownMs).length >= count, seats.length, {
      timeout: SHOWN_LIMIT_MS,
    })
    .catch(() => {});
  return page.evaluate((all) => {
    const { touchedMs, litMs, shownMs } = window.bench;
    window.bench = { touchedMs: {}, litMs: {}, shownMs: {} };
    const sinceTouch = (atMs: Record<number, number>): number[] =>
      all.flatMap((seat) =>
        touchedMs[seat] === undefined || atMs[seat] === undefined ? [] : [atMs[seat] - touchedMs[seat]],
      );
    return { lit: sinceTouch(litMs), shown: sinceTouch(shownMs) };
  }, seats);
}

export async function benchPainted(context: PartContext): Promise<object | null> {
  const what = 'touch to painted';
  const screen = await screenFor(context, what);
  if (!screen) return null;
  progress('painted: opening the window');
  const terminal = await startKiosk(context, screen);
  const hands = await TableHands.connect((role) => terminal.mint(role));
  await hands.makeReady();
  await hands.insertNotes();
  await hands.openBetting();
  hands.close();
  const page = await terminal.page();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: SEATS.length });
  await sleep(SETTLE_MS);
  await page.evaluate(observe);

  const [first] = SEATS;
  progress(`painted: ${SINGLES} touches of one seat`);
  const alone: number[] = [];
  const aloneLit: number[] = [];
  for (let turn = 0; turn < SINGLES; turn++) {
    await touch(page, cdp, [first], turn);
    const { lit, shown } = await answered(page, [first]);
    aloneLit.push(...lit);
    alone.push(...shown);
    await sleep(PAUSE_MS);
  }
  // The first real seven-finger touch decides how the others are made.
  await touch(page, cdp, SEATS, 0);
  const probe = (await answered(page, SEATS)).shown;
  const byTouch = probe.length === SEATS.length;
  if (!byTouch)
    context.cannot(
      `${what} with seven fingers down at the same time`,
      `${probe.length} of ${SEATS.length} touches arrived: the panels listen to "click", which the browser makes only of a finger that is alone on the glass; the figure below is of seven clicks dispatched in one task of the page`,
    );
  progress(`painted: ${BURSTS} bursts of seven by ${byTouch ? 'touch' : 'click'}`);
  const together: number[] = [];
  const togetherLit: number[] = [];
  const firstTurn = byTouch ? 1 : 0;
  for (let turn = firstTurn; turn < firstTurn + BURSTS; turn++) {
    if (byTouch) await touch(page, cdp, SEATS, turn);
    else await click(page, SEATS, turn);
    const { lit, shown } = await answered(page, SEATS);
    togetherLit.push(...lit);
    together.push(...shown);
    await sleep(PAUSE_MS);
  }
  return {
    goals: {
      sevenAtOnceP95Ms: atMost(quantile(together, 0.95), 50),
      ...(byTouch ? { sevenAtOnceLitP95Ms: atMost(quantile(togetherLit, 0.95), 50) } : {}),
    },
    sevenAtOnceMs: spread(together),
    ...(byTouch ? { sevenAtOnceLitMs: spread(togetherLit), oneAloneLitMs: spread(aloneLit) } : {}),
    sevenAtOnceBy: byTouch ? 'touches through the browser' : 'clicks dispatched in the page',
    oneAloneMs: spread(alone),
    notShown: BURSTS * SEATS.length - together.length + SINGLES - alone.length,
    window: '1920x1080, Chromium without a GPU on Xvfb',
  };
}
