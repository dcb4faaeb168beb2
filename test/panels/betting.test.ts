/**
 * Betting, side bets, bets behind, decisions and results on the panels, in Debian's Chromium
 * against a host that shows chosen views.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { minor } from '../../engine/core/money.ts';
import { roadsOf } from '../../engine/games/baccarat/roads.ts';
import { formOf } from '../../renderer/table/form.ts';
import { layTable } from '../../renderer/table/layout.ts';
import type { Command } from '../../wire/commands.ts';
import type { TableView } from '../../wire/view.ts';
import { VIEWS } from '../fixtures/views.ts';
import { FULL_HD, lettersReady, problems, SIZES } from '../support/chromium.ts';
import { fullOr } from '../support/long.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import { LANGUAGE_ORDER, open, panel, sent, show, skip, spoken, turned, withSeat } from './kit.ts';

test('one touch on a chip lays it; a chip above the limit says why and sends nothing', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.betting);
  const seat = panel(opened.page, 1);
  await seat.getByRole('button', { name: text('zh-Hant', 'bet.chip', { amount: '500.00' }) }).click();
  const [first] = await sent(opened, 1);
  assert.equal(first?.type, 'place-bet');
  assert.deepEqual(
    { ...first, touchedAtMs: 0 },
    {
      type: 'place-bet',
      roundId: 'round-128',
      seat: 1,
      bet: 'main',
      amountMinor: 50_000,
      touchedAtMs: 0,
    },
  );
  const five = panel(opened.page, 5, 'en');
  await five
    .getByRole('button', { name: text('en', 'bet.chip', { amount: '1,000.00' }) })
    .click({ force: true });
  await five.getByText(text('en', 'reject.no-credit')).waitFor();
  assert.equal(opened.host.commands.length, 1);
});

/** The bets that were sent: seat, kind and amount. */
const bets = (commands: readonly Command[]): (readonly unknown[])[] =>
  commands.flatMap((command) =>
    command.type === 'place-bet' ? [[command.seat, command.bet, command.amountMinor]] : [],
  );

test('a side bet takes two touches: the bet, then the chip; touched again it goes back to the main bet', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS['2004-betting']);
  const seat = panel(opened.page, 3, 'pt');
  const pair = seat.getByRole('button', { name: `${text('pt', 'bet.name.anyPair')} 11:1` });
  const chip = seat.getByRole('button', { name: text('pt', 'bet.chip', { amount: '100,00' }) });
  await pair.click();
  assert.equal(await pair.getAttribute('aria-pressed'), 'true');
  assert.deepEqual(opened.host.commands, [], 'choosing a bet lays nothing');
  await chip.click();
  await chip.click();
  await pair.click();
  await chip.click();
  assert.deepEqual(bets(await sent(opened, 3)), [
    [3, 'anyPair', 10_000],
    [3, 'anyPair', 10_000],
    [3, 'main', 10_000],
  ]);
});

test('a streak that runs is locked, with its article', { skip }, async (t) => {
  const opened = await open(t, VIEWS['2009-betting']);
  const seat = panel(opened.page, 2);
  await seat
    .getByRole('button', { name: `${text('zh-Hant', 'bet.name.streak3')} 8:1` })
    .click({ force: true });
  await seat.getByText(text('zh-Hant', 'reject.locked')).waitFor();
  assert.deepEqual(opened.host.commands, []);
});

test('baccarat: a chip is picked, every touch on a bet lays it', { skip }, async (t) => {
  const opened = await open(t, VIEWS['baccarat-betting']);
  const seat = panel(opened.page, 5, 'en');
  const bet = (name: string, odds: string) =>
    seat.getByRole('button', { name: `${text('en', `bet.name.${name}`)} ${odds}`, exact: true });
  await seat.getByRole('button', { name: text('en', 'bet.chip', { amount: '500.00' }) }).click();
  await bet('player', '1:1').click();
  await seat.getByRole('button', { name: text('en', 'bet.chip', { amount: '50.00' }) }).click();
  await bet('banker', '0.95:1').click();
  await bet('tie', '8:1').click();
  assert.deepEqual(bets(await sent(opened, 3)), [
    [5, 'player', 50_000],
    [5, 'banker', 5_000],
    [5, 'tie', 5_000],
  ]);
});

