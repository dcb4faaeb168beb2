import type { Combination, Legal, OptionSpec } from '../../rules/rulebook.ts';
import type { OptionValue } from '../../table/profile.ts';
import type { BlackjackArticles } from './rules.ts';

/**
 * What the two Macau regulations of «Black Jack» have in common. Despacho 57/2009 repeats 56/2004
 * for the most part; where they differ the text of each says it in its own file.
 */

export const YES_OR_NO: Legal = { kind: 'one-of', values: [true, false] };
export const oneOf = (...values: OptionValue[]): Legal => ({ kind: 'one-of', values });
export const AMOUNT = { kind: 'integer', min: 1, max: 1_000_000_000_000 } as const;

export const option = (
  id: string,
  article: string,
  legal: Legal,
  byDefault: OptionValue,
  authorisation: string | null,
): OptionSpec => ({ id, article, legal, default: byDefault, authorisation, waivable: false });

/** Where one regulation goes another way than the other. */
export interface MacauLaw {
  /**
   * Under which article the choice of an option needs prior authorisation; null = the text has
   * none.
   */
  readonly authorised: string | null;
  /** Whether arts. 15 and 18 may be left out, and under which article. */
  readonly toWaive: Pick<OptionSpec, 'legal' | 'authorisation' | 'waivable'>;
  readonly dealing: readonly string[];
  readonly hitsSoft17: readonly [OptionValue, ...OptionValue[]];
  readonly sideBets: readonly string[];
  /** Side bets whose authorisation stands under an article of its own. */
  readonly sideBetsAuthorised: Readonly<Record<string, string>>;
  readonly doubledVsBlackjack: OptionSpec;
  readonly splitVsBlackjack: OptionSpec;
  readonly doubleOn: { readonly article: string };
  /** Options this regulation alone has, by the option they stand after. */
  readonly own: Readonly<Record<string, readonly OptionSpec[]>>;
}

/**
 * The options of a Macau regulation in the order of its articles; defaults are the ones of its
 * option table.
 */
