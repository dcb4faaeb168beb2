/**
 * The host's side of ID-003 as a pure step: what arrived and what time it is in; frames, events and
 * the next wake-up out.
 *
 * The device's status is the only truth. A command that moves a note is never repeated blindly:
 * after silence the machine asks for the status first and acts on what it then hears. VEND VALID is
 * the one credit signal; the device repeats it until our ACK, which leaves only after the host has
 * committed.
 */
import type { AcceptorEvent } from '../../ports.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { hidesRestartMs, PATIENCE_MS, patienceAfter, replyDueMs } from '../../transport/patience.ts';
import { type Draft as DraftOf, type Out as OutOf, setLink } from '../../transport/protocol.ts';
import { announceEscrow, ownWorth, report, stepOfAcceptor, tell } from '../acceptor.machine.ts';
import {
  CODE,
  COMMAND,
  decodeCurrencies,
  decodeStatus,
  ESCROW_TIME_OUT,
  encode,
  type Frame,
  parse,
  REJECT_INHIBITED,
  REPLY_ACK,
  REPLY_INVALID,
} from './id003.codec.ts';
import { followNote } from './id003-note.machine.ts';
import { choose, gaveUp, OPTIONAL, POWER_UPS, type Speech, STATUS_REQUEST } from './id003-speech.machine.ts';
import { type Id003State, unitTable } from './id003-state.machine.ts';

const POLL_MS = 100;
const LINK_LOST_MS = 3000;
/** As long as a unit that was opened may say DISABLE before people are reported. */
const SHUT_MS = 3000;
const ASK_AGAIN_MS = 1000;
/**
 * A unit whose credit signal was left without ACK for a minute has been seen to answer no poll any
 * more, and a RESET: it gets one where it has been silent for so long on an open line.
 */
const MUTE_AFTER_MS = 60_000;
const RESET_MUTE_AFTER_MS = 2000;

const IDENTITY: readonly number[] = [COMMAND.version, COMMAND.bootVersion, COMMAND.currencies];

type Draft = DraftOf<Id003State>;
type Out = OutOf<AcceptorEvent>;

export const stepId003 = stepOfAcceptor<Id003State, Frame>({
  parse,
  opened: (s, _out, nowMs) => {
    s.heardAtMs = nowMs;
    s.patienceMs = PATIENCE_MS;
    s.missed = null;
    forgetDevice(s);
  },
  hear,
  speak: (s, out, nowMs) => {
    announce(s, out);
    return converse(s, out, nowMs);
  },
  forget: forgetDevice,
});

// Everything that was read from the device: another unit may hang on the line when it comes back.
function forgetDevice(s: Draft): void {
  s.awaiting = null;
  s.status = null;
  s.fresh = false;
  forgetIdentity(s);
}

function forgetIdentity(s: Draft): void {
  s.version = null;
  s.bootVersion = null;
  s.table = null;
  s.tries = {};
  s.silences = {};
  s.shutSinceMs = null;
  s.askAtMs = 0;
  s.identified = false;
  s.applied = {};
  s.resetAtMs = Number.NEGATIVE_INFINITY;
}

// ---- what arrives ----

