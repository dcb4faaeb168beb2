import { CURRENCIES } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { isSame } from '../core/same.ts';
import { validateOptions } from '../games/rulebook.ts';
import {
  areBooksFaulty,
  drainWaiting,
  holdTable,
  isRoundOpen,
  isShoe,
  isShoeFaulty,
  releaseHold,
} from './cards.ts';
import { type Draft, emit, seatOf } from './draft.ts';
import type { InputOf } from './inputs.ts';
import type { TableProfile } from './profile.ts';
import type { TableState } from './state.ts';

/** A profile already in force changes nothing; another one needs an empty table without money. */
export function configure(draft: Draft, input: InputOf<'configure'>): Rejection | null {
  const { state } = draft;
  const { profile, person } = input;
  if (isSame(profile, state.profile)) return null;
  const problem = problemOf(profile);
  if (problem !== null) return reject('malformed', [], problem);
  const checked = validateOptions(profile.rulebook, { seats: profile.seatCount, ...profile.options });
  if (!checked.ok) {
    return reject(
      'off',
      checked.problems.map(({ article }) => article).filter((article) => article !== ''),
      checked.problems.map(({ option, message }) => `${option}: ${message}`).join('; '),
    );
  }
  if (checked.resolved.seats !== profile.seatCount) {
    return reject('malformed', ['art.1.1'], 'options.seats is not seatCount');
  }
  if (state.round) return reject('not-allowed', [], 'a round is on the table');
  const hasMoney =
    state.notes.length > 0 ||
    state.heldNotes.length > 0 ||
    state.seats.some((seat) => seat.creditMinor > 0 || seat.cashOut);
  if (hasMoney) return reject('not-allowed', [], 'there is money on the table');
  if (state.hold) return reject('held');
  emit(draft, {
    type: 'table-configured',
    atMs: draft.atMs,
    profile,
    rules: checked.resolved,
    person,
  });
  return null;
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** First thing in a profile that cannot be, as `field: what is wrong`; null = it can stand. */
function problemOf(profile: TableProfile): string | null {
  if (profile.terminalId === '' || profile.tableName === '') return 'terminalId, tableName: empty';
  if (!CURRENCIES.includes(profile.currency)) return `currency: ${profile.currency}`;
  if (!Number.isInteger(profile.seatCount)) return `seatCount: ${profile.seatCount}`;
  for (const field of ['chipsMinor', 'notesMinor'] as const) {
    const list = profile[field];
    const isRising = list.every((value, i) => isAmount(value) && (i === 0 || value > list[i - 1]!));
    if (list.length === 0 || !isRising) return `${field}: not a rising list of amounts`;
  }
  for (const field of ['maxCreditMinor', 'twoPersonHandPayMinor'] as const) {
    if (!isAmount(profile[field])) return `${field}: not an amount`;
  }
  for (const field of ['bettingMs', 'offersMs', 'decisionMs'] as const) {
    if (!isAmount(profile.timing[field])) return `timing.${field}: not a number of milliseconds`;
  }
  const { minConfidence, minResultMs } = profile.timing;
  // The result stays for its cards anyway; a profile need not add to that.
  if (minResultMs !== 0 && !isAmount(minResultMs)) return 'timing.minResultMs: not a number of milliseconds';
  const isConfidence = Number.isInteger(minConfidence) && minConfidence >= 0 && minConfidence <= 255;
  return isConfidence ? null : 'timing.minConfidence: not 0..255';
}

export function signInDealer(draft: Draft, input: InputOf<'sign-in-dealer'>): Rejection | null {
  const { state } = draft;
  if (!state.profile) return reject('not-due', [], 'the table has no profile');
  if (input.person.role !== 'dealer' && input.person.role !== 'supervisor') return reject('person');
  if (state.dealer?.id === input.person.id) return reject('duplicate', [], 'signed in already');
  emit(draft, { type: 'dealer-signed-in', atMs: draft.atMs, person: input.person });
  return null;
}

export function signOutDealer(draft: Draft): Rejection | null {
  const { state } = draft;
  if (!state.dealer) return reject('no-dealer');
  if (state.round) return reject('not-allowed', [], 'a round is on the table');
  emit(draft, { type: 'dealer-signed-out', atMs: draft.atMs, person: state.dealer });
  return null;
}

export function setLanguage(draft: Draft, input: InputOf<'set-language'>): Rejection | null {
  const seat = seatOf(draft.state, input.seat);
  if (!seat) return reject('unknown-seat');
  if (seat.language === input.language) return null;
  emit(draft, { type: 'language-set', atMs: draft.atMs, seat: input.seat, language: input.language });
  return null;
}

export function callAttendant(draft: Draft, input: InputOf<'call-attendant'>): Rejection | null {
  const seat = seatOf(draft.state, input.seat);
  if (!seat) return reject('unknown-seat');
  if (seat.callsAttendant === input.on) return null;
  emit(draft, { type: 'attendant-called', atMs: draft.atMs, seat: input.seat, on: input.on });
  return null;
}

export function enterService(draft: Draft, input: InputOf<'enter-service'>): Rejection | null {
  if (draft.state.service) return reject('not-allowed', [], 'service is open already');
  emit(draft, { type: 'service-entered', atMs: draft.atMs, person: input.person });
  return null;
}

export function exitService(draft: Draft): Rejection | null {
  if (!draft.state.service) return reject('nothing-to-do');
  emit(draft, { type: 'service-left', atMs: draft.atMs });
  if (!draft.state.hold) drainWaiting(draft);
  return null;
}

/**
 * The process begins: whoever was in service is gone, and a round that was interrupted stands still until the dealer
 * has compared the cards on the layout with the screen.
 */
export function startTerminal(draft: Draft, input: InputOf<'start-terminal'>): Rejection | null {
  const { state, atMs } = draft;
  emit(draft, {
    type: 'terminal-started',
    atMs,
    bootId: input.bootId,
    softwareId: input.softwareId,
  });
  if (isRoundOpen(state) && state.hold?.code !== 'recovery') {
    holdTable(draft, 'recovery', null, null, null);
  }
  if (state.service) {
    emit(draft, { type: 'service-left', atMs });
    if (!state.hold) drainWaiting(draft);
  }
  return null;
}

export function reportFault(draft: Draft, input: InputOf<'report-fault'>): Rejection | null {
  const { state, atMs } = draft;
  const { device, fault, place } = input;
  if (state.faults.some((known) => known.device === device && known.fault === fault)) {
    return reject('duplicate', [], 'reported already');
  }
  emit(draft, { type: 'fault-reported', atMs, device, fault, place });
  if (state.hold) return null;
  if (areBooksFaulty(state)) holdTable(draft, 'books', null, null, fault);
  else if (isShoe(device) && isRoundOpen(state)) holdTable(draft, 'shoe-fault', null, null, fault);
  return null;
}

export function clearFault(draft: Draft, input: InputOf<'clear-fault'>): Rejection | null {
  const { device, fault } = input;
  if (!draft.state.faults.some((known) => known.device === device && known.fault === fault)) {
    return reject('nothing-to-do', [], 'no such fault');
  }
  emit(draft, { type: 'fault-cleared', atMs: draft.atMs, device, fault });
  return null;
}

/** Holds that end when the dealer has compared cards and screen, once their cause is gone. */
export function refuseConfirmLayout(state: TableState): Rejection | null {
  switch (state.hold?.code) {
    case 'recovery':
    case 'misdeal':
      return null;
    case 'shoe-fault':
      return isShoeFaulty(state) ? reject('held', [], 'the fault of the shoe is still there') : null;
    case 'books':
      return areBooksFaulty(state) ? reject('held', [], 'the books still do not agree') : null;
    default:
      return reject('not-due');
  }
}

export function confirmLayout(draft: Draft, input: InputOf<'confirm-layout'>): Rejection | null {
  const refused = refuseConfirmLayout(draft.state);
  if (refused) return refused;
  releaseHold(draft, input.person);
  return null;
}
