import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TestTable } from '../../../test/support/table-kit.ts';
import { meterValue } from '../../accounting/meter-fold.ts';
import {
  type AuthorisedBet,
  bookOf,
  KNOWN_BETS,
  rulebookOf,
  rulesPage,
  type TableOptions,
  unauthorisedChoices,
  validateOptions,
} from '../../books.ts';
import { bettingChoices } from '../../engine.ts';
import type { Authorisation, OptionValue } from '../../table/profile.ts';
import { reckonOutcomes } from './winning-hands.ts';

const ID = 'macau-baccarat';
const [LUCKY_7, SUPER_LUCKY_7] = KNOWN_BETS as [AuthorisedBet, AuthorisedBet];
type Options = Readonly<Record<string, OptionValue>>;
const offering = (...authorisedBets: object[]): Options => ({ authorisedBets }) as unknown as Options;

const problems = (options: Options): string[] => {
  const checked = validateOptions(ID, options);
  return checked.ok ? [] : checked.problems.map(({ option, article }) => `${article} ${option}`);
};

test('art. 13.4: no bet is authorised unless the table says so, and then none without a record', () => {
  const checked = validateOptions(ID, {});
  assert.ok(checked.ok);
  assert.deepEqual((checked.resolved as unknown as Options)['authorisedBets'], []);
  const rulebook = rulebookOf(ID)!;
  const record = (options: Authorisation['options'], untilOn?: string): Authorisation => ({
    options,
    by: 'DICJ',
    reference: '1/2024',
    requestedOn: '2024-09-02',
    effectiveOn: '2024-09-30',
    ...(untilOn === undefined ? {} : { untilOn }),
  });
  const refused = (records: Authorisation[]): string[] =>
    unauthorisedChoices(rulebook, offering(LUCKY_7, SUPER_LUCKY_7), records, Date.UTC(2025, 0, 1)).map(
      ({ option, article, why }) => `${article} ${option} ${why}`,
    );
  assert.deepEqual(refused([]), [
    'art.13.4 authorisedBets.lucky7 no-record',
    'art.13.4 authorisedBets.superLucky7 no-record',
  ]);
  assert.deepEqual(refused([record(['authorisedBets'])]), []);
  assert.deepEqual(refused([record(['authorisedBets.lucky7'])]), [
    'art.13.4 authorisedBets.superLucky7 no-record',
  ]);
  assert.deepEqual(refused([record(['authorisedBets'], '2024-12-31')]), [
    'art.13.4 authorisedBets.lucky7 ended',
    'art.13.4 authorisedBets.superLucky7 ended',
  ]);
});

test('art. 13.6: a record that says which hands win and what they pay covers no other bet of that name', () => {
  const rulebook = rulebookOf(ID)!;
  const others = { cardSource: 'shoe', burn: 'perDeck', demoRounds: 0, lastRound: 'current' };
  const houses = { ...others, faceUpDeal: null, commission: 'five-percent', lucky6: false };
  const granted = (bets: OptionValue, options: Options): string[] =>
    unauthorisedChoices(
      rulebook,
      options,
      [
        {
          options: { ...houses, authorisedBets: bets },
          by: 'DICJ',
          reference: '1/2024',
          requestedOn: '2024-09-02',
          effectiveOn: '2024-09-30',
        },
      ],
      Date.UTC(2025, 0, 1),
    ).map(({ option, why }) => `${option} ${why}`);
  const bets = KNOWN_BETS as unknown as OptionValue;
  assert.deepEqual(granted(bets, offering(SUPER_LUCKY_7, LUCKY_7)), [], 'their order means nothing');
  assert.deepEqual(granted(bets, {}), [], 'what is granted need not be offered');
  const better = { ...LUCKY_7, wins: [{ ...LUCKY_7.wins[0]!, odds: 7 }, LUCKY_7.wins[1]!] };
  assert.deepEqual(granted(bets, offering(better)), ['authorisedBets.lucky7 other-value']);
});

test('a bet that makes no sense is refused, and the member at fault is named', () => {
  const [two] = LUCKY_7.wins;
  const wrong: readonly (readonly [string, object])[] = [
    ['wins', { wins: [] }],
    ['wins.0.odds', { wins: [{ ...two, odds: 0 }] }],
    ['wins.0.odds', { wins: [{ ...two, odds: 1.5 }] }],
    ['wins.0.odds', { wins: [{ ...two, odds: 1_001 }] }],
    ['wins.0.playerPoints', { wins: [{ ...two, playerPoints: 10 }] }],
    ['wins.0.playerCards', { wins: [{ ...two, playerCards: 4 }] }],
    ['wins.0.winner', { wins: [{ ...two, winner: 'house' }] }],
    ['wins.0.suit', { wins: [{ ...two, suit: 'S' }] }],
    // A five of two cards draws; a seven never beats an eight; the second is the first once more.
    ['wins.0', { wins: [{ ...two, playerPoints: 5 }] }],
    ['wins.0', { wins: [{ ...two, bankerPoints: 8 }] }],
    ['wins.1', { wins: [two, two] }],
    ['wins', { wins: [{ odds: 1 }] }],
    ['id', { id: 'Lucky 7' }],
    ['id', { id: 'tie' }],
    ['id', { id: 'insurance' }],
    ['name.pt', { name: { 'zh-Hant': '幸運7', en: 'Lucky 7' } }],
    ['name.en', { name: { ...LUCKY_7.name, en: ' ' } }],
    ['short.en', { short: { ...LUCKY_7.short, en: 'Lucky number 7' } }],
    ['min', { min: 0 }],
    ['max', { max: 900 }],
    ['max', { min: 2_000, max: 1_900 }],
    ['max', { max: 1_000_001 }],
    ['place', { place: 'left' }],
    ['edge', { edge: 0 }],
  ];
  for (const [member, change] of wrong) {
    const found = problems(offering({ ...LUCKY_7, ...change }));
    const article = ['wins.0.suit', 'edge'].includes(member) ? '' : 'art.13.4';
    assert.deepEqual(found, [`${article} authorisedBets.0.${member}`], JSON.stringify(change));
  }
  for (const limits of [{ max: 1_000_000 }, { max: 1_000 }, { min: 2_000, max: 2_000 }])
    assert.deepEqual(problems(offering({ ...LUCKY_7, ...limits })), []);
  assert.deepEqual(problems(offering(LUCKY_7, LUCKY_7)), ['art.13.4 authorisedBets.1.id']);
  const five = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ ...LUCKY_7, id: `bet${id}` }));
  assert.deepEqual(problems(offering(...five)), ['art.13.4 authorisedBets']);
  assert.deepEqual(problems(offering(...five.slice(1))), []);
  assert.deepEqual(problems({ authorisedBets: 'lucky7' }), ['art.13.4 authorisedBets']);
});