function hear(s: Draft, out: Out, frame: Frame, nowMs: number): void {
  const asked = s.awaiting;
  // In polled mode the device speaks only when asked: anything else is the late answer to a
  // question already given up.
  if (asked === null || !answers(asked.command, frame)) {
    if (s.missed !== null && answers(s.missed.command, frame))
      s.patienceMs = patienceAfter(nowMs - s.missed.sentAtMs);
    return;
  }
  s.awaiting = null;
  // A silence this long can hide an initialisation, and with it the loss of every setting.
  const unbroken = nowMs - s.heardAtMs < hidesRestartMs(s.patienceMs);
  if (!unbroken) s.applied = {};
  s.silences = { ...s.silences, [asked.command]: 0 };
  // It may be the late answer to the same question, asked before.
  const { sentAtMs } = s.missed?.command === asked.command ? s.missed : asked;
  s.patienceMs = patienceAfter(nowMs - sentAtMs);
  s.missed = null;
  s.heardAtMs = nowMs;
  s.failures = 0;
  setLink(s, out, 'up');
  if (asked.command === COMMAND.statusRequest) hearStatus(s, out, frame, nowMs, unbroken);
  else if (IDENTITY.includes(asked.command)) hearIdentity(s, asked.command, frame, nowMs);
  else if (asked.command >= COMMAND.enable && asked.command <= COMMAND.barcodeInhibit) {
    if (frame.command === asked.command && frame.data.join() === asked.data)
      s.applied = { ...s.applied, [asked.command]: asked.data };
    else {
      countTry(s, asked.command);
      s.fresh = false; // a refusal is followed by a poll, not by the same words at the speed of the line
    }
  }
}

function answers(command: number, frame: Frame): boolean {
  if (command === COMMAND.statusRequest) return decodeStatus(frame).ok;
  if (frame.command === REPLY_INVALID) return true;
  if (command === COMMAND.reset || (command >= COMMAND.stack1 && command <= COMMAND.wait))
    return frame.command === REPLY_ACK;
  return frame.command === command;
}

function countTry(s: Draft, command: number): void {
  s.tries = { ...s.tries, [command]: (s.tries[command] ?? 0) + 1 };
}

function hearIdentity(s: Draft, command: number, frame: Frame, nowMs: number): void {
  if (frame.command === COMMAND.version || frame.command === COMMAND.bootVersion) {
    const text = String.fromCharCode(...frame.data.filter((byte) => byte >= 0x20 && byte < 0x7f));
    if (frame.command === COMMAND.version) s.version = text;
    else s.bootVersion = text;
    return;
  }
  const table = frame.command === COMMAND.currencies ? decodeCurrencies(frame.data) : null;
  if (table?.ok) s.table = table.value;
  else {
    countTry(s, command);
    s.askAtMs = nowMs + ASK_AGAIN_MS;
  }
}

function hearStatus(s: Draft, out: Out, frame: Frame, nowMs: number, unbroken: boolean): void {
  const decoded = decodeStatus(frame);
  if (!decoded.ok) return;
  const code = frame.command;
  const before = s.status;
  s.status = code;
  s.fresh = true;
  if (before !== code) {
    s.statusSinceMs = nowMs;
    if (POWER_UPS.includes(code) && !(before !== null && POWER_UPS.includes(before))) forgetIdentity(s);
    // Initialising clears what was set before it.
    if (code === CODE.initialize) s.applied = {};
  }
  s.creditSinceMs = code === CODE.vendValid ? (s.creditSinceMs ?? nowMs) : null;
  // Closed though it was opened: it has initialised between two polls.
  if (code === CODE.disable && s.applied[COMMAND.inhibit] === '0') {
    s.applied = {};
    s.shutSinceMs ??= nowMs;
  } else if (code !== CODE.disable || s.applied[COMMAND.inhibit] === '1') s.shutSinceMs = null;
  if (code === CODE.rejecting && before !== CODE.rejecting) {
    const waited = before === CODE.escrow || before === CODE.holding;
    const timedOut = waited && frame.data[0] === REJECT_INHIBITED;
    tell(out, { type: 'rejected', reason: timedOut ? ESCROW_TIME_OUT : (decoded.value.detail ?? 'unknown') });
  }
  // The note's end before the state that follows it: a host that sees `idle` may take an open note
  // as disputed.
  const followed = followNote(s, unbroken ? before : null, code, frame.data);
  s.held = followed.held;
  s.pastOpen = followed.pastOpen;
  for (const event of followed.events) tell(out, event);
  const shut = s.shutSinceMs !== null && nowMs - s.shutSinceMs >= SHUT_MS;
  report(s, out, decoded.value.row.state, shut ? 'though-open' : decoded.value.detail);
}

