import { type Rejection, reject } from '../core/result.ts';
import { isSame } from '../core/same.ts';
import { leadingLanguage } from '../rules/home.ts';
import { rulebookOf } from '../rules/rulebook.ts';
import {
  areBooksFaulty,
  drainWaiting,
  holdTable,
  isRoundOpen,
  isShoe,
  isShoeFaulty,
  releaseHold,
} from './cards.ts';
import { articlesOf, type Draft, seatOf } from './draft.ts';
import type { InputOf, Language } from './inputs.ts';
import { emit } from './lane.ts';
import type { TableProfile } from './profile.ts';
import { profileChanges } from './profile-changes.ts';
import { checkProfile, type ProfileProblem } from './profile-check.ts';
import { gameInForce, gameOf } from './registry.ts';
import { isJamRegulated } from './shuffler.ts';
import type { TableState } from './state.ts';
import { stopOf } from './stops.ts';

/** What lies on the table, or waits at it, that belongs to the profile in force. */
export interface TableInUse {
  readonly why: 'round' | 'note' | 'held-note' | 'streak' | 'cash-out' | 'credit' | 'complaint' | 'hold';
  readonly seat: number | null;
}

/**
 * What keeps every other profile from coming into force now; null = nothing does. The meter of a
 * jackpot does not: it is the players', stays on its account, and shows again with the next profile
 * that has a jackpot.
 */
export function tableInUse(state: TableState): TableInUse | null {
  if (state.round) return { why: 'round', seat: null };
  const [note] = state.notes;
  if (note) return { why: 'note', seat: note.seat };
  const [held] = state.heldNotes;
  if (held) return { why: 'held-note', seat: held.seat };
  // art. 13.5: the stakes of a series lie on the table between the rounds.
  const open = gameInForce(state)?.series?.open(state)[0];
  if (open) return { why: 'streak', seat: open.seat };
  const waiting = state.seats.find((seat) => seat.cashOut ?? seat.wins);
  if (waiting) return { why: 'cash-out', seat: waiting.seat };
  const owed = state.seats.find((seat) => seat.creditMinor > 0);
  if (owed) return { why: 'credit', seat: owed.seat };
  // r.61: whoever complains is answered under the rules they played by.
  const [complaint] = state.complaints;
  if (complaint) return { why: 'complaint', seat: complaint.seat };
  return state.hold ? { why: 'hold', seat: null } : null;
}

const IN_USE: Readonly<Record<TableInUse['why'], string>> = {
  round: 'a round is on the table',
  note: 'a note is on its way',
  'held-note': 'a note is held',
  streak: 'streak bets are open',
  'cash-out': 'a cash-out waits',
  credit: 'there is credit',
  complaint: 'a complaint is open',
  hold: 'the table is held',
};

/**
 * The records of the table as it is, with the end of some of them: it reaches the table although a
 * choice is left without its record, and no bet is taken under it from then on (art. 21).
 */
const isEndOfRecords = (
  { profile: before }: TableState,
  profile: TableProfile,
  problems: readonly ProfileProblem[],
): boolean =>
  isSame({ ...before, authorisations: [] }, { ...profile, authorisations: [] }) &&
  problems.every(({ why }) => why === 'ended' || why === 'revoked');

/** A profile already in force changes nothing; another one needs an empty table without money. */
export function configure(draft: Draft, input: InputOf<'configure'>): Rejection | null {
  const { state } = draft;
  const { profile, person, second, reason } = input;
  if (isSame(profile, state.profile)) return null;
  const checked = checkProfile(profile, draft.atMs);
  if (!checked.ok && !isEndOfRecords(state, profile, checked.problems)) {
    return reject(
      checked.problems[0]?.why === 'malformed' ? 'malformed' : 'off',
      checked.problems.map(({ article }) => article).filter((article) => article !== ''),
      checked.problems.map(({ place, message }) => `${place}: ${message}`).join('; '),
    );
  }
  const rules = checked.ok ? checked.rules : state.rules!;
  const inUse = tableInUse(state);
  if (inUse) {
    const detail = IN_USE[inUse.why] + (inUse.seat === null ? '' : ` (seat ${inUse.seat})`);
    const cite = inUse.why === 'complaint' ? articlesOf(state).complaints : '';
    return reject(inUse.why === 'hold' ? 'held' : 'not-allowed', cite === '' ? [] : [cite], detail);
  }
  const ledBefore = leadingAt(state.profile);
  emit(draft, {
    type: 'table-configured',
    atMs: draft.atMs,
    profile,
    rules,
    person,
    ...(state.profile ? { changes: profileChanges(state.profile, profile) } : {}),
    ...(second === undefined ? {} : { second }),
    ...(reason === undefined ? {} : { reason }),
  });
  gameOf(state).configured?.(draft);
  greetInHouseLanguage(draft, ledBefore);
  return null;
}

