/**
 * The host's side of KSP-1 as a pure step. The shoe is asked who it is, proves its pairing key
 * where there is one, hears the last number on disk, and then sends its events one at a time: n+1
 * only after the ACK of n, which leaves only after the host has committed n. With a pairing key it
 * proves it again after each loading and at moments nobody can foresee; until it has, nothing it
 * tells is taken.
 */
import type { ShoeEvent } from '../../ports.ts';
import { type Draft as DraftOf, type Out as OutOf, setLink, stepOf } from '../../transport/protocol.ts';
import { fault, garbageHearer, NEW_SHOE_LINE, type ShoeLine, tell } from '../shoe.machine.ts';
import {
  decode,
  type EventMessage,
  encode,
  type Frame,
  isEvent,
  type Message,
  parse,
  proofOf,
  STATE,
  sameProof,
  suitFromWire,
} from './ksp1.codec.ts';
import { eventOf } from './ksp1-events.ts';

const LINK_LOST_MS = 2000;
const ASK_AGAIN_MS = 500;
/** So long the dealer has to hold the card before the reader. */
const READ_AGAIN_WITHIN_MS = 10_000;
/** Six questions: a shoe that is there and holds the key has answered one of them. */
const PROOF_WITHIN_MS = 3000;

export type Ksp1Command =
  | { readonly type: 'stored'; readonly seq: number }
  /** A fresh nonce, the time of day, and when to ask for the next ones. */
  | {
      readonly type: 'moment';
      readonly nonce: Uint8Array;
      readonly epochMs: number;
      readonly againAfterMs: number;
    }
  | { readonly type: 'acknowledge'; readonly seq: number }
  /** The card of this event is to be read once more. */
  | { readonly type: 'read-again'; readonly seq: number }
  | { readonly type: 'lock'; readonly on: boolean };

/**
 * Two never leave the driver: `ask-stored` is answered with the last number on disk, `ask-moment`
 * with what a machine without chance and without a calendar cannot make itself.
 */
export type Ksp1Event =
  | ShoeEvent
  | { readonly type: 'ask-stored'; readonly serial: string }
  | { readonly type: 'ask-moment' };

type Hello = Extract<Message, { type: 'hello' }>;

export interface Ksp1State extends ShoeLine {
  readonly pairingKey: Uint8Array | null;
  /**
   * identify: who is there; resume: it is to go on from `stored`; refused: no card of this shoe is
   * taken.
   */
  readonly phase: 'identify' | 'resume' | 'running' | 'refused';
  readonly askAtMs: number;
  readonly heardAtMs: number;
  readonly hello: Hello | null;
  readonly nonce: Uint8Array | null;
  /** A proof is due: nothing the shoe tells is taken before it. */
  readonly unproven: boolean;
  /** When a proof that has not come is a fault; Infinity once told or where none is due. */
  readonly proofByMs: number;
  /** When to ask for a moment. */
  readonly momentAtMs: number;
  /** Serial number `stored` and `delivered` belong to. */
  readonly serial: string | null;
  /** Last number that is on the host's disk. */
  readonly stored: number;
  /** Last number the host was told. */
  readonly delivered: number;
  readonly gapAt: number | null;
  /** State bits the host was told last, null when it is to be told again. */
  readonly toldStatus: number | null;
  readonly lockWanted: boolean | null;
  readonly lockAtMs: number;
  /** The card that is to be read again, and when it is given up; `no` tells its questions apart. */
  readonly reread: { readonly seq: number; readonly no: number; readonly untilMs: number } | null;
  readonly rereadNo: number;
  readonly rereadAtMs: number;
}

type Draft = DraftOf<Ksp1State>;
type Out = OutOf<Ksp1Event>;

