/**
 * The pages of the rules in every seat, in Debian's Chromium against a host that shows chosen
 * views.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { minor } from '../../engine/core/money.ts';
import type { SeatView } from '../../wire/view.ts';
import { ruled } from '../fixtures/view-kit.ts';
import { VIEWS } from '../fixtures/views.ts';
import { SIZES } from '../support/chromium.ts';
import { text } from '../support/texts.ts';
import { LANGUAGE_ORDER, open, panel, sent, show, skip, turned } from './kit.ts';

const inRules = (language: SeatView['language'], key: string): string => text(language, key, {}, 'rules');

const drawer = (page: Page, seat: number): Locator => page.locator(`.panel[data-seat="${seat}"] .rules`);

const tab = (page: Page, seat: number): Locator => page.locator(`.panel[data-seat="${seat}"] .rules-tab`);

/** Opens the rules of a seat, goes through all sections and closes them; what each looks like. */
const readThrough = (page: Page, seat: number) =>
  page.locator(`.panel[data-seat="${seat}"]`).evaluate(async (frame) => {
    // What is measured needs a layout and no picture; laying out new words is what asks for their
    // slice of the font.
    const drawn = async (): Promise<void> => {
      await new Promise((done) => setTimeout(done, 0));
      frame.getBoundingClientRect();
      await document.fonts.ready;
    };
    const touch = async (selector: string, at = 0): Promise<void> => {
      [...frame.querySelectorAll<HTMLElement>(selector)].at(at)!.click();
      await drawn();
    };
    const words = (element: Element | null): string => (element?.textContent ?? '').replaceAll(/\s+/g, ' ');
    await touch('.rules-tab');
    // Their code and letters may still be on their way.
    while (frame.querySelector('.rules') === null) await new Promise((done) => setTimeout(done, 20));
    await drawn();
    const titles = [...frame.querySelectorAll('.rules-contents .button')].map(words);
    const found = [];
    for (const [at, title] of titles.entries()) {
      await touch('.rules-contents .button', at);
      const own = frame.querySelector('.rules')!.getBoundingClientRect();
      const { left, right, top } = frame.getBoundingClientRect();
      const all = [...frame.querySelectorAll<HTMLElement>('.rules *')];
      found.push({
        title,
        heading: words(frame.querySelector('.rules-title')),
        rows: frame.querySelectorAll('.rules-row').length,
        outside:
          own.left < left - 1 ||
          own.right > right + 1 ||
          own.bottom > top + 1 ||
          own.top < 0.25 * innerHeight,
        small: all
          .filter((each) => each.matches('.rules-text, .rules-value, small'))
          .filter((each) => Number.parseFloat(getComputedStyle(each).fontSize) < 0.0138 * innerHeight)
          .map(words),
        wide: all
          .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
          .map(words),
      });
      await touch('.rules-head .key');
    }
    await touch('.rules-head .key', -1);
    return found;
  });

test('the rules are two touches away from every seat in every state, in its own column and language', {
  skip,
}, async (t) => {
  const games = [
    ['macau-blackjack-2004', {}],
    ['macau-blackjack-2009', { sideBets: ['perfectPair', 'streak2', 'streak5'], min: 10_000 }],
    ['portugal-blackjack', {}],
    ['macau-baccarat', { lucky6: true }],
    ['macau-casino-war', {}],
  ] as const;
  for (const size of SIZES) {
    const opened = await open(t, ruled(VIEWS['idle-empty'], 'macau-blackjack-2009'), { size });
    const { page } = opened;
    let by = 0;
    for (const name of ['free-seat', 'betting', 'turn', 'settled', 'hold-recovery', 'hand-pay'] as const) {
      const [rulebook, options] = games[by % games.length]!;
      await show(opened, turned(ruled(VIEWS[name], rulebook, options), by++));
      assert.equal(await page.locator('.rules-tab').count(), 7, name);
      const seat = (by % 7) + 1;
      const sections = await readThrough(page, seat);
      assert.ok(sections.length >= 8, `${name}: ${JSON.stringify(sections)}`);
      for (const { title, heading, rows, ...bad } of sections) {
        assert.equal(heading, title, name);
        assert.ok(rows > 0, `${name} ${title}`);
        assert.deepEqual(bad, { outside: false, small: [], wide: [] }, `${name} ${title} at ${size.width}`);
      }
      assert.equal(await page.locator('.rules').count(), 0);
    }
    assert.deepEqual(opened.troubles, [], `at ${size.width}`);
  }
});

