/** A table speaks the language of its law first and writes as it does; each seat its player's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { simulated, VIEWS } from '../fixtures/views.ts';
import { SIZES } from '../support/chromium.ts';
import { text } from '../support/texts.ts';
import { open, panel, show, skip, turned, withSeat } from './kit.ts';

/** Spaces that break no line are spaces. */
const shown = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();

test('Macau: Chinese, then Portuguese in the words of 57/2009; 2,450.00 and the 12-hour clock of every seat, in Portuguese 2 450,00', {
  skip,
}, async (t) => {
  const view = withSeat(turned(VIEWS.turn, 0), 3, { creditMinor: 245_000 as never });
  const { page } = await open(t, view);
  await page.locator('.strip-first').waitFor();
  assert.equal(await page.locator('.strip-first').getAttribute('lang'), 'zh-Hant');
  assert.equal(await page.locator('.strip-second').getAttribute('lang'), 'pt');
  assert.equal(await shown(page, '.strip-first'), text('zh-Hant', 'step.await-decision', { seat: 3 }));
  for (const { seat, language, free, creditMinor } of view.seats) {
    const own = panel(page, seat, language);
    const clock = await own.locator('.clock').innerText();
    assert.match(
      clock,
      { 'zh-Hant': /^[上下]午 \d\d?:\d\d$/, pt: /^\d\d?:\d\d [ap]\.m\.$/, en: /^\d\d?:\d\d [ap]\.m\.$/ }[
        language
      ],
    );
    if (free) continue;
    const balance = (await own.locator('.balance').innerText()).replaceAll(/\s+/g, ' ');
    const figures = (creditMinor / 100).toFixed(2).replaceAll(/\B(?=(\d{3})+\.)/g, ',');
    const written = language === 'pt' ? figures.replaceAll(',', ' ').replace('.', ',') : figures;
    // Where something is decided the currency stands on the felt alone.
    assert.equal(balance.trim(), seat === 3 ? written : `${written} MOP`, `seat ${seat}`);
  }
  const decides = withSeat(view, 3, { language: 'pt' });
  const other = await open(t, decides);
  const seat = panel(other.page, 3, 'pt');
  await seat.getByRole('button', { name: /^Prescindir/ }).waitFor();
});

test('Portugal: Portuguese first, in the words of its rules, 57 312,50 € and the 24-hour clock; Chinese and English as their readers write', {
  skip,
}, async (t) => {
  const languages = ['pt', 'zh-Hant', 'en'] as const;
  const view = {
    ...VIEWS['pt-play'],
    seats: VIEWS['pt-play'].seats.map((seat) => ({
      ...seat,
      language: seat.seat === 3 ? ('pt' as const) : languages[seat.seat % 3]!,
      creditMinor: seat.free ? seat.creditMinor : (5_731_250 as never),
    })),
  };
  const { page } = await open(t, view);
  await page.locator('.strip-first').waitFor();
  assert.equal(await page.locator('.strip-first').getAttribute('lang'), 'pt');
  assert.equal(await shown(page, '.strip-first'), text('pt', 'step.await-decision', { seat: 3 }));
  assert.equal(await page.locator('.strip [lang="zh-Hant"]').count(), 0);
  const written = { pt: '57 312,50 €', 'zh-Hant': '€57,312.50', en: '€57,312.50' };
  for (const { seat, language, free } of view.seats) {
    const own = panel(page, seat, language);
    assert.match(
      await own.locator('.clock').innerText(),
      { 'zh-Hant': /^[上下]午 \d\d?:\d\d$/, pt: /^\d\d:\d\d$/, en: /^\d\d?:\d\d [ap]\.m\.$/ }[language],
    );
    if (free) continue;
    const balance = (await own.locator('.balance').innerText()).replaceAll(/\s+/g, ' ');
    assert.equal(balance.trim(), written[language], `seat ${seat}`);
  }
  const decider = panel(page, 3, 'pt');
  // r.18: with so few points nobody may stand.
  for (const word of ['Pedir carta', 'Duplicar'])
    assert.ok(await decider.getByRole('button', { name: new RegExp(`^${word}`) }).isVisible(), word);
});

test('a simulation speaks English to whoever tries it: strip, menu and drawer; a table for money does not offer it', {
  skip,
}, async (t) => {
  const opened = await open(t, simulated(VIEWS['hold-unexpected-card']), { size: SIZES[0]! });
  const { page } = opened;
  const english = page.locator('.corner').getByRole('button', { name: text('en', 'language.en') });
  const linesOf = (): Promise<(string | null)[]> =>
    page
      .locator('.strip-text > p[lang]')
      .evaluateAll((lines) => lines.map((line) => line.getAttribute('lang')));
  assert.deepEqual(await linesOf(), ['zh-Hant', 'pt']);
  await english.click();
  await page.locator('.strip-first[lang=en]').waitFor();
  assert.deepEqual(await linesOf(), ['en', 'zh-Hant']);
  assert.equal(await shown(page, '.strip-first > span'), text('en', 'step.resolve-card'));
  await page.getByRole('button', { name: text('en', 'dealer.others') }).click();
  await page.locator('.dealer-popover').getByText(text('en', 'option.void-round')).waitFor();
  await page.getByRole('button', { name: new RegExp(`^${text('en', 'sim.title')}`) }).click();
  const drawer = page.locator('.operator-drawer');
  await drawer.getByRole('button', { name: new RegExp(`^${text('en', 'sim.drawCard')}`) }).waitFor();
  for (const name of ['jam', 'cheat', 'repeat-frame'])
    assert.ok(
      (await drawer.locator('option').allInnerTexts()).some((each) =>
        each.startsWith(text('en', `sim.fault.${name}`)),
      ),
      name,
    );
  assert.equal(await page.locator('.dealer-edge :lang(pt)').count(), 0);
  // The longest sentences leave both languages and their articles room.
  const { cites } = VIEWS['hold-unexpected-card'].dealer.options[1]!;
  for (const step of [
    { step: 'place-end-card', minBehind: 100, maxBehind: 150, cites },
    { step: 'close-betting', owedBySeat: 2, cites },
    { step: 'close-round', cites: VIEWS.betting.dealer.step.cites },
  ] as const) {
    const { dealer } = VIEWS['free-seat'];
    await show(opened, simulated({ ...VIEWS['free-seat'], dealer: { ...dealer, step } }));
    await page.locator(`.strip[data-step="${step.step}"] .strip-first[lang=en]`).waitFor();
    const over = await page.locator('.strip').evaluate((strip) => {
      const box = strip.getBoundingClientRect();
      const lines = [...strip.querySelectorAll('.strip-text > p')].map((line) =>
        line.getBoundingClientRect(),
      );
      return lines.filter(({ top, bottom }) => top < box.top || bottom > box.bottom).length;
    });
    assert.equal(over, 0, step.step);
  }
  await show(opened, VIEWS.betting);
  await page.locator('.strip-first[lang=zh-Hant]').waitFor();
  assert.deepEqual(await linesOf(), ['zh-Hant', 'pt']);
  assert.equal(await english.count(), 0);
});
