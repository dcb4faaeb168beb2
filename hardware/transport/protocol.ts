/**
 * What every protocol does alike, as one pure step: a line is opened, lost and opened again after a
 * while; bytes become frames; the host hears whether anybody is there. A protocol adds what a
 * frame means and what is to be said next, and no more.
 */
import type { LinkState } from '../ports.ts';
import { EMPTY_PARSER, type ParserState } from './bytes.ts';
import type { MachineOutput, MachineState, Step } from './machine.ts';

/** Whole frames out of what has come; one without bytes is none for the recorder. */
export interface Heard<Frame> {
  readonly state: ParserState;
  readonly frames: readonly { readonly frame: Frame; readonly bytes: Uint8Array | null }[];
  readonly bad: number;
}

/** What every machine knows of the line it talks over. */
export interface Line extends MachineState {
  readonly transport: 'closed' | 'opening' | 'open';
  /** Of a closed one when to open it again, of an opening one when to give that up. */
  readonly transportAtMs: number;
  /** Times it was lost since something sensible was heard. */
  readonly failures: number;
  /** As the host was told last. */
  readonly link: LinkState;
  readonly parser: ParserState;
  /** When the last byte came, sensible or not. */
  readonly bytesAtMs: number;
}

export const CLOSED_LINE: Line = {
  wakeAtMs: 0,
  transport: 'closed',
  transportAtMs: 0,
  failures: 0,
  link: 'down',
  parser: EMPTY_PARSER,
  bytesAtMs: Number.NEGATIVE_INFINITY,
};

/** A state while its step is made. */
export type Draft<State> = { -readonly [K in keyof State]: State[K] };

export interface LinkEvent {
  readonly type: 'link';
  readonly link: LinkState;
}
export interface Out<Event> {
  push(output: MachineOutput<Event | LinkEvent>): unknown;
}

/** Only what one protocol differs in from another. */
export interface Protocol<State extends Line, Event, Command, Frame> {
  parse(parser: ParserState, bytes: Uint8Array): Heard<Frame>;
  obey(s: Draft<State>, out: Out<Event>, command: Command, nowMs: number): void;
  /** The line is open, and the unit behind it may be another one than before. */
  opened(s: Draft<State>, out: Out<Event>, nowMs: number): void;
  hear(s: Draft<State>, out: Out<Event>, frame: Frame, nowMs: number): void;
  /** `andFrames`: there were whole ones beside it. */
  hearGarbage?(s: Draft<State>, out: Out<Event>, bad: number, andFrames: boolean): void;
  /**
   * What is due on an open line, and in `wakeAtMs` when something is due next. False = nobody is
   * there: the line is given up.
   */
  speak(s: Draft<State>, out: Out<Event>, nowMs: number): boolean;
  /** The line is lost, and with it what was known of the unit. */
  forget(s: Draft<State>): void;
  /** The host has been told that the line is lost. */
  lost?(s: Draft<State>, out: Out<Event>): void;
}

export function stepOf<State extends Line, Event, Command, Frame>(
  protocol: Protocol<State, Event, Command, Frame>,
): Step<State, Event | LinkEvent, Command> {
  return (state, input, nowMs) => {
    const s: Draft<State> = { ...state };
    // The same object: TypeScript does not see the fields of a line in a generic draft of one.
    const line = s as Draft<Line>;
    const out: MachineOutput<Event | LinkEvent>[] = [];
    const lose = (): void => {
      closeLine(line, nowMs);
      protocol.forget(s);
      setLink(line, out, 'down');
      protocol.lost?.(s, out);
    };
    if (input.type === 'command') protocol.obey(s, out, input.command, nowMs);
    else if (input.type === 'opened') {
      line.transport = 'open';
      line.parser = EMPTY_PARSER;
      protocol.opened(s, out, nowMs);
    } else if (input.type === 'closed') lose();
    else if (input.type === 'bytes') {
      line.bytesAtMs = nowMs;
      const parsed = protocol.parse(line.parser, input.bytes);
      line.parser = parsed.state;
      for (const { frame, bytes } of parsed.frames) {
        if (bytes !== null) out.push({ type: 'seen', bytes });
        protocol.hear(s, out, frame, nowMs);
      }
      if (parsed.bad > 0)
        protocol.hearGarbage?.(
          s,
          out,
          parsed.bad,
          parsed.frames.some(({ bytes }) => bytes !== null),
        );
    }
    if (line.transport === 'closed' && nowMs >= line.transportAtMs) {
      line.transport = 'opening';
      line.transportAtMs = nowMs + openWithinMs(line.failures);
      out.push({ type: 'open' });
    } else if (
      line.transport === 'open'
        ? !protocol.speak(s, out, nowMs)
        : line.transport === 'opening' && nowMs >= line.transportAtMs
    ) {
      out.push({ type: 'close' });
      lose();
    }
    if (line.transport !== 'open') line.wakeAtMs = line.transportAtMs;
    return { state: s as State, outputs: out };
  };
}

/**
 * An opening that hangs is given up, and each one after it gets twice as long. What was given up
 * goes on and ends before the next begins: a machine that needs longer than the first five seconds
 * would otherwise never have the unit.
 */
const OPEN_WITHIN_MS = 5000;
const OPEN_AT_MOST_MS = 20_000;
const openWithinMs = (failures: number): number =>
  Math.min(OPEN_AT_MOST_MS, OPEN_WITHIN_MS * 2 ** Math.min(failures, 10));

/** Tells the host, where it is news to it. */
export function setLink(s: Draft<Line>, out: Out<never>, link: LinkState): void {
  if (s.link === link) return;
  s.link = link;
  out.push({ type: 'event', event: { type: 'link', link } });
}

/** The line is gone; it is opened again after a while. */
function closeLine(s: Draft<Line>, nowMs: number): void {
  s.transport = 'closed';
  s.transportAtMs = nowMs + backOffMs(s.failures);
  s.failures++;
}

/**
 * Wait before the n-th try to open a transport again: doubles from 250 ms and stops at 5 s, so no
 * fault needs a visit.
 */
const backOffMs = (failures: number): number => Math.min(5000, 250 * 2 ** Math.min(failures, 10));
