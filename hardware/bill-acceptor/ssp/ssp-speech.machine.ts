/** What the host's side of SSP says next: the most urgent thing first. */
import { isWanted } from '../acceptor.machine.ts';
import { COMMAND, inhibitBytes, NOTE_VALIDATOR } from './ssp.codec.ts';
import type { SspState } from './ssp-state.machine.ts';

/** The maker's time between two polls. */
export const POLL_MS = 200;
const HOLD_AGAIN_MS = 500;
/** A jam that lasts this long gets a RESET, so that a path cleared by hand needs no visit. */
const HEAL_AFTER_MS = 10_000;
/**
 * Protocol versions in the order they are offered: 6 is the first that names a channel's currency.
 */
export const VERSIONS: readonly number[] = [6, 5, 4];

/**
 * What a unit may leave unanswered and still take notes. Never a poll: one that nobody answered may
 * have told of a note, and the next poll would stack it. POLL WITH ACK is left with the line alone.
 */
const OPTIONAL: readonly number[] = [
  COMMAND.protocolVersion,
  COMMAND.serial,
  COMMAND.firmware,
  COMMAND.lastReject,
];
export const isOptional = (command: number): boolean => OPTIONAL.includes(command);

export type Speech = readonly [command: number, ...data: readonly number[]];

/** Channels whose notes the host allows. */
export const allowedChannels = (s: SspState): readonly number[] =>
  s.setup?.unitType === NOTE_VALIDATOR
    ? s.setup.channels.flatMap((row) => (isWanted(s, row, s.currencies) ? [row.channel] : []))
    : [];

/** Null = nothing is due yet. */
export function choose(s: SspState, nowMs: number): Speech | null {
  const { held } = s;
  if (!s.synced) return nowMs >= Math.max(s.resetAtMs, s.saidAtMs) + POLL_MS ? [COMMAND.sync] : null;
  if (s.start !== 'free') {
    if (s.start === 'note') return [COMMAND.reject];
    // A note that is held and cannot be given back is stuck.
    if (nowMs - Math.max(s.openedAtMs, s.resetAtMs) >= HEAL_AFTER_MS) return [COMMAND.reset];
    return nowMs >= s.holdAtMs + HOLD_AGAIN_MS ? [COMMAND.hold] : null;
  }
  const poll: Speech = [s.withAck === false ? COMMAND.poll : COMMAND.pollWithAck];
  const isDue = nowMs >= s.saidAtMs + POLL_MS;
  // A note in escrow is held before anything is acknowledged: that may set the unit going again.
  const isLoose = held?.inEscrow === true && held.asked !== 'stack' && s.holdAtMs < s.openedAtMs;
  if (s.ackDue && !isLoose) return [COMMAND.eventAck];
  if (held?.inEscrow) {
    if (held.asked === 'stack') return poll;
    if (held.asked === 'return') return [COMMAND.reject];
    if (nowMs >= s.holdAtMs + HOLD_AGAIN_MS && isDue) return [COMMAND.hold];
    // Told in one answer with SLAVE RESET: nobody can say its worth before the table is read.
    return s.setup === null ? questionDue(s, isDue) : null;
  }
  const isJammedLong =
    s.jammedSinceMs !== null && nowMs - Math.max(s.jammedSinceMs, s.resetAtMs) >= HEAL_AFTER_MS;
  if (isJammedLong) return [COMMAND.reset];
  // An open unit hears at once that it is shut; one that was told nothing yet can wait.
  const isSaid = isDue || (s.isNews && s.gate === 'open');
  return questionDue(s, isDue) ?? settingDue(s, isSaid) ?? (isDue ? poll : null);
}

function questionDue(s: SspState, isDue: boolean): Speech | null {
  const version = VERSIONS[s.versionAt];
  if (version !== undefined) return [COMMAND.protocolVersion, version];
  if (s.setup === null) return isDue ? [COMMAND.setup] : null;
  for (const command of [COMMAND.firmware, COMMAND.serial])
    if (s.texts[command] === undefined) return [command];
  return s.asksReject ? [COMMAND.lastReject] : null;
}

function settingDue(s: SspState, isDue: boolean): Speech | null {
  // A unit that has a note to tell of is asked for that first.
  if (s.setup === null || s.held !== null || s.withAck === null || s.wasReset || !isDue) return null;
  if (s.jammedSinceMs !== null) return null;
  // Not before it is known what became of a note of an earlier life.
  const channels = s.pastOpen ? [] : allowedChannels(s);
  if (channels.length === 0) return s.gate === 'shut' ? null : [COMMAND.disable];
  const highest = Math.max(...s.setup.channels.map(({ channel }) => channel));
  const register = inhibitBytes(channels, highest);
  if (s.inhibits !== register.join()) return [COMMAND.inhibits, ...register];
  return s.gate === 'open' ? null : [COMMAND.enable];
}