// ---- what to do next ----

/** Whether the unit still answers. */
function converse(s: Draft, out: Out, nowMs: number): boolean {
  if (s.awaiting !== null && nowMs >= replyDueMs(s, s.awaiting.sentAtMs, s.patienceMs)) giveUp(s, s.awaiting);
  if (s.awaiting === null && nowMs - s.heardAtMs >= LINK_LOST_MS) return false;
  if (s.awaiting === null) speak(s, out, nowMs);
  s.wakeAtMs =
    s.awaiting === null ? s.polledAtMs + POLL_MS : replyDueMs(s, s.awaiting.sentAtMs, s.patienceMs);
  return true;
}

function giveUp(s: Draft, { command, sentAtMs }: NonNullable<Id003State['awaiting']>): void {
  // A spoilt answer is one: only a unit that says nothing at all may not know the question.
  if (OPTIONAL.includes(command) && s.bytesAtMs <= sentAtMs)
    s.silences = { ...s.silences, [command]: (s.silences[command] ?? 0) + 1 };
  s.missed ??= { command, sentAtMs };
  // What is left of a frame belongs to no question any more.
  s.parser = EMPTY_PARSER;
  s.awaiting = null;
  s.fresh = false;
}

function announce(s: Draft, out: Out): void {
  const asked = (answer: string | null, command: number): boolean => answer !== null || gaveUp(s, command);
  if (
    !s.identified &&
    s.table !== null &&
    asked(s.version, COMMAND.version) &&
    asked(s.bootVersion, COMMAND.bootVersion)
  ) {
    s.identified = true;
    const table = unitTable(s).map(({ note }) => note);
    const firmware = [s.version ?? '', s.bootVersion === null ? '' : `boot ${s.bootVersion}`]
      .filter((text) => text !== '')
      .join(', ');
    tell(out, {
      type: 'identity',
      // ID-003 has no serial number: the line a unit hangs on is its name.
      identity: { model: 'JCM ID-003', serial: '', firmware },
      notes: table.flatMap((row) => ownWorth(row) ?? []),
      table,
    });
  }
  const held = s.held;
  if (held === null || held.announced || held.outcome !== 'pending') return;
  if (s.table === null && !gaveUp(s, COMMAND.currencies)) return;
  const row = unitTable(s).find(({ code }) => code === held.code);
  s.held = announceEscrow(s, out, held, row?.note ?? null);
}

const RESET: Speech = [COMMAND.reset, []];

/** Once for each time the line is opened, after status requests that nobody has answered. */
const isMute = (s: Draft, nowMs: number): boolean =>
  s.status === null &&
  s.creditSinceMs !== null &&
  nowMs - s.creditSinceMs >= MUTE_AFTER_MS &&
  nowMs - s.heardAtMs >= RESET_MUTE_AFTER_MS &&
  s.resetAtMs === Number.NEGATIVE_INFINITY;

function speak(s: Draft, out: Out, nowMs: number): void {
  const [command, data] = s.fresh ? choose(s, nowMs) : isMute(s, nowMs) ? RESET : STATUS_REQUEST;
  if (command === COMMAND.statusRequest) {
    if (nowMs < s.polledAtMs + POLL_MS) return;
    s.polledAtMs = nowMs;
  }
  out.push({ type: 'write', bytes: encode(command, data) });
  if (
    command === COMMAND.ack ||
    command === COMMAND.reset ||
    (command >= COMMAND.stack1 && command <= COMMAND.hold)
  )
    s.fresh = false;
  if (command === COMMAND.stack2 && s.held !== null) s.held = { ...s.held, stackSent: true };
  if (command === COMMAND.reset) s.resetAtMs = nowMs;
  if (command === COMMAND.hold) s.holdAtMs = nowMs;
  if (command !== COMMAND.ack) s.awaiting = { command, data: data.join(), sentAtMs: nowMs };
  else if (s.held !== null) s.held = { ...s.held, outcome: 'answered' };
}
