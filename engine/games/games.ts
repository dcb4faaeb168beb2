import type { TableState } from '../table/state.ts';
import { BACCARAT } from './baccarat/baccarat.ts';
import { BLACKJACK } from './blackjack/blackjack.ts';
import { CASINO_WAR } from './casino-war/casino-war.ts';
import type { Game, GameId } from './game.ts';

/** This file alone imports them, so that they stand when it runs, in whatever order the cycle is entered. */
const GAMES: Readonly<Record<GameId, Game>> = {
  blackjack: BLACKJACK,
  baccarat: BACCARAT,
  'casino-war': CASINO_WAR,
};

/** The game of the profile in force; only for code that runs after a check that there is a profile. */
export const gameOf = (state: TableState): Game => GAMES[state.rules!.game];
