import type { Card } from '../engine/core/cards.ts';
import type { Person } from '../engine/table/inputs.ts';
import type { TableProfile } from '../engine/table/profile.ts';
import type { Phase } from '../engine/table/state.ts';
import type { CabinetDoor, DeviceIdentity, Note, UnitNote } from '../hardware/ports.ts';
import type { CentreOrder } from '../ledger/chain/command.codec.ts';
import type { NamedWitness } from '../ledger/store/witness.store.ts';
import type { DrillId, DrillOutcome } from './drills.ts';
import type { SlipKind } from './fields.ts';
import type { Handover } from './view.ts';

/**
 * Where a PIN is typed: on the glass of a player's own panel, or where staff stand. Neither delays
 * the other.
 */
export type Pad = 'players' | 'staff';

/** Wrong PINs in a row; `id` null = under numbers that are nobody's, which count together. */
export interface Failures {
  readonly id: string | null;
  readonly pad: Pad;
  readonly count: number;
}

/** What a ledger says of the counter: what it found, and up to where it may have counted. */
export interface Counted {
  readonly found: number;
  readonly willBe: number;
}

export interface Opening {
  /** Of the entry with the seal. */
  readonly seq: number;
  readonly card: Card;
  /** As the shoe gave it, 0 to 255; absent where nothing was said of it. */
  readonly confidence?: number;
  /** 64 hex digits. */
  readonly opening: string;
}

/** A row of a unit's table, by what the unit says, and what it counts for. */
export interface ConfirmedNote extends Note {
  readonly said: string;
}

/** A line as either account has it; `netMinor` is money back less all money staked. */
export interface AccountLine {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly hand: number | null;
  readonly outcome: 'won' | 'lost' | 'tied';
  readonly netMinor: number;
}

/**
 * Two accounts of one payment. `differing`: the lines they do not share, as `seat by bet hand`, and
 * what outlives the round; `cannot`: why there is no account of the reader.
 */
export interface ReadAccount {
  readonly ask: 'settled' | 'at-once';
  readonly engine: readonly AccountLine[];
  readonly reader: readonly AccountLine[];
  readonly differing: readonly string[];
  readonly cannot: string | null;
}

type DoorCounts = Readonly<Record<CabinetDoor, number>>;

/** What a command of the centre has asked for. */
export type CommandAnswer =
  /** Our clock less the centre's; more than the limit either way is a fault. */
  | { readonly what: 'clock'; readonly offMs: number; readonly limitMs: number }
  | {
      readonly what: 'identity';
      readonly terminalId: string;
      readonly bootId: string;
      readonly version: string;
      readonly node: string;
      readonly sqlite: string;
      readonly softwareId: string;
      /** SHA-256 of the canonical JSON of the profile and of its options; null = there is none. */
      readonly game: {
        readonly tableName: string;
        readonly rulebook: string;
        readonly profileSha256: string;
        readonly optionsSha256: string;
      } | null;
      /** Serial and firmware empty where a unit has not said them. */
      readonly devices: readonly { readonly device: string; readonly unit: DeviceIdentity }[];
    }
  /** `headSeq`: the newest entry when the check began. */
  | {
      readonly what: 'integrity';
      readonly passed: boolean;
      readonly failed: readonly string[];
      readonly softwareId: string;
      readonly headSeq: number;
    };

/**
 * What happens to the host and not to the table: kept in the same ledger, no postings, no effect on
 * a replay.
 */
