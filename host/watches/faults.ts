/** What a fault of the catalogue stops, and what a technician sees of one that stands. */

import { SUPERVISORS } from '../../engine/table/duties.ts';
import type { PersonRole, Stops } from '../../engine/table/inputs.ts';
import { isJamRegulated } from '../../engine/table/shuffler.ts';
import type { Fault, TableState } from '../../engine/table/state.ts';
import { AFTER_ROUND } from '../../wire/after-round.ts';
import { FAULTS, type FaultId, faultRow, personsFor } from '../../wire/faults.ts';
import type { DeviceFault } from '../../wire/pages.ts';
import { REPAIRS } from '../../wire/repairs.ts';

/**
 * Notes are refused at an acceptor with such a fault, or at all of them where the machine has it.
 */
export const stopsNotes = (fault: string): boolean => {
  if (AFTER_ROUND.has(fault)) return true;
  const level = faultRow(fault)?.level;
  return level === 'M' || level === 'L' || level === 'X';
};

/**
 * Who must look at it before it is over: those of its row, and the supervisor at a jam where the
 * house wants one at its shoe. A shuffler's has its own in r.51.
 */
export const personsAt = (state: TableState, fault: string): readonly (readonly PersonRole[])[] =>
  fault === 'shoe-jam' && state.profile?.supervisedShoe === true && !isJamRegulated(state)
    ? [SUPERVISORS]
    : personsFor(fault);

/** It is about the whole table, and not about one of its devices. */
const isOfTable = (fault: string): boolean => {
  const device = faultRow(fault)?.device;
  return device === 'machine' || device === 'cabinet-board' || device === 'power-supply';
};

/** It stops the notes of every acceptor. */
export const stopsAllNotes = ({ fault }: { readonly fault: string }): boolean =>
  isOfTable(fault) && faultRow(fault)?.level !== 'L' && stopsNotes(fault);

/**
 * What the engine is to stop for a fault that it knows nothing else about; `seats`: those it is
 * about.
 */
export const stopsOf = (fault: FaultId, seats: readonly number[]): { readonly stops?: Stops } => {
  const { device, level } = FAULTS[fault];
  if (level === 'L') return { stops: seats };
  if (AFTER_ROUND.has(fault)) return { stops: 'rounds' };
  // NZ04 §1.18.3: an open door, no money in or out.
  if (device === 'cabinet-board' && level === 'X') return { stops: 'everything' };
  if (device === 'cabinet-board' && level === 'M') return { stops: 'cash-outs' };
  return isOfTable(fault) && (level === 'P' || level === 'H' || level === 'X') ? { stops: 'table' } : {};
};

/** What a technician sees of a fault that stands. */
export function describeFault(
  state: TableState,
  { fault, place, sinceMs }: Fault,
  isCauseGone: boolean,
): DeviceFault {
  const row = faultRow(fault);
  const persons = personsAt(state, fault);
  const canBeEnded = persons.length > 0 && isCauseGone;
  const repair = row === null ? null : REPAIRS[fault as FaultId];
  return {
    fault,
    place,
    sinceMs,
    code: row?.code ?? null,
    level: row?.level ?? null,
    persons,
    canBeEnded,
    where: repair?.where ?? null,
    steps: repair?.steps ?? [],
  };
}
