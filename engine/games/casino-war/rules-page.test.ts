/** What a table of «Desafio ao Casino» says of itself: its rules page and its printed odds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageChanges, pageOf } from '../../../test/support/every-rule.ts';
import { bookOf } from '../../books.ts';

const WAR = 'macau-casino-war';

const WITHOUT_TIE_BET = [
  '+ casino-war.noTieBet art.7.3',
  '- casino-war.tieBet art.7.1 art.7.2 art.7.3',
  '- casino-war.tieMain.push art.7.3 art.7.4',
  '- pay.tieBet art.7.3',
  '- pay.mainOnTie art.7.3',
];
for (const [options, change] of [
  [{ tieBet: false }, WITHOUT_TIE_BET],
  [{ tieBet: false, sideBetMax: 20_000 }, WITHOUT_TIE_BET],
  [{ sideBetMax: 20_000 }, ['+ common.sideLimits']],
  [
    { tieBettorMain: 'choose' },
    [
      '+ casino-war.tieMain.choose art.7.3 art.7.4',
      '- casino-war.tieMain.push art.7.3 art.7.4',
      '- pay.mainOnTie art.7.3',
    ],
  ],
  [
    { cardSource: 'autoShuffler' },
    [
      '+ common.source.autoShuffler art.1.3',
      '+ casino-war.cardsBack art.2.2',
      '- common.source.shoe art.1.2',
      '- casino-war.cut art.2.1',
    ],
  ],
  [{ warBurn: 'once' }, ['+ casino-war.burn.once art.7.5', '- casino-war.burn.perCard art.7.5']],
] as const)
  test(`the rules page with ${JSON.stringify(options)}`, () =>
    assert.deepEqual(pageChanges(WAR, options), change));

test('arts. 7.1-7.5: what the page says is paid; the challenge on the initial bet alone', () => {
  const items = pageOf(WAR, {})!.sections.flatMap((section) => section.items);
  const paid = items.flatMap(({ key, pays }) => (pays ? [[key, pays]] : []));
  assert.deepEqual(Object.fromEntries(paid), {
    'pay.higher': { odds: [1, 1] },
    'pay.tieBet': { odds: [10, 1] },
    'pay.mainOnTie': 'back',
    'pay.half': 'half',
    'pay.warWin': { odds: [1, 1] },
    'pay.warTie': { odds: [2, 1] },
    'pay.warLose': 'twice',
  });
});

test('arts. 7.1, 7.3: the felt prints even money on the main bet, ten to one on the tie, and nothing else', () => {
  const odds = ['main', 'tie', 'lucky6'].map((bet) => bookOf(WAR)!.odds(bet, {}));
  assert.deepEqual(odds, [{ odds: [1, 1] }, { odds: [10, 1] }, null]);
});
