/**
 * A round is played at a real host and recalled in Debian's Chromium: on the table, in service mode
 * and by its players.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Language } from '../../engine/table/inputs.ts';
import { playedTerminal } from '../fixtures/played-terminal.ts';
import { CREDENTIAL, type TestTerminal } from '../host/test-terminal.ts';
import { noChromium, type OpenedPage, openDisplay, SIZES } from '../support/chromium.ts';
import { toPage } from '../support/service-road.ts';
import { text } from '../support/texts.ts';
import { chromium } from './kit.ts';

const skip = noChromium;
const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'en'];

async function open(t: TestContext, kit: TestTerminal): Promise<OpenedPage> {
  const { url } = kit.host.ticketUrl('table', 600_000);
  const opened = await openDisplay(chromium.browser, url, { size: SIZES[0]!, felt: true });
  t.after(() => opened.page.close());
  return opened;
}

/** Texts that are cut or stick out of their box. */
const cut = (page: Page, frame: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const found: string[] = [];
    for (const outer of document.querySelectorAll(selector)) {
      const limits = outer.getBoundingClientRect();
      for (const element of outer.querySelectorAll('*')) {
        if (!(element instanceof HTMLElement) || element.clientWidth === 0) continue;
        if (element.closest('.rules-page') && element.scrollHeight > element.clientHeight) continue;
        const box = element.getBoundingClientRect();
        const name = `${element.className} «${element.textContent?.slice(0, 60)}»`;
        if (box.left < limits.left - 1 || box.right > limits.right + 1) found.push(`out: ${name}`);
        if (element.scrollWidth > element.clientWidth + 1)
          found.push(`wide: ${name} ${element.scrollWidth}/${element.clientWidth}`);
      }
    }
    return found;
  }, frame);

const bi = (key: string, values: Readonly<Record<string, string | number>> = {}): string =>
  `${text('zh-Hant', key, values)} ${text('pt', key, values)}`;

test('the dealer recalls a round: marked, step by step, and gone when betting opens', { skip }, async (t) => {
  const kit = await playedTerminal(t, chromium.root);
  const { page, troubles } = await open(t, kit);
  await page.getByRole('button', { name: bi('dealer.others') }).click();
  await page.getByRole('button', { name: bi('recall.menu') }).click();
  await page.getByRole('button', { name: bi('recall.label', { no: 1 }) }).waitFor();
  await page.getByRole('button', { name: bi('recall.label', { no: 1 }) }).click();
  const screen = page.locator('.recall-screen');
  await screen.getByRole('button', { name: bi('recall.pause') }).click();
  for (const language of LANGUAGES)
    await screen.getByText(text(language, 'recall.mark'), { exact: true }).waitFor();
  const count = screen.locator('.recall-count');
  await screen.getByRole('button', { name: bi('recall.last') }).click();
  await screen.getByRole('button', { name: bi('recall.first') }).click();
  assert.match((await count.textContent()) ?? '', /^1 \/ \d+$/);
  await screen.getByRole('button', { name: bi('recall.next') }).click();
  assert.match((await count.textContent()) ?? '', /^2 \/ /);
  const total = Number(/\d+$/.exec((await count.textContent()) ?? '')?.[0]);
  assert.deepEqual(await cut(page, '.recall-bar'), []);
  for (let step = 3; step <= total; step += 1) {
    await screen.getByRole('button', { name: bi('recall.next') }).click();
    assert.deepEqual(await cut(page, '.recall-bar'), [], `step ${step}`);
  }
  assert.equal(
    await page.getByRole('region', { name: text('zh-Hant', 'seat.name', { seat: 1 }) }).isVisible(),
    false,
  );
  assert.equal(kit.view.recall?.no, 1);
  // The dealer goes on at their edge: the present is back.
  await page.getByRole('button', { name: bi('confirm.open-betting') }).click();
  await screen.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: text('zh-Hant', 'seat.name', { seat: 1 }) }).waitFor();
  assert.equal(kit.view.phase, 'betting');
  assert.deepEqual(troubles, []);
});

test('service mode shows the round in full, has the table play it, and is where it was afterwards', {
  skip,
}, async (t) => {
  const kit = await playedTerminal(t, chromium.root);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  const { page, troubles } = await open(t, kit);
  for (const language of LANGUAGES) {
    await page.locator(`.service-head .language[lang=${language}]`).click();
    await toPage(page, language, 'rounds');
    await page.locator('.data .button').first().waitFor();
    assert.deepEqual(await cut(page, '.finder'), []);
    await page.locator('.data .button').first().click();
    await page.locator('.recall-mark').waitFor();
    await page.locator('.service-page .button-gold').click();
    const screen = page.locator('.recall-screen');
    await screen.waitFor();
    await screen.getByRole('button', { name: bi('recall.close') }).click();
    await screen.waitFor({ state: 'detached' });
    await page.locator('.recall-mark').waitFor();
    await page.locator('.service-page .button').first().click();
  }
  assert.deepEqual(troubles, []);
});

