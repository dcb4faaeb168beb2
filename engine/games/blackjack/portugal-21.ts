import { exactPartOf, timesOf } from '../../core/money.ts';
import { portugalHolidays } from '../../rules/holidays.ts';
import type { Combination, Legal, OptionSpec, Rulebook } from '../../rules/rulebook.ts';
import { parseFraction } from '../../rules/rulebook.ts';
import type { OptionValue } from '../../table/profile.ts';
import { type JackpotTerms, leastJackpotMinor } from './jackpot-terms.ts';
import type { BlackjackArticles, BlackjackDeviations } from './rules.ts';

/**
 * Portugal, «Blackjack/21», rules 1-61 as an edition after 2001 prints them: Portaria 817/2005 or
 * 217/2007, which one could not be told; `pre` is the preamble of Portaria 1364/2001. The text
 * leaves the house little: what it fixes has one legal value. r.38: the jackpot is communicated;
 * r.40, r.43: its stake, its conditions and its prizes are fixed or approved by the inspection
 * service.
 */
const APPROVED_MAXIMUM = 'r.15';
const APPROVED_DEVICE = 'pre';
const BY_INSPECTION = 'r.40';
const APPROVED_PRIZES = 'r.43';

const oneOf = (...values: OptionValue[]): Legal => ({ kind: 'one-of', values });
const AMOUNT = { kind: 'integer', min: 1, max: 1_000_000_000_000 } as const;

const option = (
  id: string,
  article: string,
  legal: Legal,
  byDefault: OptionValue,
  authorisation: string | null = null,
): OptionSpec => ({ id, article, legal, default: byDefault, authorisation, waivable: false });

/** A value the text gives no choice in. */
const fixed = (id: string, article: string, value: OptionValue): OptionSpec =>
  option(id, article, oneOf(value), value);

/** Marks an inner option that has no default: what is not given is not legal. */
const MUST_BE_GIVEN = null;

/** r.43: the highest combination first; `A3s` = three aces of one suit, `72` = two sevens. */
const PAYS: Legal = {
  kind: 'list',
  min: 1,
  fields: [
    option(
      'combination',
      'r.43',
      {
        kind: 'text',
        pattern: /^[A2-9TJQK][2-4]s?$/,
        meaning: 'a rank, how many of it, `s` for one suit, as in A3s',
      },
      MUST_BE_GIVEN,
      APPROVED_PRIZES,
    ),
    option('share', 'r.43', { kind: 'fraction', min: '0', max: '1', nullable: true }, null, APPROVED_PRIZES),
    option(
      'odds',
      'r.43',
      { kind: 'integer', min: 1, max: 1_000_000, nullable: true },
      null,
      APPROVED_PRIZES,
    ),
  ],
};

const JACKPOT: readonly OptionSpec[] = [
  option('stake', 'r.40', AMOUNT, MUST_BE_GIVEN, BY_INSPECTION),
  option('increment', 'r.40', { kind: 'fraction', min: '0', max: '1' }, MUST_BE_GIVEN, BY_INSPECTION),
  option('seed', 'r.44', { ...AMOUNT, nullable: true }, null, BY_INSPECTION),
  option('cards', 'r.42', oneOf(2, 3, 4), 4, APPROVED_PRIZES),
  option('pays', 'r.43', PAYS, MUST_BE_GIVEN, APPROVED_PRIZES),
  option('marking', 'r.41', oneOf('automatic', 'manual'), 'automatic'),
];

const ARTICLES: BlackjackArticles = {
  cut: 'r.8',
  endCard: 'r.9',
  endOfShoe: 'r.11',
  reshuffle: 'r.11',
  stop: 'r.12',
  shuffler: 'r.52',
  loading: 'r.54',
  feeding: 'r.59',
  complaints: 'r.61',
  jam: 'r.51',
  closing: 'r.55',
  deckCheck: 'r.7',
  replacement: 'r.5',
  decks: 'r.3',
  seatsPerPlayer: '',
  burnAtStart: 'r.10',
  burnEachRound: '',
  dealOrder: 'r.17',
  exposed: 'r.17',
  misdeal: 'r.17',
  dealing: 'r.17',
  dealingDown: '',
  dealingBox: '',
  dealingHole: 'r.17',
  holeCard: 'r.17',
  look: '',
  lookBlackjack: '',
  bankSecond: 'r.17',
  bankDraws: 'r.19',
  freeChoice: 'r.18',
  turns: 'r.18',
  hit: 'r.18',
  hitRefused: 'r.18',
  mustDraw: 'r.18',
  misdraw: 'r.18',
  announce: 'r.36',
  soft17: 'r.6.a',
  bankTurn: 'r.19',
  bust: 'r.22',
  points: 'r.23',
  bankBust: 'r.1.b',
  blackjack: 'r.21',
  evenMoney: 'r.34',
  win21: 'r.23',
  blackjackBeats21: 'r.20',
  plain21: 'r.20',
  originalOnlyOffer: '',
  tieBlackjack: 'r.21',
  tiePoints: 'r.24',
  insurance: 'r.33',
  insuranceWon: 'r.33',
  insuranceLost: 'r.33',
  bankBlackjack: 'r.20',
  sideBets: 'r.39',
  specialPrize: 'r.35',
  split: 'r.26',
  splitStake: 'r.26',
  splitAces: 'r.26',
  resplit: 'r.27',
  splitOriginalOnly: '',
  followSplit: 'r.28',
  double: 'r.29',
  doubleAnyTwo: '',
  doubleAfterSplit: 'r.31',
  doubleEleven: '',
  doubleOriginalOnly: '',
  followDouble: 'r.30',
  aceLock: 'r.32',
  surrender: 'r.36',
  surrenderWindow: 'r.36',
  fiveCards: '',
  betsBehind: 'r.15',
  vacantSeat: 'r.16',
  maxBettors: 'r.15',
  step: 'r.14',
  jackpotOwnCards: 'r.42',
  jackpotMain: 'r.45',
  jackpotChip: 'r.47',
  jackpotPaid: 'r.43',
  jackpotShared: 'r.50',
  jackpotStays: 'r.49',
  waived: '',
};

