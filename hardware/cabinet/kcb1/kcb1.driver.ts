import type { CabinetBoard, CabinetEvent, DeviceClock, LampPattern, OpenTransport } from '../../ports.ts';
import { DeviceDriver } from '../../transport/device.driver.ts';
import { initialKcb1, type Kcb1Command, type Kcb1State, stepKcb1 } from './kcb1.machine.ts';

/** A cabinet board that speaks KCB-1 over whatever `openTransport` gives. */
export class Kcb1Board extends DeviceDriver<Kcb1State, CabinetEvent, Kcb1Command> implements CabinetBoard {
  constructor(id: string, openTransport: OpenTransport, clock: DeviceClock) {
    super(id, 'KCB-1', stepKcb1, initialKcb1(), openTransport, clock);
  }

  start(listener: (event: CabinetEvent) => void): void {
    this.machine.start(listener);
  }
  lamp(upper: LampPattern, lower: LampPattern): void {
    this.machine.command({ type: 'lamp', upper, lower });
  }
  siren(ms: number): void {
    this.machine.command({ type: 'siren', ms });
  }
}
