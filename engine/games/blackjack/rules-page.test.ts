/** What a table of black jack says of itself: its rules page, option by option. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JACKPOT, pageChanges, pageOf } from '../../../test/support/every-rule.ts';
import type { OptionValue, RulebookId } from '../../table/profile.ts';

type Options = Readonly<Record<string, OptionValue>>;
const M04 = 'macau-blackjack-2004';
const M09 = 'macau-blackjack-2009';
const PT = 'portugal-blackjack';
const HOLE_CARD = { dealing: 'holeCard' };
const FACE_DOWN = { dealing: 'faceDown' };
const NO_SIDE_BETS: Options = { sideBets: [] };
const bets = (...sideBets: string[]): Options => ({ sideBets });

const OTHER_SOURCE = ['- blackjack.cut art.2.1.1', '- blackjack.endCard art.2.1.1 art.2.2.1'];
/** With a shuffler whose cards never end the rule says more of where they go. */
const shuffled = (source: string, cardsBack: string): string[] => [
  `+ common.source.${source} r.51`,
  '+ blackjack.shown r.53',
  '+ blackjack.loading r.53 r.54',
  `+ blackjack.cardsBack ${cardsBack}`,
  '+ blackjack.jam r.51',
  '+ blackjack.complaint r.61',
  '- common.source.shoe r.4',
  '- blackjack.shown r.7',
  '- blackjack.cut r.8',
  '- blackjack.warningCard r.9 r.11',
];
/** What the first side bet of a table brings with it. */
const SIDE = [
  '+ blackjack.side art.13',
  '+ blackjack.sideWhen art.13',
  '+ blackjack.sideAtOnce.oneKind art.13',
];
const streak = (no: number, article: string): string[] => [
  ...SIDE,
  '+ blackjack.streak art.13.5.1 art.13.5.2.i',
  '+ blackjack.streakLost art.13.5.2.ii art.11.2',
  '+ blackjack.streakButton art.13.5.2.iii',
  '+ blackjack.streakSeveral art.13.5.2.iv art.13.5.2.v',
  '+ blackjack.streakMustBet art.13.5.2.vi',
  '+ blackjack.streakAbandon.refuseDeal art.13.5.2.vi',
  '+ blackjack.streakSplit art.16.7.1 art.16.7.2 art.16.7.3',
  '+ blackjack.streakSurrender art.18.3',
  `+ pay.streak${no} ${article}`,
  '- blackjack.sideNone art.13',
];