export function initialKsp1(pairingKey: Uint8Array | null = null): Ksp1State {
  return {
    ...NEW_SHOE_LINE,
    pairingKey,
    phase: 'identify',
    askAtMs: 0,
    heardAtMs: 0,
    hello: null,
    nonce: null,
    unproven: false,
    proofByMs: Number.POSITIVE_INFINITY,
    momentAtMs: Number.POSITIVE_INFINITY,
    serial: null,
    stored: 0,
    delivered: 0,
    gapAt: null,
    toldStatus: null,
    lockWanted: null,
    lockAtMs: Number.NEGATIVE_INFINITY,
    reread: null,
    rereadNo: 0,
    rereadAtMs: Number.NEGATIVE_INFINITY,
  };
}

const hearGarbage = garbageHearer(2, 'frames');

export const stepKsp1 = stepOf<Ksp1State, Ksp1Event, Ksp1Command, Frame>({
  parse,
  obey,
  opened: (s, _out, nowMs) => {
    s.heardAtMs = nowMs;
    s.badInARow = 0;
    ask(s, 'identify');
  },
  hear,
  hearGarbage,
  speak,
  forget: (s) => {
    s.phase = 'identify';
    s.unproven = false;
    s.proofByMs = Number.POSITIVE_INFINITY;
    s.toldStatus = null;
  },
  lost: (s, out) => endReread(s, out, null),
});

const say = (out: Out, message: Message): void => {
  out.push({ type: 'write', bytes: encode(message) });
};

function ask(s: Draft, phase: Ksp1State['phase']): void {
  s.phase = phase;
  s.askAtMs = Number.NEGATIVE_INFINITY;
}

function obey(s: Draft, out: Out, command: Ksp1Command, nowMs: number): void {
  if (command.type === 'lock') s.lockWanted = command.on;
  else if (command.type === 'read-again') {
    s.rereadNo = (s.rereadNo + 1) % 256;
    s.reread = { seq: command.seq, no: s.rereadNo, untilMs: nowMs + READ_AGAIN_WITHIN_MS };
    s.rereadAtMs = Number.NEGATIVE_INFINITY;
  } else if (command.type === 'moment') {
    s.momentAtMs = nowMs + command.againAfterMs;
    if (s.phase === 'identify' || s.phase === 'refused') return;
    say(out, { type: 'time', epochMs: command.epochMs });
    if (!s.unproven) return;
    s.nonce = command.nonce;
    s.proofByMs = nowMs + PROOF_WITHIN_MS;
    s.askAtMs = Number.NEGATIVE_INFINITY;
  } else if (command.type === 'acknowledge') {
    if (command.seq <= s.stored || command.seq !== s.delivered) return;
    s.stored = command.seq;
    if (s.transport === 'open') say(out, { type: 'ack', seq: command.seq });
  } else {
    if (s.hello === null) return;
    if (s.serial !== s.hello.serial) {
      s.serial = s.hello.serial;
      // Never seen here: what another terminal has acknowledged is none of our business.
      s.stored = command.seq === 0 ? s.hello.ackedSeq : command.seq;
      s.delivered = s.stored;
      s.gapAt = null;
    }
    if (!continues(s, out, s.hello)) return;
    ask(s, 'resume');
    askMoment(s, out);
  }
}

/** The time of day goes out, and with a pairing key the shoe has to prove itself. */
function askMoment(s: Draft, out: Out): void {
  s.momentAtMs = Number.POSITIVE_INFINITY;
  s.unproven = s.pairingKey !== null;
  s.nonce = null;
  tell(out, { type: 'ask-moment' });
}

/** Whether the shoe's numbers go on from what is stored; says what is missing where they do not. */
function continues(s: Draft, out: Out, hello: Hello): boolean {
  if (hello.lastSeq < s.stored) {
    fault(out, null, 'gap', `the shoe counts to ${hello.lastSeq}, stored is ${s.stored}`);
    s.phase = 'refused';
    return false;
  }
  if (hello.lastSeq > s.stored && hello.oldestSeq > s.stored + 1) {
    fault(out, null, 'gap', `events ${s.stored + 1} to ${hello.oldestSeq - 1} are no longer in the shoe`);
    s.stored = hello.oldestSeq - 1;
    s.delivered = s.stored;
  }
  return true;
}

