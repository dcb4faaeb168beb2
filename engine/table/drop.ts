import { type Rejection, reject } from '../core/result.ts';
import { type Draft, profileOf } from './draft.ts';
import { BOX_KEEPERS } from './duties.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { acceptorCount } from './profile.ts';
import type { TableState } from './state.ts';

/**
 * The exchange of cash boxes by announcement. What is taken out then is counted and signed as ever,
 * and is no fault; what is taken out unannounced is one.
 */

/** An announced box that nobody has taken out for so long stays where it is. */
export const DROP_WITHIN_MS = 15 * 60_000;

const acceptorsOf = (state: TableState): number[] =>
  Array.from({ length: acceptorCount(profileOf(state)) }, (_, i) => i + 1);

/** Where the box of an acceptor is in the drop that stands; null = it has no part in one. */
export function boxOf({ drop }: TableState, acceptor: number): 'due' | 'out' | 'exchanged' | null {
  if (drop === undefined || !drop.acceptors.includes(acceptor)) return null;
  if (drop.out.includes(acceptor)) return 'out';
  return drop.exchanged.includes(acceptor) ? 'exchanged' : 'due';
}

/**
 * When a drop that nobody has begun, or gone on with, is over; null = a box is out, or none stands.
 */
export const dropEndsMs = ({ drop }: TableState): number | null =>
  drop === undefined || drop.out.length > 0 ? null : drop.movedAtMs + DROP_WITHIN_MS;

export function announceDrop(draft: Draft, input: InputOf<'announce-drop'>): Rejection | null {
  const { state, atMs } = draft;
  const { person } = input;
  if (!BOX_KEEPERS.includes(person.role)) return reject('person', [], BOX_KEEPERS.join(' or '));
  if (state.drop) return reject('duplicate', [], 'a drop stands already');
  const known = acceptorsOf(state);
  const acceptors = [...new Set(input.acceptors ?? known)].toSorted((a, b) => a - b);
  if (acceptors.length === 0) return reject('malformed', [], 'acceptors: none is named');
  const stranger = acceptors.find((acceptor) => !known.includes(acceptor));
  if (stranger !== undefined) return reject('malformed', [], `acceptors: there is no acceptor ${stranger}`);
  const away = acceptors.find((acceptor) =>
    state.faults.some(
      (known) => known.device === `acceptor-${acceptor}` && known.fault === 'cash-box-removed',
    ),
  );
  if (away !== undefined)
    return reject('not-allowed', [], `the box of acceptor ${away} is out already, unannounced`);
  emit(draft, { type: 'drop-announced', atMs, boxes: acceptors, person });
  return null;
}

/** The unit says that its box is out; a box that is not announced is a fault, and none of this. */
export function takeBox(draft: Draft, { acceptor }: InputOf<'take-box'>): Rejection | null {
  if (boxOf(draft.state, acceptor) !== 'due') return reject('not-due', [], 'no box is due here');
  emit(draft, { type: 'box-taken', atMs: draft.atMs, acceptor });
  return null;
}

/** With the last of them the drop is over. */
export function putBoxBack(draft: Draft, { acceptor }: InputOf<'put-box-back'>): Rejection | null {
  const { state, atMs } = draft;
  if (boxOf(state, acceptor) !== 'out') return reject('not-due', [], 'no box is out here');
  emit(draft, { type: 'box-put-back', atMs, acceptor });
  if (state.drop?.acceptors.every((each) => boxOf(state, each) === 'exchanged'))
    emit(draft, { type: 'drop-ended', atMs, why: 'done', person: null, skipped: [] });
  return null;
}

/** By a person, or by its time (`person` null); never while a box is out. */
export function endDrop(draft: Draft, { person }: InputOf<'end-drop'>): Rejection | null {
  const { state, atMs } = draft;
  if (person !== null && !BOX_KEEPERS.includes(person.role))
    return reject('person', [], BOX_KEEPERS.join(' or '));
  const { drop } = state;
  if (!drop) return reject('nothing-to-do', [], 'no drop stands');
  if (drop.out.length > 0)
    return reject('not-allowed', [], `the box of acceptor ${drop.out.join(', ')} is out`);
  if (person === null && atMs < dropEndsMs(state)!) return reject('not-due', [], 'its time is not over');
  const skipped = drop.acceptors.filter((acceptor) => !drop.exchanged.includes(acceptor));
  emit(draft, { type: 'drop-ended', atMs, why: person === null ? 'time' : 'person', person, skipped });
  return null;
}
