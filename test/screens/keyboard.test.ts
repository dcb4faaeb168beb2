/**
 * Service mode by the keyboard alone, at a real host (EN 301 549, 5.1.3 and WCAG 2.2, 2.1.1, 2.1.2,
 * 2.4.7): in by PIN, through every control of every page, out again; the place where one is can
 * always be seen.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Language } from '../../engine/table/inputs.ts';
import { playedTerminal } from '../fixtures/played-terminal.ts';
import { CREDENTIAL } from '../host/test-terminal.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { text } from '../support/texts.ts';

const skip = noChromium;
const chromium = useChromium();

interface Focused {
  /** Tag and name; empty on the page itself. */
  readonly name: string;
  /** What is wrong with how it is seen; empty = nothing. */
  readonly unseen: string;
}

const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return { name: '', unseen: '' };
    const label = element.closest('label')?.textContent ?? '';
    const name = `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? (label || (element.textContent ?? ''))}`;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + Math.min(height / 2, 20));
    const unseen =
      outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2
        ? `outline ${outlineStyle} ${outlineWidth}`
        : top === null || !(element.contains(top) || top.contains(element))
          ? `covered by ${top?.tagName ?? 'nothing: it is outside'}`
          : '';
    return { name: name.replaceAll(/\s+/g, ' ').trim(), unseen };
  });

class Keys {
  readonly page: Page;
  readonly seen = new Set<string>();

  constructor(page: Page) {
    this.page = page;
  }

  async press(key: string): Promise<Focused> {
    await this.page.keyboard.press(key);
    const at = await focused(this.page);
    assert.equal(at.unseen, '', `after ${key}: ${at.name}`);
    this.seen.add(at.name);
    return at;
  }

  /** Tab, or back by Shift+Tab, until a control of this name has the focus. */
  async to(name: string, key = 'Tab'): Promise<void> {
    const passed: string[] = [];
    for (let i = 0; i < 150; i += 1) {
      const at = await this.press(key);
      if (at.name === name) return;
      passed.push(at.name);
    }
    assert.fail(`${name} is not reached: ${passed.join(' | ')}`);
  }
}

test('service mode is entered, gone through and left by keys alone, and the focus is always seen', {
  skip,
}, async (t) => {
  const kit = await playedTerminal(t, chromium.root);
  const { url } = kit.host.ticketUrl('table', 30_000);
  const { page, troubles } = await openDisplay(chromium.browser, url, { size: SIZES[0]! });
  t.after(() => page.close());
  const keys = new Keys(page);
  const language: Language = 'pt';
  const say = (key: string): string => text(language, key, {}, 'service');
  const service = `button ${text('zh-Hant', 'button', {}, 'service')} ${text('pt', 'button', {}, 'service')}`;

  // in, and first back out of the pad
  await keys.to(service);
  await keys.press('Enter');
  const pad = page.locator('.pin-pad');
  await pad.waitFor();
  assert.equal((await focused(page)).unseen, '', 'the pad is seen to be where the digits go');
  await page.keyboard.press('Escape');
  await pad.waitFor({ state: 'detached' });
  await keys.to(service);
  await keys.press('Enter');
  await pad.waitFor();
  await page.keyboard.type(CREDENTIAL.technician.pin);
  await page.keyboard.press('Enter');
  await page.locator('.service-head').waitFor();
  assert.equal(kit.view.service?.name, 'João Silva');

  await keys.to(`button PT ${text('zh-Hant', 'language.pt')}`);
  await keys.press('Enter');
  await page.getByRole('heading', { name: say('title') }).waitFor();

  const pages = await page
    .getByRole('navigation', { name: say('pages') })
    .getByRole('button')
    .allInnerTexts();
  assert.ok(pages.length >= 9, pages.join(', '));
  const CONTROLS = 'button:enabled, input:enabled, select:enabled, summary';
  for (const [index, name] of pages.entries()) {
    await keys.to(`button ${name}`, index === 0 ? 'Tab' : 'Shift+Tab');
    await page.keyboard.press(index % 2 === 0 ? 'Enter' : 'Space');
    await page.getByRole('main', { name }).waitFor();
    await page.getByText(say('loading'), { exact: true }).first().waitFor({ state: 'detached' });
    // every control of the page, by the tab key alone
    const reached = new Set<number>();
    let isInside = false;
    for (let i = 0; i < 300; i += 1) {
      await keys.press('Tab');
      const at = await page.evaluate(
        (selector) =>
          [...document.querySelectorAll(`.service-page :is(${selector})`)].indexOf(document.activeElement!),
        CONTROLS,
      );
      if (at !== -1) reached.add(at);
      const inside = await page.evaluate(() => document.activeElement?.closest('.service-page') !== null);
      if (isInside && !inside) break;
      isInside = inside || isInside;
    }
    const all = await page.locator('.service-page').locator(CONTROLS).filter({ visible: true }).count();
    assert.equal(reached.size, all, `controls of ${name}`);
  }

  // out
  await keys.to(`button ${say('exit')}`, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.locator('.service').waitFor({ state: 'detached' });
  assert.equal(kit.view.service, null);
  assert.deepEqual(troubles, []);
});
