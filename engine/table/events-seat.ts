import { type Currency, type Minor, ZERO } from '../core/money.ts';
import type { RejectCode } from '../core/result.ts';
import type { Comfort } from './comfort.ts';
import { type Rows, stepOf } from './event-row.ts';
import type { Act, Language, LimitsSince, OwnLimitKind, OwnLimits } from './inputs.ts';
import { forgetResult, handAt } from './places.ts';
import type { Session, TableState } from './state.ts';

/** For which hand, and who decides it. */
export interface Noted {
  readonly seat: number;
  readonly by: number;
  readonly hand: number;
}

/** Of whoever sits at a seat: how it is shown, session and limits, what is noted ahead. */
export interface SeatEvents {
  'language-set': { readonly seat: number; readonly language: Language };
  'comfort-set': { readonly seat: number; readonly comfort: Comfort };
  /** `broughtMinor`: what is at the seat at this moment; the session's first money in. */
  'session-began': {
    readonly seat: number;
    readonly currency: Currency;
    readonly broughtMinor: Minor;
    /** Its rounds are counted; absent in entries of before that. */
    readonly counts?: true;
  };
  /**
   * What was put in and paid out; the difference was lost (+) or won (-). Comfort and limits end
   * with it.
   */
  'session-ended': {
    readonly seat: number;
    readonly currency: Currency;
    readonly inMinor: Minor;
    readonly outMinor: Minor;
    readonly forMs: number;
  };
  /** `since` is absent in entries of older programs. */
  'own-limits-set': { readonly seat: number; readonly since?: LimitsSince } & OwnLimits;
  /** `resultMinor`: won (+) or lost (-) in this session so far. */
  'own-limit-reached': {
    readonly seat: number;
    readonly kind: OwnLimitKind;
    readonly currency: Currency;
    readonly resultMinor: Minor;
    readonly forMs: number;
  };
  /** The next reminder comes after as much again, from this time and this result on. */
  'own-limit-confirmed': {
    readonly seat: number;
    readonly kind: OwnLimitKind;
    readonly currency: Currency;
    readonly resultMinor: Minor;
  };
  'break-began': { readonly seat: number; readonly untilMs: number };
  /** It has lasted for as long as the house lets its staff be told. */
  'session-long': { readonly seat: number; readonly forMs: number };
  /** Notes may be put in afresh; `inMinor`: what was, within the span of the house. */
  'note-span-ended': { readonly seat: number; readonly currency: Currency; readonly inMinor: Minor };
  'attendant-called': { readonly seat: number; readonly on: boolean };
  'intent-noted': {
    /** null = taken back */
    readonly act: Act | null;
    readonly touchedAtMs: number;
  } & Noted;
  /** It was said in its turn: the decision stands right before. */
  'intent-taken': { readonly act: Act } & Noted;
  /** Its turn has come and it is not lawful any more: nothing was decided. */
  'intent-dropped': {
    readonly act: Act;
    readonly code: RejectCode;
    readonly cites: readonly string[];
  } & Noted;
}

const sessionAt = (state: TableState, seat: number): Session => state.seats[seat - 1]!.session!;

