/**
 * Every fault of an acceptor or a shoe: what it does to the table and who ends it. `code`: the event of docs/events.md.
 *
 * N notice: play goes on · M money in is off at this acceptor, play goes on · P pause before the next card, no new round ·
 * H the round is held · L the acceptor is locked and the staff is called. A fault of a shoe in a round holds it, at
 * whatever level it stands between rounds.
 */
import type { PersonRole } from '../engine/table/inputs.ts';

export type FaultLevel = 'N' | 'M' | 'P' | 'H' | 'L';

export interface FaultRow {
  readonly device: 'bill-acceptor' | 'card-shoe';
  readonly code: number;
  readonly level: FaultLevel;
  /**
   * `cause`: over when its cause is · `new-shoe`: only cards made ready anew end it (art. 2.2.2) · else the persons who
   * must look at it once its cause is gone, one of the roles each, all different.
   */
  readonly ends: 'cause' | 'new-shoe' | readonly (readonly PersonRole[])[];
  /** What the player reads at his seat; null = nothing, or the sentence of the hold that it causes. */
  readonly player: PlayerSentence | null;
}

export type PlayerSentence = 'no-notes' | 'note-stuck' | 'one-note' | 'staff';

const ATTENDANT: readonly PersonRole[] = ['attendant', 'supervisor'];
const SUPERVISOR: readonly PersonRole[] = ['supervisor'];
const TECHNICIAN: readonly PersonRole[] = ['technician'];

const acceptor = (
  code: number,
  level: FaultLevel,
  ends: FaultRow['ends'],
  player: PlayerSentence | null,
): FaultRow => ({ device: 'bill-acceptor', code, level, ends, player });
const shoe = (code: number, level: FaultLevel, ends: FaultRow['ends']): FaultRow => ({
  device: 'card-shoe',
  code,
  level,
  ends,
  player: null,
});

export const FAULTS = {
  'acceptor-offline': acceptor(311, 'M', 'cause', 'no-notes'),
  'acceptor-jammed': acceptor(306, 'M', 'cause', 'note-stuck'),
  'stacker-jammed': acceptor(306, 'M', [TECHNICIAN], 'note-stuck'),
  'cash-box-near-full': acceptor(307, 'N', 'cause', null),
  'cash-box-full': acceptor(308, 'M', 'cause', 'no-notes'),
  'cash-box-removed': acceptor(209, 'M', 'cause', 'no-notes'),
  'acceptor-paused': acceptor(316, 'N', 'cause', 'one-note'),
  'acceptor-cheated': acceptor(310, 'L', [ATTENDANT, SUPERVISOR], 'staff'),
  'acceptor-rejects': acceptor(315, 'M', [ATTENDANT], 'staff'),
  'acceptor-failed': acceptor(309, 'M', [TECHNICIAN], 'no-notes'),
  'acceptor-sequence': acceptor(318, 'M', [ATTENDANT], 'staff'),
  'acceptor-changed': acceptor(320, 'M', [TECHNICIAN, SUPERVISOR], 'no-notes'),
  'note-in-doubt': acceptor(313, 'M', 'cause', 'staff'),
  'shoe-offline': shoe(401, 'H', 'cause'),
  'shoe-misread': shoe(405, 'H', 'cause'),
  'shoe-double-feed': shoe(409, 'H', 'cause'),
  'shoe-jam': shoe(410, 'P', 'cause'),
  'shoe-no-feed': shoe(410, 'P', 'cause'),
  'shoe-reverse': shoe(412, 'H', 'cause'),
  'shoe-cover-open': shoe(213, 'P', 'cause'),
  'shoe-restarted': shoe(401, 'H', 'cause'),
  'shoe-crc': shoe(411, 'H', 'cause'),
  'shoe-error': shoe(410, 'H', 'cause'),
  'shoe-gap': shoe(411, 'H', 'new-shoe'),
  'shoe-empty': shoe(416, 'H', 'new-shoe'),
  'shoe-swapped': shoe(419, 'H', 'new-shoe'),
  'shoe-not-authentic': shoe(419, 'H', 'new-shoe'),
} as const satisfies Record<string, FaultRow>;

export type FaultId = keyof typeof FAULTS;
/** Null for what is no fault of a device: the books, or a fault of an earlier version. */
export const faultRow = (fault: string): FaultRow | null =>
  Object.hasOwn(FAULTS, fault) ? FAULTS[fault as FaultId] : null;

/** Notes are refused at an acceptor with such a fault. */
export const stopsNotes = (fault: string): boolean => {
  const level = faultRow(fault)?.level;
  return level === 'M' || level === 'L';
};

/** Who must look at it; empty = it ends by itself. */
export const personsFor = (fault: string): readonly (readonly PersonRole[])[] => {
  const ends = faultRow(fault)?.ends ?? 'cause';
  return typeof ends === 'string' ? [] : ends;
};
