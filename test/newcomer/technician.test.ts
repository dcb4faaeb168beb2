/**
 * A technician at the terminal as it ships and as `npm start` starts it, by visible controls alone
 * and in the order of a visit: in by name and PIN, the map, the devices that are broken and their
 * guides, every page with what there is to do on it, every drill, and out again.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page as Glass, Locator } from 'playwright-core';
import type { Language } from '../../engine/table/inputs.ts';
import type { RackClient } from '../../hardware/rack/rack-client.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { GROUP_NAMES, GROUPS } from '../../renderer/service/page-groups.ts';
import { LANGUAGES } from '../../renderer/texts/i18n.ts';
import { DRILL_IDS } from '../../wire/drills.ts';
import type { Page } from '../../wire/rights.ts';
import { attack, handsAt, rackOf } from '../attacks/kit.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { dealtRound, done, PEOPLE, seen } from '../support/dealt-round.ts';
import type { TestDisplay } from '../support/display.ts';
import { entriesOf } from '../support/entries.ts';
import { partOf, toPage, toPart } from '../support/service-road.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import { Touches } from './touches.ts';

const skip = noChromium;
const chromium = useChromium();
const LONG_MS = 240_000;

type Values = Readonly<Record<string, string | number>>;
type Space = 'table' | 'service' | 'map';

/** The screen as this person reads and touches it. */
class Technician {
  readonly glass: Glass;
  language: Language = 'zh-Hant';

  constructor(glass: Glass) {
    this.glass = glass;
  }

  say(key: string, values: Values = {}, space: Space = 'service'): string {
    return text(this.language, key, values, space);
  }

  button(key: string, values: Values = {}, space: Space = 'service'): Locator {
    return this.glass.getByRole('button', { name: this.say(key, values, space), exact: true });
  }

  get main(): Locator {
    return this.glass.getByRole('main');
  }

  async speak(language: Language): Promise<void> {
    await this.glass.locator('.service-head').locator(`button[lang="${language}"]`).click();
    this.language = language;
  }

  async signIn(): Promise<void> {
    const bi = `${text('zh-Hant', 'service.button')} ${text('pt', 'service.button')}`;
    await this.glass.getByRole('button', { name: bi }).click();
    const pad = this.glass.getByRole('dialog');
    const key = (name: string): Locator => pad.getByRole('button', { name, exact: true });
    // Where one person alone does this as a rule the pad begins with the PIN.
    if ((await pad.getByText('João Silva').count()) === 0) await key('João Silva').click();
    for (const digit of PEOPLE.technician.pin) await key(digit).click();
    await key(text('zh-Hant', 'pin.ok')).click();
    await this.glass.locator('.service-head').waitFor();
  }

  async loaded(): Promise<void> {
    await this.main.getByText(this.say('loading'), { exact: true }).first().waitFor({ state: 'detached' });
    assert.equal(await this.main.getByRole('alert').count(), 0, await this.main.innerText());
  }

  async toMap(): Promise<void> {
    const name = this.say('map', {}, 'map');
    await this.glass
      .getByRole('navigation', { name: this.say('pages'), exact: true })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
    await this.glass.getByRole('main', { name, exact: true }).waitFor();
  }

  /** Types the PIN of the technician on the pad that is open. */
  async sign(): Promise<void> {
    const pad = this.glass.getByRole('dialog').last();
    for (const digit of PEOPLE.technician.pin)
      await pad.getByRole('button', { name: digit, exact: true }).click();
    await pad.getByRole('button', { name: this.say('pin.ok', {}, 'table') }).click();
  }
}

/** The slip of this kind has come out once more, as a copy, in the name of who is here. */
async function printedAgain(data: string, kind: 'drop' | 'hand-pay'): Promise<void> {
  interface Sent {
    readonly slip: string;
    readonly copy: boolean;
    readonly person: { readonly name: string } | null;
  }
  const of = <T extends { readonly slip: string }>(entry: string): readonly T[] =>
    entriesOf(data, entry)
      .map(({ body }) => body as T)
      .filter(({ slip }) => slip === kind);
  const ended = await until(`a copy of ${kind}`, () => {
    const all = of<{ slip: string; printed: boolean }>('slip-ended');
    return all.length > 1 ? all : null;
  });
  assert.deepEqual(
    ended.map(({ printed }) => printed),
    [true, true],
  );
  assert.deepEqual(
    of<Sent>('slip-sent').map(({ copy, person }) => [copy, person?.name ?? null]),
    [
      [false, null],
      [true, 'João Silva'],
    ],
  );
}

