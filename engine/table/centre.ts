import { type Rejection, reject } from '../core/result.ts';
import { isSame } from '../core/same.ts';
import { centreOrders } from './centre-orders.ts';
import type { Draft } from './draft.ts';
import { SWITCHERS } from './duties.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import type { TableState } from './state.ts';

/**
 * Orders already in force change nothing. What lies on the table and what a player may take home is
 * not theirs to touch.
 */
export function obeyCentre(draft: Draft, input: InputOf<'obey-centre'>): null {
  const { lock, acceptorsOff, notes } = input;
  const { state, atMs } = draft;
  const before = centreOrders(state);
  if (lock !== before.lock)
    emit(
      draft,
      lock === null ? { type: 'centre-unlocked', atMs } : { type: 'centre-locked', atMs, reason: lock },
    );
  if (!isSame({ acceptorsOff, notes }, { acceptorsOff: before.acceptorsOff, notes: before.notes }))
    emit(draft, { type: 'notes-limited', atMs, acceptorsOff, notes });
  // What a person at the table has ended stays ended, however often it is obeyed.
  const isOver = (input.maintenance?.no ?? 0) <= (state.centre?.endedNo ?? 0);
  const maintenance = isOver ? null : input.maintenance;
  if (!isSame(maintenance, before.maintenance))
    emit(
      draft,
      maintenance === null
        ? { type: 'maintenance-ended', atMs, no: before.maintenance!.no, person: null }
        : { type: 'maintenance-begun', atMs, ...maintenance },
    );
  return null;
}

/** By a technician or supervisor who has seen that the table is fit to play. */
export function endMaintenance(draft: Draft, { person }: InputOf<'end-maintenance'>): Rejection | null {
  const { maintenance } = centreOrders(draft.state);
  if (maintenance === null) return reject('nothing-to-do', [], 'the centre has ordered no maintenance');
  if (!SWITCHERS.includes(person.role)) return reject('person', [], SWITCHERS.join(' or '));
  emit(draft, { type: 'maintenance-ended', atMs: draft.atMs, no: maintenance.no, person });
  return null;
}

export const isOffByCentre = (state: TableState, acceptor: number): boolean => {
  const { acceptorsOff, maintenance } = centreOrders(state);
  // Who doubles in the round in play may still put a note in for it.
  if (maintenance !== null && state.round === null) return true;
  return acceptorsOff.includes(null) || acceptorsOff.includes(acceptor);
};

/** Whether the centre lets this acceptor take a note of this value. */
export function isNoteOpen(state: TableState, acceptor: number, valueMinor: number): boolean {
  if (isOffByCentre(state, acceptor)) return false;
  const { notes } = centreOrders(state);
  const line = notes.find((own) => own.acceptor === acceptor) ?? notes.find((all) => all.acceptor === null);
  return line === undefined || line.valuesMinor.includes(valueMinor);
}
