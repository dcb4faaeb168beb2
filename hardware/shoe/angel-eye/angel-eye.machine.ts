/**
 * The host's side of an Angel Eye II-EX as a pure step. The shoe talks unasked, keeps nothing and repeats nothing on
 * request: this side counts its telegrams, takes each once however many of its copies arrive, and says so when one is
 * missing or may be.
 */
import type { LinkState, ShoeEvent } from '../../ports.ts';
import { toHex } from '../../transport/bytes.ts';
import {
  CLOSED_LINE,
  closeLine,
  keepOpen,
  type Line,
  type MachineInput,
  type MachineOutput,
  type Stepped,
} from '../../transport/machine.ts';
import {
  COPIES,
  decode,
  EMPTY_PARSER,
  encodeCommand,
  type ParserState,
  parse,
  type Reply,
  type Telegram,
} from './angel-eye.codec.ts';
import { eventOf } from './angel-eye-events.ts';

/**
 * The same telegram again within this time of its last copy is a copy; later it is a new one, after nine that are lost. Ten
 * telegrams with their copies are 375 ms on a line of 4800 baud at the very least; a dealer needs many seconds for ten cards.
 */
const COPY_WITHIN_MS = 1000;
const ANSWER_WITHIN_MS = 500;
const COMMAND_TRIES = 3;

export type AngelEyeCommand =
  /** Before the start: the number of the last telegram that is on disk. */
  { readonly type: 'stored'; readonly seq: number } | { readonly type: 'lock'; readonly on: boolean };

export interface AngelEyeState extends Line {
  readonly serial: string;
  readonly mayCommand: boolean;
  readonly link: LinkState;
  readonly parser: ParserState;
  readonly badInARow: number;
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

type Draft = { -readonly [K in keyof AngelEyeState]: AngelEyeState[K] };
type Out = MachineOutput<ShoeEvent>[];

export function initialAngelEye(o: { readonly serial: string; readonly commands?: boolean }): AngelEyeState {
  return {
    ...CLOSED_LINE,
    serial: o.serial,
    mayCommand: o.commands === true,
    link: 'down',
    parser: EMPTY_PARSER,
    badInARow: 0,
    openedAtMs: 0,
    number: 0,
    last: null,
    starts: 0,
    lockWanted: null,
    lockTries: 0,
    lockAtMs: Number.NEGATIVE_INFINITY,
  };
}

export function stepAngelEye(
  state: AngelEyeState,
  input: MachineInput<AngelEyeCommand>,
  nowMs: number,
): Stepped<AngelEyeState, ShoeEvent> {
  const s: Draft = { ...state };
  const out: Out = [];
  if (input.type === 'command') obey(s, input.command);
  else if (input.type === 'opened') begin(s, out, nowMs);
  else if (input.type === 'closed') loseLink(s, out, nowMs);
  else if (input.type === 'bytes') {
    const parsed = parse(s.parser, input.bytes);
    s.parser = parsed.state;
    for (const telegram of parsed.telegrams) {
      out.push({ type: 'seen', bytes: telegram.bytes });
      hear(s, out, telegram, nowMs);
    }
    for (const reply of parsed.replies) hearReply(s, reply);
    if (parsed.bad > 0) hearGarbage(s, out, parsed.bad, parsed.telegrams.length > 0);
  }
  advance(s, out, nowMs);
  return { state: s, outputs: out };
}

const tell = (out: Out, event: ShoeEvent): void => {
  out.push({ type: 'event', event });
};
const fault = (
  out: Out,
  seq: number | null,
  what: Extract<ShoeEvent, { type: 'fault' }>['fault'],
  detail: string,
): void => tell(out, { type: 'fault', seq, fault: what, detail });

function obey(s: Draft, command: AngelEyeCommand): void {
  if (command.type === 'stored') s.number = command.seq;
  else if (s.mayCommand) {
    s.lockWanted = command.on;
    s.lockTries = 0;
    s.lockAtMs = Number.NEGATIVE_INFINITY;
  }
}

function begin(s: Draft, out: Out, nowMs: number): void {
  s.transport = 'open';
  s.parser = EMPTY_PARSER;
  s.badInARow = 0;
  s.openedAtMs = nowMs;
  s.lockTries = 0;
  s.link = 'up';
  tell(out, { type: 'link', link: 'up' });
  const identity = { model: 'Angel Eye II-EX', serial: s.serial, firmware: '-' };
  tell(out, { type: 'identity', identity, lastSeq: s.number, boot: s.starts });
  fault(out, null, 'gap', 'what the shoe has told while nobody listened is lost');
  tell(out, { type: 'status', empty: false, jammed: false, coverOpen: false });
}

function loseLink(s: Draft, out: Out, nowMs: number): void {
  closeLine(s, nowMs);
  if (s.link === 'down') return;
  s.link = 'down';
  tell(out, { type: 'link', link: 'down' });
}

// ---- what arrives ----

function hearGarbage(s: Draft, out: Out, bad: number, andTelegrams: boolean): void {
  const before = s.badInARow;
  s.badInARow = andTelegrams ? bad : before + bad;
  // One copy less is nothing; as many damaged ones in a row may have been a whole telegram.
  if (before < COPIES && s.badInARow >= COPIES)
    fault(out, null, 'crc', `${s.badInARow} damaged telegrams in a row`);
}

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
    fault(out, s.number, 'restarted', 'the shoe has been switched on, or has begun anew');
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
  // What an adapter has kept for us comes at once. That something may be lost has been said when the line opened.
  const justOpened = nowMs - s.openedAtMs < COPY_WITHIN_MS;
  if (last === null) return justOpened;
  const recent = justOpened || nowMs - last.atMs < COPY_WITHIN_MS;
  if (!recent) return false;
  if (toHex(telegram.bytes) === last.hex) {
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

function advance(s: Draft, out: Out, nowMs: number): void {
  if (!keepOpen(s, out, nowMs, () => loseLink(s, out, nowMs))) return;
  // The shoe says nothing while nothing happens: a silent line is a good line.
  s.wakeAtMs = Number.POSITIVE_INFINITY;
  if (s.lockWanted === null) return;
  if (nowMs - s.lockAtMs >= ANSWER_WITHIN_MS) {
    if (s.lockTries >= COMMAND_TRIES) {
      fault(out, null, 'error', `the shoe does not ${s.lockWanted ? 'lock' : 'unlock'}`);
      s.lockWanted = null;
      return;
    }
    s.lockTries++;
    s.lockAtMs = nowMs;
    out.push({ type: 'write', bytes: encodeCommand({ type: 'LK', data: s.lockWanted ? 2 : 1 }) });
  }
  s.wakeAtMs = s.lockAtMs + ANSWER_WITHIN_MS;
}
