import { type Rejection, reject } from '../core/result.ts';
import { changeBets, placeBet } from './betting.ts';
import * as cards from './cards.ts';
import * as cash from './cash.ts';
import { endMaintenance, obeyCentre } from './centre.ts';
import * as complaints from './complaints.ts';
import * as corrections from './corrections.ts';
import type { Draft, Effect } from './draft.ts';
import * as drops from './drop.ts';
import * as desk from './error-desk.ts';
import type { TableEvent } from './events.ts';
import type { Input } from './inputs.ts';
import { noteIntent, takeIntent } from './intents.ts';
import * as machine from './machine.ts';
import * as notes from './notes.ts';
import { gameOf } from './registry.ts';
import * as rounds from './rounds.ts';
import * as sessions from './sessions.ts';
import * as shoe from './shoe.ts';
import * as shuffler from './shuffler.ts';
import type { TableState } from './state.ts';
import { holdMoney, readAgain } from './unread.ts';

export { type ComplaintWindow, complaintWindow } from './complaints.ts';
export type { Effect } from './draft.ts';
export type { EventOf, EventType, TableEvent } from './events.ts';
export { type HidingPlace, hiddenAt, hidesCards, isCardHidden, knownState, shownCards } from './hidden.ts';
export { evolve } from './lane.ts';
export { type TableInUse, tableInUse } from './machine.ts';
export { allowedNotes, recordOf, whyShut } from './notes.ts';
export { checkProfile, type ProfileProblem } from './profile-check.ts';
export {
  behindChoices,
  bettingChoices,
  dealerOptions,
  nextStep,
  seatChoices,
} from './queries.ts';
export { isNextRoundLast } from './rounds.ts';
export { initialState } from './shape.ts';
export type { TableState } from './state.ts';

export interface Decision {
  readonly ok: true;
  /** In order, for one transaction; empty where the input changes nothing and is no error. */
  readonly events: TableEvent[];
  /** For the devices, after the events are on disk. */
  readonly effects: Effect[];
}

/**
 * What an input does to the table: events and effects, or a refusal with code and articles. Reads
 * only; the caller stores the events and then gives each to `evolve`.
 */
export function decide(state: TableState, input: Input): Decision | Rejection {
  return advance(copyOf(state), input);
}

/**
 * decide and evolve in one go, in place: for whoever owns the state alone, as a simulation does, or
 * a terminal that works on a copy and keeps it only once the events are stored. A refused input
 * leaves the state as it was.
 */
export function advance(state: TableState, input: Input): Decision | Rejection {
  const events: TableEvent[] = [];
  const effects: Effect[] = [];
  const draft: Draft = { state, atMs: input.atMs, events, effects };
  return refuse(draft, input) ?? handle(draft, input) ?? { ok: true, events, effects };
}

/** Never changed, only replaced: copies share them. */
const SHARED: ReadonlySet<string> = new Set<keyof TableState>([
  'profile',
  'rules',
  'choice',
  'results',
  'tallies',
]);

/** A copy that evolve may change. */
export function copyOf(state: TableState): TableState {
  const copy: Record<string, unknown> = { ...state };
  for (const member in copy) if (!SHARED.has(member)) copy[member] = clone(copy[member]);
  return copy as unknown as TableState;
}

function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return typeof value[0] === 'number' ? value.slice() : value.map(clone);
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === 'object' && member !== null) copy[key] = clone(member);
  }
  return copy;
}

/** What goes on while the service menu is open: facts of devices, the process, and the way out. */
const IN_SERVICE: ReadonlySet<Input['type']> = new Set<Input['type']>([
  'configure',
  'load-shoe',
  'draw-card',
  'end-card-out',
  'read-card-again',
  'open-shuffler',
  'hold-money',
  'hear-acceptor',
  'obey-centre',
  'open-acceptor',
  'announce-drop',
  'take-box',
  'put-box-back',
  'end-drop',
  'end-maintenance',
  'enter-service',
  'exit-service',
  'start-terminal',
  'report-fault',
  'clear-fault',
]);

/** What makes sense before a profile is in force. */
const WITHOUT_PROFILE: ReadonlySet<Input['type']> = new Set<Input['type']>([
  'configure',
  'hear-acceptor',
  'obey-centre',
  'end-maintenance',
  'sign-in-dealer',
  'enter-service',
  'exit-service',
  'start-terminal',
  'report-fault',
  'clear-fault',
]);

function refuse({ state, atMs }: Draft, input: Input): Rejection | null {
  if (!Number.isSafeInteger(atMs)) return reject('malformed', [], 'atMs');
  if (state.service !== null && !IN_SERVICE.has(input.type)) return reject('service');
  return state.profile === null && !WITHOUT_PROFILE.has(input.type)
    ? reject('not-due', [], 'the table has no profile')
    : null;
}

