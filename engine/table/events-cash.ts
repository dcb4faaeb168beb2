import { cashBox, handPayPending, seatCredit } from '../accounting/accounts.ts';
import { move } from '../accounting/entries.ts';
import { type Currency, type Minor, minor } from '../core/money.ts';
import { type Rows, stepOf } from './event-row.ts';
import type { AdjustReason, ByOrder, Corrected, HeldNoteOutcome, HeldNoteReason, Person } from './inputs.ts';
import { addCredit } from './places.ts';
import type { CreditedNote, LaidCards, NamedNote, TableState } from './state.ts';

/** Of notes, of payments by hand, of complaints and of credit put right. */
export interface CashEvents {
  'note-escrowed': {
    readonly noteId: string;
    readonly acceptor: number;
    readonly seat: number;
    readonly currency: Currency;
    readonly valueMinor: Minor;
  };
  'note-stack-requested': { readonly noteId: string; readonly acceptor: number };
  'note-refused': {
    readonly noteId: string;
    readonly acceptor: number;
    readonly currency: Currency;
    readonly valueMinor: Minor;
    readonly why:
      | 'currency'
      | 'denomination'
      | 'limit'
      /** The player has put in as much as they wanted to. */
      | 'own-limit'
      /** The house lets no more be put in, in a session or a span of time. */
      | 'house-limit'
      | 'seat'
      | 'service'
      | 'held'
      | 'in-flight'
      | 'closed'
      | 'acceptor-off';
    /** The casino's centre has ordered it. */
    readonly byCentre?: true;
  };
  'note-seat-chosen': { readonly seat: number | null };
  'note-credited': {
    readonly noteId: string;
    readonly acceptor: number;
    readonly seat: number;
    readonly currency: Currency;
    readonly valueMinor: Minor;
  };
  /** One that had shut after a note is open again; `person` null = by order of the centre. */
  'acceptor-opened': {
    readonly acceptor: number;
    readonly person: Person | null;
    readonly byOrder?: ByOrder;
  };
  /** Nothing the device says from here on is about this credited note. */
  'note-closed': { readonly noteId: string; readonly acceptor: number };
  'note-returned': { readonly noteId: string; readonly acceptor: number };
  'note-held': {
    readonly caseNo: number;
    readonly noteId: string | null;
    readonly acceptor: number;
    readonly seat: number | null;
    readonly currency: Currency;
    readonly valueMinor: Minor | null;
    readonly why: string;
    readonly inBox: boolean;
    /** By a credit signal, which is repeated until it is acknowledged; absent in older ones. */
    readonly signalled?: true;
    /** What the signal has named, of another currency: its value here is not known. */
    readonly named?: NamedNote;
  };
  /**
   * The device gives its credit signal for a note that is a case already: it lies in the box.
   * Nothing is credited.
   */
  'held-note-found': {
    readonly caseNo: number;
    readonly acceptor: number;
    readonly currency: Currency;
    readonly valueMinor: Minor;
    /** As in `note-held`. */
    readonly signalled?: true;
  };
  'held-note-resolved': {
    readonly caseNo: number;
    readonly acceptor: number;
    readonly credited: boolean;
    readonly seat: number | null;
    readonly currency: Currency;
    readonly valueMinor: Minor | null;
    readonly inBox: boolean;
    readonly person: Person;
    /** Absent in ledgers that knew credited or not, and one person. */
    readonly outcome?: HeldNoteOutcome;
    readonly reason?: HeldNoteReason;
    readonly words?: string;
    readonly second?: Person | null;
  };
  'cash-out-requested': {
    readonly seat: number;
    readonly requestId: string;
    readonly currency: Currency;
    readonly amountMinor: Minor;
    /**
     * Number of the receipt, one after the other over all hand-pays; absent in ledgers before it.
     */
    readonly payNo?: number;
  };
  'cash-out-cancelled': {
    readonly seat: number;
    readonly requestId: string;
    readonly currency: Currency;
    readonly amountMinor: Minor;
    /** Not by the player. */
    readonly byOrder?: ByOrder;
  };
  'hand-paid': {
    readonly seat: number;
    readonly requestId: string;
    readonly currency: Currency;
    readonly amountMinor: Minor;
    readonly person: Person;
    readonly second: Person | null;
    readonly payNo?: number;
    /** It was a win of that round and not the seat's credit. */
    readonly win?: true;
    /** Paid at the centre. */
    readonly byOrder?: ByOrder;
  };
  /** A win above the table's limit, right after the settlement that holds its money. */
  'substantial-win-noticed': {
    readonly seat: number;
    readonly requestId: string;
    readonly currency: Currency;
    readonly amountMinor: Minor;
  };
  /** Two persons have put a credit right; nothing that stands in the ledger is changed by it. */
  'credit-adjusted': {
    readonly seat: number;
    readonly currency: Currency;
    /** More (+) or less (-) credit. */
    readonly amountMinor: Minor;
    readonly reason: AdjustReason;
    readonly words: string;
    readonly corrects: Corrected;
    readonly complaintNo: number | null;
    readonly person: Person;
    readonly second: Person;
  };
  'complaint-raised': {
    readonly complaintNo: number;
    readonly seat: number;
    readonly roundNo: number;
    /**
     * Absent in ledgers before the complaint named its round, who raised it, and the cards as they
     * lay.
     */
    readonly ofRoundId?: string;
    readonly from?: 'player' | 'dealer';
    readonly cards?: LaidCards;
  };
  'complaint-closed': {
    readonly complaintNo: number;
    readonly upheld: boolean;
    readonly person: Person;
    readonly ofRoundId?: string;
    /** What its adjustments come to. */
    readonly adjustedMinor?: Minor;
  };
}

