/**
 * The host's side of SSP as a pure step: what arrived and what time it is in; packets, events and
 * the next wake-up out.
 *
 * A packet is said again, the same bytes, until it is answered: the unit repeats its answer and
 * does nothing twice. A poll stacks the note that it told to lie in escrow; so until the host has
 * decided HOLD goes out and no poll. After a start, or a lost line, HOLD is asked first too: a note
 * that lies there is given back, since only a poll could tell which one it is.
 */
import type { AcceptorEvent, AcceptorState } from '../../ports.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { PATIENCE_MS, patienceAfter, replyDueMs } from '../../transport/patience.ts';
import { type Draft as DraftOf, type Out as OutOf, setLink } from '../../transport/protocol.ts';
import { announceEscrow, ownWorth, report, stepOfAcceptor, tell, worthOf } from '../acceptor.machine.ts';
import {
  COMMAND,
  decodeEvents,
  EVENT,
  encode,
  type Frame,
  NOTE_VALIDATOR,
  type PollEvent,
  parse,
  REPLY,
  type Setup,
} from './ssp.codec.ts';
import { forgetSettings, hearAnswer } from './ssp-answer.machine.ts';
import { followNote, quiet } from './ssp-note.machine.ts';
import { allowedChannels, choose, isOptional, POLL_MS, VERSIONS } from './ssp-speech.machine.ts';
import type { SspState } from './ssp-state.machine.ts';

const LINK_LOST_MS = 5000;
/** Times that a question which may stay open goes out. */
const TRIES = 4;
/** As long as a unit that was opened may say DISABLED before people are reported. */
const SHUT_MS = 3000;
/** At the least after the line is opened, before a quiet unit says that its path is free. */
const FIRST_LOOK_MS = 1000;
const SOON_MS = 20;
const NAMES: Readonly<Record<number, string>> = { 0: 'note validator' };

type Draft = DraftOf<SspState>;
type Out = OutOf<AcceptorEvent>;

export const stepSsp = stepOfAcceptor<SspState, Frame>({
  parse,
  opened: (s, _out, nowMs) => {
    forgetUnit(s);
    s.heardAtMs = nowMs;
    s.openedAtMs = nowMs;
    s.holdAtMs = Number.NEGATIVE_INFINITY;
    s.saidAtMs = Number.NEGATIVE_INFINITY;
    s.patienceMs = PATIENCE_MS;
    s.settleAtMs = nowMs + FIRST_LOOK_MS;
  },
  hear,
  speak: (s, out, nowMs) => {
    announce(s, out);
    return converse(s, out, nowMs);
  },
  forget: forgetUnit,
});

// The note stays: the unit behind a new line may be the same one.
function forgetUnit(s: Draft): void {
  s.awaiting = null;
  s.last = null;
  s.synced = false;
  s.start = 'unknown';
  s.queue = [];
  s.ackDue = false;
  s.wasReset = false;
  s.keylessSinceMs = null;
  s.jammedSinceMs = null;
  if (s.held !== null) s.held = { ...s.held, inEscrow: false };
  forgetSettings(s);
  s.former = null;
}

// ---- what arrives ----

function hear(s: Draft, out: Out, frame: Frame, nowMs: number): void {
  const { awaiting } = s;
  if (awaiting === null || frame.seq !== s.seq || frame.address !== s.address) return;
  const code = frame.data[0]!;
  const data = frame.data.subarray(1);
  const isPoll = awaiting.command === COMMAND.poll || awaiting.command === COMMAND.pollWithAck;
  const events = isPoll && code === REPLY.ok ? decodeEvents(data) : null;
  // Events that cannot be read are asked for again; a list of them is no answer to HOLD.
  if (events?.ok === false || (awaiting.command === COMMAND.hold && data.length > 1)) return;
  s.awaiting = null;
  s.last = awaiting.bytes;
  s.patienceMs = patienceAfter(nowMs - (awaiting.tries === 1 ? awaiting.sentAtMs : awaiting.askedAtMs));
  s.heardAtMs = nowMs;
  s.failures = 0;
  s.seq = awaiting.command === COMMAND.sync ? 0 : s.seq === 0 ? 1 : 0;
  setLink(s, out, 'up');
  if (awaiting.command === COMMAND.pollWithAck) s.ackSilences = 0;
  if (code === REPLY.keyNotSet) {
    // It has done nothing of what was said, and does nothing before a key is agreed.
    s.synced = false;
    s.start = 'unknown';
    s.keylessSinceMs ??= nowMs;
    return report(s, out, 'failed', 'key-not-set');
  }
  if (awaiting.command !== COMMAND.sync) s.keylessSinceMs = null;
  if (events?.ok) hearPoll(s, out, events.value, awaiting.command, nowMs);
  else hearAnswer(s, out, awaiting.command, awaiting.data, code, data);
}

