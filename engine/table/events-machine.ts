import { ZERO } from '../core/money.ts';
import type { TableRules } from '../rules/rulebook.ts';
import { keptOrders } from './centre-orders.ts';
import { type Rows, stepOf } from './event-row.ts';
import type { CentreOrders, Person, Stops, WaitingAct } from './inputs.ts';
import type { TableProfile } from './profile.ts';
import type { ProfileChange } from './profile-changes.ts';
import { emptyShoe, shapeOf } from './shape.ts';
import type { TableState, Unread } from './state.ts';
import type { Hold } from './steps.ts';

/** What happens to the machine and its people. */
export interface MachineEvents {
  'terminal-started': { readonly bootId: string; readonly softwareId: string };
  'table-configured': {
    readonly profile: TableProfile;
    readonly rules: TableRules;
    readonly person: Person | null;
    /**
     * What differs from in the profile before; absent = there was none, or an older version wrote
     * this.
     */
    readonly changes?: readonly ProfileChange[];
    /** Of a change that two persons have entered. */
    readonly second?: Person;
    readonly reason?: string;
  };
  /** `relieves`: who was signed in until now; absent = the table was closed. */
  'dealer-signed-in': { readonly person: Person; readonly relieves?: Person };
  'dealer-signed-out': { readonly person: Person };
  'service-entered': { readonly person: Person };
  'service-left': { readonly person?: Person; readonly why?: 'untouched' };
  'fault-reported': {
    readonly device: string;
    readonly fault: string;
    readonly place: string;
    readonly stops?: Stops;
  };
  'fault-cleared': {
    readonly device: string;
    readonly fault: string;
    readonly persons?: readonly Person[];
    /** How long it stood; absent in entries of before there was this field. */
    readonly forMs?: number;
  };
  'drop-announced': { readonly boxes: readonly number[]; readonly person: Person };
  /** The cash box of an acceptor is out, in a drop. */
  'box-taken': { readonly acceptor: number };
  /** It is an empty one. */
  'box-put-back': { readonly acceptor: number };
  /** `skipped`: announced, and never taken out. */
  'drop-ended': {
    readonly why: 'done' | 'time' | 'person';
    readonly person: Person | null;
    readonly skipped: readonly number[];
  };
  'centre-locked': { readonly reason: string };
  'centre-unlocked': object;
  'maintenance-begun': { readonly no: number; readonly reason: string };
  /** `person` null = the centre has ended it. */
  'maintenance-ended': { readonly no: number; readonly person: Person | null };
  /** What the acceptors may take by order of the centre; replaces what was said before. */
  'notes-limited': Pick<CentreOrders, 'acceptorsOff' | 'notes'>;
  /** No money of the round moves before it has been read once more. */
  'money-held': { readonly why: Unread['why']; readonly act?: WaitingAct };
  /** `person` null = the reader was away and has come back. */
  'money-read-again': { readonly person: Person | null };
  'table-held': { readonly hold: Hold };
  /** `fullTime`: a suspended deadline starts again from its whole length (after a power loss). */
  'hold-released': {
    readonly code: Hold['code'];
    readonly person: Person | null;
    readonly fullTime: boolean;
  };
}

function pause(state: TableState, atMs: number): void {
  if (!state.deadline) return;
  state.paused = { ...state.deadline, leftMs: Math.max(0, state.deadline.atMs - atMs) };
  state.deadline = null;
}

function resume(state: TableState, atMs: number, fullTime: boolean): void {
  if (!state.paused || state.hold || state.service) return;
  const { leftMs, ...deadline } = state.paused;
  state.deadline = { ...deadline, atMs: atMs + (fullTime ? deadline.totalMs : leftMs) };
  state.paused = null;
}

const ACCEPTOR = /^acceptor-(\d+)$/;

function emptyBox(state: TableState, acceptor: number): void {
  if (acceptor > 0 && acceptor <= state.boxNotes.length) state.boxNotes[acceptor - 1] = 0;
}