const leadingAt = (profile: TableProfile | null): Language =>
  leadingLanguage((profile && rulebookOf(profile.rulebook)?.home) ?? 'macau');

/** Under another country's law the seats of the empty table greet in its language. */
function greetInHouseLanguage(draft: Draft, ledBefore: Language): void {
  const { atMs, state } = draft;
  const language = leadingAt(state.profile);
  if (language === ledBefore) return;
  for (const { seat, language: spoken } of [...state.seats])
    if (spoken !== language) emit(draft, { type: 'language-set', atMs, seat, language });
}

export function signInDealer(draft: Draft, input: InputOf<'sign-in-dealer'>): Rejection | null {
  const { state } = draft;
  if (!state.profile) return reject('not-due', [], 'the table has no profile');
  if (input.person.role !== 'dealer' && input.person.role !== 'supervisor') return reject('person');
  if (state.dealer?.id === input.person.id) return reject('duplicate', [], 'signed in already');
  const before = state.dealer === null ? {} : { relieves: state.dealer };
  emit(draft, { type: 'dealer-signed-in', atMs: draft.atMs, person: input.person, ...before });
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

export function exitService(draft: Draft, { why }: InputOf<'exit-service'>): Rejection | null {
  const { service } = draft.state;
  if (!service) return reject('nothing-to-do');
  const left = { type: 'service-left', atMs: draft.atMs, person: service.person } as const;
  emit(draft, why === undefined ? left : { ...left, why });
  drainWaiting(draft);
  return null;
}

/**
 * The process begins: whoever was in service is gone, and a round that was interrupted stands still
 * until the dealer has compared the cards on the layout with the screen.
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
    emit(draft, { type: 'service-left', atMs, person: state.service.person });
    drainWaiting(draft);
  }
  return null;
}

export function reportFault(draft: Draft, input: InputOf<'report-fault'>): Rejection | null {
  const { state, atMs } = draft;
  const { device, fault, place, stops } = input;
  if (state.faults.some((known) => known.device === device && known.fault === fault)) {
    return reject('duplicate', [], 'reported already');
  }
  const stopping = stops === undefined ? {} : { stops };
  emit(draft, { type: 'fault-reported', atMs, device, fault, place, ...stopping });
  if (isShoe(device) && fault === 'shoe-jam' && state.shoe.jam === null && isJamRegulated(state)) {
    emit(draft, { type: 'shuffler-jammed', atMs });
  }
  if (state.hold) return null;
  if (areBooksFaulty(state)) holdTable(draft, 'books', null, null, fault);
  else if (!isRoundOpen(state)) return null;
  else if (isShoe(device)) holdTable(draft, 'shoe-fault', null, null, fault);
  else if (stopOf(state) !== null) holdTable(draft, 'machine-fault', null, null, fault);
  return null;
}

export function clearFault(draft: Draft, input: InputOf<'clear-fault'>): Rejection | null {
  const { device, fault, persons } = input;
  const { atMs } = draft;
  const standing = draft.state.faults.find((known) => known.device === device && known.fault === fault);
  if (!standing) return reject('nothing-to-do', [], 'no such fault');
  const by = persons === undefined ? {} : { persons };
  emit(draft, { type: 'fault-cleared', atMs, device, fault, ...by, forMs: atMs - standing.sinceMs });
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
    case 'machine-fault':
      return stopOf(state) ? reject('held', [], 'the fault is still there') : null;
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
