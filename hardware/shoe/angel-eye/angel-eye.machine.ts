/**
 * The host's side of an Angel Eye II-EX as a pure step. The shoe talks unasked, keeps nothing and
 * repeats nothing on request: this side counts its telegrams, takes each once however many of its
 * copies arrive, and says so when one is missing or may be.
 */
import type { ShoeEvent } from '../../ports.ts';
import { toHex } from '../../transport/bytes.ts';
import { type Draft as DraftOf, type Out as OutOf, setLink, stepOf } from '../../transport/protocol.ts';
import { fault, garbageHearer, NEW_SHOE_LINE, type ShoeLine, tell } from '../shoe.machine.ts';
import { COPIES, decode, encodeCommand, parse, type Reply, type Telegram } from './angel-eye.codec.ts';
import { eventOf } from './angel-eye-events.ts';

/**
 * The same telegram again within this time of its last copy is a copy; later it is a new one, after
 * nine that are lost. Ten telegrams with their copies are 375 ms on a line of 4800 baud at the very
 * least; a dealer needs many seconds for ten cards.
 */
const COPY_WITHIN_MS = 1000;
const ANSWER_WITHIN_MS = 500;
const COMMAND_TRIES = 3;

export type AngelEyeCommand =
  /** Before the start: the number of the last telegram that is on disk. */
  { readonly type: 'stored'; readonly seq: number } | { readonly type: 'lock'; readonly on: boolean };

export interface AngelEyeState extends ShoeLine {
  readonly serial: string;
  readonly mayCommand: boolean;
  /** A copy that has not come yet may come so late. */
  readonly copyWithinMs: number;
  readonly openedAtMs: number;
  /** Number of the last telegram; its last digit is the telegram's seq. 0 = none was ever heard. */
  readonly number: number;
  /** The last telegram as it was heard; null = of an earlier life. */
  readonly last: { readonly hex: string; readonly atMs: number; readonly copies: number } | null;
  /** Starts of the shoe that were heard. */
  readonly starts: number;
  /** What `lock` wants; null = nothing, or the shoe has said yes. */
  readonly lockWanted: boolean | null;
  readonly lockTries: number;
  readonly lockAtMs: number;
}

type Draft = DraftOf<AngelEyeState>;
type Out = OutOf<ShoeEvent>;

export function initialAngelEye(o: {
  readonly serial: string;
  readonly commands?: boolean;
  /** Of the network between, see OpenTransport; absent = there is none. */
  readonly stallMs?: number;
}): AngelEyeState {
  return {
    ...NEW_SHOE_LINE,
    serial: o.serial,
    mayCommand: o.commands === true,
    copyWithinMs: Math.max(COPY_WITHIN_MS, o.stallMs ?? 0),
    openedAtMs: 0,
    number: 0,
    last: null,
    starts: 0,
    lockWanted: null,
    lockTries: 0,
    lockAtMs: Number.NEGATIVE_INFINITY,
  };
}

export const stepAngelEye = stepOf<AngelEyeState, ShoeEvent, AngelEyeCommand, Telegram | Reply>({
  parse: (parser, bytes) => {
    const { state, telegrams, replies, bad } = parse(parser, bytes);
    const frames = [
      ...telegrams.map((telegram) => ({ frame: telegram, bytes: telegram.bytes })),
      ...replies.map((reply) => ({ frame: reply, bytes: null })),
    ];
    return { state, frames, bad };
  },
  obey,
  opened,
  hear: (s, out, heard, nowMs) => {
    if ('seq' in heard) hear(s, out, heard, nowMs);
    else hearReply(s, heard);
  },
  // One copy less is nothing; as many damaged ones in a row may have been a whole telegram.
  hearGarbage: garbageHearer(COPIES, 'telegrams'),
  speak,
  // What the shoe was told to do, and its numbers, outlive the line.
  forget: () => {},
});

function obey(s: Draft, _out: Out, command: AngelEyeCommand): void {
  if (command.type === 'stored') s.number = command.seq;
  else if (s.mayCommand) {
    s.lockWanted = command.on;
    s.lockTries = 0;
    s.lockAtMs = Number.NEGATIVE_INFINITY;
  }
}

