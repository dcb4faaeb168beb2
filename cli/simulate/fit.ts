/**
 * Brings a strategy and a rulebook together: the options the strategy assumes, and what the table
 * then lets it do.
 */
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { type Hole, h17At } from '../figures/blackjack-law.ts';
import type { Strategy } from '../figures/strategy-file.ts';

export type Options = Readonly<Record<string, OptionValue>>;

type H17 = Strategy['rules']['h17'];

const STANDS: H17 = 'stand on soft 17';
const HITS_ALL: H17 = 'hit every soft 17';

const holeOf = ({ hole }: Strategy['rules']): Hole => hole.split(':')[0] as Hole;

type UpCard = keyof Strategy['strategy'];
type Against = Strategy['strategy'][UpCard];
const upCards = ({ strategy }: Strategy): [UpCard, Against][] =>
  Object.entries(strategy) as [UpCard, Against][];

const isUsed = ({ hard, soft }: { readonly hard: string; readonly soft: string }): boolean =>
  hard.includes('1') || soft.includes('1');
const surrenders = (against: Against): boolean =>
  isUsed(against.surrender) || against.surrenderPair.includes('1');

/** The least number of hands a Macau house may allow, and the most. */
const MACAU_HANDS = { least: 4, most: 20 };
/** 57/2009 art. 5.2.3.7 */
const HANDS_WITH_HOLE_CARD = 5;

/**
 * The options of a rulebook that come nearest to what a strategy assumes; what the rulebook fixes
 * is left out.
 */
export function optionsFor(rulebook: RulebookId, strategy: Strategy): Options {
  const { decks, h17, das, maxHands, resplitAces } = strategy.rules;
  const common = { decks, resplitAces: resplitAces === 1 };
  if (rulebook === 'portugal-blackjack') return common;
  const hands = Math.min(Math.max(maxHands, MACAU_HANDS.least), MACAU_HANDS.most);
  // 56/2004 art. 17: both together, or eleven alone.
  if (rulebook === 'macau-blackjack-2004') return { ...common, maxHands: hands };
  const hasHoleCard = holeOf(strategy.rules) === 'PEEK';
  return {
    ...common,
    dealing: hasHoleCard ? 'holeCard' : 'faceUp',
    dealerHitsSoft17: h17 !== STANDS,
    soft17: h17 === HITS_ALL ? 'any' : 'aceSix',
    maxHands: hasHoleCard ? HANDS_WITH_HOLE_CARD : hands,
    doubleOn: das === 1 ? ['anyTwo', 'afterSplit'] : ['anyTwo'],
    surrender: upCards(strategy).some(([, against]) => surrenders(against)),
  };
}

const holeAt = (rules: BlackjackRules): Hole => {
  if (rules.dealing === 'holeCard' && !rules.noLook) return 'PEEK';
  return rules.splitVsDealerBlackjack === 'originalOnly' ? 'OBO' : 'ENHC';
};

const WORDS: Readonly<Record<Hole, string>> = {
  ENHC: "a bank's blackjack takes every bet in play",
  OBO: "a bank's blackjack takes one initial bet",
  PEEK: 'the bank looks for its blackjack before anybody plays',
};

export interface Fit {
  /** The strategy as it is played at this table. */
  readonly played: Strategy;
  /**
   * What it would do and the table does not let it, or where the table plays otherwise than it
   * assumes.
   */
  readonly differences: readonly string[];
}

const NEVER = '0'.repeat(22);
const NO_TOTALS = { hard: NEVER, soft: NEVER };
const NO_PAIRS = '0'.repeat(11);

/** Digits of the totals that `allowed` has, of those that are there. */
const only = (digits: string, allowed: (total: number) => boolean): string =>
  digits.replaceAll(/1/g, (_, at: number) => (allowed(at) ? '1' : '0'));

function doublesAllowed({ doubleOn }: BlackjackRules, double: Against['double']): Against['double'] {
  if (doubleOn.includes('anyTwo')) return double;
  if (!doubleOn.includes('nineTenEleven') && !doubleOn.includes('eleven')) return NO_TOTALS;
  const least = doubleOn.includes('nineTenEleven') ? 9 : 11;
  // An ace that r.32 locks at one is not what the exact figures reckon with, so soft hands are left
  // out.
  return { hard: only(double.hard, (total) => total >= least && total <= 11), soft: NEVER };
}

