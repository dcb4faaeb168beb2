/**
 * Winning Streak of the despacho 57/2009 (arts. 13.5 and 14.5) for rounds that are independent and
 * always alike. A tie leaves the bets where they are (art. 11.2) and a surrender loses them
 * (art. 18.3), so only won and lost rounds decide.
 */
import { type Figure, figure } from './figure.ts';
import { over, plus, power, type Rational, returnOf } from './rational.ts';

/** Consecutive wins and the prize to 1 (art. 14.5). */
export const STREAK_ODDS: readonly (readonly [wins: number, odds: number])[] = [
  [2, 3],
  [3, 8],
  [4, 18],
  [5, 38],
];

/** Decimals of these figures: as many as those of a round of black jack, which they are made of. */
export const STREAK_PLACES = 14;

/**
 * Of the rounds of one seat: the probabilities of a win, a tie and a loss (surrenders among the
 * losses); they add to 1.
 */
export interface RoundChances {
  readonly win: Rational;
  readonly push: Rational;
  readonly lose: Rational;
}

/**
 * Mean net result per unit staked on `wins` consecutive wins paid at `odds` to 1. Win and loss must
 * not both be 0.
 */
export function streakReturn({ win, lose }: RoundChances, wins: number, odds: number): Rational {
  return returnOf([power(over(win, plus(win, lose)), wins), odds]);
}

/** The returns of the four bets; `prefix` goes before `streak2` to `streak5`. */
export const streakFigures = (chances: RoundChances, prefix = ''): Figure[] =>
  STREAK_ODDS.map(([wins, odds]) =>
    figure(`${prefix}streak${wins}`, streakReturn(chances, wins, odds), STREAK_PLACES),
  );
