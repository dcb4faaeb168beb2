import type { Person } from '../engine/table/inputs.ts';
import type { DeviceIdentity, Note } from '../hardware/ports.ts';

/** What happens to the host and not to the table: kept in the same ledger, no postings, no effect on a replay. */
export type HostEvent =
  | {
      readonly type: 'access-refused';
      readonly command: string;
      readonly why: 'unknown' | 'role' | 'locked-out';
      /** Whose PIN it was, where it was somebody's. */
      readonly person: Person | null;
      /** Set where this failure shut the door, and as long as it is shut. */
      readonly lockedUntilMs: number | null;
    }
  | { readonly type: 'shoe-event-refused'; readonly event: string; readonly code: string }
  | { readonly type: 'shoe-link'; readonly link: 'up' | 'down' }
  | { readonly type: 'note-rejected-by-device'; readonly acceptor: number; readonly reason: string }
  /** The device has given the credit signal of a credited note again: nothing was credited. */
  | { readonly type: 'note-credit-repeated'; readonly acceptor: number }
  /** From here on this is the unit at this place; `persons` empty = the first one, there was none before. */
  | {
      readonly type: 'unit-accepted';
      readonly device: string;
      readonly identity: DeviceIdentity;
      readonly notes: readonly Note[] | null;
      readonly persons: readonly Person[];
    }
  | {
      readonly type: 'self-test-run';
      readonly person: Person;
      readonly passed: boolean;
      readonly failed: readonly string[];
    }
  /** A file of the ledger was made anew from the other one; see `Repaired` of the ledger, which writes this one itself. */
  | {
      readonly type: 'ledger-repaired';
      readonly file: 'ledger' | 'copy';
      readonly why: string;
      readonly fromSeq: number;
      readonly toSeq: number;
      readonly isComplete: boolean;
      readonly evidence: string | null;
    }
  | { readonly type: 'profile-refused'; readonly problems: readonly string[] }
  /** A round of the past was shown: on the big table, in service mode, or to the player of a seat. */
  | {
      readonly type: 'recall-displayed';
      readonly roundId: string;
      readonly place: 'table' | 'service' | 'seat';
      /** Who showed it; null = the player. */
      readonly person: Person | null;
      readonly seat: number | null;
    }
  | { readonly type: 'simulation-used'; readonly command: string }
  /** A command of the centre has used its number: taken, or too late to be carried out. */
  | {
      readonly type: 'centre-command';
      readonly no: number;
      readonly outcome: 'taken' | 'expired';
      readonly bytes: string;
      readonly signature: string;
    }
  /** The table that a command of the centre has brought can never be this one, with place and article of each reason. */
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
  'shoe-event-refused': true,
  'shoe-link': true,
  'note-rejected-by-device': true,
  'note-credit-repeated': true,
  'unit-accepted': true,
  'self-test-run': true,
  'ledger-repaired': true,
  'profile-refused': true,
  'recall-displayed': true,
  'simulation-used': true,
  'centre-command': true,
  'centre-command-refused': true,
  'centre-table-refused': true,
} as const satisfies Record<HostEvent['type'], true>;

export const isHostEvent = (kind: string): kind is HostEvent['type'] => kind in HOST_EVENTS;
