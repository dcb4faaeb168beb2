/** Money is an integer count of minor units (avos, cents), never a fraction of one. */
export type Minor = number & { readonly __unit: 'minor' };

export type Currency = 'MOP' | 'HKD' | 'EUR';
export const CURRENCIES: readonly Currency[] = ['MOP', 'HKD', 'EUR'];

export const ZERO = 0 as Minor;

/** Brands an integer as money. Throws RangeError on anything that is not a safe integer: a bug, not an input. */
export function minor(value: number): Minor {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not an amount in minor units: ${value}`);
  return value as Minor;
}
