/**
 * The panels, the dealer's edge and service mode in Debian's Chromium, against a host that shows chosen views: what a
 * person sees and can touch, found by role and name in the language of the seat.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { build } from 'vite';
import { cardOf } from '../../engine/core/cards.ts';
import { minor } from '../../engine/core/money.ts';
import type { Command, DisplayRole, SeatView, TableView } from '../../host/api.ts';
import { type FakeHost, type FakeHostOptions, startFakeHost } from '../fixtures/fake-host.ts';
import { VIEWS } from '../fixtures/views.ts';
import { text } from '../support/texts.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : 'no chromium on this machine';
const FULL_HD = { width: 1920, height: 1080 };
const SIZES = [{ width: 1366, height: 768 }, FULL_HD, { width: 3840, height: 2160 }] as const;

let root = '';
let browser: Browser;

before(
  async () => {
    if (skip !== false) return;
    root = mkdtempSync(join(tmpdir(), 'banca-panels-'));
    await build({
      configFile: join(import.meta.dirname, '../../renderer/vite.config.ts'),
      logLevel: 'error',
      build: { outDir: root },
    });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  },
  { timeout: 120_000 },
);
after(async () => {
  await browser?.close();
  if (root !== '') rmSync(root, { recursive: true, force: true });
});

interface Opened {
  readonly host: FakeHost;
  readonly page: Page;
  /** Errors, warnings and refusals of the content policy, in the order they came. */
  readonly troubles: string[];
}

/** Opens the display; it is closed when the test ends, however it ends. */
async function open(
  t: TestContext,
  view: TableView,
  options: Partial<Omit<FakeHostOptions, 'root' | 'view'>> & {
    role?: DisplayRole;
    size?: typeof FULL_HD;
    /** With the drawn table; without it the panels stand on plain felt, which is quicker. */
    felt?: boolean;
  } = {},
): Promise<Opened> {
  const { role = 'table', size = FULL_HD, felt = false, ...rest } = options;
  const host = await startFakeHost({ root, role, view, ...rest });
  t.after(() => host.close());
  const page = await browser.newPage({ viewport: size });
  t.after(() => page.close());
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  if (!felt)
    await page.route('**/table.scene-*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'export const createTable = () => new Promise(() => {});',
      }),
    );
  await page.goto(host.url);
  await page.locator('.screen').waitFor();
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  return {
    host,
    page,
    troubles,
  };
}

const LANGUAGE_ORDER = ['zh-Hant', 'pt', 'en'] as const;

/** The same view with the seats' languages moved on by `by`, so that every state is seen in every language. */
const turned = (view: TableView, by: number): TableView => ({
  ...view,
  seats: view.seats.map((seat) => ({
    ...seat,
    language: LANGUAGE_ORDER[(seat.seat + by) % 3] ?? 'zh-Hant',
  })),
});

const withSeat = (view: TableView, number: number, over: Partial<SeatView>): TableView => ({
  ...view,
  seats: view.seats.map((seat) => (seat.seat === number ? { ...seat, ...over } : seat)),
});

const panel = (page: Page, seat: number, language: SeatView['language'] = 'zh-Hant'): Locator =>
  page.getByRole('region', { name: text(language, 'seat.name', { seat }), exact: true });

