/**
 * The displays as a whole in Debian's Chromium, against a host that shows chosen views: every state
 * in every size and language, and what no page may do.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VIEWS } from '../fixtures/views.ts';
import { problems, SIZES } from '../support/chromium.ts';
import { fullOr } from '../support/long.ts';
import { smallLetters } from '../support/small-letters.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import { bi, type Opened, open, panel, sent, show, skip, turned, withSeat } from './kit.ts';

test('no text is cut, small or out of its place, in every state and size, each seat in another language', {
  skip,
}, async (t) => {
  for (const [nth, size] of SIZES.slice(0, fullOr(Infinity, 2)).entries()) {
    const opened = await open(t, VIEWS['idle-empty'], { size });
    for (const [index, [name, view]] of Object.entries(VIEWS).entries()) {
      // With every size the next of the three turns; all of them on the smallest, where room is
      // least; `npm test` has the first two sizes.
      for (const by of nth === 0 ? [0, 1, 2].slice(-fullOr(3, 1)) : [(nth + index) % 3]) {
        await show(opened, turned(view, by));
        const found = [...(await problems(opened.page)), ...(await smallLetters(opened.page))];
        assert.deepEqual(found, [], `${name} + ${by} at ${size.width}`);
      }
    }
    assert.deepEqual(opened.troubles, [], `at ${size.width}`);
  }
});

test('at 1080 lines no text is smaller than 15 px and no decision lower than 46 px', { skip }, async (t) => {
  const opened = await open(t, VIEWS.turn);
  const views = [
    VIEWS.turn,
    VIEWS.betting,
    VIEWS.settled,
    VIEWS.offers,
    VIEWS['hand-pay'],
    VIEWS['2009-betting'],
    VIEWS['baccarat6-betting'],
    VIEWS['baccarat-settled'],
    VIEWS['war-choice'],
  ];
  for (const view of views) {
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

/** A touch is answered within this, or people touch again. */
const AT_ONCE_MS = 100;

test('J3: a touch on a language is the panel in that language within 100 ms, without a reload, and the other seats stand as they stood', {
  skip,
}, async (t) => {
  const opened: Opened = await open(t, VIEWS.turn, {
    reply: (command) => {
      if (command.type === 'set-language')
        void opened.host.show(withSeat(VIEWS.turn, 1, { language: command.language }));
      return { status: 'done', seq: 1 };
    },
  });
  const { page } = opened;
  await page.evaluate(() => {
    const notes = { took: [] as number[], others: [] as string[] };
    Object.assign(window, { notes });
    let touchedAt = 0;
    addEventListener('click', () => (touchedAt = performance.now()), true);
    new MutationObserver(() => notes.took.push(performance.now() - touchedAt)).observe(
      document.querySelector('.panel[data-seat="1"]')!,
      { attributes: true, attributeFilter: ['lang'] },
    );
    for (const other of document.querySelectorAll('.panel:not([data-seat="1"])'))
      new MutationObserver(() => notes.others.push(other.textContent ?? '')).observe(other, {
        attributes: true,
        attributeFilter: ['lang'],
        subtree: true,
      });
  });
  type Notes = { took: number[]; others: string[] };
  const notes = () => page.evaluate(() => (window as unknown as { notes?: Notes }).notes ?? null);
  let turns = 0;
  // On a busy machine one touch waits for others: it is at once where one of them was.
  await until(
    'a language at once',
    async () => {
      const language = turns % 2 === 0 ? 'pt' : 'zh-Hant';
      const before = (await notes())?.took.length;
      await page.locator(`.panel[data-seat="1"] .language[lang="${language}"]`).click();
      turns += 1;
      await until('the panel', async () => (await notes())?.took.length !== before);
      return Math.min(...((await notes())?.took ?? [])) <= AT_ONCE_MS;
    },
    { said: () => `${turns} touches` },
  );
  const found = await notes();
  assert.ok(found !== null, 'the page is the same one');
  assert.deepEqual(found.others, [], 'no other seat has changed');
});

test('seven fingers at once are seven touches with a light under each, and one finger is one', {
  skip,
}, async (t) => {
  const base = VIEWS.betting;
  const opened = await open(t, base);
  const { page } = opened;
  const cdp = await page.context().newCDPSession(page);
  const chips = page.locator('.chip-button:first-child:not([aria-disabled="true"])');
  await chips.first().waitFor();
  // The panels rise first.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  const touchPoints = await chips.evaluateAll((buttons) =>
    buttons.map((button, id) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2, id };
    }),
  );
  assert.ok(touchPoints.length >= 3, `${touchPoints.length} seats may bet`);
  const lit = (): Promise<{ x: number; y: number }[]> =>
    page.locator('.touch-light').evaluateAll((lights) =>
      lights
        .map((light) => {
          const { x, y, width, height } = light.getBoundingClientRect();
          return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
        })
        .filter(({ x, y }) => x > 0 && y > 0),
    );
  assert.deepEqual(await lit(), []);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const lights = await lit();
  assert.equal(lights.length, touchPoints.length);
  for (const { x, y } of touchPoints)
    assert.ok(
      lights.some((light) => Math.abs(light.x - x) <= 1 && Math.abs(light.y - y) <= 1),
      `no light at ${x}, ${y}: ${JSON.stringify(lights)}`,
    );
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const bets = await sent(opened, touchPoints.length);
  assert.equal(new Set(bets.map((command) => 'seat' in command && command.seat)).size, touchPoints.length);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touchPoints.slice(0, 1) });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForTimeout(500);
  assert.equal((await sent(opened, touchPoints.length + 1)).length, touchPoints.length + 1);
  assert.deepEqual(await lit(), [], 'no finger, no light');
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

test('the first painted frame is reported once, with the way it was drawn', { skip }, async (t) => {
  const opened = await open(t, VIEWS.turn, { felt: true });
  await until('the felt is painted', () => opened.host.painted.length > 0);
  assert.equal(opened.host.painted.length, 1);
  assert.match(opened.host.painted[0]!.renderer, /^(canvas|webgl)$/);
  assert.equal(opened.host.painted[0]!.width, 1920);
});

test('the operator page says it is a simulation and exists only with simulated devices', {
  skip,
}, async (t) => {
  const demo = { autoDealer: false, autoPlayers: false };
  const opened = await open(t, VIEWS.betting);
  const { page } = opened;
  const opener = page.getByRole('button', { name: bi('sim.title') });
  assert.equal(await opener.count(), 0);
  const mark = page.locator('.sim-mark', { hasText: text('pt', 'sim.title') });
  assert.equal(await mark.count(), 0);
  // Simulators where real devices may hang: the mark, and nobody's hands on them.
  await show(opened, { ...VIEWS.betting, simulation: true });
  await mark.waitFor();
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
