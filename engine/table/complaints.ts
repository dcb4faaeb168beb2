import type { Minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { articlesOf, type Draft, profileOf } from './draft.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import { shapeOf } from './shape.ts';
import { isFeedingDue } from './shuffler.ts';
import type { ClosedRound, Complaint, LaidCards, TableState } from './state.ts';

/**
 * Where no article has a term, the house has one: five minutes unless the profile says otherwise.
 */
export const HOUSE_WINDOW_MS = 300_000;

/** The round that may be complained about, and how long. */
export interface ComplaintWindow {
  readonly roundId: string;
  readonly roundNo: number;
  /** ms since 1970 UTC; null = until its cards are fed into the shuffler (r.61). */
  readonly untilMs: number | null;
  readonly cites: readonly string[];
}

/** The round whose amounts lie on the table, else the last one that was closed. */
function endedRound(state: TableState): ClosedRound | null {
  const { round, lastRound } = state;
  if (!round?.lines || round.demo) return lastRound ?? null;
  const { id, no, settledAtMs, bank, seats } = round;
  return { id, no, endedAtMs: settledAtMs ?? 0, bank, seats, ...shapeOf(state).laid(round) };
}

/**
 * r.61: a shuffler that is fed by hand closes the window when the cards go into it, and nothing
 * else does. Every other table has the house's term from the round's end on; a later round's end
 * takes its place.
 */
export function complaintWindow(state: TableState): ComplaintWindow | null {
  const last = endedRound(state);
  if (!last) return null;
  const { id: roundId, no: roundNo } = last;
  if (gameOf(state).cardsBack(state) === 'fed-by-dealer') {
    const isOpen = state.phase === 'settled' || isFeedingDue(state);
    return isOpen ? { roundId, roundNo, untilMs: null, cites: [articlesOf(state).complaints] } : null;
  }
  const { complaintWindowMs = HOUSE_WINDOW_MS } = profileOf(state);
  if (complaintWindowMs === 0) return null;
  return { roundId, roundNo, untilMs: last.endedAtMs + complaintWindowMs, cites: [] };
}

/** Whether this seat may complain, but for the time: the options of the dealer have no clock. */
export function refuseComplaint(state: TableState, seat: number): Rejection | null {
  const window = complaintWindow(state);
  if (!state.seats[seat - 1]) return reject('unknown-seat');
  const cites = complaintCites(state);
  if (state.complaints.some((complaint) => complaint.seat === seat)) {
    return reject('duplicate', cites, 'one of this seat is open');
  }
  return window ? null : reject('too-late', cites, 'no round can be complained about');
}

/**
 * The complaint names the round, and the cards as they lay at its end: the ledger keeps them
 * whatever is dealt next.
 */
export function raiseComplaint(draft: Draft, input: InputOf<'raise-complaint'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseComplaint(state, input.seat);
  if (refused) return refused;
  const { roundId, roundNo, untilMs, cites } = complaintWindow(state)!;
  if (untilMs !== null && atMs > untilMs) return reject('too-late', cites, 'the time is up');
  emit(draft, {
    type: 'complaint-raised',
    atMs,
    complaintNo: state.nextComplaintNo,
    seat: input.seat,
    roundNo,
    ofRoundId: roundId,
    from: input.from ?? 'dealer',
    cards: laidCards(endedRound(state)!),
  });
  return null;
}

const laidCards = ({
  id: _id,
  no: _no,
  endedAtMs: _atMs,
  bank,
  seats,
  ...sides
}: ClosedRound): LaidCards => ({
  ...sides,
  bank: [...bank],
  seats: seats.map(({ seat, hands }) => ({ seat, hands: hands.map(({ cards }) => [...cards]) })),
});

export function closeComplaint(draft: Draft, input: InputOf<'close-complaint'>): Rejection | null {
  const { state, atMs } = draft;
  const { complaintNo, upheld, person } = input;
  const cites = complaintCites(state);
  const complaint = openComplaint(state, complaintNo);
  if (!complaint) return reject('nothing-to-do', cites, 'no such complaint');
  if (person.role !== 'supervisor') return reject('person', cites, 'supervisor');
  const { ofRoundId, adjustedMinor } = complaint;
  if (!upheld && adjustedMinor !== undefined)
    return reject('not-allowed', cites, 'credit has been put right for it: it is upheld');
  emit(draft, {
    type: 'complaint-closed',
    atMs,
    complaintNo,
    upheld,
    person,
    ...(ofRoundId === undefined ? {} : { ofRoundId, adjustedMinor: adjustedMinor ?? (0 as Minor) }),
  });
  return null;
}

export const openComplaint = (state: TableState, complaintNo: number): Complaint | undefined =>
  state.complaints.find((complaint) => complaint.complaintNo === complaintNo);

function complaintCites(state: TableState): readonly string[] {
  const { complaints } = articlesOf(state);
  return gameOf(state).cardsBack(state) === 'fed-by-dealer' ? [complaints] : [];
}
