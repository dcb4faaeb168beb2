/** Options of the three black jack rulebooks, under the names of the vectors. */

export interface JackpotTerms {
  readonly stake: number;
  /** r.44: value from which the meter starts, and starts again. */
  readonly seed: number;
  /** r.40: share of each chip that lifts the meter, as `a/b`. */
  readonly increment: string;
  /** r.42: how many cards are looked at: 2, 3 or 4. */
  readonly cards: number;
  /** r.43, the highest combination first: rank, how many, `s` = of one suit. */
  readonly pays: readonly {
    readonly combination: string;
    readonly share?: string | null;
    readonly odds?: number | null;
  }[];
}

export interface BlackjackOptions {
  readonly decks: number;
  readonly seatsPerPlayer: number | null;
  readonly cardSource: 'box' | 'shoe' | 'autoShuffler' | 'continuousShuffler';
  readonly burnAtStart: 'perDeck' | 'one';
  readonly burnEachRound: 'none' | 'one' | 'oneAndBeforeDealerSecond';
  readonly exposedFirstCardValid: boolean;
  readonly dealing: 'faceDown' | 'faceUp' | 'holeCard';
  /** art. 5.2.3.5; absent = none. */
  readonly playerCardsDown?: 'none' | 'one' | 'both';
  readonly dealerCardPass: 1 | 2;
  readonly wrongDealerCard: 'void' | 'validIfUnseen';
  readonly dealerHitsSoft17: boolean;
  readonly soft17: 'aceSix' | 'any';
  readonly dealerPlaysOut: 'always' | 'ifNeeded';
  readonly doubledVsDealerBlackjack: 'loseAll' | 'offer' | 'originalOnly';
  readonly elevenVsDealerBlackjack: 'loseAll' | 'offer';
  readonly splitVsDealerBlackjack: 'loseAll' | 'originalOnly';
  readonly bustedVsDealerBlackjack: 'originalOnly' | 'bustsLost';
  /** null = no least amount (r.33). */
  readonly insuranceMin: string | null;
  readonly insuranceMax: string;
  readonly sideBets: readonly string[];
  /**
   * The house's limits of a side bet; null or absent = from one unit to the maximum of the main
   * bet.
   */
  readonly sideBetMin?: number | null;
  readonly sideBetMax?: number | null;
  readonly sideBetsAtOnce: 'oneKind' | 'any';
  readonly anyPairResplit: 'eachPair' | 'firstOnly' | 'newBet';
  readonly sevensThird: 'afterSplit' | 'splitOrHit';
  readonly over13Ace: 'one' | 'eleven' | 'choice';
  readonly specialPrize: boolean;
  readonly specialPrizeMode: 'bonus' | 'closesHand';
  readonly specialPrizeBase: 'stake' | 'original';
  readonly maxHands: number | null;
  readonly splitBy: 'rank' | 'value';
  readonly resplit: boolean;
  readonly resplitAces: boolean;
  readonly doubleOn: readonly string[];
  readonly surrender: boolean;
  readonly surrenderWindow: 'beforeAnyCard' | 'beforeOwnCard';
  readonly fiveCards: boolean;
  readonly betsBehind: 'seated' | 'nearest' | 'highest';
  readonly maxBettorsPerSeat: number | null;
  readonly behindFollows: boolean;
  readonly streakAbandon: 'refuseDeal' | 'forfeit';
  readonly tableMaxTotal: number | null;
  readonly jackpot: JackpotTerms | null;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export type BlackjackRulebook = 'macau-blackjack-2004' | 'macau-blackjack-2009' | 'portugal-blackjack';

/** Rules 1-61 leave hardly a choice: what they fix, and what the house starts from. */
export const PORTUGAL: BlackjackOptions = {
  decks: 6,
  seatsPerPlayer: null,
  cardSource: 'shoe',
  burnAtStart: 'one', // r.10
  burnEachRound: 'none',
  exposedFirstCardValid: false,
  dealing: 'holeCard', // r.17
  dealerCardPass: 1,
  wrongDealerCard: 'void', // r.19
  dealerHitsSoft17: false, // r.6 a, r.19
  soft17: 'aceSix',
  dealerPlaysOut: 'ifNeeded', // r.22
  doubledVsDealerBlackjack: 'loseAll', // r.20, r.23
  elevenVsDealerBlackjack: 'loseAll',
  splitVsDealerBlackjack: 'loseAll',
  bustedVsDealerBlackjack: 'originalOnly',
  insuranceMin: null, // r.33
  insuranceMax: '1/2',
  sideBets: [],
  sideBetsAtOnce: 'oneKind',
  anyPairResplit: 'eachPair',
  sevensThird: 'afterSplit',
  over13Ace: 'one',
  specialPrize: true, // r.35
  specialPrizeMode: 'bonus',
  specialPrizeBase: 'stake',
  maxHands: null, // r.27
  splitBy: 'value', // r.26 with r.6
  resplit: true,
  resplitAces: true,
  doubleOn: ['nineTenEleven', 'afterSplit'], // r.29, r.31
  surrender: true, // r.36
  surrenderWindow: 'beforeAnyCard',
  fiveCards: false,
  betsBehind: 'seated',
  maxBettorsPerSeat: null,
  behindFollows: false, // r.28, r.30: each decides
  streakAbandon: 'refuseDeal',
  tableMaxTotal: null,
  jackpot: null,
  min: 1000,
  max: 30000,
  step: 1000,
};

/** What the vectors of a Macau rulebook leave out because it has no such choice. */
const MACAU_FIXED: Partial<BlackjackOptions> = {
  burnAtStart: 'one',
  soft17: 'aceSix',
  elevenVsDealerBlackjack: 'loseAll',
  bustedVsDealerBlackjack: 'originalOnly',
  streakAbandon: 'refuseDeal',
  tableMaxTotal: null,
  splitBy: 'rank', // art. 16.1 with 13.1.1
  jackpot: null,
};

/**
 * @param given all options of the rulebook, as its option table or the defaults of the vectors have
 * them
 */
export function completed(
  rulebook: BlackjackRulebook,
  given: Readonly<Record<string, unknown>>,
): BlackjackOptions {
  const fixed = rulebook === 'portugal-blackjack' ? PORTUGAL : MACAU_FIXED;
  const options = { ...fixed, ...given } as BlackjackOptions;
  if (rulebook === 'portugal-blackjack') return options;
  // art. 5.2.3.7: in procedure 3 five hands, no more and no fewer.
  return options.dealing === 'holeCard' ? { ...options, maxHands: 5 } : options;
}

/** Compares `amount` with the fraction `text` of `of`, exactly: negative = below it. */
export function compareToShare(amount: number, text: string, of: number): number {
  const [over = '0', under = '1'] = text.split('/');
  return amount * Number(under) - of * Number(over);
}

/** The fraction `text` of `of`, rounded down. */
export function shareOf(text: string, of: number): number {
  const [over = '0', under = '1'] = text.split('/');
  const product = of * Number(over);
  return (product - (product % Number(under))) / Number(under);
}
