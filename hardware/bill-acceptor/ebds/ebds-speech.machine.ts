/** What the host says next, and the poll that every message carries. */
import type { Poll } from './ebds.codec.ts';
import { type Asked, type EbdsState, stateOf } from './ebds-state.machine.ts';
import { allowedRows, escrowTimeoutDue, inhibitsHold, readingDue, settingDue } from './ebds-unit.machine.ts';

/** Valid replies before the unit counts as there. */
export const GOOD_POLLS = 2;
/**
 * Replies in which a unit may leave the note in escrow without a name before it counts as unknown.
 */
export const UNNAMED_REPLIES = 3;

export function pollOf(s: EbdsState, move: Poll['move']): Poll {
  const fixed = s.unit.reporting === 'fixed';
  return {
    notes: notesOpen(s),
    // Pyramid takes notes any way up and has none of the bits beyond the barcode's: they are sent
    // as 0.
    orientation: fixed ? 0 : 3,
    escrow: true,
    move,
    noPush: false,
    barcodes: false,
    powerUp: fixed ? 'A' : 'B',
    extendedNotes: s.unit.reporting === 'extended',
    extendedCoupons: false,
  };
}

/** Mask of the poll: what may be taken now, 0 = the unit is shut. */
export function notesOpen(s: EbdsState): number {
  const rows = allowedRows(s.unit, s.profile, s);
  if (!s.unit.tableRead || rows.length === 0 || s.status === null || s.status.poweringUp) return 0;
  if (s.unit.reporting === 'extended') return inhibitsHold(s.unit, rows) ? 0x7f : 0;
  return rows.reduce((mask, index) => mask | (1 << (index - 1)), 0);
}

export const POLL: Asked = { type: 'poll' };

/**
 * The one thing worth saying after a fresh reply, and what is to happen with the note in escrow.
 */
export function choose(s: EbdsState): readonly [asked: Asked, move: Poll['move']] {
  const { status, held } = s;
  if (status === null || s.good < GOOD_POLLS || status.poweringUp || held?.outcome === 'credited')
    return [POLL, null];
  if (status.escrowed && held?.outcome === 'pending') {
    if (held.asked === 'return' || (held.asked === 'stack' && held.watched)) return [POLL, held.asked];
    const holding = held.asked === 'hold' ? escrowTimeoutDue(s.unit, 0) : null;
    if (holding !== null) return [holding, null];
    // A note that the unit has not named yet is named in the reply to a poll, not to a question.
    if (!held.watched && held.unnamed < UNNAMED_REPLIES) return [POLL, null];
  }
  // Nothing moves: idle, or out of service, as some units say of themselves while they are shut.
  const still = !(status.accepting || status.escrowed || status.stacking || status.returning);
  const reading = still || status.escrowed ? readingDue(s.unit, s.profile) : null;
  if (reading !== null) return [reading, null];
  const setting = still ? settingDue(s.unit, s.profile, allowedRows(s.unit, s.profile, s)) : null;
  if (setting !== null) return [setting, null];
  // Policy B holds a note that was at escrow when the power went: it goes back to whoever fed it.
  const heldBack = stateOf(status, s.unrested, false)[0] === 'power-up-bill-in-acceptor';
  return [POLL, heldBack ? 'return' : null];
}