test('the rules make way when a decision falls due, and hide no control when they are opened during it', {
  skip,
}, async (t) => {
  const ready = ruled(VIEWS.dealing, 'macau-blackjack-2009');
  const opened = await open(t, ready);
  const { page } = opened;
  await tab(page, 3).click();
  await tab(page, 5).click();
  await show(opened, ruled(VIEWS.turn, 'macau-blackjack-2009'));
  await drawer(page, 3).waitFor({ state: 'detached' });
  assert.equal(await drawer(page, 5).count(), 1, 'a seat that decides nothing reads on');
  await tab(page, 3).click();
  await drawer(page, 3).waitFor();
  const language = VIEWS.turn.seats[2]!.language;
  await panel(page, 3, language)
    .getByRole('button', { name: text(language, 'act.hit') })
    .click();
  assert.equal((await sent(opened, 1))[0]?.type, 'decide');
});

test('the options of the page are those of the view, with the price that follows from them', {
  skip,
}, async (t) => {
  const opened = await open(t, ruled(VIEWS['idle-empty'], 'macau-baccarat'));
  const { page } = opened;
  await tab(page, 1).click();
  await page.getByRole('button', { name: inRules('zh-Hant', 'section.payoffs') }).click();
  await drawer(page, 1).getByText('1 賠 1，減佣金 5%').waitFor();
  await show(
    opened,
    ruled(VIEWS['idle-empty'], 'macau-baccarat', { commission: 'none-banker-six-half', decks: 6 }),
  );
  await drawer(page, 1).getByText(inRules('zh-Hant', 'pay.bankerSix')).waitFor();
  await page.getByRole('button', { name: inRules('zh-Hant', 'label.contents') }).click();
  await page.getByRole('button', { name: inRules('zh-Hant', 'section.options') }).click();
  const first = await drawer(page, 1).locator('.rules-row').first().innerText();
  assert.match(first, /紙牌副數\s+6\s+場方選定（預設：8）\s+第一條/);
});

test('two fingers move two pages of rules at once', { skip }, async (t) => {
  const opened = await open(t, ruled(VIEWS['idle-empty'], 'portugal-blackjack'));
  const { page } = opened;
  for (const seat of [2, 6]) {
    await tab(page, seat).click();
    await drawer(page, seat).locator('.rules-contents .button').nth(4).click();
  }
  const cdp = await page.context().newCDPSession(page);
  const boxes = await page
    .locator('.rules-page')
    .evaluateAll((pages) => pages.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
  const points = (dy: number) =>
    boxes.map(({ x, y, width, height }, id) => ({ x: x + width / 2, y: y + height * 0.8 + dy, id }));
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
  for (const dy of [-40, -80, -120])
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(dy) });
  // A page scrolls in the frame after the touch.
  await page.waitForFunction(
    () => [...document.querySelectorAll('.rules-page')].every((each) => each.scrollTop === 120),
    undefined,
    { timeout: 600_000 },
  );
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
});

test('K4, B11: help and the lawful default are read at idle, in the rules and in the session page, in each language', {
  skip,
}, async (t) => {
  const said = (of: string) => ({ 'zh-Hant': `${of} 一`, pt: `${of} dois`, en: `${of} three` });
  const help = { line: said('line'), exclusion: said('exclusion') };
  const idle = ruled(VIEWS['idle-empty'], 'macau-blackjack-2009');
  const seats = idle.seats.map((each) => ({
    ...each,
    language: LANGUAGE_ORDER[each.seat % 3]!,
    ...(each.seat > 3 ? { free: false, creditMinor: minor(10_000) } : {}),
  }));
  const view = { ...idle, help, seats };
  const { page } = await open(t, view);
  for (const seat of [1, 2, 3, 4, 5, 6]) {
    const language = LANGUAGE_ORDER[seat % 3]!;
    const own = panel(page, seat, language);
    if (seat <= 3) await own.locator('.help-line', { hasText: help.line[language] }).waitFor();
    // Before anybody bets they know what becomes of them if they are silent.
    else await own.locator('.by-default', { hasText: text(language, 'default.stand') }).waitFor();
    await own.getByRole('button', { name: text(language, 'seat.rules') }).click();
    for (const sentence of [help.line[language], help.exclusion[language]])
      await own.locator('.rules').getByText(sentence).waitFor();
    await own.locator('.rules').getByText(text(language, 'default.stand')).waitFor();
    await own.locator('.rules .key-close').last().click();
    await own.getByRole('button', { name: text(language, 'settings.title') }).click();
    await own.getByRole('button', { name: text(language, 'settings.session') }).click();
    await own.locator('.settings').getByText(help.exclusion[language]).waitFor();
  }
});