function hearPoll(s: Draft, out: Out, events: readonly PollEvent[], command: number, nowMs: number): void {
  s.withAck = command === COMMAND.pollWithAck;
  const isReset = events.some(({ code }) => code === EVENT.slaveReset);
  const isNews = isReset && !s.wasReset;
  if (isNews) {
    const { withAck } = s;
    forgetSettings(s);
    s.withAck = withAck;
  }
  if (s.held?.outcome === 'credited') {
    // The same packet once more, while the host commits: it is answered with the same events. A
    // unit that has restarted has forgotten it, and answers it anew.
    if (isNews) s.queue = [...s.queue, ...events];
    return tell(out, { type: 'credit', note: s.held.note });
  }
  if (s.held?.inEscrow) s.held = { ...s.held, inEscrow: false };
  s.ackDue = s.withAck && events.some(({ code }) => TO_ACKNOWLEDGE.includes(code));
  s.wasReset = isReset;
  s.queue = events.length === 0 ? [QUIET] : events;
  drain(s, out, nowMs);
  if (s.held?.inEscrow) s.holdAtMs = Number.NEGATIVE_INFINITY;
}

/**
 * Events that a unit repeats until EVENT ACK. SLAVE RESET is none of them: an acknowledgement that
 * nothing waits for might take away what comes after it.
 */
const TO_ACKNOWLEDGE: readonly number[] = [
  EVENT.credit,
  EVENT.clearedIntoCashBox,
  EVENT.clearedFromFront,
  EVENT.fraud,
  EVENT.ticketStacked,
];
/** So long a unit is believed that says but once that its box is full. */
const FULL_MS = 60_000;
const NOT_FULL: readonly number[] = [
  EVENT.read,
  EVENT.credit,
  EVENT.stacked,
  EVENT.cashBoxRemoved,
  EVENT.cashBoxReplaced,
];
const CREDITS: readonly number[] = [EVENT.credit, EVENT.clearedIntoCashBox];
const isCredited = ({ held }: SspState): boolean => held?.outcome === 'credited';
const QUIET: PollEvent = { code: 0, channel: null };

/** Takes in events up to a credit: what is behind it waits until the host has committed. */
function drain(s: Draft, out: Out, nowMs: number): void {
  const heard: number[] = [];
  while (s.queue.length > 0 && !isCredited(s)) {
    const [event = QUIET, ...rest] = s.queue;
    s.queue = rest;
    heard.push(event.code);
    const isOurs = s.held !== null;
    take(
      s,
      out,
      followNote(s, event, nowMs, (channel) => worthIn(s, channel)),
    );
    // Told again, and not acknowledged yet: what is behind it would close the host's record.
    if (s.ackDue && !isCredited(s) && CREDITS.includes(event.code)) return;
    if (event.code === EVENT.rejected && !isOurs) s.asksReject = true;
    if (event.code === EVENT.stacked && !s.held) report(s, out, 'stacked', null);
  }
  if (isCredited(s)) return report(s, out, 'credited', null);
  const isJammed = heard.includes(EVENT.safeJam) || heard.includes(EVENT.unsafeJam);
  s.jammedSinceMs = isJammed ? (s.jammedSinceMs ?? nowMs) : null;
  if (!isJammed) take(s, out, quiet(s, nowMs));
  if (heard.includes(EVENT.full)) s.fullUntilMs = nowMs + FULL_MS;
  else if (heard.some((code) => NOT_FULL.includes(code))) s.fullUntilMs = Number.NEGATIVE_INFINITY;
  const isShut = heard.includes(EVENT.disabled) || heard.includes(EVENT.channelsDisabled);
  if (isShut && s.gate === 'open') {
    s.gate = null;
    s.inhibits = null;
    s.shutSinceMs ??= nowMs;
  } else if (!isShut) s.shutSinceMs = null;
  const state = stateOf(s, heard, isShut, nowMs);
  if (state !== null) report(s, out, ...state);
}

