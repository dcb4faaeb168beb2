import type { TableRules } from '../rules/rulebook.ts';
import { addBook } from '../rules/rules-page.ts';
import type { EventRow } from './event-row.ts';
import type { EventType, TableEvent } from './events.ts';
import type { Game } from './game.ts';
import { giveParts } from './shape.ts';
import type { TableState } from './state.ts';

/** The row of any event, by which it is applied, booked and named. */
export type AnyRow = EventRow<EventType, never>;

/** What games change with an event of the table; no game is in force before the first profile. */
type Additions = Map<string | undefined, (state: TableState, event: never) => void>;

interface Known {
  readonly row: AnyRow;
  /** null = nothing, as with most events. */
  also: Additions | null;
}

const GAMES = new Map<string, Game>();
const EVENTS = new Map<string, Known>();

/** Hands a game in: from here on a table can play it, and its events are known. */
export function handIn(game: Game): void {
  GAMES.set(game.id, game);
  addBook(game.book);
  if (game.parts) giveParts(game.id, game.parts);
  addRows(game.rows);
  for (const [type, change] of Object.entries(game.also ?? {})) {
    const known = EVENTS.get(type)!;
    known.also ??= new Map();
    known.also.set(game.id, change);
  }
}

/** @throws Error for an event that has another row already: two games of one name for two things */
export function addRows(rows: object): void {
  for (const [type, row] of Object.entries(rows)) {
    const known = EVENTS.get(type);
    if (known && known.row !== row) throw new Error(`the event ${type} has two rows`);
    if (!known) EVENTS.set(type, { row: row as AnyRow, also: null });
  }
}

export const gamesHandedIn = (): readonly Game[] => [...GAMES.values()];

/** What is said of this kind of event; undefined for one that neither the table nor a game has. */
export const rowOf = (type: string): AnyRow | undefined => EVENTS.get(type)?.row;

/** The rows of all events, by their types. */
export const allRows = (): ReadonlyMap<string, AnyRow> =>
  new Map(Array.from(EVENTS, ([type, { row }]) => [type, row]));

/** Changes the state in place: by the event's row, then by what the game in force adds to it. */
export function apply(state: TableState, event: TableEvent): void {
  const known = EVENTS.get(event.type);
  known?.row.apply?.(state, event as never);
  known?.also?.get(state.rules?.game)?.(state, event as never);
}

/** A table asks for the same game thousands of times. */
let last: Game | undefined;

function game(id: TableRules['game']): Game | undefined {
  if (last?.id !== id) last = GAMES.get(id);
  return last;
}

/** The game of some rules, as a state or a view holds them. */
export function gameNamed(id: TableRules['game']): Game {
  const found = game(id);
  if (found === undefined) throw new Error(`no game ${id} has been handed in: import engine/engine.ts`);
  return found;
}

/**
 * The game of the profile in force; only for code that runs after a check that there is a profile.
 */
export const gameOf = (state: TableState): Game => gameNamed(state.rules!.game);

/** Undefined while no profile is in force. */
export const gameInForce = ({ rules }: TableState): Game | undefined =>
  rules ? game(rules.game) : undefined;