function handle(draft: Draft, input: Input): Rejection | null {
  switch (input.type) {
    case 'configure':
      return machine.configure(draft, input);
    case 'sign-in-dealer':
      return machine.signInDealer(draft, input);
    case 'sign-out-dealer':
      return machine.signOutDealer(draft);
    case 'check-decks':
      return shoe.checkDecks(draft, input);
    case 'witness-loading':
      return shoe.witnessLoading(draft, input);
    case 'load-shoe':
      return shoe.loadShoe(draft, input);
    case 'load-packet':
      return shoe.loadPacket(draft, input);
    case 'refuse-cut':
      return shoe.refuseCut(draft, input);
    case 'cut-shoe':
      return shoe.cutShoe(draft, input);
    case 'place-end-card':
      return shoe.placeEndCard(draft, input);
    case 'lay-out-cards':
      return shoe.layOutCards(draft, input);
    case 'count-cards':
      return shoe.countCards(draft, input);
    case 'replace-cards':
      return shoe.replaceCards(draft, input);
    case 'report-replacement':
      return shoe.reportReplacement(draft, input);
    case 'order-decks':
      return shoe.orderDecks(draft, input);
    case 'feed-shuffler':
      return shuffler.feedShuffler(draft);
    case 'raise-complaint':
      return complaints.raiseComplaint(draft, input);
    case 'close-complaint':
      return complaints.closeComplaint(draft, input);
    case 'open-shuffler':
      return shuffler.openShuffler(draft, input);
    case 'end-card-out':
      return shoe.seeEndCard(draft);
    case 'draw-card':
      return cards.drawCard(draft, input);
    case 'open-betting':
      return rounds.openBetting(draft, input);
    case 'place-bet':
      return placeBet(draft, input);
    case 'close-betting':
      return rounds.closeBetting(draft);
    case 'extend-betting':
      return rounds.extendBetting(draft);
    case 'decide':
      return gameOf(draft.state).play(draft, input) ?? cards.placeKept(draft);
    case 'reach-deadline':
      return rounds.reachDeadline(draft) ?? cards.placeKept(draft);
    case 'close-round':
      return rounds.closeRound(draft);
    case 'hold-money':
      return holdMoney(draft, input);
    case 'read-again':
      return readAgain(draft, input);
    case 'demo-round':
      return rounds.demoRound(draft, input);
    case 'undo-bet':
    case 'clear-bets':
    case 'repeat-bets':
    case 'double-bets':
      return changeBets(draft, input);
    case 'forfeit-streak':
      return rounds.forfeitStreak(draft, input);
    case 'confirm-card':
      return cards.confirmCard(draft, input);
    case 'read-card-again':
      return cards.readCardAgain(draft, input);
    case 'set-card-aside':
      return cards.setCardAside(draft, input);
    case 'announce-face-up':
      return cards.announceFaceUp(draft, input);
    case 'replace-bank-second':
      return desk.replaceBankSecond(draft, input);
    case 'doubt-card':
      return desk.doubtCard(draft, input);
    case 'take-back-card':
      return desk.takeBackCard(draft, input);
    case 'assign-card':
      return desk.assignCard(draft, input);
    case 'draw-wrong':
      return cards.drawWrong(draft, input);
    case 'confirm-layout':
      return machine.confirmLayout(draft, input);
    case 'void-round':
      return rounds.voidRound(draft, input);
    case 'hear-acceptor':
      return notes.hearAcceptor(draft, input);
    case 'choose-note-seat':
      return notes.chooseNoteSeat(draft, input);
    case 'open-acceptor':
      return notes.openAcceptor(draft, input);
    case 'announce-drop':
      return drops.announceDrop(draft, input);
    case 'take-box':
      return drops.takeBox(draft, input);
    case 'put-box-back':
      return drops.putBoxBack(draft, input);
    case 'end-drop':
      return drops.endDrop(draft, input);
    case 'resolve-held-note':
      return cash.resolveHeldNote(draft, input);
    case 'request-cash-out':
      return cash.requestCashOut(draft, input);
    case 'cancel-cash-out':
      return cash.cancelCashOut(draft, input);
    case 'confirm-hand-pay':
      return cash.confirmHandPay(draft, input);
    case 'obey-centre':
      return obeyCentre(draft, input);
    case 'end-maintenance':
      return endMaintenance(draft, input);
    case 'reset-hand-pay':
      return cash.resetHandPay(draft, input);
    case 'adjust-credit':
      return corrections.adjustCredit(draft, input);
    case 'set-language':
      return machine.setLanguage(draft, input);
    case 'note-intent':
      return noteIntent(draft, input);
    case 'take-intent':
      return takeIntent(draft);
    case 'set-comfort':
      return sessions.setComfort(draft, input);
    case 'begin-session':
      return sessions.beginSession(draft, input);
    case 'end-session':
      return sessions.endSession(draft, input);
    case 'set-own-limits':
      return sessions.setOwnLimits(draft, input);
    case 'reach-own-limit':
      return sessions.reachOwnLimit(draft, input);
    case 'confirm-own-limit':
      return sessions.confirmOwnLimit(draft, input);
    case 'take-break':
      return sessions.takeBreak(draft, input);
    case 'notice-long-session':
      return sessions.noticeLongSession(draft, input);
    case 'end-note-span':
      return sessions.endNoteSpan(draft, input);
    case 'call-attendant':
      return machine.callAttendant(draft, input);
    case 'enter-service':
      return machine.enterService(draft, input);
    case 'exit-service':
      return machine.exitService(draft, input);
    case 'start-terminal':
      return machine.startTerminal(draft, input);
    case 'report-fault':
      return machine.reportFault(draft, input);
    case 'clear-fault':
      return machine.clearFault(draft, input);
  }
}
