import { isSame } from '../core/same.ts';
import { centreOrders } from './centre-orders.ts';
import type { Draft } from './draft.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import type { TableState } from './state.ts';

/**
 * Orders already in force change nothing. What lies on the table and what a player may take home is
 * not theirs to touch.
 */
export function obeyCentre(draft: Draft, { lock, acceptorsOff, notes }: InputOf<'obey-centre'>): null {
  const { state, atMs } = draft;
  const before = centreOrders(state);
  if (lock !== before.lock)
    emit(
      draft,
      lock === null ? { type: 'centre-unlocked', atMs } : { type: 'centre-locked', atMs, reason: lock },
    );
  if (!isSame({ acceptorsOff, notes }, { acceptorsOff: before.acceptorsOff, notes: before.notes }))
    emit(draft, { type: 'notes-limited', atMs, acceptorsOff, notes });
  return null;
}

export const isOffByCentre = (state: TableState, acceptor: number): boolean => {
  const { acceptorsOff } = centreOrders(state);
  return acceptorsOff.includes(null) || acceptorsOff.includes(acceptor);
};

/** Whether the centre lets this acceptor take a note of this value. */
export function isNoteOpen(state: TableState, acceptor: number, valueMinor: number): boolean {
  if (isOffByCentre(state, acceptor)) return false;
  const { notes } = centreOrders(state);
  const line = notes.find((own) => own.acceptor === acceptor) ?? notes.find((all) => all.acceptor === null);
  return line === undefined || line.valuesMinor.includes(valueMinor);
}
