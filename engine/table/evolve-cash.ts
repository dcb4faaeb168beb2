import { minor } from '../core/money.ts';
import { addCredit } from './changes.ts';
import type { TableEvent } from './events.ts';
import { countMoney } from './evolve-seat.ts';
import type { TableState } from './state.ts';

const dropNote = (state: TableState, noteId: string | null): void => {
  state.notes = state.notes.filter((note) => note.noteId !== noteId);
};

function fill(state: TableState, acceptor: number): void {
  while (state.boxNotes.length < acceptor) state.boxNotes.push(0);
  state.boxNotes[acceptor - 1]! += 1;
}

/** Events of notes, of cash-out and of the jackpot's meter; false where the event is none of them. */
export function evolveCash(state: TableState, event: TableEvent): boolean {
  switch (event.type) {
    case 'note-escrowed':
      state.notes.push({
        noteId: event.noteId,
        acceptor: event.acceptor,
        seat: event.seat,
        currency: event.currency,
        valueMinor: event.valueMinor,
        state: 'escrowed',
        sinceMs: event.atMs,
      });
      return true;
    case 'note-stack-requested':
      for (const note of state.notes) if (note.noteId === event.noteId) note.state = 'stack-requested';
      return true;
    case 'note-refused':
      return true;
    case 'note-seat-chosen':
      state.noteSeat = event.seat;
      return true;
    case 'note-credited':
      dropNote(state, event.noteId);
      state.creditedNotes = [
        ...state.creditedNotes.filter((note) => note.acceptor !== event.acceptor),
        {
          acceptor: event.acceptor,
          noteId: event.noteId,
          valueMinor: event.valueMinor,
          closed: false,
        },
      ];
      fill(state, event.acceptor);
      addCredit(state, event.seat, event.valueMinor);
      countMoney(state, event.seat, event.valueMinor, 0);
      return true;
    case 'note-closed':
      state.creditedNotes = state.creditedNotes.map((note) =>
        note.noteId === event.noteId ? { ...note, closed: true } : note,
      );
      return true;
    case 'note-returned':
      dropNote(state, event.noteId);
      return true;
    case 'note-held':
      dropNote(state, event.noteId);
      state.heldNotes.push({
        caseNo: event.caseNo,
        noteId: event.noteId,
        acceptor: event.acceptor,
        seat: event.seat,
        currency: event.currency,
        valueMinor: event.valueMinor,
        why: event.why,
        inBox: event.inBox,
        sinceMs: event.atMs,
      });
      state.nextCaseNo = event.caseNo + 1;
      if (event.inBox) fill(state, event.acceptor);
      return true;
    case 'held-note-found':
      for (const note of state.heldNotes) if (note.caseNo === event.caseNo) note.inBox = true;
      fill(state, event.acceptor);
      return true;
    case 'held-note-resolved':
      state.heldNotes = state.heldNotes.filter((note) => note.caseNo !== event.caseNo);
      if (event.credited && event.seat !== null && event.valueMinor !== null) {
        addCredit(state, event.seat, event.valueMinor);
        countMoney(state, event.seat, event.valueMinor, 0);
        if (!event.inBox) fill(state, event.acceptor);
      }
      return true;
    case 'cash-out-requested':
      addCredit(state, event.seat, -event.amountMinor);
      state.seats[event.seat - 1]!.cashOut = {
        requestId: event.requestId,
        amountMinor: event.amountMinor,
        sinceMs: event.atMs,
        ...(event.payNo === undefined ? {} : { payNo: event.payNo }),
      };
      if (event.payNo !== undefined) state.nextPayNo = event.payNo + 1;
      return true;
    case 'cash-out-cancelled':
      state.seats[event.seat - 1]!.cashOut = null;
      addCredit(state, event.seat, event.amountMinor);
      return true;
    case 'hand-paid': {
      const seat = state.seats[event.seat - 1]!;
      countMoney(state, event.seat, 0, event.amountMinor);
      if (!event.win) seat.cashOut = null;
      else {
        const others = seat.wins?.filter(({ requestId }) => requestId !== event.requestId) ?? [];
        if (others.length > 0) seat.wins = others;
        else delete seat.wins;
      }
      return true;
    }
    case 'credit-adjusted': {
      addCredit(state, event.seat, event.amountMinor);
      // A note or a payment put right is money in or out; anything else belongs to what was won and lost.
      if (event.reason === 'note-wrong') countMoney(state, event.seat, event.amountMinor, 0);
      if (event.reason === 'hand-pay-wrong') countMoney(state, event.seat, 0, -event.amountMinor);
      const complaint = state.complaints.find(({ complaintNo }) => complaintNo === event.complaintNo);
      if (complaint) complaint.adjustedMinor = minor((complaint.adjustedMinor ?? 0) + event.amountMinor);
      return true;
    }
    case 'substantial-win-noticed':
      return true;
    case 'jackpot-moved': {
      const { currency, meterMinor, rest, why } = event;
      const at = state.jackpots.findIndex((meter) => meter.currency === currency);
      const old = state.jackpots[at];
      const before = why === 'collected' && old ? { meterMinor: old.meterMinor, rest: old.rest } : null;
      state.jackpots.splice(at < 0 ? state.jackpots.length : at, 1, { currency, meterMinor, rest, before });
      return true;
    }
    default:
      return false;
  }
}
