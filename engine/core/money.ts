/**
 * Money is an integer count of minor units (avos, cents), never a fraction of one. This is the one
 * module where an amount is multiplied, divided or rounded; everywhere else amounts are added,
 * subtracted and compared, which leaves no fraction (`test/rooms/amounts.ts` checks it).
 */
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

/** `a` parts of `b`, b > 0. */
export type Parts = readonly [number, number];

/** Which way a fraction of a minor unit goes: what a table has chosen and its rules page says. */
export type Rounded = 'down' | 'up';

/**
 * `a/b` of an amount that is not negative, in minor units; the sign of `a` is the sign of the
 * result.
 * @throws RangeError where a fraction arises and nothing says which way it goes, or the amounts are
 * too great: a bug.
 */
export function partOf(amountMinor: number, parts: Parts, rounded?: Rounded): number {
  const a = parts[0];
  const b = parts[1];
  const product = amountMinor * Math.abs(a);
  if (!Number.isSafeInteger(product)) return partOfGreat(amountMinor, parts, rounded);
  const rest = product % b;
  if (rest !== 0 && rounded === undefined) throw notWhole(amountMinor, parts);
  const part = (product - rest) / b + (rest !== 0 && rounded === 'up' ? 1 : 0);
  return a < 0 ? 0 - part : part;
}

const notWhole = (amountMinor: number, [a, b]: Parts): RangeError =>
  new RangeError(`not in whole minor units: ${amountMinor} x ${a}/${b}`);

/**
 * The same where the product on the way leaves the safe integers, as a share such as
 * 123456789/987654321 makes it.
 */
function partOfGreat(amountMinor: number, parts: Parts, rounded?: Rounded): number {
  if (!Number.isSafeInteger(amountMinor)) throw notWhole(amountMinor, parts);
  const product = BigInt(amountMinor) * BigInt(Math.abs(parts[0]));
  const b = BigInt(parts[1]);
  const rest = product % b;
  const part = Number(product / b) + (rest > 0n && rounded === 'up' ? 1 : 0);
  if (!Number.isSafeInteger(part) || (rest > 0n && rounded === undefined)) throw notWhole(amountMinor, parts);
  return parts[0] < 0 ? 0 - part : part;
}

/** The same as an exact fraction, to be compared with others. */
export const exactPartOf = (amountMinor: number, [a, b]: Parts): readonly [a: bigint, b: bigint] => [
  BigInt(a) * BigInt(amountMinor),
  BigInt(b),
];

/** The same without rounding; null where it is no whole minor unit. */
export function wholePartOf(amountMinor: number, parts: Parts): number | null {
  const [a, b] = exactPartOf(amountMinor, parts);
  return a % b === 0n ? Number(a / b) : null;
}

/** A part of an amount and what earlier ones left: whole minor units, and what is left again. */
export function carriedPartOf(
  amountMinor: number,
  [a, b]: Parts,
  left: Parts,
): { readonly amountMinor: number; readonly rest: Parts } {
  // Of another share in force before: as much of it as this one has parts.
  const kept = (BigInt(left[0]) * BigInt(b)) / BigInt(left[1]);
  // A fraction of nine digits takes the product out of the safe integers, not what comes of it.
  const whole = BigInt(amountMinor) * BigInt(a) + kept;
  return { amountMinor: Number(whole / BigInt(b)), rest: [Number(whole % BigInt(b)), b] };
}

/** Which way the share `at` of so many equal ones goes: the first have the units that are odd. */
export const shareRounded = (amountMinor: number, shares: number, at: number): Rounded =>
  at < amountMinor % shares ? 'up' : 'down';

/**
 * So many times an amount.
 * @throws RangeError where that is no safe integer: a bug.
 */
export function timesOf(amountMinor: number, times: number): number {
  const product = amountMinor * times;
  if (!Number.isSafeInteger(product)) throw notWhole(amountMinor, [times, 1]);
  return product;
}

/** The same unchecked: of figures that others have said, to be compared and shown. */
export const timesSaid = (amountMinor: number, times: number): number => amountMinor * times;

export const isInSteps = (amountMinor: number, stepMinor: number): boolean => amountMinor % stepMinor === 0;

/** The greatest amount in steps that is no more than this one, which is not negative. */
export const downToStep = (amountMinor: number, stepMinor: number): number =>
  amountMinor - (amountMinor % stepMinor);

/** The least amount in steps that is no less than this one, which is not negative. */
export const upToStep = (amountMinor: number, stepMinor: number): number =>
  downToStep(amountMinor + stepMinor - 1, stepMinor);

// ---- as it is written: whole units of the currency and hundredths ----

const IN_A_UNIT = 100;
const DECIMALS = 2;

/** In units of the currency, with decimals where there are any: a figure to be shown, no amount. */
export const unitsOf = (amountMinor: number): number => amountMinor / IN_A_UNIT;

/** Without what is less than a unit. */
export const wholeUnitsOf = (amountMinor: number): number => Math.trunc(amountMinor / IN_A_UNIT);

/** What is less than a unit, without its sign. */
export const oddMinorOf = (amountMinor: number): number => Math.abs(amountMinor % IN_A_UNIT);

/** value x 10^exponent units; no integer where that is no whole minor unit: the caller looks. */
export function minorOfUnits(value: number, exponent = 0): number {
  const power = exponent + DECIMALS;
  return power < 0 ? value / 10 ** -power : value * 10 ** power;
}

/** A figure in units as a person writes it; 0.07 x 100 alone is not 7. */
export const minorOfFigure = (units: number): number => Math.round(units * IN_A_UNIT);
