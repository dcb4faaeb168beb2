/**
 * One player's own settings, session and notes, in Debian's Chromium against a host that shows
 * chosen views.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { cardOf } from '../../engine/core/cards.ts';
import { minor } from '../../engine/core/money.ts';
import { type Comfort, PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { SeatView, SessionView, TableView } from '../../wire/view.ts';
import { type FakeHost, startFakeHost } from '../fixtures/fake-host.ts';
import { choice, NOW_MS, ruled } from '../fixtures/view-kit.ts';
import { VIEWS } from '../fixtures/views.ts';
import { noChromium, openDisplay, problems } from '../support/chromium.ts';
import { LONG } from '../support/long.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import { chromium } from './kit.ts';

const skip = noChromium;
const SMALLEST = { width: 1366, height: 768 };

declare global {
  interface Window {
    /** Sounds that were begun. */
    started: { readonly context: AudioContext; readonly isWhole: boolean; readonly state: string }[];
  }
}

async function open(
  t: TestContext,
  view: TableView,
  role: DisplayRole = 'table',
): Promise<{ host: FakeHost; page: Page }> {
  const host = await startFakeHost({ root: chromium.root, role, view });
  t.after(() => host.close());
  const { page } = await openDisplay(chromium.browser, host.url, { size: SMALLEST, painted: false });
  t.after(() => page.close());
  return { host, page };
}

const panel = (page: Page, seat: number, language: SeatView['language'] = 'zh-Hant'): Locator =>
  page.getByRole('region', { name: text(language, 'seat.name', { seat }), exact: true });

const withSeats = (view: TableView, over: (seat: SeatView) => Partial<SeatView>): TableView => ({
  ...view,
  seats: view.seats.map((seat) => ({ ...seat, ...over(seat) })),
});

async function show(page: Page, host: FakeHost, view: TableView): Promise<void> {
  await host.show(view);
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

async function sent(host: FakeHost, count: number): Promise<readonly Command[]> {
  const { commands } = host;
  await until(`${count} commands`, () => commands.length >= count, {
    said: () => `only ${JSON.stringify(commands)}`,
  });
  return commands;
}

const SESSION: SessionView = {
  sinceMs: NOW_MS - 72 * 60_000,
  inMinor: minor(300_000),
  outMinor: minor(50_000),
  resultMinor: minor(-85_000),
  limits: { timeMs: 3_600_000, lossMinor: null },
  reached: null,
  mayRaise: true,
  standing: ['timeMs', 'lossMinor', 'inMinor'],
};
const LANGUAGES = ['zh-Hant', 'pt', 'en'] as const;

/** Controls of a seat that lie above the middle of the display. */
const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.panel :is(button, summary, [role="button"])')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => {
        const { top, height } = control.getBoundingClientRect();
        return height > 1 && top + height / 2 < innerHeight / 2;
      })
      .map((control) => `${control.className} ${control.textContent ?? ''}`.trim()),
  );

test('J6: with large text, high contrast and low reach nothing is cut either, on the smallest display', {
  skip: skip || LONG,
}, async (t) => {
  const { host, page } = await open(t, VIEWS['idle-empty']);
  const comforts: readonly Partial<Comfort>[] = [
    { text: 'large' },
    { text: 'large', contrast: 'high', reach: 'low', motion: 'none', leftHand: true },
  ];
  for (const [name, view] of Object.entries(VIEWS))
    for (const [by, comfort] of comforts.entries()) {
      const dressed = withSeats(view, ({ seat }) => ({
        language: LANGUAGES[(seat + by) % 3]!,
        comfort: { ...PLAIN_COMFORT, ...comfort },
      }));
      await show(page, host, dressed);
      assert.deepEqual(await problems(page), [], `${name} ${JSON.stringify(comfort)}`);
      if (comfort.reach === 'low') assert.deepEqual(await outOfReach(page), [], `J9: ${name}`);
    }
  // J9: what is opened over the panel is within reach too.
  const low: Comfort = { ...PLAIN_COMFORT, reach: 'low', text: 'large' };
  await show(
    page,
    host,
    withSeats(ruled(VIEWS.betting, 'macau-blackjack-2009'), () => ({ comfort: low, language: 'pt' })),
  );
  await panel(page, 1, 'pt').locator('.rules-tab').click();
  await panel(page, 2, 'pt')
    .getByRole('button', { name: text('pt', 'settings.title') })
    .click();
  await page.locator('.panel .rules').nth(1).waitFor();
  assert.deepEqual(await outOfReach(page), [], 'J9: rules and settings');
  // What has little to say is larger: one and a half times.
  await show(
    page,
    host,
    withSeats(VIEWS['idle-empty'], () => ({ comfort: { ...PLAIN_COMFORT, text: 'large' } })),
  );
  const zoom = await panel(page, 1)
    .locator('.panel-body')
    .evaluate((body) => Number(getComputedStyle(body).zoom));
  assert.ok(zoom > 1.05, `zoom ${zoom}`);
});