test('the last rounds lie on the table of black jack and casino war; a touch opens all that are kept, and they make way for the cards', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.betting);
  const { page } = opened;
  const rounds = page.getByRole('region', { name: '最近各局 Últimas jogadas' });
  const button = rounds.getByRole('button', { name: '看最近各局 Ver as últimas jogadas' });
  // Ten of twenty, the newest at the right.
  const newest = ['20', '17', 'BJ', '19', '–', '23', '20', '18', '21', '19'];
  assert.deepEqual(await button.locator('b').allTextContents(), newest);
  await button.click();
  const sheet = rounds.getByRole('dialog');
  const box = (await sheet.boundingBox())!;
  const highest = await page
    .locator('.panel button')
    .evaluateAll((all) => Math.min(...all.map((each) => each.getBoundingClientRect().y)));
  assert.ok(box.y + box.height <= highest, `the sheet ends at ${box.y + box.height} above ${highest}`);
  const { limits, round, float } = layTable(FULL_HD.width, FULL_HD.height, formOf(VIEWS.betting));
  const ends = ({ x, y, width, height }: typeof box): number[] => [-x, -y, x + width, y + height];
  for (const sign of [limits, round, float!, (await button.boundingBox())!])
    assert.ok(
      ends(sign).every((end, i) => end <= ends(box)[i]!),
      'what it lies over it covers as a whole',
    );
  const row = (name: RegExp) => sheet.getByRole('row', { name }).getByRole('cell').allTextContents();
  assert.deepEqual((await row(/^莊家 Banca/)).slice(0, 5), [
    '20',
    'BJBlack Jack Black Jack',
    '24超過二十一點 Rebentou',
    '19',
    '–莊家未開第二張牌 Segunda carta da banca por abrir',
  ]);
  assert.deepEqual((await row(/Mãos ganhas/)).slice(-3), ['4', '0', '3']);
  assert.deepEqual((await row(/Mãos empatadas/)).slice(-3), ['0', '1', '1']);
  assert.deepEqual((await row(/Mãos perdidas/)).slice(-3), ['2', '5', '2']);
  await show(opened, VIEWS['2009-play']);
  await sheet.waitFor({ state: 'detached' });
  assert.deepEqual(await button.locator('b').allTextContents(), newest, 'the strip stays');
  await show(opened, VIEWS['2009-betting']);
  await rounds.waitFor({ state: 'detached' });
  await show(opened, VIEWS['war-betting']);
  await button.click();
  assert.deepEqual((await row(/^莊家 Banca/)).slice(0, 5), ['A', '8', '10', '2', 'K']);
  assert.equal((await row(/Acima da banca/)).length, 12);
  await show(opened, VIEWS['baccarat-betting']);
  await rounds.waitFor({ state: 'detached' });
  assert.deepEqual(opened.troubles, []);
});

test('all five roads lie on the table of baccarat with what is asked of them; a touch opens them large, and they make way for the cards', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS['baccarat-betting']);
  const { page } = opened;
  const roads = page.getByRole('region', { name: '路單 Registo de resultados' });
  for (const name of ['大路', '大眼仔', '珠盤路', '小路', '曱甴路']) {
    const road = roads.getByRole('img', { name: new RegExp(`^${name} `) });
    assert.ok((await road.locator('g').count()) > 10, name);
  }
  const asked = async (name: RegExp) =>
    (await roads.getByRole('img', { name }).locator('g > *').all()).map((mark) => mark.getAttribute('class'));
  const { ask } = roadsOf(VIEWS['baccarat-betting'].coups!);
  for (const [name, side] of [
    [/莊問路/, 'banker'],
    [/閒問路/, 'player'],
  ] as const)
    assert.deepEqual(await Promise.all(await asked(name)), [
      `road-ring road-${ask[side].bigEye}`,
      `road-disc road-${ask[side].small}`,
      `road-stroke road-${ask[side].cockroach}`,
    ]);
  await roads.getByRole('button', { name: /大路/ }).click();
  const sheet = roads.getByRole('dialog');
  // The shoe of the fixture: 31 coups, 4 of them ties.
  assert.deepEqual(await sheet.locator('b').allTextContents(), ['16', '11', '4']);
  assert.equal(await sheet.locator('svg.road').count(), 5);
  const box = await sheet.boundingBox();
  for (const seat of await page.locator('.panel').all())
    assert.ok((await seat.boundingBox())!.y > box!.y + box!.height, 'the sheet hides no panel');
  await show(opened, VIEWS['baccarat-play']);
  await sheet.waitFor({ state: 'detached' });
  assert.equal(await roads.getByRole('button').count(), 2, 'the boards stay');
  await show(opened, VIEWS['idle-empty']);
  await roads.waitFor({ state: 'detached' });
  assert.deepEqual(opened.troubles, []);
});

