import { macauHolidays } from '../../rules/holidays.ts';
import { MACAU_OFFSET_MS, type Rulebook } from '../../rules/rulebook.ts';
import { MACAU_ARTICLES, MACAU_COMBINATIONS, macauOptions, oneOf, option } from './macau-options.ts';
import type { BlackjackArticles } from './rules.ts';

/**
 * Despacho 56/2004, regulation of «Black Jack» ou «Vinte e Um», in its wording of 12 May 2004,
 * without Despacho 42/2007: what a house may choose, and where the articles stand. Its text knows
 * no hole card, no soft 17, no right to lose only the original bet, and its arts. 11 and 17 have
 * bare items. Its art. 21, on authorisation, was not seen: read as 57/2009 has it in art. 21.1
 * (reading A55). No waiver is taken from a text that was not seen.
 */
const AUTHORISED = 'art.21';

const ARTICLES: BlackjackArticles = {
  ...MACAU_ARTICLES,
  dealingHole: '',
  holeCard: '',
  look: '',
  lookBlackjack: '',
  soft17: '',
  tieBlackjack: 'art.11.1',
  tiePoints: 'art.11.2',
  splitOriginalOnly: '',
  double: 'art.17',
  doubleAnyTwo: 'art.17.1',
  doubleAfterSplit: 'art.17.1',
  doubleEleven: 'art.17.2',
  doubleOriginalOnly: '',
  waived: '',
};

export const MACAU_56_2004: Rulebook = {
  id: 'macau-blackjack-2004',
  game: 'blackjack',
  dayOffsetMs: MACAU_OFFSET_MS,
  home: 'macau',
  holidays: macauHolidays,
  itemFirst: [1, 6, 11, 13, 17],
  sources: {
    diplomas: [
      { act: '56/2004', day: '2004-05-12', does: 'makes', seen: 'copy', played: true },
      {
        act: '42/2007',
        day: '2007-03-05',
        does: 'changes',
        articles: '6, 13, 16, 17, 21',
        seen: 'part',
        played: false,
      },
      { act: '57/2009', day: '2009-03-30', does: 'replaces', seen: 'hand', played: false },
    ],
    checkedTo: '2018-04',
  },
  noticeDays: { [AUTHORISED]: 3 },
  options: macauOptions({
    authorised: AUTHORISED,
    toWaive: { legal: oneOf(true), authorisation: null, waivable: false },
    dealing: ['faceDown', 'faceUp'],
    hitsSoft17: [false],
    sideBets: ['anyPair', 'sevens', 'over13', 'under13'],
    sideBetsAuthorised: {},
    doubledVsBlackjack: option(
      'doubledVsDealerBlackjack',
      'art.10.7',
      oneOf('loseAll', 'offer'),
      'loseAll',
      AUTHORISED,
    ),
    splitVsBlackjack: option('splitVsDealerBlackjack', 'art.12.2', oneOf('loseAll'), 'loseAll', null),
    doubleOn: { article: 'art.17' },
    own: {},
  }),
  fixed: {
    soft17: 'aceSix', // art. 6.1: the bank never draws on 17
    bustedVsDealerBlackjack: 'bustsLost', // art. 7.2, to which 56/2004 knows no exception
  },
  // art. 10.7 is the only rule on doubled bets: it makes no difference under which modality they
  // were doubled.
  derived: (options) => ({ elevenVsDealerBlackjack: options['doubledVsDealerBlackjack']! }),
  combinations: [
    ...MACAU_COMBINATIONS,
    {
      option: 'doubleOn',
      article: 'art.17',
      message: 'either any two cards and split hands, or eleven only',
      holds(options) {
        const doubleOn = options['doubleOn'] as readonly string[];
        return doubleOn.includes('eleven') === (doubleOn.length === 1);
      },
    },
  ],
  articles: ARTICLES,
};
