/**
 * Exact fractions: a probability or an edge must be the same to every digit wherever it is
 * computed.
 */

/** A fraction in its lowest terms with a denominator of 1 or more. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

/** `num / den`, reduced. A zero denominator is a bug of the caller and throws RangeError. */
export function ratio(num: bigint | number, den: bigint | number = 1n): Rational {
  let [n, d] = [BigInt(num), BigInt(den)];
  if (d === 0n) throw new RangeError('a fraction with the denominator 0');
  if (d < 0n) [n, d] = [-n, -d];
  const common = gcd(n, d);
  return { num: n / common, den: d / common };
}

export const plus = (a: Rational, b: Rational): Rational =>
  ratio(a.num * b.den + b.num * a.den, a.den * b.den);
export const minus = (a: Rational, b: Rational): Rational =>
  ratio(a.num * b.den - b.num * a.den, a.den * b.den);
export const times = (a: Rational, b: Rational): Rational => ratio(a.num * b.num, a.den * b.den);
export const over = (a: Rational, b: Rational): Rational => ratio(a.num * b.den, a.den * b.num);
export const power = (a: Rational, exponent: number): Rational =>
  ratio(a.num ** BigInt(exponent), a.den ** BigInt(exponent));

/** A probability and what it pays to 1. */
export type Prize = readonly [probability: Rational, odds: number];

/** What a bet returns on average per unit staked, -1 where no prize ever comes. */
export const returnOf = (...prizes: readonly Prize[]): Rational =>
  prizes.reduce((sum, [p, odds]) => plus(sum, times(p, ratio(odds + 1))), ratio(-1));

/** The house's share of a unit staked on such a bet: the opposite of `returnOf`. */
export const edgeOf = (...prizes: readonly Prize[]): Rational => minus(ratio(0), returnOf(...prizes));

export const fractionText = ({ num, den }: Rational): string => `${num}/${den}`;

/** The decimal number with exactly so many places, half away from zero. */
export function decimalText({ num, den }: Rational, places: number): string {
  const scaled = (num < 0n ? -num : num) * 10n ** BigInt(places);
  const digits = String((2n * scaled + den) / (2n * den)).padStart(places + 1, '0');
  const sign = num < 0n && /[1-9]/.test(digits) ? '-' : '';
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * `3/7`, `0.25`, `.25` or `1` as people write them; null for anything else, for a sign and for a
 * denominator of 0.
 */
export function readRational(
  text: string,
): { readonly value: Rational; readonly decimals: number | null } | null {
  const fraction = /^(\d{1,400})\/(\d{1,400})$/.exec(text);
  if (fraction) {
    const den = BigInt(fraction[2]!);
    return den === 0n ? null : { value: ratio(BigInt(fraction[1]!), den), decimals: null };
  }
  const decimal = /^(?=\.?\d)(\d{0,100})(?:\.(\d{1,100}))?$/.exec(text);
  if (!decimal) return null;
  const [, whole = '', places = ''] = decimal;
  const value = ratio(BigInt(`0${whole}${places}`), 10n ** BigInt(places.length));
  return { value, decimals: places === '' ? null : places.length };
}
