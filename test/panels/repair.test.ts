/**
 * Guided repair, drills, exports and a changed option at the terminal as it ships, in Debian's
 * Chromium: by keys alone, in three languages, ended by the device.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { everyAuthorisation } from '../../engine/games/every-authorisation.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import { attack, folderOf, handsAt, ownerOfFile, rackOf } from '../attacks/kit.ts';
import { ROOT } from '../shell/paths.ts';
import { banca } from '../support/built.ts';
import { noChromium, openDisplay, SIZES } from '../support/chromium.ts';
import type { TestDisplay } from '../support/display.ts';
import { entriesOf } from '../support/entries.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import { chromium } from './kit.ts';

const skip = noChromium;
const LANGUAGES: readonly Language[] = ['en', 'pt', 'zh-Hant'];
/** Where pictures go for whoever wants to look at the pages; absent: nowhere. */
const SHOTS = process.env['SHOTS'];

const service = (language: Language, key: string, values = {}): string =>
  text(language, key, values, 'service');

/** Of the terminal file that ships. */
const TECHNICIAN = { person: '4', pin: '4444' };
const SUPERVISOR = { person: '3', pin: '3333' };
const LIMIT_MS = 240_000;
const PATIENT = { limitMs: LIMIT_MS, everyMs: 100 };

interface SetUp {
  readonly data: string;
  readonly page: Page;
  readonly troubles: string[];
  /** Another display of the terminal. */
  readonly table: TestDisplay;
  /** Does this to a device; again until it is taken. */
  hands(command: RackCommand): Promise<unknown>;
  /** The first entry of this kind since the test has begun, once it is there. */
  entry<Body>(kind: string, holds?: (body: Body) => boolean): Promise<Body>;
}

/** One terminal for all tests, with a record of every option. */
const owner = ownerOfFile();
let started: ReturnType<typeof start> | undefined;

async function start() {
  // The demonstration's own file has no record for another number of packs.
  const file = JSON.parse(readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8'));
  file.profile.authorisations = everyAuthorisation(file.profile.rulebook);
  const path = join(folderOf(owner), 'terminal.json');
  writeFileSync(path, JSON.stringify(file));
  const { terminal, data, display } = await attack(owner, { args: ['--profile', path] });
  const rack = await rackOf(data);
  const { page, troubles } = await openDisplay(chromium.browser, await terminal.mint('table'), {
    size: SIZES[0]!,
    painted: SHOTS !== undefined,
  });
  owner.after(() => rack.close());
  return { data, display, page, troubles, rack };
}

/** Out of service mode, whatever the test before has left. */
async function open(t: TestContext): Promise<SetUp> {
  started ??= start();
  const { data, display, page, troubles, rack } = await started;
  const table = await display('table');
  t.after(() => table.close());
  if (table.view.service) await done(table, { type: 'exit-service' });
  const before = entriesOf(data).length;
  return {
    data,
    page,
    troubles,
    table,
    hands: (command) => handsAt(rack, command),
    entry: async <Body>(kind: string, holds: (body: Body) => boolean = () => true) =>
      until(
        kind,
        () =>
          entriesOf(data, kind)
            .filter(({ seq }) => seq > before)
            .map(({ body }: Entry) => body as Body)
            .find(holds),
        PATIENT,
      ),
  };
}

async function done(table: TestDisplay, command: Parameters<TestDisplay['command']>[0]): Promise<void> {
  const answer = await table.command(command);
  assert.equal(answer?.status, 'done', `${command.type}: ${JSON.stringify(answer)}`);
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
async function press(page: Page, name: string | RegExp): Promise<void> {
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
  const { data, page, table, troubles, hands, entry } = await open(t);
  await hands({ do: 'insert-note', acceptor: 1, valueMinor: 50_000, currency: 'MOP' });
  await hands({ do: 'fault', device: 'acceptor-1', fault: 'jam' });
  await entry<{ device: string }>('fault-reported', ({ device }) => device === 'acceptor-1');
  await done(table, { type: 'enter-service', credential: TECHNICIAN });
  await speak(page, 'en');
  await press(page, /^Acceptor 1: Fault, Jam/);
  const guide = page.locator('.fault-guide');
  await guide.getByText(service('en', 'where.acceptor-head')).waitFor();
  await guide.getByText(service('en', 'repairStep.open-head')).waitFor();
  await shot(page, 'guide');
  await press(page, service('en', 'repair.next'));
  await guide.getByText(service('en', 'repair.step', { no: 2, count: 3 })).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await guide.getByText(service('en', 'repair.waiting')).waitFor();
  assert.equal(
    entriesOf(data, 'fault-reported').length,
    1 + entriesOf(data, 'fault-cleared').length,
    'no key ends it',
  );
  await hands({ do: 'fault', device: 'acceptor-1', fault: 'clear-jam' });
  await guide.getByText(service('en', 'repair.over')).waitFor();
  await shot(page, 'guide-over');
  await page.keyboard.press('Escape');
  await guide.waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
});

test('a unit that failed: whatever step is shown, the PIN of the technician is asked for once it is repaired', {
  skip,
}, async (t) => {
  const { page, table, hands, entry } = await open(t);
  await done(table, { type: 'enter-service', credential: TECHNICIAN });
  await hands({ do: 'fault', device: 'acceptor-2', fault: 'failure' });
  await speak(page, 'en');
  await press(page, /^Acceptor 2: Fault, Failed/);
  const guide = page.locator('.fault-guide');
  await guide.getByText(service('en', 'repairStep.switch-unit')).waitFor();
  await hands({ do: 'fault', device: 'acceptor-2', fault: 'repair' });
  await guide.getByText(service('en', 'repair.confirm', { who: service('en', 'role.technician') })).waitFor();
  await shot(page, 'guide-confirm');
  await page.locator('.pin-pad').focus();
  await page.keyboard.type(TECHNICIAN.pin);
  await page.keyboard.press('Enter');
  await guide.getByText(service('en', 'repair.confirmed')).waitFor();
  const { persons } = await entry<{ persons: { id: string }[] }>('fault-cleared');
  assert.deepEqual(
    persons.map(({ id }) => id),
    ['T-01'],
  );
});

test('809, 812: a drill is held and an export made from their pages, and the export holds', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const { data, page, table, troubles, entry } = await open(t);
  await done(table, { type: 'enter-service', credential: TECHNICIAN });
  await speak(page, 'en');
  await press(page, /^System/);
  await press(page, service('en', 'page.drills'));
  await shot(page, 'drills');
  await press(page, service('en', 'drill.holdOf', { drill: text('en', 'fault.cash-box-full') }));
  await page.getByText('演練 · EXERCÍCIO · DRILL').waitFor();
  await entry('drill-ended');
  await page.getByText(service('en', 'drillOutcome.as-it-should')).waitFor();
  await shot(page, 'drill-over');
  await press(page, /^Records/);
  await press(page, service('en', 'page.exports'));
  await press(page, service('en', 'exports.makeTo', { path: join(data, 'exports') }));
  const { dir, ok, why } = await entry<{ dir: string; ok: boolean; why: string | null }>('export-made');
  assert.deepEqual([ok, why], [true, null]);
  await page.getByText(service('en', 'exports.ok', { dir })).waitFor();
  await shot(page, 'export');
  assert.equal((await table.command({ type: 'make-export', target: '/etc' }))?.status, 'rejected');
  const verified = banca(['verify', '--export', dir, '--key', join(data, 'enrolled', 'BJ-DEMO-01.pub')]);
  assert.equal(verified.status, 0, verified.stderr);
  for (const name of ['ledger.db', 'events.csv', 'events.json', 'meters.csv', 'recordings', 'manifest.json'])
    assert.ok(existsSync(join(dir, name)), name);
  assert.deepEqual(troubles, []);
});

