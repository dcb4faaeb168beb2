/** The screens of service mode: every page, and what a technician comes to on it. */
import type { Locator } from 'playwright-core';
import { GROUP_NAMES, GROUPS } from '../../renderer/service/page-groups.ts';
import type { Page } from '../../wire/rights.ts';
import type { DeviceView } from '../../wire/view.ts';
import { VIEWS } from '../fixtures/views.ts';
import { CREDENTIAL } from '../host/test-terminal.ts';
import { toPage, toPart } from '../support/service-road.ts';
import { text } from '../support/texts.ts';
import type { Hands, Screen } from './screen.ts';
import * as answered from './service-answers.ts';

/** A drill and an export go through a whole ledger. */
const LONG_MS = 150_000;

const loaded = ({ page, language }: Hands): Promise<void> =>
  page
    .getByRole('main')
    .getByText(text(language, 'loading', {}, 'service'), { exact: true })
    .first()
    .waitFor({ state: 'detached' });

/** @param name of the page; `then` goes on from there. */
const page = (name: Page, then?: Screen['touch']): Screen => ({
  name: `service-${name}`,
  from: 'service',
  touch: async (hands) => {
    await toPage(hands.page, hands.language, name);
    await loaded(hands);
    await then?.(hands);
  },
});
/** What lies on a page after those touches, under a name of its own. */
const on = (name: Page, what: string, then: Screen['touch']): Screen => ({
  ...page(name, then),
  name: `service-${name}-${what}`,
});

/** A page with what only time, a full disk or people make of it. */
const told = (name: Page, what: string, answers: answered.Answers, then?: Screen['touch']): Screen => ({
  ...page(name, then),
  name: `service-${name}-${what}`,
  from: VIEWS.service,
  answers,
  tested: true,
});

const scrolledDown = async ({ page: glass }: Hands): Promise<void> =>
  glass.getByRole('main').locator('h3').last().scrollIntoViewIfNeeded();

/** A part of a date, by its place in the field that begins the page's bar as number `field`. */
const ofDate = ({ page: glass, language }: Hands, field: string, name: string): Locator =>
  glass.getByLabel(
    `${text(language, field, {}, 'service')}: ${text(language, `moment.${name}`, {}, 'service')}`,
    { exact: true },
  );

const enterPin = async ({ page: glass }: Hands, pin: string): Promise<void> => {
  await glass.locator('.pin-pad').focus();
  await glass.keyboard.type(pin);
  await glass.keyboard.press('Enter');
};

/** The page where options are changed; a change that waits is dropped first. */
const changing = async (hands: Hands): Promise<void> => {
  await hands.service('change.title').click();
  await loaded(hands);
  const drop = hands.service('change.drop');
  if ((await drop.count()) > 0) {
    await drop.click();
    await enterPin(hands, CREDENTIAL.technician.pin);
  }
  await hands.page.locator('#option-decks').waitFor();
};
const change = async (hands: Hands, decks: string): Promise<void> => {
  await changing(hands);
  await hands.page.locator('#option-decks').fill(decks);
};
const REASON = 'Carta 4/2026';
const sign = async (hands: Hands): Promise<void> => {
  await change(hands, '8');
  await hands.page.locator('.data').nth(1).waitFor();
  await hands.page.getByLabel(text(hands.language, 'change.reason', {}, 'service')).fill(REASON);
  await hands.service('change.enter').click();
  await hands.page.locator('.pin-pad').scrollIntoViewIfNeeded();
};

/** A part of the map, after these touches. */
const part = (
  name: string,
  id: string,
  answers: answered.Answers,
  devices: readonly DeviceView[],
  then?: Screen['touch'],
): Screen => ({
  name: `service-part-${name}`,
  from: { ...VIEWS.service, devices },
  answers,
  touch: async (hands) => {
    await toPart(hands.page, id);
    await then?.(hands);
  },
});
const TOLD_DEVICES = answered.NOTE_TABLE.devices!.devices.map(({ view }) => view);

/** Service mode where devices are broken; the guide to the first repair after so many steps. */
const guide = async ({ page: glass, service, language }: Hands, steps: number): Promise<void> => {
  await glass.locator('.button-service').last().click();
  await glass.keyboard.type(CREDENTIAL.technician.pin);
  await glass.keyboard.press('Enter');
  await glass.locator(`.service-head .language[lang=${language}]`).click();
  await glass.locator('.part-fault').first().waitFor();
  if (steps === 0) return;
  await toPart(glass, 'acceptor-1');
  for (let i = 1; i < steps; i += 1) await service('repair.next').click();
};