test('one touch opens the settings of one seat; each is sent at once, and shown as soon as the host has it', {
  skip,
}, async (t) => {
  const { host, page } = await open(t, VIEWS.betting);
  const seat = panel(page, 1);
  await seat.getByRole('button', { name: text('zh-Hant', 'settings.title') }).click();
  const sheet = seat.getByRole('dialog', { name: text('zh-Hant', 'settings.title') });
  await sheet
    .getByRole('group', { name: text('zh-Hant', 'settings.text') })
    .getByRole('button', { name: text('zh-Hant', 'settings.text-large') })
    .click();
  const comfort = { ...PLAIN_COMFORT, text: 'large' } as const;
  assert.deepEqual(await sent(host, 1), [{ type: 'set-comfort', seat: 1, comfort }]);
  assert.equal(await seat.getAttribute('data-text'), 'normal', 'not before the host says so');
  await show(
    page,
    host,
    withSeats(VIEWS.betting, ({ seat: each }) => (each === 1 ? { comfort } : {})),
  );
  assert.equal(await seat.getAttribute('data-text'), 'large');
  assert.equal(await panel(page, 2, VIEWS.betting.seats[1]!.language).getAttribute('data-text'), 'normal');
  assert.equal(await sheet.getByRole('button', { pressed: true }).count(), 8, 'seven settings and the page');
});

test('J9: for the left hand what is touched lies left of what is read; the order of the answers stays', {
  skip,
}, async (t) => {
  const dressed = (view: TableView, leftHand: boolean): TableView =>
    withSeats(view, () => (leftHand ? { comfort: { ...PLAIN_COMFORT, leftHand } } : {}));
  const { host, page } = await open(t, VIEWS.turn, 'seat:3');
  const leftOf = (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().left);
  for (const leftHand of [false, true]) {
    const isLeft = async (touched: string, read: string): Promise<void> =>
      assert.equal((await leftOf(touched)) < (await leftOf(read)), leftHand, `${touched}, ${read}`);
    await show(page, host, dressed(VIEWS.turn, leftHand));
    await isLeft('.decisions', '.hand-cards');
    await isLeft('.icon-button', '.seat-number');
    assert.ok((await leftOf('.decision-hit')) < (await leftOf('.decision-stand')));
    await show(page, host, dressed(VIEWS['2009-betting'], leftHand));
    await isLeft('.chips', '.bet-rows');
    await isLeft('.button-tool', '.bet-rows');
  }
});

test('the level of the sound stays as it was made at a free seat too, until who sat there has gone; no error sounds like a win', {
  skip,
}, async (t) => {
  const taken = (free: boolean): TableView =>
    withSeats(VIEWS['idle-empty'], ({ seat }) => (seat === 1 ? { free } : {}));
  const { host, page } = await open(t, taken(true));
  const seat = panel(page, 1);
  const levelIs = async (level: 'off' | 'soft'): Promise<void> => {
    const name = text('zh-Hant', `sound.${level}`);
    await seat.getByRole('button', { name, pressed: true, exact: true }).waitFor();
  };
  await seat.getByRole('button', { name: text('zh-Hant', 'settings.title') }).click();
  await levelIs('soft');
  await seat.getByRole('button', { name: text('zh-Hant', 'sound.off'), exact: true }).click();
  await levelIs('off');
  for (const free of [true, false]) {
    await show(page, host, taken(free));
    await levelIs('off');
    // MO20 2.1: somebody has come, and the clock says since when.
    if (!free) await seat.locator('.clock-flash').waitFor();
  }
  await show(page, host, taken(true));
  await levelIs('soft');
  // And somebody has gone.
  await seat.locator('.clock-flash').waitFor();

  // J13: the clips as they ship: nothing that is refused or held is made of what a win is.
  const clips = Object.fromEntries(
    ['win', 'refused', 'attention'].map((key) => [
      key,
      readFileSync(join(import.meta.dirname, '../../assets/sound/effect', `${key}.opus`)).toString('base64'),
    ]),
  );
  const spectra = await page.evaluate(async (encoded) => {
    const context = new OfflineAudioContext(1, 24_000, 24_000);
    /** How much of the sound lies at 100, 110 … 2000 Hz, of length 1. */
    const spectrumOf = async (clip: string): Promise<number[]> => {
      const { buffer } = Uint8Array.from(atob(clip), (byte) => byte.charCodeAt(0));
      const audio = await context.decodeAudioData(buffer);
      const samples = audio.getChannelData(0);
      const power = Array.from({ length: 191 }, (_, step) => {
        const turn = (2 * Math.PI * (100 + 10 * step)) / audio.sampleRate;
        let [re, im] = [0, 0];
        samples.forEach((sample, at) => {
          re += sample * Math.cos(turn * at);
          im += sample * Math.sin(turn * at);
        });
        return re * re + im * im;
      });
      const length = Math.hypot(...power);
      return power.map((each) => each / length);
    };
    return Object.fromEntries(
      await Promise.all(
        Object.entries(encoded).map(async ([key, clip]) => [key, await spectrumOf(clip)] as const),
      ),
    );
  }, clips);
  const alike = (a: string, b: string): number =>
    spectra[a]!.reduce((sum, each, at) => sum + each * spectra[b]![at]!, 0);
  assert.ok(alike('win', 'win') > 0.999);
  for (const [error, most] of [
    ['refused', 0.25],
    ['attention', 0.25],
  ] as const)
    assert.ok(alike(error, 'win') < most, `${error} is like a win: ${alike(error, 'win').toFixed(2)}`);
  const loudest = (key: string): number => 100 + 10 * spectra[key]!.indexOf(Math.max(...spectra[key]!));
  assert.ok(loudest('refused') < 300, `${loudest('refused')} Hz`);
  assert.ok(loudest('win') > 500, `${loudest('win')} Hz`);
});

