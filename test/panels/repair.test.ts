/** Guided repair, drills and exports at a real host, in Debian's Chromium: by keys alone, in three languages, ended by the device. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { verifyExport } from '../../cli/verify-export.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { loadOrCreateKey } from '../../ledger/store/ledger.store.ts';
import { CREDENTIAL, House } from '../host/house.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { text } from '../support/texts.ts';

const skip = noChromium;
const chromium = useChromium();
const LANGUAGES: readonly Language[] = ['en', 'pt', 'zh-Hant'];
/** Where pictures go for whoever wants to look at the pages; absent: nowhere. */
const SHOTS = process.env['SHOTS'];

const service = (language: Language, key: string, values = {}): string =>
  text(language, key, values, 'service');

async function open(t: TestContext): Promise<{ house: House; page: Page; troubles: string[] }> {
  const house = await House.open(t, { rendererRoot: chromium.root });
  await house.acceptorReady(1);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { url } = house.host.ticketUrl('table', 30_000);
  const { page, troubles } = await openDisplay(chromium.browser, url, { size: SIZES[0]!, felt: false });
  t.after(() => page.close());
  return { house, page, troubles };
}

const speak = (page: Page, language: Language): Promise<void> =>
  page.locator('.service-head').locator(`button[lang="${language}"]`).click();

async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const language of LANGUAGES) {
    await speak(page, language);
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(SHOTS, `${name}-${language}.png`) });
  }
  await speak(page, 'en');
}

/** Tab until the button with this name has the focus, then Enter. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).first();
  await button.waitFor();
  for (let i = 0; i < 80; i += 1) {
    if (await button.evaluate((element) => element === document.activeElement))
      return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  assert.fail(`no key leads to ${name}`);
}

test('a jam: the guide leads by keys from step to step and ends with the word of the unit', {
  skip,
}, async (t) => {
  const { house, page, troubles } = await open(t);
  await house.do({ type: 'exit-service' });
  await house.insert(1, 50_000);
  await house.hands({ do: 'fault', device: 'acceptor-1', fault: 'jam' });
  await house.until('the jam', () => house.host.terminal.state.faults.length > 0);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await speak(page, 'en');
  await press(page, service('en', 'repair.show'));
  const guide = page.locator('.fault-guide');
  await guide.getByText(service('en', 'where.acceptor-head')).waitFor();
  await guide.getByText(service('en', 'repairStep.open-head')).waitFor();
  await shot(page, 'guide');
  await press(page, service('en', 'repair.next'));
  await guide.getByText(service('en', 'repair.step', { no: 2, count: 3 })).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await guide.getByText(service('en', 'repair.waiting')).waitFor();
  assert.equal(house.entries('fault-cleared').length, 0, 'no key ends it');
  await house.hands({ do: 'fault', device: 'acceptor-1', fault: 'clear-jam' });
  await guide.getByText(service('en', 'repair.over')).waitFor();
  await shot(page, 'guide-over');
  await page.keyboard.press('Escape');
  await guide.waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
});

test('a unit that failed: whatever step is shown, the PIN of the technician is asked for once it is repaired', {
  skip,
}, async (t) => {
  const { house, page } = await open(t);
  await house.hands({ do: 'fault', device: 'acceptor-2', fault: 'failure' });
  await speak(page, 'en');
  await press(page, service('en', 'repair.show'));
  const guide = page.locator('.fault-guide');
  await guide.getByText(service('en', 'repairStep.switch-unit')).waitFor();
  await house.hands({ do: 'fault', device: 'acceptor-2', fault: 'repair' });
  await guide.getByText(service('en', 'repair.confirm', { who: service('en', 'role.technician') })).waitFor();
  await shot(page, 'guide-confirm');
  await page.locator('.pin-pad').focus();
  await page.keyboard.type(CREDENTIAL.technician.pin);
  await page.keyboard.press('Enter');
  await guide.getByText(service('en', 'repair.confirmed')).waitFor();
  assert.deepEqual(
    house.last<{ persons: { id: string }[] }>('fault-cleared').persons.map(({ id }) => id),
    ['T-01'],
  );
});

test('809, 812: a drill is held and an export made from their pages, and the export holds', {
  skip,
  timeout: 240_000,
}, async (t) => {
  const { house, page, troubles } = await open(t);
  await speak(page, 'en');
  await press(page, service('en', 'page.drills'));
  await shot(page, 'drills');
  await press(page, service('en', 'drill.holdOf', { drill: service('en', 'drillName.box-full') }));
  await page.getByText('演練 · EXERCÍCIO · DRILL').waitFor();
  await house.until('its end', () => house.entries('drill-ended').length === 1, 200_000);
  await page.getByText(service('en', 'drillOutcome.as-it-should')).waitFor();
  await shot(page, 'drill-over');
  await press(page, service('en', 'page.exports'));
  await press(page, service('en', 'exports.makeTo', { path: join(house.dir, 'exports') }));
  await house.until('the export', () => house.entries('export-made').length === 1, 100_000);
  const { dir, ok, why } = house.last<{ dir: string; ok: boolean; why: string | null }>('export-made');
  assert.deepEqual([ok, why], [true, null]);
  await page.getByText(service('en', 'exports.ok', { dir })).waitFor();
  await shot(page, 'export');
  const report = verifyExport(dir, loadOrCreateKey(house.dir).publicKey);
  assert.deepEqual([report.ok, report.problem], [true, '']);
  for (const name of ['ledger.db', 'events.csv', 'events.json', 'meters.csv', 'recordings', 'manifest.json'])
    assert.ok(existsSync(join(dir, name)), name);
  assert.equal((await house.send({ type: 'make-export', target: '/etc' })).status, 'rejected');
  assert.deepEqual(troubles, []);
});

test('806: a change of an option is compared and judged while it is entered, and signed by two persons', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const { house, page, troubles } = await open(t);
  await speak(page, 'en');
  await press(page, service('en', 'page.profile'));
  await press(page, service('en', 'change.title'));
  await page.locator('#option-decks').fill('13');
  const wrong = page.getByRole('alert').getByText(/not a legal value/);
  await wrong.waitFor();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /21|1/, 'with its article');
  const enter = page.getByRole('button', { name: service('en', 'change.enter') });
  await page.locator('.service-bar input[type="text"]').fill('A quieter evening');
  assert.equal(await enter.isDisabled(), true);
  await page.locator('#option-decks').fill('8');
  await wrong.waitFor({ state: 'detached' });
  const difference = page.getByRole('table', { name: service('en', 'change.difference') });
  assert.deepEqual((await difference.locator('tbody td').allTextContents()).slice(1), ['6', '8']);
  await enter.scrollIntoViewIfNeeded();
  await shot(page, 'change');
  await enter.focus();
  await page.keyboard.press('Enter');
  for (const { pin } of [CREDENTIAL.technician, CREDENTIAL.supervisor]) {
    await page.locator('.pin-pad').focus();
    await page.keyboard.type(pin);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
  }
  await house.until(
    'it is in force',
    () => house.host.terminal.state.profile!.options['decks'] === 8,
    30_000,
  );
  const { second, reason } = house.last<{ second: { id: string }; reason: string }>('table-configured');
  assert.deepEqual([second.id, reason], ['S-01', 'A quieter evening']);
  assert.deepEqual(troubles, []);
});
