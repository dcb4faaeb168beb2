/** Who decides at a simulated table: fixed strategies, by what lies on the table and nothing else. */
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

/** 1 the ace, 10 every ten-valued card. */
const pipsOf = (card: Card): number => Math.min(rankOf(card) + 1, 10);

const UP_CARDS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'] as const;
/** Rows of `hit`, by the number of cards held; the last one stands for all that follow. */
const SIZES = ['2', '3', '4', '5', '6+'] as const;
/** A soft total stands this far behind the hard one in a row of 22 and 22. */
const SOFT = 22;

interface Tables {
  /** By number of cards less two. */
  readonly hit: readonly Uint8Array[];
  readonly double: Uint8Array;
  readonly surrender: Uint8Array;
  readonly half: Uint8Array;
  /** By value, 1 to 10. */
  readonly split: Uint8Array;
  readonly surrenderPair: Uint8Array;
}

const bits = (text: string): Uint8Array => Uint8Array.from(text, Number);
const byTotal = ({ hard, soft }: { readonly hard: string; readonly soft: string }): Uint8Array =>
  bits(hard + soft);

/** Surrender, split, double, half at five cards, hit, in this order; stands otherwise. Takes no insurance, no even money. */
export class BlackjackPlayer implements Player {
  /** By the value of the bank's open card. */
  readonly #against: readonly (Tables | null)[];
  readonly #maxHands: number;
  readonly #resplitsAces: boolean;
  readonly #doublesSplitHands: boolean;

  constructor({ rules, strategy }: Strategy) {
    this.#maxHands = rules.noSplit === 1 ? 1 : rules.maxHands;
    this.#resplitsAces = rules.resplitAces === 1;
    this.#doublesSplitHands = rules.das === 1;
    this.#against = [
      null,
      ...UP_CARDS.map((up) => {
        const { hit, double, surrender, takeHalfAtFiveCards, split, surrenderPair } = strategy[up];
        return {
          hit: SIZES.map((size) => byTotal(hit[size])),
          double: byTotal(double),
          surrender: byTotal(surrender),
          half: byTotal(takeHalfAtFiveCards),
          split: bits(split),
          surrenderPair: bits(surrenderPair),
        };
      }),
    ];
  }

  surrenders(round: RoundState, { hands }: RoundSeat): boolean {
    const { status, cards } = hands[0]!;
    if (hands.length > 1 || status !== 'open' || cards.length !== 2) return false;
    return this.#givesUp(this.#against[pipsOf(round.bank[0]!)]!, cards, rowOf(cards));
  }

  #givesUp(tables: Tables, cards: readonly Card[], row: number): boolean {
    const pair = pipsOf(cards[0]!);
    return pair === pipsOf(cards[1]!) ? tables.surrenderPair[pair] === 1 : tables.surrender[row] === 1;
  }

  decide(round: RoundState, seat: RoundSeat, handNo: number): Act {
    const tables = this.#against[pipsOf(round.bank[0]!)]!;
    const { cards, fromSplit, splitAces } = seat.hands[handNo]!;
    const row = rowOf(cards);
    if (cards.length === 2) {
      if (!fromSplit && this.#givesUp(tables, cards, row)) return 'surrender';
      if (this.#splits(tables, seat, cards, fromSplit)) return 'split';
      if (splitAces) return 'stand';
      const mayDouble = !fromSplit || this.#doublesSplitHands;
      if (mayDouble && tables.double[row] === 1) return 'double';
    }
    if (cards.length === 5 && tables.half[row] === 1) return 'fiveCardHalf';
    return tables.hit[Math.min(cards.length, 6) - 2]![row] === 1 ? 'hit' : 'stand';
  }

  #splits(tables: Tables, { hands }: RoundSeat, cards: readonly Card[], fromSplit: boolean): boolean {
    const pair = pipsOf(cards[0]!);
    if (pair !== pipsOf(cards[1]!) || tables.split[pair] !== 1 || hands.length >= this.#maxHands)
      return false;
    return !fromSplit || pair !== 1 || this.#resplitsAces;
  }
}

/** Where a table has its word on these cards: the best total, and whether an ace counts eleven in it. */
function rowOf(cards: readonly Card[]): number {
  let hard = 0;
  let hasAce = false;
  for (let i = 0; i < cards.length; i++) {
    const value = pipsOf(cards[i]!);
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
