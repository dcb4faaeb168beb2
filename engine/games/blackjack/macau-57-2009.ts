import { macauHolidays } from '../../rules/holidays.ts';
import { MACAU_OFFSET_MS, type Rulebook } from '../../rules/rulebook.ts';
import {
  AMOUNT,
  MACAU_ARTICLES,
  MACAU_COMBINATIONS,
  macauOptions,
  oneOf,
  option,
  YES_OR_NO,
} from './macau-options.ts';
import type { BlackjackArticles } from './rules.ts';

/**
 * Despacho 57/2009, regulation of «Black Jack» ou «Vinte e Um»: what a house may choose, and where
 * the articles stand. art. 21.1: choices under arts. 1-6, 13, 14, 16, 17, 20, 10.7 and 12.1 need
 * the regulator's prior authorisation; art. 21.2: arts. 15 and 18 may be left out with it;
 * art. 21.3: perfect pair and winning streak need it.
 */
const AUTHORISED = 'art.21.1';

const ARTICLES: BlackjackArticles = {
  ...MACAU_ARTICLES,
  dealingHole: 'art.5.2.3.1',
  holeCard: 'art.5.2.3.2',
  look: 'art.5.2.3.3',
  lookBlackjack: 'art.5.2.3.4',
  soft17: 'art.6.6',
  tieBlackjack: 'art.11.1.1',
  tiePoints: 'art.11.1.2',
  splitOriginalOnly: 'art.16.6',
  double: 'art.17.1',
  doubleAnyTwo: 'art.17.1.1',
  doubleAfterSplit: 'art.17.1.2',
  doubleEleven: 'art.17.1.3',
  doubleOriginalOnly: 'art.17.3',
  waived: 'art.21.2',
};

export const MACAU_57_2009: Rulebook = {
  id: 'macau-blackjack-2009',
  game: 'blackjack',
  sources: {
    diplomas: [{ act: '57/2009', day: '2009-03-30', does: 'makes', seen: 'hand', played: true }],
    checkedTo: '2018-04',
  },
  dayOffsetMs: MACAU_OFFSET_MS,
  home: 'macau',
  holidays: macauHolidays,
  itemFirst: [1, 6, 13],
  options: macauOptions({
    authorised: AUTHORISED,
    toWaive: { legal: YES_OR_NO, authorisation: 'art.21.2', waivable: true },
    dealing: ['faceDown', 'faceUp', 'holeCard'],
    // The Chinese text of art. 6 lets the house choose "one or more" of its procedures, the
    // Portuguese does not.
    hitsSoft17: [true, false],
    sideBets: [
      'anyPair',
      'sevens',
      'over13',
      'under13',
      'perfectPair',
      'streak2',
      'streak3',
      'streak4',
      'streak5',
    ],
    sideBetsAuthorised: {
      perfectPair: 'art.21.3',
      streak2: 'art.21.3',
      streak3: 'art.21.3',
      streak4: 'art.21.3',
      streak5: 'art.21.3',
    },
    doubledVsBlackjack: option(
      'doubledVsDealerBlackjack',
      'art.17.3',
      oneOf('originalOnly'),
      'originalOnly',
      null,
    ),
    splitVsBlackjack: option(
      'splitVsDealerBlackjack',
      'art.16.6',
      oneOf('originalOnly'),
      'originalOnly',
      null,
    ),
    doubleOn: { article: 'art.17.1' },
    own: {
      dealerCardPass: [
        option('playerCardsDown', 'art.5.2.3.5', oneOf('none', 'both', 'one'), 'none', AUTHORISED),
        option('playerTurnsCards', 'art.5.2.3.6', YES_OR_NO, false, AUTHORISED),
        option('tableMaxTotal', 'art.5.2.3.8', { ...AMOUNT, nullable: true }, null, AUTHORISED),
      ],
      dealerHitsSoft17: [option('soft17', 'art.6.6', oneOf('aceSix', 'any'), 'aceSix', AUTHORISED)],
      doubledVsDealerBlackjack: [
        option('elevenVsDealerBlackjack', 'art.10.7', oneOf('loseAll', 'offer'), 'loseAll', AUTHORISED),
      ],
      splitVsDealerBlackjack: [
        option(
          'bustedVsDealerBlackjack',
          'art.7.2',
          oneOf('originalOnly', 'bustsLost'),
          'originalOnly',
          null,
        ),
      ],
      over13Ace: [
        option('streakAbandon', 'art.13.5.2.vi', oneOf('refuseDeal', 'forfeit'), 'refuseDeal', null),
      ],
    },
  }),
  noticeDays: { 'art.21.1': 3, 'art.21.3': 3 },
  combinations: [
    ...MACAU_COMBINATIONS,
    {
      option: 'playerCardsDown',
      article: 'art.5.2.3.5',
      message: 'belongs to the third procedure',
      holds: (o) => o['playerCardsDown'] === 'none' || o['dealing'] === 'holeCard',
    },
    {
      option: 'playerTurnsCards',
      article: 'art.5.2.3.6',
      message: 'belongs to the third procedure',
      holds: (o) => o['playerTurnsCards'] === false || o['dealing'] === 'holeCard',
    },
    {
      option: 'tableMaxTotal',
      article: 'art.5.2.3.8',
      message: 'belongs to the third procedure',
      holds: (o) => o['tableMaxTotal'] === null || o['dealing'] === 'holeCard',
    },
    {
      option: 'tableMaxTotal',
      article: 'art.5.2.3.8',
      message: 'must not be below min',
      holds: (o) => o['tableMaxTotal'] === null || Number(o['tableMaxTotal']) >= Number(o['min']),
    },
    {
      option: 'maxHands',
      article: 'art.5.2.3.7',
      message: 'five in the third procedure',
      holds: (o) => o['dealing'] !== 'holeCard' || o['maxHands'] === 5,
    },
  ],
  articles: ARTICLES,
};
