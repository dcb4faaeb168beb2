import { type Currency, type Minor, minor } from '../core/money.ts';
import type { Posting } from '../table/event-row.ts';
import type { Raise } from '../table/state.ts';
import { seatCredit, stake } from './accounts.ts';

/** An amount from one account to another; nothing where it is nothing. */
export const move = (currency: Currency, debit: string, credit: string, amountMinor: Minor): Posting[] =>
  amountMinor === 0
    ? []
    : [
        { account: debit, currency, amountMinor },
        { account: credit, currency, amountMinor: minor(-amountMinor) },
      ];

/** What a bettor adds to their stake. */
export const staked = ({
  currency,
  by,
  amountMinor,
}: {
  readonly currency: Currency;
  readonly by: number;
  readonly amountMinor: Minor;
}): Posting[] => move(currency, seatCredit(by), stake(by), amountMinor);

/** What several bettors add to their stakes. */
export const raisedBy = ({
  currency,
  raises,
}: {
  readonly currency: Currency;
  readonly raises: readonly Raise[];
}): Posting[] => raises.flatMap((raise) => staked({ currency, ...raise }));

/**
 * All lines of a round as one entry per account. The money a line had at stake is what comes back
 * less what is won: for a special prize that is nothing, its base stays on the hand.
 */
export function settlement(
  currency: Currency,
  lines: readonly { readonly by: number; readonly returnedMinor: Minor; readonly netMinor: Minor }[],
): Posting[] {
  const sums = new Map<string, number>();
  const add = (account: string, amountMinor: number): void => {
    sums.set(account, (sums.get(account) ?? 0) + amountMinor);
  };
  for (const { by, returnedMinor, netMinor } of lines) {
    add(stake(by), returnedMinor - netMinor);
    add(seatCredit(by), -returnedMinor);
    add('bank', netMinor);
  }
  return [...sums]
    .filter(([, amountMinor]) => amountMinor !== 0)
    .map(([account, amountMinor]) => ({ account, currency, amountMinor: minor(amountMinor) }));
}
