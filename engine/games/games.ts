import type { TableState } from '../table/state.ts';
import { BACCARAT } from './baccarat/baccarat.ts';
import { BLACKJACK } from './blackjack/blackjack.ts';
import { CASINO_WAR } from './casino-war/casino-war.ts';
import type { Game } from './game.ts';

/** The game of the profile in force; only for code that runs after a check that there is a profile. */
export function gameOf(state: TableState): Game {
  switch (state.rules!.game) {
    case 'blackjack':
      return BLACKJACK;
    case 'baccarat':
      return BACCARAT;
    case 'casino-war':
      return CASINO_WAR;
  }
}
