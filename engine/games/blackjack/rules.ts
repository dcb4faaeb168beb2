import type { TableArticle, TableRules } from '../../rules/rulebook.ts';
import { rulebookOf } from '../../rules/rulebook.ts';
import type { TableState } from '../../table/state.ts';
import type { JackpotTerms } from './jackpot-terms.ts';
import type { DoubleModality } from './parts.ts';

/**
 * Where a regulation goes another way than the common procedure, without a choice for the house.
 * Absent = it does not. Each names its rule beside its value in the rulebook.
 */
export interface BlackjackDeviations {
  /** Players cut in the order of their seats, shoe by shoe, and may refuse. */
  readonly cutRight?: boolean;
  /** All cards are shown before the first shoe. */
  readonly deckCheck?: boolean;
  /** A shuffler is loaded in at least so many packets before a supervisor. */
  readonly loadingPackets?: number;
  /**
   * Who gives the cards of a round back to a shuffler: absent = it takes them at the end of the
   * round.
   */
  readonly feeding?: 'dealer';
  /**
   * The bank does not look at its card that lies face down, it comes to light after the players'
   * turns.
   */
  readonly noLook?: boolean;
  /**
   * Only the bank's second card is dealt face down; where it is turned another one takes its place.
   */
  readonly bankSecondReplaced?: boolean;
  /**
   * A card drawn against a player's wish and not seen goes to who asks next, else to the bank, else
   * it is discarded.
   */
  readonly misdrawnCard?: 'nextAsker';
  /** No hand may stand below this total. */
  readonly mustDrawBelow?: number;
  /**
   * The bank's first card against which even money may be taken; absent = any that can make a
   * blackjack.
   */
  readonly evenMoneyAgainst?: 'ace';
  /**
   * Bets behind need the holder's own bet, share the seat's maximum, and even money binds them too.
   */
  readonly boundByHolder?: boolean;
  /**
   * A blackjack is paid and collected after the deal where the bank's first card cannot make one.
   */
  readonly blackjackPaidAtOnce?: boolean;
  /** To play on with a pair on one split hand bars no further split on another. */
  readonly resplitStaysOpen?: boolean;
  /** An ace of a hand doubled on a total that counts it as one stays one. */
  readonly aceLock?: boolean;
  /** Each bettor behind says themselves whether they follow a split or a double. */
  readonly followers?: 'own';
}

/**
 * The options of a blackjack regulation, complete: what the house authorised, or the rulebook's
 * default. Names and legal values are the rulebook's option table; amounts in minor units,
 * insurance in fractions of the bet.
 */
export interface BlackjackRules extends TableRules, BlackjackDeviations {
  readonly seatsPerPlayer: number | null;
  readonly cutBehind: number;
  /** Instead of `cutBehind`: about so many cards from the end, or the middle with one player. */
  readonly warningFromEnd?: number;
  readonly burnAtStart: 'perDeck' | 'one';
  readonly burnEachRound: 'none' | 'one' | 'oneAndBeforeDealerSecond';
  readonly exposedFirstCardValid: boolean;
  readonly dealing: 'faceDown' | 'faceUp' | 'holeCard';
  /** Display only. */
  readonly playerCardsDown?: 'none' | 'both' | 'one';
  readonly playerTurnsCards?: boolean;
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
  /**
   * Side bets, where the regulation has any; `sideBetMin`, `sideBetMax`: null = from one minor unit
   * to `max`.
   */
  readonly sideBets?: readonly string[];
  readonly sideBetMin?: number | null;
  readonly sideBetMax?: number | null;
  readonly sideBetsAtOnce?: 'oneKind' | 'any';
  readonly anyPairResplit?: 'eachPair' | 'firstOnly' | 'newBet';
  readonly sevensThird?: 'afterSplit' | 'splitOrHit';
  readonly over13Ace?: 'one' | 'eleven' | 'choice';
  readonly streakAbandon?: 'refuseDeal' | 'forfeit';
  readonly tableMaxTotal?: number | null;
  /** null = no least amount. */
  readonly insuranceMin: string | null;
  readonly insuranceMax: string;
  readonly specialPrize: boolean;
  readonly specialPrizeMode: 'bonus' | 'closesHand';
  readonly specialPrizeBase: 'stake' | 'original';
  /** Pairs by rank unless the option says by value. */
  readonly splitBy?: 'value' | 'rank';
  /** null = no limit. */
  readonly maxHands: number | null;
  readonly resplit: boolean;
  readonly resplitAces: boolean;
  readonly doubleOn: readonly DoubleModality[];
  readonly surrender: boolean;
  readonly surrenderWindow: 'beforeAnyCard' | 'beforeOwnCard';
  readonly fiveCards: boolean;
  readonly betsBehind: 'seated' | 'nearest' | 'highest';
  /** Who decides on a seat nobody sits at: absent = as on any other. */
  readonly vacantSeatDecider?: 'highestThenLowestSeat';
  readonly maxBettorsPerSeat: number | null;
  readonly behindFollows: boolean;
  readonly deckReplacement?: 'wholeDeck' | 'damagedOnly';
  readonly jackpot?: JackpotTerms | null;
}

/**
 * Where a regulation says what the shared procedure does; the same number can mean other text
 * elsewhere.
 */
export type BlackjackArticles = Readonly<
  Record<
    | TableArticle
    | 'seatsPerPlayer'
    | 'dealing'
    | 'dealingDown'
    | 'dealingBox'
    | 'dealingHole'
    | 'holeCard'
    | 'look'
    | 'lookBlackjack'
    | 'bankSecond'
    | 'freeChoice'
    | 'turns'
    | 'hit'
    | 'hitRefused'
    | 'mustDraw'
    | 'misdraw'
    | 'announce'
    | 'soft17'
    | 'bankTurn'
    | 'bust'
    | 'points'
    | 'bankBust'
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
    | 'insuranceWon'
    | 'insuranceLost'
    | 'specialPrize'
    | 'split'
    | 'splitStake'
    | 'splitAces'
    | 'resplit'
    | 'splitOriginalOnly'
    | 'followSplit'
    | 'double'
    | 'doubleAnyTwo'
    | 'doubleAfterSplit'
    | 'doubleEleven'
    | 'doubleOriginalOnly'
    | 'followDouble'
    | 'aceLock'
    | 'surrender'
    | 'surrenderWindow'
    | 'fiveCards'
    | 'betsBehind'
    | 'vacantSeat'
    | 'maxBettors'
    | 'step'
    | 'jackpotOwnCards'
    | 'jackpotMain'
    | 'jackpotChip'
    | 'jackpotPaid'
    | 'jackpotShared'
    | 'jackpotStays'
    | 'waived',
    string
  >
>;

/** The table asks this game only under a rulebook of blackjack. */
export const rulesOf = (state: TableState): BlackjackRules => state.rules as BlackjackRules;

export const articlesOf = (state: TableState): BlackjackArticles =>
  rulebookOf(state.profile!.rulebook)!.articles as BlackjackArticles;
