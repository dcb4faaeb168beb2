import type { Minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { areBooksFaulty } from './cards.ts';
import { isNoteOpen, isOffByCentre } from './centre.ts';
import { creditOf, type Draft, emit, profileOf, seatOf } from './draft.ts';
import { refusePersons } from './duties.ts';
import type { EventOf } from './events.ts';
import type { InputOf } from './inputs.ts';
import type { NoteInFlight, TableState } from './state.ts';

/** The seat a note in this acceptor is for: its own, or the one chosen where a single acceptor is shared. */
function seatOfAcceptor(state: TableState, acceptor: number): number | null {
  if (state.profile?.acceptors === 'shared') return acceptor === 1 ? state.noteSeat : null;
  return state.seats[acceptor - 1] ? acceptor : null;
}

const inFlight = (state: TableState, acceptor: number): NoteInFlight | undefined =>
  state.notes.find((note) => note.acceptor === acceptor);

/** Notes an acceptor may take now, ascending, minor units of the table's currency; empty = inhibit it. */
export const allowedNotes = (state: TableState, acceptor: number): Minor[] =>
  whyShut(state, acceptor) === null && !inFlight(state, acceptor) ? notesWithin(state, acceptor) : [];

/** Those that are open and that the credit of the seat has room for. */
function notesWithin(state: TableState, acceptor: number): Minor[] {
  const { notesMinor, maxCreditMinor } = profileOf(state);
  const room = maxCreditMinor - creditOf(state, seatOfAcceptor(state, acceptor)!);
  return notesMinor
    .filter((note) => note <= room && isNoteOpen(state, acceptor, note))
    .toSorted((a, b) => a - b);
}

/** Why the table takes no note at this acceptor, whether or not one is on its way; null = it does. */
export function whyShut(
  state: TableState,
  acceptor: number,
): 'closed' | 'service' | 'held' | 'centre' | 'seat' | 'limit' | null {
  if (!state.profile) return 'closed';
  if (state.service) return 'service';
  if (isHeldByBooks(state)) return 'held';
  if (isOffByCentre(state, acceptor)) return 'centre';
  if (seatOfAcceptor(state, acceptor) === null) return 'seat';
  return notesWithin(state, acceptor).length === 0 ? 'limit' : null;
}

export const isHeldByBooks = (state: TableState): boolean =>
  state.hold?.code === 'books' || areBooksFaulty(state);

function whyRefused(state: TableState, input: InputOf<'escrow-note'>): EventOf<'note-refused'>['why'] | null {
  const { profile } = state;
  if (!profile) return 'closed';
  if (state.service) return 'service';
  if (isHeldByBooks(state)) return 'held';
  if (inFlight(state, input.acceptor)) return 'in-flight';
  if (input.currency !== profile.currency) return 'currency';
  if (!profile.notesMinor.includes(input.valueMinor)) return 'denomination';
  if (isOffByCentre(state, input.acceptor)) return 'acceptor-off';
  if (!isNoteOpen(state, input.acceptor, input.valueMinor)) return 'denomination';
  const seat = seatOfAcceptor(state, input.acceptor);
  if (seat === null) return 'seat';
  return creditOf(state, seat) + input.valueMinor > profile.maxCreditMinor ? 'limit' : null;
}

/** A note of the profile that is refused all the same. */
const isRefusedByCentre = (
  { profile }: TableState,
  why: EventOf<'note-refused'>['why'] | null,
  valueMinor: Minor,
): boolean =>
  why === 'acceptor-off' || (why === 'denomination' && profile?.notesMinor.includes(valueMinor) === true);

/** A note is held in escrow: the intent to stack it is written before the device is told to. */
export function escrowNote(draft: Draft, input: InputOf<'escrow-note'>): Rejection | null {
  const { state, atMs } = draft;
  const { noteId, acceptor, currency, valueMinor } = input;
  if (!Number.isSafeInteger(valueMinor) || valueMinor <= 0) return reject('malformed', [], 'valueMinor');
  if (noteId === '' || isKnownNote(state, noteId)) return reject('duplicate', [], `note ${noteId}`);
  const why = whyRefused(state, input);
  const seat = seatOfAcceptor(state, acceptor);
  if (why !== null || seat === null) {
    emit(draft, {
      type: 'note-refused',
      atMs,
      noteId,
      acceptor,
      currency,
      valueMinor,
      why: why ?? 'seat',
      ...(isRefusedByCentre(state, why, valueMinor) ? { byCentre: true as const } : {}),
    });
    draft.effects?.push({ type: 'return-note', acceptor });
    return null;
  }
  emit(draft, { type: 'note-escrowed', atMs, noteId, acceptor, seat, currency, valueMinor });
  emit(draft, { type: 'note-stack-requested', atMs, noteId, acceptor });
  draft.effects?.push({ type: 'stack-note', acceptor, noteId });
  return null;
}

const isKnownNote = (state: TableState, noteId: string): boolean =>
  state.notes.some((note) => note.noteId === noteId) ||
  state.heldNotes.some((note) => note.noteId === noteId) ||
  state.creditedNotes.some((note) => note.noteId === noteId);

/**
 * The device's credit signal. The note in flight on that acceptor is credited once; a signal that fits none is held
 * with a case number, never credited in silence; the repeat of a signal already credited changes nothing.
 */
export function stackNote(draft: Draft, input: InputOf<'stack-note'>): Rejection | null {
  const { state, atMs } = draft;
  const { acceptor, noteId, valueMinor } = input;
  if (!state.profile) return reject('not-due', [], 'the table has no profile');
  if (valueMinor !== null && (!Number.isSafeInteger(valueMinor) || valueMinor <= 0)) {
    return reject('malformed', [], 'valueMinor');
  }
  if (isRepeat(state, input)) return reject('duplicate', [], 'credited already');
  const note = inFlight(state, acceptor);
  const isItsNote = note !== undefined && (noteId === null || noteId === note.noteId);
  if (note && isItsNote && (valueMinor === null || valueMinor === note.valueMinor)) {
    const { seat, currency } = note;
    emit(draft, {
      type: 'note-credited',
      atMs,
      noteId: note.noteId,
      acceptor,
      seat,
      currency,
      valueMinor: note.valueMinor,
    });
  } else if (note === undefined && unfound(state, input)) {
    const { caseNo, currency, valueMinor: held } = unfound(state, input)!;
    emit(draft, { type: 'held-note-found', atMs, caseNo, acceptor, currency, valueMinor: held! });
  } else {
    emit(draft, {
      type: 'note-held',
      atMs,
      caseNo: state.nextCaseNo,
      noteId: isItsNote ? note.noteId : noteId,
      acceptor,
      seat: seatOfAcceptor(state, acceptor),
      currency: state.profile.currency,
      valueMinor,
      why: isItsNote ? 'value-differs' : 'stacked-without-escrow',
      inBox: true,
    });
  }
  draft.effects?.push({ type: 'acknowledge-credit', acceptor });
  return null;
}

/** The newest case of this acceptor whose note may be the one the signal is about. */
const unfound = (
  state: TableState,
  { acceptor, noteId, valueMinor }: InputOf<'stack-note'>,
): TableState['heldNotes'][number] | undefined =>
  state.heldNotes.findLast(
    (held) =>
      held.acceptor === acceptor &&
      !held.inBox &&
      held.valueMinor !== null &&
      (noteId === null || noteId === held.noteId) &&
      (valueMinor === null || valueMinor === held.valueMinor),
  );

/** The device repeats its signal until it is acknowledged, also after a restart; once it has gone on it cannot any more. */
function isRepeat(state: TableState, { acceptor, noteId, valueMinor }: InputOf<'stack-note'>): boolean {
  if (noteId !== null && state.heldNotes.some((held) => held.noteId === noteId && held.inBox)) return true;
  const last = state.creditedNotes.find((note) => note.acceptor === acceptor);
  if (!last) return false;
  if (noteId !== null) return noteId === last.noteId;
  if (inFlight(state, acceptor) || last.closed) return false;
  return valueMinor === null || valueMinor === last.valueMinor;
}

export function closeNote(draft: Draft, { acceptor }: InputOf<'close-note'>): Rejection | null {
  const last = draft.state.creditedNotes.find((note) => note.acceptor === acceptor && !note.closed);
  if (!last) return reject('nothing-to-do');
  emit(draft, { type: 'note-closed', atMs: draft.atMs, noteId: last.noteId, acceptor });
  return null;
}

export function returnNote(draft: Draft, input: InputOf<'return-note'>): Rejection | null {
  const note = inFlight(draft.state, input.acceptor);
  if (!note || (input.noteId !== null && input.noteId !== note.noteId)) return reject('unknown-note');
  emit(draft, {
    type: 'note-returned',
    atMs: draft.atMs,
    noteId: note.noteId,
    acceptor: note.acceptor,
  });
  return null;
}

/** Nobody can say what became of the note: it becomes a visible case. */
export function disputeNote(draft: Draft, input: InputOf<'dispute-note'>): Rejection | null {
  const { state } = draft;
  const note = state.notes.find(
    (candidate) => candidate.noteId === input.noteId && candidate.acceptor === input.acceptor,
  );
  if (!note) return reject('unknown-note');
  emit(draft, {
    type: 'note-held',
    atMs: draft.atMs,
    caseNo: state.nextCaseNo,
    noteId: note.noteId,
    acceptor: note.acceptor,
    seat: note.seat,
    currency: note.currency,
    valueMinor: note.valueMinor,
    why: input.why,
    inBox: false,
  });
  return null;
}

/** A person says what became of a held note, and how he knows; above the table's limit two persons do. */
export function resolveHeldNote(draft: Draft, input: InputOf<'resolve-held-note'>): Rejection | null {
  const { state } = draft;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  const { caseNo, outcome, reason, words, person, second } = input;
  const held = state.heldNotes.find((note) => note.caseNo === caseNo);
  if (!held) return reject('unknown-note', [], `case ${caseNo}`);
  const { valueMinor, acceptor, currency, inBox } = held;
  // Of unknown value: it may be the largest note there is.
  const needsTwo = (valueMinor ?? Infinity) > profileOf(state).twoPersonHandPayMinor;
  const refused = refusePersons('resolve-held-note', person, second, needsTwo) ?? refuseWords(reason, words);
  if (refused) return refused;
  const credited = outcome === 'credited';
  const seat = held.seat ?? state.noteSeat;
  if (credited && valueMinor === null) return reject('not-allowed', [], 'its value is unknown');
  if (credited && seat === null) return reject('unknown-seat', [], 'choose the seat of the note first');
  emit(draft, {
    type: 'held-note-resolved',
    atMs: draft.atMs,
    caseNo,
    acceptor,
    credited,
    seat: credited ? seat : held.seat,
    currency,
    valueMinor,
    inBox,
    person,
    outcome,
    reason,
    words,
    second,
  });
  return null;
}

/** `other` alone is no reason. */
export const refuseWords = (reason: string, words: string): Rejection | null =>
  reason === 'other' && words.trim() === '' ? reject('malformed', [], 'words: say what the reason is') : null;

export function chooseNoteSeat(draft: Draft, input: InputOf<'choose-note-seat'>): Rejection | null {
  const { state } = draft;
  if (profileOf(state).acceptors !== 'shared') return reject('off', [], 'each seat has its own acceptor');
  if (input.seat !== null && !seatOf(state, input.seat)) return reject('unknown-seat');
  if (inFlight(state, 1)) return reject('not-allowed', [], 'a note is on its way');
  emit(draft, { type: 'note-seat-chosen', atMs: draft.atMs, seat: input.seat });
  return null;
}

// ---- cash-out as a hand-pay ----

/** All credit of the seat waits for an attendant; bets that lie stay where they are. */
export function requestCashOut(draft: Draft, input: InputOf<'request-cash-out'>): Rejection | null {
  const { state } = draft;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  const { seat, requestId } = input;
  const account = seatOf(state, seat);
  if (!account) return reject('unknown-seat');
  if (requestId === '') return reject('malformed', [], 'requestId');
  if (account.cashOut) {
    return account.cashOut.requestId === requestId
      ? reject('duplicate')
      : reject('not-allowed', [], 'a hand-pay is waiting');
  }
  if (account.creditMinor === 0) return reject('nothing-to-do');
  const { currency } = profileOf(state);
  const amountMinor = account.creditMinor;
  emit(draft, {
    type: 'cash-out-requested',
    atMs: draft.atMs,
    seat,
    requestId,
    currency,
    amountMinor,
    payNo: state.nextPayNo ?? 1,
  });
  return null;
}

export function cancelCashOut(draft: Draft, input: InputOf<'cancel-cash-out'>): Rejection | null {
  const { state } = draft;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  const { seat, requestId } = input;
  const pending = seatOf(state, seat)?.cashOut;
  if (!pending || pending.requestId !== requestId) return reject('nothing-to-do', [], 'no such request');
  const { currency } = profileOf(state);
  const { amountMinor } = pending;
  emit(draft, {
    type: 'cash-out-cancelled',
    atMs: draft.atMs,
    seat,
    requestId,
    currency,
    amountMinor,
  });
  return null;
}

export function confirmHandPay(draft: Draft, input: InputOf<'confirm-hand-pay'>): Rejection | null {
  const { state } = draft;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  const { seat, requestId, person, second } = input;
  const account = seatOf(state, seat);
  const win = account?.wins?.find((each) => each.requestId === requestId);
  const pending = win ?? (account?.cashOut?.requestId === requestId ? account.cashOut : undefined);
  if (!pending) return reject('nothing-to-do', [], 'no such request');
  const { currency, twoPersonHandPayMinor } = profileOf(state);
  const needsTwo = pending.amountMinor > twoPersonHandPayMinor;
  const refused = refusePersons('confirm-hand-pay', person, second, needsTwo);
  if (refused) return refused;
  const { amountMinor, payNo } = pending;
  emit(draft, {
    type: 'hand-paid',
    atMs: draft.atMs,
    seat,
    requestId,
    currency,
    amountMinor,
    person,
    second,
    ...(payNo === undefined ? {} : { payNo }),
    ...(win ? { win: true } : {}),
  });
  return null;
}
