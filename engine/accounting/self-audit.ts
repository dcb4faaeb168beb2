import { gameInForce, gamesHandedIn } from '../table/registry.ts';
import type { TableState } from '../table/state.ts';
import { cashBox, handPayPending, seatCredit, stake } from './accounts.ts';

/**
 * Money a bettor has on the table: bets, raises and insurance of the round that is not settled, and
 * the bets of a series that stay over the rounds (art. 13.5).
 */
export function stakedMinor(state: TableState, by: number): number {
  const { round } = state;
  let sum = 0;
  const open = gameInForce(state)?.series?.open(state) ?? [];
  for (const bet of open) if (bet.by === by) sum += bet.amountMinor;
  if (!round || round.lines) return sum;
  sum += gameInForce(state)?.besideMinor?.(round, by) ?? 0;
  for (const bet of round.bets) {
    // With the first card a main bet goes on its hand; every other bet stays where it lies.
    const isOnHand = round.dealt && bet.bet === 'main';
    if (bet.by === by && !isOnHand) sum += bet.amountMinor;
  }
  for (const seat of round.seats) {
    for (const [i, bettor] of seat.bettors.entries()) {
      if (bettor.by !== by) continue;
      for (const hand of seat.hands) sum += hand.stakesMinor[i]!;
    }
  }
  return sum;
}

/**
 * The self-audit after every transaction: what the table says it owes against what the accounts
 * say.
 * @param balances account -> folded postings (debit positive) in the table's currency
 * @returns one sentence per equation that does not hold; empty = the books agree
 */
export function booksAgree(state: TableState, balances: ReadonlyMap<string, number>): string[] {
  const broken: string[] = [];
  const owed = (account: string, amountMinor: number): void => {
    const balance = balances.get(account) ?? 0;
    if (balance !== -amountMinor) {
      broken.push(`${account}: table owes ${amountMinor}, books say ${-balance}`);
    }
  };
  let stakes = 0;
  for (const { seat, creditMinor, cashOut, wins = [] } of state.seats) {
    if (creditMinor < 0) broken.push(`${seatCredit(seat)}: credit is ${creditMinor}`);
    const staked = stakedMinor(state, seat);
    stakes += staked;
    owed(seatCredit(seat), creditMinor);
    owed(stake(seat), staked);
    const won = wins.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    owed(handPayPending(seat), (cashOut?.amountMinor ?? 0) + won);
  }
  owed(
    'held-notes',
    state.heldNotes.reduce((sum, note) => sum + (note.valueMinor ?? 0), 0),
  );
  for (const { owes } of gamesHandedIn())
    for (const [account, amountMinor] of owes?.(state) ?? []) owed(account, amountMinor);
  const inDoubt = state.heldNotes.reduce((sum, note) => sum + (note.inBox ? 0 : (note.valueMinor ?? 0)), 0);
  owed('notes-in-doubt', -inDoubt);
  let total = 0;
  let booked = 0;
  for (const [account, balance] of balances) {
    total += balance;
    if (account.startsWith('stake:')) booked -= balance;
    const isBox = account.startsWith(cashBox(0).slice(0, -1));
    if (isBox && balance < 0) broken.push(`${account}: the box holds ${balance}`);
  }
  if (booked !== stakes) broken.push(`stake: table has ${stakes}, books say ${booked}`);
  if (total !== 0) broken.push(`the accounts sum to ${total}, not to zero`);
  return broken;
}
