/**
 * What the host answers to queries: pages of service mode, of the recall and of a seat. Each is
 * named in the row of its query.
 */
import type { MeterRow, Slice } from '../engine/accounting/meter-fold.ts';
import type { Card } from '../engine/core/cards.ts';
import type { Currency } from '../engine/core/money.ts';
import type { ProfileProblem, TableInUse } from '../engine/engine.ts';
import type { Language, Person, PersonRole } from '../engine/table/inputs.ts';
import type { RulebookId, TableProfile } from '../engine/table/profile.ts';
import type { ProfileChange } from '../engine/table/profile-changes.ts';
import type { SettlementLine } from '../engine/table/settlement.ts';
import type { Hold } from '../engine/table/steps.ts';
import type { CabinetStatus, Note, PowerStatus, UnitNote } from '../hardware/ports.ts';
import type { DisplayRole, Measures } from './display.ts';
import type { DrillGroup, DrillId, DrillOutcome, DrillStep } from './drills.ts';
import type { EventClass, EventCode } from './event-catalogue.ts';
import type { FaultId, FaultRow } from './faults.ts';
import type { SlipKind } from './fields.ts';
import type { Repair, RepairPlace, RepairStep } from './repairs.ts';
import type { BetView, DeviceView, TableView } from './view.ts';

/**
 * A fault that stands; `code` and `level` as in docs/events.md, null for one without a row there.
 */
export interface DeviceFault {
  readonly fault: string;
  readonly place: string;
  readonly sinceMs: number;
  readonly code: number | null;
  readonly level: 'N' | 'M' | 'P' | 'H' | 'L' | 'X' | null;
  /** Who must look at it, one of the roles each; empty = it ends by itself. */
  readonly persons: readonly (readonly PersonRole[])[];
  /** Its cause is gone and those persons may end it. */
  readonly canBeEnded: boolean;
  /** Where on the machine to look, and what to do there, one after the other: see repairs.ts. */
  readonly where: RepairPlace | null;
  readonly steps: readonly RepairStep[];
}

/** What a unit has said of a note in the hand of a technician. */
export interface TriedNote {
  readonly inHandMinor: number;
  readonly row: UnitNote | null;
  readonly says: 'agrees' | 'other-value' | 'other-currency' | 'unknown';
}

/** A unit's own table of notes, and which of its rows count. */
export interface NoteTablePage {
  /** `counts`: for what; null = such a note is given back. */
  readonly rows: readonly (UnitNote & { readonly counts: Note | null })[];
  /** Notes of the table in force, which can be tried. */
  readonly notesMinor: readonly number[];
  /** Who has signed, empty = the demonstration; null = nobody has. */
  readonly persons: readonly Person[] | null;
  /** Notes are being tried, and not signed yet. */
  readonly trial: { readonly inHandMinor: number | null; readonly last: TriedNote | null } | null;
}

/** Bytes of a line; `times`: this frame and the one after it came so often in turn. */
export interface FrameRow {
  readonly atMs: number;
  readonly direction: 'in' | 'out';
  readonly hex: string;
  readonly times: number;
  /**
   * What they say: keys of texts, and names that are the same in every language; empty = it is not
   * understood.
   */
  readonly says: readonly string[];
}

export interface SlipRow {
  readonly slip: SlipKind;
  readonly of: string;
  readonly atMs: number;
  /** `never`: nothing of it has gone to the printer. */
  readonly state: 'never' | 'waiting' | 'sent' | 'printed' | 'not-printed';
}

