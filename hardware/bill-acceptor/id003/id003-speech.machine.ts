/**
 * What the host's side of ID-003 says next: one command after each fresh status, the most urgent
 * one first.
 */
import { isWanted } from '../acceptor.machine.ts';
import { CODE, COMMAND, disableMask, REFUSE_COUPONS } from './id003.codec.ts';
import { type Id003State, unitTable } from './id003-state.machine.ts';

const RESET_AGAIN_MS = 3000;
/**
 * A jam or failure that lasts this long gets a RESET, so that a path cleared by hand needs no visit
 * of a technician.
 */
const HEAL_AFTER_MS = 10_000;
const HOLD_AGAIN_MS = 3000;
const TRIES = 3;
/**
 * Questions in a row that got no answer at all while others did: it may be the line, so it takes
 * more of them.
 */
const SILENCES = 6;
/** What a unit may leave unanswered and still take notes. */
export const OPTIONAL: readonly number[] = [
  COMMAND.version,
  COMMAND.bootVersion,
  COMMAND.security,
  COMMAND.mode,
  COMMAND.direction,
  COMMAND.options,
  COMMAND.barcodeInhibit,
];

export const POWER_UPS: readonly number[] = [
  CODE.powerUp,
  CODE.powerUpBillInAcceptor,
  CODE.powerUpBillInStacker,
];
const HEALABLE: readonly number[] = [
  CODE.jamInAcceptor,
  CODE.jamInStacker,
  CODE.failure,
  CODE.communicationError,
];
const QUIET: readonly number[] = [CODE.idle, CODE.disable, CODE.initialize];

/** The unit has refused this command, or left it unanswered, often enough: it cannot do it. */
export const gaveUp = (s: Id003State, command: number): boolean =>
  (s.tries[command] ?? 0) >= TRIES || (s.silences[command] ?? 0) >= SILENCES;

export type Speech = readonly [command: number, data: readonly number[]];
export const STATUS_REQUEST: Speech = [COMMAND.statusRequest, []];

/** The one thing worth saying after a fresh status. */
export function choose(s: Id003State, nowMs: number): Speech {
  const { status, held } = s;
  if (status === null) return STATUS_REQUEST;
  if (status === CODE.vendValid && held?.outcome === 'acknowledged') return [COMMAND.ack, []];
  if ((status === CODE.escrow || status === CODE.holding) && held?.outcome === 'pending') {
    // STACK-2: VEND VALID only once the note lies in the box; credit before that would be credit
    // for a note in the path.
    if (held.asked === 'stack') return [COMMAND.stack2, []];
    if (held.asked === 'return') return [COMMAND.returnNote, []];
    if (held.asked === 'hold' && nowMs - s.holdAtMs >= HOLD_AGAIN_MS) return [COMMAND.hold, []];
  }
  if (nowMs >= s.askAtMs) {
    if (s.version === null && !gaveUp(s, COMMAND.version)) return [COMMAND.version, []];
    if (s.table === null) return [COMMAND.currencies, []];
    if (s.bootVersion === null && !gaveUp(s, COMMAND.bootVersion)) return [COMMAND.bootVersion, []];
  }
  if (POWER_UPS.includes(status)) {
    // The table is read before RESET; a unit that refuses to say it here is asked again afterwards.
    const ready = s.table !== null || gaveUp(s, COMMAND.currencies);
    return ready && nowMs - s.resetAtMs >= RESET_AGAIN_MS ? [COMMAND.reset, []] : STATUS_REQUEST;
  }
  if (HEALABLE.includes(status) && nowMs - Math.max(s.statusSinceMs, s.resetAtMs) >= HEAL_AFTER_MS)
    return [COMMAND.reset, []];
  return settingDue(s, status) ?? STATUS_REQUEST;
}

/** Codes of the unit's table whose notes the host allows. */
const allowedCodes = (s: Id003State): readonly number[] =>
  unitTable(s).flatMap(({ code, note }) => (isWanted(s, note, s.currencies) ? [code] : []));

function settingDue(s: Id003State, status: number): Speech | null {
  if (s.table === null) return null;
  const codes = allowedCodes(s);
  const inhibit: Speech = [COMMAND.inhibit, [codes.length === 0 ? 1 : 0]];
  const enable: Speech = [COMMAND.enable, disableMask(codes)];
  const optional: readonly Speech[] = [
    [COMMAND.security, s.settings.security],
    [COMMAND.mode, [0]],
    [COMMAND.direction, s.settings.direction],
    [COMMAND.options, s.settings.options],
    // Coupons are no money here: a unit that can read them has to refuse them at its mouth.
    [COMMAND.barcodeInhibit, [REFUSE_COUPONS]],
  ];
  const quiet = QUIET.includes(status) ? optional.filter(([command]) => !gaveUp(s, command)) : [];
  // To close, inhibit comes first: it must not wait behind anything. To open, the mask is there
  // before the gate.
  const wanted = codes.length === 0 ? [inhibit, enable, ...quiet] : [enable, ...quiet, inhibit];
  return wanted.find(([command, data]) => s.applied[command] !== data.join()) ?? null;
}