const dropNote = (state: TableState, noteId: string | null): void => {
  state.notes = state.notes.filter((note) => note.noteId !== noteId);
};

function fill(state: TableState, acceptor: number): void {
  while (state.boxNotes.length < acceptor) state.boxNotes.push(0);
  state.boxNotes[acceptor - 1]! += 1;
}

/** A note has come in, where the house wants every acceptor to wait after each one. */
function shutAfter(state: TableState, acceptor: number): void {
  const { shutAfterNote: shut = [], profile } = state;
  if (profile?.shutAfterNote && !shut.includes(acceptor)) state.shutAfterNote = [...shut, acceptor];
}

/** Money that came to a seat or left it by hand, for the session that runs there. */
function countMoney(state: TableState, seat: number, inMinor: number, outMinor: number): void {
  const session = state.seats[seat - 1]?.session;
  if (!session) return;
  session.inMinor = (session.inMinor + inMinor) as Minor;
  session.outMinor = (session.outMinor + outMinor) as Minor;
}

/** The unit's credit signal was about this note, and until it has gone on it may come again. */
function signalled(state: TableState, note: Omit<CreditedNote, 'closed'>): void {
  state.creditedNotes = [
    ...state.creditedNotes.filter(({ acceptor }) => acceptor !== note.acceptor),
    { ...note, closed: false },
  ];
}

/** Only where the house limits what is put in within a span of time. */
function countSpan(state: TableState, seat: number, valueMinor: number, atMs: number): void {
  if (state.profile?.noteLimits?.span === undefined) return;
  const account = state.seats[seat - 1]!;
  const { fromMs, inMinor } = account.span ?? { fromMs: atMs, inMinor: 0 };
  account.span = { fromMs, inMinor: minor(inMinor + valueMinor) };
}

