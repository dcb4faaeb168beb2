import type { ByteTransport, DeviceClock, FrameRecord, OpenTransport } from '../ports.ts';
import type { MachineInput, MachineState, Step } from './machine.ts';
import { Recorder } from './recorder.ts';

/**
 * Carries a pure protocol machine over a transport: feeds it bytes, ticks and commands one at a
 * time and does what it answers. Opening again after a loss is the machine's decision; each time a
 * fresh transport is asked for.
 */
export class MachineDriver<State extends MachineState, Event, Command> {
  readonly #step: Step<State, Event, Command>;
  readonly #openTransport: OpenTransport;
  readonly #clock: DeviceClock;
  readonly #recorder = new Recorder();
  readonly #queue: MachineInput<Command>[] = [];
  #state: State;
  #listener: ((event: Event) => void) | null = null;
  #transport: ByteTransport | null = null;
  #cancelTick: () => void = () => {};
  #busy = false;
  #stopped = false;

  constructor(
    step: Step<State, Event, Command>,
    initial: State,
    openTransport: OpenTransport,
    clock: DeviceClock,
  ) {
    this.#step = step;
    this.#state = initial;
    this.#openTransport = openTransport;
    this.#clock = clock;
  }

  get state(): State {
    return this.#state;
  }

  frames(): readonly FrameRecord[] {
    return this.#recorder.frames();
  }

  forget(): void {
    this.#recorder.forget();
    this.#openTransport.tape?.forget();
  }

  /**
   * Commands given before are carried out first. A driver that was stopped is not started again:
   * make a new one.
   */
  start(listener: (event: Event) => void): void {
    if (this.#listener !== null || this.#stopped) throw new Error('driver already started');
    this.#listener = listener;
    this.#feed({ type: 'tick' });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#listener = null;
    this.#queue.length = 0;
    this.#cancelTick();
    const transport = this.#transport;
    this.#transport = null;
    await transport?.close();
  }

  command(command: Command): void {
    this.#feed({ type: 'command', command });
  }

  #feed(input: MachineInput<Command>): void {
    if (this.#stopped) return;
    this.#queue.push(input);
    // A listener may give a command from inside an event: it waits its turn, so the machine never
    // runs inside itself.
    if (this.#busy || this.#listener === null) return;
    this.#busy = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#one(next);
    } finally {
      this.#busy = false;
    }
    this.#cancelTick();
    this.#cancelTick = () => {};
    const wakeAtMs = this.#state.wakeAtMs;
    if (this.#listener !== null && Number.isFinite(wakeAtMs))
      this.#cancelTick = this.#clock.after(Math.max(0, wakeAtMs - this.#clock.now()), () =>
        this.#feed({ type: 'tick' }),
      );
  }

  #one(input: MachineInput<Command>): void {
    const nowMs = this.#clock.now();
    const { tape } = this.#openTransport;
    tape?.input(nowMs, input, this.#state);
    const { state, outputs } = this.#step(this.#state, input, nowMs);
    this.#state = state;
    for (const output of outputs) if (output.type === 'write') tape?.out(nowMs, output.bytes);
    if (this.#listener === null) return;
    for (const output of outputs) {
      if (output.type === 'event') this.#listener?.(output.event);
      else if (output.type === 'open') this.#open();
      else if (output.type === 'close') this.#close();
      else if (output.type === 'seen') this.#recorder.add(this.#clock.now(), 'in', output.bytes);
      else this.#write(output.bytes);
    }
  }

  #open(): void {
    const transport = this.#openTransport();
    this.#transport = transport;
    const mine = (): boolean => this.#transport === transport;
    transport
      .open({
        onBytes: (bytes) => {
          if (mine()) this.#feed({ type: 'bytes', bytes });
        },
        onClose: (reason) => {
          if (!mine()) return;
          this.#transport = null;
          this.#feed({ type: 'closed', reason });
        },
      })
      .then(
        () => {
          // The driver was stopped, or gave this transport up, while it was still opening.
          if (mine()) this.#feed({ type: 'opened' });
          else void transport.close();
        },
        (error: unknown) => {
          if (!mine()) return;
          this.#transport = null;
          this.#feed({ type: 'closed', reason: error instanceof Error ? error.message : String(error) });
        },
      );
  }

  #close(): void {
    const transport = this.#transport;
    this.#transport = null;
    void transport?.close();
  }

  #write(bytes: Uint8Array): void {
    const transport = this.#transport;
    if (transport === null) return;
    this.#recorder.add(this.#clock.now(), 'out', bytes);
    transport.write(bytes).catch((error: unknown) => {
      if (this.#transport !== transport) return;
      this.#close();
      this.#feed({ type: 'closed', reason: error instanceof Error ? error.message : String(error) });
    });
  }
}
