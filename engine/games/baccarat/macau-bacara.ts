import { macauHolidays } from '../../rules/holidays.ts';
import { type Legal, MACAU_OFFSET_MS, type OptionSpec, type Rulebook } from '../../rules/rulebook.ts';
import type { OptionValue } from '../../table/profile.ts';
import { AUTHORISED_BETS, AUTHORISED_COMBINATIONS } from './authorised-bets.ts';
import type { BaccaratArticles } from './rules.ts';

/**
 * Bacará: Despacho 55/2004 as amended, arts. 18 and 19 of Despacho 73/2005, and the bet of Despacho
 * 56/2018. Where the drawing table stands in the regulation, and what a tie is to the bets on the
 * sides, was not seen: they are cited by their names. art. 19, wording of 2005: the house's choice
 * among the alternatives of arts. 2, 3, 7, 12 and 18 needs prior authorisation. Despacho 30/2007
 * has reworded it and its text was not seen: a bet that came later is on with a record (B11). arts.
 * 13.4 to 13.6 are of Despacho 69/2009.
 */
const AUTHORISED = 'art.19';
const YES_OR_NO: Legal = { kind: 'one-of', values: [true, false] };
const oneOf = (...values: OptionValue[]): Legal => ({ kind: 'one-of', values });
const AMOUNT: Legal = { kind: 'integer', min: 1, max: 1_000_000_000_000 };

const option = (
  id: string,
  article: string,
  legal: Legal,
  byDefault: OptionValue,
  authorisation: string | null = null,
): OptionSpec => ({ id, article, legal, default: byDefault, authorisation, waivable: false });

const FIXED_BURNS = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => `fixed:${count}`);

const ARTICLES: BaccaratArticles = {
  cut: 'art.2.1',
  endCard: 'art.2.1',
  endOfShoe: 'art.3.1',
  reshuffle: 'art.3.2',
  stop: '',
  shuffler: 'art.2.3',
  loading: 'art.2.3',
  feeding: 'art.7.2',
  complaints: '',
  jam: '',
  closing: '',
  deckCheck: '',
  replacement: '',
  decks: 'art.1',
  burnAtStart: 'art.2.1',
  burnEachRound: '',
  dealOrder: 'art.7.1',
  exposed: 'art.4',
  misdeal: '',
  bankDraws: 'drawing',
  sideBets: 'art.13',
  demoRounds: 'art.2.2',
  sides: 'art.6',
  points: 'art.5',
  drawing: 'drawing',
  tie: 'tie',
  tieBet: 'art.13.1.3',
  pairs: 'art.13.1.4.1',
  commission: 'art.18.1',
  bankerSix: 'art.18.2',
  lucky6: 'art.13.1.4.3',
  lucky6Pays: 'art.17.5',
  authorised: 'art.13.4',
  authorisedPays: 'art.13.6',
};

export const MACAU_BACARA: Rulebook = {
  id: 'macau-baccarat',
  game: 'baccarat',
  dayOffsetMs: MACAU_OFFSET_MS,
  home: 'macau',
  holidays: macauHolidays,
  itemFirst: [1],
  sources: {
    diplomas: [
      { act: '55/2004', day: '2004-05-12', does: 'makes', seen: 'copy', played: 'part' },
      { act: '73/2005', day: '2005-11-23', does: 'changes', articles: '18, 19', seen: 'whole', played: true },
      {
        act: '30/2007',
        day: '2007-02-22',
        does: 'changes',
        articles: '13, 17, 19',
        seen: 'part',
        played: 'part',
      },
      { act: '64/2007', day: '2007-06-25', does: 'changes', articles: '13, 17', seen: 'copy', played: false },
      { act: '2/2009', day: '2009-01', does: 'changes', seen: 'none', played: false },
      {
        act: '69/2009',
        day: '2009-06',
        does: 'changes',
        articles: '13.4–13.6, 17.13–17.15',
        seen: 'part',
        played: 'part',
      },
      { act: '83/2011', day: '2011-09-22', does: 'changes', articles: '2.1', seen: 'whole', played: true },
      { act: '56/2018', day: '2018-04', does: 'changes', articles: '13, 17', seen: 'part', played: 'part' },
    ],
    checkedTo: '2018-04',
  },
  options: [
    option('decks', 'art.1', { kind: 'integer', min: 6, max: 12 }, 8),
    option('seats', 'art.1', { kind: 'integer', min: 7, max: 12 }, 7),
    option('layouts', 'art.1', oneOf(1, 2), 1),
    option('cardSource', 'art.1', oneOf('shoe', 'autoShuffler'), 'shoe', AUTHORISED),
    // «About the last twelve cards», in a Chinese copy at least twelve (最少約十二張): one round can
    // always be finished from behind the white card, and most often two.
    option('cutFromEnd', 'art.2.1', { kind: 'integer', min: 12, max: 20 }, 12),
    option('burn', 'art.2.1', oneOf('perDeck', 'firstCardFace', ...FIXED_BURNS), 'perDeck', AUTHORISED),
    option('burnFirstCardCounts', 'art.2.1', YES_OR_NO, true),
    option('demoRounds', 'art.2.2', { kind: 'integer', min: 0, max: 3 }, 0, AUTHORISED),
    option('lastRound', 'art.3.1', oneOf('current', 'oneMore'), 'current', AUTHORISED),
    // With the automatic shuffler the cards are dealt face up; without it nothing is said, so there
    // is nothing to choose.
    option('faceUpDeal', 'art.7.2', oneOf(true, null), null, AUTHORISED),
    option('commission', 'art.18', oneOf('five-percent', 'none-banker-six-half'), 'five-percent', AUTHORISED),
    option('commissionRounding', 'art.18.1', oneOf('down', 'up'), 'down'),
    option('halfRounding', 'art.18.2', oneOf('down', 'up'), 'up'),
    option('pairs', 'art.13.1.4.1', YES_OR_NO, true),
    option('lucky6', 'art.13.1.4.3', YES_OR_NO, false, AUTHORISED),
    AUTHORISED_BETS,
    // Of every bet beside the sides, which no text limits: null = up to the table's maximum.
    option('sideBetMax', '', { ...AMOUNT, nullable: true }, null),
    option('min', '', AMOUNT, 1_000),
    option('max', '', AMOUNT, 1_000_000),
    // In steps of twenty no commission has a fraction; elsewhere the two rounding options decide.
    option('step', '', AMOUNT, 100),
  ],
  noticeDays: { 'art.19': 3 },
  combinations: [
    {
      option: 'faceUpDeal',
      article: 'art.7.2',
      message: 'belongs to the automatic shuffler',
      holds: (o) => o['faceUpDeal'] !== true || o['cardSource'] === 'autoShuffler',
    },
    {
      option: 'max',
      article: '',
      message: 'must not be below min',
      holds: (o) => Number(o['max']) >= Number(o['min']),
    },
    {
      option: 'sideBetMax',
      article: '',
      message: 'must not be below min',
      holds: (o) => Number(o['sideBetMax'] ?? o['max']) >= Number(o['min']),
    },
    ...AUTHORISED_COMBINATIONS,
  ],
  articles: ARTICLES,
};