test('the chip of the jackpot is laid by one touch, and one only (r.47)', { skip }, async (t) => {
  const opened = await open(t, VIEWS['pt-betting']);
  const name = `${text('pt', 'bet.name.jackpot')} 5`;
  await panel(opened.page, 3, 'pt').getByRole('button', { name }).click();
  await panel(opened.page, 1, 'pt').getByRole('button', { name }).click({ force: true });
  await panel(opened.page, 1, 'pt').getByText(text('pt', 'reject.one-chip')).waitFor();
  assert.deepEqual(bets(await sent(opened, 1)), [[3, 'jackpot', 500]]);
});

test('a touch on a spot of the felt that no panel covers lays the chip that was touched last, but for a seat with its own display', {
  skip,
}, async (t) => {
  const view = VIEWS['baccarat-betting'];
  const opened = await open(t, { ...view, handedOver: { dealer: false, seats: [2] } }, { felt: true });
  const { host, page } = opened;
  await until('the felt is painted', () => host.painted.length > 0);
  // The spots lie where the letters leave them.
  await lettersReady(page);
  const spots = await page.evaluate(() => window.touchRegions().filter(({ kind }) => kind === 'spot'));
  assert.ok(!spots.some(({ place }) => place === 'seat 2'));
  const touch = async (bet: string): Promise<void> => {
    const { outline } = spots.find(({ place, name }) => place === 'seat 6' && name === bet)!;
    const middle = (at: 'x' | 'y'): number =>
      outline.reduce((sum, point) => sum + point[at], 0) / outline.length;
    await page.mouse.click(middle('x'), middle('y'));
  };
  await touch('tie');
  await panel(page, 6)
    .getByRole('button', { name: text('zh-Hant', 'bet.chip', { amount: '500.00' }) })
    .click();
  await touch('tie');
  await touch('bankerPair');
  assert.deepEqual(bets(await sent(opened, 3)), [
    [6, 'tie', 10_000],
    [6, 'tie', 50_000],
    [6, 'bankerPair', 50_000],
  ]);
  // The part of the felt of a seat with a display takes none, wherever its panel would be.
  const layout = layTable(FULL_HD.width, FULL_HD.height, formOf(view));
  const tie = layout.seats[1]!.spots.find(({ bet }) => bet === 'tie')!;
  await page.mouse.click(tie.x, tie.y);
  await touch('tie');
  assert.deepEqual(bets(await sent(opened, 4)).at(-1), [6, 'tie', 50_000]);
});

test('the last seconds of the betting move nothing: each panel and each of its buttons stays where it was', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.betting);
  /** Ends that much after it is shown. */
  const ending = (view: TableView, inMs: number): TableView => ({
    ...view,
    deadline: { ...view.deadline!, atMs: view.nowMs + inMs },
  });
  const look = (): Promise<string[]> =>
    opened.page.locator('.panel, .panel button').evaluateAll((all) =>
      all.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return `${each.closest('.panel')!.ariaLabel} ${each.className}: ${[x, y, width, height].map(Math.round).join(' ')}`;
      }),
    );
  /** Where they are once none is on its way. */
  const boxes = async (): Promise<string[]> => {
    let seen = await look();
    for (let before: string[] = []; seen.join() !== before.join(); ) {
      before = seen;
      await sleep(150);
      seen = await look();
    }
    return seen;
  };
  for (const size of SIZES.slice(0, fullOr(SIZES.length, 1))) {
    await opened.page.setViewportSize(size);
    for (const name of ['betting', '2009-betting', 'pt-betting', 'war-betting', 'baccarat-betting'] as const)
      for (const language of LANGUAGE_ORDER)
        for (const letters of ['normal', 'large'] as const) {
          const view = spoken(VIEWS[name], language, letters);
          await show(opened, ending(view, 60_000));
          const before = await boxes();
          await show(opened, ending(view, 4_000));
          await opened.page.locator('.panel .seconds-last').first().waitFor();
          assert.deepEqual(await boxes(), before, `${name} ${language} ${letters} ${size.width}`);
        }
  }
});

