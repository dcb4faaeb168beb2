import type { Minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { rulebookOf, type TableArticle, type TableRules } from '../rules/rulebook.ts';
import type { TableEvent } from './events.ts';
import type { TableProfile } from './profile.ts';
import type { Deadline, SeatState, TableState } from './state.ts';

/**
 * What the host must do after the events are on disk, in this order: tell a unit, or put on record
 * what is no event of the table.
 */
export type Effect =
  | { readonly type: 'stack-note'; readonly acceptor: number; readonly noteId: string }
  | { readonly type: 'return-note'; readonly acceptor: number }
  | { readonly type: 'acknowledge-credit'; readonly acceptor: number }
  | {
      readonly type: 'record';
      readonly event:
        | { readonly type: 'note-rejected-by-device'; readonly acceptor: number; readonly reason: string }
        | { readonly type: 'note-credit-repeated'; readonly acceptor: number };
    }
  /** The unit has told its story out of order. */
  | { readonly type: 'report-sequence'; readonly acceptor: number }
  /**
   * The same word is heard again, after the faults that follow from what is on disk now have been
   * reported.
   */
  | { readonly type: 'hear-again'; readonly acceptor: number };

/**
 * One input being decided: the state is a working copy that every emitted event changes at once, so
 * that what follows from an event (last card of a deal, then offers) is decided on the state after
 * it. A rule may refuse only before its first emit.
 */
export interface Draft {
  readonly state: TableState;
  readonly atMs: number;
  readonly events: Sink<TableEvent>;
  readonly effects: Sink<Effect>;
}

/** Takes them in order, as an array does. */
export interface Sink<T> {
  push(...taken: T[]): unknown;
}

/** The profile in force; only for code that runs after a check that there is one. */
export function profileOf(state: TableState): TableProfile {
  if (state.profile === null) throw new Error('no profile');
  return state.profile;
}

export function rulesOf(state: TableState): TableRules {
  if (state.rules === null) throw new Error('no rules');
  return state.rules;
}

export function articlesOf(state: TableState): Readonly<Record<TableArticle, string>> {
  const rulebook = rulebookOf(profileOf(state).rulebook);
  if (!rulebook) throw new Error('no rulebook');
  return rulebook.articles;
}

export const seatOf = (state: TableState, seat: number): SeatState | undefined => state.seats[seat - 1];

/**
 * A seat is taken while whoever sits there has money at the table: credit, a bet or a hand-pay that
 * waits.
 */
export function isTaken(state: TableState, seat: number): boolean {
  const account = seatOf(state, seat);
  if (!account) return false;
  if (account.creditMinor > 0 || account.cashOut !== null || account.wins) return true;
  return state.round?.bets.some((bet) => bet.by === seat) ?? false;
}

export const creditOf = (state: TableState, seat: number): Minor =>
  state.seats[seat - 1]?.creditMinor ?? (0 as Minor);

export const deadlineAt = (
  kind: Deadline['kind'],
  atMs: number,
  totalMs: number,
  seat: number | null = null,
  hand: number | null = null,
): Deadline => ({ kind, atMs: atMs + totalMs, totalMs, seat, hand });

/**
 * A touch counts when it was made before the deadline and is handled at most this long after it.
 */
export const TOUCH_GRACE_MS = 250;

interface Touched {
  readonly touchedAtMs: number;
  readonly atMs: number;
}

/** The touch as the table judges it: never later than the moment it is handled. */
export function refuseLate(
  { touchedAtMs, atMs }: Touched,
  deadlineAtMs: number,
  cites: readonly string[] = [],
): Rejection | null {
  const touched = Math.min(touchedAtMs, atMs);
  return touched <= deadlineAtMs && atMs <= deadlineAtMs + TOUCH_GRACE_MS
    ? null
    : tooLate({ touchedAtMs: touched, atMs }, deadlineAtMs, cites);
}

/** A touch in time that is handled too late is as late as its handling. */
export function tooLate(
  { touchedAtMs, atMs }: Touched,
  deadlineAtMs: number,
  cites: readonly string[] = [],
): Rejection {
  const lateMs = (touchedAtMs > deadlineAtMs ? touchedAtMs : atMs) - deadlineAtMs;
  return { ...reject('too-late', cites, `late by ${lateMs} ms`), lateMs };
}
