import type { OptionValue } from '../../table/profile.ts';
import type { Legal, OptionSpec, Rulebook } from '../rulebook.ts';

/**
 * Despacho 57/2009, regulation of «Black Jack» ou «Vinte e Um»: what a house may choose, and where the articles stand.
 * art. 21.1: choices under arts. 1-6, 13, 14, 16, 17, 20, 10.7 and 12.1 need the regulator's prior authorisation;
 * art. 21.2: arts. 15 and 18 may be left out with it; art. 21.3: perfect pair and winning streak need it.
 */
const AUTHORISED = 'art.21.1';
const TO_WAIVE = 'art.21.2';
const YES_OR_NO: Legal = { kind: 'one-of', values: [true, false] };
const oneOf = (...values: OptionValue[]): Legal => ({ kind: 'one-of', values });

function option(
  id: string,
  article: string,
  legal: Legal,
  byDefault: OptionValue,
  authorisation: string | null,
  supported?: readonly OptionValue[],
): OptionSpec {
  const waivable = authorisation === TO_WAIVE;
  const spec = { id, article, legal, default: byDefault, authorisation, waivable };
  return supported === undefined ? spec : { ...spec, supported };
}

const SIDE_BETS = [
  'anyPair',
  'sevens',
  'over13',
  'under13',
  'perfectPair',
  'streak2',
  'streak3',
  'streak4',
  'streak5',
];
const AMOUNT = { kind: 'integer', min: 1, max: 1_000_000_000_000 } as const;

