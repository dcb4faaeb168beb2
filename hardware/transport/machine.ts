/** What a pure protocol machine is told. Time comes beside it; a machine has no clock. */
export type MachineInput<Command> =
  | { readonly type: 'opened' }
  | { readonly type: 'closed'; readonly reason: string }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'tick' }
  | { readonly type: 'command'; readonly command: Command };

/** What it wants done, in this order. `open` and `close` are about the transport. */
export type MachineOutput<Event> =
  | { readonly type: 'open' }
  | { readonly type: 'close' }
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  /** One whole frame that arrived, for the recorder. */
  | { readonly type: 'seen'; readonly bytes: Uint8Array }
  | { readonly type: 'event'; readonly event: Event };

export interface MachineState {
  /** When the machine wants its next tick, milliseconds of the device clock; Infinity = not before something else happens. */
  readonly wakeAtMs: number;
}

export interface Stepped<State extends MachineState, Event> {
  readonly state: State;
  readonly outputs: readonly MachineOutput<Event>[];
}

export type Step<State extends MachineState, Event, Command> = (
  state: State,
  input: MachineInput<Command>,
  nowMs: number,
) => Stepped<State, Event>;

/** What every machine knows of the line it talks over. */
export interface Line extends MachineState {
  readonly transport: 'closed' | 'opening' | 'open';
  /** Of a closed one when to open it again, of an opening one when to give that up. */
  readonly transportAtMs: number;
  /** Times it was lost since something sensible was heard. */
  readonly failures: number;
}

type Draft = { -readonly [K in keyof Line]: Line[K] };

export const CLOSED_LINE: Line = { wakeAtMs: 0, transport: 'closed', transportAtMs: 0, failures: 0 };

const OPEN_WITHIN_MS = 5000;

/** Opens a closed line when it is time, and gives up an opening that takes too long, which `lose` is told of. Whether it is open. */
export function keepOpen(
  s: Draft,
  out: { push(output: MachineOutput<never>): void },
  nowMs: number,
  lose: () => void,
): boolean {
  if (s.transport === 'closed' && nowMs >= s.transportAtMs) {
    s.transport = 'opening';
    s.transportAtMs = nowMs + OPEN_WITHIN_MS;
    out.push({ type: 'open' });
  } else if (s.transport === 'opening' && nowMs >= s.transportAtMs) {
    out.push({ type: 'close' });
    lose();
  }
  if (s.transport === 'open') return true;
  s.wakeAtMs = s.transportAtMs;
  return false;
}

/** The line is gone; it is opened again after a while. */
export function closeLine(s: Draft, nowMs: number): void {
  s.transport = 'closed';
  s.transportAtMs = nowMs + backOffMs(s.failures);
  s.failures++;
}

/** Wait before the n-th try to open a transport again: doubles from 250 ms and stops at 5 s, so no fault needs a visit. */
const backOffMs = (failures: number): number => Math.min(5000, 250 * 2 ** Math.min(failures, 10));
