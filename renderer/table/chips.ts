/** Amounts as chips and as short text. Minor units in, plain data out. */
import { isInSteps, minorOfUnits, unitsOf } from '../../engine/core/money.ts';
import { formatNumber } from '../../engine/rules/formats.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { formatShort } from '../texts/i18n.ts';

/**
 * Value of each chip in whole units of the currency, largest first, with the letters on its face.
 */
export const CHIPS = [
  { value: 5000, face: '5K', body: '#A01C20', dark: '#6B0E12', ink: '#FFF3DF', edge: '#F4EBD9' },
  { value: 1000, face: '1K', body: '#C9932F', dark: '#8A5F17', ink: '#2A1A05', edge: '#FFF6DF' },
  { value: 500, face: '500', body: '#6A3FA0', dark: '#432470', ink: '#FFFFFF', edge: '#F1E8FA' },
  { value: 100, face: '100', body: '#1E1F24', dark: '#08090B', ink: '#FFFFFF', edge: '#E9E5DA' },
  { value: 50, face: '50', body: '#2663A8', dark: '#153F72', ink: '#FFFFFF', edge: '#EAF1F8' },
  { value: 10, face: '10', body: '#E6DCC4', dark: '#B3A684', ink: '#3A2A12', edge: '#8C1F20' },
  /** Whatever is less than a ten; its exact amount stands on the label. */
  { value: 0, face: '·', body: '#D8CDB2', dark: '#A5987A', ink: '#3A2A12', edge: '#A88B4E' },
] as const;

const COLUMN = 5;
const COLUMNS = 2;

/**
 * Kinds (indices into CHIPS) of the chips that stand for an amount, from the bottom up, in columns
 * of at most five. Amounts that would need more than two columns show the largest chips only: the
 * label has the exact sum.
 */
export function chipColumns(amountMinor: number): number[][] {
  let rest = amountMinor;
  const kinds: number[] = [];
  for (const [kind, chip] of CHIPS.entries()) {
    const minor = minorOfUnits(chip.value);
    if (minor === 0) {
      if (rest > 0) kinds.push(kind);
      continue;
    }
    while (rest >= minor && kinds.length < COLUMN * COLUMNS) {
      kinds.push(kind);
      rest -= minor;
    }
  }
  const shown = kinds.slice(0, COLUMN * COLUMNS);
  if (shown.length <= COLUMN) return shown.length === 0 ? [] : [shown];
  const first = Math.ceil(shown.length / 2);
  return [shown.slice(0, first), shown.slice(first)];
}

/** In the language of the seat, as in its panel. No currency: the panel below names it. */
export const amountText = formatShort;

/** With its sign, a true minus: '+2,250', '−600'. */
export const signedText = (amountMinor: number, language: Language): string =>
  amountMinor < 0 ? `−${amountText(-amountMinor, language)}` : `+${amountText(amountMinor, language)}`;

const THOUSAND_MINOR = 100_000;
const HUNDRED_MINOR = 10_000;

/**
 * An amount with its sign where it is won or lost, and the same as the chips name it, '1K' and
 * '1.5K', where that is exact: for a label with little room.
 */
export function amountTexts(amountMinor: number, language: Language, signed = false): readonly string[] {
  const size = Math.abs(amountMinor);
  const sign = signed ? (amountMinor < 0 ? '−' : '+') : '';
  const whole = `${sign}${amountText(size, language)}`;
  if (size < THOUSAND_MINOR || !isInSteps(size, HUNDRED_MINOR)) return [whole];
  return [whole, `${sign}${formatNumber(unitsOf(size) / 1_000, language, 0, 1)}K`];
}

const NARROW = /[,.:·\u00a0 ]/;

/** How wide a line of the heaviest letters is, in their height. */
export const emsOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (letter.codePointAt(0)! > 0x2e80 ? 1 : NARROW.test(letter) ? 0.3 : 0.6),
    0,
  );
