/**
 * The host's side of EBDS as a pure step: what arrived and what time it is in; frames, events and
 * the next wake-up out.
 *
 * One message is under way at a time. The toggle is turned over only after a valid reply with the
 * same toggle; the same toggle again makes the unit repeat its last reply. So a lost reply loses
 * nothing, and a reply that says "stacked" is asked for again and again, until the host has
 * committed: the turned toggle is the acknowledgement. A bit that moves a note is never repeated
 * blindly: what is sent again after silence is the same poll without it.
 */
import type { AcceptorEvent } from '../../ports.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { hidesRestartMs, patienceAfter, replyDueMs } from '../../transport/patience.ts';
import { type Draft as DraftOf, type Out as OutOf, setLink } from '../../transport/protocol.ts';
import { announceEscrow, ownWorth, report, stepOfAcceptor, tell } from '../acceptor.machine.ts';
import { decodeStatus, type Frame, type Poll, parse, STATUS_BYTES, TYPE } from './ebds.codec.ts';
import { decodeUnit, encodeHost, type UnitMessage } from './ebds-messages.codec.ts';
import { type Described, followNote } from './ebds-note.machine.ts';
import { choose, GOOD_POLLS, notesOpen, POLL, pollOf, UNNAMED_REPLIES } from './ebds-speech.machine.ts';
import { type Asked, type EbdsState, stateOf } from './ebds-state.machine.ts';
import {
  freshUnit,
  hearAnswer,
  hearSilence,
  identityOf,
  notesOf,
  type Question,
  rowOf,
  unitTable,
} from './ebds-unit.machine.ts';

const POLL_MS = 100;
/** Between a reply and the next question of identity or table. */
const QUESTION_GAP_MS = 20;
/** Times that one question goes out before the unit is polled instead. */
const QUESTION_TRIES = 3;
/** After a soft reset: nothing the unit says counts, then one poll a second, for so long. */
const RESET_DEAF_MS = 1000;
const RESET_POLL_MS = 1000;
const RESET_WITHIN_MS = 15_000;
/**
 * A jam, stall or failure that lasts this long gets a soft reset, so that a path cleared by hand
 * needs no visit.
 */
const HEAL_AFTER_MS = 10_000;

type Draft = DraftOf<EbdsState>;
type Out = OutOf<AcceptorEvent>;

export const stepEbds = stepOfAcceptor<EbdsState, Frame>({
  parse,
  opened: (s, _out, nowMs) => {
    s.heardAtMs = nowMs;
    s.speakAtMs = nowMs;
    s.patienceMs = s.profile.replyWithinMs;
    forgetUnit(s);
  },
  hear,
  speak: (s, out, nowMs) => {
    announce(s, out);
    return converse(s, out, nowMs);
  },
  forget: forgetUnit,
  acknowledged: (s) => {
    // A repeat that is under way is waited for: its reply still has the old toggle.
    if (s.awaiting === null) turn(s);
  },
});

function turn(s: Draft): void {
  s.toggle = s.toggle === 0 ? 1 : 0;
  if (s.held?.outcome === 'acknowledged') s.held = { ...s.held, outcome: 'turned' };
}

// The toggle and the note stay: the unit behind a new line may be the same one.
function forgetUnit(s: Draft): void {
  s.parser = EMPTY_PARSER;
  s.awaiting = null;
  s.unanswered = false;
  s.good = 0;
  s.status = null;
  s.illSinceMs = null;
  s.resetAtMs = null;
  s.unrested = true;
  s.unit = freshUnit(s.profile);
  s.identified = false;
}

// ---- what arrives ----

