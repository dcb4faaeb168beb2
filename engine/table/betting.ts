import { type Rejection, reject } from '../core/result.ts';
import { creditOf, type Draft, profileOf, refuseLate, tooLate } from './draft.ts';
import type { Laid } from './game.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { findBet } from './places.ts';
import { gameOf } from './registry.ts';
import { isAtOwnLimit } from './sessions.ts';
import type { Bet, Placement, TableState } from './state.ts';
import { isSeatLocked } from './stops.ts';

type Touch = { readonly roundId: string; readonly touchedAtMs: number; readonly atMs: number };

/**
 * Whether a touch on the bets still counts. The window closes at its deadline or with the dealer's
 * word; a touch made before that and handled shortly after counts too, as long as no card has left
 * the shoe.
 */
export function refuseTouch(state: TableState, touch: Touch): Rejection | null {
  const { round, deadline } = state;
  if (round === null || round.id !== touch.roundId) return reject('unknown-round');
  if (state.hold !== null) return reject('held');
  if (round.demo) return reject('not-allowed', [], 'a round without bets');
  const isBetting = state.phase === 'betting';
  const closesAtMs = (isBetting ? deadline!.atMs : round.bettingClosedAtMs)!;
  const isOpen = isBetting || (state.phase === 'dealing' && !round.dealt);
  return isOpen ? refuseLate(touch, closesAtMs) : tooLate(touch, closesAtMs);
}

const isSeat = ({ seats }: TableState, seat: number): boolean =>
  Number.isInteger(seat) && seat >= 1 && seat <= seats.length;

/** What keeps a bettor from laying anything more, whatever the bet. */
export const refuseBettor = (state: TableState, by: number): Rejection | null =>
  isSeatLocked(state, by) ? reject('seat-locked') : isAtOwnLimit(state, by) ? reject('own-limit') : null;

/**
 * Limits of one placement on top of what lies; `bets` may already hold others of the same touch.
 */
export function refusePlacement(state: TableState, bets: readonly Bet[], laid: Laid): Rejection | null {
  const { seat, by, amountMinor } = laid;
  if (!isSeat(state, seat) || !isSeat(state, by)) return reject('unknown-seat');
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) return reject('malformed', [], 'amountMinor');
  const kept = refuseBettor(state, by);
  if (kept !== null) return kept;
  const refused = gameOf(state).refuseBet(state, bets, laid);
  if (refused !== null) return refused;
  return amountMinor > creditOf(state, by) ? reject('no-credit') : null;
}

/** Several placements of one touch: all of them are lawful and covered, or the touch is refused. */
function refusePlacements(state: TableState, by: number, placements: readonly Laid[]): Rejection | null {
  const bets = [...(state.round?.bets ?? [])];
  const total = placements.reduce((sum, laid) => sum + laid.amountMinor, 0);
  for (const laid of placements) {
    const refused = refusePlacement(state, bets, laid);
    if (refused) return refused;
    // No touch lays one bet twice: beside what lies already it only adds to the sums.
    bets.push(laid);
  }
  return total > creditOf(state, by) ? reject('no-credit') : null;
}

function nextBatch({ round }: TableState): number {
  const { placements } = round!;
  return placements.length === 0 ? 1 : placements[placements.length - 1]!.batch + 1;
}

function lay(draft: Draft, placements: readonly Laid[], touchedAtMs: number): void {
  const { state, atMs } = draft;
  const batch = nextBatch(state);
  const { currency } = profileOf(state);
  for (const { seat, by, bet, amountMinor } of placements) {
    emit(draft, { type: 'bet-placed', atMs, batch, seat, by, bet, currency, amountMinor, touchedAtMs });
  }
}

/** A bet that lies is a bet, not a second one beside it; a chip on top of it says so. */
const refuseSecond = (bets: readonly Bet[], { seat, by, bet }: InputOf<'place-bet'>): Rejection | null =>
  findBet(bets, seat, by, bet) ? reject('not-allowed', [], 'this bet lies already') : null;

