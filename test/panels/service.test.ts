/**
 * Service mode in Debian's Chromium, against a host that shows chosen views: worked by keys, found
 * by role and name.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { rulebookOf } from '../../engine/books.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import type { MeterPage, TablesPage } from '../../wire/pages.ts';
import { ruled } from '../fixtures/view-kit.ts';
import { VIEWS } from '../fixtures/views.ts';
import { CLOCK } from '../screens/service-answers.ts';
import { toPage } from '../support/service-road.ts';
import { text } from '../support/texts.ts';
import { open, panel, sent, show, skip } from './kit.ts';

const METERS_SHOWN: MeterPage = {
  asOf: { seq: 7, atMs: VIEWS.service.nowMs },
  from: null,
  by: null,
  keys: [],
  meters: [{ code: 'coin_in', unit: 'money', span: 'life', value: 123_450, parts: [] }],
  problems: [],
};

test('the page of the meters asks for a past second, a period and a slice, and shows all parts of it', {
  skip,
}, async (t) => {
  const asked: unknown[] = [];
  const opened = await open(t, VIEWS.service, {
    data: (query) => {
      if (query.query !== 'meters') return null;
      asked.push(query);
      return query.by === null
        ? METERS_SHOWN
        : {
            ...METERS_SHOWN,
            by: query.by,
            keys: ['1', '2', ''],
            meters: [{ ...METERS_SHOWN.meters[0]!, parts: [100_000, 20_000, 3_450] }],
            problems: ['equation 4, drop = bills to drop: 0 is not 1'],
          };
    },
  });
  const { page } = opened;
  await page.locator('.service').getByRole('button', { name: '英文' }).click();
  await toPage(page, 'en', 'meters');
  await page.getByRole('cell', { name: 'Coin In (total wagered)' }).waitFor();
  const choose = async (field: string, parts: Readonly<Record<string, number>>): Promise<void> => {
    for (const [part, value] of Object.entries(parts))
      await page.getByLabel(`${field}: ${part}`, { exact: true }).selectOption(String(value));
  };
  // The 31st of a month that has 30 days is its last one.
  await choose('As of', { day: 31, month: 4, year: 2026 });
  assert.equal(await page.getByLabel('As of: day').inputValue(), '30');
  await choose('As of', { month: 5, day: 1, hour: 18, minute: 30, second: 0 });
  await choose('Since', { year: 2026, month: 5, day: 1, hour: 10 });
  await page.getByLabel('Divided by').selectOption('seat');
  await page.getByRole('columnheader', { name: 'Seat 2' }).waitFor();
  assert.deepEqual(await page.locator('.data tbody td').allTextContents(), [
    'Coin In (total wagered)',
    '1,234.50',
    '1,000.00',
    '200.00',
    '34.50',
  ]);
  await page.getByText('An equation does not hold: equation 4').waitFor();
  assert.deepEqual(asked.at(-1), {
    query: 'meters',
    asOfMs: Date.UTC(2026, 4, 1, 10, 30),
    fromMs: Date.UTC(2026, 4, 1, 2, 0),
    by: 'seat',
  });
  await choose('Since', { hour: 19 });
  await page.getByText("'Since' is after 'as of'.").waitFor();
  const order = (label: string): Promise<string[]> =>
    page
      .getByRole('group', { name: label })
      .locator('option[value=""]')
      .evaluateAll((signs) => signs.map((sign) => sign.textContent ?? ''));
  assert.deepEqual(await order('Since'), ['dd', 'mm', 'yyyy', 'hh', 'mm', 'ss']);
  for (const [sign, name, label, parts] of [
    ['PT', '葡文', 'Desde', ['dd', 'mm', 'aaaa', 'hh', 'mm', 'ss']],
    ['中', '中文', '自', ['年', '月', '日', '時', '分', '秒']],
  ] as const) {
    await page.locator('.service .language', { hasText: sign }).click();
    assert.deepEqual(await order(label), parts, name);
  }
  // Its sign chosen again, the field is empty.
  await page.getByLabel('自: 日').selectOption('');
  assert.equal(await page.getByLabel('自: 年').inputValue(), '');
});

test('service mode covers the table, is worked by keys, and leaves it as it was', { skip }, async (t) => {
  const opened = await open(t, VIEWS.service, {
    data: ({ query }) => (query === 'meters' ? METERS_SHOWN : null),
  });
  const { page } = opened;
  await page.getByText('Lei Ka Wai').waitFor();
  assert.equal(
    await page.locator('.table-layer').evaluate((element) => (element as HTMLElement).inert),
    true,
  );
  const meters = page.getByRole('button', { name: /^今日/ });
  for (let i = 0; i < 20 && !(await meters.evaluate((element) => element === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: '1,234.50' }).waitFor();
  await page.getByRole('button', { name: '返回牌桌' }).click();
  assert.deepEqual(await sent(opened, 1), [{ type: 'exit-service' }]);
  await show(opened, VIEWS.turn);
  assert.equal(await page.locator('.service').count(), 0);
  await panel(page, 3, 'pt')
    .getByRole('button', { name: text('pt', 'act.hit') })
    .waitFor();
});

test('an attendant has the pages of an attendant’s work, and a part leads to no other', {
  skip,
}, async (t) => {
  const service = { ...VIEWS.service.service!, role: 'attendant' } as const;
  const { page } = await open(t, { ...VIEWS.service, service });
  await page.locator('.service').getByRole('button', { name: '英文' }).click();
  const groups = page.locator('.service-nav .nav-words b');
  await groups.getByText(text('en', 'group.money', {}, 'map')).waitFor();
  assert.deepEqual(
    await groups.allTextContents(),
    ['map', 'group.today', 'group.money', 'group.devices', 'group.records'].map((key) =>
      text('en', key, {}, 'map'),
    ),
  );
  await page.locator('[data-part="clock"]').click();
  await page.locator('.part-panel header').waitFor();
  const lead = text('en', 'open', { page: text('en', 'page.clock', {}, 'service') }, 'map');
  assert.equal(await page.getByRole('button', { name: lead }).count(), 0);
});

test('service mode shows every option of the rulebook in words, with what else would be legal', {
  skip,
}, async (t) => {
  const { page } = await open(t, ruled(VIEWS.service, 'macau-blackjack-2009', { decks: 8 }), {
    data: ({ query }) => (query === 'profile' ? { profile: { tableName: 'X' }, options: [] } : null),
  });
  await toPage(page, 'zh-Hant', 'profile');
  const rows = page.getByRole('table').getByRole('row');
  assert.equal(await rows.count(), 1 + rulebookOf('macau-blackjack-2009')!.options.length);
  const decks = await rows.filter({ has: page.locator('code', { hasText: /^decks$/ }) }).innerText();
  assert.match(decks, /紙牌副數\s+decks\s+8\s+已更改 6\s+第一條（二）項\s+第二十一條第一款\s+1 至 12/);
});

test('service mode lists the ready tables, says why one is none today, and switches with a PIN', {
  skip,
}, async (t) => {
  const { profile: inForce } = readTerminalFile('host/profiles/demo.json');
  const profile = (tableName: string, rulebook: RulebookId, options: Record<string, OptionValue>) => ({
    ...inForce,
    tableName,
    rulebook,
    options,
    authorisations: [],
  });
  const sideBets = ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair'];
  const asked = { options: ['sideBets'], by: 'DICJ', reference: 'D/7', requestedOn: '2026-01-05' };
  const unasked = { message: '', record: null };
  const tables: TablesPage['tables'] = [
    { name: 'bj', inForce: true, profile: profile('Black Jack 1', 'macau-blackjack-2009', {}), problems: [] },
    { name: 'war', inForce: false, profile: profile('War', 'macau-casino-war', { decks: 4 }), problems: [] },
    {
      name: 'pairs',
      inForce: false,
      profile: {
        ...profile('Pairs', 'macau-blackjack-2009', { decks: 8, sideBets }),
        authorisations: [{ ...asked, effectiveOn: '2026-01-08' }],
      },
      problems: [
        { place: 'decks', article: 'art.21.1', why: 'no-record', ...unasked },
        {
          place: 'sideBets.perfectPair',
          article: 'art.21.3',
          why: 'short-notice',
          message: '',
          record: { ...asked, effectiveOn: '2026-01-08' },
        },
      ],
    },
    {
      name: 'broken',
      inForce: false,
      profile: null,
      problems: [{ place: 'options', article: '', why: 'malformed', message: 'not there', record: null }],
    },
  ];
  let inUse: TablesPage['inUse'] = null;
  const opened = await open(t, VIEWS.service, {
    data: ({ query }) => (query === 'tables' ? { tables, inUse, choice: null } : null),
    reply: ({ type }) => {
      if (type !== 'switch-table') return { status: 'done', seq: 1 };
      inUse = { why: 'credit', seat: 3 };
      return { status: 'rejected', code: 'not-allowed', cites: [], detail: null };
    },
  });
  const { page } = opened;
  const say = (key: string, values = {}): string => text('pt', key, values, 'service');
  await page.locator('.service .language').nth(1).click();
  await toPage(page, 'pt', 'tables');
  const row = (name: string): Locator => page.getByRole('article', { name });
  const button = (name: string): Locator =>
    page.getByRole('button', { name: say('tables.to', { table: name }) });
  await row('War').waitFor();
  assert.match(await row('Black Jack 1').innerText(), new RegExp(say('tables.inForce')));
  assert.match(await row('War').innerText(), /n\.º 74\/2005.*Número de baralhos: 4 artigo 1\.º/s);
  const pairs = await row('Pairs').innerText();
  assert.match(pairs, /Número de baralhos: sem autorização registada artigo 21\.º, n\.º 1/);
  assert.match(
    pairs,
    /«Par Perfeito»: a autorização D\/7 foi pedida com menos de 3 dias úteis .* artigo 21\.º, n\.º 3/,
  );
  assert.match(await row('broken').innerText(), /options: not there/);
  for (const name of ['Black Jack 1', 'Pairs', 'broken']) assert.ok(await button(name).isDisabled(), name);
  await button('War').click();
  for (const key of ['4', '4', '4', '4', 'Enter']) await page.keyboard.press(key);
  assert.deepEqual(await sent(opened, 1), [
    { type: 'switch-table', table: 'war', credential: { person: '4', pin: '4444' } },
  ]);
  const why = say('tables.blocked', { why: say('tables.inUse.credit', { seat: 3 }) });
  await row('War').getByText(why).waitFor();
  assert.ok(await button('War').isDisabled());
});

test('a page that is read again and again keeps its last answer when one does not come, and says so', {
  skip,
}, async (t) => {
  let isReadable = false;
  const opened = await open(t, VIEWS.service, {
    data: ({ query }) => {
      if (query === 'events') return { events: [], olderSeq: null };
      if (query !== 'clock') return null;
      if (isReadable) return { ...CLOCK.clock!, driftMs: 321 };
      throw new Error('not now');
    },
  });
  const { page } = opened;
  const say = (key: string, values = {}): string => text('en', key, values, 'service');
  await page.locator('.service').getByRole('button', { name: '英文' }).click();
  await toPage(page, 'en', 'clock');
  const alert = page.getByRole('alert').filter({ hasText: say('failed', { reason: '' }).trim() });
  const drift = page.getByText('+321 ms');
  await alert.waitFor();
  assert.equal(await drift.count(), 0);
  assert.doesNotMatch(await alert.innerText(), new RegExp(say('before')), 'there is nothing yet');
  isReadable = true;
  await drift.waitFor();
  assert.equal(await alert.count(), 0);
  isReadable = false;
  await alert.waitFor();
  assert.match(await alert.innerText(), new RegExp(say('before')));
  assert.equal(await drift.count(), 1, 'the last answer still stands');
});