export type HostEvent =
  | {
      readonly type: 'access-refused';
      readonly command: string;
      /** `unknown`: a PIN that was nobody's, of an early version. */
      readonly why: 'nobody' | 'wrong-pin' | 'role' | 'no-card' | 'locked-out' | 'unknown';
      /** Who they said they were, where that is somebody. */
      readonly person: Person | null;
      /** Of an early version, whose door was shut for everybody. */
      readonly lockedUntilMs?: number | null;
      readonly pad?: Pad;
      /** For how long no further PIN of theirs counts on such a pad. */
      readonly waitMs?: number;
      /** All wrong PINs in a row that stand now, see People. */
      readonly failures?: readonly Failures[];
    }
  /** A right PIN after wrong ones, which are forgiven. */
  | {
      readonly type: 'access-regained';
      readonly person: Person;
      readonly pad: Pad;
      readonly failures: readonly Failures[];
    }
  /** `person` has asked whether somebody is on the list of exclusions; who stands nowhere. */
  | {
      readonly type: 'exclusion-checked';
      readonly person: Person;
      readonly seat: number | null;
      readonly listed: boolean;
    }
  /** `person` goes, `second` comes; the rest is what they have both read. */
  | ({ readonly type: 'shift-handed-over'; readonly person: Person; readonly second: Person } & Handover)
  /** Persons would have ended a fault whose cause was still there. */
  | {
      readonly type: 'fault-end-refused';
      readonly device: string;
      readonly fault: string;
      readonly persons: readonly Person[];
    }
  | { readonly type: 'shoe-event-refused'; readonly event: string; readonly code: string }
  /** The second reader has another account of a payment: no money of the round has moved. */
  | ({ readonly type: 'reading-differed' } & ReadAccount)
  /** Money of this round has moved that nobody has read a second time. */
  | { readonly type: 'round-unread'; readonly ask: ReadAccount['ask']; readonly why: string }
  | { readonly type: 'shoe-link'; readonly link: 'up' | 'down' }
  | { readonly type: 'note-rejected-by-device'; readonly acceptor: number; readonly reason: string }
  /** The device has given the credit signal of a credited note again: nothing was credited. */
  | { readonly type: 'note-credit-repeated'; readonly acceptor: number }
  /**
   * From here on this is the unit at this place; `persons` empty = the first one, there was none
   * before.
   */
  | {
      readonly type: 'unit-accepted';
      readonly device: string;
      readonly identity: DeviceIdentity;
      readonly notes: readonly Note[] | null;
      readonly persons: readonly Person[];
    }
  /**
   * From here on these rows of the unit's table count, and no other one; `persons` have fed the
   * notes and signed, empty = the demonstration, whose units are simulators.
   */
  | {
      readonly type: 'notes-confirmed';
      readonly device: string;
      readonly unit: Pick<DeviceIdentity, 'model' | 'firmware'>;
      readonly table: readonly UnitNote[];
      readonly notes: readonly ConfirmedNote[];
      readonly persons: readonly Person[];
    }
  | {
      readonly type: 'self-test-run';
      readonly person: Person;
      readonly passed: boolean;
      readonly failed: readonly string[];
    }
  /**
   * A file of the ledger was rebuilt from the other one; see `Repaired` of the ledger, which writes
   * this one itself.
   */
  | {
      readonly type: 'ledger-repaired';
      readonly file: 'ledger' | 'copy';
      readonly why: string;
      readonly fromSeq: number;
      readonly toSeq: number;
      readonly isComplete: boolean;
      readonly evidence: string | null;
    }
  /**
   * The ledger goes on by the centre's word; see `Restored` of the ledger, which writes this one
   * itself.
   */
  | {
      readonly type: 'ledger-restored';
      readonly bytes: string;
      readonly signature: string;
      readonly persons: readonly Person[];
      readonly commonSeq: number;
      readonly droppedEntries: number;
      readonly droppedSums: readonly string[];
      readonly evidence: string | null;
      readonly counter?: Counted | null;
    }
  /** What has become of these acceptors; `shut`: why they take no note, null = they do. */
  | {
      readonly type: 'acceptors-gated';
      readonly gates: readonly { readonly acceptor: number; readonly shut: string | null }[];
    }
  /** Where the glass of a display is felt, in millionths row by row; null = as it came. */
  | {
      readonly type: 'touch-set';
      readonly device: string;
      readonly matrix: readonly number[] | null;
      readonly person: Person;
    }
  /**
   * A life of this process begins; `after`: how the one before ended, as far as the ledger tells.
   */
  | {
      readonly type: 'program-started';
      readonly after: 'nothing' | 'shutdown' | 'crash' | 'power-loss' | 'unknown';
      /** The supervisor's word on the end of the life before. */
      readonly why: string | null;
      readonly machineBootId: string;
      /** Time of the last entry of the life before: it has ended since. */
      readonly lastEntryMs: number | null;
      /** What it has left on the table. */
      readonly phase: Phase;
      readonly roundOpen: boolean;
      /**
       * Which witness knows this ledger, and where it is kept; null = none could be made. Absent in
       * early versions.
       */
      readonly witness?: NamedWitness | null;
      /** The TPM's counter, before this start is counted there; null = nothing counts. */
      readonly counter?: Counted | null;
      /**
       * In the first life of a ledger: where the ledger ended that two persons have ended on this
       * terminal before, and the folder it is kept in. Absent in any other.
       */
      readonly epochBefore?: {
        readonly keyId: string;
        readonly seq: number;
        readonly hash: string;
        readonly endedAtMs: number;
        readonly folder: string;
      };
    }
  | { readonly type: 'program-stopped'; readonly why: string }
  | {
      readonly type: 'code-checked';
      readonly version: string;
      readonly id: string;
      /** The program of the life before; null = none is known. */
      readonly was: { readonly version: string; readonly id: string } | null;
      /** Against that program; null where nothing changed or its list of files is missing. */
      readonly changes: { readonly count: number; readonly files: readonly string[] } | null;
      /** Whether the terminal file approves of it; null = it approves of any. */
      readonly approved: boolean | null;
    }
  /** The supervisor has started another process of the terminal again. */
  | { readonly type: 'process-restarted'; readonly process: string; readonly why: string }
  /** The wall clock has moved by so much more (or less) than the time that has passed. */
  | { readonly type: 'clock-jumped'; readonly byMs: number; readonly wallMs: number }
  | {
      readonly type: 'usb-unknown';
      readonly id: string;
      readonly port: string;
      readonly product: string | null;
      readonly serial: string | null;
    }
  /**
   * The bytes of the terminal file are others than at the start before; `was` null = the ledger
   * knows of none.
   */
  | { readonly type: 'terminal-file-changed'; readonly sha256: string; readonly was: string | null }
  /** The people of the terminal file, or of the centre's roster, are not those before. */
  | {
      readonly type: 'people-changed';
      readonly changes: readonly {
        readonly what: 'added' | 'removed' | 'changed';
        readonly person: Person;
        /** Name and role as they were, where one of them has changed. */
        readonly was: Person | null;
        readonly newStaffNo: boolean;
        readonly newPin: boolean;
      }[];
      /** Everybody from now on; `mark` is another one when the PIN is, and says nothing of it. */
      readonly people: readonly {
        readonly person: Person;
        readonly staffNo: string;
        readonly mark: string;
      }[];
    }
  /** The maker's people may open service mode until then; null = no longer. */
  | {
      readonly type: 'manufacturer-admitted';
      readonly person: Person;
      readonly untilMs: number | null;
    }
  | { readonly type: 'profile-refused'; readonly problems: readonly string[] }
  /**
   * A round of the past was shown: on the big table, in service mode, or to the player of a seat.
   */
  | {
      readonly type: 'recall-displayed';
      readonly roundId: string;
      readonly place: 'table' | 'service' | 'seat';
      /** Who showed it; null = the player. */
      readonly person: Person | null;
      readonly seat: number | null;
    }
  | { readonly type: 'simulation-used'; readonly command: string }
  /**
   * What the cabinet board has counted since this ledger heard of it last, and in its life up to
   * now; `offSeconds`: how long it was without power the last time.
   */
  | {
      readonly type: 'doors-counted';
      readonly serial: string;
      readonly opened: DoorCounts;
      readonly openedOff: DoorCounts;
      readonly offSeconds: number;
      readonly totals: { readonly opened: DoorCounts; readonly openedOff: DoorCounts };
    }
  /** The key switch of the cabinet. */
  | { readonly type: 'service-key'; readonly turned: boolean }
  /** Somebody in service mode has tried a part of a device; it moves no meter. */
  | {
      readonly type: 'device-tested';
      readonly device: string;
      readonly part: 'lamp' | 'siren' | 'note' | 'card';
      readonly person: Person;
      /** Of a note and a card: nothing of it is a note or card of the table. */
      readonly test?: 'TEST';
      /** Of a note: what the unit calls it; null = it does not know it. */
      readonly said?: string | null;
      /** Of a card: what the shoe has read, and how surely; null = nothing. */
      readonly read?: Card | null;
      readonly confidence?: number;
    }
  /**
   * The first byte of a slip goes to the printer. `of`: the entry it is about, or round and seat;
   * `person`: who has asked for it, null = nobody had to, or the player.
   */
  | {
      readonly type: 'slip-sent';
      readonly slip: SlipKind;
      readonly of: string;
      readonly number: number;
      readonly copy: boolean;
      readonly person: Person | null;
    }
  /** It is on paper; or how much of it is, nobody knows. */
  | {
      readonly type: 'slip-ended';
      readonly slip: SlipKind;
      readonly of: string;
      readonly number: number;
      readonly printed: boolean;
      readonly why: 'line' | 'silent' | 'error' | 'full' | 'restart' | null;
    }
  /** Cards of this round that were stored sealed, and what opens each; see sealed-cards.ts. */
  | { readonly type: 'cards-opened'; readonly cards: readonly Opening[] }
  /**
   * Two persons have entered a change of the table; `fromMs`: not before then, null = as soon as
   * the table is empty.
   */
  | {
      readonly type: 'change-planned';
      readonly profile: TableProfile;
      readonly reason: string;
      readonly fromMs: number | null;
      readonly person: Person;
      readonly second: Person;
    }
  /**
   * It will not come into force: dropped by `person`, or refused when its time came, with the
   * reason.
   */
  | { readonly type: 'change-dropped'; readonly person: Person | null; readonly why: string | null }
  /**
   * The ledger was exported into the folder `dir`, and the export checked; `why` it does not hold,
   * null = it does.
   */
  | { readonly type: 'export-begun'; readonly dir: string; readonly person: Person }
  | {
      readonly type: 'export-made';
      readonly dir: string;
      readonly person: Person;
      readonly ok: boolean;
      readonly why: string | null;
      readonly headSeq: number;
    }
  /** A fault was practised on a copy of this ledger; nothing of it is in here. */
  | { readonly type: 'drill-begun'; readonly drill: DrillId; readonly person: Person }
  | {
      readonly type: 'drill-ended';
      readonly drill: DrillId;
      readonly person: Person;
      readonly outcome: DrillOutcome;
    }
  /** A command of the centre has used its number: taken, or too late to be carried out. */
  | {
      readonly type: 'centre-command';
      readonly no: number;
      readonly outcome: 'taken' | 'expired';
      readonly bytes: string;
      readonly signature: string;
    }
  /**
   * What came of a command that was taken; `order`: its kind, `detail`: why not, or what is wrong.
   */
  | {
      readonly type: 'centre-command-answered';
      readonly no: number;
      readonly order: CentreOrder['type'];
      readonly outcome: 'done' | 'refused';
      readonly detail: string | null;
      readonly answer: CommandAnswer | null;
    }
  /**
   * The table that a command of the centre has brought can never be this one, with place and
   * article of each reason.
   */
  | {
      readonly type: 'centre-table-refused';
      readonly no: number;
      readonly name: string;
      readonly problems: readonly string[];
    }
  | {
      readonly type: 'centre-command-refused';
      readonly code: string;
      readonly detail: string;
      readonly bytes: string;
      readonly signature: string;
    };