function hear(s: Draft, out: Out, frame: Frame, nowMs: number): void {
  const { awaiting } = s;
  // The unit speaks only when asked; another toggle is the late answer to a message that was
  // answered already.
  if (awaiting === null) return;
  if (frame.toggle !== s.toggle) {
    // It takes the poll for a repeat of the question that it did not answer. Its last reply was
    // heard before that question.
    if (s.unanswered && awaiting.asked.type === 'poll') {
      turn(s);
      s.unanswered = false;
      say(s, out, POLL, null, 1, nowMs, nowMs);
    }
    return;
  }
  const message = understand(frame);
  if (message === null) return;
  s.awaiting = null;
  s.unanswered = false;
  const gap = nowMs - s.heardAtMs >= hidesRestartMs(s.patienceMs);
  if (s.resetAtMs === null) s.patienceMs = patienceAfter(nowMs - awaiting.askedAtMs, s.profile.replyWithinMs);
  if (gap) s.unit = { ...s.unit, applied: {} };
  s.heardAtMs = nowMs;
  s.resetAtMs = null;
  if (s.good < GOOD_POLLS) {
    s.good++;
    if (s.good < GOOD_POLLS) {
      // The first reply is a repeat if our toggle is that of an earlier life. What it says of the
      // unit may be long past; an event in it is asked for once more, and what else it says is
      // dropped with the turned toggle.
      if (message.type === 'auxiliary' || !(message.status.stacked || message.status.returned)) turn(s);
      s.speakAtMs = awaiting.sentAtMs + POLL_MS;
      return;
    }
    s.failures = 0;
    setLink(s, out, 'up');
  }
  if (message.type !== 'auxiliary') hearStatus(s, out, message, gap, nowMs);
  // What a unit says while it starts is of before its start, or not of the table yet.
  const starting = message.type !== 'auxiliary' && message.status.poweringUp;
  if (awaiting.asked.type !== 'poll' && !starting) answered(s, awaiting.asked, message);
  if (s.held?.outcome !== 'credited') turn(s);
  const quick = s.held?.outcome !== 'credited' && (awaiting.asked.type !== 'poll' || s.isNews);
  s.speakAtMs = quick ? nowMs + QUESTION_GAP_MS : awaiting.sentAtMs + POLL_MS;
}

function answered(s: Draft, asked: Question, message: UnitMessage): void {
  const { reporting } = s.unit;
  s.unit = hearAnswer(s.unit, asked, message, s.profile);
  // A unit that turns out to have no extended notes names the note in escrow in another way from
  // now on.
  if (s.unit.reporting !== reporting && s.held !== null) s.held = { ...s.held, unnamed: 0 };
}

// Null where even the status contradicts itself: then the same is asked again rather than an event
// lost.
function understand(frame: Frame): UnitMessage | null {
  const decoded = decodeUnit(frame);
  if (decoded.ok) return decoded.value;
  if (frame.type !== TYPE.extended) return null;
  const status = decodeStatus(frame.data.subarray(1, 1 + STATUS_BYTES));
  const subtype = frame.data[0] ?? 0;
  return status.ok ? { type: 'extended', status: status.value, subtype, data: new Uint8Array(0) } : null;
}

/** How the message names the note in escrow or stacked; null where it does not. */
function describedBy(s: Draft, message: Exclude<UnitMessage, { type: 'auxiliary' }>): Described | null {
  const { status } = message;
  if (message.type === 'barcode') return { by: 'barcode', text: message.text };
  if (message.type === 'note' && message.index === 0)
    return message.spec === null ? { by: 'blank' } : { by: 'spec', spec: message.spec };
  // A unit that starts and says nothing but "stacked" does not know which note that was.
  if (s.unit.reporting === 'extended' && status.stacked && status.poweringUp && status.value === 0)
    return { by: 'blank' };
  if (s.unit.reporting === 'extended' || !(status.escrowed || status.stacked)) return null;
  return status.value === 0 ? { by: 'blank' } : { by: 'index', index: status.value };
}

function hearStatus(
  s: Draft,
  out: Out,
  message: Exclude<UnitMessage, { type: 'auxiliary' }>,
  gap: boolean,
  nowMs: number,
): void {
  const { status } = message;
  const before = s.status;
  s.status = status;
  if (status.poweringUp) {
    if (before?.poweringUp === false) s.unit = freshUnit(s.profile);
    s.unrested = true;
  } else if (status.idling) s.unrested = false;
  const ill = status.jammed || status.stalled || status.failure;
  s.illSinceMs = ill ? (s.illSinceMs ?? nowMs) : null;
  if (status.rejected && before?.rejected !== true)
    // EBDS gives no reason: validation and inhibits look the same.
    tell(out, { type: 'rejected', reason: 'not-accepted' });
  // The note's end before the state that follows it: a host that sees `idle` may take an open note
  // as disputed.
  const turned = s.held?.outcome === 'turned';
  // After a gap an escrow may be the one of before or another one: the unit has to name it again.
  const seen = gap ? null : before;
  const named = describedBy(s, message);
  const followed = followNote(s, seen, status, named, (described) => {
    const row = rowOf(s.unit, described);
    return row && ownWorth(row);
  });
  s.held = followed.held;
  s.pastOpen = followed.pastOpen;
  for (const event of followed.events) tell(out, event);
  const outcome = s.held?.outcome;
  if (outcome === 'credited') report(s, out, 'credited', null);
  else if (outcome !== 'acknowledged' && outcome !== 'turned') {
    // The unit has taken notice: whatever it credits from here on is another note.
    if (turned) report(s, out, 'stacked', null);
    report(s, out, ...stateOf(status, s.unrested, notesOpen(s) === 0));
  }
}