function take(s: Draft, out: Out, { events, ...changes }: ReturnType<typeof followNote>): void {
  Object.assign(s, changes);
  for (const event of events) tell(out, event);
}

const rowIn = (setup: Setup | null, channel: number | null) => {
  const row = setup?.channels.find((one) => one.channel === channel);
  return row === undefined ? null : { said: row.said, valueMinor: row.valueMinor, currency: row.currency };
};
// A credit told behind SLAVE RESET is of a note that was read by the table of before.
const worthIn = (s: Draft, channel: number | null) => {
  const row = rowIn(s.setup ?? s.former, channel);
  return row && worthOf(s, row);
};

/** The port's word; null = as before. */
function stateOf(
  s: Draft,
  heard: readonly number[],
  isShut: boolean,
  nowMs: number,
): readonly [AcceptorState, detail: string | null] | null {
  const has = (code: number): boolean => heard.includes(code);
  if (has(EVENT.unsafeJam)) return ['jammed', 'path'];
  if (has(EVENT.safeJam)) return ['jammed', 'stacker'];
  if (has(EVENT.fraud)) return ['cheated', null];
  if (has(EVENT.pathOpen)) return ['failed', 'transport-open'];
  if (has(EVENT.cashBoxRemoved)) return ['cassette-removed', null];
  if (s.held?.outcome === 'acknowledged') return null;
  if (s.held?.inEscrow) return ['escrow', null];
  if (has(EVENT.stacking) && s.held !== null) return ['stacking', null];
  if (s.held?.outcome === 'returning') return ['returning', null];
  if (s.held !== null) return null;
  if (has(EVENT.rejecting)) return ['rejecting', null];
  if (has(EVENT.read)) return ['accepting', null];
  if (s.setup === null || s.wasReset || has(EVENT.initialising) || s.pastOpen) return ['initializing', null];
  if (s.setup.unitType !== NOTE_VALIDATOR) return ['failed', 'no-bill-validator'];
  if (nowMs < s.fullUntilMs) return ['full', null];
  if (isShut || s.gate !== 'open') {
    // It is about to be opened.
    if (allowedChannels(s).length > 0 && s.shutSinceMs === null) return null;
    const isStuck = s.shutSinceMs !== null && nowMs - s.shutSinceMs >= SHUT_MS;
    return ['disabled', isStuck ? 'though-open' : null];
  }
  return ['idle', null];
}

// ---- what to do next ----

function announce(s: Draft, out: Out): void {
  const { setup, texts, held } = s;
  const [firmware, serial] = [texts[COMMAND.firmware], texts[COMMAND.serial]];
  if (setup === null) return;
  if (!s.identified && firmware !== undefined && serial !== undefined) {
    s.identified = true;
    const table = setup.channels.map(({ said, valueMinor, currency }) => ({ said, valueMinor, currency }));
    tell(out, {
      type: 'identity',
      identity: {
        model: `SSP ${NAMES[setup.unitType] ?? `unit ${setup.unitType}`}`,
        serial,
        firmware: [firmware, setup.firmware].filter(Boolean).join(' '),
      },
      notes: table.flatMap((row) => ownWorth(row) ?? []),
      table,
    });
  }
  if (held === null || held.announced || held.outcome !== 'pending' || !held.inEscrow) return;
  s.held = announceEscrow(s, out, held, rowIn(setup, held.channel));
}

