import type { Due } from '../games/game.ts';
import { gameOf } from '../games/games.ts';
import type { TableState } from './state.ts';

/**
 * The one card that is due now, null where none is: nothing else may leave the shoe.
 * A hold does not change what is due, it only keeps it from being dealt.
 */
export function dueCard(state: TableState): Due | null {
  if (state.phase === 'shoe' && state.shoe.stage === 'burn') return { to: 'burn', why: 'start' };
  const { round } = state;
  if (round === null) return null;
  if (state.phase === 'dealing' && round.burnDue > 0) return { to: 'burn', why: 'round' };
  return gameOf(state).due(round, state);
}