// ---- what arrives ----

function hear(s: Draft, out: Out, frame: Frame, nowMs: number): void {
  const decoded = decode(frame);
  if (!decoded.ok) {
    hearGarbage(s, out, 1, false);
    return;
  }
  const message = decoded.value;
  s.badInARow = 0;
  s.heardAtMs = nowMs;
  s.failures = 0;
  setLink(s, out, 'up');
  if (message.type === 'hello') hearHello(s, out, message);
  else if (message.type === 'proof') hearProof(s, message.mac, frame.seq);
  else if (message.type === 'heartbeat') hearHeartbeat(s, out, message);
  else if (message.type === 'readAgain') hearReadAgain(s, out, message);
  else if (isEvent(message) && (s.phase === 'resume' || s.phase === 'running'))
    hearEvent(s, out, frame, message);
}

function hearHello(s: Draft, out: Out, hello: Hello): void {
  const before = s.hello;
  const same = before?.serial === hello.serial;
  const restarted = same && before.boot !== hello.boot;
  s.hello = hello;
  if (restarted) fault(out, null, 'restarted', `start ${hello.boot} of the shoe, before it ${before.boot}`);
  if (!same || restarted) ask(s, 'identify');
  if (s.phase === 'identify') {
    if (!same || restarted) {
      const identity = { model: 'KSP-1', serial: hello.serial, firmware: hello.firmware };
      tell(out, { type: 'identity', identity, lastSeq: hello.lastSeq, boot: hello.boot });
    }
    // Not asked twice for one greeting: the answer moves the phase on before the next frame is
    // read.
    tell(out, { type: 'ask-stored', serial: hello.serial });
  } else if (s.phase === 'resume' || s.phase === 'running') {
    if (continues(s, out, hello) && (hello.state & STATE.resumed) !== 0) s.phase = 'running';
  }
}

/** The answer to an earlier question, or about another card, is none. */
function hearReadAgain(s: Draft, out: Out, answer: Extract<Message, { type: 'readAgain' }>): void {
  if (s.unproven || s.reread?.seq !== answer.seq || s.reread.no !== answer.no) return;
  endReread(s, out, answer);
}

/** Null: nothing was read in time, or the shoe is gone. */
function endReread(s: Draft, out: Out, answer: Extract<Message, { type: 'readAgain' }> | null): void {
  if (s.reread === null) return;
  const { seq: of } = s.reread;
  s.reread = null;
  const suit = answer === null ? null : suitFromWire(answer.suit);
  const isRead = suit !== null && answer!.rank > 0;
  tell(out, {
    type: 'read-again',
    of,
    suit: isRead ? suit : null,
    rank: isRead ? answer!.rank - 1 : null,
    confidence: isRead ? answer!.confidence : 0,
  });
}

// A wrong answer is none: it may be to an earlier question. The fault comes when no right one has
// come in time.
function hearProof(s: Draft, mac: Uint8Array, lastSeq: number): void {
  const { pairingKey, nonce, hello } = s;
  if (!s.unproven || pairingKey === null || nonce === null || hello === null) return;
  if (!sameProof(mac, proofOf(pairingKey, nonce, hello.serial, hello.boot, lastSeq))) return;
  s.unproven = false;
  s.proofByMs = Number.POSITIVE_INFINITY;
  s.askAtMs = Number.NEGATIVE_INFINITY;
}

function hearHeartbeat(s: Draft, out: Out, beat: Extract<Message, { type: 'heartbeat' }>): void {
  if (s.hello === null) return;
  const { state } = beat;
  const lost = s.phase === 'running' && (state & STATE.resumed) === 0;
  // Restarted or plugged again behind our back; its HELLO says the rest.
  if (beat.boot !== s.hello.boot || lost) {
    ask(s, 'identify');
    return;
  }
  s.hello = { ...s.hello, state };
  // The bits are of after the newest event: before the host has that one they would tell the end of
  // a story first.
  if (s.phase !== 'running' || beat.lastSeq !== s.stored) return;
  const status = state & (STATE.empty | STATE.jammed | STATE.coverOpen);
  if (status === s.toldStatus) return;
  s.toldStatus = status;
  tell(out, {
    type: 'status',
    empty: (status & STATE.empty) !== 0,
    jammed: (status & STATE.jammed) !== 0,
    coverOpen: (status & STATE.coverOpen) !== 0,
  });
}