/** What there is to do on a page once it is open; a page that is only read is not listed. */
const USED: Readonly<Partial<Record<Page, (who: Technician, data: string) => Promise<unknown>>>> = {
  people: async ({ main }) => {
    await main.getByRole('cell', { name: 'João Silva' }).waitFor();
  },
  meters: async ({ main }) => {
    await main.getByRole('cell').first().waitFor();
    await main.locator('select').last().selectOption('seat');
    await main.getByRole('columnheader').nth(3).waitFor();
  },
  charts: async (who) => {
    await who.button('charts.days', { n: 7 }).click();
    await who.main.locator('.as-table summary').first().click();
    await who.main.getByRole('table').first().waitFor();
  },
  notes: async (who) => {
    await who.main.getByRole('table').first().getByRole('button').first().click();
    const line = who.main.getByRole('table', { name: who.say('notes.trace') });
    await line.waitFor();
    // Bytes of the note, each with its words.
    assert.ok((await line.locator('code').count()) > 3);
    assert.equal(await line.getByText(who.say('notUnderstood', {}, 'map')).count(), 0);
  },
  payouts: async (who, data) => {
    await who.main.getByRole('heading', { name: who.say('payouts.waiting') }).waitFor();
    await who.button('slips.print').click();
    await printedAgain(data, 'hand-pay');
  },
  devices: async (who) => {
    await who.main.getByRole('button').first().click();
    await who.glass.locator('.part-panel header').waitFor();
  },
  displays: async (who) => {
    await who.main.locator('.touch-map').first().waitFor();
    await who.button('displays.test').click();
    await who.button('displays.done').click();
    await who.main.getByRole('status').first().waitFor();
  },
  sound: async (who) => {
    await who.glass.getByText(who.say('sound.reading')).waitFor({ state: 'detached', timeout: 600_000 });
    await who.main.getByRole('table').getByRole('button').first().click();
  },
  rounds: async (who) => {
    await who.main.getByRole('table').getByRole('button').first().click();
    await who.main.locator('.recall-mark').waitFor();
    await who.button('back').click();
    await who.main.locator('.finder').waitFor();
  },
  events: async (who) => {
    await who.button('device.bytes').click();
    await who.main.locator('.entry-bytes').first().waitFor();
    await who.main.locator('select').nth(1).selectOption('F');
    await who.loaded();
  },
  exports: async (who, data) => {
    await who.button('exports.makeTo', { path: join(data, 'exports') }).click();
    const made = await until('an export', () => entriesOf(data, 'export-made')[0] ?? null, {
      limitMs: LONG_MS,
    });
    const { dir, ok } = made.body as { dir: string; ok: boolean };
    assert.ok(ok && existsSync(join(dir, 'manifest.json')), dir);
    await who.main.getByText(who.say('exports.ok', { dir })).waitFor();
  },
  profile: async (who) => {
    await who.button('change.title').click();
    // Without a keyboard: the keys come with the touch on the field.
    await who.main.locator('#option-decks').click();
    const keys = who.main.locator('.keypad');
    const key = (name: string): Locator => keys.getByRole('button', { name, exact: true });
    for (const name of [who.say('pin.erase', {}, 'table'), '1', '3']) await key(name).click();
    await who.main.locator('li.bad').first().waitFor();
    await key(who.say('typed', {}, 'map')).click();
    const reason = who.say('reason.correction', {}, 'map');
    await who.main.getByRole('button', { name: reason }).click();
    assert.equal(await who.main.getByLabel(who.say('change.reason')).inputValue(), reason);
    await who.button('change.title').click();
  },
  tables: ({ main }) => main.locator('.ready-table').first().waitFor(),
  link: (who) => who.main.getByText(who.say('link.up'), { exact: true }).waitFor(),
  clock: ({ main }) => main.locator('.clock-now').waitFor(),
  storage: async (who) => {
    await who.button('storage.checkNow').click();
    await who.main.getByRole('table', { name: who.say('storage.checks') }).waitFor({ timeout: LONG_MS });
  },
  reading: ({ main }) => main.locator('.device, .service-note').first().waitFor(),
  selfTest: async (who) => {
    const run = who.button('test.run');
    await run.click({ timeout: LONG_MS });
    await who.main.getByRole('table').waitFor({ timeout: LONG_MS });
    assert.equal(await who.main.locator('b.bad').count(), 0, await who.main.innerText());
  },
  drills: async (who, data) => {
    // One that is stopped, then two to their end; each is held in test/e2e/service.test.ts.
    const holdOf = (drill: string) =>
      who.button('drill.holdOf', { drill: who.say(`fault.${drill}`, {}, 'table') });
    await holdOf(DRILL_IDS[0]).click();
    await who.main.getByRole('button', { name: who.say('stop', {}, 'map') }).click();
    await who.main.getByText(who.say('drillOutcome.stopped')).waitFor();
    assert.equal((entriesOf(data, 'drill-ended')[0]!.body as { outcome: string }).outcome, 'stopped');
    for (const [index, drill] of DRILL_IDS.slice(0, 2).entries()) {
      await holdOf(drill).click();
      const ended = await until(
        `the end of ${drill}`,
        () => entriesOf(data, 'drill-ended')[index + 1] ?? null,
        {
          limitMs: LONG_MS,
        },
      );
      assert.deepEqual((({ drill, outcome }) => [drill, outcome])(ended.body as Record<string, string>), [
        drill,
        'as-it-should',
      ]);
      await who.main.getByText(who.say('drillOutcome.as-it-should')).waitFor();
    }
  },
  software: async (who) => {
    await who.main.locator('.phrase li').nth(7).waitFor();
    await who.main.locator('summary').last().click();
    await who.main.getByRole('table', { name: who.say('software.files') }).waitFor();
  },
};

