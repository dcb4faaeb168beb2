/**
 * What the second reader sees of the planted errors, as data. read.ts measures it and compares.
 */
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';

const REFUSED = 'it refuses what is lawful: nothing is laid or decided, and nothing is settled by it';
const CARDS =
  'a direction to the dealer: what is burnt, cut, loaded, fed, kept or taken back; the reader settles the cards as they came';
const PERMIT =
  'a record, its days or a notice: under the terms that it lets in a round is settled as they say';
const SHOWN = 'a display: the wins that are settled are another member of the state';
const METER = 'the meter as it stood when the bets were opened is the engine’s';
const REFUND = 'what a cancelled round gives back is not read: a hold could only end in cancelling it again';
const OWNED = 'what somebody owns: the reader hears of bets, and neither credits nor notes';
const TIME = 'when a word was said or a limit was reached: the reader has no clock';
const PAPER = 'a complaint, a person or a record beside the round: no card and no bet';
const HELD = 'whether the table stands held: the reader hears of cards, bets and words, and of no hold';
const DESK = 'a list of ways out; whether one may be taken is asked again where it is taken';
const CRASH = 'the engine ends with an error before it settles anything: nothing is stored or paid';
const TWICE = 'another rule refuses the same terms of a table';
const AGAIN = 'another rule refuses the same word: what is refused stays refused, for another reason';
const BETWEEN =
  'the bank’s next card lies face down again before anybody is asked; until then only displays look';
const NAMED = 'a card that is named again stands as it is named: the reader hears of no reading before';
const NOWHERE = 'no line that a game settles has both a loss and a commission: nothing changes';

const listed = (why: string, ...ids: readonly string[]): [string, string][] => ids.map((id) => [id, why]);

/** Planted errors that no settlement can show, each with the reason. */
export const UNSEEN: Readonly<Record<string, string>> = Object.fromEntries([
  ...listed(
    REFUSED,
    'taken-back-no-bust',
    'look-without-end',
    'all-blackjacks-stay',
    'last-chip-refused',
    'insurance-below-the-whole-bet',
    'table-maximum-without-its-last-chip',
    'resplit-aces-unauthorised',
    'side-bet-at-its-maximum',
    'over-and-under-are-two-kinds',
    'streaks-are-many-kinds',
    'four-hands-with-a-hole-card',
    'split-of-ranks',
    'declined-split-is-final',
    'double-on-soft-nineteen',
    'no-insurance-behind-even-money',
    'taken-back-additional',
  ),
  ...listed(SHOWN, 'button-a-step-behind'),
  ...listed(METER, 'meter-lost-with-the-profile'),
  ...listed(
    CARDS,
    'irregular-deck-played',
    'emptied-shuffler-not-shown',
    'taken-back-first-of-game',
    'burn-before-second-always',
    'war-exposed-card-void',
    'cards-never-back',
    'taken-back-not-discarded',
    'burn-in-the-first-round',
    'start-burn-per-deck',
    'exposed-card-of-any-round-valid',
    'end-card-further-back',
    'box-of-many-rounds',
    'wrong-bank-card-void-or-not',
    'misdrawn-card-kept-for-ever',
    'misdrawn-card-seen-is-kept',
    'exposed-second-of-the-bank',
    'doubted-still-counted',
    'face-added-or-included',
    'exposed-card-void',
    'two-burnt',
    'no-burn-before-the-croupier',
    'burns-once-for-all',
    'burns-one-fewer',
    'shuffler-burns',
    'no-round-after-the-white-card',
    'white-card-deeper',
    'shuffler-keeps-nothing',
    'last-round-not-announced',
    'demonstration-in-play',
    'one-demonstration-more',
    'end-card-in-its-round',
    'round-of-the-shoe',
    'first-card-of-every-round',
    'figures-burn-more',
    'face-itself',
    'shoe-without-reserve',
    'laid-open-order-goes-on',
    'replaced-cards-unseen',
    'cards-back-but-gone',
    'cards-back-but-counted',
    'warning-card-at-40',
    'one-packet',
    'shuffler-burns-nothing',
    'shuffler-with-warning-card',
    'shuffler-cut',
    'warning-card-of-nobody',
    'same-seat-cuts',
    'refusal-forgotten',
    'cut-out-of-turn',
    'order-after-the-supervisor',
    'supervisor-unneeded',
    'cards-not-shown',
    'packets-one-too-many',
    'loading-without-supervisor',
    'shuffler-emptied-by-anybody',
    'single-card-replaced',
    'fed-against-a-complaint',
    'feeding-of-burnt-cards',
    'never-fed',
    'jam-opened-by-the-technician',
    'cut-order-anywhere',
    'cut-order-never-empty',
    'worn-inside',
  ),
  ...listed(
    PERMIT,
    'authorised-without-record',
    'two-days-notice',
    'streak-without-notice',
    'soft-17-without-authorisation',
    'effective-a-day-late',
    'effective-before-its-day',
    'record-of-another-option',
    'nameless-record',
    'any-value-granted',
    'defaults-need-no-record',
    'never-ends',
    'revoked-a-day-late',
    'days-with-the-last',
    'saturdays-work',
    'holidays-work',
    'holiday-counted-twice',
    'day-of-london',
    'two-days-notice-bacara',
    'commission-without-authorisation',
  ),
  ...listed(
    REFUND,
    'void-keeps-the-raise',
    'misdeal-keeps-insurance',
    'misdeal-keeps-side-bets',
    'cancelled-chips-stay',
    'cancelled-fraction-kept',
  ),
  ...listed(
    OWNED,
    'challenge-without-credit',
    'paid-to-the-seat',
    'followers-without-credit',
    'following-without-credit',
    'nothing-kept-for-the-duty',
  ),
  ...listed(TIME, 'touch-after-the-window'),
  ...listed(
    PAPER,
    'one-report-for-all',
    'errors-by-anybody',
    'complaint-until-the-next-round',
    'complaint-with-the-round',
    'complaint-closed-by-anybody',
  ),
  ...listed(HELD, 'taken-back-held'),
  ...listed(DESK, 'remedy-of-player', 'remedy-unseen-always', 'remedy-void-no-round'),
  ...listed(NOWHERE, 'commission-on-losses'),
  ...listed(CRASH, 'banker-natural-8', 'chip-without-main'),
  ...listed(TWICE, 'second-takes-the-rest'),
  ...listed(AGAIN, 'turn-of-another-hand', 'choice-after-the-first'),
  ...listed(BETWEEN, 'taken-back-hole-down'),
  ...listed(NAMED, 'doubted-face-down'),
]);

