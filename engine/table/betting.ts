import type { Minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { articlesOf, creditOf, type Draft, emit, isInTime, profileOf, rulesOf } from './draft.ts';
import type { InputOf } from './inputs.ts';
import type { Bet, Placement, TableState } from './state.ts';

type Touch = { readonly roundId: string; readonly touchedAtMs: number; readonly atMs: number };
type Laid = Omit<Placement, 'batch'>;

/**
 * Whether a touch on the bets still counts. The window closes at its deadline or with the dealer's word; a touch made
 * before that and handled shortly after counts too, as long as no card has left the shoe.
 */
export function refuseTouch(state: TableState, touch: Touch): Rejection | null {
  const { round, deadline } = state;
  if (!round || round.id !== touch.roundId) return reject('unknown-round');
  if (state.hold) return reject('held');
  const closesAtMs = state.phase === 'betting' ? deadline?.atMs : round.bettingClosedAtMs;
  const isOpen = state.phase === 'betting' || (state.phase === 'dealing' && !round.dealt);
  if (!isOpen || closesAtMs === undefined || closesAtMs === null) return reject('too-late');
  return isInTime(touch.touchedAtMs, touch.atMs, closesAtMs) ? null : reject('too-late');
}

export const mainOf = (bets: readonly Bet[], seat: number, by: number): Bet | undefined =>
  bets.find((bet) => bet.seat === seat && bet.by === by && bet.bet === 'main');

/** Without a main bet there is no round. */
export const hasMain = (state: TableState): boolean =>
  state.round?.bets.some((bet) => bet.bet === 'main') ?? false;

/** Limits of one placement on top of what lies; `bets` may already hold others of the same touch. */
export function refusePlacement(state: TableState, bets: readonly Bet[], laid: Laid): Rejection | null {
  const rules = rulesOf(state);
  const articles = articlesOf(state);
  const { seat, by, amountMinor } = laid;
  if (!state.seats[seat - 1] || !state.seats[by - 1]) return reject('unknown-seat');
  if (laid.bet !== 'main') return reject('off', [articles.sideBets], `unsupported: ${laid.bet}`);
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) return reject('malformed', [], 'amountMinor');
  const before = mainOf(bets, seat, by)?.amountMinor ?? 0;
  if (amountMinor % rules.step !== 0) return reject('step', [], `multiples of ${rules.step}`);
  if (before + amountMinor < rules.min || before + amountMinor > rules.max) {
    return reject('out-of-range', [], `${rules.min}..${rules.max}`);
  }
  if (before === 0) {
    const onSeat = bets.filter((bet) => bet.seat === seat && bet.bet === 'main').length;
    const bettors = rules.maxBettorsPerSeat ?? (rules.betsBehind === 'nearest' ? 3 : null);
    if (bettors !== null && onSeat >= bettors) return reject('limit', [articles.maxBettors]);
    const seats = bets.filter((bet) => bet.by === by && bet.bet === 'main').length;
    if (rules.seatsPerPlayer !== null && seats >= rules.seatsPerPlayer) {
      return reject('limit', [articles.seatsPerPlayer]);
    }
  }
  return amountMinor > creditOf(state, by) ? reject('no-credit') : null;
}

/** Several placements of one touch: all of them are lawful and covered, or the touch is refused. */
export function refusePlacements(state: TableState, placements: readonly Laid[]): Rejection | null {
  const bets = (state.round?.bets ?? []).map((bet) => ({ ...bet }));
  const total = placements.reduce((sum, laid) => sum + laid.amountMinor, 0);
  for (const laid of placements) {
    const refused = refusePlacement(state, bets, laid);
    if (refused) return refused;
    const bet = mainOf(bets, laid.seat, laid.by);
    if (bet) bet.amountMinor = (bet.amountMinor + laid.amountMinor) as Minor;
    else bets.push({ ...laid });
  }
  const by = placements[0]?.by;
  return by !== undefined && total > creditOf(state, by) ? reject('no-credit') : null;
}