/** Waits until the page has shown that seat's language and phase; views are drawn in the frame after they came. */
async function show(opened: Opened, view: TableView): Promise<void> {
  opened.host.show(view);
  await opened.page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** The first `count` commands the host got; waits for them, a touch and its command are not one moment. */
async function sent(opened: Opened, count: number): Promise<readonly Command[]> {
  for (const end = performance.now() + 10_000; opened.host.commands.length < count; ) {
    if (performance.now() > end) throw new Error(`only ${JSON.stringify(opened.host.commands)}`);
    await opened.page.waitForTimeout(20);
  }
  return opened.host.commands.slice();
}

/** What sticks out of its box or is cut; a line's own ascent and descent may stand out by a few pixels. */
const problems = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const inside = '.panel, .strip, .dealer-popover > *, .operator-drawer > *, .alert';
    for (const frame of document.querySelectorAll(inside)) {
      const outer = frame.getBoundingClientRect();
      for (const element of [frame, ...frame.querySelectorAll('*')]) {
        if (!(element instanceof HTMLElement) || element.clientWidth === 0) continue;
        if (getComputedStyle(element).visibility === 'hidden') continue;
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

test('no text is cut and nothing sticks out, in every state, language and size', { skip }, async (t) => {
  for (const size of SIZES) {
    const opened = await open(t, VIEWS['idle-empty'], { size });
    for (const [name, view] of Object.entries(VIEWS)) {
      for (const by of [0, 1, 2]) {
        await show(opened, turned(view, by));
        assert.deepEqual(await problems(opened.page), [], `${name} + ${by} at ${size.width}`);
      }
    }
    assert.deepEqual(opened.troubles, [], `at ${size.width}`);
  }
});

test('at 1080 lines no text is smaller than 15 px and no decision lower than 46 px', { skip }, async (t) => {
  const opened = await open(t, VIEWS.turn);
  for (const view of [VIEWS.turn, VIEWS.betting, VIEWS.settled, VIEWS.offers, VIEWS['hand-pay']]) {
    await show(opened, view);
    const [small, low] = await opened.page.evaluate(() => {
      const texts = [...document.querySelectorAll('.table-layer *')].filter(
        (element) =>
          !element.closest('svg') &&
          [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== ''),
      );
      return [
        texts
          .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 14.99)
          .map((element) => element.textContent),
        [...document.querySelectorAll('.decision')]
          .map((element) => element.getBoundingClientRect().height)
          .filter((height) => height < 45.5),
      ];
    });
    assert.deepEqual(small, []);
    assert.deepEqual(low, []);
  }
});

test('one touch on a chip lays it; a chip above the limit says why and sends nothing', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.betting);
  const seat = panel(opened.page, 1);
  await seat.getByRole('button', { name: text('zh-Hant', 'bet.chip', { amount: '500.00' }) }).click();
  const [first] = await sent(opened, 1);
  assert.equal(first?.type, 'place-bet');
  assert.deepEqual(
    { ...first, touchedAtMs: 0 },
    {
      type: 'place-bet',
      roundId: 'round-128',
      seat: 1,
      bet: 'main',
      amountMinor: 50_000,
      touchedAtMs: 0,
    },
  );
  const five = panel(opened.page, 5, 'en');
  await five
    .getByRole('button', { name: text('en', 'bet.chip', { amount: '1,000.00' }) })
    .click({ force: true });
  await five.getByText(text('en', 'reject.no-credit')).waitFor();
  assert.equal(opened.host.commands.length, 1);
});

test('a lawful decision is sent; a closed one names its article and rule in the language of the seat', {
  skip,
}, async (t) => {
  const opened = await open(t, turned(VIEWS['split-four'], 1));
  const language = LANGUAGE_ORDER[(3 + 1) % 3]!;
  const seat = panel(opened.page, 3, language);
  await seat.getByRole('button', { name: text(language, 'act.surrender') }).click({ force: true });
  const said = await seat.getByRole('status').last().innerText();
  assert.equal(said, `Artigo 18.º, n.º 1: ${text('pt', 'closed.surrender')}`);
  assert.deepEqual(opened.host.commands, []);
  await seat.getByRole('button', { name: text(language, 'act.stand') }).click();
  await opened.page.locator('.panel-notice-on').waitFor({ state: 'hidden' });
  const [stood] = (await sent(opened, 1)) as Extract<Command, { type: 'decide' }>[];
  assert.deepEqual([stood?.act, stood?.hand, stood?.seat, stood?.roundId], ['stand', 1, 3, 'round-128']);
});

test('art. 12.1 insurance is touched with its amount', { skip }, async (t) => {
  const opened = await open(t, VIEWS.offers);
  await panel(opened.page, 1).getByRole('button', { name: '¾' }).click();
  await panel(opened.page, 1)
    .getByRole('button', { name: text('zh-Hant', 'act.declineInsurance') })
    .click();
  const answers = (await sent(opened, 2)) as Extract<Command, { type: 'decide' }>[];
  assert.deepEqual(
    answers.map((command) => [command.act, command.amountMinor]),
    [
      ['insure', 22_500],
      ['declineInsurance', undefined],
    ],
  );
});