/** Where chance alone would seldom come to the case. */
export interface Look {
  readonly rulebook?: RulebookId;
  readonly options?: Readonly<Record<string, OptionValue>>;
  /** Ranks that come often. */
  readonly ranks?: string;
  /** Cards that come most of the time, as long as the pack has them: sittings are short. */
  readonly cards?: readonly string[];
  /** What whoever sits has; absent = more than anybody can lose. */
  readonly credit?: number;
  /**
   * The dealer puts errors right all the time: cards taken back, cards for those of another seat.
   */
  readonly errors?: true;
  /** Players who lay all they can, and stand. */
  readonly calm?: true;
  /** How many seats are taken; absent = as chance has it. */
  readonly seats?: number;
  /** Play that comes to a case so rare that other play may miss it. */
  readonly seed?: number;
}

const HOLE_CARD = { dealing: 'holeCard', maxHands: 5 };
const STREAKS = { sideBets: ['streak2', 'streak3', 'streak4', 'streak5'] };
const PAIRS = { sideBets: ['perfectPair'], decks: 8 };
const ELEVEN = { doubleOn: ['eleven'], elevenVsDealerBlackjack: 'loseAll' };

const jackpot = (seed: number, cards: number, ...pays: object[]): Look => ({
  options: {
    jackpot: {
      stake: 50,
      seed,
      increment: '1/3',
      cards,
      pays,
      marking: 'automatic',
    } as unknown as OptionValue,
  },
  ranks: 'A',
});
const OF_TWO = jackpot(500_000, 2, { combination: 'A2s', share: '1' }, { combination: 'A2', odds: 7 });
const OF_FOUR = jackpot(
  500_000,
  4,
  { combination: 'A3', share: '1' },
  { combination: 'A2s', share: '1/7' },
  { combination: 'A2', odds: 10 },
);
/** Several who have the second combination are due more than the meter holds (r.50.a). */
const SHORT: Look = {
  ...jackpot(
    500_000,
    2,
    { combination: 'Q2', share: '1' },
    { combination: 'A2', share: '2/5' },
    { combination: 'K2', odds: 10 },
  ),
  cards: ['AS', 'KS'],
  seats: 6,
  calm: true,
};
/** Doubled with an ace, and a two makes it twenty-one or eleven (r.32). */
const LOCKED: Look = { cards: ['AS', '8S', '2S', '2H'], seats: 2 };
const TOPS: Look = {
  ...jackpot(500_001, 2, { combination: 'A2', share: '1' }),
  cards: ['AS'],
  seats: 3,
  calm: true,
};

