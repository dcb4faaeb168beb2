/**
 * How far the law of a game can tell one state of a table from another. Whoever remembers what a
 * table has answered (as simulation does) may take the same answer for every state that looks the
 * same. Everything is seen unless it is left out here, or in the sight of the game, by its name; a
 * new member of the state is seen without anybody thinking of it.
 */
import type { Card } from '../core/cards.ts';
import type { TableRules } from '../rules/rulebook.ts';
import type { SettlementLine } from './settlement.ts';
import type { Hand, RoundState, TableState } from './state.ts';

/** Says one thing more of a state; an object by the name under which it is left out or told. */
export type Tell = (value: unknown, name?: string) => void;
/** Says what matters of a member, in place of its whole value; `owner` is the object it is in. */
export type Teller = (value: never, owner: never, tell: Tell, state: TableState) => void;

export interface Sight {
  /**
   * The kind of each of the 52 cards: two of one kind make no difference whenever they are drawn.
   */
  readonly kinds: Uint8Array;
  /** The same of a card that was dealt face down, on the moment when it is turned. */
  readonly hiddenKinds: Uint8Array;
  /** What is not looked at in a round or after it, by `owner.member`, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** By `owner.member`. */
  readonly tellers: Readonly<Record<string, Teller>>;
  /** With more seats that have cards of their own the states are too many to be remembered. */
  readonly mostSeats: number;
  /** How a seat can be played apart from the others; null = it cannot. */
  readonly apart: Apart | null;
  /** The card that was dealt last when this became true lies face down. */
  isHidden(state: TableState): boolean;
  /** Hands that are closed and looked at again in the settlement alone, in their order. */
  aside(round: RoundState): readonly Hand[];
  /**
   * First cards of hands that wait for their turn, the next one first: until then the sight tells
   * of each that it waits, and not which of these cards it is.
   */
  waiting(round: RoundState): readonly Card[];
  /** They are not: what one of them is paid hangs on the others. */
  isTogether(round: RoundState): boolean;
}

/**
 * A seat alone with the bank is played as it is beside others: in the first deal the seats take
 * their cards one by one in their order, then one seat after the other as long as cards are due to
 * it, and every other card is everybody's. What outlives the round is the series of the seat, and
 * what `passRounds` moves.
 */
export interface Apart {
  /** Options under which the seat is alone, because others ask for the bank's cards too. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** The bank's cards are drawn for this seat; where they are for none, the table is asked. */
  needsBank(round: RoundState): boolean;
  /** Where two seats are to take cards after the first deal, the table is asked. */
  readonly oneAtATime: boolean;
  /** What this line pays hangs on more than the seat: the table is asked. */
  isOfTable(line: SettlementLine): boolean;
  /** So many rounds have passed without such a line. */
  passRounds(state: TableState, rounds: number): void;
}

/** A game without hidden cards and without hands laid aside. */
export const OPEN_ROUND = {
  hiddenKinds: new Uint8Array(52),
  apart: null,
  isHidden: () => false,
  aside: () => [],
  waiting: () => [],
  isTogether: () => false,
} as const;

/** What the sight of a game says of a table: what it sees, or in one sentence why it cannot say. */
export type SightOf = Sight | { readonly live: string };

/** What a game declares beside its law. */
export interface GameSight {
  /** What each option has to do with it; one that is not named here is an error. */
  readonly options: Readonly<Record<string, string>>;
  /** @param bets the kinds that are laid; no other is looked at */
  of(rules: TableRules, bets: readonly string[]): SightOf;
}

/** Numbers the kinds of cards by what `of` says of each. */
export function kindsBy(of: (card: Card) => string | number): Uint8Array {
  const numbers = new Map<string | number, number>();
  return Uint8Array.from({ length: 52 }, (_, card) => {
    const kind = of(card as Card);
    if (!numbers.has(kind)) numbers.set(kind, numbers.size);
    return numbers.get(kind)!;
  });
}