/** What these rules say otherwise than the common procedure, without a choice. */
const DEVIATIONS: BlackjackDeviations = {
  cutRight: true, // r.8
  deckCheck: true, // r.7
  loadingPackets: 2, // r.54
  feeding: 'dealer', // r.59, r.60
  bankSecondReplaced: true, // r.17
  noLook: true, // r.17: the bank does not look at its second card
  misdrawnCard: 'nextAsker', // r.18
  mustDrawBelow: 12, // r.18: «superior a 11»
  evenMoneyAgainst: 'ace', // r.34
  boundByHolder: true, // r.15
  blackjackPaidAtOnce: true, // r.21
  resplitStaysOpen: true, // r.27
  aceLock: true, // r.32
  followers: 'own', // r.28, r.30
};

type Resolved = Parameters<Combination['holds']>[0];
const jackpotOf = (options: Resolved): JackpotTerms | null =>
  (options['jackpot'] ?? null) as unknown as JackpotTerms | null;

type Prize = JackpotTerms['pays'][number];

/** What a prize comes to at the start value, in exact parts of a minor unit: a of b. */
const atStart = ({ stake, seed }: JackpotTerms, { share, odds }: Prize): readonly [a: bigint, b: bigint] =>
  odds === null ? exactPartOf(seed, parseFraction(share ?? '0')!) : exactPartOf(stake, [odds, 1]);

/**
 * r.50.a pays from the smallest to the largest: each combination brings at most what the one before
 * it does. A share grows with the meter and odds do not, so that no share follows odds.
 */
function isDescending(terms: JackpotTerms | null): boolean {
  if (!terms) return true;
  return terms.pays.every((pay, at, pays) => {
    const before = pays[at - 1];
    if (!before) return true;
    if (before.odds !== null && pay.odds === null) return false;
    const [a, b] = atStart(terms, before);
    const [c, d] = atStart(terms, pay);
    return a * d >= c * b;
  });
}

/**
 * r.43, r.44: a meter at its start value can pay every combination once, and still no less for the
 * first than the second.
 */
function isCovered(terms: JackpotTerms | null): boolean {
  if (!terms) return true;
  const [second, ...others] = terms.pays.slice(1).map((pay) => atStart(terms, pay));
  if (!second) return true;
  // Each rounds to less than one unit more: exact numbers keep the border where the article has it.
  let [a, b] = [2n * second[0], second[1]];
  for (const [c, d] of others) [a, b] = [a * d + c * b, b * d];
  const [start] = exactPartOf(terms.seed, [1, 1]);
  return a <= start * b;
}

