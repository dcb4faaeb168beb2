import {
  type AcceptorLine,
  announceEscrow,
  type HeldNote,
  NEW_ACCEPTOR_LINE,
  ownWorth,
  report,
  stepOfAcceptor,
  tell,
  UNHEARD_NOTE,
} from '../../../hardware/bill-acceptor/acceptor.machine.ts';
import type { AcceptorEvent, AcceptorState, UnitNote } from '../../../hardware/ports.ts';
import { type Draft, type Out, setLink } from '../../../hardware/transport/protocol.ts';
import { encode, type Frame, HOST, NOTES, parse, UNIT } from './tin.codec.ts';

const POLL_MS = 100;
const LOST_MS = 2_000;

export interface TinState extends AcceptorLine {
  readonly currency: string;
  readonly held: HeldNote | null;
  readonly heardAtMs: number;
  readonly saidAtMs: number;
  readonly identified: boolean;
}

export const initialTin = (currency: string): TinState => ({
  ...NEW_ACCEPTOR_LINE,
  currency,
  heardAtMs: 0,
  saidAtMs: 0,
  identified: false,
});

export const stepTin = stepOfAcceptor<TinState, Frame>({
  parse,
  opened: (s, _out, nowMs) => {
    s.heardAtMs = nowMs;
    s.saidAtMs = Number.NEGATIVE_INFINITY;
  },
  hear,
  speak,
  forget: (s) => {
    s.identified = false;
  },
});

const STATES: Readonly<Record<number, AcceptorState>> = {
  [UNIT.escrow]: 'escrow',
  [UNIT.stacking]: 'stacking',
  [UNIT.credit]: 'credited',
  [UNIT.returning]: 'returning',
};

function hear(s: Draft<TinState>, out: Out<AcceptorEvent>, { code, value }: Frame, nowMs: number): void {
  s.heardAtMs = nowMs;
  s.failures = 0;
  setLink(s, out, 'up');
  if (code === UNIT.identity) {
    s.identified = true;
    const firmware = value === 0 ? 'SIMULATED TIN' : `TIN ${value}`;
    const identity = { model: 'Tin', serial: '', firmware };
    return tell(out, { type: 'identity', identity, table: NOTES.map((_, index) => rowOf(s, index)) });
  }
  const row = value < NOTES.length ? rowOf(s, value) : null;
  const note = row && ownWorth(row);
  if (code === UNIT.escrow) {
    s.held ??= UNHEARD_NOTE;
    if (!s.held.announced || s.held.lost) s.held = announceEscrow(s, out, s.held, row);
    s.held = { ...s.held, lost: false };
  } else if (code === UNIT.credit && s.held?.outcome !== 'acknowledged') {
    if (s.held?.outcome !== 'credited') tell(out, { type: 'credit', note });
    s.held = { ...(s.held ?? UNHEARD_NOTE), note, outcome: 'credited' };
  } else if (code === UNIT.idle) {
    const { held } = s;
    const isSettled = held?.outcome === 'credited' || held?.outcome === 'acknowledged';
    if (held !== null && !isSettled) tell(out, { type: held.stackSent ? 'settled-unknown' : 'returned' });
    else if (held === null && s.pastOpen) tell(out, { type: 'settled-unknown' });
    s.held = null;
  }
  s.pastOpen = false;
  report(s, out, STATES[code] ?? (isOpen(s) ? 'idle' : 'disabled'), null);
}

/** Tin says the place of a note in its table, and no more: the currency is the option's. */
const rowOf = ({ currency }: TinState, index: number): UnitNote => ({
  said: `${index}`,
  valueMinor: NOTES[index] ?? null,
  currency,
});

const isOpen = (s: TinState): boolean => s.isTrying || s.allowedMinor.length > 0;

function speak(s: Draft<TinState>, out: Out<AcceptorEvent>, nowMs: number): boolean {
  if (nowMs - s.heardAtMs >= LOST_MS) return false;
  if (nowMs - s.saidAtMs >= POLL_MS) {
    s.saidAtMs = nowMs;
    out.push({ type: 'write', bytes: nextWord(s) });
  }
  s.wakeAtMs = s.saidAtMs + POLL_MS;
  return true;
}

function nextWord(s: Draft<TinState>): Uint8Array {
  const { held } = s;
  if (!s.identified) return encode(HOST.identify);
  if (held?.outcome === 'acknowledged') return encode(HOST.acknowledge);
  if (held?.outcome === 'pending' && held.asked === 'stack' && !held.stackSent) {
    s.held = { ...held, stackSent: true };
    return encode(HOST.stack);
  }
  if (held?.outcome === 'pending' && held.asked === 'return') return encode(HOST.return);
  return encode(HOST.poll, isOpen(s) ? 1 : 0);
}
