/**
 * The host's side of KCB-1 as a pure step. The board is asked who it is and then says by itself how
 * the cabinet is, once a second and at every change. What the host wants of lamp and siren is sent
 * until the board shows it; the lamp is sent every second besides, since a board that hears nobody
 * shows that the terminal is out of service.
 */
import type { CabinetEvent, LampPattern } from '../../ports.ts';
import {
  CLOSED_LINE,
  type Draft as DraftOf,
  type Line,
  type Out as OutOf,
  setLink,
  stepOf,
} from '../../transport/protocol.ts';
import { decode, encode, type Frame, type Message, MOST_SIREN_MS, parse, type Status } from './kcb1.codec.ts';

const LINK_LOST_MS = 5000;
const ASK_AGAIN_MS = 500;
const LAMP_EVERY_MS = 1000;
/** What the board's clock and the line may be off by before the siren is asked for again. */
const SIREN_SLACK_MS = 400;

export type Kcb1Command =
  | { readonly type: 'lamp'; readonly upper: LampPattern; readonly lower: LampPattern }
  | { readonly type: 'siren'; readonly ms: number };

type Hello = Extract<Message, { type: 'hello' }>;
type Lamp = Pick<Status, 'upper' | 'lower'>;

export interface Kcb1State extends Line {
  readonly hello: Hello | null;
  readonly status: Status | null;
  /** As the host was told last, null when it is to be told again. */
  readonly told: string | null;
  readonly heardAtMs: number;
  readonly askAtMs: number;
  /** When it was asked once more whether it is there. */
  readonly doubtAtMs: number;
  readonly lampWanted: Lamp;
  readonly lampAtMs: number;
  /** Until when it is to sound; null = nobody has asked for anything. */
  readonly sirenUntilMs: number | null;
  readonly sirenAtMs: number;
}

export const initialKcb1 = (): Kcb1State => ({
  ...CLOSED_LINE,
  hello: null,
  status: null,
  told: null,
  heardAtMs: 0,
  askAtMs: Number.NEGATIVE_INFINITY,
  doubtAtMs: Number.NEGATIVE_INFINITY,
  lampWanted: { upper: 'off', lower: 'off' },
  lampAtMs: Number.NEGATIVE_INFINITY,
  sirenUntilMs: null,
  sirenAtMs: Number.NEGATIVE_INFINITY,
});

type Draft = DraftOf<Kcb1State>;
type Out = OutOf<CabinetEvent>;

const say = (out: Out, message: Message): void => void out.push({ type: 'write', bytes: encode(message) });
const tell = (out: Out, event: CabinetEvent): void => void out.push({ type: 'event', event });

export const stepKcb1 = stepOf<Kcb1State, CabinetEvent, Kcb1Command, Frame>({
  parse,
  obey: (s, _out, command, nowMs) => {
    if (command.type === 'lamp') {
      s.lampWanted = { upper: command.upper, lower: command.lower };
      s.lampAtMs = Number.NEGATIVE_INFINITY;
    } else {
      s.sirenUntilMs =
        command.ms === 0 ? nowMs : Math.max(nowMs + Math.min(command.ms, MOST_SIREN_MS), s.sirenUntilMs ?? 0);
      s.sirenAtMs = Number.NEGATIVE_INFINITY;
    }
  },
  opened: (s, _out, nowMs) => {
    s.heardAtMs = nowMs;
    s.askAtMs = Number.NEGATIVE_INFINITY;
    s.lampAtMs = Number.NEGATIVE_INFINITY;
  },
  hear,
  speak,
  // Who stands there is asked again: it may be another board.
  forget: (s) => {
    s.hello = null;
    s.status = null;
    s.told = null;
  },
});

function hear(s: Draft, out: Out, frame: Frame, nowMs: number): void {
  const decoded = decode(frame);
  if (!decoded.ok) return;
  const message = decoded.value;
  if (message.type !== 'hello' && message.type !== 'status') return;
  s.heardAtMs = nowMs;
  s.failures = 0;
  if (message.type === 'hello') {
    const { serial, firmware } = message;
    const isNew = s.hello?.serial !== serial || s.hello.boot !== message.boot;
    s.hello = message;
    if (!isNew) return;
    s.told = null;
    tell(out, { type: 'identity', identity: { model: 'KCB-1', serial, firmware } });
    return;
  }
  // Started again behind our back, or HELLO was lost: its counters are nobody's until it has said
  // who it is.
  if (s.hello === null || message.boot !== s.hello.boot) {
    s.hello = null;
    return;
  }
  s.status = message;
  setLink(s, out, 'up');
  const { type: _, boot: _boot, sirenMs, ...rest } = message;
  const status = { ...rest, serial: s.hello.serial, siren: sirenMs > 0 };
  const text = JSON.stringify(status);
  if (text === s.told) return;
  s.told = text;
  tell(out, { type: 'status', status });
}

function speak(s: Draft, out: Out, nowMs: number): boolean {
  if (nowMs - s.heardAtMs >= LINK_LOST_MS) {
    // A process that stood still has not listened: it asks before it gives up.
    if (s.doubtAtMs < s.heardAtMs) {
      s.doubtAtMs = nowMs;
      say(out, { type: 'identify' });
    }
    s.wakeAtMs = s.doubtAtMs + ASK_AGAIN_MS;
    return nowMs < s.wakeAtMs;
  }
  let wakeAtMs = s.heardAtMs + LINK_LOST_MS;
  if (s.hello === null) {
    if (nowMs - s.askAtMs >= ASK_AGAIN_MS) {
      s.askAtMs = nowMs;
      say(out, { type: 'identify' });
    }
    wakeAtMs = Math.min(wakeAtMs, s.askAtMs + ASK_AGAIN_MS);
  }
  const { status, lampWanted } = s;
  const isShown = status?.upper === lampWanted.upper && status.lower === lampWanted.lower;
  const lampMs = isShown || status === null ? LAMP_EVERY_MS : ASK_AGAIN_MS;
  if (nowMs - s.lampAtMs >= lampMs) {
    s.lampAtMs = nowMs;
    say(out, { type: 'lamp', ...lampWanted });
  }
  wakeAtMs = Math.min(wakeAtMs, s.lampAtMs + lampMs);
  const leftMs = s.sirenUntilMs === null ? null : Math.max(0, s.sirenUntilMs - nowMs);
  if (status !== null && leftMs !== null) {
    const isAsked =
      leftMs === 0 ? status.sirenMs === 0 : status.sirenMs >= leftMs - SIREN_SLACK_MS - (nowMs - s.heardAtMs);
    if (!isAsked && nowMs - s.sirenAtMs >= ASK_AGAIN_MS) {
      s.sirenAtMs = nowMs;
      say(out, { type: 'siren', ms: Math.ceil(leftMs) });
    }
    // Over, and the board is silent: what it sounds by itself from now on is its own.
    if (leftMs === 0 && isAsked) s.sirenUntilMs = null;
    else wakeAtMs = Math.min(wakeAtMs, Math.max(nowMs + 1, s.sirenAtMs + ASK_AGAIN_MS));
  }
  s.wakeAtMs = wakeAtMs;
  return true;
}
