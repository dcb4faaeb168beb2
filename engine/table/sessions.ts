import { stakedMinor } from '../accounting/self-audit.ts';
import { type Minor, minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { isSame } from '../core/same.ts';
import { PLAIN_COMFORT } from './comfort.ts';
import { type Draft, isTaken, profileOf, seatOf } from './draft.ts';
import type { InputOf, LimitsSince, OwnLimitKind, OwnLimits } from './inputs.ts';
import { emit } from './lane.ts';
import { gameInForce } from './registry.ts';
import type { TableState } from './state.ts';

/**
 * Who sits at a seat: from the first money to the last. Nobody is known by name; a session is what
 * lies between, with the limits its player has set for themselves and the way they want their seat
 * shown.
 */

/**
 * Whether somebody has money here: credit, bets, a series, a payment that waits, a note on its way.
 */
const hasMoney = (state: TableState, seat: number): boolean =>
  isTaken(state, seat) ||
  (gameInForce(state)?.series?.open(state) ?? []).some(({ by }) => by === seat) ||
  state.notes.some((note) => note.seat === seat);

/**
 * What is at the seat now: its credit, its stakes on the table, and what waits to be paid by hand.
 */
function worthMinor(state: TableState, seat: number): number {
  const { creditMinor, cashOut, wins = [] } = seatOf(state, seat)!;
  const waiting = wins.reduce((sum, { amountMinor }) => sum + amountMinor, cashOut?.amountMinor ?? 0);
  return creditMinor + stakedMinor(state, seat) + waiting;
}

/** Won (+) or lost (-) since the seat was taken; stakes on the table are still the player's. */
export function sessionResult(state: TableState, seat: number): Minor {
  const session = seatOf(state, seat)?.session;
  return minor(session ? worthMinor(state, seat) + session.outMinor - session.inMinor : 0);
}

/** The limit of this seat that is due at `atMs` and has not been said yet. */
export function dueLimit(state: TableState, seat: number, atMs: number): OwnLimitKind | null {
  const session = seatOf(state, seat)?.session;
  if (!session || session.reached) return null;
  const { timeMs, lossMinor } = session.limits;
  if (timeMs !== null && atMs >= session.timeFromMs + timeMs) return 'time';
  const lostMinor = session.lossFromMinor - sessionResult(state, seat);
  return lossMinor !== null && lostMinor >= lossMinor ? 'loss' : null;
}

/** Nothing new is laid before the player has confirmed; what lies is played to its end. */
export const isAtOwnLimit = (state: TableState, by: number): boolean =>
  (seatOf(state, by)?.session?.reached ?? null) !== null;

/** A session begins that has not, or one is over: nobody has money at the seat any more. */
export const isBeginning = (state: TableState, seat: number): boolean =>
  seatOf(state, seat)?.session === undefined && isTaken(state, seat);
export function isOver(state: TableState, seat: number): boolean {
  const account = seatOf(state, seat);
  return (account?.session ?? account?.comfort) !== undefined && !hasMoney(state, seat);
}

export function beginSession(draft: Draft, { seat }: InputOf<'begin-session'>): Rejection | null {
  const { state, atMs } = draft;
  if (!isBeginning(state, seat)) return reject('nothing-to-do');
  const { currency } = profileOf(state);
  const broughtMinor = minor(worthMinor(state, seat));
  emit(draft, { type: 'session-began', atMs, seat, currency, broughtMinor, counts: true });
  return null;
}

export function endSession(draft: Draft, { seat }: InputOf<'end-session'>): Rejection | null {
  const { state, atMs } = draft;
  if (!isOver(state, seat)) return reject('nothing-to-do');
  const { session } = seatOf(state, seat)!;
  const { currency } = profileOf(state);
  const none = minor(0);
  const { inMinor, outMinor, sinceMs } = session ?? { inMinor: none, outMinor: none, sinceMs: atMs };
  emit(draft, { type: 'session-ended', atMs, seat, currency, inMinor, outMinor, forMs: atMs - sinceMs });
  return null;
}

export function setComfort(draft: Draft, { seat, comfort }: InputOf<'set-comfort'>): Rejection | null {
  const account = seatOf(draft.state, seat);
  if (!account) return reject('unknown-seat');
  if (isSame(comfort, account.comfort ?? PLAIN_COMFORT)) return null;
  emit(draft, { type: 'comfort-set', atMs: draft.atMs, seat, comfort });
  return null;
}

const isRaised = (limit: number | null, before: number): boolean => limit === null || limit > before;

/** A touch beside the one that was meant may be put right for so long. */
const PUT_RIGHT_MS = 60_000;
/** For so long after it was first set a limit is only lowered. */
const STANDS_MS = 24 * 60 * 60_000;

const standsSince = (sinceMs: number, atMs: number): boolean =>
  atMs >= sinceMs + PUT_RIGHT_MS && atMs < sinceMs + STANDS_MS;

/** The limits of this seat that are only lowered now; a minute after they were set they stand. */
export function standingLimits(state: TableState, seat: number, atMs: number): (keyof OwnLimits)[] {
  const session = seatOf(state, seat)?.session;
  if (session === undefined) return [];
  const { limits, limitsSince = {}, hasReached, inMinor } = session;
  return OWN_LIMITS.filter((kind) => {
    const limit = limits[kind] ?? null;
    if (limit === null) return false;
    // Money put in does not come back within a session: once there is no room, it has been reached.
    const isUsed = kind === 'inMinor' && inMinor >= limit;
    return hasReached || isUsed || standsSince(limitsSince[SET_AT[kind]] ?? Infinity, atMs);
  });
}

const OWN_LIMITS = ['timeMs', 'lossMinor', 'inMinor'] as const satisfies readonly (keyof OwnLimits)[];
const SET_AT = {
  timeMs: 'timeSetMs',
  lossMinor: 'lossSetMs',
  inMinor: 'inSetMs',
} as const satisfies Record<keyof OwnLimits, keyof LimitsSince>;

/**
 * Lower at any time; higher, or off, only within a minute of setting it, or after a day, and not
 * once one of this session has been reached.
 */
export function setOwnLimits(draft: Draft, input: InputOf<'set-own-limits'>): Rejection | null {
  const { state, atMs } = draft;
  const { seat, timeMs, lossMinor, inMinor = null } = input;
  const account = seatOf(state, seat);
  if (!account) return reject('unknown-seat');
  const { session } = account;
  if (!session) return reject('nothing-to-do', [], 'nobody sits here');
  const wanted = { timeMs, lossMinor, inMinor };
  for (const limit of Object.values(wanted))
    if (limit !== null && (!Number.isSafeInteger(limit) || limit <= 0))
      return reject('malformed', [], 'limit');
  const { limits, limitsSince = {} } = session;
  const before = (kind: keyof OwnLimits): number | null => limits[kind] ?? null;
  if (OWN_LIMITS.every((kind) => before(kind) === wanted[kind])) return null;
  if (standingLimits(state, seat, atMs).some((kind) => isRaised(wanted[kind], before(kind)!)))
    return reject('limit-stands');
  const since = Object.fromEntries(
    OWN_LIMITS.filter((kind) => wanted[kind] !== null).map((kind) => [
      SET_AT[kind],
      limitsSince[SET_AT[kind]] ?? atMs,
    ]),
  );
  const ofMoneyIn = inMinor === null ? {} : { inMinor };
  emit(draft, { type: 'own-limits-set', atMs, seat, timeMs, lossMinor, ...ofMoneyIn, since });
  return null;
}

/** What a player may still put in by their own limit. */
export function ownRoomMinor(state: TableState, seat: number): number {
  const session = seatOf(state, seat)?.session;
  const most = session?.limits.inMinor ?? null;
  return most === null ? Infinity : most - session!.inMinor;
}

/** What the house lets this seat put in, of its session and of its span. */
export function houseRoomMinor(state: TableState, seat: number): number {
  const { sessionMinor = Infinity, span } = state.profile?.noteLimits ?? {};
  const account = seatOf(state, seat);
  const ofSpan = span === undefined ? Infinity : span.mostMinor - (account?.span?.inMinor ?? 0);
  return Math.min(sessionMinor - (account?.session?.inMinor ?? 0), ofSpan);
}

/** When the span of notes that runs at this seat is over; null = none does. */
export function spanEndsMs(state: TableState, seat: number): number | null {
  const running = seatOf(state, seat)?.span;
  return running === undefined ? null : running.fromMs + (state.profile?.noteLimits?.span?.ms ?? 0);
}

export function endNoteSpan(draft: Draft, { seat }: InputOf<'end-note-span'>): Rejection | null {
  const { state, atMs } = draft;
  const endsMs = spanEndsMs(state, seat);
  if (endsMs === null || atMs < endsMs) return reject('not-due');
  const { currency } = profileOf(state);
  emit(draft, { type: 'note-span-ended', atMs, seat, currency, inMinor: seatOf(state, seat)!.span!.inMinor });
  return null;
}

/** The longest break that a player takes from one touch. */
const MOST_BREAK_MS = 24 * 60 * 60_000;

export function takeBreak(draft: Draft, { seat, forMs }: InputOf<'take-break'>): Rejection | null {
  const { state, atMs } = draft;
  const session = seatOf(state, seat)?.session;
  if (!seatOf(state, seat)) return reject('unknown-seat');
  if (!session) return reject('nothing-to-do', [], 'nobody sits here');
  if (!Number.isSafeInteger(forMs) || forMs <= 0 || forMs > MOST_BREAK_MS)
    return reject('malformed', [], 'forMs');
  const untilMs = atMs + forMs;
  if (untilMs <= (session.breakUntilMs ?? 0))
    return reject('limit-stands', [], 'a break is only made longer');
  emit(draft, { type: 'break-began', atMs, seat, untilMs });
  return null;
}

/** Since when staff are to hear of it, where they have not. */
export function longFromMs(state: TableState, seat: number): number | null {
  const session = seatOf(state, seat)?.session;
  const { longSessionMs = 0 } = state.profile ?? {};
  return session === undefined || session.isLong || longSessionMs === 0
    ? null
    : session.sinceMs + longSessionMs;
}

export function noticeLongSession(draft: Draft, { seat }: InputOf<'notice-long-session'>): Rejection | null {
  const { state, atMs } = draft;
  const fromMs = longFromMs(state, seat);
  if (fromMs === null || atMs < fromMs) return reject('not-due');
  emit(draft, { type: 'session-long', atMs, seat, forMs: atMs - seatOf(state, seat)!.session!.sinceMs });
  return null;
}

export function reachOwnLimit(draft: Draft, { seat }: InputOf<'reach-own-limit'>): Rejection | null {
  const { state, atMs } = draft;
  const kind = dueLimit(state, seat, atMs);
  if (kind === null) return reject('not-due');
  const forMs = atMs - seatOf(state, seat)!.session!.sinceMs;
  const resultMinor = sessionResult(state, seat);
  const { currency } = profileOf(state);
  emit(draft, { type: 'own-limit-reached', atMs, seat, kind, currency, resultMinor, forMs });
  return null;
}

export function confirmOwnLimit(draft: Draft, { seat }: InputOf<'confirm-own-limit'>): Rejection | null {
  const { state, atMs } = draft;
  const { reached: kind = null, breakUntilMs = 0 } = seatOf(state, seat)?.session ?? {};
  if (kind === null) return reject('nothing-to-do');
  if (atMs < breakUntilMs) return reject('limit-stands', [], 'the break is not over');
  const { currency } = profileOf(state);
  emit(draft, {
    type: 'own-limit-confirmed',
    atMs,
    seat,
    kind,
    currency,
    resultMinor: sessionResult(state, seat),
  });
  return null;
}
