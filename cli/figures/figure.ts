import { decimalText, fractionText, type Rational } from './rational.ts';

/** One line of `banca figures`. */
export interface Figure {
  /** Game, decks and quantity, as in `war-6d-tie`. */
  readonly id: string;
  /** The number with a fixed count of decimals, or counts with strokes between them. */
  readonly value: string;
  /**
   * The reduced fraction `A/B`; left out where the value is counts or was not computed in
   * fractions.
   */
  readonly exact?: string;
}

/** Decimals of a probability or an edge that has its fraction beside it. */
export const PLACES = 15;

export const figure = (id: string, exact: Rational, places = PLACES): Figure => ({
  id,
  value: decimalText(exact, places),
  exact: fractionText(exact),
});
