/**
 * The pages of the rules in every seat, in Debian's Chromium against a host that shows chosen
 * views.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { minor } from '../../engine/core/money.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { lawOf } from '../../renderer/rules/law.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { ruled } from '../fixtures/view-kit.ts';
import { VIEWS } from '../fixtures/views.ts';
import { SIZES } from '../support/chromium.ts';
import { fullOr } from '../support/long.ts';
import { text } from '../support/texts.ts';
import { LANGUAGE_ORDER, open, panel, sent, show, skip, turned } from './kit.ts';

/** What a table of the demonstration says, and as long as it says it. */
const DEMO = join(import.meta.dirname, '../../host/profiles/demo.json');

const inRules = (language: SeatView['language'], key: string): string => text(language, key, {}, 'rules');

const drawer = (page: Page, seat: number): Locator => page.locator(`.panel[data-seat="${seat}"] .rules`);

const tab = (page: Page, seat: number): Locator => page.locator(`.panel[data-seat="${seat}"] .rules-tab`);

/** What one touch on the tab of a seat has opened, and where the contents then lead. */
const readThrough = (page: Page, seat: number) =>
  page.locator(`.panel[data-seat="${seat}"]`).evaluate(async (frame) => {
    // What is measured needs a layout and no picture; laying out new words is what asks for their
    // slice of the font.
    const drawn = async (): Promise<void> => {
      await new Promise((done) => setTimeout(done, 0));
      frame.getBoundingClientRect();
      await document.fonts.ready;
    };
    const words = (element: Element | null): string => (element?.textContent ?? '').replaceAll(/\s+/g, ' ');
    frame.querySelector<HTMLElement>('.rules-tab')!.click();
    // Their code and letters may still be on their way.
    while (frame.querySelector('.rules') === null) await new Promise((done) => setTimeout(done, 20));
    await drawn();
    const rules = frame.querySelector<HTMLElement>('.rules')!;
    const sheet = rules.querySelector<HTMLElement>('.rules-page')!;
    const rowsOf = (heading: Element): number =>
      heading.nextElementSibling!.querySelectorAll('.rules-row, section').length;
    const headings = [...sheet.querySelectorAll('.rules-heading')];
    const seen = sheet.getBoundingClientRect();
    const first = headings[0]!.getBoundingClientRect();
    const all = [...rules.querySelectorAll<HTMLElement>('*')];
    const own = rules.getBoundingClientRect();
    const { left, right, top } = frame.getBoundingClientRect();
    const found = {
      title: words(rules.querySelector('.rules-title')),
      sections: headings.map((heading) => ({ title: words(heading), rows: rowsOf(heading) })),
      law: [...sheet.querySelectorAll('.rules-law p')].map((each) => each.textContent ?? ''),
      pricesInSight: first.top >= seen.top && first.bottom <= seen.bottom,
      outside:
        own.left < left - 1 || own.right > right + 1 || own.bottom > top + 1 || own.top < 0.25 * innerHeight,
      small: all
        .filter((each) => each.matches('.rules-text, .rules-value, small'))
        .filter((each) => Number.parseFloat(getComputedStyle(each).fontSize) < 0.0138 * innerHeight)
        .map(words),
      wide: all.filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1).map(words),
      /** Parts that their name in the contents does not bring into sight. */
      astray: [] as string[],
    };
    const entries = [...sheet.querySelectorAll<HTMLElement>('.rules-contents .button:not(.rules-edges)')];
    for (const entry of entries) {
      rules.querySelector<HTMLElement>('.rules-head .key')!.click();
      entry.click();
      const box = headings.find((heading) => words(heading) === words(entry))?.getBoundingClientRect();
      if (!box || box.top < seen.top - 1 || box.bottom > seen.bottom + 1) found.astray.push(words(entry));
    }
    rules.querySelectorAll<HTMLElement>('.rules-head .key')[1]!.click();
    await drawn();
    return found;
  });

test('all rules, the prices first, are one touch away from every seat in every state, in its own column and language, with the regulation to the last letter', {
  skip,
}, async (t) => {
  const games = [
    ['macau-blackjack-2004', {}],
    ['macau-blackjack-2009', { sideBets: ['perfectPair', 'streak2', 'streak5'], min: 10_000 }],
    ['portugal-blackjack', {}],
    ['macau-baccarat', { lucky6: true }],
    ['macau-casino-war', {}],
  ] as const;
  const shownLaws = new Map<RulebookId, readonly string[]>();
  for (const size of SIZES.slice(0, fullOr(Infinity, 1))) {
    const opened = await open(t, ruled(VIEWS['idle-empty'], 'macau-blackjack-2009'), { size });
    const { page } = opened;
    let by = 0;
    const states = ['free-seat', 'betting', 'turn', 'settled', 'hold-recovery', 'hand-pay'] as const;
    for (const name of states) {
      const [rulebook, options] = games[by % games.length]!;
      await show(opened, turned(ruled(VIEWS[name], rulebook, options), by++));
      assert.equal(await page.locator('.rules-tab').count(), 7, name);
      const seat = (by % 7) + 1;
      const { title, sections, law, pricesInSight, ...bad } = await readThrough(page, seat);
      assert.notEqual(title, '', name);
      assert.ok(sections.length >= 8, `${name}: ${JSON.stringify(sections)}`);
      for (const section of sections) assert.ok(section.rows > 0, `${name} ${section.title}`);
      assert.ok(pricesInSight, `${name} at ${size.width}: ${sections[0]!.title}`);
      const payoffs = LANGUAGE_ORDER.map((language) => inRules(language, 'section.payoffs'));
      assert.ok(payoffs.includes(sections[0]!.title), `${name}: ${sections[0]!.title}`);
      const none = { outside: false, small: [], wide: [], astray: [] };
      assert.deepEqual(bad, none, `${name} at ${size.width}`);
      shownLaws.set(rulebook, law);
      assert.equal(await page.locator('.rules').count(), 0);
    }
    assert.deepEqual(opened.troubles, [], `at ${size.width}`);
  }
  // J4: what is shown is the law's text, to the last letter, in one of its languages; law.test.ts
  // holds the hash of each.
  const letters = (texts: readonly string[]): string => texts.join('').replaceAll(/\s/g, '');
  assert.equal(shownLaws.size, games.length, 'each regulation shows its own words');
  for (const [rulebook, shown] of shownLaws) {
    const laws = LANGUAGE_ORDER.map((language) =>
      letters(lawOf(rulebook, language)!.articles.flatMap((article) => article.text)),
    );
    assert.ok(laws.includes(letters(shown)), rulebook);
  }
});

