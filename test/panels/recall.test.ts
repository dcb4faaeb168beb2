/**
 * A round is played at a real host and recalled in Debian's Chromium: on the table, in service mode and by its players.
 * `BANCA_PICTURES=DIR` leaves pictures of it there, in both sizes.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import type { Language } from '../../engine/table/inputs.ts';
import type { DisplayRole } from '../../host/api.ts';
import { House, PIN } from '../host/house.ts';
import { text } from '../support/texts.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : 'no chromium on this machine';
const PICTURES = process.env['BANCA_PICTURES'];
const FULL_HD = { width: 1920, height: 1080 };
const SIZES = PICTURES ? [{ width: 1366, height: 768 }, FULL_HD] : [{ width: 1366, height: 768 }];
const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'en'];

let root = '';
let browser: Browser;

before(
  async () => {
    if (skip !== false) return;
    root = mkdtempSync(join(tmpdir(), 'banca-recall-'));
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

/** Seats 1, 3 and 5 read Chinese, Portuguese and English and have played a round: won, lost, doubled and won. */
async function played(t: TestContext): Promise<House> {
  const house = await House.open(t, { rendererRoot: root });
  await Promise.all([house.fund(1, 100_000), house.fund(3, 50_000), house.fund(5, 100_000)]);
  await house.do({ type: 'set-language', seat: 3, language: 'pt' });
  await house.do({ type: 'set-language', seat: 5, language: 'en' });
  await house.ready('TS 7H 5D 9H TD 7D 6C TC 8C');
  await house.deal({ 1: 10_000, 3: 23_000, 5: 15_000 });
  house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.do(house.act(3, 'stand'));
  await house.do(house.act(5, 'double'));
  await house.draw();
  await house.draw();
  house.passDeadline();
  await house.do({ type: 'close-round' });
  house.offsetMs += 10_000;
  return house;
}

async function open(
  t: TestContext,
  house: House,
  size = FULL_HD,
  role: DisplayRole = 'table',
): Promise<Page> {
  const page = await browser.newPage({ viewport: size });
  t.after(() => page.close());
  page.on('pageerror', (error) => assert.fail(error));
  await page.goto(house.host.ticketUrl(role, 30_000).url);
  await page.locator('.screen').waitFor();
  await page.locator('.felt canvas').first().waitFor({ timeout: 60_000 });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return page;
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES)
    await page.screenshot({
      path: join(PICTURES, `${name}-${page.viewportSize()?.width}.png`),
      timeout: 60_000,
    });
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
  const house = await played(t);
  for (const size of SIZES) {
    const page = await open(t, house, size);
    await page.getByRole('button', { name: bi('dealer.others') }).click();
    await picture(page, 'menu');
    await page.getByRole('button', { name: bi('recall.menu') }).click();
    await page.getByRole('button', { name: bi('recall.label', { no: 1 }) }).waitFor();
    await picture(page, 'choose');
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
    await picture(page, 'recall-bets');
    const total = Number(/\d+$/.exec((await count.textContent()) ?? '')?.[0]);
    assert.deepEqual(await cut(page, '.recall-bar'), []);
    for (let step = 3; step <= total; step += 1) {
      await screen.getByRole('button', { name: bi('recall.next') }).click();
      assert.deepEqual(await cut(page, '.recall-bar'), [], `step ${step}`);
      if (step === total - 6) {
        await page.waitForTimeout(900);
        await picture(page, 'recall-play');
      }
      if (step === total - 2) {
        await page.waitForTimeout(1500);
        await picture(page, 'recall-settled');
      }
    }
    assert.equal(
      await page.getByRole('region', { name: text('zh-Hant', 'seat.name', { seat: 1 }) }).isVisible(),
      false,
    );
    assert.equal(house.view.recall?.no, 1);
    if (size !== SIZES.at(-1)) {
      await screen.getByRole('button', { name: bi('recall.close') }).click();
      await screen.waitFor({ state: 'detached' });
      await page.close();
      continue;
    }
    // The dealer goes on at his edge: the present is back.
    await page.getByRole('button', { name: bi('confirm.open-betting') }).click();
    await screen.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: text('zh-Hant', 'seat.name', { seat: 1 }) }).waitFor();
    assert.equal(house.view.phase, 'betting');
  }
});

test('service mode shows the round in full, has the table play it, and is where it was afterwards', {
  skip,
}, async (t) => {
  const house = await played(t);
  await house.do({ type: 'enter-service', pin: PIN.auditor });
  for (const size of SIZES) {
    const page = await open(t, house, size);
    for (const language of LANGUAGES) {
      await page.locator(`.service-head .language[lang=${language}]`).click();
      await page.locator('.service-nav .button').nth(3).click();
      await page.locator('.data .button').first().waitFor();
      await picture(page, `rounds-${language}`);
      assert.deepEqual(await cut(page, '.finder'), []);
      await page.locator('.data .button').first().click();
      await page.locator('.recall-mark').waitFor();
      await picture(page, `detail-${language}`);
      await page.locator('.service-page .button-gold').click();
      const screen = page.locator('.recall-screen');
      await screen.waitFor();
      await screen.getByRole('button', { name: bi('recall.close') }).click();
      await screen.waitFor({ state: 'detached' });
      await page.locator('.recall-mark').waitFor();
      await page.locator('.service-page .button').first().click();
    }
    await page.close();
  }
});

test('two touches show a player his own last round: cards, result, arithmetic, article', {
  skip,
}, async (t) => {
  const house = await played(t);
  for (const size of SIZES) {
    const page = await open(t, house, size);
    for (const [index, language] of LANGUAGES.entries()) {
      const seat = 1 + 2 * index;
      const panel = page.getByRole('region', { name: text(language, 'seat.name', { seat }), exact: true });
      await panel.getByRole('button', { name: text(language, 'recall.rounds') }).click();
      await panel.getByRole('button', { name: text(language, 'recall.label', { no: 1 }) }).waitFor();
      if (seat === 1) await picture(page, 'own-list');
      await panel.getByRole('button', { name: text(language, 'recall.label', { no: 1 }) }).click();
      const sum = panel.locator('.own-lines .sum');
      await sum.waitFor();
      const said = (await sum.textContent())?.replace(/\s/g, ' ');
      assert.equal(said, ['100.00 × 1 = +100.00', '−230,00', '300.00 × 1 = +300.00'][index]);
      assert.notEqual(await panel.locator('.own-lines .cite').textContent(), '');
      assert.deepEqual(await cut(page, '.own-rounds'), []);
    }
    await picture(page, 'own-rounds');
    const code = page
      .locator('.panel[data-seat="3"]')
      .getByRole('img', { name: text('pt', 'recall.receipt') });
    await code.scrollIntoViewIfNeeded();
    await picture(page, 'own-receipt');
    const english = page.locator('.panel[data-seat="5"]');
    for (let i = 0; i < 4; i += 1)
      await english.getByRole('button', { name: text('en', 'recall.previous') }).click();
    await picture(page, 'own-step');
    await page.close();
    if (PICTURES) {
      const alone = await open(t, house, size, 'seat:3');
      await picture(alone, 'seat-tabs');
      await alone.getByRole('button', { name: text('pt', 'recall.rounds') }).click();
      await alone.getByRole('button', { name: text('pt', 'recall.label', { no: 1 }) }).click();
      await alone.locator('.own-lines .sum').waitFor();
      await picture(alone, 'seat-own');
      await alone.close();
    }
  }
  const shown = house.entries('recall-displayed').map(({ body }) => (body as { seat: number }).seat);
  assert.deepEqual(shown.slice(0, 3), [1, 3, 5]);
});
