/**
 * What of a black jack regulation the enumeration has to know: how many hands, and what a bank's
 * natural takes. Of a strategy file, or of a table's options.
 */
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { Finished, Outcome } from './blackjack-hands.ts';
import type { Strategy } from './strategy-file.ts';

/**
 * A bank's natural takes every bet in play (ENHC) or one initial bet (OBO), or is looked for before
 * anybody plays (PEEK).
 */
export type Hole = 'ENHC' | 'OBO' | 'PEEK';

/** art. 15, r.35: three times `base`, beside the result of the hand or instead of it. */
export interface SpecialPrize {
  readonly closesHand: boolean;
  readonly base: 'stake' | 'original';
}

export interface Law {
  readonly h17: Strategy['rules']['h17'];
  /** No bank's natural is met in the turns. */
  readonly peeks: boolean;
  /** What a bank's natural takes of an unsplit hand that was doubled. */
  readonly doubledLoses: 'all' | 'original';
  /** The same of a doubled hand of a split, where each hand loses for itself. */
  readonly doubledSplitLoses: 'all' | 'original';
  /**
   * From a seat that has split it takes every hand's stake, the original bet on the first hand, or
   * the original bet on the first hand that it can still reach.
   */
  readonly splitLoses: 'all' | 'originalOfFirst' | 'originalOfFirstLeft';
  /** A bust is lost whole, whatever the bank holds then. */
  readonly bustsLost: boolean;
  readonly prize: SpecialPrize | null;
  readonly maxHands: number;
  readonly resplitsAces: boolean;
}

const holeOf = ({ hole }: Strategy['rules']): Hole => hole.split(':')[0] as Hole;

/** As the reference reckons: no prizes, and a single loss is the first hand's or nobody's. */
export function lawOfStrategy(rules: Strategy['rules']): Law {
  const hole = holeOf(rules);
  const isOriginalOnly = hole === 'OBO';
  return {
    h17: rules.h17,
    peeks: hole === 'PEEK',
    doubledLoses: isOriginalOnly ? 'original' : 'all',
    doubledSplitLoses: 'all',
    splitLoses: isOriginalOnly ? 'originalOfFirst' : 'all',
    bustsLost: false,
    prize: null,
    maxHands: rules.noSplit === 1 ? 1 : rules.maxHands,
    resplitsAces: rules.resplitAces === 1,
  };
}

export const h17At = ({ dealerHitsSoft17, soft17 }: BlackjackRules): Law['h17'] => {
  if (!dealerHitsSoft17) return 'stand on soft 17';
  return soft17 === 'any' ? 'hit every soft 17' : 'hit only ace+6 in two cards';
};

/**
 * arts. 10.7, 17.3: what a bank's natural leaves of a double, by the modality it is booked under.
 */
function doubledLoss(
  rules: BlackjackRules,
  modality: BlackjackRules['doubleOn'][number],
  takesOffers: boolean,
): 'all' | 'original' {
  const said = modality === 'eleven' ? rules.elevenVsDealerBlackjack : rules.doubledVsDealerBlackjack;
  return said === 'originalOnly' || (said === 'offer' && takesOffers) ? 'original' : 'all';
}

/**
 * @param takesOffers the player takes what the bank offers under art. 10.7, which costs nothing
 */
export function lawOfTable(rules: BlackjackRules, takesOffers: boolean): Law {
  const { doubleOn } = rules;
  const first = doubleOn.includes('anyTwo') ? 'anyTwo' : doubleOn.includes('eleven') ? 'eleven' : 'anyTwo';
  return {
    h17: h17At(rules),
    peeks: rules.dealing === 'holeCard' && !rules.noLook,
    doubledLoses: doubledLoss(rules, first, takesOffers),
    doubledSplitLoses: doubledLoss(rules, 'afterSplit', takesOffers),
    splitLoses: rules.splitVsDealerBlackjack === 'originalOnly' ? 'originalOfFirstLeft' : 'all',
    bustsLost: rules.bustedVsDealerBlackjack === 'bustsLost',
    prize: rules.specialPrize
      ? { closesHand: rules.specialPrizeMode === 'closesHand', base: rules.specialPrizeBase }
      : null,
    maxHands: rules.resplit ? (rules.maxHands ?? Number.POSITIVE_INFINITY) : 2,
    resplitsAces: rules.resplitAces && rules.resplit,
  };
}

/** Which hand of a seat it is. */
export type Place = 'only' | 'first of a split' | 'later of a split';

/** Net of a hand in initial stakes, without a special prize. */
export function netOf({ end, stake, best }: Finished, outcome: Outcome, law: Law, place: Place): number {
  if (outcome === 0) {
    if (end === 'natural') return 0;
    if (law.peeks) return -1;
    if (end === 'half') return stake / 2;
    if (end === 'surrender') return -0.5;
    if (end === 'bust' && law.bustsLost) return -stake;
    if (place === 'only') return law.doubledLoses === 'original' ? -1 : -stake;
    if (law.splitLoses === 'all') return law.doubledSplitLoses === 'original' ? -1 : -stake;
    return place === 'first of a split' ? -1 : 0;
  }
  if (end === 'natural') return 1.5;
  if (end === 'half') return 0.5;
  if (end === 'surrender') return -0.5;
  if (end === 'bust') return -stake;
  if (outcome === 22 || best > outcome) return stake;
  return best < outcome ? -stake : 0;
}

/**
 * The chance that a hand of these ranks has won a special prize (art. 15, r.35), by the suits that
 * its cards may be of: three different ranks are of one suit once in sixteen times.
 */
export function prizeChance({ counts, size }: Pick<Finished, 'counts' | 'size'>): number {
  if (size !== 3) return 0;
  if (counts[7] === 3) return 1;
  return counts[6] === 1 && counts[7] === 1 && counts[8] === 1 ? 1 / 16 : 0;
}

/** What a prize pays on such a hand, in initial stakes. */
export const prizePays = ({ base }: SpecialPrize, { stake }: Pick<Finished, 'stake'>): number =>
  3 * (base === 'stake' ? stake : 1);

/**
 * The chance that the hand is paid and closed before the bank's turn, so that a bank's natural
 * finds nothing of it.
 */
export function deadChance(hand: Finished, { prize, bustsLost }: Law): number {
  if (hand.end === 'half' || (hand.end === 'bust' && bustsLost)) return 1;
  return prize?.closesHand ? prizeChance(hand) : 0;
}
