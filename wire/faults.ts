/**
 * Every fault of a device, the ledger's files or the machine: what it does to the table and who
 * ends it. `code`: the event of docs/events.md.
 *
 * N notice: play goes on · M money in is off at this acceptor, play goes on · P pause before the
 * next card, no new round · H the round is held · L the acceptor and its seat are locked and the
 * staff is called · X nothing is played and no note taken. A fault of a shoe, of the cabinet, of
 * the power or of the machine that pauses holds a round on the table at once, but not one of
 * after-round.ts.
 */
import type { PersonRole } from '../engine/table/inputs.ts';
import type { EventCode, EventNo, PairedNo } from './event-catalogue.ts';

export type FaultLevel = 'N' | 'M' | 'P' | 'H' | 'L' | 'X';

export interface FaultRow {
  readonly device:
    | 'bill-acceptor'
    | 'card-shoe'
    | 'receipt-printer'
    | 'cabinet-board'
    | 'power-supply'
    | 'ledger'
    | 'machine';
  readonly code: EventNo;
  /** Its end where that has a number of its own; absent = `code` with a C. */
  readonly over?: EventNo;
  readonly level: FaultLevel;
  /**
   * `cause`: over when its cause is · `new-shoe`: only cards made ready again end it (art. 2.2.2) ·
   * else the persons who must look at it once its cause is gone, one of the roles each, all
   * different.
   */
  readonly ends: 'cause' | 'new-shoe' | readonly (readonly PersonRole[])[];
  /**
   * What the player reads at their seat; null = nothing, or the sentence of the hold that it
   * causes.
   */
  readonly player: PlayerSentence | null;
  /** For docs/events.md. */
  readonly when: string;
}

export type PlayerSentence = 'no-notes' | 'note-stuck' | 'one-note' | 'staff';

const ATTENDANT: readonly PersonRole[] = ['attendant', 'supervisor'];
const SUPERVISOR: readonly PersonRole[] = ['supervisor'];
const TECHNICIAN: readonly PersonRole[] = ['technician'];
const AUDITOR: readonly PersonRole[] = ['auditor'];

const acceptor = (
  code: PairedNo,
  level: FaultLevel,
  ends: FaultRow['ends'],
  player: PlayerSentence | null,
  when: string,
): FaultRow & { readonly device: 'bill-acceptor' } => ({
  device: 'bill-acceptor',
  code,
  level,
  ends,
  player,
  when,
});
const shoe = (
  code: PairedNo,
  level: FaultLevel,
  ends: FaultRow['ends'],
  when: string,
): FaultRow & { readonly device: 'card-shoe' } => ({
  device: 'card-shoe',
  code,
  level,
  ends,
  player: null,
  when,
});

/** Paper decides nothing: whatever a printer does, play goes on. */
const printer = (code: PairedNo, when: string): FaultRow => ({
  device: 'receipt-printer',
  code,
  level: 'N',
  ends: 'cause',
  player: null,
  when,
});

const ledger = (code: PairedNo, level: FaultLevel, ends: FaultRow['ends'], when: string): FaultRow => ({
  device: 'ledger',
  code,
  level,
  ends,
  player: null,
  when,
});
const machine = (
  code: PairedNo,
  level: FaultLevel,
  ends: FaultRow['ends'],
  player: PlayerSentence | null,
  when: string,
): FaultRow & { readonly device: 'machine' } => ({ device: 'machine', code, level, ends, player, when });

const cabinet = (
  code: PairedNo,
  level: FaultLevel,
  ends: FaultRow['ends'],
  player: PlayerSentence | null,
  when: string,
): FaultRow & { readonly device: 'cabinet-board' } => ({
  device: 'cabinet-board',
  code,
  level,
  ends,
  player,
  when,
});
/** Open and closed are two events. */
const door = (
  [code, over]: readonly [EventNo, EventNo],
  level: FaultLevel,
  ends: FaultRow['ends'],
  player: PlayerSentence | null,
  when: string,
): FaultRow & { readonly device: 'cabinet-board' } => ({
  device: 'cabinet-board',
  ...{ code, over, level, ends, player, when },
});
const power = (
  code: PairedNo,
  level: FaultLevel,
  player: PlayerSentence | null,
  when: string,
): FaultRow & { readonly device: 'power-supply' } => ({
  device: 'power-supply',
  ...{ code, level, ends: 'cause', player, when },
});