/** `satisfies` keeps this list and the union above one and the same. */
const HOST_EVENTS = {
  'access-refused': true,
  'access-regained': true,
  'exclusion-checked': true,
  'shift-handed-over': true,
  'fault-end-refused': true,
  'shoe-event-refused': true,
  'reading-differed': true,
  'round-unread': true,
  'shoe-link': true,
  'note-rejected-by-device': true,
  'note-credit-repeated': true,
  'unit-accepted': true,
  'notes-confirmed': true,
  'self-test-run': true,
  'ledger-repaired': true,
  'ledger-restored': true,
  'acceptors-gated': true,
  'touch-set': true,
  'program-started': true,
  'program-stopped': true,
  'code-checked': true,
  'process-restarted': true,
  'clock-jumped': true,
  'usb-unknown': true,
  'terminal-file-changed': true,
  'people-changed': true,
  'manufacturer-admitted': true,
  'profile-refused': true,
  'recall-displayed': true,
  'simulation-used': true,
  'doors-counted': true,
  'service-key': true,
  'device-tested': true,
  'slip-sent': true,
  'slip-ended': true,
  'cards-opened': true,
  'change-planned': true,
  'change-dropped': true,
  'export-begun': true,
  'export-made': true,
  'drill-begun': true,
  'drill-ended': true,
  'centre-command': true,
  'centre-command-answered': true,
  'centre-command-refused': true,
  'centre-table-refused': true,
} as const satisfies Record<HostEvent['type'], true>;

export const isHostEvent = (kind: string): kind is HostEvent['type'] => kind in HOST_EVENTS;