function opened(s: Draft, out: Out, nowMs: number): void {
  s.badInARow = 0;
  s.openedAtMs = nowMs;
  s.lockTries = 0;
  setLink(s, out, 'up');
  const identity = { model: 'Angel Eye II-EX', serial: s.serial, firmware: '-' };
  tell(out, { type: 'identity', identity, lastSeq: s.number, boot: s.starts });
  fault(out, null, 'gap', 'what the shoe has told while nobody listened is lost');
  tell(out, { type: 'status', empty: false, jammed: false, coverOpen: false });
}

// ---- what arrives ----

function hear(s: Draft, out: Out, telegram: Telegram, nowMs: number): void {
  s.badInARow = 0;
  // Not at the opening: a line that falls at once is not to be opened four times a second.
  s.failures = 0;
  const decoded = decode(telegram.data);
  const isStart = decoded.ok && decoded.value.type === 'start';
  if (telegram.seq === s.number % 10 && s.number > 0 && isCopy(s, out, telegram, isStart, nowMs)) return;
  const steps = (telegram.seq - (s.number % 10) + 10) % 10 || 10;
  const first = s.number === 0;
  s.number += steps;
  s.last = { hex: toHex(telegram.bytes), atMs: nowMs, copies: 1 };
  if (isStart) {
    s.starts++;
    fault(out, s.number, 'restarted', 'the shoe has been switched on, or has begun again');
    return;
  }
  if (steps !== 1 && !first) fault(out, null, 'gap', `${steps - 1} telegrams before seq ${telegram.seq}`);
  if (!decoded.ok) fault(out, s.number, 'crc', `telegram not understood: ${decoded.error}`);
  else {
    const event = eventOf(decoded.value, s.number);
    if (event !== null) tell(out, event);
  }
}

/** Whether a telegram with the seq of the last one is that one once more. */
function isCopy(s: Draft, out: Out, telegram: Telegram, isStart: boolean, nowMs: number): boolean {
  const { last } = s;
  // What an adapter has kept for us comes at once. That something may be lost has been said when
  // the line opened.
  const justOpened = nowMs - s.openedAtMs < COPY_WITHIN_MS;
  if (last === null) return justOpened;
  const recent = justOpened || nowMs - last.atMs < COPY_WITHIN_MS;
  const isSame = toHex(telegram.bytes) === last.hex;
  // A network that stands still between two copies loses none of them: the others come later.
  const isLate = isSame && last.copies < COPIES && nowMs - last.atMs < s.copyWithinMs;
  if (!recent && !isLate) return false;
  if (isSame) {
    // More copies of a start than there are: it has started twice.
    if (isStart && last.copies >= COPIES) return false;
    s.last = { ...last, atMs: nowMs, copies: last.copies + 1 };
    return true;
  }
  if (isStart) return false;
  // Two that both pass the check and differ: what was taken may be the wrong one.
  s.last = { ...last, atMs: nowMs };
  fault(out, null, 'crc', `two copies of the telegram with seq ${telegram.seq} differ`);
  return true;
}

function hearReply(s: Draft, reply: Reply): void {
  if (reply.type === 'ack' && s.lockTries > 0) s.lockWanted = null;
}

// ---- what to do next ----

function speak(s: Draft, out: Out, nowMs: number): boolean {
  // The shoe says nothing while nothing happens: a silent line is a good line.
  s.wakeAtMs = Number.POSITIVE_INFINITY;
  if (s.lockWanted === null) return true;
  if (nowMs - s.lockAtMs >= ANSWER_WITHIN_MS) {
    if (s.lockTries >= COMMAND_TRIES) {
      fault(out, null, 'error', `the shoe does not ${s.lockWanted ? 'lock' : 'unlock'}`);
      s.lockWanted = null;
      return true;
    }
    s.lockTries++;
    s.lockAtMs = nowMs;
    out.push({ type: 'write', bytes: encodeCommand({ type: 'LK', data: s.lockWanted ? 2 : 1 }) });
  }
  s.wakeAtMs = s.lockAtMs + ANSWER_WITHIN_MS;
  return true;
}
