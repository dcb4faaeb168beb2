import type {
  DeviceIdentity,
  FrameRecord,
  PowerCondition,
  PowerEvent,
  PowerStatus,
  PowerSupply,
} from '../../hardware/ports.ts';
import type { FaultId } from '../../wire/faults.ts';
import type { Terminal } from '../table/terminal.ts';
import { stopsOf } from '../watches/faults.ts';

const ID = 'ups';

/** Faults of a UPS that this terminal has no more. */
export function clearPowerFaults(terminal: Terminal): void {
  for (const { device, fault } of terminal.state.faults)
    if (device === ID) terminal.submit({ type: 'clear-fault', device, fault });
}

/**
 * Between the UPS and the table: on its battery the round is played to its end and no other begins,
 * and at the end of the battery the program ends in order. A life that begins at the end of the
 * battery stands still instead, and goes on with the mains.
 */
export class PowerDesk {
  readonly id = ID;
  readonly #terminal: Terminal;
  readonly #supply: PowerSupply;
  readonly #ends: (why: string) => void;
  #link: 'up' | 'down' = 'down';
  #identity: DeviceIdentity | null = null;
  #status: PowerStatus | null = null;
  /** There was power to lose in this life. */
  #hadPower = false;
  #changed: () => void = () => {};
  #isStopped = false;

  /** `ends`: the program is to end in order, and why. */
  constructor(terminal: Terminal, supply: PowerSupply, ends: (why: string) => void) {
    this.#terminal = terminal;
    this.#supply = supply;
    this.#ends = ends;
  }

  get model(): string {
    return this.#supply.model;
  }
  get simulated(): boolean {
    return this.#supply.simulated;
  }
  get identity(): DeviceIdentity | null {
    return this.#identity;
  }
  /** Null: it does not say. */
  get status(): PowerStatus | null {
    return this.#link === 'up' ? this.#status : null;
  }
  get state(): PowerCondition {
    if (this.status === null) return 'offline';
    if (this.status.batteryLow) return 'battery-low';
    return this.status.onBattery ? 'on-battery' : 'idle';
  }
  frames(): readonly FrameRecord[] {
    return this.#supply.frames();
  }

  start(changed: () => void): void {
    this.#changed = changed;
    this.#supply.start((event) => {
      if (!this.#isStopped) this.#on(event);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#supply.stop();
  }

  reportAbsence(): void {
    if (this.#link === 'down') this.#set('ups-offline', true);
  }

  #set(fault: FaultId, isThere: boolean): void {
    const stands = this.#terminal.state.faults.some((each) => each.device === ID && each.fault === fault);
    if (isThere === stands) return;
    if (isThere)
      this.#terminal.submit({ type: 'report-fault', device: ID, fault, place: 'UPS', ...stopsOf(fault, []) });
    else this.#terminal.submit({ type: 'clear-fault', device: ID, fault });
  }

  #on(event: PowerEvent): void {
    if (event.type === 'identity') this.#identity = event.identity;
    else if (event.type === 'link') {
      this.#link = event.link;
      // Whoever was on the battery and is not heard any more is taken to be on it still.
      this.#set('ups-offline', event.link === 'down');
    } else this.#hear(event.status);
    this.#changed();
  }

  #hear(status: PowerStatus): void {
    this.#status = status;
    this.#set('ups-on-battery', status.onBattery);
    this.#set('ups-battery-low', status.batteryLow);
    this.#set('ups-battery-old', status.replaceBattery);
    if (!status.batteryLow) this.#hadPower = true;
    else if (this.#hadPower) this.#ends('the battery of the UPS is at its end');
  }
}
