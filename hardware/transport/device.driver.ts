import type { DeviceClock, FrameRecord, OpenTransport } from '../ports.ts';
import { MachineDriver } from './machine.driver.ts';
import type { MachineState, Step } from './machine.ts';

/** A device of the house by its name, and the machine of its protocol on a line. */
export abstract class DeviceDriver<State extends MachineState, Event, Command> {
  readonly id: string;
  readonly model: string;
  readonly simulated: boolean;
  protected readonly machine: MachineDriver<State, Event, Command>;

  constructor(
    id: string,
    model: string,
    step: Step<State, Event, Command>,
    initial: State,
    openTransport: OpenTransport,
    clock: DeviceClock,
  ) {
    this.id = id;
    this.model = model;
    this.simulated = openTransport.simulated === true;
    this.machine = new MachineDriver(step, initial, openTransport, clock);
  }

  stop(): Promise<void> {
    return this.machine.stop();
  }
  frames(): readonly FrameRecord[] {
    return this.machine.frames();
  }
}
