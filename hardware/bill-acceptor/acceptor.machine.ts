/**
 * What every machine of a bill acceptor does alike: what the host asks for, and what it hears of
 * the unit and of its note.
 */
import type { AcceptorEvent, AcceptorState, Note, UnitNote } from '../ports.ts';
import type { Step } from '../transport/machine.ts';
import {
  CLOSED_LINE,
  type Draft,
  type Line,
  type Out,
  type Protocol,
  stepOf,
} from '../transport/protocol.ts';

/** What the host asks of a bill acceptor, whatever protocol says it. */
export type AcceptorCommand =
  | { readonly type: 'allow'; readonly notesMinor: readonly number[] }
  | { readonly type: 'try-notes' }
  | { readonly type: 'confirm'; readonly notes: Readonly<Record<string, Note>> }
  | { readonly type: 'stack' | 'return' | 'hold' | 'acknowledge-credit' };

/** The note between escrow and its end. */
export interface HeldNote {
  readonly note: Note | null;
  readonly announced: boolean;
  readonly asked: 'nothing' | 'stack' | 'return' | 'hold';
  readonly stackSent: boolean;
  /**
   * `acknowledged`: the host has committed; a protocol has a word more for the unit that knows it,
   * too.
   */
  readonly outcome: 'pending' | 'returning' | 'credited' | 'acknowledged';
  /** The link was lost since: the host hears of the same note in escrow once more. */
  readonly lost: boolean;
}

export const UNHEARD_NOTE: HeldNote = {
  note: null,
  announced: false,
  asked: 'nothing',
  stackSent: false,
  outcome: 'pending',
  lost: false,
};

type Held = Omit<HeldNote, 'outcome'> & { readonly outcome: string };

export interface AcceptorLine extends Line {
  readonly allowedMinor: readonly number[];
  /** What may be taken is another thing than the unit was told: it is said before the next poll. */
  readonly isNews: boolean;
  /** Every note comes in, and goes back. */
  readonly isTrying: boolean;
  /** Rows of the unit's table that count, by what it says; null = its own words do. */
  readonly confirmed: Readonly<Record<string, Note>> | null;
  /** State and detail that the host was told last. */
  readonly reported: AcceptorState;
  readonly detail: string | null;
  readonly held: Held | null;
  /** Nothing is known yet of a note that an earlier life of the host may have told to stack. */
  readonly pastOpen: boolean;
}

export const NEW_ACCEPTOR_LINE = {
  ...CLOSED_LINE,
  allowedMinor: [],
  isNews: false,
  isTrying: false,
  confirmed: null,
  reported: 'offline',
  detail: null,
  held: null,
  pastOpen: true,
} as const satisfies AcceptorLine;

type AcceptorOut = Out<AcceptorEvent>;

/** `acknowledged`: the host has committed, and what that means to this protocol is to be done. */
export function stepOfAcceptor<State extends AcceptorLine, Frame>(
  protocol: Pick<
    Protocol<State, AcceptorEvent, AcceptorCommand, Frame>,
    'parse' | 'opened' | 'hear' | 'speak' | 'forget'
  > & { acknowledged?(s: Draft<State>): void },
): Step<State, AcceptorEvent, AcceptorCommand> {
  const change = (s: Draft<AcceptorLine>, changes: Partial<Held>): void => {
    if (s.held !== null) s.held = { ...s.held, ...changes };
  };
  return stepOf({
    ...protocol,
    obey: (draft, _out, command) => {
      const s = draft as Draft<AcceptorLine>;
      if (command.type === 'allow' || command.type === 'try-notes') {
        const isTrying = command.type === 'try-notes';
        const allowedMinor = isTrying ? [] : [...command.notesMinor];
        if (isTrying !== s.isTrying || allowedMinor.join() !== s.allowedMinor.join()) s.isNews = true;
        s.isTrying = isTrying;
        s.allowedMinor = allowedMinor;
      } else if (command.type === 'confirm') s.confirmed = command.notes;
      else if (command.type === 'acknowledge-credit') {
        if (s.held?.outcome !== 'credited') return;
        change(s, { outcome: 'acknowledged' });
        protocol.acknowledged?.(draft);
      } else if (s.held?.outcome === 'pending') change(s, { asked: command.type });
    },
    forget: (draft) => {
      protocol.forget(draft);
      change(draft as Draft<AcceptorLine>, { lost: true, asked: 'nothing' });
    },
    lost: (draft, out) => report(draft as Draft<AcceptorLine>, out, 'offline', null),
  });
}

/** What the unit's own words make of a row of its table; null = they do not say it whole. */
export const ownWorth = ({ valueMinor, currency }: UnitNote): Note | null =>
  valueMinor === null || currency === null ? null : { currency, valueMinor };

/** What a row counts for: what was confirmed of it, as long as the unit does not say otherwise. */
export function worthOf({ confirmed }: Pick<AcceptorLine, 'confirmed'>, row: UnitNote): Note | null {
  if (confirmed === null) return ownWorth(row);
  const note = Object.hasOwn(confirmed, row.said) ? confirmed[row.said] : undefined;
  const agrees =
    note?.valueMinor === row.valueMinor && (row.currency === null || note?.currency === row.currency);
  return note !== undefined && agrees ? note : null;
}

/** Whether a note of this row may come in: one that is allowed, of `currencies` (null = any). */
export function isWanted(
  s: Pick<AcceptorLine, 'confirmed' | 'isTrying' | 'allowedMinor'>,
  row: UnitNote,
  currencies: readonly string[] | null,
): boolean {
  if (s.isTrying) return true;
  const note = worthOf(s, row);
  return (
    note !== null &&
    s.allowedMinor.includes(note.valueMinor) &&
    (currencies === null || currencies.includes(note.currency))
  );
}

/**
 * The host hears of the note in escrow once; `row` null = the unit has none for it. A note that
 * is tried is given back, and nobody is asked.
 */
export function announceEscrow<H extends Held>(
  s: Pick<AcceptorLine, 'confirmed' | 'isTrying'>,
  out: AcceptorOut,
  held: H,
  row: UnitNote | null,
): H {
  if (s.isTrying) {
    tell(out, { type: 'tried', note: row });
    return { ...held, announced: true, asked: 'return' };
  }
  const note = row === null ? null : worthOf(s, row);
  tell(out, { type: 'escrowed', note });
  return { ...held, note, announced: true };
}

/** Tells the host what the unit does now, where it is news. */
export function report(
  s: Draft<Pick<AcceptorLine, 'reported' | 'detail'>>,
  out: AcceptorOut,
  state: AcceptorState,
  detail: string | null,
): void {
  if (s.reported === state && s.detail === detail) return;
  s.reported = state;
  s.detail = detail;
  tell(out, { type: 'state', state, detail });
}

export const tell = (out: AcceptorOut, event: AcceptorEvent): void => {
  out.push({ type: 'event', event });
};
