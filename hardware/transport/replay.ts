import { toHex } from './bytes.ts';
import type { MachineInput, MachineState, Step } from './machine.ts';
import type { RecordingEntry } from './recording.ts';

/** A protocol machine whose types only its own module knows. */
export interface Machine {
  /** When it wants its next tick, milliseconds of the device clock. */
  readonly wakeAtMs: number;
  feed(
    input: MachineInput<unknown>,
    nowMs: number,
  ): { readonly events: readonly unknown[]; readonly writes: readonly Uint8Array[] };
}

/**
 * A machine that begins in `state`. Commands are taken as they come: the caller has checked them.
 */
export function machineOf<State extends MachineState, Event, Command>(
  step: Step<State, Event, Command>,
  state: State,
): Machine {
  let current = state;
  return {
    get wakeAtMs() {
      return current.wakeAtMs;
    },
    feed(input, nowMs) {
      const { state: next, outputs } = step(current, input as MachineInput<Command>, nowMs);
      current = next;
      return {
        events: outputs.flatMap((output) => (output.type === 'event' ? [output.event] : [])),
        writes: outputs.flatMap((output) => (output.type === 'write' ? [output.bytes] : [])),
      };
    },
  };
}

export interface Replayed {
  readonly events: readonly { readonly ms: number; readonly event: unknown }[];
  /**
   * Where the machine gave other bytes to the line than the recording has; null = nowhere. `entry`
   * counts from 1.
   */
  readonly departure: { readonly entry: number; readonly why: string } | null;
}

/**
 * Feeds recorded inputs to a machine, each at its own time. With ticks by the clock it is woken
 * whenever it asks to be, and what it writes is its own affair; with recorded ticks it must write
 * what it wrote then. `words`: what bytes of the host mean.
 */
export function replay(
  machine: Machine,
  entries: readonly RecordingEntry[],
  ticks: 'recorded' | 'clock',
  words: (bytes: Uint8Array) => string | null = () => null,
): Replayed {
  const events: { ms: number; event: unknown }[] = [];
  const said = (bytes: Uint8Array): string => {
    const text = words(bytes);
    return text === null ? toHex(bytes) : `${toHex(bytes)} (${text})`;
  };
  let due: readonly Uint8Array[] = [];
  let nowMs = 0;
  const feed = (input: MachineInput<unknown>, ms: number): void => {
    nowMs = ms;
    const fed = machine.feed(input, ms);
    due = [...due, ...fed.writes];
    for (const event of fed.events) events.push({ ms, event });
  };
  for (const [index, entry] of entries.entries()) {
    if (ticks === 'clock') {
      while (machine.wakeAtMs < entry.ms) feed({ type: 'tick' }, Math.max(nowMs + 1, machine.wakeAtMs));
      if ('input' in entry) feed(entry.input, Math.max(nowMs, entry.ms));
      continue;
    }
    const depart = (why: string): Replayed => ({ events, departure: { entry: index + 1, why } });
    if ('out' in entry) {
      const [written, ...rest] = due;
      due = rest;
      if (written === undefined) return depart(`${said(entry.out)} was written then, nothing now`);
      if (toHex(written) !== toHex(entry.out))
        return depart(`${said(entry.out)} was written then, ${said(written)} now`);
    } else {
      const [extra] = due;
      if (extra !== undefined) return depart(`${said(extra)} is written now, nothing then`);
      feed(entry.input, entry.ms);
    }
  }
  return { events, departure: null };
}
