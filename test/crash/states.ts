import type { TableState } from '../../engine/table/state.ts';

/**
 * Where a table can stand when it dies; several hold at once. `starting`: no life of the host has
 * come to a picture yet.
 */
export const STATES = [
  'starting',
  'closed',
  'shoe being made ready',
  'idle',
  'betting open',
  'cards out',
  'offers',
  'turns',
  "bank's turn",
  'settling',
  'results',
  'hold',
  'service',
  'hand-pay pending',
  'note escrowed',
  'note to be stacked',
  'note stacked',
  'held note',
  'dispute open',
  'fault standing',
] as const;
export type State = (typeof STATES)[number];

const OF_PHASE: Readonly<Record<TableState['phase'], State>> = {
  closed: 'closed',
  shoe: 'shoe being made ready',
  idle: 'idle',
  betting: 'betting open',
  dealing: 'cards out',
  offers: 'offers',
  turns: 'turns',
  bank: "bank's turn",
  settled: 'results',
};

export function statesOf(state: TableState): State[] {
  const found: State[] = [OF_PHASE[state.phase]];
  const add = (holds: boolean, name: State): void => {
    if (holds) found.push(name);
  };
  add(state.hold !== null && state.hold.code !== 'recovery', 'hold');
  add(state.service !== null, 'service');
  add(
    state.seats.some(({ cashOut }) => cashOut !== null),
    'hand-pay pending',
  );
  add(state.notes.length > 0, 'note to be stacked');
  add(
    state.creditedNotes.some(({ closed }) => !closed),
    'note stacked',
  );
  add(state.heldNotes.length > 0, 'held note');
  add(state.complaints.length > 0, 'dispute open');
  add(state.faults.length > 0, 'fault standing');
  return found;
}

/** What a commit of such entries is in the middle of. */
export function statesIn(kinds: readonly string[]): State[] {
  return [
    ...(kinds.includes('round-settled') ? (['settling'] as const) : []),
    ...(kinds.includes('note-escrowed') ? (['note escrowed'] as const) : []),
  ];
}
