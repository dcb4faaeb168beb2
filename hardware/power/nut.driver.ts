import type { DeviceClock, OpenTransport, PowerEvent, PowerSupply } from '../ports.ts';
import { DeviceDriver } from '../transport/device.driver.ts';
import { initialNut, type NutState, stepNut } from './nut.machine.ts';

export interface NutOptions {
  /** As upsd calls the UPS: the name of its section in ups.conf. */
  readonly ups: string;
}

/** One UPS behind an upsd. */
export class NutSupply extends DeviceDriver<NutState, PowerEvent, never> implements PowerSupply {
  constructor(id: string, openTransport: OpenTransport, clock: DeviceClock, { ups }: NutOptions) {
    super(id, 'NUT', stepNut, initialNut(ups), openTransport, clock);
  }

  start(listener: (event: PowerEvent) => void): void {
    this.machine.start(listener);
  }
}