/**
 * Entries of before there was the field: whoever opened service mode then was most likely an
 * operator.
 */
const isOperator = (person: Person | undefined): boolean =>
  person?.role !== 'attendant' && person?.role !== 'auditor';

const IS_OF_RULES = /^(rulebook|options|authorisations)\b/;
/** Entries of before there was the field say only that something is another thing now. */
const hasChanged = ({ changes }: MachineEvents['table-configured'], place: RegExp): boolean =>
  changes === undefined || changes.some((change) => place.test(change.place));

export const MACHINE_ROWS = {
  'terminal-started': {
    apply(state, { bootId }) {
      state.bootId = bootId;
    },
    postings: null,
    codes: ['101'],
    words: 'event.terminal-started',
  },
  'table-configured': {
    apply(state, { atMs, person, profile, rules }) {
      state.choice = person && { person, atMs, over: state.choice ? state.choice.over : state.profile };
      state.profile = profile;
      state.rules = rules;
      state.shoe = emptyShoe(state);
      state.phase = state.dealer ? 'shoe' : 'closed';
      state.noteSeat = null;
      Object.assign(state, shapeOf(state).profile());
      state.lastCutBy = null;
      state.decksChecked = false;
      state.complaints = [];
      delete state.lastRound;
      state.results = undefined;
      delete state.tallies;
      delete state.shutAfterNote;
      state.seats = Array.from({ length: profile.seatCount }, (_, i) => ({
        seat: i + 1,
        language: state.seats[i]?.language ?? 'zh-Hant',
        creditMinor: ZERO,
        cashOut: null,
        callsAttendant: state.seats[i]?.callsAttendant ?? false,
        previousBets: [],
      }));
    },
    postings: null,
    codes: [
      '806',
      {
        code: '807',
        if: 'the rules or their authorisations',
        when: (body) => hasChanged(body, IS_OF_RULES),
      },
      { code: '317', if: 'the notes it takes', when: (body) => hasChanged(body, /^notesMinor$/) },
    ],
    words: 'event.table-configured',
  },
  'dealer-signed-in': {
    apply(state, { person }) {
      state.dealer = person;
      if (state.phase === 'closed' && state.profile) {
        state.phase = state.shoe.stage === 'ready' ? 'idle' : 'shoe';
      }
    },
    postings: null,
    codes: [
      '502',
      {
        code: '501',
        if: 'the table was closed',
        when: ({ relieves }) => relieves === undefined,
      },
    ],
    words: 'event.dealer-signed-in',
  },
  'dealer-signed-out': {
    apply(state) {
      state.dealer = null;
      state.phase = 'closed';
    },
    postings: null,
    codes: ['502C', '501C'],
    words: 'event.dealer-signed-out',
  },
  'service-entered': {
    apply(state, { person, atMs }) {
      state.service = { person, sinceMs: atMs };
      pause(state, atMs);
    },
    postings: null,
    codes: [
      {
        code: '801',
        if: 'an attendant or auditor',
        when: ({ person }) => !isOperator(person),
      },
      {
        code: '803',
        if: 'a supervisor or technician',
        when: ({ person }) => isOperator(person),
      },
      '805',
    ],
    words: 'event.service-entered',
  },
  'service-left': {
    apply(state, { atMs }) {
      state.service = null;
      resume(state, atMs, false);
    },
    postings: null,
    codes: [
      {
        code: '802',
        if: 'an attendant or auditor',
        when: ({ person }) => !isOperator(person),
      },
      {
        code: '804',
        if: 'a supervisor or technician',
        when: ({ person }) => isOperator(person),
      },
      '805C',
    ],
    words: 'event.service-left',
  },
  'fault-reported': {
    apply(state, { device, fault, place, atMs, stops }) {
      state.faults.push({ device, fault, place, sinceMs: atMs, ...(stops === undefined ? {} : { stops }) });
    },
    postings: null,
    codes: 'begins-fault',
    words: 'event.fault-reported',
  },
  'fault-cleared': {
    apply(state, { device, fault }) {
      state.faults = state.faults.filter((known) => known.device !== device || known.fault !== fault);
      // What is put in is an empty box; one that comes back as it was is counted again from the
      // notes that follow.
      if (fault === 'cash-box-removed') emptyBox(state, Number(ACCEPTOR.exec(device)?.[1] ?? 0));
    },
    postings: null,
    codes: 'ends-fault',
    words: 'event.fault-cleared',
  },
  'drop-announced': {
    apply(state, { boxes: acceptors, person, atMs }) {
      state.drop = { sinceMs: atMs, person, acceptors, out: [], exchanged: [], movedAtMs: atMs };
    },
    postings: null,
    codes: ['224'],
    words: 'event.drop-announced',
  },
  'box-taken': {
    apply(state, { acceptor }) {
      const drop = state.drop!;
      state.drop = { ...drop, out: [...drop.out, acceptor] };
    },
    postings: null,
    codes: ['225'],
    words: 'event.box-taken',
  },
  'box-put-back': {
    apply(state, { acceptor, atMs }) {
      const drop = state.drop!;
      state.drop = {
        ...drop,
        out: drop.out.filter((other) => other !== acceptor),
        exchanged: [...drop.exchanged, acceptor],
        movedAtMs: atMs,
      };
      emptyBox(state, acceptor);
    },
    postings: null,
    codes: ['225C'],
    words: 'event.box-put-back',
  },
  'drop-ended': {
    apply(state) {
      delete state.drop;
    },
    postings: null,
    codes: ['224C'],
    words: 'event.drop-ended',
  },
  'centre-locked': {
    apply(state, { reason }) {
      state.centre = { ...keptOrders(state), lock: reason };
    },
    postings: null,
    codes: ['704'],
    words: 'event.centre-locked',
  },
  'centre-unlocked': {
    apply(state) {
      state.centre = { ...keptOrders(state), lock: null };
    },
    postings: null,
    codes: ['704C'],
    words: 'event.centre-unlocked',
  },
  'maintenance-begun': {
    apply(state, { no, reason }) {
      state.centre = { ...keptOrders(state), maintenance: { no, reason } };
    },
    postings: null,
    codes: ['707'],
    words: 'event.maintenance-begun',
  },
  'maintenance-ended': {
    apply(state, { no, person }) {
      const { maintenance: _, ...others } = keptOrders(state);
      state.centre = { ...others, ...(person === null ? {} : { endedNo: no }) };
    },
    postings: null,
    codes: ['707C'],
    words: 'event.maintenance-ended',
  },
  'notes-limited': {
    apply(state, { acceptorsOff, notes }) {
      state.centre = { ...keptOrders(state), acceptorsOff, notes };
    },
    postings: null,
    codes: [
      '317',
      {
        code: '316',
        if: 'an acceptor is off',
        when: ({ acceptorsOff }) => acceptorsOff.length > 0,
      },
      {
        code: '316C',
        if: 'none is off',
        when: ({ acceptorsOff }) => acceptorsOff.length === 0,
      },
    ],
    words: 'event.notes-limited',
  },
  'money-held': {
    apply(state, { atMs, why, act }) {
      state.unread = { why, sinceMs: atMs, ...(act === undefined ? {} : { act }) };
    },
    postings: null,
    codes: stepOf('509'),
    words: 'event.money-held',
  },
  'money-read-again': {
    apply(state) {
      delete state.unread;
    },
    postings: null,
    codes: stepOf('509'),
    words: 'event.money-read-again',
  },
  'table-held': {
    apply(state, { hold, atMs }) {
      state.hold = hold;
      pause(state, atMs);
    },
    postings: null,
    codes: ['509'],
    words: 'event.table-held',
  },
  'hold-released': {
    apply(state, { atMs, fullTime }) {
      state.hold = null;
      resume(state, atMs, fullTime);
    },
    postings: null,
    codes: ['509C'],
    words: 'event.hold-released',
  },
} as const satisfies Rows<MachineEvents>;