/** art. 17.1.2: any two cards of a split hand; r.31: those of r.29. */
const doublesAfterSplit = (rules: BlackjackRules, double: Against['double']): Against['double'] =>
  rules.doubleOn.includes('nineTenEleven') ? doublesAllowed(rules, double) : double;

/** Pairs that the table does not let a player double are played by their total. */
const pairsAllowed = ({ doubleOn }: BlackjackRules, pairPlay: string | undefined): { pairPlay?: string } =>
  pairPlay === undefined || doubleOn.includes('anyTwo')
    ? { ...(pairPlay === undefined ? {} : { pairPlay }) }
    : {
        pairPlay: pairPlay.replaceAll('D', (_, at: number) =>
          doubleOn.includes('nineTenEleven') && at === 5 ? 'D' : '-',
        ),
      };

/** Holds a strategy against the complete rules of a table. */
export function fit(strategy: Strategy, rules: BlackjackRules): Fit {
  const differences: string[] = [];
  const differs = (is: boolean, sentence: string): void => {
    if (is && !differences.includes(sentence)) differences.push(sentence);
  };
  const [hole, h17] = [holeAt(rules), h17At(rules)];
  differs(hole !== holeOf(strategy.rules), `${WORDS[hole]}, not: ${WORDS[holeOf(strategy.rules)]}`);
  differs(h17 !== strategy.rules.h17, `the bank's rule is to ${h17}, not to ${strategy.rules.h17}`);
  // What a strategy assumes and the table gives more freely is no difference: it keeps to its own.
  const resplit = rules.resplit ? (rules.maxHands ?? Number.POSITIVE_INFINITY) : 2;
  const maxHands = Math.min(strategy.rules.maxHands, resplit);
  differs(maxHands < strategy.rules.maxHands && strategy.rules.noSplit === 0, `at most ${maxHands} hands`);
  const mayDoubleSplits = rules.doubleOn.includes('afterSplit');
  differs(strategy.rules.das === 1 && !mayDoubleSplits, 'no double after a split');
  const mayResplitAces = rules.resplitAces && rules.resplit;
  differs(strategy.rules.resplitAces === 1 && !mayResplitAces, 'aces are split once');
  const splitsTens = rules.splitBy === 'value';

  const tables = upCards(strategy).map(([up, against]) => {
    const isAce = up === 'A';
    const maySurrender = rules.surrender && !isAce;
    const mayTakeHalf = rules.fiveCards && !isAce;
    const double = doublesAllowed(rules, against.double);
    const againstAce = isAce ? ' against an ace' : '';
    differs(surrenders(against) && !maySurrender, `no surrender${againstAce}`);
    differs(isUsed(against.takeHalfAtFiveCards) && !mayTakeHalf, `no half at five cards${againstAce}`);
    differs(JSON.stringify(double) !== JSON.stringify(against.double), 'no double on some of its totals');
    differs(against.split[10] === '1' && !splitsTens, 'no split of ten-valued cards of different ranks');
    return [
      up,
      {
        ...against,
        double,
        ...pairsAllowed(rules, against.pairPlay),
        doubleAfterSplit: doublesAfterSplit(rules, against.doubleAfterSplit ?? against.double),
        ...(maySurrender ? {} : { surrender: NO_TOTALS, surrenderPair: NO_PAIRS }),
        ...(mayTakeHalf ? {} : { takeHalfAtFiveCards: NO_TOTALS }),
        ...(splitsTens ? {} : { split: `${against.split.slice(0, 10)}0` }),
      },
    ] as const;
  });

  return {
    played: {
      ...strategy,
      rules: {
        ...strategy.rules,
        decks: rules.decks,
        h17,
        hole: `${hole}: ${WORDS[hole]}`,
        das: strategy.rules.das === 1 && mayDoubleSplits ? 1 : 0,
        maxHands,
        resplitAces: strategy.rules.resplitAces === 1 && mayResplitAces ? 1 : 0,
      },
      strategy: Object.fromEntries(tables) as Strategy['strategy'],
    },
    differences,
  };
}
