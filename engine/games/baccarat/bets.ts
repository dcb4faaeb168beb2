import { type Rejection, reject } from '../../core/result.ts';
import type { Laid } from '../../table/game.ts';
import { findBet } from '../../table/places.ts';
import type { Bet, TableState } from '../../table/state.ts';
import { articlesOf, type BaccaratRules, rulesOf } from './rules.ts';

const KINDS = ['player', 'banker', 'tie', 'playerPair', 'bankerPair', 'lucky6'] as const;

function isTaken({ pairs, lucky6 }: BaccaratRules, bet: string): boolean {
  switch (bet) {
    case 'player':
    case 'banker':
    case 'tie':
      return true;
    case 'playerPair':
    case 'bankerPair':
      return pairs;
    case 'lucky6':
      return lucky6;
    default:
      return false;
  }
}

/** Kinds of bets of this table; none of them needs another one beside it. */
export const bets = (state: TableState): readonly string[] =>
  KINDS.filter((bet) => isTaken(rulesOf(state), bet));

const laidOf = (
  bets: readonly Bet[],
  { seat, by, bet }: { readonly seat: number; readonly by: number; readonly bet: string },
): number => findBet(bets, seat, by, bet)?.amountMinor ?? 0;

/** The most of this bet on one seat: no text limits one kind below another, the house may. */
const mostOf = ({ max, sideBetMax }: BaccaratRules, bet: string): number =>
  bet === 'player' || bet === 'banker' ? max : Math.min(sideBetMax ?? max, max);

export function refuseBet(state: TableState, laying: readonly Bet[], laid: Laid): Rejection | null {
  const rules = rulesOf(state);
  const { min, step } = rules;
  const { seat, by, bet, amountMinor } = laid;
  if (!isTaken(rules, bet)) return reject('off', [articleOf(state, bet)]);
  // Both sides belong to everybody: there is no other player's hand to bet on.
  if (by !== seat) return reject('not-own-seat', [articleOf(state, bet)]);
  if (amountMinor % step !== 0) return reject('step', [], `multiples of ${step}`);
  const sum = laidOf(laying, laid) + amountMinor;
  const most = mostOf(rules, bet);
  return sum < min || sum > most ? reject('out-of-range', [], `${min}..${most}`) : null;
}

function articleOf(state: TableState, bet: string): string {
  const articles = articlesOf(state);
  if (bet === 'lucky6') return articles.lucky6;
  return bet === 'playerPair' || bet === 'bankerPair' ? articles.pairs : articles.sideBets;
}

export function betRange(
  state: TableState,
  laying: readonly Bet[],
  at: { readonly seat: number; readonly by: number; readonly bet: string },
): { least: number; most: number } {
  const rules = rulesOf(state);
  const { min, step } = rules;
  const laid = laidOf(laying, at);
  return { least: laid > 0 ? step : Math.ceil(min / step) * step, most: mostOf(rules, at.bet) - laid };
}