export const CASH_ROWS = {
  'note-escrowed': {
    apply(state, { noteId, acceptor, seat, currency, valueMinor, atMs }) {
      state.notes.push({ noteId, acceptor, seat, currency, valueMinor, state: 'escrowed', sinceMs: atMs });
    },
    postings: null,
    codes: ['301'],
    words: 'event.note-escrowed',
  },
  'note-stack-requested': {
    apply(state, { noteId }) {
      for (const note of state.notes) if (note.noteId === noteId) note.state = 'stack-requested';
    },
    postings: null,
    codes: stepOf('301'),
    words: 'event.note-stack-requested',
  },
  'note-refused': {
    apply: null,
    postings: null,
    codes: [
      {
        code: '322',
        if: 'it would exceed the limit',
        when: ({ why }) => why === 'limit',
      },
      { code: '304', if: 'any other reason', when: ({ why }) => why !== 'limit' },
    ],
    words: 'event.note-refused',
  },
  'note-seat-chosen': {
    apply(state, { seat }) {
      state.noteSeat = seat;
    },
    postings: null,
    codes: { none: 'a choice of where the next note goes' },
    words: 'event.note-seat-chosen',
  },
  'note-credited': {
    apply(state, { noteId, acceptor, seat, valueMinor, atMs }) {
      dropNote(state, noteId);
      signalled(state, { acceptor, noteId, valueMinor });
      fill(state, acceptor);
      shutAfter(state, acceptor);
      addCredit(state, seat, valueMinor);
      countMoney(state, seat, valueMinor, 0);
      countSpan(state, seat, valueMinor, atMs);
    },
    postings: ({ currency, acceptor, seat, valueMinor }) =>
      move(currency, cashBox(acceptor), seatCredit(seat), valueMinor),
    codes: ['302'],
    words: 'event.note-credited',
  },
  'acceptor-opened': {
    apply(state, { acceptor }) {
      const shut = (state.shutAfterNote ?? []).filter((other) => other !== acceptor);
      if (shut.length > 0) state.shutAfterNote = shut;
      else delete state.shutAfterNote;
    },
    postings: null,
    codes: ['316C'],
    words: 'event.acceptor-opened',
  },
  'note-closed': {
    apply(state, { noteId }) {
      state.creditedNotes = state.creditedNotes.map((note) =>
        note.noteId === noteId ? { ...note, closed: true } : note,
      );
    },
    postings: null,
    codes: stepOf('302'),
    words: 'event.note-closed',
  },
  'note-returned': {
    apply(state, { noteId }) {
      dropNote(state, noteId);
    },
    postings: null,
    codes: ['303'],
    words: 'event.note-returned',
  },
  'note-held': {
    apply(state, event) {
      const { caseNo, noteId, acceptor, seat, currency, valueMinor, why, inBox, atMs } = event;
      dropNote(state, noteId);
      state.heldNotes.push({
        caseNo,
        noteId,
        acceptor,
        seat,
        currency,
        valueMinor,
        why,
        inBox,
        sinceMs: atMs,
      });
      state.nextCaseNo = caseNo + 1;
      if (inBox) {
        fill(state, acceptor);
        shutAfter(state, acceptor);
      }
      const { named } = event;
      if (event.signalled)
        signalled(state, { acceptor, noteId: `case:${caseNo}`, valueMinor, ...(named ? { named } : {}) });
    },
    postings: ({ currency, acceptor, valueMinor, inBox }) =>
      valueMinor === null
        ? []
        : move(currency, inBox ? cashBox(acceptor) : 'notes-in-doubt', 'held-notes', valueMinor),
    codes: ['313'],
    words: 'event.note-held',
  },
  'held-note-found': {
    apply(state, { caseNo, acceptor, valueMinor, signalled: again }) {
      for (const note of state.heldNotes) if (note.caseNo === caseNo) note.inBox = true;
      fill(state, acceptor);
      shutAfter(state, acceptor);
      if (again) signalled(state, { acceptor, noteId: `case:${caseNo}`, valueMinor });
    },
    postings: ({ currency, acceptor, valueMinor }) =>
      move(currency, cashBox(acceptor), 'notes-in-doubt', valueMinor),
    codes: ['313'],
    words: 'event.held-note-found',
  },
  'held-note-resolved': {
    apply(state, { caseNo, acceptor, credited, seat, valueMinor, inBox }) {
      state.heldNotes = state.heldNotes.filter((note) => note.caseNo !== caseNo);
      if (credited && seat !== null && valueMinor !== null) {
        addCredit(state, seat, valueMinor);
        countMoney(state, seat, valueMinor, 0);
        if (!inBox) fill(state, acceptor);
      }
    },
    postings({ credited, seat, valueMinor, currency, acceptor, inBox, outcome }) {
      if (valueMinor === null) return [];
      if (credited && seat !== null) {
        // Credited although the device never said so: the attendant has found it in the box.
        const found = inBox ? [] : move(currency, cashBox(acceptor), 'notes-in-doubt', valueMinor);
        return [...move(currency, 'held-notes', seatCredit(seat), valueMinor), ...found];
      }
      // Returned: the note itself where it lay outside the box, else as much in cash over the
      // counter.
      const inCash = outcome === 'returned' ? 'hand-pay' : 'unclaimed';
      return move(currency, 'held-notes', inBox ? inCash : 'notes-in-doubt', valueMinor);
    },
    codes: ['314'],
    words: 'event.held-note-resolved',
  },
  'cash-out-requested': {
    apply(state, { seat, requestId, amountMinor, atMs, payNo }) {
      addCredit(state, seat, -amountMinor);
      state.seats[seat - 1]!.cashOut = {
        requestId,
        amountMinor,
        sinceMs: atMs,
        ...(payNo === undefined ? {} : { payNo }),
      };
      if (payNo !== undefined) state.nextPayNo = payNo + 1;
    },
    postings: ({ currency, seat, amountMinor }) =>
      move(currency, seatCredit(seat), handPayPending(seat), amountMinor),
    codes: ['601', '602'],
    words: 'event.cash-out-requested',
  },
  'cash-out-cancelled': {
    apply(state, { seat, amountMinor }) {
      state.seats[seat - 1]!.cashOut = null;
      addCredit(state, seat, amountMinor);
    },
    postings: ({ currency, seat, amountMinor }) =>
      move(currency, handPayPending(seat), seatCredit(seat), amountMinor),
    codes: ['601C', '602C'],
    words: 'event.cash-out-cancelled',
  },
  'hand-paid': {
    apply(state, { seat, amountMinor, requestId, win }) {
      const account = state.seats[seat - 1]!;
      countMoney(state, seat, 0, amountMinor);
      if (!win) account.cashOut = null;
      else {
        const others = account.wins?.filter((other) => other.requestId !== requestId) ?? [];
        if (others.length > 0) account.wins = others;
        else delete account.wins;
      }
    },
    postings: ({ currency, seat, amountMinor }) =>
      move(currency, handPayPending(seat), 'hand-pay', amountMinor),
    codes: ['603', '602C'],
    words: 'event.hand-paid',
  },
  'substantial-win-noticed': {
    apply: null,
    postings: null,
    codes: ['511'],
    words: 'event.substantial-win-noticed',
  },
  'credit-adjusted': {
    apply(state, { seat, amountMinor, reason, complaintNo }) {
      addCredit(state, seat, amountMinor);
      // A note or a payment put right is money in or out; anything else belongs to what was won and
      // lost.
      if (reason === 'note-wrong') countMoney(state, seat, amountMinor, 0);
      if (reason === 'hand-pay-wrong') countMoney(state, seat, 0, -amountMinor);
      const complaint = state.complaints.find((open) => open.complaintNo === complaintNo);
      if (complaint) complaint.adjustedMinor = minor((complaint.adjustedMinor ?? 0) + amountMinor);
    },
    postings: ({ currency, seat, amountMinor }) =>
      move(currency, 'adjustments', seatCredit(seat), amountMinor),
    codes: ['607'],
    words: 'event.credit-adjusted',
  },
  'complaint-raised': {
    apply(state, { complaintNo, seat, roundNo, atMs, ofRoundId, from }) {
      const named = ofRoundId === undefined || from === undefined ? {} : { ofRoundId, from };
      state.complaints.push({ complaintNo, seat, roundNo, sinceMs: atMs, ...named });
      state.nextComplaintNo = complaintNo + 1;
    },
    postings: null,
    codes: ['510'],
    words: 'event.complaint-raised',
  },
  'complaint-closed': {
    apply(state, { complaintNo }) {
      state.complaints = state.complaints.filter((open) => open.complaintNo !== complaintNo);
    },
    postings: null,
    codes: ['510C'],
    words: 'event.complaint-closed',
  },
} as const satisfies Rows<CashEvents>;
