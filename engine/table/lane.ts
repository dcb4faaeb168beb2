import type { Draft } from './draft.ts';
import { TABLE_ROWS, type TableEvent } from './events.ts';
import { addRows, apply } from './registry.ts';
import type { TableState } from './state.ts';

export { allRows, rowOf } from './registry.ts';

addRows(TABLE_ROWS);

/**
 * Applies an event IN PLACE and returns the same object: live table, replay and simulation run this
 * one function, and whoever needs the state before must copy it first. It decides nothing; every
 * fact is in the event.
 */
export function evolve(state: TableState, event: TableEvent): TableState {
  apply(state, event);
  return state;
}

/**
 * It has happened: the state changes at once, so that what follows is decided on the state after
 * it.
 */
export function emit(draft: Draft, event: TableEvent): void {
  draft.events.push(event);
  evolve(draft.state, event);
}