test('what the host refuses is said on the panel that asked, and on no other', { skip }, async (t) => {
  const opened = await open(t, VIEWS['free-seat'], {
    reply: () => ({ status: 'rejected', code: 'held', cites: [], detail: null }),
  });
  const three = panel(opened.page, 3, 'pt');
  await three.getByRole('button', { name: text('pt', 'cashOut.button') }).click();
  await three.getByText(text('pt', 'reject.held')).waitFor();
  assert.equal(await opened.page.locator('.panel-notice-on').count(), 1);
});

test('each seat switches its own language, at once when the host has it', { skip }, async (t) => {
  const opened = await open(t, VIEWS.turn);
  await panel(opened.page, 1)
    .getByRole('button', { name: text('zh-Hant', 'language.pt') })
    .click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'set-language', seat: 1, language: 'pt' }]);
  await show(opened, withSeat(VIEWS.turn, 1, { language: 'pt' }));
  await panel(opened.page, 1, 'pt').getByText(text('pt', 'hand.stood')).waitFor();
  assert.equal(await panel(opened.page, 1, 'pt').getAttribute('lang'), 'pt');
  assert.equal(await panel(opened.page, 2).getAttribute('lang'), 'zh-Hant');
});

test('a result shows arithmetic and article per line, and pages where there are many', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.settled);
  await panel(opened.page, 2).getByText('1,500.00 × 3/2 = +2,250.00').waitFor();
  await panel(opened.page, 2).getByText('第十條第二款').waitFor();
  await panel(opened.page, 7, 'pt').getByText('50,00 × 1/2 = −25,00').waitFor();
  const line = VIEWS.settled.seats[0]!.result!.lines[0]!;
  const lines = [0, 1, 2, 3, 4].map((hand) => ({ ...line, hand, netMinor: minor(30_000 * (hand + 1)) }));
  await show(opened, withSeat(VIEWS.settled, 1, { result: { netMinor: minor(450_000), lines } }));
  const next = panel(opened.page, 1).getByRole('button', {
    name: text('zh-Hant', 'result.more', { page: 1, pages: 3 }),
  });
  await next.click();
  await panel(opened.page, 1)
    .getByRole('button', { name: text('zh-Hant', 'result.more', { page: 2, pages: 3 }) })
    .waitFor();
  assert.equal(await panel(opened.page, 1).getByRole('listitem').count(), 2);
});

test('an attendant pays by PIN; above the limit a second person is asked for', { skip }, async (t) => {
  const opened = await open(t, VIEWS['hand-pay']);
  const seat = panel(opened.page, 4, 'en');
  const type = async (pin: string): Promise<void> => {
    const pad = seat.getByRole('dialog');
    for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
    await pad.getByRole('button', { name: text('en', 'pin.ok') }).click();
  };
  await seat.getByRole('button', { name: text('en', 'cashOut.pay') }).click();
  await type('1234');
  const request = { seat: 4, requestId: 'pay-9' };
  assert.deepEqual(await sent(opened, 1), [{ type: 'confirm-hand-pay', ...request, pin: '1234' }]);
  const cashOut = { ...VIEWS['hand-pay'].seats[3]!.cashOut!, twoPersons: true };
  await show(opened, withSeat(VIEWS['hand-pay'], 4, { cashOut }));
  await seat.getByRole('button', { name: text('en', 'cashOut.pay') }).click();
  await type('1234');
  await seat.getByRole('dialog', { name: text('en', 'cashOut.secondPin') }).waitFor();
  await type('5678');
  assert.deepEqual((await sent(opened, 2))[1], {
    type: 'confirm-hand-pay',
    ...request,
    pin: '1234',
    secondPin: '5678',
  });
  await seat.getByRole('button', { name: text('en', 'cashOut.cancel') }).click();
  assert.deepEqual((await sent(opened, 3))[2], { type: 'cancel-cash-out', ...request });
});

const bi = (key: string): string => `${text('zh-Hant', key)} ${text('pt', key)}`;

