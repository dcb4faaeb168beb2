import { isInSteps, upToStep } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import type { Laid } from '../../table/game.ts';
import { findBet } from '../../table/places.ts';
import type { Bet, TableState } from '../../table/state.ts';
import { articlesOf, type CasinoWarRules, rulesOf } from './rules.ts';

/** The most of this bet on one seat: no text limits the tie bet, the house may. */
const mostOf = ({ max, sideBetMax }: CasinoWarRules, bet: string): number =>
  bet === 'tie' ? Math.min(sideBetMax ?? max, max) : max;

/** The tie bet goes with an initial bet. */
export const bets = (state: TableState): readonly string[] =>
  rulesOf(state).tieBet ? ['main', 'tie'] : ['main'];

const laidOf = (bets: readonly Bet[], seat: number, bet: string): number =>
  findBet(bets, seat, seat, bet)?.amountMinor ?? 0;

/** Everybody bets on their own card against the croupier's (art. 5.1). */
export function refuseBet(state: TableState, laying: readonly Bet[], laid: Laid): Rejection | null {
  const rules = rulesOf(state);
  const { min, step, tieBet } = rules;
  const { tie, againstHouse } = articlesOf(state);
  const { seat, by, bet, amountMinor } = laid;
  if (bet !== 'main' && (bet !== 'tie' || !tieBet)) return reject('off', [tie]);
  if (by !== seat) return reject('not-own-seat', [againstHouse]);
  if (bet === 'tie' && laidOf(laying, seat, 'main') === 0) return reject('no-main', [tie]);
  if (!isInSteps(amountMinor, step)) return reject('step', [], `multiples of ${step}`);
  const sum = laidOf(laying, seat, bet) + amountMinor;
  const most = mostOf(rules, bet);
  return sum < min || sum > most ? reject('out-of-range', [], `${min}..${most}`) : null;
}

export function betRange(
  state: TableState,
  laying: readonly Bet[],
  at: { readonly seat: number; readonly bet: string },
): { least: number; most: number } {
  const rules = rulesOf(state);
  const { min, step } = rules;
  const laid = laidOf(laying, at.seat, at.bet);
  return { least: laid > 0 ? step : upToStep(min, step), most: mostOf(rules, at.bet) - laid };
}
