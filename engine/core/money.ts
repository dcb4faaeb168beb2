/** Money is an integer count of minor units (avos, cents), never a fraction of one. */
export type Minor = number & { readonly __unit: 'minor' };

export type Currency = 'MOP' | 'HKD' | 'EUR';
export const CURRENCIES: readonly Currency[] = ['MOP', 'HKD', 'EUR'];

export const ZERO = 0 as Minor;

/**
 * The most that any one amount of people may be: a limit of the house, a bet, a credit that is put
 * right. A hundred million in whole units; with it every settlement stays far inside the safe
 * integers, and a sum over all there ever was needs a million such amounts to leave them.
 */
export const MOST_MINOR = 10_000_000_000 as Minor;

/**
 * Brands an integer as money. Throws RangeError on anything that is not a safe integer: a bug, not
 * an input.
 */
export function minor(value: number): Minor {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not an amount in minor units: ${value}`);
  return value as Minor;
}