test('the loudspeaker rests while nothing is to be heard, and runs again before the next sound begins', {
  skip,
}, async (t) => {
  const { host, page } = await open(t, VIEWS['idle-empty']);
  await page.evaluate(() => {
    const { start } = AudioBufferSourceNode.prototype;
    window.started = [];
    AudioBufferSourceNode.prototype.start = function (at = 0, ...part: number[]) {
      const { context } = this;
      // What is due long before this moment of a running context has lost its beginning; its time
      // may go on by some ms from the call to here.
      window.started.push({
        context: context as AudioContext,
        isWhole: at >= context.currentTime - 0.05,
        state: context.state,
      });
      start.call(this, at, ...part);
    };
  });
  const heard = (): Promise<string[]> =>
    page.evaluate(() => window.started.map(({ isWhole, state }) => `${state} ${isWhole}`));
  const states = (): Promise<string[]> =>
    page.evaluate(() => [...new Set(window.started.map(({ context }) => context))].map(({ state }) => state));
  // A browser plays nothing before a hand was there.
  await panel(page, 1)
    .getByRole('button', { name: text('zh-Hant', 'settings.title') })
    .click();
  let before = 0;
  for (const turn of [1, 2]) {
    await show(page, host, VIEWS.betting);
    await until(`sounds of turn ${turn}`, async () => (await heard()).length > before);
    before = (await heard()).length;
    assert.deepEqual([...new Set(await heard())], ['running true']);
    await until(`rest after turn ${turn}`, async () => (await states()).join() === 'suspended');
    await show(page, host, VIEWS['idle-empty']);
  }
});

test('K2, K3: the session is one touch more; a limit that is reached says so and lets nothing be laid', {
  skip,
}, async (t) => {
  const seated = (session: SessionView): TableView =>
    withSeats(VIEWS.betting, ({ seat }) => (seat === 1 ? { session } : {}));
  const { host, page } = await open(t, seated(SESSION));
  const seat = panel(page, 1);
  await seat.getByRole('button', { name: text('zh-Hant', 'settings.title') }).click();
  await seat.getByRole('button', { name: text('zh-Hant', 'settings.session') }).click();
  await seat.getByText('850.00', { exact: true }).waitFor();
  const time = seat.getByRole('group', { name: text('zh-Hant', 'session.timeLimit') });
  const longer = time.getByRole('button', { name: text('zh-Hant', 'session.hours', { hours: 2 }) });
  assert.equal(await longer.getAttribute('aria-disabled'), 'true', 'it stands: only lower');
  await time.getByRole('button', { name: text('zh-Hant', 'session.minutes', { minutes: 30 }) }).click();
  assert.deepEqual((await sent(host, 1))[0], {
    type: 'set-own-limits',
    seat: 1,
    timeMs: 1_800_000,
    lossMinor: null,
  });
  await show(page, host, seated({ ...SESSION, reached: 'loss' }));
  await seat.getByText(text('zh-Hant', 'session.reachedLoss', { amount: '850.00' })).waitFor();
  assert.equal(await seat.locator('.chip-button').count(), 0);
  await seat.getByRole('button', { name: text('zh-Hant', 'session.goOn') }).click();
  assert.deepEqual((await sent(host, 2))[1], { type: 'confirm-own-limit', seat: 1 });
});

