import type {
  AcceptorEvent,
  AcceptorState,
  BillAcceptor,
  DeviceClock,
  FrameRecord,
  OpenTransport,
} from '../../ports.ts';
import { MachineDriver } from '../../transport/machine.driver.ts';
import { type Id003Command, type Id003State, initialId003, stepId003 } from './id003.machine.ts';
import type { Id003Options } from './id003-options.ts';

class Id003 implements BillAcceptor {
  readonly model = 'JCM ID-003';
  readonly id: string;
  readonly simulated: boolean;
  readonly #driver: MachineDriver<Id003State, AcceptorEvent, Id003Command>;

  constructor(id: string, openTransport: OpenTransport, clock: DeviceClock, options: Id003Options) {
    this.id = id;
    this.simulated = openTransport.simulated === true;
    this.#driver = new MachineDriver(stepId003, initialId003(options), openTransport, clock);
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

/**
 * A bill acceptor that speaks ID-003 over whatever `openTransport` gives; it is asked for a new transport after every loss.
 * Commands may be given at any time, before start() too; those about a note do nothing while no note is held.
 */
export const createId003 = (
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: Id003Options = {},
): BillAcceptor => new Id003(id, openTransport, clock, options);