test('a lawful decision is sent with its hand; a closed one has no button', { skip }, async (t) => {
  const opened = await open(t, turned(VIEWS['split-four'], 1));
  const language = LANGUAGE_ORDER[(3 + 1) % 3]!;
  const seat = panel(opened.page, 3, language);
  const acts = await seat
    .locator('[data-act]')
    .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset['act']));
  assert.deepEqual(acts, ['hit', 'stand', 'double']);
  assert.equal(await seat.getByRole('button', { name: text(language, 'act.surrender') }).count(), 0);
  await seat.getByRole('button', { name: text(language, 'act.stand') }).click();
  const [stood] = (await sent(opened, 1)) as Extract<Command, { type: 'decide' }>[];
  assert.deepEqual([stood?.act, stood?.hand, stood?.seat, stood?.roundId], ['stand', 1, 3, 'round-128']);
});

test('art. 12.1 insurance: a part tells its cost and its win, the second touch buys it, «no» is one touch', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.offers);
  const one = panel(opened.page, 1);
  await one.getByRole('button', { name: '¾' }).click();
  const price = await one.locator('.insure-now').innerText();
  for (const key of ['cost.costs', 'cost.wins'])
    assert.ok(price.includes(text('zh-Hant', key, { amount: key === 'cost.costs' ? '225' : '450' })), price);
  assert.deepEqual(opened.host.commands, []);
  await one.locator('.insure-now').click();
  await one.getByRole('button', { name: text('zh-Hant', 'act.declineInsurance') }).click();
  const answers = (await sent(opened, 2)) as Extract<Command, { type: 'decide' }>[];
  assert.deepEqual(
    answers.map((command) => [command.act, command.amountMinor]),
    [
      ['insure', 22_500],
      ['declineInsurance', undefined],
    ],
  );
});

test('art. 18 to surrender in the turn takes two touches, the first of which sends nothing', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.turn);
  const three = panel(opened.page, 3, 'pt');
  const surrender = three.getByRole('button', { name: text('pt', 'act.surrender') });
  await three.locator('.give-up').getByText('300').waitFor();
  await surrender.click();
  await three.getByText(text('pt', 'offer.giveUp')).waitFor();
  await three.getByRole('button', { name: text('pt', 'offer.back') }).click();
  await surrender.click();
  assert.deepEqual(opened.host.commands, []);
  await three.locator('.decision-surrender').click();
  const [given] = (await sent(opened, 1)) as Extract<Command, { type: 'decide' }>[];
  assert.equal(given?.act, 'surrender');
});

test('art. 10.3 even money that nobody has asked about: both choices, and to wait sends nothing', {
  skip,
}, async (t) => {
  const evenMoney = VIEWS.offers.seats[1]!.choices.filter(({ act }) => act === 'evenMoney');
  const opened = await open(
    t,
    withSeat({ ...VIEWS.turn, bank: VIEWS.offers.bank }, 2, { choices: evenMoney }),
  );
  const two = panel(opened.page, 2);
  await two.getByRole('button', { name: text('zh-Hant', 'offer.wait') }).click();
  await two.locator('.message-wait').waitFor();
  assert.deepEqual(opened.host.commands, []);
  // until the bank's second card it is still theirs
  await two.getByRole('button', { name: text('zh-Hant', 'act.evenMoney') }).click();
  await two.locator('.decision-evenMoney').click();
  const [taken] = (await sent(opened, 1)) as Extract<Command, { type: 'decide' }>[];
  assert.equal(taken?.act, 'evenMoney');
});

test('a result shows arithmetic and article per line, and pages where there are many', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS.settled);
  await panel(opened.page, 2).getByText('1,500.00 × 3/2 = +2,250.00').waitFor();
  await panel(opened.page, 2).getByText('第十條第二款').waitFor();
  await panel(opened.page, 7, 'pt').getByText('50,00 × 1/2 = −25,00').waitFor();
  const line = VIEWS.settled.seats[0]!.result!.lines[0]!;
  const lines = [0, 1, 2, 3, 4].map((hand) => ({ ...line, hand, netMinor: minor(30_000 * (hand + 1)) }));
  const paged = withSeat(VIEWS.settled, 1, { result: { netMinor: minor(450_000), lines } });
  await show(opened, paged);
  const more = (page: number): Locator =>
    panel(opened.page, 1).getByRole('button', { name: text('zh-Hant', 'result.more', { page, pages: 3 }) });
  await more(1).click();
  await more(2).waitFor();
  assert.equal(await panel(opened.page, 1).getByRole('listitem').count(), 2);
  // Another seat does something: the page that is read stays. A result put right is read anew.
  await show(opened, withSeat(paged, 7, { language: 'en' }));
  await panel(opened.page, 7, 'en').waitFor();
  assert.ok(await more(2).isVisible());
  const right = { netMinor: minor(360_000), lines: lines.map((each) => ({ ...each, stakeMinor: minor(1) })) };
  await show(opened, withSeat(paged, 1, { result: right }));
  await more(1).waitFor();
});