test('B12: while another seat decides, a touch notes what is meant and a second one takes it back', {
  skip,
}, async (t) => {
  const ahead = [choice('hit', { seat: 5 }), choice('stand', { seat: 5 }), choice('double', { seat: 5 })];
  const waiting = (intent?: SeatView['intent']): TableView =>
    withSeats(VIEWS.turn, ({ seat }) => (seat === 5 ? { ahead, ...(intent ? { intent } : {}) } : {}));
  const { host, page } = await open(t, waiting());
  const { language } = VIEWS.turn.seats[4]!;
  const seat = panel(page, 5, language);
  const stand = seat.getByRole('button', { name: text(language, 'act.stand') });
  await stand.click();
  await show(page, host, waiting({ act: 'stand' }));
  assert.equal(await stand.getAttribute('aria-pressed'), 'true');
  await stand.click();
  const acts = (await sent(host, 2)).map((command) =>
    command.type === 'note-intent' ? [command.seat, command.hand, command.act] : command,
  );
  assert.deepEqual(acts, [
    [5, 0, 'stand'],
    [5, 0, null],
  ]);
});

test('the MAX chip lays the most the host leaves room for, on the bet that is chosen, and says why where there is none', {
  skip,
}, async (t) => {
  const placed = (commands: readonly Command[]): unknown[] =>
    commands.map((each) => (each.type === 'place-bet' ? [each.seat, each.bet, each.amountMinor] : each.type));
  // Another sum than any chip, and another one for each bet.
  const ROOM: Readonly<Record<string, number>> = { main: 83_000, anyPair: 47_000, player: 61_000 };
  const roomy = (view: TableView): TableView =>
    withSeats(view, (seat) => ({
      betting: seat.betting.map((each) =>
        each.act === 'place-bet' && ROOM[each.bet!] !== undefined
          ? { ...each, amountMinor: minor(ROOM[each.bet!]!) }
          : each,
      ),
    }));
  const { host, page } = await open(t, roomy(VIEWS['2004-betting']));
  const three = panel(page, 3, 'pt');
  const most = three.getByRole('button', { name: text('pt', 'bet.maxBet') });
  await most.click();
  await three.getByRole('button', { name: `${text('pt', 'bet.name.anyPair')} 11:1` }).click();
  await most.click();
  assert.deepEqual(placed(await sent(host, 2)), [
    [3, 'main', 83_000],
    [3, 'anyPair', 47_000],
  ]);
  await show(
    page,
    host,
    withSeats(VIEWS['2004-betting'], (seat) => ({
      betting: seat.betting.map((each) =>
        each.act === 'place-bet'
          ? { ...each, allowed: false, code: 'limit' as const, amountMinor: null }
          : each,
      ),
    })),
  );
  assert.equal(await most.getAttribute('aria-disabled'), 'true');
  await most.click({ force: true });
  await three.getByText(text('pt', 'reject.limit')).waitFor();
  // In baccarat it is picked like any other chip, and every touch on a bet lays it there.
  await show(page, host, roomy(VIEWS['baccarat-betting']));
  const five = panel(page, 5, 'en');
  const pick = five.getByRole('button', { name: text('en', 'bet.maxBet') });
  await pick.click();
  assert.equal(await pick.getAttribute('aria-pressed'), 'true');
  await five.getByRole('button', { name: `${text('en', 'bet.name.player')} 1:1`, exact: true }).click();
  assert.deepEqual(placed(await sent(host, 3)).slice(2), [[5, 'player', 61_000]]);
});

test('WCAG 2.2, 4.1.3: every card of the bank reaches readers of the screen, the later ones too', {
  skip,
}, async (t) => {
  const before = VIEWS['bank-draws'];
  const { host, page } = await open(t, before);
  const log = page.getByRole('log');
  assert.equal(await log.textContent(), '', 'what lay there before is no news');
  const draw = async (card: number, bank: Partial<TableView['bank']>): Promise<TableView> => {
    const next = {
      ...before,
      bank: { ...before.bank, ...bank, cards: [...before.bank.cards, cardOf(0, card)] },
    };
    await show(page, host, next);
    return next;
  };
  await draw(8, { points: 15, soft: false });
  await log.getByText('葵扇9').waitFor();
  assert.match((await log.textContent()) ?? '', /莊家: 葵扇9, 15 點 Banca: 9 de Espadas, 15 pontos/);
  await show(page, host, before);
  await draw(9, { points: 26, soft: false, busted: true });
  await log.getByText(new RegExp(`10 de Espadas, 26 pontos, ${text('pt', 'hand.busted')}`)).waitFor();
  assert.equal(await log.locator('p').count(), 2, 'added below what was said before');
});