/** A note of somebody who goes again at once: paid by hand, with its slip. */
async function payOut(table: TestDisplay, rack: RackClient, seat: number): Promise<void> {
  await handsAt(rack, { do: 'insert-note', acceptor: seat, valueMinor: 10_000, currency: 'MOP' });
  await seen(table, 'the credit', ({ seats }) => seats[seat - 1]!.creditMinor === 10_000);
  await done(table, { type: 'request-cash-out', seat });
  await seen(table, 'the cash-out', ({ handPays }) => handPays.length > 0);
  const { requestId } = table.view.handPays[0]!;
  await done(table, { type: 'confirm-hand-pay', seat, requestId, credential: PEOPLE.attendant });
}

/** Faults that hands can make at a device, and how it is mended; `signs`: the technician does. */
interface Broken {
  readonly device: string;
  readonly fault: Extract<RackCommand, { do: 'fault' }>['fault'];
  readonly mend: Extract<RackCommand, { do: 'fault' }>['fault'];
  readonly short: string;
  readonly signs?: true;
}
const BROKEN: readonly [Broken, ...Broken[]] = [
  { device: 'acceptor-1', fault: 'jam', mend: 'clear-jam', short: 'acceptor-jammed' },
  { device: 'acceptor-3', fault: 'cassette-out', mend: 'cassette-in', short: 'cash-box-removed' },
  { device: 'acceptor-2', fault: 'failure', mend: 'repair', short: 'acceptor-failed', signs: true },
  { device: 'shoe', fault: 'cover-open', mend: 'cover-close', short: 'shoe-cover-open' },
  { device: 'shoe', fault: 'jam', mend: 'clear-jam', short: 'shoe-jam' },
];

