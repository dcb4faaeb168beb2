/**
 * A reader of upsd as a pure step: all variables of one UPS every second. Where upsd has no word of
 * the UPS itself (its driver is gone, its data are old) the link to it is down.
 */
import type { PowerEvent } from '../ports.ts';
import {
  CLOSED_LINE,
  type Draft as DraftOf,
  type Line,
  type Out as OutOf,
  setLink,
  stepOf,
} from '../transport/protocol.ts';
import { encodeList, type NutLine, parse, statusOf } from './nut.codec.ts';

const ASK_EVERY_MS = 1000;
/** Asked so often in vain, and nobody is there; a process that stands still asks nothing. */
const MOST_UNANSWERED = 5;
const MOST_VARS = 500;

export interface NutState extends Line {
  readonly ups: string;
  /** Told since the list began. */
  readonly vars: readonly (readonly [name: string, value: string])[];
  readonly askAtMs: number;
  readonly unanswered: number;
  readonly told: string | null;
  readonly identified: string | null;
}

export const initialNut = (ups: string): NutState => ({
  ...CLOSED_LINE,
  ups,
  vars: [],
  askAtMs: 0,
  unanswered: 0,
  told: null,
  identified: null,
});

type Draft = DraftOf<NutState>;
type Out = OutOf<PowerEvent>;

const tell = (out: Out, event: PowerEvent): void => void out.push({ type: 'event', event });

export const stepNut = stepOf<NutState, PowerEvent, never, NutLine>({
  parse,
  obey: () => {},
  opened: (s, _out, nowMs) => {
    s.askAtMs = nowMs;
    s.unanswered = 0;
    s.vars = [];
  },
  hear,
  speak,
  forget: (s) => {
    s.told = null;
    s.identified = null;
  },
});

function silent(s: Draft, out: Out): void {
  s.told = null;
  setLink(s, out, 'down');
}

function hear(s: Draft, out: Out, line: NutLine): void {
  s.unanswered = 0;
  s.failures = 0;
  if (line.type === 'error') return silent(s, out);
  if (line.ups !== s.ups) return;
  if (line.type === 'begin') s.vars = [];
  else if (line.type === 'var') {
    if (s.vars.length < MOST_VARS) s.vars = [...s.vars, [line.name, line.value]];
  } else end(s, out);
}

function end(s: Draft, out: Out): void {
  const vars = new Map(s.vars);
  const status = statusOf(vars);
  if (status === null) return silent(s, out);
  setLink(s, out, 'up');
  const model = [vars.get('device.mfr'), vars.get('device.model')].filter(Boolean).join(' ');
  const identity = {
    model: model.slice(0, 64) || s.ups,
    serial: (vars.get('device.serial') ?? '').trim().slice(0, 64),
    firmware: (vars.get('ups.firmware') ?? vars.get('driver.version') ?? '').slice(0, 64),
  };
  const identified = JSON.stringify(identity);
  if (identified !== s.identified) {
    s.identified = identified;
    tell(out, { type: 'identity', identity });
  }
  const text = JSON.stringify(status);
  if (text === s.told) return;
  s.told = text;
  tell(out, { type: 'power', status });
}

function speak(s: Draft, out: Out, nowMs: number): boolean {
  if (nowMs >= s.askAtMs) {
    if (s.unanswered >= MOST_UNANSWERED) return false;
    s.unanswered++;
    s.askAtMs = nowMs + ASK_EVERY_MS;
    out.push({ type: 'write', bytes: encodeList(s.ups) });
  }
  s.wakeAtMs = s.askAtMs;
  return true;
}