test('everything the drawing table makes of the cards is known: points, cards and pairs of both sides', () => {
  const all = reckonOutcomes();
  assert.ok(
    all.every(
      ({ playerCards, playerPoints, bankerPoints }) =>
        playerCards === 3 || Number(playerPoints) > 5 || Number(bankerPoints) > 7,
    ),
  );
  assert.ok(all.some(({ winner, playerPair, bankerPair }) => winner === 'tie' && playerPair && bankerPair));
  // Two cards of one rank never come to an odd sum.
  assert.ok(
    !all.some(
      ({ playerCards, playerPoints, playerPair }) =>
        playerCards === 2 && playerPair && Number(playerPoints) % 2 === 1,
    ),
  );
  assert.equal(new Set(all.map((each) => JSON.stringify(each))).size, all.length);
});

test('arts. 13.4, 13.6: Lucky 7 at a live table, with its limits, its meter and its article', () => {
  const table = TestTable.ready(offering({ ...LUCKY_7, min: 500, max: 3_000 }, SUPER_LUCKY_7), {
    rulebook: ID,
  });
  table.open();
  const kinds = bettingChoices(table.state, 1).flatMap(({ act, bet }) => (act === 'place-bet' ? [bet] : []));
  assert.deepEqual(kinds.slice(-2), ['lucky7', 'superLucky7']);
  assert.equal(table.tryBet(1, 400, 1, 'lucky7')?.code, 'out-of-range');
  table.bet(1, 500, 1, 'lucky7');
  assert.equal(table.tryBet(1, 2_600, 1, 'lucky7')?.code, 'out-of-range');
  table.bet(1, 2_500, 1, 'lucky7');
  assert.equal(table.tryBet(1, 500, 1, 'superLucky7')?.code, 'out-of-range', 'the least bet of the table');
  assert.deepEqual(table.tryBet(1, 1_000, 2, 'lucky7'), {
    ok: false,
    code: 'not-own-seat',
    cites: ['art.13.4'],
  });
  table.bet(1, 1_000, 1, 'superLucky7');
  table.must({ type: 'close-betting' });
  table.draw('2S 2H 3D 2C 2D 2S');
  assert.deepEqual(table.lines, ['1 lucky7 win 45000 art.13.6', '1 superLucky7 win 100000 art.13.6']);
  assert.equal(meterValue(table.meters, 'bet_authorised'), 4_000);
  assert.equal(meterValue(table.meters, 'pay_authorised'), 48_000 + 101_000);
  table.close();
  table.checkReplay();
});

test('art. 13.6: the rules page says which hands win, in words that come with the bet', () => {
  const said = { 'zh-Hant': '說明', pt: 'Aviso', en: 'Notice' };
  const checked = validateOptions(ID, offering({ ...LUCKY_7, max: 5_000, disclosure: said }));
  assert.ok(checked.ok);
  const options = checked.resolved as unknown as TableOptions;
  const items = rulesPage(ID, options)!.sections.flatMap(({ items: each }) => each);
  assert.deepEqual(
    items.filter(({ key }) => key === 'pay.authorised'),
    [2, 3].map((cards) => ({
      key: 'pay.authorised',
      values: {
        bet: { said: LUCKY_7.name },
        hand: {
          words: [
            'baccarat.when.winner.player',
            { key: 'baccarat.when.playerPoints', values: { points: 7 } },
            `baccarat.when.playerCards.${cards}`,
          ],
        },
      },
      pays: { odds: [cards === 2 ? 6 : 15, 1] },
      cites: ['art.13.6'],
    })),
  );
  assert.deepEqual(items.find(({ key }) => key === 'baccarat.disclosed')?.values, { text: { said } });
  assert.deepEqual(items.find(({ key }) => key === 'baccarat.authorisedLimits')?.values['max'], {
    minor: 5_000,
  });
  const odds = (bet: string): unknown => bookOf(ID)!.odds(bet, options);
  assert.deepEqual(odds('lucky7'), { odds: [6, 1], more: true });
  assert.equal(odds('superLucky7'), null);
});

test('the table that shows them offers the bets as they are known here', () => {
  const file = new URL('../../../host/profiles/tables/baccarat-lucky-7.json', import.meta.url);
  const { options } = JSON.parse(readFileSync(file, 'utf8')) as { options: Options };
  const checked = validateOptions(ID, options);
  assert.ok(checked.ok);
  assert.deepEqual((checked.resolved as unknown as Options)['authorisedBets'], KNOWN_BETS);
});
