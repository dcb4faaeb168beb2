import type { Currency, Minor } from '../core/money.ts';
import type { TableState } from './state.ts';

/** One side of an entry: debit positive, credit negative. */
export interface Posting {
  readonly account: string;
  readonly currency: Currency;
  readonly amountMinor: Minor;
}

/**
 * A code of the list of events that the entry always has, or one it has under a condition; `class`
 * where it is not the code's own.
 */
export type CodeRule<E> =
  | string
  | {
      readonly code: string;
      readonly class?: 'I' | 'N' | 'W' | 'F';
      /** The condition in words, for docs/events.md. */
      readonly if: string;
      readonly when: (body: E) => boolean;
    };

/** The codes of an entry, or why it has none. */
export type Coding<E> =
  | readonly [CodeRule<E>, ...CodeRule<E>[]]
  | { readonly none: string }
  /** The code of the fault that it is about. */
  | 'begins-fault'
  | 'ends-fault';

/** An event as it stands in the ledger: what has happened, when, and the facts. */
export type EventWith<Type extends string, Body> = { readonly atMs: number; readonly type: Type } & Body;

/** A stake that is final: turnover, under the name of its bet in the meters. */
export interface Wager {
  readonly by: number;
  readonly bet: string;
  readonly amountMinor: Minor;
}

/** Everything that is to be said of one kind of event. */
export interface EventRow<Type extends string, Body> {
  /**
   * What it changes in the state, in place; null = nothing. It decides nothing: every fact is in
   * the event.
   */
  readonly apply: ((state: TableState, event: EventWith<Type, Body>) => void) | null;
  /** Its double entry, summing to zero in its currency; null = it moves no money. */
  readonly postings: ((event: EventWith<Type, Body>) => Posting[]) | null;
  /** Of an event that puts more money at stake in a round: what the meters count of it. */
  readonly wagers?: (event: EventWith<Type, Body>) => readonly Wager[];
  readonly codes: Coding<EventWith<Type, Body>>;
  /** Where its name stands in locales/<language>/service.json. */
  readonly words: `event.${Type}`;
}

/** The rows of a set of events, by their types: one for each, none left out. */
export type Rows<Bodies> = { readonly [Type in keyof Bodies & string]: EventRow<Type, Bodies[Type]> };

/** For a step of something that another code tells. */
export const stepOf = <const Code extends string>(code: Code) =>
  ({ none: `a step of what ${code} tells` }) as const;