/** What a seat still shows of the round before. */
const lastRound = async (panel: Locator): Promise<readonly string[] | null> => {
  const [shown] = await panel.locator('.last-round').all();
  if (shown === undefined) return null;
  const said = async (part: string): Promise<string> =>
    (await shown.locator(part).allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ');
  return [await said('.last-sum strong'), await said('.last-stake b'), await said('.last-cards .card-sign')];
};

test('stake, result and cards of the last round stay before each player until their next bet, at the table and on the display of a seat', {
  skip,
}, async (t) => {
  const kit = await playedTerminal(t, chromium.root);
  const { page } = await open(t, kit);
  const alone = await openDisplay(chromium.browser, kit.host.ticketUrl('seat:5', 600_000).url, {
    size: SIZES[0]!,
    painted: false,
  });
  t.after(() => alone.page.close());
  const seats = [
    [page.locator('.panel[data-seat="1"]'), ['+100.00', '100.00', '10♠ 10♦ 9♥ 8♣']],
    [page.locator('.panel[data-seat="3"]'), ['−230,00', '230,00', '7♥ 7♦ 9♥ 8♣']],
    [alone.page.locator('.panel[data-seat="5"]'), ['+300.00', '300.00', '5♦ 6♣ 10♣ 9♥ 8♣']],
  ] as const;
  const all = async (): Promise<unknown[]> => Promise.all(seats.map(([panel]) => lastRound(panel)));
  const kept = seats.map(([, shown]) => shown);
  await alone.page.locator('.last-round').waitFor();
  assert.deepEqual(await all(), kept, 'between two rounds');
  assert.deepEqual(await cut(page, '.last-round'), []);
  await kit.do({ type: 'open-betting' });
  await page.locator('.panel-bet[data-seat="3"]').waitFor();
  await alone.page.locator('.panel-bet').waitFor();
  assert.deepEqual(await all(), kept, 'while bets are open');
  assert.deepEqual([await cut(page, '.last-round'), await cut(alone.page, '.last-round')], [[], []]);
  await kit.do(kit.bet(3, 5_000));
  await page.locator('.panel[data-seat="3"] .last-round').waitFor({ state: 'detached' });
  assert.deepEqual(await all(), [kept[0], null, kept[2]], 'who lays goes on, and nobody else');
  kit.passDeadline();
  await kit.draw();
  await page.locator('.panel-wait[data-seat="1"]').waitFor();
  await alone.page.locator('.panel-wait').waitFor();
  assert.deepEqual(await all(), [kept[0], null, kept[2]], 'cards of others take nothing away');
});

test('what the last round brought stays on the tab, and a touch shows it: cards, result, arithmetic, article; one more the rounds before', {
  skip,
}, async (t) => {
  const kit = await playedTerminal(t, chromium.root);
  const { page, troubles } = await open(t, kit);
  for (const [index, language] of LANGUAGES.entries()) {
    const seat = 1 + 2 * index;
    const panel = page.getByRole('region', { name: text(language, 'seat.name', { seat }), exact: true });
    const round = text(language, 'recall.label', { no: 1 });
    const tab = panel.locator('.own-tab');
    const net = ['+100.00', '−230,00', '+300.00'][index]!;
    assert.equal((await tab.textContent())?.replace(/\s/g, ' ').trim(), net);
    assert.equal((await tab.getAttribute('aria-label'))?.replace(/\s/g, ' '), `${round} ${net}`);
    await tab.click();
    const sum = panel.locator('.own-lines .sum');
    await sum.waitFor();
    const said = (await sum.textContent())?.replace(/\s/g, ' ');
    assert.equal(said, ['100.00 × 1 = +100.00', '−230,00', '300.00 × 1 = +300.00'][index]);
    assert.notEqual(await panel.locator('.own-lines .cite').textContent(), '');
    assert.deepEqual(await cut(page, '.own-rounds'), []);
    await panel.getByRole('button', { name: text(language, 'recall.ownBack') }).click();
    await panel.getByRole('button', { name: round, exact: false }).first().waitFor();
  }
  assert.deepEqual(troubles, []);
  const shown = kit.entries('recall-displayed').map(({ body }) => (body as { seat: number }).seat);
  assert.deepEqual(shown.slice(0, 3), [1, 3, 5]);
});