export interface CardTrial {
  readonly isTrying: boolean;
  /** False while cards are made ready for play. */
  readonly mayTry: boolean;
  /** What was read last; `card` null = nothing that the shoe knows. */
  readonly last: { readonly card: Card | null; readonly confidence: number } | null;
}
export interface DevicePage {
  readonly devices: readonly {
    readonly view: DeviceView;
    /** What more an acceptor says of its state: what failed, where it is jammed. */
    readonly detail: string | null;
    readonly identity: { readonly model: string; readonly serial: string; readonly firmware: string } | null;
    readonly faults: readonly DeviceFault[];
    /** Null where it has told none. */
    readonly notes: NoteTablePage | null;
    /** Of a shoe: cards that are fed to be tried; null = it is none. */
    readonly cards: CardTrial | null;
    /** Of a printer: what there is to be printed, newest first; null = it is none. */
    readonly slips: readonly SlipRow[] | null;
    /** Of an acceptor: notes in its cash box since that was last taken out; null = it is none. */
    readonly boxNotes: number | null;
    /** Of a cabinet board and a UPS; null = it says nothing, or is none. */
    readonly cabinet: CabinetStatus | null;
    readonly power: PowerStatus | null;
    readonly frames: readonly FrameRow[];
  }[];
  /** What is wrong with the machine itself; `device`: which part of it. */
  readonly machine: readonly (DeviceFault & { readonly device: string })[];
}
export interface DrillPage {
  readonly drills: readonly {
    readonly id: DrillId;
    readonly group: DrillGroup;
    readonly fault: FaultId | null;
    readonly hold: Hold['code'] | null;
    /** Guide and words of the fault, as at the real terminal; null = a hold alone tells it. */
    readonly real: (Pick<FaultRow, 'code' | 'level' | 'player'> & Repair) | null;
  }[];
  /** The one that is held, or was held last in this life. */
  readonly run: DrillRun | null;
}
/**
 * Why a stick takes no export: its name cannot be shown, something else is in its place, it is a
 * part of our own disk, it cannot be written.
 */
export type StickTrouble = 'name' | 'covered' | 'own-disk' | 'closed';
export interface Stick {
  /** As it may be shown; the very path where there is no trouble. */
  readonly path: string;
  readonly freeBytes: number;
  readonly trouble: StickTrouble | null;
}
export interface ExportPage {
  /** Sticks that are mounted, and the folder of exports on this machine. */
  readonly targets: readonly (Stick & { readonly isEnough: boolean })[];
  readonly needBytes: number;
  /** The one that is made, or was made last in this life. */
  readonly run: ExportRun | null;
}
export interface ExportRun {
  readonly dir: string;
  readonly person: string;
  readonly beganAtMs: number;
  /** What is being written, `verify` = checked; null = nothing yet. */
  readonly file: string | null;
  readonly no: number;
  readonly of: number;
  /** Null while it is made; then whether it holds, and why not. */
  readonly ok: boolean | null;
  readonly why: string | null;
  /** Who has stopped it; null = nobody. */
  readonly stoppedBy: string | null;
}
/** The change of the table that waits. */
/** What the house keeps of each bet under options that are thought of. */
export interface FiguresPage {
  readonly state: 'working' | 'done' | 'failed';
  /** Why there are none, in English. */
  readonly why: string | null;
  readonly bets: readonly {
    readonly bet: string;
    /** Of a unit staked; below nothing it favours the player. */
    readonly edge: string;
    /** The standard error of an estimate; null = enumerated. */
    readonly error: string | null;
    readonly favoursPlayer: boolean;
  }[];
  /** Bets of the table that have neither. */
  readonly notEnumerated: readonly string[];
}

/** The same of the table in force, for its players, with what it was reckoned by and for. */
export interface EdgesPage extends FiguresPage {
  readonly version: string;
  /** Of the profile, in hex. */
  readonly profileSha256: string;
}

