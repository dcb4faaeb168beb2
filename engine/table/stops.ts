import type { Fault, TableState } from './state.ts';

/**
 * What a fault keeps from being done, whoever told of it. `table`: no round is opened and one on the table stands still ·
 * `rounds`: no round is opened, one on the table is played to its end and paid ·
 * seats: their bettors lay nothing more; what lies stands and is played to its end, and their credits stay payable.
 */
export type Stops = 'table' | 'rounds' | readonly number[];

/** The fault for which no round may be played now; a fault of the shoe has its own rules. */
export const stopOf = ({ faults }: TableState): Fault | null =>
  faults.length === 0 ? null : (faults.find(({ stops }) => stops === 'table') ?? null);

/** No further round may be opened. */
export const areRoundsStopped = ({ faults }: TableState): boolean =>
  faults.some(({ stops }) => stops === 'table' || stops === 'rounds');

export const isSeatLocked = ({ faults }: TableState, seat: number): boolean =>
  faults.some(({ stops }) => typeof stops === 'object' && stops.includes(seat));