export const SEAT_ROWS = {
  'language-set': {
    apply(state, { seat, language }) {
      state.seats[seat - 1]!.language = language;
    },
    postings: null,
    codes: { none: 'a seat reads another language; nothing else changes' },
    words: 'event.language-set',
  },
  'comfort-set': {
    apply(state, { seat, comfort }) {
      state.seats[seat - 1]!.comfort = comfort;
    },
    postings: null,
    codes: { none: 'a seat is shown in another way; nothing else changes' },
    words: 'event.comfort-set',
  },
  'session-began': {
    apply(state, { seat, atMs, broughtMinor, counts }) {
      state.seats[seat - 1]!.session = {
        sinceMs: atMs,
        inMinor: broughtMinor,
        outMinor: ZERO,
        limits: { timeMs: null, lossMinor: null },
        reached: null,
        hasReached: false,
        timeFromMs: atMs,
        lossFromMinor: ZERO,
        ...(counts ? { rounds: 0, largestLossMinor: ZERO } : {}),
      };
    },
    postings: null,
    codes: { none: 'money has come to an empty seat, which 302, 314 or 607 tells' },
    words: 'event.session-began',
  },
  'session-ended': {
    apply(state, event) {
      const seat = state.seats[event.seat - 1]!;
      delete seat.session;
      delete seat.comfort;
      forgetResult(state, event.seat);
    },
    postings: null,
    codes: { none: 'the seat is empty, which 603 or the last 507 tells' },
    words: 'event.session-ended',
  },
  'own-limits-set': {
    apply(state, { seat, timeMs, lossMinor, inMinor, since }) {
      const ofMoneyIn = inMinor === undefined ? {} : { inMinor };
      const session = sessionAt(state, seat);
      session.limits = { timeMs, lossMinor, ...ofMoneyIn };
      if (since !== undefined) session.limitsSince = since;
    },
    postings: null,
    codes: ['954'],
    words: 'event.own-limits-set',
  },
  'own-limit-reached': {
    apply(state, { seat, kind }) {
      const session = sessionAt(state, seat);
      session.reached = kind;
      session.hasReached = true;
    },
    postings: null,
    codes: ['952'],
    words: 'event.own-limit-reached',
  },
  'own-limit-confirmed': {
    apply(state, { seat, kind, atMs, resultMinor }) {
      const session = sessionAt(state, seat);
      session.reached = null;
      if (kind === 'time') session.timeFromMs = atMs;
      else if (kind === 'loss') session.lossFromMinor = resultMinor;
      delete session.breakUntilMs;
    },
    postings: null,
    codes: ['952C'],
    words: 'event.own-limit-confirmed',
  },
  'break-began': {
    apply(state, { seat, untilMs }) {
      const session = sessionAt(state, seat);
      session.reached = 'break';
      session.breakUntilMs = untilMs;
    },
    postings: null,
    codes: ['952'],
    words: 'event.break-began',
  },
  'session-long': {
    apply(state, { seat }) {
      sessionAt(state, seat).isLong = true;
    },
    postings: null,
    codes: ['955'],
    words: 'event.session-long',
  },
  'note-span-ended': {
    apply(state, { seat }) {
      delete state.seats[seat - 1]!.span;
    },
    postings: null,
    codes: { none: 'time has passed; each note of the span stands under 302' },
    words: 'event.note-span-ended',
  },
  'attendant-called': {
    apply(state, { seat, on }) {
      state.seats[seat - 1]!.callsAttendant = on;
    },
    postings: null,
    codes: [
      { code: '606', if: 'called', when: ({ on }) => on },
      { code: '606C', if: 'no longer', when: ({ on }) => !on },
    ],
    words: 'event.attendant-called',
  },
  'intent-noted': {
    apply(state, { seat, by, hand, act }) {
      const round = state.round!;
      const others = (round.intents ?? []).filter((intent) => intent.by !== by);
      const cards = [...handAt(round, seat, hand).cards];
      round.intents = act === null ? others : [...others, { seat, by, hand, act, cards }];
    },
    postings: null,
    codes: { none: 'no decision yet; it moves nothing and may be taken back' },
    words: 'event.intent-noted',
  },
  'intent-taken': {
    apply(state, { by }) {
      const round = state.round!;
      round.intents = round.intents!.filter((intent) => intent.by !== by);
    },
    postings: null,
    codes: stepOf('506'),
    words: 'event.intent-taken',
  },
  'intent-dropped': {
    apply(state, { by, code, cites }) {
      for (const intent of state.round!.intents!) if (intent.by === by) intent.dropped = { code, cites };
    },
    postings: null,
    codes: { none: 'what was noted could not be said any more; nothing was decided' },
    words: 'event.intent-dropped',
  },
} as const satisfies Rows<SeatEvents>;
