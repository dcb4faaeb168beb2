import type {
  AcceptorEvent,
  AcceptorState,
  BillAcceptor,
  DeviceClock,
  FrameRecord,
  OpenTransport,
} from '../ports.ts';
import { MachineDriver } from '../transport/machine.driver.ts';
import type { MachineState, Step } from '../transport/machine.ts';

/** What the host asks of a bill acceptor, whatever protocol says it. */
export type AcceptorCommand =
  | { readonly type: 'allow'; readonly notesMinor: readonly number[] }
  | { readonly type: 'stack' | 'return' | 'hold' | 'acknowledge-credit' };

interface Reporting extends MachineState {
  readonly reported: AcceptorState;
}

/** A bill acceptor as the host knows it, on the machine of its protocol. */
export class AcceptorDriver<State extends Reporting> implements BillAcceptor {
  readonly id: string;
  readonly model: string;
  readonly simulated: boolean;
  readonly #driver: MachineDriver<State, AcceptorEvent, AcceptorCommand>;

  constructor(
    id: string,
    model: string,
    step: Step<State, AcceptorEvent, AcceptorCommand>,
    initial: State,
    openTransport: OpenTransport,
    clock: DeviceClock,
  ) {
    this.id = id;
    this.model = model;
    this.simulated = openTransport.simulated === true;
    this.#driver = new MachineDriver(step, initial, openTransport, clock);
  }

  start(listener: (event: AcceptorEvent) => void): void {
    this.#driver.start(listener);
  }
  stop(): Promise<void> {
    return this.#driver.stop();
  }
  allow(notesMinor: readonly number[]): void {
    for (const value of notesMinor)
      if (!Number.isSafeInteger(value) || value <= 0)
        throw new RangeError(`${this.id}: note of ${value} minor units cannot be allowed`);
    this.#driver.command({ type: 'allow', notesMinor });
  }
  stack(): void {
    this.#driver.command({ type: 'stack' });
  }
  returnNote(): void {
    this.#driver.command({ type: 'return' });
  }
  hold(): void {
    this.#driver.command({ type: 'hold' });
  }
  acknowledgeCredit(): void {
    this.#driver.command({ type: 'acknowledge-credit' });
  }
  state(): AcceptorState {
    return this.#driver.state.reported;
  }
  frames(): readonly FrameRecord[] {
    return this.#driver.frames();
  }
}