const LISTED: readonly Screen[] = [
  { name: 'service-sign-in', from: VIEWS.turn, role: 'service' },
  {
    name: 'service-map',
    from: 'service',
    touch: ({ page: glass }) => glass.locator('.part').first().waitFor(),
  },
  {
    name: 'service-map-faults',
    from: { ...VIEWS.service, devices: answered.MAP_DEVICES },
    answers: answered.MAP,
    touch: ({ page: glass }) => glass.locator('.part-fault').first().waitFor(),
    tested: true,
  },
  { ...part('jammed', 'acceptor-3', answered.MAP, answered.MAP_DEVICES), tested: true },
  { ...part('in-order', 'acceptor-1', answered.MAP, answered.MAP_DEVICES), tested: true },
  part('clock', 'clock', answered.MAP, answered.MAP_DEVICES),
  part('cabinet', 'cabinet', answered.MAP, answered.MAP_DEVICES),
  part('ups', 'ups', answered.MAP, answered.MAP_DEVICES),
  { ...part('note-table', 'acceptor-1', answered.NOTE_TABLE, TOLD_DEVICES), tested: true },
  { ...part('slips', 'printer', answered.NOTE_TABLE, TOLD_DEVICES), tested: true },
  {
    name: 'service-part-recorded',
    from: 'service',
    touch: async ({ page: glass, service }) => {
      await toPart(glass, 'acceptor-1');
      await service('device.record').click();
      await glass.locator('.part-panel output', { hasText: /./ }).last().waitFor();
    },
  },
  { ...page('devices'), tested: true },
  { ...page('notes'), tested: true },
  {
    ...told('payouts', 'paid', answered.PAYOUTS),
    from: { ...VIEWS.service, handPays: VIEWS.desk.handPays },
  },
  on('notes', 'empty', (hands) => hands.page.locator('.service-bar select').nth(1).selectOption('held')),
  page('displays', ({ page: glass }) => glass.locator('.touch-map').waitFor()),
  on('displays', 'touch-test', async ({ page: glass, service }) => {
    await service('displays.test').click();
    const { width, height } = glass.viewportSize()!;
    await glass.mouse.move(width * 0.1, height * 0.2);
    await glass.mouse.down();
    await glass.mouse.move(width * 0.8, height * 0.8, { steps: 20 });
    await glass.mouse.up();
  }),
  on('displays', 'touch-setting', ({ service }) => service('displays.set').click()),
  on('displays', 'touch-tested', async ({ page: glass, service }) => {
    await service('displays.test').click();
    await glass.keyboard.press('Escape');
  }),
  {
    ...page('sound', async ({ page: glass, language }) => {
      const reading = text(language, 'sound.reading', {}, 'service');
      await glass.getByText(reading).waitFor({ state: 'detached', timeout: 600_000 });
    }),
    tested: true,
  },
  {
    ...page('sound', scrolledDown),
    name: 'service-sound-outputs',
    from: VIEWS.service,
    answers: answered.SPEECH,
  },
  { ...page('clock'), tested: true },
  told('clock', 'set', answered.CLOCK),
  told('clock', 'behind', answered.CLOCK_BEHIND),
  { ...page('meters'), tested: true },
  on('meters', 'by-seat', ({ page: glass }) =>
    glass.getByRole('main').locator('select').last().selectOption('seat'),
  ),
  {
    ...on('meters', 'period', async (hands) => {
      await ofDate(hands, 'meters.from', 'day').selectOption({ index: 1 });
      await ofDate(hands, 'meters.asOf', 'hour').selectOption('23');
    }),
    tested: true,
  },
  on('meters', 'wrong-period', async (hands) => {
    await ofDate(hands, 'meters.asOf', 'day').selectOption({ index: 1 });
    await ofDate(hands, 'meters.from', 'hour').selectOption('23');
  }),
  { ...page('charts'), tested: true },
  on('charts', 'month', async (hands) => {
    await hands.service('charts.days', { n: 31 }).click();
    await loaded(hands);
  }),
  on('charts', 'as-tables', async ({ page: glass }) => {
    for (const summary of (await glass.locator('.as-table summary').all()).reverse()) await summary.click();
  }),
  { ...page('events'), tested: true },
  {
    ...on('events', 'filtered', async (hands) => {
      await hands.page.locator('.service-bar select').first().selectOption({ index: 5 });
      await hands.page.locator('.service-bar select').nth(2).selectOption('3');
      await loaded(hands);
    }),
  },
  {
    ...on('events', 'stored', (hands) => hands.service('device.bytes').click()),
    tested: true,
  },
  on('events', 'none', async (hands) => {
    await ofDate(hands, 'events.from', 'year').selectOption({ index: 1 });
    await loaded(hands);
  }),
  { ...page('rounds'), tested: true },
  on('rounds', 'none', async (hands) => {
    await hands.page.locator('.finder-keys').last().getByRole('button').first().click();
    await loaded(hands);
  }),
  {
    ...page('rounds', async ({ page: glass }) => {
      await glass.locator('.data .button').first().click();
      await glass.locator('.recall-mark').waitFor();
    }),
    name: 'service-round',
    tested: true,
  },
  {
    ...page('rounds', async ({ page: glass }) => {
      await glass.locator('.data .button').first().click();
      await glass.locator('.entry').last().scrollIntoViewIfNeeded();
    }),
    name: 'service-round-entries',
  },
  { ...page('profile'), tested: true },
  on('profile', 'table', async ({ page: glass }) => {
    for (const summary of (await glass.locator('.entry summary').all()).reverse()) await summary.click();
    await glass.locator('.entry').last().scrollIntoViewIfNeeded();
  }),
  { ...on('profile', 'change', changing), tested: true },
  on('profile', 'change-illegal', async (hands) => {
    await change(hands, '13');
    const wrong = hands.page.locator('.service-page li.bad').first();
    await wrong.waitFor();
    await wrong.scrollIntoViewIfNeeded();
  }),
  on('profile', 'change-typed', async (hands) => {
    await changing(hands);
    await hands.page.locator('#option-decks').click();
    await hands.page.getByLabel(text(hands.language, 'change.reason', {}, 'service')).click();
    await hands.page.locator('.keypad').last().scrollIntoViewIfNeeded();
  }),
  on('profile', 'change-sign', sign),
  on('profile', 'change-second', async (hands) => {
    await sign(hands);
    await enterPin(hands, CREDENTIAL.technician.pin);
  }),
  on('profile', 'change-waits', async (hands) => {
    await sign(hands);
    await enterPin(hands, CREDENTIAL.technician.pin);
    await enterPin(hands, CREDENTIAL.supervisor.pin);
    await hands.service('change.drop').waitFor();
  }),
  { ...page('tables'), tested: true },
  told('people', 'roster', answered.PEOPLE),
  { ...page('link'), tested: true },
  told('link', 'up', answered.LINK),
  told('link', 'forked', answered.LINK_FORKED),
  { ...page('reading'), tested: true },
  told('reading', 'differed', answered.READING),
  { ...page('storage'), tested: true },
  told('storage', 'used', answered.STORAGE),
  told('storage', 'short', answered.STORAGE_SHORT),
  { ...page('software'), tested: true },
  told('software', 'listed', answered.SOFTWARE, async (hands) => {
    await hands.page.locator('summary').last().click();
    await hands.page.locator('details .service-bar input').waitFor();
  }),
  on('software', 'files', async (hands) => {
    await hands.page.locator('summary').last().click();
    await loaded(hands);
  }),
  {
    ...page('selfTest', async (hands) => {
      await hands.service('test.run').click();
      await hands.page.getByRole('table').waitFor();
    }),
    tested: true,
  },
  told('selfTest', 'runs', answered.SELF_TEST_RUNS),
  told('selfTest', 'failed', answered.SELF_TEST_FAILED),
  { ...page('drills'), tested: true },
  on('drills', 'over', async ({ page: glass, language }) => {
    const over = glass.getByText(text(language, 'drillOutcome.as-it-should', {}, 'service'));
    // Held once; the other languages look at the same one.
    if ((await over.count()) === 0) await glass.locator('.data .button:enabled').first().click();
    await over.waitFor({ timeout: LONG_MS });
  }),
  { ...page('exports'), tested: true },
  on('exports', 'made', async ({ page: glass }) => {
    const run = glass.locator('.export-run .good');
    if ((await run.count()) === 0) await glass.locator('.data .button:enabled').first().click();
    await run.waitFor({ timeout: LONG_MS });
  }),
  {
    name: 'service-leaving',
    from: {
      ...VIEWS.service,
      service: { ...VIEWS.service.service!, leavesAtMs: VIEWS.service.nowMs + 42_000 },
    },
    answers: answered.LEDGER_FAULTS,
  },
  {
    name: 'fault-ledger-in-service',
    from: { ...VIEWS.service, ledgerFaults: ['storage-low', 'ledger-copy-failed'] },
    answers: answered.LEDGER_FAULTS,
    tested: true,
  },
  { name: 'fault-devices-in-service', from: 'broken', touch: (hands) => guide(hands, 0) },
  { name: 'fault-guide', from: 'broken', touch: (hands) => guide(hands, 1) },
  { name: 'fault-guide-waits', from: 'broken', touch: (hands) => guide(hands, 4) },
];

/** Pages that are only opened need no line above. */
export const SERVICE_SCREENS: readonly Screen[] = [
  ...LISTED,
  ...GROUP_NAMES.flatMap((group) => GROUPS[group])
    .filter((each) => LISTED.every(({ name }) => name !== `service-${each}`))
    .map((each) => page(each)),
];