function converse(s: Draft, out: Out, nowMs: number): boolean {
  if (s.awaiting === null) {
    // Committed, and the unit knows it: a host that heard STACKED before might die, and meet the
    // credit again as one for no note.
    if (s.queue.length > 0 && s.held?.outcome !== 'credited' && !s.ackDue) drain(s, out, nowMs);
    announce(s, out);
  }
  // Only a line that is opened again agrees on a key.
  if (s.keylessSinceMs !== null && nowMs - s.keylessSinceMs >= LINK_LOST_MS) return false;
  const { awaiting } = s;
  if (awaiting !== null) {
    const dueMs = replyDueMs(s, awaiting.sentAtMs, s.patienceMs);
    if (nowMs >= dueMs) {
      const isMute = s.bytesAtMs <= awaiting.askedAtMs;
      if (nowMs - s.heardAtMs >= LINK_LOST_MS) {
        if (awaiting.command === COMMAND.pollWithAck && s.withAck === null && isMute) s.ackSilences++;
        return false;
      }
      if (isOptional(awaiting.command) && isMute && awaiting.tries >= TRIES) leaveOpen(s, awaiting.command);
      else {
        s.parser = EMPTY_PARSER;
        out.push({ type: 'write', bytes: awaiting.bytes });
        s.awaiting = { ...awaiting, sentAtMs: nowMs, tries: awaiting.tries + 1 };
      }
    }
  }
  if (s.awaiting === null) speak(s, out, nowMs);
  // Where nothing was due at that time, it is soon.
  s.wakeAtMs =
    s.awaiting === null
      ? Math.max(s.saidAtMs + POLL_MS, nowMs + SOON_MS)
      : replyDueMs(s, s.awaiting.sentAtMs, s.patienceMs);
  return true;
}

/** Nobody knows whether the unit has counted the packet: SYNC makes both sides agree again. */
function leaveOpen(s: Draft, command: number): void {
  s.awaiting = null;
  s.synced = false;
  s.start = 'unknown';
  if (command === COMMAND.protocolVersion) s.versionAt = VERSIONS.length;
  else if (command === COMMAND.lastReject) s.asksReject = false;
  else s.texts = { ...s.texts, [command]: '' };
}

function speak(s: Draft, out: Out, nowMs: number): void {
  if (s.held?.outcome === 'credited' && s.last !== null) {
    if (nowMs < s.saidAtMs + POLL_MS) return;
    // The answered packet again, with its own SEQ.
    s.seq = s.seq === 0 ? 1 : 0;
    send(s, out, s.withAck ? COMMAND.pollWithAck : COMMAND.poll, [], s.last, nowMs);
    return;
  }
  const said = choose(s, nowMs);
  if (said === null) return;
  const [command, ...data] = said;
  // SYNC has SEQ 1: what comes behind it has 0.
  if (command === COMMAND.sync) s.seq = 1;
  const isPoll = command === COMMAND.poll || command === COMMAND.pollWithAck;
  if (isPoll && s.held?.inEscrow) s.held = { ...s.held, stackSent: true };
  if (command === COMMAND.disable || command === COMMAND.inhibits) s.isNews = false;
  if (command === COMMAND.hold) s.holdAtMs = nowMs;
  if (command === COMMAND.reset) s.resetAtMs = nowMs;
  const bytes = encode({ seq: s.seq, address: s.address, data: Uint8Array.of(command, ...data) });
  send(s, out, command, data, bytes, nowMs);
}

function send(
  s: Draft,
  out: Out,
  command: number,
  data: readonly number[],
  bytes: Uint8Array,
  nowMs: number,
): void {
  s.parser = EMPTY_PARSER;
  out.push({ type: 'write', bytes });
  s.saidAtMs = nowMs;
  s.awaiting = { command, data, bytes, askedAtMs: nowMs, sentAtMs: nowMs, tries: 1 };
}