export interface ChangePage {
  readonly plan: {
    readonly reason: string;
    readonly fromMs: number | null;
    readonly persons: readonly [string, string];
    readonly changes: readonly ProfileChange[];
    /** What keeps the table from changing at this moment. */
    readonly waitsFor: TableInUse | null;
  } | null;
}
export interface ChangeCheck {
  readonly changes: readonly ProfileChange[];
  readonly problems: readonly ProfileProblem[];
}
export interface DrillRun {
  readonly drill: DrillId;
  readonly person: string;
  readonly beganAtMs: number;
  readonly steps: readonly (DrillStep & { readonly atMs: number })[];
  /** Null while it is held. */
  readonly outcome: DrillOutcome | null;
}
export interface RecordingPage {
  /** The file, see docs/protocols/recording.md; null where it could not be written. */
  readonly path: string | null;
  /** A code of refusals, or what the disk said. */
  readonly why: string | null;
}
export interface MeterPage {
  readonly asOf: { readonly seq: number; readonly atMs: number };
  readonly from: { readonly seq: number; readonly atMs: number } | null;
  readonly by: Slice | null;
  /** Keys of the parts; '' = what falls to none of them. */
  readonly keys: readonly string[];
  /** As in docs/meters.md; `parts` in the order of `keys`. */
  readonly meters: readonly (MeterRow & { readonly parts: readonly number[] })[];
  /** Equations that do not hold. */
  readonly problems: readonly string[];
}
export interface EventPage {
  readonly events: readonly {
    readonly seq: number;
    readonly atMs: number;
    readonly kind: string;
    readonly roundId: string | null;
    /** See docs/events.md; none for a kind of entry that is no event of the list. */
    readonly codes: readonly { readonly code: EventCode; readonly class: EventClass }[];
    readonly body: unknown;
  }[];
  /** `beforeSeq` of the next page; null = nothing is further back. */
  readonly olderSeq: number | null;
}
/** What was paid out by hand, newest first. */
export interface PayoutPage {
  readonly payouts: readonly {
    readonly seq: number;
    readonly atMs: number;
    readonly seat: number;
    /** Number of its receipt; null where an earlier version took the request. */
    readonly payNo: number | null;
    readonly kind: 'cash-out' | 'win';
    readonly currency: Currency;
    readonly amountMinor: number;
    /** Names of who paid, and of who confirmed it. */
    readonly person: string;
    readonly second: string | null;
  }[];
  readonly olderSeq: number | null;
}
export interface RoundPage {
  readonly rounds: readonly {
    readonly roundId: string;
    readonly no: number;
    readonly openedAtMs: number;
    readonly closedAtMs: number | null;
    readonly voided: boolean;
    readonly stakedMinor: number;
    readonly returnedMinor: number;
  }[];
  /** `beforeNo` of the rounds that come next; null = there are none. */
  readonly older: number | null;
}
/** A stored entry as service mode shows it. */
export interface RoundStep {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly body: unknown;
}
export interface RoundDetail {
  readonly roundId: string;
  readonly no: number;
  /** The one it was played by: its articles are those. */
  readonly rulebook: RulebookId | null;
  /** Of the whole profile it was played by, in hex. */
  readonly profileSha256: string | null;
  readonly openedAtMs: number;
  /** Who dealt; more than one where the dealer has changed. */
  readonly dealers: readonly string[];
  readonly bankCards: readonly Card[];
  /** Baccarat's Player side; empty elsewhere. */
  readonly playerSideCards: readonly Card[];
  readonly seats: readonly {
    readonly seat: number;
    readonly creditBeforeMinor: number;
    readonly creditAfterMinor: number;
    readonly bets: readonly BetView[];
    /**
     * What the bettor of the seat has put in all in all, on whatever seats, by category: a bet, or
     * what came later.
     */
    readonly wagers: readonly { readonly category: string; readonly amountMinor: number }[];
    /** null lies face down. */
    readonly hands: readonly { readonly cards: readonly (Card | null)[]; readonly stakeMinor: number }[];
    readonly lines: readonly SettlementLine[];
  }[];
  /** Notes, hand-pays and other money of the seats since the round before, oldest first. */
  readonly moneyBefore: readonly RoundStep[];
  /**
   * Of the steps: cards confirmed, given to whom they were due or set aside, complaints, the round
   * cancelled.
   */
  readonly corrections: readonly RoundStep[];
  /** Of the steps: faults, holds, restarts, refused PINs, notes whose fate was not known. */
  readonly errors: readonly RoundStep[];
  readonly steps: readonly RoundStep[];
}

/** The picture of the table after each transaction of a round, as the live table showed it. */
export interface RecallPage {
  readonly roundId: string;
  readonly total: number;
  /** From `fromStep` on; more are asked for until there are `total`. */
  readonly steps: readonly RecallStep[];
}
export interface RecallStep {
  /** What happened, oldest first. */
  readonly done: readonly StepPart[];
  readonly view: TableView;
}
/** One stored event in a few words; what it is not about is absent. */
export interface StepPart {
  readonly kind: string;
  readonly seat?: number;
  readonly by?: number;
  readonly bet?: string;
  readonly card?: Card;
  readonly amountMinor?: number;
}

