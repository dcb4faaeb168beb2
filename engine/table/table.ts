import { type Rejection, reject } from '../core/result.ts';
import { changeBets, placeBet } from './betting.ts';
import * as cards from './cards.ts';
import * as cash from './cash.ts';
import { endMaintenance, obeyCentre } from './centre.ts';
import * as complaints from './complaints.ts';
import * as corrections from './corrections.ts';
import type { Draft, Effect, Sink } from './draft.ts';
import * as drops from './drop.ts';
import * as desk from './error-desk.ts';
import type { TableEvent } from './events.ts';
import type { Input, InputOf } from './inputs.ts';
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
  return take({ state, atMs: input.atMs, events, effects }, input) ?? { ok: true, events, effects };
}

/** `advance` where nobody asks for events or effects. Null, or why the input is refused. */
export const advanceUnheard = (state: TableState, input: Input): Rejection | null =>
  take({ state, atMs: input.atMs, events: NOBODY, effects: NOBODY }, input);

const NOBODY: Sink<unknown> = { push() {} };

const take = (draft: Draft, input: Input): Rejection | null =>
  refuse(draft, input) ?? HANDLERS[input.type](draft, input as never);

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

/** What each input does. A rule may refuse only before its first event. */
const HANDLERS: {
  readonly [Type in Input['type']]: (draft: Draft, input: InputOf<Type>) => Rejection | null;
} = {
  configure: machine.configure,
  'sign-in-dealer': machine.signInDealer,
  'sign-out-dealer': machine.signOutDealer,
  'check-decks': shoe.checkDecks,
  'witness-loading': shoe.witnessLoading,
  'load-shoe': shoe.loadShoe,
  'load-packet': shoe.loadPacket,
  'refuse-cut': shoe.refuseCut,
  'cut-shoe': shoe.cutShoe,
  'place-end-card': shoe.placeEndCard,
  'lay-out-cards': shoe.layOutCards,
  'count-cards': shoe.countCards,
  'replace-cards': shoe.replaceCards,
  'report-replacement': shoe.reportReplacement,
  'order-decks': shoe.orderDecks,
  'feed-shuffler': shuffler.feedShuffler,
  'raise-complaint': complaints.raiseComplaint,
  'close-complaint': complaints.closeComplaint,
  'open-shuffler': shuffler.openShuffler,
  'end-card-out': shoe.seeEndCard,
  'draw-card': cards.drawCard,
  'open-betting': rounds.openBetting,
  'place-bet': placeBet,
  'close-betting': rounds.closeBetting,
  'extend-betting': rounds.extendBetting,
  decide: (draft, input) => gameOf(draft.state).play(draft, input) ?? cards.placeKept(draft),
  'reach-deadline': (draft) => rounds.reachDeadline(draft) ?? cards.placeKept(draft),
  'close-round': rounds.closeRound,
  'hold-money': holdMoney,
  'read-again': readAgain,
  'demo-round': rounds.demoRound,
  'undo-bet': changeBets,
  'clear-bets': changeBets,
  'repeat-bets': changeBets,
  'double-bets': changeBets,
  'forfeit-streak': rounds.forfeitStreak,
  'confirm-card': cards.confirmCard,
  'read-card-again': cards.readCardAgain,
  'set-card-aside': cards.setCardAside,
  'announce-face-up': cards.announceFaceUp,
  'replace-bank-second': desk.replaceBankSecond,
  'doubt-card': desk.doubtCard,
  'take-back-card': desk.takeBackCard,
  'assign-card': desk.assignCard,
  'draw-wrong': cards.drawWrong,
  'confirm-layout': machine.confirmLayout,
  'void-round': rounds.voidRound,
  'hear-acceptor': notes.hearAcceptor,
  'choose-note-seat': notes.chooseNoteSeat,
  'open-acceptor': notes.openAcceptor,
  'announce-drop': drops.announceDrop,
  'take-box': drops.takeBox,
  'put-box-back': drops.putBoxBack,
  'end-drop': drops.endDrop,
  'resolve-held-note': cash.resolveHeldNote,
  'request-cash-out': cash.requestCashOut,
  'cancel-cash-out': cash.cancelCashOut,
  'confirm-hand-pay': cash.confirmHandPay,
  'obey-centre': obeyCentre,
  'end-maintenance': endMaintenance,
  'reset-hand-pay': cash.resetHandPay,
  'adjust-credit': corrections.adjustCredit,
  'set-language': machine.setLanguage,
  'note-intent': noteIntent,
  'take-intent': takeIntent,
  'set-comfort': sessions.setComfort,
  'begin-session': sessions.beginSession,
  'end-session': sessions.endSession,
  'set-own-limits': sessions.setOwnLimits,
  'reach-own-limit': sessions.reachOwnLimit,
  'confirm-own-limit': sessions.confirmOwnLimit,
  'take-break': sessions.takeBreak,
  'notice-long-session': sessions.noticeLongSession,
  'end-note-span': sessions.endNoteSpan,
  'call-attendant': machine.callAttendant,
  'enter-service': machine.enterService,
  'exit-service': machine.exitService,
  'start-terminal': machine.startTerminal,
  'report-fault': machine.reportFault,
  'clear-fault': machine.clearFault,
};