test('arts. 20.1, 3.3 two touches lead to the hand of another seat, and chips go there until the way back', {
  skip,
}, async (t) => {
  const view = VIEWS['behind-betting'];
  const refused = { code: 'limit' as const, cites: ['art.20.1.2'] };
  const behind = view.seats[1]!.behind.map((each) =>
    each.seat === 3 ? { ...each, bets: [], refused } : each,
  );
  const opened = await open(t, withSeat(view, 2, { behind }));
  const two = panel(opened.page, 2);
  const button = (key: string, values: Record<string, string | number> = {}): Locator =>
    two.getByRole('button', { name: text('zh-Hant', key, values), exact: true });
  await button('bet.behind.button').click();
  // a seat that cannot be chosen says why and is none
  await button('seat.name', { seat: 3 }).click({ force: true });
  await two.getByText(text('zh-Hant', 'reject.limit')).waitFor();
  await button('seat.name', { seat: 4 }).click();
  await two.getByText(text('zh-Hant', 'seat.name', { seat: 4 })).waitFor();
  const chip = button('bet.chip', { amount: '100.00' });
  await chip.click();
  await chip.click();
  await button('bet.behind.back').click();
  await chip.click();
  const laid = (await sent(opened, 3)) as Extract<Command, { type: 'place-bet' }>[];
  assert.deepEqual(
    laid.map(({ seat, by, bet, amountMinor }) => [seat, by, bet, amountMinor]),
    [
      [4, 2, 'main', 10_000],
      [4, 2, 'main', 10_000],
      [2, undefined, 'main', 10_000],
    ],
  );
  assert.deepEqual(await problems(opened.page), []);
});

test('the choice of another seat is whole in every size and language, with side bets and without', {
  skip,
}, async (t) => {
  for (const size of SIZES.slice(0, 2)) {
    const opened = await open(t, VIEWS['idle-empty'], { size });
    for (const name of ['behind-betting', '2009-betting'] as const) {
      for (const by of [0, 1, 2]) {
        const view = turned(VIEWS[name], by);
        await show(opened, view);
        const { language } = view.seats[0]!;
        const touch = (key: string, values: Record<string, number> = {}): Promise<void> =>
          panel(opened.page, 1, language)
            .getByRole('button', { name: text(language, key, values), exact: true })
            .click();
        const where = `${name} ${language} at ${size.width}`;
        await touch('bet.behind.button');
        assert.deepEqual(await problems(opened.page), [], where);
        await touch('seat.name', { seat: 5 });
        assert.deepEqual(await problems(opened.page), [], `${where}, chosen`);
        await touch('bet.behind.back');
      }
    }
  }
});

test('art. 12.1 a bettor is asked about the insurance of their bet on another seat in their own panel', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS['behind-offers']);
  const { page } = opened;
  const two = panel(page, 2);
  await two.getByRole('img', { name: text('zh-Hant', 'seat.name', { seat: 5 }) }).waitFor();
  assert.equal(await panel(page, 5, 'en').locator('.decision').count(), 0);
  await two.getByRole('button', { name: '¾' }).click();
  await two.locator('.insure-now').click();
  const [insured] = (await sent(opened, 1)) as Extract<Command, { type: 'decide' }>[];
  assert.deepEqual(
    [insured?.seat, insured?.by, insured?.act, insured?.amountMinor],
    [5, 2, 'insure', 112_500],
  );
});

test('r.16 the decider of a vacant seat has its turn, the others read whom they wait for', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS['behind-turn']);
  const { page } = opened;
  await panel(page, 2)
    .getByText(text('zh-Hant', 'wait.seatDecides', { seat: 6 }))
    .waitFor();
  await page.getByText(text('pt', 'step.await-decision-by', { seat: 4, by: 6 })).waitFor();
  assert.equal(await page.locator('.panel-turn').getAttribute('data-seat'), '6');
  assert.equal(await page.locator('.decision').count(), 3);
  await panel(page, 6)
    .getByRole('button', { name: text('zh-Hant', 'act.stand') })
    .click();
  const [stood] = (await sent(opened, 1)) as Extract<Command, { type: 'decide' }>[];
  assert.deepEqual([stood?.seat, stood?.by, stood?.hand, stood?.act], [4, 6, 0, 'stand']);
});