export function macauOptions(law: MacauLaw): OptionSpec[] {
  const { authorised, toWaive } = law;
  const mayWaive = (id: string, article: string): OptionSpec => ({
    ...option(id, article, toWaive.legal, true, null),
    ...toWaive,
  });
  const common: readonly OptionSpec[] = [
    option('decks', 'art.1.2', { kind: 'integer', min: 1, max: 12 }, 6, authorised),
    option('seats', 'art.1.1', { kind: 'integer', min: 6, max: 12 }, 7, authorised),
    option(
      'seatsPerPlayer',
      'art.3.2',
      { kind: 'integer', min: 1, max: 12, nullable: true },
      null,
      authorised,
    ),
    // Box and shoe are art. 1.3, the shuffler-dealer art. 1.4; art. 2.2.4 gives every shuffler its
    // cards back after the round: a continuous one is no other case.
    option(
      'cardSource',
      'art.1.3',
      oneOf('box', 'shoe', 'autoShuffler', 'continuousShuffler'),
      'shoe',
      authorised,
    ),
    option('cutBehind', 'art.2.1.1', { kind: 'integer', min: 30, max: 600 }, 60, authorised),
    // art. 4.1.1: as many cards as there are packs; art. 4.1.2: the first card alone.
    option('burnAtStart', 'art.4.1', oneOf('perDeck', 'one'), 'one', authorised),
    option('burnEachRound', 'art.4.2', oneOf('none', 'one', 'oneAndBeforeDealerSecond'), 'none', authorised),
    option('exposedFirstCardValid', 'art.5.1.1', YES_OR_NO, false, authorised),
    option('dealing', 'art.5.2', oneOf(...law.dealing), 'faceUp', authorised),
    option('dealerCardPass', 'art.5.1', oneOf(1, 2), 1, null),
    option('dealerHitsSoft17', 'art.6.1', oneOf(...law.hitsSoft17), law.hitsSoft17[0], authorised),
    option('wrongDealerCard', 'art.6.1', oneOf('void', 'validIfUnseen'), 'void', authorised),
    option('dealerPlaysOut', 'art.6.1', oneOf('always', 'ifNeeded'), 'always', null),
    option('evenMoney', 'art.10.3', oneOf(true), true, null),
    law.doubledVsBlackjack,
    law.splitVsBlackjack,
    option('insuranceMin', 'art.12.1', { kind: 'fraction', min: '1/2', max: '1' }, '1/2', authorised),
    option('insuranceMax', 'art.12.1', { kind: 'fraction', min: '1/2', max: '1' }, '1', authorised),
    {
      ...option(
        'sideBets',
        'art.13',
        { kind: 'subset', of: law.sideBets, min: 0 },
        ['anyPair', 'sevens', 'over13', 'under13'],
        authorised,
      ),
      memberAuthorisation: law.sideBetsAuthorised,
    },
    // No article limits a side bet: null = from one minor unit to the table's maximum.
    option('sideBetMin', '', { ...AMOUNT, nullable: true }, null, null),
    option('sideBetMax', '', { ...AMOUNT, nullable: true }, null, null),
    option('sideBetsAtOnce', 'art.13', oneOf('oneKind', 'any'), 'oneKind', authorised),
    option('anyPairResplit', 'art.13.1.2', oneOf('eachPair', 'firstOnly', 'newBet'), 'eachPair', authorised),
    option('sevensThird', 'art.13.2.2', oneOf('afterSplit', 'splitOrHit'), 'afterSplit', null),
    option('over13Ace', 'art.13.3', oneOf('one', 'eleven', 'choice'), 'one', null),
    mayWaive('specialPrize', 'art.15'),
    option('specialPrizeMode', 'art.15', oneOf('bonus', 'closesHand'), 'bonus', null),
    option('specialPrizeBase', 'art.15', oneOf('stake', 'original'), 'stake', null),
    {
      ...option('maxHands', 'art.16.1', { kind: 'integer', min: 4, max: 20 }, 4, authorised),
      defaultIf: { option: 'dealing', is: 'holeCard', value: 5 },
    },
    option('resplit', 'art.16.5', YES_OR_NO, true, authorised),
    option('resplitAces', 'art.16.3', YES_OR_NO, true, authorised),
    option(
      'doubleOn',
      law.doubleOn.article,
      { kind: 'subset', of: ['anyTwo', 'afterSplit', 'eleven'], min: 1 },
      ['anyTwo', 'afterSplit'],
      authorised,
    ),
    mayWaive('surrender', 'art.18'),
    option('surrenderWindow', 'art.18.2', oneOf('beforeAnyCard', 'beforeOwnCard'), 'beforeAnyCard', null),
    option('fiveCards', 'art.19', oneOf(true), true, null),
    option('betsBehind', 'art.20.1', oneOf('seated', 'nearest', 'highest'), 'seated', authorised),
    option(
      'maxBettorsPerSeat',
      'art.20.1.2',
      { kind: 'integer', min: 1, max: 12, nullable: true },
      null,
      authorised,
    ),
    option('behindFollows', 'art.20.1', YES_OR_NO, true, null),
    option('min', '', AMOUNT, 100, null),
    option('max', '', AMOUNT, 100_000_000, null),
    // Half a stake is paid in arts. 10.2, 18.1 and 19.1: an even step keeps every result whole.
    option('step', '', { ...AMOUNT, min: 2, multipleOf: 2 }, 2, null),
  ];
  return common.flatMap((spec) => [spec, ...(law.own[spec.id] ?? [])]);
}

