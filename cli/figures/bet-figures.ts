/** What a bet brings by its results, and what a table's figures are made of. */
import type { RulebookId } from '../../engine/table/profile.ts';
import { type Figure, PLACES } from './figure.ts';
import { decimalText, fractionText, minus, type Rational, ratio, readRational, times } from './rational.ts';
import type { Strategy } from './strategy-file.ts';

/** Net per unit staked before the cards, and how often it comes. */
export interface Result {
  /** A number; `split` for the rounds in which a pair was split, whose mean it is then. */
  readonly net: string;
  readonly chance: string;
  readonly of?: 'split';
}

export interface BetFigures {
  readonly bet: string;
  /** What the house keeps of a unit on average; negative: the bet favours the player. */
  readonly edge: string;
  /** The same number as a fraction, where it was reckoned in whole numbers. */
  readonly exact?: string;
  /** The edge is at most so much smaller. */
  readonly within?: string;
  readonly favoursPlayer: boolean;
  readonly results: readonly Result[];
}

export interface NotEnumerated {
  readonly bet: string;
  readonly why: string;
}

export interface TableFigures {
  readonly rulebook: RulebookId;
  readonly decks: number;
  readonly bets: readonly BetFigures[];
  readonly notEnumerated: readonly NotEnumerated[];
  readonly notes: readonly string[];
  /** The player's; null where nobody decides anything or there are two ways alone. */
  readonly strategy: Strategy | null;
}

export const ONE = ratio(1);

/** A bet by its results, which leave out those that lose the stake. */
export function betOf(
  bet: string,
  ...won: readonly (readonly [net: Rational, chance: Rational])[]
): BetFigures {
  const left = won.reduce((sum, [, chance]) => minus(sum, chance), ONE);
  const all = [...won, [ratio(-1), left] as const].filter(([, { num }]) => num !== 0n);
  const edge = all.reduce((sum, [net, chance]) => minus(sum, times(net, chance)), ratio(0));
  return {
    bet,
    edge: decimalText(edge, PLACES),
    exact: fractionText(edge),
    favoursPlayer: edge.num < 0n,
    results: all.map(([net, chance]) => ({
      net: netText(net),
      chance: decimalText(chance, PLACES),
    })),
  };
}

const netText = (net: Rational): string =>
  `${net.num < 0n ? '' : '+'}${decimalText(net, 4).replace(/\.?0+$/, '')}`;

/** The exact value of a figure by the end of its id. */
export function exactOf(list: readonly Figure[], name: string): Rational {
  const found = list.find(({ id }) => /^[a-z]+-\d+d-(.*)$/.exec(id)?.[1] === name);
  const read = readRational(found?.exact ?? '');
  if (!read) throw new Error(`no chance ${name}`);
  return read.value;
}