test('the dealer has one next step in two languages and one button for it', { skip }, async (t) => {
  const opened = await open(t, VIEWS.betting);
  const { page } = opened;
  await page.getByText(text('zh-Hant', 'step.close-betting')).waitFor();
  await page.getByText(text('pt', 'step.close-betting')).waitFor();
  await page.getByRole('button', { name: bi('confirm.close-betting') }).click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'close-betting' }]);
  await show(opened, VIEWS.dealing);
  assert.equal(await page.locator('.button-confirm').count(), 0, 'a card is drawn, not confirmed');
});

test('the seconds of a deadline stand in the strip also when there was none before', { skip }, async (t) => {
  const opened = await open(t, VIEWS.dealing);
  assert.equal(await opened.page.locator('.strip-seconds').count(), 0);
  await show(opened, VIEWS.turn);
  const seconds = Number(await opened.page.locator('.strip-seconds').innerText());
  assert.ok(seconds > 5 && seconds <= 18, String(seconds));
  await opened.page
    .locator('.strip-seconds')
    .getByText(String(seconds - 2), { exact: true })
    .waitFor();
  await show(opened, VIEWS.dealing);
  assert.equal(await opened.page.locator('.strip-seconds').count(), 0);
});

test('a round is voided with a reason and a PIN, and the dialog covers no card, bet or panel', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS['hold-unexpected-card']);
  const { page } = opened;
  await page.getByRole('button', { name: bi('dealer.others') }).click();
  await page.getByRole('dialog').getByText('第五條第一款（二）項').first().waitFor();
  const box = await page.locator('.dealer-popover').boundingBox();
  const strip = await page.locator('.strip').boundingBox();
  assert.ok(box && strip && box.y >= strip.y + strip.height, 'below the strip');
  // Between the discard tray (ends at 308), the bank's place (from 844 on) and the insurance band (from 331 on).
  assert.ok(box.x >= 308 && box.x + box.width <= 758 && box.y + box.height <= 333, JSON.stringify(box));
  await page.getByRole('button', { name: new RegExp(text('pt', 'option.void-round')) }).click();
  await page.getByRole('button', { name: bi('voidReason.card-exposed') }).click();
  await page.keyboard.type('90210');
  await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'void-round', reason: 'card-exposed', pin: '90210' }]);
});

test('seven fingers at once are seven touches, and one finger is one', { skip }, async (t) => {
  const base = VIEWS.betting;
  const opened = await open(t, base);
  const { page } = opened;
  const cdp = await page.context().newCDPSession(page);
  const chips = page.locator('.chip-button:first-child:not([aria-disabled="true"])');
  await chips.first().waitFor();
  const touchPoints = await chips.evaluateAll((buttons) =>
    buttons.map((button, id) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2, id };
    }),
  );
  assert.ok(touchPoints.length >= 3, `${touchPoints.length} seats may bet`);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const bets = await sent(opened, touchPoints.length);
  assert.equal(new Set(bets.map((command) => 'seat' in command && command.seat)).size, touchPoints.length);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touchPoints.slice(0, 1) });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForTimeout(500);
  assert.equal((await sent(opened, touchPoints.length + 1)).length, touchPoints.length + 1);
});

test('a card that was read wrongly is named by the dealer and confirmed by the supervisor', {
  skip,
}, async (t) => {
  const read = cardOf(1, 12);
  const base = VIEWS['hold-unexpected-card'];
  const hold = {
    code: 'doubtful-card',
    sinceMs: base.nowMs,
    card: read,
    drawNo: null,
    detail: null,
  } as const;
  const step = { step: 'confirm-card', card: read, cites: ['art.5.1.1'] } as const;
  const opened = await open(t, { ...base, hold, dealer: { ...base.dealer, step } });
  const { page } = opened;
  await page.locator('.strip .button-confirm').click();
  await page.getByRole('button', { name: '5', exact: true }).click();
  await page.locator('.pick-ok').click();
  await page.keyboard.type('3333');
  await page.getByRole('button', { name: text('zh-Hant', 'pin.ok') }).click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'confirm-card', card: cardOf(1, 4), pin: '3333' }]);
});

test('a display without its host shows the veil and takes no touch; the host back, it goes on', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.betting);
  const { page, host } = opened;
  host.goAway();
  await page.getByText(text('zh-Hant', 'veil.safe')).waitFor();
  assert.equal(await page.locator('.screen').evaluate((element) => (element as HTMLElement).inert), true);
  host.comeBack();
  await page.locator('.veil').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.screen').evaluate((element) => (element as HTMLElement).inert), false);
});