export function placeBet(draft: Draft, input: InputOf<'place-bet'>): Rejection | null {
  const { state } = draft;
  const { seat, by, bet, amountMinor } = input;
  const bets = state.round?.bets ?? [];
  const placement = refusePlacement(state, bets, input);
  const isSecondChip = placement?.code === 'one-chip';
  const refused =
    refuseTouch(state, input) ??
    (input.onTop === true || isSecondChip ? null : refuseSecond(bets, input)) ??
    placement;
  if (refused !== null) return refused;
  lay(draft, [{ seat, by, bet, amountMinor }], input.touchedAtMs);
  return null;
}

/** The placements a bettor may take back, last touch first. */
export const placementsOf = (state: TableState, by: number): readonly Placement[] =>
  (state.round?.placements ?? []).filter((placed) => placed.by === by);

/**
 * What `repeat-bets` would lay: the bettor's bets of their last round but for those that stay on
 * the table anyway.
 */
export const repeatOf = (state: TableState, by: number): readonly Laid[] =>
  (state.seats[by - 1]?.previousBets ?? []).filter(
    (bet) => gameOf(state).refuseBet(state, [], bet)?.code !== 'locked',
  );

/** What `double-bets` would add: once more what the bettor has laid, but for bets of one chip. */
export const doubleOf = (state: TableState, by: number): readonly Laid[] =>
  (state.round?.bets ?? [])
    .filter((bet, _, bets) => bet.by === by && gameOf(state).refuseBet(state, bets, bet)?.code !== 'one-chip')
    .map((bet) => ({ ...bet }));

type ChangeBets = InputOf<'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets'>;

/** The panel of a seat acts for the bettor of that seat, on whatever seats their bets lie. */
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
    withdraw(draft, taken, input.touchedAtMs);
    withdrawOrphans(draft, input.touchedAtMs);
    // A touch in time that is handled after the window may take the last bet: then there is nobody
    // to deal to.
    if (state.phase === 'dealing' && !gameOf(state).isRound(state.round?.bets ?? []))
      emit(draft, { type: 'betting-cancelled', atMs: draft.atMs });
  }
  return null;
}

/** Takes placements back, the last one first. */
function withdraw(draft: Draft, taken: readonly Placement[], touchedAtMs: number): void {
  const { atMs } = draft;
  const { currency } = profileOf(draft.state);
  for (const { batch, seat, by, bet, amountMinor } of taken.toReversed()) {
    emit(draft, { type: 'bet-withdrawn', atMs, batch, seat, by, bet, currency, amountMinor, touchedAtMs });
  }
}

/**
 * Codes of a bet that may lie only while another one does, perhaps another player's (art. 13.1).
 */
const RESTS_ON_ANOTHER: ReadonlySet<string> = new Set(['no-main', 'no-seat-holder-bet']);

/** Bets whose ground has just been taken back go back too. */
function withdrawOrphans(draft: Draft, touchedAtMs: number): void {
  const { state } = draft;
  const bets = state.round?.bets ?? [];
  const orphan = bets.find((bet) =>
    RESTS_ON_ANOTHER.has(gameOf(state).refuseBet(state, bets, bet)?.code ?? ''),
  );
  if (!orphan) return;
  const { seat, by } = orphan;
  // All that the bettor has on this seat rests on the same ground.
  const taken = placementsOf(state, by).filter((placed) => placed.seat === seat);
  withdraw(draft, taken, touchedAtMs);
  withdrawOrphans(draft, touchedAtMs);
}

/** Refusal of undo, clear, repeat or double by what lies on the table, whatever the time. */
export function refuseChange(state: TableState, type: ChangeBets['type'], by: number): Rejection | null {
  if (!state.seats[by - 1]) return reject('unknown-seat');
  const hasBets = placementsOf(state, by).length > 0;
  if (type === 'repeat-bets') {
    if (hasBets) return reject('not-allowed', [], 'bets lie already');
    const again = repeatOf(state, by);
    return again.length === 0 ? reject('nothing-to-do') : refusePlacements(state, by, again);
  }
  if (!hasBets) return reject('nothing-to-do');
  return type === 'double-bets' ? refusePlacements(state, by, doubleOf(state, by)) : null;
}
