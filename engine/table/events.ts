import type { EventWith } from './event-row.ts';
import { CASH_ROWS, type CashEvents } from './events-cash.ts';
import { MACHINE_ROWS, type MachineEvents } from './events-machine.ts';
import { ROUND_ROWS, type RoundEvents } from './events-round.ts';
import { SEAT_ROWS, type SeatEvents } from './events-seat.ts';
import { SHOE_ROWS, type ShoeEvents } from './events-shoe.ts';

/**
 * Everything that can happen, by its type: the facts of each kind of event. A game adds its own by
 * `declare module`, and hands in a row for each.
 */
export interface EventBodies extends MachineEvents, SeatEvents, ShoeEvents, RoundEvents, CashEvents {}

export type EventType = keyof EventBodies;
type Events = { readonly [Type in EventType]: EventWith<Type, EventBodies[Type]> };
/** In the past tense. An event holds all facts. */
export type TableEvent = Events[EventType];
export type EventOf<Type extends EventType> = Events[Type];

/** The rows of what happens whatever the game. */
export const TABLE_ROWS = {
  ...MACHINE_ROWS,
  ...SEAT_ROWS,
  ...SHOE_ROWS,
  ...ROUND_ROWS,
  ...CASH_ROWS,
} as const;