test('the rules make way when a decision falls due, and hide no control when they are opened during it', {
  skip,
}, async (t) => {
  const ready = ruled(VIEWS.dealing, 'macau-blackjack-2009');
  const opened = await open(t, ready);
  const { page } = opened;
  for (const seat of [3, 5]) {
    await tab(page, seat).click();
    await drawer(page, seat).waitFor();
  }
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

test('the options of the page are those of the view, with the price that follows from them, and the edge of every bet', {
  skip,
}, async (t) => {
  let asked = 0;
  const bets = [
    { bet: 'banker', edge: '0.0105790673', error: null, favoursPlayer: false },
    { bet: 'tie', edge: '0.1435955', error: '0.0004', favoursPlayer: false },
  ];
  const reckoned = { why: null, notEnumerated: ['lucky6'], version: '9.8.7', profileSha256: 'ab'.repeat(32) };
  const opened = await open(t, ruled(VIEWS['idle-empty'], 'macau-baccarat'), {
    data: ({ query }) => {
      if (query !== 'edges') throw new Error(query);
      asked += 1;
      return asked === 1 ? { ...reckoned, state: 'working', bets: [] } : { ...reckoned, state: 'done', bets };
    },
  });
  const { page } = opened;
  await tab(page, 1).click();
  await page.getByRole('button', { name: inRules('zh-Hant', 'section.payoffs') }).click();
  await drawer(page, 1).getByText('1 賠 1，減佣金 5%').waitFor();
  await show(
    opened,
    ruled(VIEWS['idle-empty'], 'macau-baccarat', { commission: 'none-banker-six-half', decks: 6 }),
  );
  await drawer(page, 1).getByText(inRules('zh-Hant', 'pay.bankerSix')).first().waitFor();
  await page.getByRole('button', { name: inRules('zh-Hant', 'label.contents') }).click();
  await page.getByRole('button', { name: inRules('zh-Hant', 'section.options') }).click();
  const first = await drawer(page, 1).locator('[data-part="options"] + ul > .rules-row').first().innerText();
  assert.match(first, /紙牌副數\s+6\s+場方選定（預設：8）\s+第一條/);
  await page.getByRole('button', { name: inRules('zh-Hant', 'label.contents') }).click();
  await page.getByRole('button', { name: text('zh-Hant', 'edges.title') }).click();
  await drawer(page, 1).getByText(text('zh-Hant', 'edges.working')).waitFor();
  await drawer(page, 1).locator('.rules-row').nth(1).waitFor();
  const said = (await drawer(page, 1).innerText()).replaceAll(/\s+/g, ' ');
  assert.match(said, /莊 1\.0579 % 和 14\.3595 % ± 0\.04 %/, said);
  assert.match(said, /9\.8\.7 .*abababababab(?!a)/, 'the program and the table it was reckoned by');
  const done = asked;
  await new Promise((wait) => setTimeout(wait, 1_500));
  assert.equal(asked, done, 'once it is reckoned nobody asks again');
});

test('two fingers move two pages of rules at once', { skip }, async (t) => {
  const opened = await open(t, ruled(VIEWS['idle-empty'], 'portugal-blackjack'));
  const { page } = opened;
  for (const seat of [2, 6]) {
    await tab(page, seat).click();
    await drawer(page, seat).locator('.rules-contents').waitFor();
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
  const { help } = JSON.parse(readFileSync(DEMO, 'utf8')) as { help: NonNullable<TableView['help']> };
  const idle = ruled(VIEWS['idle-empty'], 'macau-blackjack-2009');
  const seats = idle.seats.map((each) => ({
    ...each,
    language: LANGUAGE_ORDER[each.seat % 3]!,
    ...(each.seat > 3 ? { free: false, creditMinor: minor(10_000) } : {}),
    ...(each.seat > 4 && each.seat !== 6
      ? { last: { roundId: 'a', no: 1, stakeMinor: minor(1_234_500), netMinor: minor(-1_234_500) } }
      : {}),
  }));
  const notesMinor = [5_000, 10_000, 50_000, 100_000].map(minor);
  const view = { ...idle, help, seats, table: { ...idle.table, notesMinor } };
  const { page } = await open(t, view);
  for (const { seat } of seats) {
    const language = LANGUAGE_ORDER[seat % 3]!;
    const own = panel(page, seat, language);
    if (seat <= 3) await own.locator('.help-line', { hasText: help.line[language] }).waitFor();
    // Before anybody bets they know what becomes of them if they are silent.
    else await own.locator('.by-default', { hasText: text(language, 'default.stand') }).waitFor();
    // Nothing of it lifts the panel over the cloth.
    assert.ok((await own.evaluate((element) => (element as HTMLElement).offsetTop)) >= 0, `seat ${seat}`);
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
