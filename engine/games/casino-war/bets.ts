import { type Rejection, reject } from '../../core/result.ts';
import type { Laid } from '../../table/game.ts';
import { findBet } from '../../table/places.ts';
import type { Bet, TableState } from '../../table/state.ts';
import { articlesOf, rulesOf } from './rules.ts';

/** The tie bet goes with an initial bet. */
export const bets = (state: TableState): readonly string[] =>
  rulesOf(state).tieBet ? ['main', 'tie'] : ['main'];

const laidOf = (bets: readonly Bet[], seat: number, bet: string): number =>
  findBet(bets, seat, seat, bet)?.amountMinor ?? 0;

/**
 * Everybody bets on their own card against the croupier's (art. 5.1); no text limits the tie bet
 * otherwise than the main bet.
 */
export function refuseBet(state: TableState, laying: readonly Bet[], laid: Laid): Rejection | null {
  const { min, max, step, tieBet } = rulesOf(state);
  const { tie, againstHouse } = articlesOf(state);
  const { seat, by, bet, amountMinor } = laid;
  if (bet !== 'main' && (bet !== 'tie' || !tieBet)) return reject('off', [tie]);
  if (by !== seat) return reject('not-own-seat', [againstHouse]);
  if (bet === 'tie' && laidOf(laying, seat, 'main') === 0) return reject('no-main', [tie]);
  if (amountMinor % step !== 0) return reject('step', [], `multiples of ${step}`);
  const sum = laidOf(laying, seat, bet) + amountMinor;
  return sum < min || sum > max ? reject('out-of-range', [], `${min}..${max}`) : null;
}

export function betRange(
  state: TableState,
  laying: readonly Bet[],
  at: { readonly seat: number; readonly bet: string },
): { least: number; most: number } {
  const { min, max, step } = rulesOf(state);
  const laid = laidOf(laying, at.seat, at.bet);
  return { least: laid > 0 ? step : Math.ceil(min / step) * step, most: max - laid };
}