// ---- what to do next ----

/** Whether the unit still answers. */
function converse(s: Draft, out: Out, nowMs: number): boolean {
  if (s.awaiting !== null) {
    const dueMs = replyDueMs(s, s.awaiting.sentAtMs, replyWithinMs(s, s.awaiting.tries));
    if (nowMs < dueMs) {
      s.wakeAtMs = dueMs;
      return true;
    }
    const lost =
      s.resetAtMs === null
        ? s.awaiting.tries >= s.profile.tries || nowMs - s.heardAtMs >= s.profile.lostAfterMs
        : nowMs - s.resetAtMs >= RESET_WITHIN_MS;
    if (lost) return false;
    const { asked, askedAtMs, tries } = s.awaiting;
    if (asked.type !== 'poll' && s.status !== null && s.resetAtMs === null && tries >= QUESTION_TRIES) {
      s.unit = hearSilence(s.unit, asked, s.status, s.profile);
      s.unanswered = true;
      say(s, out, POLL, null, 1, nowMs, nowMs);
    } else say(s, out, asked, null, tries + 1, askedAtMs, nowMs);
  } else if (nowMs >= speakAtMs(s)) {
    const heal =
      s.illSinceMs !== null && nowMs - s.illSinceMs >= HEAL_AFTER_MS && s.held?.outcome !== 'credited';
    if (heal) {
      reset(s, out, nowMs);
      return true;
    }
    const [asked, move] = choose(s);
    say(s, out, asked, move, 1, nowMs, nowMs);
  } else {
    s.wakeAtMs = speakAtMs(s);
    return true;
  }
  if (s.awaiting !== null)
    s.wakeAtMs = replyDueMs(s, s.awaiting.sentAtMs, replyWithinMs(s, s.awaiting.tries));
  return true;
}

/** Sooner where the unit is to take other notes than the last poll has let it. */
const speakAtMs = (s: Draft): number =>
  s.isNews && s.good >= GOOD_POLLS && s.resetAtMs === null && s.held?.outcome !== 'credited'
    ? Math.min(s.speakAtMs, s.heardAtMs + QUESTION_GAP_MS)
    : s.speakAtMs;

const replyWithinMs = (s: Draft, tries: number): number =>
  s.resetAtMs === null ? s.patienceMs + s.profile.replyStepMs * (tries - 1) : RESET_POLL_MS;

function reset(s: Draft, out: Out, nowMs: number): void {
  out.push({ type: 'write', bytes: encodeHost({ type: 'soft-reset' }, s.toggle) });
  forgetUnit(s);
  s.good = GOOD_POLLS - 1;
  s.resetAtMs = nowMs;
  // Deaf means not asking: a reply to nothing is not heard.
  s.speakAtMs = nowMs + RESET_DEAF_MS;
  s.wakeAtMs = s.speakAtMs;
  report(s, out, 'initializing', 'soft-reset');
}

function say(
  s: Draft,
  out: Out,
  asked: Asked,
  move: Poll['move'],
  tries: number,
  askedAtMs: number,
  nowMs: number,
): void {
  // What is left of an answer to the message before can only spoil the next one.
  s.parser = EMPTY_PARSER;
  const message = { ...asked, poll: pollOf(s, move) };
  if (asked.type === 'poll') s.isNews = false;
  out.push({ type: 'write', bytes: encodeHost(message, s.toggle) });
  if (move === 'stack' && s.held !== null) s.held = { ...s.held, stackSent: true };
  s.awaiting = { asked, askedAtMs, sentAtMs: nowMs, tries };
}

function announce(s: Draft, out: Out): void {
  if (!s.identified && s.status !== null && s.unit.tableRead) {
    const identity = identityOf(s.unit, s.profile, s.status);
    if (identity !== null) {
      s.identified = true;
      tell(out, { type: 'identity', identity, notes: notesOf(s.unit), table: unitTable(s.unit) });
    }
  }
  const { held } = s;
  if (held === null || held.announced || held.outcome !== 'pending' || !s.unit.tableRead) return;
  if (held.described === null && held.unnamed < UNNAMED_REPLIES) return;
  const row = held.described === null ? null : rowOf(s.unit, held.described);
  s.held = announceEscrow(s, out, held, row);
}
