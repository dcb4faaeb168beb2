import type { Due } from './game.ts';
import { gameOf } from './registry.ts';
import type { TableState } from './state.ts';

const START_BURN: Due = { to: 'burn', why: 'start' };
const ROUND_BURN: Due = { to: 'burn', why: 'round' };

/**
 * The one card that is due now, null where none is: nothing else may leave the shoe.
 * A hold does not change what is due, it only keeps it from being dealt.
 */
export function dueCard(state: TableState): Due | null {
  const { round } = state;
  if (round === null) return state.phase === 'shoe' && state.shoe.stage === 'burn' ? START_BURN : null;
  if (round.burnDue > 0 && state.phase === 'dealing') return ROUND_BURN;
  return gameOf(state).due(round, state);
}

export const isDueFaceDown = (due: Due): boolean => (due as { readonly faceDown?: true }).faceDown === true;