export const MACAU_57_2009: Rulebook = {
  id: 'macau-blackjack-2009',
  options: [
    option('decks', 'art.1.2', { kind: 'integer', min: 1, max: 12 }, 6, AUTHORISED),
    option('seats', 'art.1.1', { kind: 'integer', min: 6, max: 12 }, 7, AUTHORISED),
    option(
      'seatsPerPlayer',
      'art.3.2',
      { kind: 'integer', min: 1, max: 12, nullable: true },
      null,
      AUTHORISED,
    ),
    option('cardSource', 'art.1.3', oneOf('box', 'shoe', 'autoShuffler'), 'shoe', AUTHORISED, [
      'shoe',
      'autoShuffler',
    ]),
    option('cutBehind', 'art.2.1.1', { kind: 'integer', min: 30, max: 600 }, 60, AUTHORISED),
    option('burnAtStart', 'art.4.1', oneOf('perDeck', 'one'), 'one', AUTHORISED),
    option('burnEachRound', 'art.4.2', oneOf('none', 'one', 'oneAndBeforeDealerSecond'), 'none', AUTHORISED),
    option('exposedFirstCardValid', 'art.5.1.1', YES_OR_NO, false, AUTHORISED),
    option('dealing', 'art.5.2', oneOf('faceDown', 'faceUp', 'holeCard'), 'faceUp', AUTHORISED, ['faceUp']),
    option('dealerCardPass', 'art.5.1', oneOf(1, 2), 1, null),
    option('playerCardsDown', 'art.5.2.3.5', oneOf('none', 'both', 'one'), 'none', AUTHORISED, ['none']),
    option('playerTurnsCards', 'art.5.2.3.6', YES_OR_NO, false, AUTHORISED, [false]),
    option('tableMaxTotal', 'art.5.2.3.8', { ...AMOUNT, nullable: true }, null, AUTHORISED, [null]),
    option('dealerHitsSoft17', 'art.6.1', YES_OR_NO, true, AUTHORISED),
    option('soft17', 'art.6.6', oneOf('aceSix', 'any'), 'aceSix', AUTHORISED),
    option('wrongDealerCard', 'art.6.1', oneOf('void', 'validIfUnseen'), 'void', AUTHORISED),
    option('dealerPlaysOut', 'art.6.1', oneOf('always', 'ifNeeded'), 'always', null),
    option('evenMoney', 'art.10.3', oneOf(true), true, null),
    option('doubledVsDealerBlackjack', 'art.17.3', oneOf('originalOnly'), 'originalOnly', null),
    option('elevenVsDealerBlackjack', 'art.10.7', oneOf('loseAll', 'offer'), 'loseAll', AUTHORISED),
    option('splitVsDealerBlackjack', 'art.16.6', oneOf('originalOnly'), 'originalOnly', null),
    option('bustedVsDealerBlackjack', 'art.7.2', oneOf('originalOnly', 'bustsLost'), 'originalOnly', null),
    option('insuranceMin', 'art.12.1', { kind: 'fraction', min: '1/2', max: '1' }, '1/2', AUTHORISED),
    option('insuranceMax', 'art.12.1', { kind: 'fraction', min: '1/2', max: '1' }, '1', AUTHORISED),
    option(
      'sideBets',
      'art.13',
      { kind: 'subset', of: SIDE_BETS, min: 0 },
      ['anyPair', 'sevens', 'over13', 'under13'],
      AUTHORISED,
      [],
    ),
    option('sideBetsAtOnce', 'art.13', oneOf('oneKind', 'any'), 'oneKind', AUTHORISED, ['oneKind']),
    option('anyPairResplit', 'art.13.1.2', oneOf('eachPair', 'firstOnly', 'newBet'), 'eachPair', AUTHORISED, [
      'eachPair',
    ]),
    option('sevensThird', 'art.13.2.2', oneOf('afterSplit', 'splitOrHit'), 'afterSplit', null, [
      'afterSplit',
    ]),
    option('over13Ace', 'art.13.3', oneOf('one', 'eleven', 'choice'), 'one', null, ['one']),
    option('streakAbandon', 'art.13.5.2.vi', oneOf('refuseDeal', 'forfeit'), 'refuseDeal', null, [
      'refuseDeal',
    ]),
    option('specialPrize', 'art.15', YES_OR_NO, true, TO_WAIVE),
    option('specialPrizeMode', 'art.15', oneOf('bonus', 'closesHand'), 'bonus', null),
    option('specialPrizeBase', 'art.15', oneOf('stake', 'original'), 'stake', null),
    option('maxHands', 'art.16.1', { kind: 'integer', min: 4, max: 20 }, 4, AUTHORISED),
    option('resplit', 'art.16.5', YES_OR_NO, true, AUTHORISED),
    option('resplitAces', 'art.16.3', YES_OR_NO, true, AUTHORISED),
    option(
      'doubleOn',
      'art.17.1',
      { kind: 'subset', of: ['anyTwo', 'afterSplit', 'eleven'], min: 1 },
      ['anyTwo', 'afterSplit'],
      AUTHORISED,
    ),
    option('surrender', 'art.18', YES_OR_NO, true, TO_WAIVE),
    option('surrenderWindow', 'art.18.2', oneOf('beforeAnyCard', 'beforeOwnCard'), 'beforeAnyCard', null),
    option('fiveCards', 'art.19', oneOf(true), true, null),
    option('betsBehind', 'art.20.1', oneOf('seated', 'nearest', 'highest'), 'seated', AUTHORISED),
    option(
      'maxBettorsPerSeat',
      'art.20.1.2',
      { kind: 'integer', min: 1, max: 12, nullable: true },
      null,
      AUTHORISED,
    ),
    option('behindFollows', 'art.20.1', YES_OR_NO, true, null),
    option('min', '', AMOUNT, 100, null),
    option('max', '', AMOUNT, 100_000_000, null),
    // Half a stake is paid in arts. 10.2, 18.1 and 19.1: an even step keeps every result whole.
    option('step', '', { ...AMOUNT, min: 2, multipleOf: 2 }, 2, null),
  ],
  combinations: [
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
      option: 'max',
      article: '',
      message: 'must not be below min',
      holds: (o) => Number(o['max']) >= Number(o['min']),
    },
  ],
  articles: {
    cut: 'art.2.1.1',
    endOfShoe: 'art.2.2.1',
    reshuffle: 'art.2.2.2',
    shuffler: 'art.2.2.4',
    decks: 'art.1.2',
    seatsPerPlayer: 'art.3.2',
    burnAtStart: 'art.4.1',
    burnEachRound: 'art.4.2',
    dealOrder: 'art.5.1',
    exposed: 'art.5.1.1',
    misdeal: 'art.5.1.2',
    dealing: 'art.5.2.2.1',
    bankSecond: 'art.5.2.2.2',
    bankDraws: 'art.6.1',
    freeChoice: 'art.6.2',
    turns: 'art.6.3',
    hit: 'art.6.4',
    hitRefused: 'art.6.4.1',
    announce: 'art.6.5',
    soft17: 'art.6.6',
    bankTurn: 'art.7.1',
    bust: 'art.7.2',
    points: 'art.9',
    blackjack: 'art.10.2',
    evenMoney: 'art.10.3',
    win21: 'art.10.4',
    blackjackBeats21: 'art.10.5',
    plain21: 'art.10.6',
    originalOnlyOffer: 'art.10.7',
    tieBlackjack: 'art.11.1.1',
    tiePoints: 'art.11.1.2',
    insurance: 'art.12.1',
    bankBlackjack: 'art.12.2',
    insuranceLost: 'art.12.3',
    sideBets: 'art.13',
    specialPrize: 'art.15',
    split: 'art.16.1',
    splitStake: 'art.16.2',
    splitAces: 'art.16.3',
    resplit: 'art.16.5',
    splitOriginalOnly: 'art.16.6',
    double: 'art.17.1',
    doubleAnyTwo: 'art.17.1.1',
    doubleAfterSplit: 'art.17.1.2',
    doubleEleven: 'art.17.1.3',
    doubleOriginalOnly: 'art.17.3',
    surrender: 'art.18.1',
    surrenderWindow: 'art.18.2',
    fiveCards: 'art.19.1',
    betsBehind: 'art.20.1',
    maxBettors: 'art.20.1.2',
    waived: 'art.21.2',
  },
};

function fractionOf(value: OptionValue | undefined): number {
  const [a, b] = String(value).split('/');
  return Number(a) / Number(b ?? 1);
}
