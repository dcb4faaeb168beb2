import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import type { Bet, Hand, LastResult, Raise, RoundSeat, RoundState, TableState } from './state.ts';

// Where things lie in the state.

export function addCredit(state: TableState, seat: number, amountMinor: number): void {
  const account = state.seats[seat - 1]!;
  account.creditMinor = (account.creditMinor + amountMinor) as Minor;
}

/** A bettor's last result makes way for their next bet, or for who sits there next. */
export function forgetResult(state: TableState, by: number): void {
  if (state.results?.[by] === undefined) return;
  let others: Record<string, LastResult> | undefined;
  for (const { seat } of state.seats) {
    const result = seat === by ? undefined : state.results[seat];
    if (result === undefined) continue;
    others ??= {};
    others[seat] = result;
  }
  state.results = others;
}

export const roundSeat = ({ seats }: RoundState, seat: number): RoundSeat | undefined =>
  seats.find((played) => played.seat === seat);

export const handAt = (round: RoundState, seat: number, hand: number): Hand =>
  roundSeat(round, seat)!.hands[hand]!;

/** Stands for the bank where cards are given to whom they were due; seats begin at 1. */
export const BANK = 0;

/** First cards of a seat, or those of the bank. */
export const cardsAt = (round: RoundState, seat: number): Card[] =>
  seat === BANK ? round.bank : handAt(round, seat, 0).cards;

export const findBet = (bets: readonly Bet[], seat: number, by: number, bet: string): Bet | undefined =>
  bets.find((lies) => lies.seat === seat && lies.by === by && lies.bet === bet);

/**
 * Takes the raises of a seat from their bettors: one amount for each of the seat, in their order.
 */
export function takeRaises(state: TableState, { bettors }: RoundSeat, raises: readonly Raise[]): Minor[] {
  for (const { by, amountMinor } of raises) addCredit(state, by, -amountMinor);
  return bettors.map((bettor) => (raises.find(({ by }) => by === bettor.by)?.amountMinor ?? 0) as Minor);
}