test('every part, guide, page and drill of service mode is opened and used at the terminal as it ships', {
  skip,
  timeout: 3_600_000,
}, async (t) => {
  const { terminal, data, display } = await attack(t, { centre: true });
  const rack = await rackOf(data);
  const table = await display('table');
  t.after(() => {
    rack.close();
    table.close();
  });
  await dealtRound(table);
  await payOut(table, rack, 2);
  assert.ok(await table.until(({ link }) => link.state === 'up', LONG_MS), 'the link');
  // What the technician is called for.
  const [jam, ...broken] = BROKEN;
  await handsAt(rack, { do: 'fault', device: jam.device, fault: jam.fault });
  await seen(table, 'the jam', ({ devices }) =>
    devices.some(({ id, fault }) => id === jam.device && fault !== null),
  );
  const url = await terminal.mint('table');
  const { page: glass, troubles } = await openDisplay(chromium.browser, url, {
    size: SIZES[0]!,
    painted: false,
  });
  t.after(() => glass.close());
  const who = new Technician(glass);
  const touches = await Touches.of(glass);
  /** Follows the guide of the part that is shown to its end. */
  const mend = async (
    { device, mend, short, signs }: Broken,
    by: (touch: () => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const panel = glass.locator('.part-panel');
    await panel.locator('.guide-steps').waitFor();
    const due = panel.locator('[aria-current="step"]');
    const count = await panel.locator('.guide-steps li').count();
    assert.ok(count > 0, short);
    for (let at = 0; at < count; at += 1) {
      assert.equal(await due.count(), 1, `step ${at + 1} of ${short} is due`);
      await by(() => who.button('repair.next').click());
    }
    await panel.getByText(who.say('repair.waiting')).waitFor();
    await handsAt(rack, { do: 'fault', device, fault: mend });
    if (signs) {
      await panel.getByText(who.say('repair.confirm', { who: who.say('role.technician') })).waitFor();
      await who.sign();
    }
    await panel.getByText(who.say(signs ? 'repair.confirmed' : 'repair.over')).waitFor();
    await by(() => who.button('repair.close').click());
    await panel.getByRole('button', { name: who.say('close', {}, 'map') }).click();
    await glass.locator('.part-fault').first().waitFor({ state: 'detached' });
  };
  await touches.during('open service mode', () => who.signIn());
  await mend(jam, (touch) => touches.during('mend a jam', touch));

  // The map, and every part of it.
  const parts = glass.locator('[data-part]');
  await partOf(glass, 'program').waitFor();
  await until('no fault from the start', async () => (await glass.locator('.part-fault').count()) === 0, {
    limitMs: LONG_MS,
  });
  const ids = await parts.evaluateAll((all) => all.map((each) => each.getAttribute('data-part')!));
  for (const id of ['shoe', 'acceptor-1', 'acceptor-7', 'display:table', 'link', 'ledger', 'copy', 'clock'])
    assert.ok(ids.includes(id), `${id} of ${ids.join(', ')}`);
  for (const [index, id] of ids.entries()) {
    await who.speak(LANGUAGES[index % 3]!);
    const panel = await toPart(glass, id);
    await panel.locator('.drawing').waitFor();
    if (table.view.devices.some((device) => device.id === id)) {
      const frames = panel.locator('.frames li');
      await frames.first().waitFor();
      const said = await frames.allInnerTexts();
      assert.deepEqual(
        said.filter((line) => line.includes(who.say('notUnderstood', {}, 'map'))),
        [],
        id,
      );
      await panel.getByRole('button', { name: who.say('device.record') }).click();
      await panel.locator('output', { hasText: /\.jsonl/ }).waitFor();
    }
    await panel.getByRole('button', { name: who.say('close', {}, 'map') }).click();
  }

  // What is broken is seen on its group and at its place, and its guide leads to the end.
  for (const [index, each] of broken.entries()) {
    const { device, fault, short } = each;
    await who.speak(LANGUAGES[index % 3]!);
    await handsAt(rack, { do: 'fault', device, fault });
    await glass.locator('.nav-count-fault').first().waitFor();
    const part = partOf(glass, device);
    await part.getByText(who.say(`short.${short}`, {}, 'map'), { exact: true }).waitFor();
    await toPart(glass, device);
    await mend(each, (touch) => touch());
  }

  // The cash box that was taken out has its ticket, and a copy where somebody asks for one.
  await who.speak('pt');
  const printer = await toPart(glass, 'printer');
  const title = who.say('slips.title');
  await printer.locator('summary', { hasText: title }).click();
  const slips = printer.getByRole('table', { name: title });
  await slips.getByText(who.say('slips.printed'), { exact: true }).first().waitFor();
  await slips
    .getByRole('button', { name: who.say('slips.print'), exact: true })
    .first()
    .click();
  await printedAgain(data, 'drop');
  const sight = await rack.do({ do: 'state' });
  assert.ok(sight.ok && sight.printer.pieces.at(-1)?.includes('2.ª VIA / COPY'), JSON.stringify(sight));
  await who.button('close', {}, 'map').click();

  // Every page.
  for (const [index, group] of GROUP_NAMES.entries()) {
    await who.speak(LANGUAGES[index % 3]!);
    for (const page of GROUPS[group]) {
      const use = async (): Promise<void> => {
        await toPage(glass, who.language, page);
        await who.loaded();
        await USED[page]?.(who, data);
      };
      await (page === 'exports' ? touches.during('export', use) : use());
      if (page === 'devices') await who.toMap();
    }
  }

  t.diagnostic(`touches: ${touches.told}`);
  touches.check();
  await who.button('exit').click();
  await glass.locator('.service').waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
  await glass.close();
  assert.equal(await terminal.stop(), 0);
  assert.equal(verifyLedger(join(data, 'ledger.db')).problem, '');
});
