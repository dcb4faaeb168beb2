/** What a table of Bacará says of itself: its rules page and its printed odds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageChanges, pageOf } from '../../../test/support/every-rule.ts';
import { bookOf, KNOWN_BETS } from '../../books.ts';
import type { OptionValue } from '../../table/profile.ts';

const ID = 'macau-baccarat';
type Options = Readonly<Record<string, OptionValue>>;
const MACHINE = { cardSource: 'autoShuffler' };
const offering = (...bets: object[]): Options => ({ authorisedBets: bets as unknown as OptionValue });
const said = (options: Options = {}) => pageOf(ID, options)!.sections.flatMap(({ items }) => items);

/** Options, what they change on the page, and of which table; without one that of the defaults. */
const CHANGES: readonly (readonly [options: Options, change: readonly string[], table?: Options])[] = [
  [
    MACHINE,
    [
      '+ common.source.autoShuffler art.1',
      '+ baccarat.cardsBack art.2.3 art.7.2',
      '- common.source.shoe art.1',
      '- baccarat.cut art.2.1',
      '- baccarat.burn.perDeck art.2.1',
      '- baccarat.lastRound.current art.3.1',
      '- baccarat.change art.3.2',
    ],
  ],
  [{ burn: 'firstCardFace', demoRounds: 3 }, [], MACHINE],
  [{ faceUpDeal: true }, ['+ baccarat.faceUp art.7.2'], MACHINE],
  [
    { burn: 'firstCardFace' },
    ['+ baccarat.burn.firstCardFace.true art.2.1', '- baccarat.burn.perDeck art.2.1'],
  ],
  [{ burn: 'fixed:3' }, ['+ baccarat.burn.fixed art.2.1', '- baccarat.burn.perDeck art.2.1']],
  [{ demoRounds: 3 }, ['+ baccarat.demo art.2.2']],
  [
    { commission: 'none-banker-six-half' },
    [
      '+ baccarat.commission.none-banker-six-half art.18.2',
      '+ pay.banker art.18.2',
      '+ pay.bankerSix art.18.2',
      '- baccarat.commission.five-percent art.18.1',
      '- pay.banker art.18.1',
    ],
  ],
  [{ commissionRounding: 'up' }, ['- baccarat.rounding.down-up']],
  [{ halfRounding: 'down' }, ['- baccarat.rounding.down-up']],
  [
    { pairs: false },
    [
      '- baccarat.pairs art.13.1.4.1',
      '- pay.playerPair art.13.1.4.1 art.17',
      '- pay.bankerPair art.13.1.4.1 art.17',
    ],
  ],
  [
    { lucky6: true },
    ['+ baccarat.lucky6 art.13.1.4.3', '+ pay.lucky6Two art.17.5', '+ pay.lucky6Three art.17.5'],
  ],
  [{ sideBetMax: 20_000 }, ['+ common.sideLimits']],
  [
    offering(KNOWN_BETS[0]!),
    ['+ baccarat.authorised art.13.4', '+ pay.authorised art.13.6', '+ pay.authorised art.13.6'],
  ],
  ...[{ min: 500 }, { max: 5_000 }].map(
    (limits) =>
      [
        offering({ ...KNOWN_BETS[0], ...limits }),
        ['+ baccarat.authorisedLimits art.13.6'],
        offering(KNOWN_BETS[0]!),
      ] as const,
  ),
];
for (const [options, change, table] of CHANGES)
  test(`the rules page with ${JSON.stringify({ ...table, ...options }).slice(0, 80)}`, () =>
    assert.deepEqual(pageChanges(ID, options, table), change));

test('art. 13: the page names the bets that are on, in the order of the cloth', () => {
  const words = (options: Options): unknown =>
    said(options).find(({ key }) => key === 'baccarat.bets')?.values['bets'];
  const sides = ['pay.player', 'pay.banker', 'pay.tieBet'];
  const pairs = ['pay.playerPair', 'pay.bankerPair'];
  assert.deepEqual(words({}), { words: [...sides, ...pairs] });
  assert.deepEqual(words({ pairs: false, lucky6: true }), { words: [...sides, 'option.lucky6.name'] });
});

test('art. 18: the Banker pays even money less commission, or without one half on a six', () => {
  const printed = (bet: string, options: Options): unknown => bookOf(ID)!.odds(bet, options);
  assert.deepEqual(printed('banker', { commission: 'five-percent' }), { odds: [1, 1], commission: [1, 20] });
  assert.deepEqual(printed('banker', { commission: 'none-banker-six-half' }), {
    odds: [1, 1],
    except: '6:½',
  });
  assert.deepEqual(printed('player', { commission: 'five-percent' }), { odds: [1, 1] });
  const one = { ...KNOWN_BETS[0], wins: KNOWN_BETS[0]!.wins.slice(0, 1) };
  assert.deepEqual(printed('lucky7', offering(one)), { odds: [6, 1] }, 'one price is no least one');
});
