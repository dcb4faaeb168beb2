import type { DoubleModality } from '../../table/state.ts';

/**
 * The options of a blackjack regulation, complete: what the house authorised, or the rulebook's default.
 * Names and legal values are the rulebook's option table; amounts in minor units, insurance in fractions of the bet.
 */
export interface BlackjackRules {
  readonly decks: number;
  readonly seats: number;
  readonly seatsPerPlayer: number | null;
  readonly cardSource: 'shoe' | 'autoShuffler';
  readonly cutBehind: number;
  readonly burnAtStart: 'perDeck' | 'one';
  readonly burnEachRound: 'none' | 'one' | 'oneAndBeforeDealerSecond';
  readonly exposedFirstCardValid: boolean;
  readonly dealing: 'faceUp';
  readonly dealerCardPass: 1 | 2;
  readonly dealerHitsSoft17: boolean;
  readonly soft17: 'aceSix' | 'any';
  readonly wrongDealerCard: 'void' | 'validIfUnseen';
  readonly dealerPlaysOut: 'always' | 'ifNeeded';
  readonly evenMoney: true;
  readonly doubledVsDealerBlackjack: 'originalOnly' | 'loseAll' | 'offer';
  readonly elevenVsDealerBlackjack: 'loseAll' | 'offer';
  readonly splitVsDealerBlackjack: 'originalOnly' | 'loseAll';
  readonly bustedVsDealerBlackjack: 'originalOnly' | 'bustsLost';
  readonly insuranceMin: string;
  readonly insuranceMax: string;
  readonly specialPrize: boolean;
  readonly specialPrizeMode: 'bonus' | 'closesHand';
  readonly specialPrizeBase: 'stake' | 'original';
  readonly maxHands: number;
  readonly resplit: boolean;
  readonly resplitAces: boolean;
  readonly doubleOn: readonly DoubleModality[];
  readonly surrender: boolean;
  readonly surrenderWindow: 'beforeAnyCard' | 'beforeOwnCard';
  readonly fiveCards: true;
  readonly betsBehind: 'seated' | 'nearest' | 'highest';
  readonly maxBettorsPerSeat: number | null;
  readonly behindFollows: boolean;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Where a regulation says what the shared procedure does; the same number can mean other text elsewhere. */
export type BlackjackArticles = Readonly<
  Record<
    | 'cut'
    | 'endOfShoe'
    | 'reshuffle'
    | 'shuffler'
    | 'decks'
    | 'seatsPerPlayer'
    | 'burnAtStart'
    | 'burnEachRound'
    | 'dealOrder'
    | 'exposed'
    | 'misdeal'
    | 'dealing'
    | 'bankSecond'
    | 'bankDraws'
    | 'freeChoice'
    | 'turns'
    | 'hit'
    | 'hitRefused'
    | 'announce'
    | 'soft17'
    | 'bankTurn'
    | 'bust'
    | 'points'
    | 'blackjack'
    | 'evenMoney'
    | 'win21'
    | 'blackjackBeats21'
    | 'plain21'
    | 'originalOnlyOffer'
    | 'tieBlackjack'
    | 'tiePoints'
    | 'insurance'
    | 'bankBlackjack'
    | 'insuranceLost'
    | 'sideBets'
    | 'specialPrize'
    | 'split'
    | 'splitStake'
    | 'splitAces'
    | 'resplit'
    | 'splitOriginalOnly'
    | 'double'
    | 'doubleAnyTwo'
    | 'doubleAfterSplit'
    | 'doubleEleven'
    | 'doubleOriginalOnly'
    | 'surrender'
    | 'surrenderWindow'
    | 'fiveCards'
    | 'betsBehind'
    | 'maxBettors'
    | 'waived',
    string
  >
>;
