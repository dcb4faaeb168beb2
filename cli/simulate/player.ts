/**
 * Who decides at a simulated table: fixed strategies, by what lies on the table and nothing else.
 */
import { type Card, rankOf } from '../../engine/core/cards.ts';
import type { Act } from '../../engine/table/inputs.ts';
import type { RoundSeat, RoundState } from '../../engine/table/state.ts';
import type { Strategy } from '../figures/strategy-file.ts';

export interface Player {
  /** The offers before the turns: gives up the round. */
  surrenders(round: RoundState, seat: RoundSeat): boolean;
  /** The decision on the hand whose turn it is. */
  decide(round: RoundState, seat: RoundSeat, hand: number): Act;
}

/** By card: 1 the ace, 10 every ten-valued card. */
const PIPS = Array.from({ length: 52 }, (_, card) => Math.min(rankOf(card as Card) + 1, 10));

const UP_CARDS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'] as const;
type UpCard = (typeof UP_CARDS)[number];
/** Rows of `hit`, by the number of cards held; the last one stands for all that follow. */
const SIZES = ['2', '3', '4', '5', '6+'] as const;
/** A soft total stands this far behind the hard one in a row of 22 and 22. */
const SOFT = 22;

/** What to do against one open card of the bank. */
interface Answers {
  /** The first two cards of different values, by row. */
  readonly first: readonly Act[];
  /** The first two cards of one value that are not split, by row. */
  readonly pair: readonly Act[];
  /** By value: what is said of a pair that is not split, before its row; null = nothing. */
  readonly pairPlay: readonly (Act | null)[];
  /** Two cards after a split, by row. */
  readonly afterSplit: readonly Act[];
  /** By number of cards less three, then by row. */
  readonly drawn: readonly (readonly Act[])[];
  /** Of one value, 1 to 10: what is said of the pair before its row is looked at. */
  readonly surrendersPair: readonly boolean[];
  readonly splits: readonly boolean[];
}

const bits = (text: string): boolean[] => Array.from(text, (bit) => bit === '1');
const byTotal = ({ hard, soft }: { readonly hard: string; readonly soft: string }): boolean[] =>
  bits(hard + soft);

const PAIR_ACTS: Readonly<Record<string, Act>> = { S: 'stand', H: 'hit', D: 'double' };

function answersOf(
  {
    hit,
    double,
    surrender,
    takeHalfAtFiveCards,
    split,
    surrenderPair,
    pairPlay = '',
    doubleAfterSplit = double,
  }: Strategy['strategy'][UpCard],
  doublesSplitHands: boolean,
): Answers {
  const [two, ...more] = SIZES.map((size) =>
    byTotal(hit[size]).map((draws): Act => (draws ? 'hit' : 'stand')),
  );
  const over = (isOn: boolean[], act: Act, acts: readonly Act[]): Act[] =>
    acts.map((other, row) => (isOn[row] === true ? act : other));
  const pair = over(byTotal(double), 'double', two!);
  return {
    first: over(byTotal(surrender), 'surrender', pair),
    pair,
    pairPlay: Array.from({ length: 11 }, (_, value) => PAIR_ACTS[pairPlay[value] ?? '-'] ?? null),
    afterSplit: doublesSplitHands ? over(byTotal(doubleAfterSplit), 'double', two!) : two!,
    drawn: more.map((acts, i) => (i === 2 ? over(byTotal(takeHalfAtFiveCards), 'fiveCardHalf', acts) : acts)),
    surrendersPair: bits(surrenderPair),
    splits: bits(split),
  };
}

/**
 * Surrender, split, double, half at five cards, hit, in this order; stands otherwise. Takes no
 * insurance, no even money.
 */
export class BlackjackPlayer implements Player {
  /** By the bank's open card. */
  readonly #against: readonly Answers[];
  readonly #maxHands: number;
  readonly #resplitsAces: boolean;

  constructor({ rules, strategy }: Strategy) {
    this.#maxHands = rules.noSplit === 1 ? 1 : rules.maxHands;
    this.#resplitsAces = rules.resplitAces === 1;
    const byValue = UP_CARDS.map((up) => answersOf(strategy[up], rules.das === 1));
    this.#against = PIPS.map((value) => byValue[value - 1]!);
  }

  surrenders(round: RoundState, { hands }: RoundSeat): boolean {
    const { status, cards } = hands[0]!;
    if (hands.length > 1 || status !== 'open' || cards.length !== 2) return false;
    const { first, surrendersPair } = this.#against[round.bank[0]!]!;
    const value = PIPS[cards[0]!]!;
    return value === PIPS[cards[1]!] ? surrendersPair[value]! : first[rowOf(cards)] === 'surrender';
  }

  decide(round: RoundState, seat: RoundSeat, handNo: number): Act {
    const answers = this.#against[round.bank[0]!]!;
    const { cards, fromSplit, splitAces } = seat.hands[handNo]!;
    const row = rowOf(cards);
    if (cards.length > 2) return answers.drawn[Math.min(cards.length, 6) - 3]![row]!;
    const value = PIPS[cards[0]!]!;
    const isPair = value === PIPS[cards[1]!];
    if (!fromSplit && !isPair) return answers.first[row]!;
    if (isPair) {
      if (!fromSplit && answers.surrendersPair[value]!) return 'surrender';
      const mayAgain = !fromSplit || value !== 1 || this.#resplitsAces;
      if (answers.splits[value]! && mayAgain && seat.hands.length < this.#maxHands) return 'split';
      const said = fromSplit ? null : answers.pairPlay[value]!;
      if (said !== null) return said;
    }
    if (splitAces) return 'stand';
    return (fromSplit ? answers.afterSplit : answers.pair)[row]!;
  }
}

/**
 * Where a table has its word on these cards: the best total, and whether an ace counts eleven in
 * it.
 */
function rowOf(cards: readonly Card[]): number {
  let hard = 0;
  let hasAce = false;
  for (let i = 0; i < cards.length; i++) {
    const value = PIPS[cards[i]!]!;
    hard += value;
    if (value === 1) hasAce = true;
  }
  return hasAce && hard <= 11 ? SOFT + hard + 10 : hard;
}

/** War: meets every tie in the same way. */
export class WarPlayer implements Player {
  readonly #act: Act;

  constructor(strategy: WarStrategy) {
    this.#act = strategy === 'always-war' ? 'goToWar' : 'surrenderWar';
  }

  surrenders(): boolean {
    return false;
  }

  decide(): Act {
    return this.#act;
  }
}

export const WAR_STRATEGIES = ['always-war', 'always-surrender'] as const;
export type WarStrategy = (typeof WAR_STRATEGIES)[number];
