import type { Draft } from './draft.ts';
import { TABLE_ROWS, type TableEvent } from './events.ts';
import { type AnyRow, gameInForce, gameRow, gameRows } from './registry.ts';
import type { TableState } from './state.ts';

const OF_TABLE: ReadonlyMap<string, AnyRow> = new Map(Object.entries(TABLE_ROWS));

/** What is said of this kind of event; undefined for one that neither the table nor a game has. */
export const rowOf = (type: string): AnyRow | undefined => OF_TABLE.get(type) ?? gameRow(type);

/** The rows of all events, by their types. */
export const allRows = (): ReadonlyMap<string, AnyRow> => new Map([...OF_TABLE, ...gameRows()]);

/**
 * Applies an event IN PLACE and returns the same object: live table, replay and simulation run this
 * one function, and whoever needs the state before must copy it first. It decides nothing; every
 * fact is in the event.
 */
export function evolve(state: TableState, event: TableEvent): TableState {
  rowOf(event.type)?.apply?.(state, event as never);
  gameInForce(state)?.also?.[event.type]?.(state, event as never);
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