/** The last rounds of the player of a seat: since the seat was last paid out, the newest first. */
export interface OwnRounds {
  readonly rounds: readonly {
    readonly roundId: string;
    readonly no: number;
    readonly openedAtMs: number;
    readonly voided: boolean;
    readonly stakedMinor: number;
    readonly netMinor: number;
  }[];
  /** There are earlier ones. */
  readonly more: boolean;
}
/** A round as the bettor of one seat has played it: nobody else's money. */
export interface OwnRound {
  readonly roundId: string;
  readonly no: number;
  readonly openedAtMs: number;
  readonly rulebook: RulebookId;
  /** Of the whole profile it was played by, in hex. */
  readonly profileSha256: string;
  readonly voided: boolean;
  /** People have named a card of it. */
  readonly byHand: boolean;
  readonly creditBeforeMinor: number;
  readonly creditAfterMinor: number;
  readonly netMinor: number;
  readonly lines: readonly SettlementLine[];
  readonly steps: readonly OwnStep[];
  /**
   * What its QR code says: the signed text (docs/receipt/verify.html checks it), or a link that
   * carries it; null until the round is sealed.
   */
  readonly receipt: string | null;
}
export interface OwnStep {
  readonly atMs: number;
  readonly done: readonly StepPart[];
  /** null lies face down. */
  readonly bank: readonly (Card | null)[];
  readonly playerSide: readonly Card[] | null;
  /** The hands the bettor has money on. */
  readonly hands: readonly {
    readonly seat: number;
    readonly cards: readonly (Card | null)[];
    /** Their own on this hand. */
    readonly stakeMinor: number;
  }[];
}
export interface ProfilePage {
  readonly profile: unknown;
  readonly options: readonly {
    readonly id: string;
    readonly article: string;
    readonly value: unknown;
    readonly isDefault: boolean;
    readonly authorisation: string | null;
  }[];
}
export interface TablesPage {
  readonly tables: readonly {
    readonly name: string;
    /** Null where the file cannot be read. */
    readonly profile: TableProfile | null;
    readonly inForce: boolean;
    /** Why it cannot be used today; empty = it can. */
    readonly problems: readonly ProfileProblem[];
  }[];
  /** What keeps every other table from coming into force at this moment. */
  readonly inUse: TableInUse | null;
  /** Who has chosen the table in force; null = it is as the terminal file or the start had it. */
  readonly choice: { readonly name: string; readonly role: PersonRole; readonly atMs: number } | null;
}
/** Who may be let in here, and for how long. */
export interface PeoplePage {
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly number: string;
    readonly role: PersonRole;
    readonly hasCard: boolean;
  }[];
  /** The centre's list, null = it is the terminal file's. */
  readonly roster: { readonly no: number; readonly untilMs: number } | null;
  readonly closed: TableView['pinPad']['closed'] | null;
  /** Until when the maker's people are let in; null = they are not. */
  readonly makerUntilMs: number | null;
}
export interface LinkPage {
  readonly view: TableView['link'];
  readonly url: string | null;
  readonly lastError: string | null;
  readonly lastAckHash: string | null;
  /**
   * Hash of our own entry with that number: where it is another one, the centre has another
   * history.
   */
  readonly ownHash: string | null;
  /** Our clock minus the centre's, null while it is not known. */
  readonly clockOffMs: number | null;
  /** When a link that is down is tried again, in the clock of `nowMs`. */
  readonly retryAtMs: number | null;
  readonly nowMs: number;
  /** A key for commands of the centre is known here. */
  readonly takesCommands: boolean;
  readonly lastCommand: { readonly no: number; readonly atMs: number } | null;
  /** The centre has ordered it, and nobody has ended it; null = there is none. */
  readonly maintenance: { readonly no: number; readonly reason: string } | null;
  readonly terminalKey: string;
}
/** The second file of the ledger. */
export interface CopyPage {
  readonly path: string;
  readonly state: 'starting' | 'following' | 'failing' | 'damaged';
  readonly why: string | null;
  readonly copiedSeq: number;
  /** Entries it lacks. */
  readonly behind: number;
  /** Of the ledger and of the copy. */
  readonly faults: readonly (DeviceFault & { readonly device: string })[];
}
/**
 * The disk under ledger and copy, bytes. `roomBytes`: what may still be used, of the budget and of
 * the disk.
 */