test('806: a change of an option is compared and judged while it is entered, and signed by two persons', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const { page, table, troubles, entry } = await open(t);
  await done(table, { type: 'enter-service', credential: TECHNICIAN });
  await speak(page, 'en');
  await press(page, /^Table/);
  await press(page, service('en', 'change.title'));
  await page.locator('#option-decks').fill('13');
  const wrong = page.getByRole('alert').getByText(/not a legal value/);
  await wrong.waitFor();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /21|1/, 'with its article');
  const enter = page.getByRole('button', { name: service('en', 'change.enter') });
  await page.getByLabel(service('en', 'change.reason')).fill('A quieter evening');
  assert.equal(await enter.isDisabled(), true);
  await page.locator('#option-decks').fill('8');
  await wrong.waitFor({ state: 'detached' });
  const difference = page.getByRole('table', { name: service('en', 'change.difference') });
  await difference.locator('tbody td').last().waitFor();
  assert.deepEqual((await difference.locator('tbody td').allTextContents()).slice(1), ['6', '8']);
  await enter.scrollIntoViewIfNeeded();
  await shot(page, 'change');
  // It has been judged by now that this may be entered.
  await enter.click({ trial: true });
  await enter.focus();
  await page.keyboard.press('Enter');
  const [technician, supervisor] = [service('en', 'role.technician'), service('en', 'role.supervisor')];
  for (const [name, { pin }] of [
    [`${technician} / ${supervisor}`, TECHNICIAN],
    [supervisor, SUPERVISOR],
  ] as const) {
    await page.getByRole('dialog', { name, exact: true }).focus();
    await page.keyboard.type(pin);
    await page.keyboard.press('Enter');
  }
  const { second, reason } = await entry<{ second: { id: string }; reason: string; profile: TableProfile }>(
    'table-configured',
    ({ profile }) => profile.options['decks'] === 8,
  );
  assert.deepEqual([second.id, reason], ['S-01', 'A quieter evening']);
  assert.deepEqual(troubles, []);
});