test('the first painted frame is told once, with the way it was drawn', { skip }, async (t) => {
  const opened = await open(t, VIEWS.turn, { felt: true });
  const end = performance.now() + 15_000;
  while (opened.host.painted.length === 0 && performance.now() < end) await opened.page.waitForTimeout(50);
  assert.equal(opened.host.painted.length, 1);
  assert.match(opened.host.painted[0]!.renderer, /^(canvas|webgl)$/);
  assert.equal(opened.host.painted[0]!.width, 1920);
});

test('service mode covers the table, is worked by keys, and leaves it as it was', { skip }, async (t) => {
  const opened = await open(t, VIEWS.service, {
    data: ({ query }) =>
      query === 'meters'
        ? { atMs: VIEWS.service.nowMs, meters: [{ code: 'coin-in', unit: 'money', value: 123_450 }] }
        : { devices: [] },
  });
  const { page } = opened;
  await page.getByText('Lei Ka Wai').waitFor();
  assert.equal(
    await page.locator('.table-layer').evaluate((element) => (element as HTMLElement).inert),
    true,
  );
  const meters = page.getByRole('button', { name: '計數器' });
  for (let i = 0; i < 20 && !(await meters.evaluate((element) => element === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: '1,234.50' }).waitFor();
  await page.getByRole('button', { name: '返回牌桌' }).click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'exit-service' }]);
  await show(opened, VIEWS.turn);
  assert.equal(await page.locator('.service').count(), 0);
  await panel(page, 3, 'pt')
    .getByRole('button', { name: text('pt', 'act.hit') })
    .waitFor();
});

test('the operator page says it is a simulation and exists only with simulated devices', {
  skip,
}, async (t) => {
  const demo = { autoDealer: false, autoPlayers: false };
  const opened = await open(t, VIEWS.betting);
  const { page } = opened;
  const opener = page.getByRole('button', { name: bi('sim.title') });
  assert.equal(await opener.count(), 0);
  await show(opened, { ...VIEWS.betting, demo });
  await opener.click();
  await page.keyboard.press('3');
  await page.keyboard.press('w');
  await page.keyboard.press('d');
  await page.getByRole('switch', { name: new RegExp(text('pt', 'sim.autoDealer')) }).click();
  assert.deepEqual(await sent(opened, 3), [
    { type: 'sim-insert-note', acceptor: 3, valueMinor: 50_000 },
    { type: 'sim-draw-card' },
    { type: 'sim-auto', dealer: true, players: false },
  ]);
});

test('the page cannot be left, zoomed, dragged or selected', { skip }, async (t) => {
  const opened = await open(t, VIEWS.turn);
  const kept = await opened.page.evaluate(() => {
    const prevented = (event: Event): boolean => !document.body.dispatchEvent(event);
    const key = (init: KeyboardEventInit): boolean =>
      prevented(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    const cancelable = { bubbles: true, cancelable: true };
    return [
      prevented(new MouseEvent('contextmenu', cancelable)),
      prevented(new Event('dragstart', cancelable)),
      prevented(new Event('selectstart', cancelable)),
      prevented(new WheelEvent('wheel', { ...cancelable, ctrlKey: true })),
      key({ key: 'r', ctrlKey: true }),
      key({ key: 'F5' }),
      !key({ key: '1' }),
    ];
  });
  assert.deepEqual(kept, Array(kept.length).fill(true));
});

test('every other role shows itself without an error', { skip }, async (t) => {
  const view = { ...VIEWS.turn, demo: { autoDealer: false, autoPlayers: false } };
  for (const [role, control] of [
    ['seat:3', text('pt', 'act.hit')],
    ['dealer', bi('dealer.others')],
    ['service', text('zh-Hant', 'pin.ok')],
    ['operator', text('pt', 'sim.drawCard')],
  ] as const) {
    const opened = await open(t, view, { role, felt: true });
    await opened.page.getByRole('button', { name: control }).first().waitFor();
    assert.deepEqual(opened.troubles, [], role);
  }
});