export const PORTUGAL_21: Rulebook = {
  id: 'portugal-blackjack',
  game: 'blackjack',
  sources: {
    diplomas: [
      { act: '1364/2001', day: '2001-12-06', does: 'makes', seen: 'copy', played: 'part' },
      { act: '817/2005', day: '2005-09-13', does: 'changes', seen: 'copy', played: 'part' },
      { act: '217/2007', day: '2007-02-26', does: 'changes', seen: 'copy', played: 'part' },
      { act: '401/2015', day: '2015-11-09', does: 'changes', seen: 'copy', played: false },
    ],
    checkedTo: '2015-11',
  },
  // Of its two offsets the later midnight counts, so that nothing begins before its day.
  dayOffsetMs: 0,
  home: 'portugal',
  holidays: portugalHolidays,
  options: [
    option('seats', 'r.2', oneOf(6, 7), 7),
    option('decks', 'r.3', oneOf(4, 6), 6),
    option('cardSource', 'r.4', oneOf('shoe', 'autoShuffler', 'continuousShuffler'), 'shoe', APPROVED_DEVICE),
    fixed('dealing', 'r.17', 'holeCard'),
    fixed('burnAtStart', 'r.10', 'one'),
    fixed('burnEachRound', 'r.10', 'none'),
    fixed('warningFromEnd', 'r.9', 50),
    fixed('dealerHitsSoft17', 'r.6.a', false),
    fixed('wrongDealerCard', 'r.19', 'void'),
    fixed('evenMoney', 'r.34', true),
    fixed('doubledVsDealerBlackjack', 'r.20', 'loseAll'),
    fixed('splitVsDealerBlackjack', 'r.20', 'loseAll'),
    fixed('insuranceMin', 'r.33', null),
    fixed('insuranceMax', 'r.33', '1/2'),
    fixed('specialPrize', 'r.35', true),
    fixed('surrender', 'r.36', true),
    fixed('fiveCards', '', false),
    option('sideBets', '', { kind: 'subset', of: [], min: 0 }, []),
    option('splitBy', 'r.26', oneOf('value', 'rank'), 'value'),
    fixed('resplit', 'r.27', true),
    fixed('maxHands', 'r.27', null),
    option('resplitAces', 'r.27', oneOf(true, false), true),
    option('doubleOn', 'r.29', { kind: 'subset', of: ['nineTenEleven', 'afterSplit'], min: 2 }, [
      'nineTenEleven',
      'afterSplit',
    ]),
    fixed('betsBehind', 'r.15', 'seated'),
    fixed('vacantSeatDecider', 'r.16', 'highestThenLowestSeat'),
    fixed('maxBettorsPerSeat', '', null),
    fixed('seatsPerPlayer', '', null),
    fixed('tableMaxTotal', '', null),
    // An even minimum, hence an even step, keeps 3:2, the half of a surrender and every other
    // result whole.
    option('min', 'r.14', { ...AMOUNT, min: 2, multipleOf: 2 }, 1_000, APPROVED_MAXIMUM),
    option('step', 'r.14', { ...AMOUNT, nullable: true }, null, APPROVED_MAXIMUM),
    option('max', 'r.37', AMOUNT, 30_000, APPROVED_MAXIMUM),
    option('deckReplacement', 'r.5', oneOf('wholeDeck', 'damagedOnly'), 'wholeDeck', 'r.5'),
    option('jackpot', 'r.38', { kind: 'object', fields: JACKPOT, nullable: true }, null),
  ],
  fixed: {
    exposedFirstCardValid: false,
    dealerCardPass: 1,
    soft17: 'aceSix',
    dealerPlaysOut: 'ifNeeded', // r.22
    elevenVsDealerBlackjack: 'loseAll', // r.20
    bustedVsDealerBlackjack: 'bustsLost', // r.22
    specialPrizeMode: 'bonus', // r.35: in addition to the result of the hand
    specialPrizeBase: 'stake',
    // The preamble of 2001 alone says «antes de … qualquer carta adicional»; r.36 does not repeat
    // it.
    surrenderWindow: 'beforeAnyCard',
    behindFollows: false, // r.28, r.30
    ...DEVIATIONS,
  },
  derived(options) {
    const terms = jackpotOf(options);
    const step = options['step'] ?? options['min']!;
    // r.44: the start value is the least one where none is given.
    if (terms === null || terms.seed !== null) return { step };
    const jackpot = { ...(options['jackpot'] as object), seed: leastJackpotMinor(terms) };
    return { step, jackpot: jackpot as OptionValue };
  },
  combinations: [
    {
      option: 'step',
      article: 'r.14',
      message: 'bets are the minimum or a multiple of it: step must be min',
      holds: (o) => o['step'] === o['min'],
    },
    {
      option: 'max',
      article: 'r.37',
      message: 'must be at least min and at most 30 times min',
      holds: (o) => Number(o['max']) >= Number(o['min']) && Number(o['max']) <= timesOf(Number(o['min']), 30),
    },
    {
      option: 'jackpot.seed',
      article: 'r.44',
      message: 'must be at least 10,000 times jackpot.stake',
      holds: (o) => (jackpotOf(o)?.seed ?? Infinity) >= leastJackpotMinor(jackpotOf(o)),
    },
    {
      option: 'jackpot.pays',
      article: 'r.43',
      message: 'each prize is either a share of the meter or odds on the stake',
      holds: (o) =>
        (jackpotOf(o)?.pays ?? []).every(({ share, odds }) => (share === null) !== (odds === null)),
    },
    {
      option: 'jackpot.pays',
      article: 'r.50.a',
      message: 'the first combination takes what remains of the meter: share must be 1, and of no other',
      holds: (o) =>
        (jackpotOf(o)?.pays ?? []).every(({ share }, at) => {
          const [a, b] = parseFraction(share ?? '0')!;
          return (a === b) === (at === 0);
        }),
    },
    {
      option: 'jackpot.pays',
      article: 'r.50.a',
      message: 'no prize may be above the one before it, at the start value or with a higher meter',
      holds: (o) => isDescending(jackpotOf(o)),
    },
    {
      option: 'jackpot.pays',
      article: 'r.43',
      message: 'the start value must cover all prizes but the first, and one like the second for the first',
      holds: (o) => isCovered(jackpotOf(o)),
    },
    {
      option: 'jackpot.pays',
      article: 'r.42',
      message: 'no combination has more cards than jackpot.cards',
      holds: (o) =>
        (jackpotOf(o)?.pays ?? []).every((pay) => Number(pay.combination[1]) <= jackpotOf(o)!.cards),
    },
  ],
  articles: ARTICLES,
};
