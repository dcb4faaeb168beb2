/** The exact figures that a simulated bet must come to, where `banca figures` has them. */
import type { BaccaratRules } from '../../engine/games/baccarat/rules.ts';
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { CasinoWarRules } from '../../engine/games/casino-war/rules.ts';
import { baccaratFigures, countBaccarat, prizesOf } from '../figures/baccarat.ts';
import type { BetFigures } from '../figures/bet-figures.ts';
import { blackjackRound, fullShoe } from '../figures/blackjack.ts';
import { anyPairBet, lawFor, perfectPairBet, sevensBet, thirteenBet } from '../figures/blackjack-bets.ts';
import { casinoWarFigures } from '../figures/casino-war.ts';
import { type Figure, PLACES } from '../figures/figure.ts';
import { decimalText, returnOf } from '../figures/rational.ts';
import { STREAK_ODDS } from '../figures/streak.ts';
import type { Fit } from './fit.ts';
import type { WarStrategy } from './player.ts';

/** The net per initial stake, and the figures it was taken from. */
export interface Exact {
  readonly id: string;
  readonly net: number;
}
export type ExactByBet = ReadonlyMap<string, Exact>;

class Figures {
  readonly #list: readonly Figure[];
  constructor(list: readonly Figure[]) {
    this.#list = list;
  }
  /** The figure whose id ends in this name. */
  get(name: string): Exact {
    const found = this.#list.find(({ id }) => /^[a-z]+-(?:.*-)?\d+d-(.*)$/.exec(id)?.[1] === name);
    if (!found) throw new Error(`no figure ${name}`);
    return { id: found.id, net: Number(found.value) };
  }
  /** Of a house edge: what the bettor nets. */
  edge(name: string): Exact {
    const { id, net } = this.get(name);
    return { id, net: -net };
  }
}

export function exactBaccarat({ decks, commission, authorisedBets = [] }: BaccaratRules): ExactByBet {
  const counts = authorisedBets.length > 0 ? countBaccarat(decks) : null;
  const figures = new Figures(baccaratFigures(decks));
  const pair = figures.edge('pair-he-11to1');
  return new Map([
    ['player', figures.edge('player-he')],
    ['banker', figures.edge(commission === 'five-percent' ? 'banker-he-5pct' : 'banker-he-nocomm-b6half')],
    ['tie', figures.edge('tie-he-8to1')],
    ['playerPair', pair],
    ['bankerPair', pair],
    ['lucky6', figures.edge('lucky6-he-12-20')],
    ...authorisedBets.map(({ id, wins }): [string, Exact] => {
      const net = Number(decimalText(returnOf(...prizesOf(counts!, wins)), PLACES));
      return [id, { id: `baccarat-${decks}d-${id}-he`, net }];
    }),
  ]);
}

/**
 * The main bet of a seat that has bet on the tie too stands for itself: art. 7.3 gives it back
 * where the cards tie.
 */
export const BESIDE_TIE = 'main beside tie';

export function exactWar({ decks, tieBettorMain }: CasinoWarRules, strategy: WarStrategy): ExactByBet {
  const figures = new Figures(casinoWarFigures(decks));
  const main = figures.get(strategy === 'always-war' ? 'ev-war' : 'ev-surrender');
  // As often higher as lower, and a tie gives the bet back.
  const evens: Exact = { id: `war-${decks}d-win`, net: 0 };
  return new Map([
    ['main', main],
    [BESIDE_TIE, tieBettorMain === 'push' ? evens : main],
    ['tie', figures.edge('tie-he-10to1')],
  ]);
}

/** Main bet, special prize, streaks and side bets; what is not enumerated has no figure here. */
export function exactBlackjack(
  { played }: Fit,
  rules: BlackjackRules,
  sideBets: readonly string[],
): ExactByBet {
  const exact = new Map<string, Exact>();
  // Nobody at a simulated table takes what the bank offers under art. 10.7.
  const law = lawFor(rules, played, false);
  const round = blackjackRound(played, fullShoe(rules.decks), law);
  const prefix = `bj-${played.id}-${rules.decks}d-`;
  if (round.slack < LEAST_SLACK) exact.set('main', { id: `${prefix}ev`, net: round.ev });
  if (rules.specialPrize) exact.set('specialPrize', { id: `${prefix}prize`, net: round.prize });
  if (played.rules.noSplit === 1 && rules.specialPrizeMode === 'bonus') {
    const won = round.win / (round.win + round.lose);
    for (const [wins, odds] of STREAK_ODDS)
      exact.set(`streak${wins}`, { id: `${prefix}streak${wins}`, net: won ** wins * (odds + 1) - 1 });
  }
  const add = ({ bet, edge }: BetFigures): void => {
    exact.set(bet, { id: `${prefix}${bet}`, net: -Number(edge) });
  };
  for (const bet of sideBets)
    if (bet === 'anyPair') add(anyPairBet(rules, round));
    else if (bet === 'sevens') add(sevensBet(rules, played));
    else if (bet === 'over13' || bet === 'under13') add(thirteenBet(rules, bet));
    else if (bet === 'perfectPair') add(perfectPairBet(rules));
  return exact;
}

/**
 * What was not enumerated of a single loss (arts. 16.6, 7.2) is less than any sample could show.
 */
const LEAST_SLACK = 1e-7;