export const MACAU_COMBINATIONS: readonly Combination[] = [
  {
    option: 'decks',
    article: 'art.2.2.3',
    message: 'one where the metal box is used',
    holds: (o) => o['cardSource'] !== 'box' || o['decks'] === 1,
  },
  {
    option: 'dealing',
    article: 'art.5.2.2.1',
    message: 'the second procedure has no metal box',
    holds: (o) => o['dealing'] !== 'faceUp' || o['cardSource'] !== 'box',
  },
  {
    option: 'burnEachRound',
    article: 'art.4.2',
    message: 'none where the metal box is used',
    holds: (o) => o['cardSource'] !== 'box' || o['burnEachRound'] === 'none',
  },
  {
    option: 'burnEachRound',
    article: 'art.4.2',
    message: "the bank's second card is not dealt face up after the players with a hole card",
    holds: (o) => o['dealing'] !== 'holeCard' || o['burnEachRound'] !== 'oneAndBeforeDealerSecond',
  },
  {
    option: 'dealerCardPass',
    article: 'art.5.2',
    message: 'the bank has a card in each pass where its second lies face down',
    holds: (o) => o['dealerCardPass'] === 1 || (o['dealing'] !== 'holeCard' && o['cardSource'] !== 'box'),
  },
  {
    option: 'insuranceMin',
    article: 'art.12.1',
    message: 'must not be above insuranceMax',
    holds: (o) => fractionOf(o['insuranceMin']) <= fractionOf(o['insuranceMax']),
  },
  {
    option: 'maxBettorsPerSeat',
    article: 'art.20.1.2',
    message: 'at most three where the nearest bet decides',
    holds: (o) => o['betsBehind'] !== 'nearest' || Number(o['maxBettorsPerSeat'] ?? 3) <= 3,
  },
  {
    option: 'cutBehind',
    article: 'art.2.1.1',
    message: 'must be fewer than the cards of the shoe',
    holds: (o) => Number(o['decks']) === 1 || Number(o['cutBehind']) < Number(o['decks']) * 52,
  },
  {
    option: 'sideBetMax',
    article: '',
    message: 'must not be below sideBetMin',
    holds: (o) => Number(o['sideBetMax'] ?? o['max']) >= Number(o['sideBetMin'] ?? 1),
  },
  {
    option: 'max',
    article: '',
    message: 'must not be below min',
    holds: (o) => Number(o['max']) >= Number(o['min']),
  },
];

function fractionOf(value: OptionValue | undefined): number {
  const [a, b] = String(value).split('/');
  return Number(a) / Number(b ?? 1);
}

/** Articles that stand under the same number in both; '' = neither text has such a rule. */
export const MACAU_ARTICLES = {
  cut: 'art.2.1.1',
  endCard: 'art.2.1.1',
  endOfShoe: 'art.2.2.1',
  reshuffle: 'art.2.2.2',
  stop: '',
  shuffler: 'art.2.2.4',
  loading: 'art.2.1.2',
  feeding: 'art.2.2.4',
  complaints: '',
  jam: '',
  closing: '',
  deckCheck: '',
  replacement: 'art.2.2.1',
  decks: 'art.1.2',
  seatsPerPlayer: 'art.3.2',
  burnAtStart: 'art.4.1',
  burnEachRound: 'art.4.2',
  dealOrder: 'art.5.1',
  exposed: 'art.5.1.1',
  misdeal: 'art.5.1.2',
  dealing: 'art.5.2.2.1',
  dealingDown: 'art.5.2.1.1',
  dealingBox: 'art.5.2.1.2',
  bankSecond: 'art.5.2.2.2',
  bankDraws: 'art.6.1',
  freeChoice: 'art.6.2',
  turns: 'art.6.3',
  hit: 'art.6.4',
  hitRefused: 'art.6.4.1',
  mustDraw: '',
  misdraw: '',
  announce: 'art.6.5',
  bankTurn: 'art.7.1',
  bust: 'art.7.2',
  points: 'art.9',
  bankBust: 'art.7.2',
  blackjack: 'art.10.2',
  evenMoney: 'art.10.3',
  win21: 'art.10.4',
  blackjackBeats21: 'art.10.5',
  plain21: 'art.10.6',
  originalOnlyOffer: 'art.10.7',
  insurance: 'art.12.1',
  bankBlackjack: 'art.12.2',
  insuranceWon: 'art.12.2',
  insuranceLost: 'art.12.3',
  sideBets: 'art.13',
  specialPrize: 'art.15',
  split: 'art.16.1',
  splitStake: 'art.16.2',
  splitAces: 'art.16.3',
  resplit: 'art.16.5',
  followSplit: '',
  followDouble: '',
  aceLock: '',
  surrender: 'art.18.1',
  surrenderWindow: 'art.18.2',
  fiveCards: 'art.19.1',
  betsBehind: 'art.20.1',
  vacantSeat: 'art.20.1',
  maxBettors: 'art.20.1.2',
  step: '',
  jackpotOwnCards: '',
  jackpotMain: '',
  jackpotChip: '',
  jackpotPaid: '',
  jackpotShared: '',
  jackpotStays: '',
} as const satisfies Partial<BlackjackArticles>;
