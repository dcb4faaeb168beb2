import type { Fault, TableState } from './state.ts';

/** The fault for which no round may be played now; a fault of the shoe has its own rules. */
export const stopOf = ({ faults }: TableState): Fault | null =>
  faults.length === 0 ? null : (faults.find(({ stops }) => stops === 'table') ?? null);

/** No further round may be opened. */
export const areRoundsStopped = ({ faults }: TableState): boolean =>
  faults.some(({ stops }) => stops === 'table' || stops === 'rounds');

export const isSeatLocked = ({ faults }: TableState, seat: number): boolean =>
  faults.some(({ stops }) => typeof stops === 'object' && stops.includes(seat));
