/** The exact figures that a simulated bet must come to, where `banca figures` has them. */
import type { BaccaratRules } from '../../engine/games/baccarat/rules.ts';
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { CasinoWarRules } from '../../engine/games/casino-war/rules.ts';
import { baccaratFigures } from '../figures/baccarat.ts';
import { blackjackFigures } from '../figures/blackjack.ts';
import { blackjackSideBetFigures } from '../figures/blackjack-side-bets.ts';
import { casinoWarFigures } from '../figures/casino-war.ts';
import type { Figure } from '../figures/figure.ts';
import type { Strategy } from '../figures/strategy-file.ts';
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

export function exactBaccarat({ decks, commission }: BaccaratRules): ExactByBet {
  const figures = new Figures(baccaratFigures(decks));
  const pair = figures.edge('pair-he-11to1');
  return new Map([
    ['player', figures.edge('player-he')],
    ['banker', figures.edge(commission === 'five-percent' ? 'banker-he-5pct' : 'banker-he-nocomm-b6half')],
    ['tie', figures.edge('tie-he-8to1')],
    ['playerPair', pair],
    ['bankerPair', pair],
    ['lucky6', figures.edge('lucky6-he-12-20')],
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

/**
 * Main bet, special prize, streaks and side bets; those that hang on how often is split have no
 * figure here.
 */
export function exactBlackjack(
  { played, isExact }: Fit,
  rules: BlackjackRules,
  sideBets: readonly string[],
): ExactByBet {
  const exact = new Map<string, Exact>();
  const { noSplit, hole } = played.rules;
  const peeks = hole.startsWith('PEEK');
  if (isExact) {
    const figures = new Figures(blackjackFigures(played, rules.decks));
    exact.set('main', figures.get('ev'));
    if (noSplit === 1) {
      for (const number of [2, 3, 4, 5]) exact.set(`streak${number}`, figures.get(`streak${number}`));
      if (rules.specialPrize && !peeks && !doublesTowardsPrize(played)) {
        const [run, sevens] = [figures.get('p678'), figures.get('p777')];
        // Three different ranks are of one suit once in sixteen times.
        exact.set('specialPrize', { id: `${run.id}, p777`, net: 3 * (run.net / 16 + sevens.net) });
      }
    }
  }
  if (sideBets.length === 0) return exact;
  const figures = new Figures(blackjackSideBetFigures(rules.decks));
  exact.set('perfectPair', figures.edge('pp-he'));
  if (noSplit === 1 || rules.anyPairResplit !== 'eachPair') exact.set('anyPair', figures.edge('anypair-he'));
  // Two aces: the figures with an ace at eleven have 22 for them, art. 8 knows no total above 21 by
  // choice.
  if (rules.over13Ace === 'one') exact.set('over13', figures.edge('over13-he-ace1'));
  if (rules.over13Ace !== 'eleven') exact.set('under13', figures.edge('under13-he-ace1'));
  const splits = Object.values(played.strategy).filter(
    ({ split, surrenderPair }) => noSplit === 0 && split[7] === '1' && surrenderPair[7] !== '1',
  ).length;
  if (splits === 0 && rules.sevensThird === 'afterSplit')
    exact.set('sevens', figures.edge('sevens-he-nosplit'));
  if (splits === 10 && !peeks) exact.set('sevens', figures.edge('sevens-he-split-3mixed500'));
  return exact;
}

/** Some hand of which 6-7-8 or 7-7-7 may come is doubled: then the prize is on two stakes. */
const doublesTowardsPrize = ({ strategy }: Strategy): boolean =>
  Object.values(strategy).some(({ double }) => double.hard.slice(13, 16).includes('1'));