function hearEvent(s: Draft, out: Out, frame: Frame, message: EventMessage): void {
  const { seq } = frame;
  if (seq <= s.stored) {
    say(out, { type: 'ack', seq });
    return;
  }
  if (s.unproven) return;
  s.phase = 'running';
  if (seq === s.stored + 1) {
    // A repetition of what the host has been told and not yet stored.
    if (seq <= s.delivered) return;
    s.delivered = seq;
    s.gapAt = null;
    s.toldStatus = null;
    // Other cards, perhaps in another box: none of them counts before the box has proved itself
    // again.
    if (message.type === 'loaded') askMoment(s, out);
    tell(out, eventOf(message, frame));
    return;
  }
  if (s.gapAt !== s.stored + 1) {
    s.gapAt = s.stored + 1;
    fault(out, null, 'gap', `event ${seq} instead of ${s.stored + 1}`);
  }
  // Not at once again: a shoe that has lost event n would otherwise be asked for it at the speed of
  // the line.
  s.phase = 'resume';
}

// ---- what to do next ----

function speak(s: Draft, out: Out, nowMs: number): boolean {
  if (nowMs - s.heardAtMs >= LINK_LOST_MS) return false;
  if (s.phase === 'running' && nowMs >= s.momentAtMs) askMoment(s, out);
  if (nowMs >= s.proofByMs) {
    s.proofByMs = Number.POSITIVE_INFINITY;
    fault(out, null, 'not-authentic', `shoe ${s.serial} does not prove that it holds the pairing key`);
  }
  const question = questionOf(s);
  if (question !== null && nowMs - s.askAtMs >= ASK_AGAIN_MS) {
    s.askAtMs = nowMs;
    say(out, question);
  }
  const locked = s.hello === null ? null : (s.hello.state & STATE.locked) !== 0;
  const lockDue = s.phase === 'running' && s.lockWanted !== null && s.lockWanted !== locked;
  if (lockDue && nowMs - s.lockAtMs >= ASK_AGAIN_MS) {
    s.lockAtMs = nowMs;
    say(out, { type: 'lock', on: s.lockWanted === true });
  }
  if (s.reread !== null && nowMs >= s.reread.untilMs) endReread(s, out, null);
  const rereadDue = s.phase === 'running' && !s.unproven && s.reread !== null;
  if (rereadDue && nowMs - s.rereadAtMs >= ASK_AGAIN_MS) {
    s.rereadAtMs = nowMs;
    say(out, { type: 'reread', seq: s.reread!.seq, no: s.reread!.no });
  }
  s.wakeAtMs = Math.min(
    s.heardAtMs + LINK_LOST_MS,
    question === null ? Number.POSITIVE_INFINITY : s.askAtMs + ASK_AGAIN_MS,
    lockDue ? s.lockAtMs + ASK_AGAIN_MS : Number.POSITIVE_INFINITY,
    rereadDue ? s.rereadAtMs + ASK_AGAIN_MS : Number.POSITIVE_INFINITY,
    s.reread?.untilMs ?? Number.POSITIVE_INFINITY,
    s.proofByMs,
    s.phase === 'running' ? s.momentAtMs : Number.POSITIVE_INFINITY,
  );
  return true;
}

function questionOf(s: Draft): Message | null {
  if (s.phase === 'identify') return { type: 'identify' };
  if (s.phase === 'refused') return null;
  if (s.unproven) return s.nonce === null ? null : { type: 'challenge', nonce: s.nonce };
  if (s.phase === 'resume') return { type: 'resume', seq: s.stored };
  return null;
}