// biome-ignore format: a list is read by its rows
export const FAULTS = {
  'acceptor-offline': acceptor(311, 'M', 'cause', 'no-notes', 'nothing answered for 3 s, or nothing since 10 s after the start'),
  'acceptor-jammed': acceptor(306, 'M', 'cause', 'note-stuck', 'state `jammed`; a note in the path keeps its record open, see the notes below'),
  'stacker-jammed': acceptor(306, 'M', [TECHNICIAN], 'note-stuck', 'state `jammed` with the detail `stacker`'),
  'cash-box-near-full': acceptor(307, 'N', 'cause', null, '540 notes since the box was last taken out'),
  'cash-box-full': acceptor(308, 'M', 'cause', 'no-notes', 'state `full`'),
  'cash-box-removed': acceptor(209, 'M', 'cause', 'no-notes', 'state `cassette-removed`; the count of notes starts again when it ends'),
  'acceptor-paused': acceptor(316, 'N', 'cause', 'one-note', 'state `paused`'),
  'acceptor-cheated': acceptor(310, 'L', [ATTENDANT, SUPERVISOR], 'staff', 'state `cheated`'),
  'acceptor-rejects': acceptor(315, 'M', [ATTENDANT], 'staff', '10 notes refused by the unit within 5 minutes; what our own gate refused does not count'),
  'acceptor-failed': acceptor(309, 'M', [TECHNICIAN], 'no-notes', 'state `failed`; the event `state` of the recording says what'),
  'acceptor-sequence': acceptor(318, 'M', [ATTENDANT], 'staff', 'the unit says a note is stacked and gave no credit signal: nothing is credited, the note is held'),
  'acceptor-changed': acceptor(320, 'M', [TECHNICIAN, SUPERVISOR], 'no-notes', 'firmware, boot, serial number or table of notes differ from the last unit accepted at this place (entry `unit-accepted`)'),
  'notes-unconfirmed': acceptor(323, 'M', [TECHNICIAN], 'no-notes', 'nobody has confirmed the table of notes of this software with the notes in hand, or somebody is about to do it again (entry `notes-confirmed`)'),
  'note-in-doubt': acceptor(313, 'M', 'cause', 'staff', 'a held note of this acceptor is open; its case is closed by an attendant'),
  'shoe-offline': shoe(401, 'H', 'cause', 'link lost'),
  'shoe-misread': shoe(405, 'H', 'cause', 'event of the shoe'),
  'shoe-double-feed': shoe(409, 'H', 'cause', 'event of the shoe; both cards are confirmed by the dealer'),
  'shoe-jam': shoe(410, 'P', 'cause', 'event or status of the shoe'),
  'shoe-no-feed': shoe(410, 'P', 'cause', 'a card has been due for 90 s and none came'),
  'shoe-reverse': shoe(412, 'H', 'cause', 'event of the shoe'),
  'shoe-cover-open': shoe(213, 'P', 'cause', 'event or status of the shoe'),
  'shoe-restarted': shoe(401, 'H', 'cause', 'its boot counter has changed'),
  'shoe-crc': shoe(411, 'H', 'cause', 'two bad frames one after the other'),
  'shoe-error': shoe(410, 'H', 'cause', 'an error of the shoe that has no name here'),
  'shoe-gap': shoe(411, 'H', 'new-shoe', 'a number of its events is missing'),
  'shoe-empty': shoe(416, 'H', 'new-shoe', 'event or status of the shoe'),
  'shoe-swapped': shoe(419, 'H', 'new-shoe', 'another serial number than the one that was loaded'),
  'shoe-not-authentic': shoe(419, 'H', 'new-shoe', 'no valid proof of the pairing key'),
  'shoe-changed': shoe(419, 'H', [TECHNICIAN, SUPERVISOR], 'model or firmware differ from those accepted of the shoe with this serial number (entry `unit-accepted`)'),
  'printer-offline': printer(611, 'nothing answered for 3 s, or nothing since 10 s after the start; slips wait'),
  'printer-paper-out': printer(612, 'status of the printer; a slip waits where it is'),
  'printer-paper-low': printer(613, 'status of the printer'),
  'printer-cover-open': printer(614, 'status of the printer; a slip waits where it is'),
  'printer-cutter': printer(615, 'status of the printer; a slip that is under way counts as not printed. Printing resumes once the cover has been opened and closed'),
  'printer-failed': printer(615, 'status of the printer: an error that only a person can mend; as `printer-cutter`'),
  'main-door-open': door([201, 202], 'X', 'cause', 'no-notes', 'the board says so, or has counted an opening since the terminal heard of it last: nothing is played, and no money goes in or out; siren for 10 s'),
  'drop-door-open': door([203, 204], 'N', 'cause', null, 'likewise: play goes on; siren for 10 s'),
  'logic-door-open': door([205, 206], 'X', [TECHNICIAN, SUPERVISOR], 'no-notes', 'likewise, as `main-door-open`'),
  'acceptor-door-open': door([207, 208], 'M', 'cause', 'no-notes', 'likewise: play goes on, and no money goes in or out'),
  'cabinet-door-open': door([211, 212], 'M', 'cause', 'no-notes', 'likewise, as `acceptor-door-open`; also where it was opened without power'),
  'logic-door-opened-off': cabinet(215, 'X', [TECHNICIAN, SUPERVISOR], 'no-notes', 'the board has counted an opening without power, on its battery; as `logic-door-open`'),
  'main-door-opened-off': cabinet(216, 'X', [SUPERVISOR], 'no-notes', 'likewise, as `main-door-open`'),
  'acceptor-door-opened-off': cabinet(217, 'M', [ATTENDANT], 'no-notes', 'likewise, as `acceptor-door-open`'),
  'drop-door-opened-off': cabinet(218, 'N', [ATTENDANT], null, 'likewise, as `drop-door-open`'),
  'cabinet-offline': cabinet(220, 'P', 'cause', 'no-notes', 'nothing heard of the board for 5 s, or nothing since 10 s after the start: nobody knows whether a door is open. No further round; one on the table is played to its end and paid'),
  'cabinet-battery-low': cabinet(221, 'N', 'cause', null, 'the battery of the board is under 2.7 V: what is opened without power is soon not counted any more'),
  'cabinet-changed': cabinet(222, 'P', [TECHNICIAN, SUPERVISOR], 'no-notes', 'another serial number than that of the board before: its counters say nothing of this cabinet. As `cabinet-offline`'),
  'ups-offline': power(109, 'N', null, 'upsd or its UPS was not heard for 5 s, or its data are old; or nothing since 10 s after the start'),
  'ups-on-battery': power(107, 'P', 'no-notes', 'the UPS says `OB`: no further round; one on the table is played to its end and paid'),
  'ups-battery-low': power(110, 'X', 'no-notes', 'the UPS says `OB LB` or `FSD`: the program ends in order. A start that finds it so stands still until the mains are back'),
  'ups-battery-old': power(111, 'N', null, 'the UPS says `RB`'),
  'ledger-repaired': ledger(902, 'N', [TECHNICIAN], 'the ledger was repaired from its copy by a start, or the copy rebuilt from the ledger; entry `ledger-repaired`'),
  'ledger-damaged': ledger(903, 'P', 'cause', 'the check of a running terminal has found damage: the program ends between two rounds and the next start repairs it'),
  'ledger-copy-failed': ledger(906, 'N', 'cause', 'the copy cannot be written, or is more than 2000 entries behind'),
  'books-differ': machine(901, 'X', [TECHNICIAN, AUDITOR], 'no-notes', 'the sums of the table and the accounts of the ledger differ; its cause is gone when a restart finds them in agreement'),
  'meter-jump': machine(321, 'P', [SUPERVISOR], 'no-notes', 'within one round more has come in by notes than `noteLimits.roundMinor` of the profile, or than the credits of all seats may be: no further round; one on the table is played to its end and paid'),
  'code-not-authentic': machine(904, 'X', [TECHNICIAN, SUPERVISOR], 'no-notes', 'the program is none of `approvedSoftware` in the terminal file, or its files have changed since the start; its cause is gone after a start with an approved program'),
  'display-lost': machine(908, 'P', 'cause', null, 'the page of the big table has been gone for 10 s'),
  'seat-display-lost': machine(908, 'L', [ATTENDANT], null, 'the page of a seat has been gone for 10 s'),
  'dealer-display-lost': machine(908, 'N', 'cause', null, 'the page of the dealer has been gone for 10 s'),
  'sign-display-lost': machine(908, 'N', 'cause', null, 'the page of the sign, which the terminal file names, has been gone for 10 s'),
  'excluded-person': machine(953, 'L', 'cause', 'staff', 'an attendant found the person at this seat on the exclusion list; ends once they have been paid and have left'),
  'window-restarts': machine(907, 'P', [[...ATTENDANT, ...TECHNICIAN]], null, 'the window was started again three times within ten minutes'),
  'clock-behind': machine(108, 'N', 'cause', null, 'the clock shows an earlier time than the newest entry: time stands still in the ledger until it has caught up'),
  'clock-off': machine(108, 'N', 'cause', null, 'the centre has asked for the clock, and it differs from its own by more than 2 s'),
  'storage-low': machine(906, 'N', 'cause', null, '80 % of the budget of ledger and copy is used, or of it no more than a fifth is free on the disk'),
  'storage-short': machine(906, 'M', 'cause', 'no-notes', '90 % likewise'),
  'storage-full': machine(906, 'P', 'cause', 'no-notes', '95 % likewise, or the disk refuses a write, or has no room for the reserve: no further round; one on the table is played to its end and paid'),
  'storage-slow': machine(906, 'P', 'cause', 'no-notes', 'three of the last ten syncs took longer than `slowSyncMs`: no further round; one on the table is played to its end and paid'),
  'storage-refuses': machine(906, 'X', 'cause', 'no-notes', 'the disk refuses every write already in the start: nothing can be stored, this fault neither; displays show the table as it stood'),
  'reader-gone': machine(907, 'P', 'cause', null, 'the second reader has ended, hangs or answers in no form, and the terminal file says `hold`: a round that is to be paid waits, and none is opened'),
  'reader-missed': machine(907, 'N', 'cause', null, 'likewise, and the terminal file says `go-on`: rounds are paid unread, each with an entry `round-unread`'),
  'link-down': machine(701, 'N', 'cause', null, 'no answer of the centre for 5 s'),
  'link-overdue': machine(701, 'P', 'cause', 'no-notes', 'the link has been down for longer than `offlineMs` of the profile: no further round; one on the table is played to its end and paid'),
  'link-fork': machine(705, 'X', [SUPERVISOR, TECHNICIAN], 'no-notes', 'the centre, or the witness outside of the data folder, proves another entry than this ledger has: nothing is played, taken or paid, and nothing written, this fault neither; ended by `banca restore` with the signed word of the centre'),
  'ledger-old': machine(705, 'X', [SUPERVISOR, TECHNICIAN], 'no-notes', 'this ledger ends before an entry that the centre or the witness proves: an older image of its disk; as `link-fork`'),
  'witness-gone': machine(705, 'X', [SUPERVISOR, TECHNICIAN], 'no-notes', 'this ledger names a witness in its newest start, and that is missing, unreadable or another one: nobody can tell whether this is an older image of its disk; as `link-fork`'),
  'witness-failed': machine(906, 'N', 'cause', null, 'the witness outside of the data folder cannot be written: it is tried again every 5 s, and lags meanwhile'),
  'ledger-gone': machine(903, 'X', [SUPERVISOR, TECHNICIAN], 'no-notes', 'a key and no ledger, or another key than the ledger of this terminal was begun with: no new one is begun; as `link-fork`'),
} as const satisfies Record<string, FaultRow>;

export type FaultId = keyof typeof FAULTS;
/** Null for a fault of an earlier version. */
export const faultRow = (fault: string): FaultRow | null =>
  Object.hasOwn(FAULTS, fault) ? FAULTS[fault as FaultId] : null;

/** The events that a fault of this row is when it begins, and when it ends. */
export const codesOfFault = ({ code, over }: FaultRow): { begins: EventCode; ends: EventCode } => ({
  begins: `${code}`,
  // A row without an end of its own has a paired number, see the makers of rows above.
  ends: over === undefined ? `${code as PairedNo}C` : `${over}`,
});

/** Who must look at it; empty = it ends by itself. */
export const personsFor = (fault: string): readonly (readonly PersonRole[])[] => {
  const ends = faultRow(fault)?.ends ?? 'cause';
  return typeof ends === 'string' ? [] : ends;
};
