/**
 * The law of a banknote: which notes an acceptor may take now, and what follows from each word it
 * says. The row of the matrix is done here, as events and as effects that the host obeys once the
 * events are on disk; the unit's acknowledgement is one of them, and leaves from here alone.
 */
import { CURRENCIES, type Minor, minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { isHeldByBooks } from './cards.ts';
import { isNoteOpen, isOffByCentre } from './centre.ts';
import { creditOf, type Draft, type Effect, profileOf, seatOf } from './draft.ts';
import { boxOf } from './drop.ts';
import { BOX_KEEPERS } from './duties.ts';
import type { EventOf } from './events.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { decideNote, type NoteRecord, type NoteWord } from './note-matrix.ts';
import { houseRoomMinor, ownRoomMinor } from './sessions.ts';
import type { HeldNote, NoteInFlight, TableState } from './state.ts';

// ---- what may be taken ----

/**
 * The seat a note in this acceptor is for: its own, or the one chosen where a single acceptor is
 * shared.
 */
function seatOfAcceptor(state: TableState, acceptor: number): number | null {
  if (state.profile?.acceptors === 'shared') return acceptor === 1 ? state.noteSeat : null;
  return state.seats[acceptor - 1] ? acceptor : null;
}

const inFlight = (state: TableState, acceptor: number): NoteInFlight | undefined =>
  state.notes.find((note) => note.acceptor === acceptor);

/**
 * Notes an acceptor may take now, ascending, minor units of the table's currency; empty = inhibit
 * it.
 */
export const allowedNotes = (state: TableState, acceptor: number): Minor[] =>
  whyShut(state, acceptor) === null && !inFlight(state, acceptor) ? notesWithin(state, acceptor) : [];

/** Those that are open, and that seat and player have room for. */
function notesWithin(state: TableState, acceptor: number): Minor[] {
  const { notesMinor, maxCreditMinor } = profileOf(state);
  const seat = seatOfAcceptor(state, acceptor)!;
  const room = Math.min(
    maxCreditMinor - creditOf(state, seat),
    ownRoomMinor(state, seat),
    houseRoomMinor(state, seat),
  );
  return notesMinor
    .filter((note) => note <= room && isNoteOpen(state, acceptor, note))
    .toSorted((a, b) => a - b);
}

/** The largest note that credit and own limit of a seat leave room for; null = none. */
export function largestNote(state: TableState, seat: number): Minor | null {
  const acceptor = state.profile?.acceptors === 'shared' ? 1 : seat;
  if (seatOfAcceptor(state, acceptor) !== seat) return null;
  return notesWithin(state, acceptor).at(-1) ?? null;
}

/**
 * Why the table takes no note at this acceptor, whether or not one is on its way; null = it does.
 */
export function whyShut(
  state: TableState,
  acceptor: number,
): 'closed' | 'service' | 'held' | 'centre' | 'after-note' | 'box-out' | 'seat' | 'limit' | null {
  if (!state.profile) return 'closed';
  if (state.service) return 'service';
  if (isHeldByBooks(state)) return 'held';
  if (isOffByCentre(state, acceptor)) return 'centre';
  if (isShutAfterNote(state, acceptor)) return 'after-note';
  if (boxOf(state, acceptor) === 'out') return 'box-out';
  if (seatOfAcceptor(state, acceptor) === null) return 'seat';
  return notesWithin(state, acceptor).length === 0 ? 'limit' : null;
}

function whyRefused(
  state: TableState,
  input: Pick<EventOf<'note-refused'>, 'acceptor' | 'currency' | 'valueMinor'>,
): EventOf<'note-refused'>['why'] | null {
  const { profile } = state;
  if (!profile) return 'closed';
  if (state.service) return 'service';
  if (isHeldByBooks(state)) return 'held';
  if (inFlight(state, input.acceptor)) return 'in-flight';
  if (input.currency !== profile.currency) return 'currency';
  if (!profile.notesMinor.includes(input.valueMinor)) return 'denomination';
  if (isOffByCentre(state, input.acceptor) || isShutAfterNote(state, input.acceptor)) return 'acceptor-off';
  if (!isNoteOpen(state, input.acceptor, input.valueMinor)) return 'denomination';
  const seat = seatOfAcceptor(state, input.acceptor);
  if (seat === null) return 'seat';
  if (creditOf(state, seat) + input.valueMinor > profile.maxCreditMinor) return 'limit';
  if (input.valueMinor > houseRoomMinor(state, seat)) return 'house-limit';
  return input.valueMinor > ownRoomMinor(state, seat) ? 'own-limit' : null;
}

/** A note of the profile that is refused all the same. */
const isRefusedByCentre = (
  state: TableState,
  why: EventOf<'note-refused'>['why'],
  { acceptor, valueMinor }: { readonly acceptor: number; readonly valueMinor: Minor },
): boolean =>
  (why === 'acceptor-off' && isOffByCentre(state, acceptor)) ||
  (why === 'denomination' && state.profile?.notesMinor.includes(valueMinor) === true);

/** It has taken a note, and nobody has opened it since. */
export const isShutAfterNote = ({ shutAfterNote = [] }: TableState, acceptor: number): boolean =>
  shutAfterNote.includes(acceptor);

/** The centre opens what is shut, be it nothing; a person opens what they see shut. */
export function openAcceptor(draft: Draft, input: InputOf<'open-acceptor'>): Rejection | null {
  const { state, atMs } = draft;
  const { acceptor: named, person, byOrder } = input;
  if (person !== null && !BOX_KEEPERS.includes(person.role))
    return reject('person', [], BOX_KEEPERS.join(' or '));
  const shut = (state.shutAfterNote ?? []).filter((acceptor) => named === null || acceptor === named);
  if (shut.length === 0 && person !== null)
    return reject('nothing-to-do', [], `acceptor ${named} is not shut after a note`);
  for (const acceptor of shut)
    emit(draft, {
      type: 'acceptor-opened',
      atMs,
      acceptor,
      person,
      ...(byOrder === undefined ? {} : { byOrder }),
    });
  return null;
}

export function chooseNoteSeat(draft: Draft, input: InputOf<'choose-note-seat'>): Rejection | null {
  const { state } = draft;
  if (profileOf(state).acceptors !== 'shared') return reject('off', [], 'each seat has its own acceptor');
  if (input.seat !== null && !seatOf(state, input.seat)) return reject('unknown-seat');
  if (inFlight(state, 1)) return reject('not-allowed', [], 'a note is on its way');
  emit(draft, { type: 'note-seat-chosen', atMs: draft.atMs, seat: input.seat });
  return null;
}

// ---- what an acceptor says ----

type Heard = InputOf<'hear-acceptor'>;
type Named = NonNullable<Heard['note']>;

/** The record of an acceptor's last note, and the note it is about. */
type Recorded =
  | { readonly record: 'none'; readonly note: null }
  | { readonly record: 'stack-requested'; readonly note: NoteInFlight & Unnamed }
  | { readonly record: 'credited'; readonly note: TableState['creditedNotes'][number] }
  | { readonly record: 'held'; readonly note: HeldNote & Unnamed };
type Unnamed = { readonly named?: never };

function recorded(state: TableState, acceptor: number, named: Named | null): Recorded {
  const open = inFlight(state, acceptor);
  if (open) return { record: 'stack-requested', note: open };
  const credited = state.creditedNotes.find((note) => note.acceptor === acceptor && !note.closed);
  if (credited) return { record: 'credited', note: credited };
  const cases = state.heldNotes.filter((held) => held.acceptor === acceptor && !held.inBox);
  // The newest that may be the note named, of several cases.
  const held = cases.findLast(({ valueMinor }) => valueMinor === named?.valueMinor) ?? cases.at(-1);
  return held ? { record: 'held', note: held } : { record: 'none', note: null };
}

export const recordOf = (state: TableState, acceptor: number): NoteRecord =>
  recorded(state, acceptor, null).record;

/**
 * What is said, as a word of the matrix. A credit signal without a value is about our note; a note
 * in escrow that the unit cannot name is not.
 */
function wordOf(state: TableState, { word, note: named = null }: Heard, { note: ours }: Recorded): NoteWord {
  if ((word !== 'escrow' && word !== 'credited') || ours === null) return word;
  if (named === null) return word === 'credited' ? word : 'escrow-other';
  // No other profile comes into force while a note is on its way or held.
  const { valueMinor, currency } = ours.named ?? { ...ours, currency: state.profile?.currency };
  const isOurs = named.valueMinor === valueMinor && named.currency === currency;
  return isOurs ? word : `${word}-other`;
}

const tell = (draft: Draft, ...effects: readonly Effect[]): void => {
  draft.effects.push(...effects);
};

/**
 * Does what the matrix says. A terminal that is locked writes nothing about a note and acknowledges
 * none: its unit says the same again to the life that can take it.
 */
export function hearAcceptor(draft: Draft, heard: Heard): Rejection | null {
  const { state, atMs } = draft;
  const { acceptor, note: named = null, isLocked = false } = heard;
  if (named !== null && (!Number.isSafeInteger(named.valueMinor) || named.valueMinor <= 0))
    return reject('malformed', [], 'valueMinor');
  if (heard.word === 'escrow' && (heard.noteId === undefined || isKnownNote(state, heard.noteId)))
    return reject('duplicate', [], `note ${heard.noteId}`);
  if (heard.word === 'credited' && state.profile === null)
    return reject('not-due', [], 'the table has no profile');
  const ours = recorded(state, acceptor, named);
  const word = wordOf(state, heard, ours);
  const decision = decideNote(ours.record, word);
  switch (decision) {
    case 'nothing':
    case 'wait':
      return null;
    case 'stack-again':
      tell(draft, { type: 'stack-note', acceptor, noteId: inFlight(state, acceptor)!.noteId });
      return null;
    case 'decide':
      return decideEscrow(draft, heard);
    case 'close-and-decide':
      if (!isLocked) closeNote(draft, acceptor);
      return decideEscrow(draft, heard);
    case 'close':
      if (!isLocked) closeNote(draft, acceptor);
      return null;
    case 'close-returned': {
      const { noteId } = inFlight(state, acceptor)!;
      if (!isLocked) emit(draft, { type: 'note-returned', atMs, noteId, acceptor });
      return null;
    }
    case 'hold-and-decide':
      if (isLocked) return decideEscrow(draft, heard);
      hold(draft, acceptor, word);
      // The case shuts this acceptor, also to the note that has brought it up.
      tell(draft, { type: 'hear-again', acceptor });
      return null;
    case 'hold':
      if (!isLocked) hold(draft, acceptor, word);
      if (word === 'stacked') tell(draft, { type: 'report-sequence', acceptor });
      return null;
    case 'acknowledge':
      tell(draft, { type: 'record', event: { type: 'note-credit-repeated', acceptor } });
      return acknowledge(draft, acceptor);
    case 'credit':
    case 'find':
    case 'hold-orphan':
      if (isLocked) return null;
      takeCredit(draft, ours, decision, heard);
      return acknowledge(draft, acceptor);
  }
}

/** Only once the note's fate is on disk: with this the unit forgets it. */
function acknowledge(draft: Draft, acceptor: number): null {
  tell(draft, { type: 'acknowledge-credit', acceptor });
  return null;
}

/** A note is held in escrow: the intent to stack it is written before the device gets the order. */
function decideEscrow(draft: Draft, { acceptor, note, noteId = '', shutBy = null }: Heard): null {
  const { state, atMs } = draft;
  const currency = CURRENCIES.find((known) => known === note?.currency);
  if (!currency || shutBy !== null) {
    const reason = !note
      ? 'a note the unit has no name for'
      : currency
        ? `the acceptor is off: ${shutBy}`
        : `a note in ${note.currency}`;
    tell(
      draft,
      { type: 'record', event: { type: 'note-rejected-by-device', acceptor, reason } },
      { type: 'return-note', acceptor },
    );
    return null;
  }
  const valueMinor = minor(note!.valueMinor);
  const why = whyRefused(state, { acceptor, currency, valueMinor });
  if (why !== null) {
    emit(draft, {
      type: 'note-refused',
      atMs,
      noteId,
      acceptor,
      currency,
      valueMinor,
      why,
      ...(isRefusedByCentre(state, why, { acceptor, valueMinor }) ? { byCentre: true as const } : {}),
    });
    tell(draft, { type: 'return-note', acceptor });
    return null;
  }
  const seat = seatOfAcceptor(state, acceptor)!;
  emit(draft, { type: 'note-escrowed', atMs, noteId, acceptor, seat, currency, valueMinor });
  emit(draft, { type: 'note-stack-requested', atMs, noteId, acceptor });
  tell(draft, { type: 'stack-note', acceptor, noteId });
  return null;
}

const isKnownNote = (state: TableState, noteId: string): boolean =>
  state.notes.some((note) => note.noteId === noteId) ||
  state.heldNotes.some((note) => note.noteId === noteId) ||
  state.creditedNotes.some((note) => note.noteId === noteId);

/**
 * The unit's credit signal: the note asked for is credited once; whatever else it is about, nobody
 * is credited in silence.
 */
function takeCredit(
  draft: Draft,
  { record, note: ours }: Recorded,
  decision: 'credit' | 'find' | 'hold-orphan',
  { acceptor, note: named = null }: Heard,
): void {
  const { state, atMs } = draft;
  if (decision === 'credit' && record === 'stack-requested') {
    const { noteId, seat, currency, valueMinor } = ours;
    emit(draft, { type: 'note-credited', atMs, noteId, acceptor, seat, currency, valueMinor });
  } else if (decision === 'find' && record === 'held') {
    const { caseNo, currency, valueMinor } = ours;
    emit(draft, {
      type: 'held-note-found',
      atMs,
      caseNo,
      acceptor,
      currency,
      valueMinor: valueMinor!,
      signalled: true,
    });
  } else {
    const { currency } = profileOf(state);
    // Of a note of another currency nobody has said what it is worth here.
    const isForeign = named !== null && named.currency !== currency;
    const why = record === 'stack-requested' ? 'value-differs' : 'stacked-without-escrow';
    emit(draft, {
      type: 'note-held',
      atMs,
      caseNo: state.nextCaseNo,
      noteId: record === 'stack-requested' ? ours.noteId : null,
      acceptor,
      seat: seatOfAcceptor(state, acceptor),
      currency,
      valueMinor: isForeign ? null : named && minor(named.valueMinor),
      why: isForeign ? 'currency' : why,
      inBox: true,
      signalled: true,
      ...(isForeign ? { named } : {}),
    });
  }
}

/** Nobody can say what became of the note: it becomes a visible case. */
function hold(draft: Draft, acceptor: number, why: NoteWord): void {
  const { noteId, seat, currency, valueMinor } = inFlight(draft.state, acceptor)!;
  emit(draft, {
    type: 'note-held',
    atMs: draft.atMs,
    caseNo: draft.state.nextCaseNo,
    noteId,
    acceptor,
    seat,
    currency,
    valueMinor,
    why,
    inBox: false,
  });
}

/**
 * The unit has gone on after its credit signal: the next one is not about the note credited last.
 */
function closeNote(draft: Draft, acceptor: number): void {
  const { noteId } = draft.state.creditedNotes.find((note) => note.acceptor === acceptor)!;
  emit(draft, { type: 'note-closed', atMs: draft.atMs, noteId, acceptor });
}