function lay(draft: Draft, placements: readonly Laid[], touchedAtMs: number): void {
  const { state, atMs } = draft;
  const { currency } = profileOf(state);
  const batch = 1 + (state.round?.placements.at(-1)?.batch ?? 0);
  for (const { seat, by, bet, amountMinor } of placements) {
    emit(draft, { type: 'bet-placed', atMs, batch, seat, by, bet, currency, amountMinor, touchedAtMs });
  }
}

export function placeBet(draft: Draft, input: InputOf<'place-bet'>): Rejection | null {
  const { state } = draft;
  const refused =
    refuseTouch(state, input) ??
    refusePlacement(state, state.round?.bets ?? [], {
      seat: input.seat,
      by: input.by,
      bet: input.bet,
      amountMinor: input.amountMinor,
    });
  if (refused) return refused;
  const { seat, by, bet, amountMinor } = input;
  lay(draft, [{ seat, by, bet, amountMinor }], input.touchedAtMs);
  return null;
}

/** The placements a bettor may take back, last touch first. */
export const placementsOf = (state: TableState, by: number): readonly Placement[] =>
  (state.round?.placements ?? []).filter((placed) => placed.by === by);

/** What `repeat-bets` would lay: the bettor's bets of his last round. */
export const repeatOf = (state: TableState, by: number): readonly Laid[] =>
  state.seats[by - 1]?.previousBets ?? [];

/** What `double-bets` would add: once more what the bettor has laid. */
export const doubleOf = (state: TableState, by: number): readonly Laid[] =>
  (state.round?.bets ?? []).filter((bet) => bet.by === by).map((bet) => ({ ...bet }));

type ChangeBets = InputOf<'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets'>;

/** The panel of a seat acts for the bettor of that seat, on whatever seats his bets lie. */
export function changeBets(draft: Draft, input: ChangeBets): Rejection | null {
  const { state } = draft;
  const refused = refuseTouch(state, input) ?? refuseChange(state, input.type, input.seat);
  if (refused) return refused;
  const by = input.seat;
  if (input.type === 'repeat-bets') {
    lay(draft, repeatOf(state, by), input.touchedAtMs);
  } else if (input.type === 'double-bets') {
    lay(draft, doubleOf(state, by), input.touchedAtMs);
  } else {
    const placed = placementsOf(state, by);
    const last = placed.at(-1)?.batch;
    const taken = input.type === 'clear-bets' ? placed : placed.filter(({ batch }) => batch === last);
    const { currency } = profileOf(state);
    for (const { batch, seat, bet, amountMinor } of taken.toReversed()) {
      emit(draft, {
        type: 'bet-withdrawn',
        atMs: draft.atMs,
        batch,
        seat,
        by,
        bet,
        currency,
        amountMinor,
        touchedAtMs: input.touchedAtMs,
      });
    }
    // A touch in time that is handled after the window may take the last bet: then there is nobody to deal to.
    if (state.phase === 'dealing' && !hasMain(state))
      emit(draft, { type: 'betting-cancelled', atMs: draft.atMs });
  }
  return null;
}

/** Refusal of undo, clear, repeat or double by what lies on the table, whatever the time. */
export function refuseChange(state: TableState, type: ChangeBets['type'], by: number): Rejection | null {
  if (!state.seats[by - 1]) return reject('unknown-seat');
  const hasBets = placementsOf(state, by).length > 0;
  if (type === 'repeat-bets') {
    if (hasBets) return reject('not-allowed', [], 'bets lie already');
    const again = repeatOf(state, by);
    return again.length === 0 ? reject('nothing-to-do') : refusePlacements(state, again);
  }
  if (!hasBets) return reject('nothing-to-do');
  return type === 'double-bets' ? refusePlacements(state, doubleOf(state, by)) : null;
}
