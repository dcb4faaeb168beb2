import { macauHolidays } from '../../rules/holidays.ts';
import { type Legal, MACAU_OFFSET_MS, type OptionSpec, type Rulebook } from '../../rules/rulebook.ts';
import type { OptionValue } from '../../table/profile.ts';
import type { CasinoWarArticles } from './rules.ts';

/**
 * «Desafio ao Casino» (Casino War), Despacho 74/2005. The articles are counted in the order of its
 * unnumbered parts: material, opening, exposed card, order of the cards, deal, errors, results.
 * None of them speaks of an authorisation.
 */
const oneOf = (...values: OptionValue[]): Legal => ({ kind: 'one-of', values });
const AMOUNT = { kind: 'integer', min: 1, max: 1_000_000_000_000 } as const;

const option = (id: string, article: string, legal: Legal, byDefault: OptionValue): OptionSpec => ({
  id,
  article,
  legal,
  default: byDefault,
  authorisation: null,
  waivable: false,
});

const ARTICLES: CasinoWarArticles = {
  cut: 'art.2.1',
  endCard: 'art.2.1',
  endOfShoe: 'art.2.1',
  reshuffle: 'art.2.1',
  stop: '',
  shuffler: 'art.2.2',
  loading: 'art.2.2',
  feeding: '',
  complaints: '',
  jam: '',
  closing: '',
  deckCheck: '',
  replacement: '',
  decks: 'art.1.1',
  burnAtStart: '',
  burnEachRound: 'art.7.5',
  dealOrder: 'art.5.2',
  exposed: 'art.3',
  misdeal: 'art.6',
  bankDraws: 'art.5.3',
  sideBets: 'art.7.3',
  againstHouse: 'art.5.1',
  croupierCard: 'art.5.3',
  higher: 'art.7.1',
  lower: 'art.7.2',
  tie: 'art.7.3',
  choice: 'art.7.4',
  halfLoss: 'art.7.4.1',
  challenge: 'art.7.5',
  warWon: 'art.7.5.1',
  warTied: 'art.7.5.2',
  warLost: 'art.7.5.3',
};

export const DESAFIO_AO_CASINO: Rulebook = {
  id: 'macau-casino-war',
  game: 'casino-war',
  dayOffsetMs: MACAU_OFFSET_MS,
  home: 'macau',
  holidays: macauHolidays,
  sources: {
    diplomas: [
      { act: '74/2005', day: '2005-11-23', does: 'makes', seen: 'whole', played: true },
      // The copy is marked as changed at art. 1 alone: read as printing the new text (W12).
      { act: '63/2007', day: '2007-06', does: 'changes', articles: '1', seen: 'none', played: 'part' },
    ],
    checkedTo: '2018-04',
  },
  itemFirst: [1],
  options: [
    option('decks', 'art.1.1', { kind: 'integer', min: 1, max: 12 }, 6),
    option('seats', 'art.1.5', { kind: 'integer', min: 7, max: 12 }, 7),
    // art. 1.2: the shoe; art. 1.3: the shuffler-dealer.
    option('cardSource', 'art.1.2', oneOf('shoe', 'autoShuffler'), 'shoe'),
    // «About the last twelve cards»
    option('cutFromEnd', 'art.2.1', { kind: 'integer', min: 10, max: 20 }, 12),
    option('tieBet', 'art.7.3', oneOf(true, false), true),
    // No text limits it: null = up to the table's maximum.
    option('sideBetMax', '', { ...AMOUNT, nullable: true }, null),
    option('tieBettorMain', 'art.7.3', oneOf('push', 'choose'), 'push'),
    option('warBurn', 'art.7.5', oneOf('perCard', 'once'), 'perCard'),
    option('min', '', AMOUNT, 1_000),
    option('max', '', AMOUNT, 1_000_000),
    // Half a bet is lost in art. 7.4: an even step keeps it whole.
    option('step', '', { ...AMOUNT, min: 2, multipleOf: 2 }, 1_000),
  ],
  combinations: [
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
  ],
  articles: ARTICLES,
};
