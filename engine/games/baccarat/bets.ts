import { isInSteps, upToStep } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import type { Laid } from '../../table/game.ts';
import { findBet } from '../../table/places.ts';
import type { Bet, TableState } from '../../table/state.ts';
import type { AuthorisedBet } from './authorised-bets.ts';
import { articlesOf, type BaccaratRules, rulesOf } from './rules.ts';

const KINDS = ['player', 'banker', 'tie', 'playerPair', 'bankerPair', 'lucky6'] as const;

const authorisedOf = ({ authorisedBets }: BaccaratRules, bet: string): AuthorisedBet | undefined =>
  authorisedBets?.find(({ id }) => id === bet);

function isTaken(rules: BaccaratRules, bet: string): boolean {
  const { pairs, lucky6 } = rules;
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
      return authorisedOf(rules, bet) !== undefined;
  }
}

/** Kinds of bets of this table; none of them needs another one beside it. */
export function bets(state: TableState): readonly string[] {
  const rules = rulesOf(state);
  return [...KINDS.filter((bet) => isTaken(rules, bet)), ...(rules.authorisedBets ?? []).map(({ id }) => id)];
}

const laidOf = (
  bets: readonly Bet[],
  { seat, by, bet }: { readonly seat: number; readonly by: number; readonly bet: string },
): number => findBet(bets, seat, by, bet)?.amountMinor ?? 0;

/**
 * The least and the most of this bet on one seat: no text limits one kind below another, the house
 * may, and so may an authorisation.
 */
function limitsOf(rules: BaccaratRules, bet: string): { readonly least: number; readonly most: number } {
  const { min, max, sideBetMax } = rules;
  if (bet === 'player' || bet === 'banker') return { least: min, most: max };
  const authorised = authorisedOf(rules, bet);
  return { least: authorised?.min ?? min, most: Math.min(authorised?.max ?? sideBetMax ?? max, max) };
}

export function refuseBet(state: TableState, laying: readonly Bet[], laid: Laid): Rejection | null {
  const rules = rulesOf(state);
  const { step } = rules;
  const { seat, by, bet, amountMinor } = laid;
  if (!isTaken(rules, bet)) return reject('off', [articleOf(state, bet)]);
  // Both sides belong to everybody: there is no other player's hand to bet on.
  if (by !== seat) return reject('not-own-seat', [articleOf(state, bet)]);
  if (!isInSteps(amountMinor, step)) return reject('step', [], `multiples of ${step}`);
  const sum = laidOf(laying, laid) + amountMinor;
  const { least, most } = limitsOf(rules, bet);
  return sum < least || sum > most ? reject('out-of-range', [], `${least}..${most}`) : null;
}

function articleOf(state: TableState, bet: string): string {
  const articles = articlesOf(state);
  if (bet === 'lucky6') return articles.lucky6;
  if (bet === 'playerPair' || bet === 'bankerPair') return articles.pairs;
  return authorisedOf(rulesOf(state), bet) ? articles.authorised : articles.sideBets;
}

export function betRange(
  state: TableState,
  laying: readonly Bet[],
  at: { readonly seat: number; readonly by: number; readonly bet: string },
): { least: number; most: number } {
  const rules = rulesOf(state);
  const { step } = rules;
  const laid = laidOf(laying, at);
  const { least, most } = limitsOf(rules, at.bet);
  return { least: laid > 0 ? step : upToStep(least, step), most: most - laid };
}
