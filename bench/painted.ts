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
 * How long a player's finger stays down. One that is lifted at once, as the browser's own, waits
 * for the frame of the light under it.
 */
const TAP_MS = 80;

/**
 * What the page keeps of one burst, by seat: when the finger came down, when it was lifted, and
 * when the light under it and the changed balance were on the glass.
 */
interface PageBench {
  touchedMs: Record<number, number>;
  liftedMs: Record<number, number>;
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
  window.bench = { touchedMs: {}, liftedMs: {}, litMs: {}, shownMs: {} };
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
  addEventListener(
    'pointerup',
    (event) => {
      window.bench.liftedMs[seatOf(event.target)] ??= event.timeStamp;
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
async function touch(
  page: Page,
  cdp: CDPSession,
  seats: readonly number[],
  turn: number,
  heldMs = 0,
): Promise<void> {
  const touchPoints = await page.evaluate(
    (buttons) =>
      buttons.map((button, id) => {
        const { x, y, width, height } = document.querySelector(button)!.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2, id };
      }),
    seats.map((seat) => buttonOf(seat, turn)),
  );
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  if (heldMs > 0) await sleep(heldMs);
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
 * Milliseconds to the frame, of every seat that was lit and that has shown a change before the
 * limit: `lit` and `shown` from the finger down, `sinceLifted` from the finger up.
 */
interface Answered {
  readonly lit: readonly number[];
  readonly shown: readonly number[];
  readonly sinceLifted: readonly number[];
}

async function answered(page: Page, seats: readonly number[]): Promise<Answered> {
  await page
    .waitForFunction((count) => Object.keys(window.bench.shownMs).length >= count, seats.length, {
      timeout: SHOWN_LIMIT_MS,
    })
    .catch(() => {});
  return page.evaluate((all) => {
    const { touchedMs, liftedMs, litMs, shownMs } = window.bench;
    window.bench = { touchedMs: {}, liftedMs: {}, litMs: {}, shownMs: {} };
    const between = (fromMs: Record<number, number>, toMs: Record<number, number>): number[] =>
      all.flatMap((seat) => {
        const [from, to] = [fromMs[seat], toMs[seat]];
        return from === undefined || to === undefined ? [] : [to - from];
      });
    return {
      lit: between(touchedMs, litMs),
      shown: between(touchedMs, shownMs),
      sinceLifted: between(liftedMs, shownMs),
    };
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

  let turn = 0;
  const all = async (seats: readonly number[], count: number, touchOnce: typeof touch, heldMs = 0) => {
    const bursts: Answered[] = [];
    for (let i = 0; i < count; i++) {
      await touchOnce(page, cdp, seats, turn++, heldMs);
      bursts.push(await answered(page, seats));
      await sleep(PAUSE_MS);
    }
    return {
      lit: bursts.flatMap(({ lit }) => lit),
      shown: bursts.flatMap(({ shown }) => shown),
      sinceLifted: bursts.flatMap(({ sinceLifted }) => sinceLifted),
    };
  };
  const [first] = SEATS;
  progress(`painted: ${SINGLES} touches of one seat`);
  const alone = await all([first], SINGLES, touch);
  // The first real seven-finger touch decides how the others are made.
  const probe = (await all(SEATS, 1, touch)).shown;
  const byTouch = probe.length === SEATS.length;
  if (!byTouch)
    context.cannot(
      `${what} with seven fingers down at the same time`,
      `${probe.length} of ${SEATS.length} touches arrived: the panels listen to "click", which the browser makes only of a finger that is alone on the glass; the figure below is of seven clicks dispatched in one task of the page`,
    );
  progress(`painted: ${BURSTS} bursts of seven by ${byTouch ? 'touch' : 'click'}, twice`);
  const together = await all(SEATS, BURSTS, byTouch ? touch : (on, _cdp, seats, no) => click(on, seats, no));
  const held = byTouch ? (await all(SEATS, BURSTS, touch, TAP_MS)).sinceLifted : null;
  const { lit, shown } = together;
  return {
    goals: {
      sevenAtOnceP95Ms: atMost(quantile(shown, 0.95), 60),
      ...(held
        ? {
            sevenLiftedP95Ms: atMost(quantile(held, 0.95), 45),
            sevenAtOnceLitP95Ms: atMost(quantile(lit, 0.95), 50),
          }
        : {}),
    },
    sevenAtOnceMs: spread(shown),
    ...(held
      ? { sevenLiftedMs: spread(held), sevenAtOnceLitMs: spread(lit), oneAloneLitMs: spread(alone.lit) }
      : {}),
    sevenAtOnceBy: byTouch ? 'touches through the browser' : 'clicks dispatched in the page',
    oneAloneMs: spread(alone.shown),
    notShown:
      BURSTS * SEATS.length * (held ? 2 : 1) -
      shown.length -
      (held?.length ?? 0) +
      SINGLES -
      alone.shown.length,
    window: '1920x1080, Chromium without a GPU on Xvfb',
  };
}
