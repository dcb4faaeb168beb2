import type { Fault, TableState } from './state.ts';

/** The fault for which no round may be played now; a fault of the shoe has its own rules. */
export const stopOf = ({ faults }: TableState): Fault | null =>
  faults.find(({ stops }) => stops === 'table' || stops === 'everything') ?? null;

/** No further round may be opened. */
export const areRoundsStopped = (state: TableState): boolean =>
  stopOf(state) !== null || state.faults.some(({ stops }) => stops === 'rounds');

/** NZ04 §1.18.3 (h): while a door stands open no money goes out. */
export const areCashOutsStopped = ({ faults }: TableState): boolean =>
  faults.some(({ stops }) => stops === 'cash-outs' || stops === 'everything');

export const isSeatLocked = ({ faults }: TableState, seat: number): boolean =>
  faults.some(({ stops }) => typeof stops === 'object' && stops.includes(seat));