export interface StoragePage {
  readonly usedBytes: number;
  readonly budgetBytes: number;
  readonly freeBytes: number;
  readonly roomBytes: number;
  /** Of the last ten. */
  readonly slowestSyncMs: number;
  /** Why the last write was refused; null = it was not. */
  readonly refused: string | null;
}
export type LedgerFile = 'ledger' | 'copy';
/** What reading a file from end to end has found. */
export interface LedgerCheck {
  readonly file: LedgerFile;
  readonly atMs: number;
  readonly tookMs: number;
  readonly ok: boolean;
  /** The first problem, empty where all holds. */
  readonly problem: string;
  readonly entries: number;
}
/**
 * How a ledger grows; bytes are those of the budget: with the copy where it lies on the same disk.
 */
export interface Growth {
  readonly entries: number;
  readonly rounds: number;
  readonly bytesPerRound: number | null;
  /** From the first entry to the last. */
  readonly days: number;
  readonly perDayBytes: number;
  /** Over the last seven days, or as long as there is a ledger. */
  readonly weekPerDayBytes: number;
  /** Until the budget is used up, by the greater of the two. */
  readonly daysLeft: number;
}
/** What is kept where; see docs/operations/storage.md. */
export interface StorageReport {
  /** Null before the first look, and where nobody looks. */
  readonly disk: StoragePage | null;
  /** Parts of the budget from which on something happens. */
  readonly limits: { readonly low: number; readonly short: number; readonly full: number };
  readonly ledger: { readonly path: string; readonly bytes: number };
  /** Null where the host has none, as in some tests. */
  readonly copy: (CopyPage & { readonly bytes: number; readonly isOnSameDisk: boolean }) | null;
  readonly growth: Growth | null;
  /** The last one made here; null = none. */
  readonly archive: {
    readonly folder: string;
    readonly lastSeq: number;
    readonly lastAtMs: number;
    readonly madeAtMs: number;
    readonly entriesSince: number;
    /** It ends with an entry of this very history. */
    readonly isOurs: boolean;
  } | null;
  /** Files that are being read now; `total` null = not known yet. */
  readonly running: readonly {
    readonly file: LedgerFile;
    readonly sinceMs: number;
    readonly taken: number;
    readonly total: number | null;
  }[];
  /** The last of each file since the start of this process. */
  readonly checks: readonly LedgerCheck[];
  readonly nextCheckAtMs: number | null;
}
/**
 * What has become of a note: `refused` by the table, `rejected` by the device, which gives it no
 * value; `open`: on its way; `unknown`: nothing near it in the ledger tells.
 */
export const NOTE_OUTCOMES = [
  'credited',
  'returned',
  'refused',
  'rejected',
  'held',
  'open',
  'unknown',
] as const;
export type NoteOutcome = (typeof NOTE_OUTCOMES)[number];
export interface NotePage {
  readonly notes: readonly {
    /** Of the entry it begins with. */
    readonly seq: number;
    readonly atMs: number;
    readonly noteId: string | null;
    readonly acceptor: number;
    readonly seat: number | null;
    readonly currency: Currency | null;
    readonly valueMinor: number | null;
    readonly outcome: NoteOutcome;
    /** Why it was refused, rejected or held, as the ledger has it. */
    readonly why: string | null;
    readonly caseNo: number | null;
    /** Every entry about it, oldest first. */
    readonly steps: readonly { readonly seq: number; readonly atMs: number; readonly kind: string }[];
  }[];
  readonly olderSeq: number | null;
}
export interface NoteTrace {
  readonly seq: number;
  readonly device: string;
  readonly frames: readonly FrameRow[];
}
/**
 * `bars`: how many of those that are kept took at most so long and longer than the bar before; null
 * = any longer.
 */
