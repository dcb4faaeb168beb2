import { minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { isHeldByBooks } from './cards.ts';
import { type Draft, isTaken, profileOf, seatOf } from './draft.ts';
import { refusePersons } from './duties.ts';
import type { ByOrder, InputOf, Person } from './inputs.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import { restartCutOrder } from './shoe.ts';
import type { CashOut } from './state.ts';
import { areCashOutsStopped } from './stops.ts';

/**
 * A person says what became of a held note, and how they know; above the table's limit two persons
 * do.
 */
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

// ---- cash-out as a hand-pay ----

/**
 * All credit of the seat waits for an attendant; bets that lie stay where they are, and with them
 * what an open series asks for in the next round (art. 13.5.2.vi).
 */
export function requestCashOut(draft: Draft, input: InputOf<'request-cash-out'>): Rejection | null {
  const { state } = draft;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  if (areCashOutsStopped(state)) return reject('held', [], 'a door stands open');
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
  const amountMinor = minor(account.creditMinor - (gameOf(state).series?.keptMinor(state, seat) ?? 0));
  if (amountMinor <= 0) return reject('must-bet', ['art.13.5.2.vi'], 'an open series asks for a bet');
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
  emit(draft, cancelled(draft, seat, pending));
  return null;
}

const cancelled = ({ state, atMs }: Draft, seat: number, { requestId, amountMinor }: CashOut) =>
  ({
    type: 'cash-out-cancelled',
    atMs,
    seat,
    requestId,
    currency: profileOf(state).currency,
    amountMinor,
  }) as const;

/** By order of the centre: the rules of the desk hold for it, too. */
export function resetHandPay(draft: Draft, input: InputOf<'reset-hand-pay'>): Rejection | null {
  const { state } = draft;
  const { payNo, paid, byOrder } = input;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  for (const { seat, cashOut, wins = [] } of state.seats) {
    const win = wins.find((each) => each.payNo === payNo);
    const pending = win ?? (cashOut?.payNo === payNo ? cashOut : null);
    if (pending === null) continue;
    if (paid !== null && areCashOutsStopped(state)) return reject('held', [], 'a door stands open');
    if (paid !== null) return payByHand(draft, seat, pending, win !== undefined, { ...paid, byOrder });
    if (win) return reject('not-allowed', [], 'a win above the limit can only be paid');
    emit(draft, { ...cancelled(draft, seat, pending), byOrder });
    return null;
  }
  return reject('nothing-to-do', [], `no hand-pay with number ${payNo} waits`);
}

export function confirmHandPay(draft: Draft, input: InputOf<'confirm-hand-pay'>): Rejection | null {
  const { state } = draft;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  if (areCashOutsStopped(state)) return reject('held', [], 'a door stands open');
  const { seat, requestId } = input;
  const account = seatOf(state, seat);
  const win = account?.wins?.find((each) => each.requestId === requestId);
  const pending = win ?? (account?.cashOut?.requestId === requestId ? account.cashOut : undefined);
  if (!pending) return reject('nothing-to-do', [], 'no such request');
  return payByHand(draft, seat, pending, win !== undefined, input);
}

interface Paying {
  readonly person: Person;
  readonly second: Person | null;
  readonly byOrder?: ByOrder;
}

function payByHand(
  draft: Draft,
  seat: number,
  pending: CashOut,
  isWin: boolean,
  { person, second, byOrder }: Paying,
): Rejection | null {
  const { state } = draft;
  const { currency, twoPersonHandPayMinor } = profileOf(state);
  const needsTwo = pending.amountMinor > twoPersonHandPayMinor;
  const refused = refusePersons('confirm-hand-pay', person, second, needsTwo);
  if (refused) return refused;
  const { requestId, amountMinor, payNo } = pending;
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
    ...(isWin ? { win: true as const } : {}),
    ...(byOrder === undefined ? {} : { byOrder }),
  });
  const isEmpty = state.round === null && state.seats.every((each) => !isTaken(state, each.seat));
  if (isEmpty) restartCutOrder(draft, 'no-players');
  return null;
}