/** Options, what they change on the page, and of which table; without one that of the defaults. */
const CHANGES: readonly (readonly [
  rulebook: RulebookId,
  options: Options,
  change: readonly string[],
  table?: Options,
])[] = [
  [M09, { decks: 1 }, ['- blackjack.endCard art.2.1.1 art.2.2.1']],
  [
    M09,
    { cardSource: 'autoShuffler' },
    [
      '+ common.source.autoShuffler art.1.4',
      '+ blackjack.cardsBack art.2.1.2 art.2.2.4',
      '- common.source.shoe art.1.3',
      ...OTHER_SOURCE,
      '- blackjack.reshuffle art.2.2.2',
    ],
  ],
  [
    M09,
    { cardSource: 'box', decks: 1 },
    [
      '+ common.source.box art.1.3',
      '+ blackjack.boxRound art.2.2.3',
      '+ blackjack.dealing.faceDownBox art.5.2.1.2',
      '- common.source.shoe art.1.3',
      '- blackjack.endCard art.2.1.1 art.2.2.1',
      '- blackjack.reshuffle art.2.2.2',
      '- blackjack.dealing.faceDown art.5.2.1.1',
    ],
    FACE_DOWN,
  ],
  [PT, { cardSource: 'autoShuffler' }, shuffled('autoShuffler', 'r.52 r.59')],
  [PT, { cardSource: 'continuousShuffler' }, shuffled('continuousShuffler', 'r.52 r.56 r.57 r.59')],
  [
    M09,
    { burnAtStart: 'perDeck' },
    ['+ blackjack.burnStart.perDeck art.4.1.1', '- blackjack.burnStart.one art.4.1.2'],
  ],
  [M09, { burnEachRound: 'one' }, ['+ blackjack.burnRound.one art.4.2']],
  [M09, { seatsPerPlayer: 2 }, ['+ blackjack.seatLimit art.3.2', '- blackjack.severalSeats art.3.3']],
  [M09, { tableMaxTotal: 50_000 }, ['+ blackjack.tableMax art.5.2.3.8'], HOLE_CARD],
  [
    M09,
    { betsBehind: 'nearest' },
    [
      '+ blackjack.behind.nearest art.20.1.2',
      '+ blackjack.bettors art.20.1.2',
      '- blackjack.behind.seated art.20.1.1',
    ],
  ],
  [M09, { maxBettorsPerSeat: 1 }, ['+ blackjack.bettors art.20.1.2', '- blackjack.follows.true art.20.1']],
  [M09, { maxBettorsPerSeat: 2 }, ['+ blackjack.bettors art.20.1.2']],
  [M09, { sideBetMin: 500 }, ['+ common.sideLimits']],
  [M09, { sideBetMax: 500 }, ['+ common.sideLimits']],
  [
    M09,
    FACE_DOWN,
    ['+ blackjack.dealing.faceDown art.5.2.1.1', '- blackjack.dealing.faceUp art.5.2.2.1 art.5.2.2.2'],
  ],
  [
    M09,
    HOLE_CARD,
    [
      '+ blackjack.dealing.holeCard art.5.2.3.1 art.5.2.3.2',
      '+ blackjack.peek art.5.2.3.3 art.5.2.3.4',
      '- blackjack.dealing.faceUp art.5.2.2.1 art.5.2.2.2',
    ],
  ],
  ...['one', 'both'].map(
    (down) =>
      [M09, { playerCardsDown: down }, [`+ blackjack.cardsDown.${down} art.5.2.3.5`], HOLE_CARD] as const,
  ),
  [M09, { playerTurnsCards: true }, ['+ blackjack.turnsCards art.5.2.3.6'], HOLE_CARD],
  [
    M09,
    { surrender: false },
    [
      '+ blackjack.surrenderOff art.21.2',
      '- blackjack.surrender.beforeAnyCard art.18.1 art.18.2',
      '- pay.surrender art.18.1',
    ],
  ],
  [
    M09,
    { doubleOn: ['eleven'] },
    [
      '+ blackjack.double.eleven art.17.1.3',
      '+ blackjack.elevenVsNatural.loseAll art.12.2',
      '- blackjack.double.anyTwo art.17.1.1',
      '- blackjack.double.afterSplit art.17.1.2',
      '- blackjack.doubleVsNatural.originalOnly art.17.3',
    ],
  ],
  [
    M09,
    { elevenVsDealerBlackjack: 'offer' },
    ['+ blackjack.elevenVsNatural.offer art.10.7', '- blackjack.elevenVsNatural.loseAll art.12.2'],
    { doubleOn: ['eleven'] },
  ],
  [M09, { doubleOn: ['anyTwo'] }, ['- blackjack.double.afterSplit art.17.1.2']],
  [M09, { doubleOn: ['afterSplit'] }, ['- blackjack.double.anyTwo art.17.1.1']],
  [M09, { doubleOn: ['anyTwo', 'afterSplit', 'eleven'] }, ['+ blackjack.double.eleven art.17.1.3']],
  [
    M04,
    { doubleOn: ['eleven'] },
    [
      '+ blackjack.double.eleven art.17.2',
      '- blackjack.double.anyTwo art.17.1',
      '- blackjack.double.afterSplit art.17.1',
    ],
  ],
  [
    M04,
    { doubledVsDealerBlackjack: 'offer' },
    ['+ blackjack.doubleVsNatural.offer art.10.7', '- blackjack.doubleVsNatural.loseAll art.12.2'],
  ],
  [
    M09,
    { dealerHitsSoft17: false },
    ['+ blackjack.soft17.stands art.6.1', '- blackjack.soft17.aceSix art.6.1 art.6.6'],
  ],
  [
    M09,
    { specialPrize: false },
    [
      '+ blackjack.prizeOff art.21.2',
      '- blackjack.prize.bonus art.15',
      '- blackjack.prizeBase.stake art.15',
      '- pay.specialPrize art.15',
    ],
  ],
  [
    M09,
    bets('anyPair'),
    [
      ...SIDE,
      '+ blackjack.anyPair art.13.1 art.13.1.1',
      '+ blackjack.anyPairAgain.eachPair art.13.1.2',
      '+ pay.anyPair art.14.1',
      '- blackjack.sideNone art.13',
    ],
    NO_SIDE_BETS,
  ],
  [
    M09,
    bets('sevens'),
    [
      ...SIDE,
      '+ blackjack.sevens art.13.2 art.13.2.1',
      '+ blackjack.sevensThird.afterSplit art.13.2.2',
      '+ blackjack.sevensBest art.14.2',
      '+ pay.sevens.two art.14.2.1',
      '+ pay.sevens.twoSuited art.14.2.2',
      '+ pay.sevens.three art.14.2.3',
      '+ pay.sevens.threeSuited art.14.2.4',
      '- blackjack.sideNone art.13',
    ],
    NO_SIDE_BETS,
  ],
  ...['over13', 'under13'].map(
    (bet) =>
      [
        M09,
        bets(bet),
        [
          ...SIDE,
          '+ blackjack.overUnder art.13.3',
          '+ blackjack.overAce.one art.8 art.13.3',
          `+ pay.${bet} art.14.3`,
          '- blackjack.sideNone art.13',
        ],
        NO_SIDE_BETS,
      ] as const,
  ),
  [
    M09,
    bets('perfectPair'),
    [
      ...SIDE,
      '+ blackjack.perfectPair art.13.4.1 art.13.4.2 art.13.4.3',
      '+ pay.perfectPair.mixed art.14.4.1',
      '+ pay.perfectPair.colour art.14.4.2',
      '+ pay.perfectPair.perfect art.14.4.3',
      '- blackjack.sideNone art.13',
    ],
    NO_SIDE_BETS,
  ],
  ...[2, 3, 4, 5].map(
    (no) => [M09, bets(`streak${no}`), streak(no, `art.14.5.${no - 1}`), NO_SIDE_BETS] as const,
  ),
  [
    M09,
    { surrender: false },
    [
      '+ blackjack.surrenderOff art.21.2',
      '- blackjack.surrender.beforeAnyCard art.18.1 art.18.2',
      '- blackjack.streakSurrender art.18.3',
      '- pay.surrender art.18.1',
    ],
    bets('streak2'),
  ],
  [
    PT,
    { jackpot: JACKPOT },
    [
      '+ blackjack.jackpot r.39 r.42 r.43 r.46',
      '+ blackjack.jackpotOne r.45 r.47 r.48',
      '+ blackjack.jackpotMeter r.40 r.44',
      '+ blackjack.jackpotOrder r.49 r.50.a r.50.b',
      '+ blackjack.jackpotRounding r.43 r.50.b',
      '+ pay.jackpotSuited r.43 r.50.a',
      '+ pay.jackpot r.43',
      '+ pay.jackpotSuited r.43',
      '- blackjack.jackpotOff r.38',
    ],
  ],
];
for (const [rulebook, options, change, table] of CHANGES)
  test(`the rules page of ${rulebook} with ${JSON.stringify({ ...table, ...options }).slice(0, 80)}`, () =>
    assert.deepEqual(pageChanges(rulebook, options, table), change));

test('what the page says in numbers: the bettors of a seat, the side bets and the prizes of a jackpot', () => {
  const items = (rulebook: RulebookId, options: Options) =>
    pageOf(rulebook, options)!.sections.flatMap((section) => section.items);
  const values = (key: string, options: Options): unknown =>
    items(M09, options).find((item) => item.key === key)?.values;
  assert.deepEqual(values('blackjack.bettors', { betsBehind: 'nearest' }), { count: 3 });
  assert.deepEqual(values('blackjack.streak', bets('streak2', 'streak5')), { numbers: '2 / 5' });
  const prizes = items(PT, { jackpot: JACKPOT }).filter(({ key }) => key.startsWith('pay.jackpot'));
  assert.deepEqual(
    prizes.map(({ values: { count, rank }, pays }) => [count, rank, pays]),
    [
      [4, 'A', 'rest'],
      [4, '10', { share: '1/10' }],
      [3, '7', { odds: [500, 1] }],
    ],
  );
});