const SAID = { 'zh-Hant': '場方', pt: 'Casa', en: 'House' };
/** Both of its hands fit a Player that wins with two cards, and its limits are its own. */
const HOUSE_BET: Look = {
  options: {
    authorisedBets: [
      {
        id: 'houseBet',
        name: SAID,
        short: SAID,
        min: 3_000,
        max: 5_000,
        wins: [
          { winner: 'player', odds: 2 },
          { playerCards: 2, odds: 1 },
        ],
      },
    ],
  },
};
const ERRORS: Look = { errors: true, seats: 2 };
const ACES: Look = { ...ERRORS, ranks: 'AT' };
const EIGHTS: Look = { ...ERRORS, ranks: '8T3' };
const ELEVENS: Look = { ...ERRORS, ranks: '5647' };
const SEVENS: Look = {
  ...ERRORS,
  ranks: '7',
  options: { sideBets: ['sevens', 'anyPair'], sideBetsAtOnce: 'any' },
};

export const LOOKS: Readonly<Record<string, Look>> = {
  'last-hand-that-fits': HOUSE_BET,
  'authorised-maximum-unasked': HOUSE_BET,
  'authorised-minimum-unasked': HOUSE_BET,
  'swap-after-the-look': { ...ACES, options: HOLE_CARD },
  'taken-back-after-insurance': ACES,
  'taken-back-after-decline': ACES,
  'taken-back-after-even-money': ACES,
  'taken-back-first-wrong-place': ERRORS,
  'taken-back-called-hand': ERRORS,
  'taken-back-split-second': EIGHTS,
  'taken-back-two-cards': ERRORS,
  'taken-back-hole-turned': { ...ERRORS, options: HOLE_CARD },
  'taken-back-before-burn': { ...ERRORS, options: { burnEachRound: 'oneAndBeforeDealerSecond' } },
  'taken-back-stood': ERRORS,
  'taken-back-no-bust': ERRORS,
  'taken-back-prize': { ...ERRORS, ranks: '678' },
  'taken-back-bet': SEVENS,
  'taken-back-first-of-game': { ...ERRORS, options: { exposedFirstCardValid: true } },
  'swap-undoubled': ELEVENS,
  'swap-place': ELEVENS,
  'swapped-not-judged': { ...ELEVENS, ranks: '2T6' },
  'taken-back-counted': ERRORS,
  'taken-back-still-closed': ERRORS,
  'taken-back-uncalled': ERRORS,
  'swap-after-a-card': ERRORS,
  'war-swap-first': { ...ERRORS, ranks: 'A', seats: 4 },
  'war-swap-one': ERRORS,
  'look-without-end': { options: HOLE_CARD },
  'eleven-loses-the-original-only': { options: ELEVEN, ranks: 'AT56' },
  'original-only-unasked': { options: { ...ELEVEN, elevenVsDealerBlackjack: 'offer' }, ranks: 'AT56' },
  'five-cards-pay-all': { ranks: '23A' },
  'busted-double-is-offered': {
    rulebook: 'macau-blackjack-2004',
    options: { doubledVsDealerBlackjack: 'offer' },
    ranks: 'AT6',
  },
  'bank-idle-with-busted-splits': {
    options: { dealerPlaysOut: 'ifNeeded', bustedVsDealerBlackjack: 'originalOnly' },
    ranks: 'T8',
  },
  'highest-tie-to-the-later': { options: { betsBehind: 'highest', min: 1_000, step: 1_000, max: 2_000 } },
  'insurance-after-the-look': { options: HOLE_CARD, cards: ['AS', 'AH', '9H', '8D'], seats: 2 },
  'insurance-after-even-money': { ranks: 'AT' },
  'even-money-after-the-look': { options: HOLE_CARD, cards: ['AS', 'TS', '9H'], seats: 3 },
  'surrender-of-anybody': { options: { betsBehind: 'nearest' }, seats: 2, calm: true },
  'one-hand-too-many': { options: { maxHands: 4 }, ranks: '8' },
  'resplit-aces-unauthorised': { options: { resplitAces: false }, ranks: 'A' },
  'five-cards-are-six': { ranks: '23A' },
  'five-cards-against-an-ace': { ranks: '23A' },
  'hands-of-the-third-procedure': { options: { dealing: 'holeCard', maxHands: 6 } },
  'prize-though-waived': { options: { specialPrize: false }, ranks: '7' },
  'four-nearest': { options: { betsBehind: 'nearest' } },
  'table-maximum-of-main-bets': { options: { ...HOLE_CARD, tableMaxTotal: 2_000 } },
  'white-card-behind-20': { options: { cutBehind: 20 } },
  'price-three-sevens': { options: { sideBets: ['sevens'] }, ranks: '7' },
  'price-colour-pair': { options: PAIRS, ranks: '8' },
  'price-perfect-pair': { options: PAIRS, ranks: '8' },
  'price-streak-4': { options: STREAKS, seats: 1, ranks: 'T6', calm: true },
  'price-streak-5': { options: STREAKS, seats: 1, ranks: 'T6', calm: true },
  'later-pair-with-stake': { options: { sideBets: ['anyPair'] }, ranks: '8' },
  'third-seven-of-the-second-hand': { options: { sideBets: ['sevens'] }, ranks: '7' },
  'streak-of-all-bettors': { options: { ...STREAKS, betsBehind: 'nearest', behindFollows: false } },
  'closed-hand-is-no-win': { options: { ...STREAKS, specialPrizeMode: 'closesHand' }, ranks: '7' },
  'every-ace-locked': { ranks: 'A89' },
  'jackpot-start-of-anything': jackpot(100_000, 4, { combination: 'A2', share: '1' }),
  'start-of-1000-chips': jackpot(100_000, 4, { combination: 'A2', share: '1' }),
  'two-cards-count': OF_TWO,
  'restart-from-the-least': {
    ...OF_TWO,
    options: jackpot(700_001, 2, { combination: 'A2s', share: '1' }).options!,
  },
  'counted-on-the-first-hand': OF_FOUR,
  'three-cards-count': OF_FOUR,
  'six-pays-whole': { options: { commission: 'none-banker-six-half' }, ranks: '6T' },
  'half-by-the-other-rounding': {
    options: { commission: 'none-banker-six-half', step: 1, min: 1_001 },
    ranks: '6T',
  },
  'single-loss-of-who-has-nothing-there': {
    options: {
      behindFollows: true,
      betsBehind: 'nearest',
      bustedVsDealerBlackjack: 'bustsLost',
      sideBets: [],
      min: 1_000,
      step: 1_000,
      max: 1_000,
    },
    cards: ['8S', '8H', '8D', '8C', 'TS', 'AS'],
    credit: 4_000,
    seats: 2,
    seed: 3,
  },
  'price-three-sevens-suited': {
    options: { sideBets: ['sevens'], sevensThird: 'splitOrHit' },
    cards: ['7S'],
  },
  'returned-hand-is-a-push': {
    options: { ...STREAKS, specialPrizeMode: 'closesHand' },
    cards: ['7S', '7H', '7D', 'AS', 'TS'],
    seats: 1,
  },
  'split-hand-played-last': {
    rulebook: 'portugal-blackjack',
    cards: ['8S', '8H', '8D', '8C'],
    seats: 2,
  },
  'largest-prize-first': SHORT,
  'meter-below-zero': SHORT,
  'highest-prize-not-split': TOPS,
  'odd-units-to-the-higher-seats': TOPS,
  'bet-after-the-first-card': { ...ERRORS, rulebook: 'macau-baccarat' },
  'paid-prizes-forgotten': {
    ...ERRORS,
    rulebook: 'portugal-blackjack',
    cards: ['AS', 'TS', '9S', '5S'],
    seats: 4,
  },
  'swap-after-prize': {
    ...ERRORS,
    options: { doubleOn: ['anyTwo'], sideBets: [] },
    cards: ['6S', '7S', '8S'],
    seats: 5,
  },
  'no-restart': TOPS,
  'no-ace-lock': LOCKED,
  'locked-ace-is-eleven': LOCKED,
  'vacant-seat-to-the-right': { options: { min: 1_000, max: 2_000 }, seats: 3 },
};
