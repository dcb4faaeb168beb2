/**
 * Service mode by the keyboard alone, at a real host (EN 301 549, 5.1.3 and WCAG 2.2, 2.1.1, 2.1.2,
 * 2.4.7): in by PIN, through every control of every page, out again; the place where one is can
 * always be seen.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Language } from '../../engine/table/inputs.ts';
import { GROUP_NAMES, GROUPS } from '../../renderer/service/page-groups.ts';
import type { Group } from '../../wire/rights.ts';
import { playedTerminal } from '../fixtures/played-terminal.ts';
import { CREDENTIAL } from '../host/test-terminal.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { LONG } from '../support/long.ts';
import { text } from '../support/texts.ts';

const skip = noChromium;
const chromium = useChromium();

interface Focused {
  /** Tag and name; empty on the page itself. */
  readonly name: string;
  /** What is wrong with how it is seen; empty = nothing. */
  readonly unseen: string;
  /** Within a page of service mode. */
  readonly isInside: boolean;
  /** Its place among the controls of that page; -1 = none of them. */
  readonly control: number;
}

const CONTROLS = ['button:enabled', 'input:enabled', 'select:enabled', 'summary']
  .map((control) => `.service-page ${control}`)
  .join();

const focused = (page: Page): Promise<Focused> =>
  page.evaluate((controls) => {
    const element = document.activeElement;
    if (!element || element === document.body) return { name: '', unseen: '', isInside: false, control: -1 };
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
    return {
      name: name.replaceAll(/\s+/g, ' ').trim(),
      unseen,
      isInside: element.closest('.service-page') !== null,
      control: [...document.querySelectorAll(controls)].indexOf(element),
    };
  }, CONTROLS);

/** How `focused` names it; what a control counts or says may change on the way there. */
type Name = string | (() => Promise<string>);

/** A button of the groups: with what is counted on it. */
const navName = (page: Page, group: 'map' | Group, language: Language) => async (): Promise<string> => {
  const word = text(language, group === 'map' ? 'map' : `group.${group}`, {}, 'map');
  const said = await page
    .locator('.service-nav button')
    .filter({ has: page.locator('b', { hasText: new RegExp(`^${word}$`) }) })
    .textContent();
  return `button ${said}`.replaceAll(/\s+/g, ' ').trim();
};

/** More than the page of sounds has controls: three voices of every clip. */
const MOST_STEPS = 500;

class Keys {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(key: string): Promise<Focused> {
    await this.page.keyboard.press(key);
    let at = await focused(this.page);
    // On a busy machine the veil of a host that does not answer covers everything, and goes; what
    // came late moves a page for a moment.
    for (let looks = 1; at.unseen !== '' && looks < 100; looks += 1) {
      await this.page.waitForTimeout(100);
      await this.page.locator('.veil-words').waitFor({ state: 'detached' });
      at = await focused(this.page);
    }
    assert.equal(at.unseen, '', `after ${key}: ${at.name}`);
    return at;
  }

  /** Tab, or back by Shift+Tab, until a control of this name has the focus. */
  async to(name: Name, key = 'Tab'): Promise<void> {
    const passed: string[] = [];
    const wanted = async (): Promise<string> => (typeof name === 'string' ? name : name());
    for (let i = 0; i < MOST_STEPS; i += 1) {
      const at = await this.press(key);
      if (at.name === (await wanted())) return;
      passed.push(at.name);
    }
    assert.fail(`${await wanted()} is not reached: ${passed.join(' | ')}`);
  }
}

test('service mode is entered, gone through and left by keys alone, and the focus is always seen', {
  skip: skip || LONG,
}, async (t) => {
  const kit = await playedTerminal(t, chromium.root);
  const { url } = kit.host.ticketUrl('table', 600_000);
  const { page, troubles } = await openDisplay(chromium.browser, url, {
    size: SIZES[0]!,
    painted: false,
  });
  t.after(() => page.close());
  const keys = new Keys(page);
  const language: Language = 'pt';
  const say = (key: string): string => text(language, key, {}, 'service');
  const service = `button ${text('zh-Hant', 'service.button')} ${text('pt', 'service.button')}`;

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

  const controlsOf = (): Promise<number> => page.locator(CONTROLS).filter({ visible: true }).count();
  /** The controls of the page that the tab key alone reaches. */
  const reachedByTab = async (): Promise<number> => {
    const reached = new Set<number>();
    let wasInside = false;
    for (let i = 0; i < MOST_STEPS; i += 1) {
      const { control, isInside } = await keys.press('Tab');
      if (control !== -1) reached.add(control);
      if (wasInside && !isInside) break;
      wasInside ||= isInside;
    }
    return reached.size;
  };
  /** Goes to a page by the button that names it, and through every control of it. */
  const walkThrough = async (button: Name, name: string, key: string): Promise<void> => {
    // What a busy host answers late changes a page during the walk, which is then repeated.
    const walks: string[] = [];
    for (let isWhole = false; !isWhole; ) {
      assert.ok(walks.length < 5, `controls of ${name} there, reached, there after: ${walks.join('; ')}`);
      await keys.to(button, walks.length === 0 ? key : 'Shift+Tab');
      await page.keyboard.press(walks.length % 2 === 0 ? 'Enter' : 'Space');
      await page.getByRole('main', { name, exact: true }).waitFor();
      await page.getByText(say('loading'), { exact: true }).first().waitFor({ state: 'detached' });
      const before = await controlsOf();
      const reached = await reachedByTab();
      const after = await controlsOf();
      isWhole = before === reached && reached === after;
      walks.push(`${before}, ${reached}, ${after}`);
    }
  };
  const map = text(language, 'map', {}, 'map');
  await walkThrough(navName(page, 'map', language), map, 'Tab');
  // a part: its panel has the focus, and Escape leads back to the part
  const shoe = page.locator('[data-part="shoe"]');
  await keys.to(async () => `button ${await shoe.getAttribute('aria-label')}`, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.locator('.part-panel header').waitFor();
  assert.match((await focused(page)).name, /^section/);
  const record = `button ${say('device.record')}`;
  await keys.to(record);
  await page.keyboard.press('Escape');
  await page.locator('.part-panel header').waitFor({ state: 'detached' });
  assert.equal(await page.locator('[data-part="shoe"]:focus').count(), 1);
  for (const group of GROUP_NAMES) {
    const [first, ...others] = GROUPS[group];
    await walkThrough(navName(page, group, language), say(`page.${first}`), 'Shift+Tab');
    for (const each of others)
      await walkThrough(`button ${say(`page.${each}`)}`, say(`page.${each}`), 'Shift+Tab');
  }

  // out
  await keys.to(`button ${say('exit')}`, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.locator('.service').waitFor({ state: 'detached' });
  assert.equal(kit.view.service, null);
  assert.deepEqual(troubles, []);
});
