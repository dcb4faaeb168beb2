/** What a pure protocol machine hears. Time comes beside it; a machine has no clock. */
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
  /**
   * When the machine wants its next tick, milliseconds of the device clock; Infinity = not before
   * something else happens.
   */
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
