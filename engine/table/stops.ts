import type { Fault, TableState } from './state.ts';

/**
 * What a fault keeps from being done, whoever told of it. `table`: no round is opened and one on the table stands still ·
 * seats: their bettors lay nothing more; what lies stands and is played to its end, and their credits stay payable.
 */
export type Stops = 'table' | readonly number[];

/** The fault for which no round may be played now; a fault of the shoe has its own rules. */
export const stopOf = ({ faults }: TableState): Fault | null =>
  faults.length === 0 ? null : (faults.find(({ stops }) => stops === 'table') ?? null);

export const isSeatLocked = ({ faults }: TableState, seat: number): boolean =>
  faults.some(({ stops }) => stops !== undefined && stops !== 'table' && stops.includes(seat));
