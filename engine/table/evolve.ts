import type { Minor } from '../core/money.ts';
import { centreOrders } from './centre.ts';
import type { TableEvent } from './events.ts';
import { evolveCash } from './evolve-cash.ts';
import { evolveRound } from './evolve-round.ts';
import { evolveSeat } from './evolve-seat.ts';
import { evolveShoe } from './evolve-shoe.ts';
import { emptyShoe, type TableState } from './state.ts';

/**
 * Applies an event IN PLACE and returns the same object: live table, replay and simulation run this one function, and
 * whoever needs the state before must copy it first. It decides nothing; every fact is in the event.
 */
export function evolve(state: TableState, event: TableEvent): TableState {
  switch (event.type) {
    case 'terminal-started':
      state.bootId = event.bootId;
      break;
    case 'table-configured':
      state.choice = event.person && {
        person: event.person,
        atMs: event.atMs,
        over: state.choice ? state.choice.over : state.profile,
      };
      state.profile = event.profile;
      state.rules = event.rules;
      state.shoe = emptyShoe();
      state.phase = state.dealer ? 'shoe' : 'closed';
      state.noteSeat = null;
      state.streaks = [];
      state.lastCutBy = null;
      state.decksChecked = false;
      state.complaints = [];
      delete state.lastRound;
      state.seats = Array.from({ length: event.profile.seatCount }, (_, i) => ({
        seat: i + 1,
        language: state.seats[i]?.language ?? 'zh-Hant',
        creditMinor: 0 as Minor,
        cashOut: null,
        callsAttendant: state.seats[i]?.callsAttendant ?? false,
        previousBets: [],
      }));
      break;
    case 'dealer-signed-in':
      state.dealer = event.person;
      if (state.phase === 'closed' && state.profile) {
        state.phase = state.shoe.stage === 'ready' ? 'idle' : 'shoe';
      }
      break;
    case 'dealer-signed-out':
      state.dealer = null;
      state.phase = 'closed';
      break;
    case 'language-set':
      state.seats[event.seat - 1]!.language = event.language;
      break;
    case 'attendant-called':
      state.seats[event.seat - 1]!.callsAttendant = event.on;
      break;
    case 'service-entered':
      state.service = { person: event.person, sinceMs: event.atMs };
      pause(state, event.atMs);
      break;
    case 'service-left':
      state.service = null;
      resume(state, event.atMs, false);
      break;
    case 'fault-reported':
      state.faults.push({
        device: event.device,
        fault: event.fault,
        place: event.place,
        sinceMs: event.atMs,
        ...(event.stops === undefined ? {} : { stops: event.stops }),
      });
      break;
    case 'fault-cleared':
      state.faults = state.faults.filter(
        (fault) => fault.device !== event.device || fault.fault !== event.fault,
      );
      // What is put in is an empty box; one that comes back as it was is counted again from the notes that follow.
      if (event.fault === 'cash-box-removed') emptyBox(state, event.device);
      break;
    case 'centre-locked':
      state.centre = { ...centreOrders(state), lock: event.reason };
      break;
    case 'centre-unlocked':
      state.centre = { ...centreOrders(state), lock: null };
      break;
    case 'notes-limited':
      state.centre = { ...centreOrders(state), acceptorsOff: event.acceptorsOff, notes: event.notes };
      break;
    case 'table-held':
      state.hold = event.hold;
      pause(state, event.atMs);
      break;
    case 'hold-released':
      state.hold = null;
      resume(state, event.atMs, event.fullTime);
      break;
    default:
      if (!evolveCash(state, event) && !evolveShoe(state, event) && !evolveSeat(state, event))
        evolveRound(state, event);
  }
  return state;
}

function pause(state: TableState, atMs: number): void {
  if (!state.deadline) return;
  state.paused = { ...state.deadline, leftMs: Math.max(0, state.deadline.atMs - atMs) };
  state.deadline = null;
}

function resume(state: TableState, atMs: number, fullTime: boolean): void {
  if (!state.paused || state.hold || state.service) return;
  const { leftMs, ...deadline } = state.paused;
  state.deadline = { ...deadline, atMs: atMs + (fullTime ? deadline.totalMs : leftMs) };
  state.paused = null;
}

const ACCEPTOR = /^acceptor-(\d+)$/;

function emptyBox(state: TableState, device: string): void {
  const acceptor = Number(ACCEPTOR.exec(device)?.[1] ?? 0);
  if (acceptor > 0 && acceptor <= state.boxNotes.length) state.boxNotes[acceptor - 1] = 0;
}