export interface Latency {
  /** `commit`, `link`, or a device. */
  readonly what: string;
  readonly count: number;
  readonly kept: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly mostMs: number;
  readonly bars: readonly { readonly upToMs: number | null; readonly count: number }[];
}
export interface TrendPage {
  /** Entries counted so far, of so many: less than all for some seconds after a start. */
  readonly countedSeq: number;
  readonly headSeq: number;
  readonly nowMs: number;
  readonly fromMs: number;
  /**
   * Decisions of players by how they came, and for how long the table has waited for them.
   * `savedMs`: what those noted ahead have saved, reckoned by the mean of the others; null = there
   * are none.
   */
  readonly decisions: {
    readonly asked: { readonly count: number; readonly ms: number };
    readonly noted: { readonly count: number; readonly ms: number };
    readonly savedMs: number | null;
  };
  /** By the hour; one without anything may be missing. */
  readonly rounds: readonly { readonly atMs: number; readonly count: number }[];
  /** Rounds each seat had a bet in, and the hours of the clock that they fell into. */
  readonly seats: readonly { readonly seat: number; readonly rounds: number; readonly hours: number }[];
  /** How long faults that ended in this time had stood, the newest of each. */
  readonly stood: readonly {
    readonly fault: string;
    readonly count: number;
    readonly medianMs: number;
    readonly mostMs: number;
  }[];
  /** What begins as class F, by the hour and code. */
  readonly faults: readonly { readonly atMs: number; readonly code: EventCode; readonly count: number }[];
  readonly notes: readonly {
    readonly acceptor: number;
    readonly currency: Currency | null;
    /** Null: the device gave it no value. */
    readonly valueMinor: number | null;
    readonly outcome: NoteOutcome;
    readonly count: number;
  }[];
  readonly latencies: readonly Latency[];
  /** Of the machine's sensors now, in thousandths of a degree Celsius. */
  readonly temperatures: readonly { readonly name: string; readonly milliC: number }[];
}
export interface DisplayPage {
  readonly displays: readonly {
    readonly id: string;
    readonly role: DisplayRole;
    readonly sinceMs: number;
    /** Null until it has answered. */
    readonly measured: (Measures & { readonly atMs: number }) | null;
  }[];
}
export interface ClockPage {
  /**
   * Wall clock, and the time that entries get: they differ while the wall clock is behind the
   * newest entry.
   */
  readonly wallMs: number;
  readonly ledgerMs: number;
  readonly startedAtMs: number;
  /** What the wall clock has gained on a clock that only counts, since the start. */
  readonly driftMs: number;
  /** From so much on in one step it is an entry. */
  readonly stepMs: number;
  /** Our clock minus the centre's, and when the centre has acknowledged last; null = not known. */
  readonly centre: { readonly offMs: number | null; readonly ackAtMs: number | null };
}
/** How the payments of the rounds are read a second time. */
export interface ReadingPage {
  /** What it means that nobody reads them; null = the terminal file asks for no second reader. */
  readonly whenAbsent: 'hold' | 'go-on' | null;
  /** The reader answers. */
  readonly isThere: boolean;
  /** Payments that it has read in this life of the host. */
  readonly count: number;
  /** What it took for the newest thousand; null = it has read none. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}
/**
 * Every file of the program by its path, with its SHA-256 in hex; null where they are not known.
 */
export interface SoftwareFilesPage {
  readonly files: readonly (readonly [path: string, sha256: string])[] | null;
}
export interface SoftwarePage {
  readonly version: string;
  readonly node: string;
  readonly sqlite: string;
  readonly softwareId: string;
  readonly startedAtMs: number;
  readonly ledgerPath: string;
  readonly ledgerEntries: number;
  readonly selfTest:
    | readonly { readonly check: string; readonly ok: boolean; readonly detail: string }[]
    | null;
}

/** What became of a sentence that was to be said. */
export type Said =
  | {
      readonly state: 'spoken';
      /** How long it is. */
      readonly seconds: number;
      /** WAV in base64 for the display to play; null = the seat's own output plays it. */
      readonly wav: string | null;
    }
  /** Another one of the same seat came before it was made. */
  | { readonly state: 'replaced' }
  | { readonly state: 'failed'; readonly why: string };

/** How sentences are spoken. */
export interface SpeechPage {
  /** What the synthesiser says it is; null = there is none. */
  readonly synthesiser: string | null;
  readonly voices: readonly {
    readonly language: Language;
    readonly voice: string;
    readonly isThere: boolean;
  }[];
  /** Seats with an output of their own, and what it said when it could not play. */
  readonly outputs: readonly {
    readonly seat: number;
    readonly output: string;
    readonly problem: string | null;
  }[];
}
