import { type Rejection, reject } from '../core/result.ts';
import type { Person, PersonRole } from './inputs.ts';

/**
 * Who may put their name to money that no device moves, or to what is handed over, and who is the
 * second where one is needed.
 */
export const DUTIES = {
  'confirm-hand-pay': { first: ['attendant', 'supervisor'], second: ['attendant', 'supervisor'] },
  'resolve-held-note': { first: ['attendant', 'supervisor'], second: ['attendant', 'supervisor'] },
  'adjust-credit': { first: ['attendant', 'supervisor'], second: ['supervisor'] },
  'hand-over-shift': { first: ['attendant', 'supervisor'], second: ['attendant', 'supervisor'] },
} as const satisfies Record<string, { first: readonly PersonRole[]; second: readonly PersonRole[] }>;

/** Who may ask whether somebody is on the list of exclusions. */
export const ASKERS: readonly PersonRole[] = ['attendant', 'supervisor'];

/** Who looks after acceptors and their cash boxes. */
export const BOX_KEEPERS: readonly PersonRole[] = ['attendant', 'supervisor'];

/** Who may do the rest by PIN, whoever does it as a rule first. */
export const DEALERS: readonly PersonRole[] = ['dealer', 'supervisor'];
export const SUPERVISORS: readonly PersonRole[] = ['supervisor'];
/** r.51: who may open a jammed shuffler, the one after the other. */
export const OPENERS: readonly PersonRole[] = ['supervisor', 'technician'];
/** Who may make another table of this one, or hold a drill. */
export const SWITCHERS: readonly PersonRole[] = ['technician', 'supervisor'];
/** Of the maker's people, whom the house admits for a time: they look, and touch no money. */
export const MAKER: readonly PersonRole[] = ['manufacturer'];
export const SERVICE: readonly PersonRole[] = ['technician', 'supervisor', 'attendant', 'auditor', ...MAKER];

/**
 * Two persons are two different ones, in the roles of the duty; a second one who is not needed must
 * be right too.
 */
export function refusePersons(
  duty: keyof typeof DUTIES,
  person: Person,
  second: Person | null,
  needsTwo: boolean,
): Rejection | null {
  const first: readonly PersonRole[] = DUTIES[duty].first;
  const other: readonly PersonRole[] = DUTIES[duty].second;
  if (!first.includes(person.role)) return reject('person', [], first.join(' or '));
  if (second === null) return needsTwo ? reject('person', [], 'a second person must confirm') : null;
  if (second.id === person.id) return reject('person', [], 'two different persons');
  return other.includes(second.role) ? null : reject('person', [], `the second: ${other.join(' or ')}`);
}

/** Of a round whose payment waits to be read a second time. */
export const REPAIRERS: readonly PersonRole[] = ['technician', 'supervisor'];
