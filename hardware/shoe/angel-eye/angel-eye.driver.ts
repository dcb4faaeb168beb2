import type {
  CardShoe,
  DeviceClock,
  FrameRecord,
  OpenTransport,
  SerialLine,
  ShoeEvent,
} from '../../ports.ts';
import { MachineDriver } from '../../transport/machine.driver.ts';
import {
  type AngelEyeCommand,
  type AngelEyeState,
  initialAngelEye,
  stepAngelEye,
} from './angel-eye.machine.ts';

export interface AngelEyeOptions {
  /** The shoe does not say who it is: the name on its type plate, kept with every card. Printable ASCII, 1 to 16 characters. */
  readonly serial: string;
  /** Whether the shoe may be sent commands; by default it is sent none, and `lock` does nothing. */
  readonly commands?: boolean;
}

/** As the maker delivers it; some are set to 9600 baud. */
export const ANGEL_EYE_LINE: SerialLine = { baud: 4800, dataBits: 8, parity: 'none', stopBits: 1 };

class AngelEye implements CardShoe {
  readonly model = 'Angel Eye II-EX';
  readonly capabilities = { ack: false, replay: false, auth: false, targets: true, loading: false };
  readonly id: string;
  readonly simulated: boolean;
  readonly #serial: string;
  readonly #driver: MachineDriver<AngelEyeState, ShoeEvent, AngelEyeCommand>;

  constructor(id: string, openTransport: OpenTransport, clock: DeviceClock, options: AngelEyeOptions) {
    if (!/^[ -~]{1,16}$/.test(options.serial))
      throw new RangeError(`${id}: serial '${options.serial}' is not 1 to 16 characters of printable ASCII`);
    this.id = id;
    this.simulated = openTransport.simulated === true;
    this.#serial = options.serial;
    this.#driver = new MachineDriver(stepAngelEye, initialAngelEye(options), openTransport, clock);
  }

  start(listener: (event: ShoeEvent) => void, lastSeqOf: (serial: string) => number): void {
    this.#driver.command({ type: 'stored', seq: lastSeqOf(this.#serial) });
    this.#driver.start(listener);
  }
  stop(): Promise<void> {
    return this.#driver.stop();
  }
  acknowledge(seq: number): void {
    const { number } = this.#driver.state;
    if (seq > number) throw new RangeError(`${this.id}: event ${seq} acknowledged, told so far ${number}`);
  }
  lock(on: boolean): void {
    this.#driver.command({ type: 'lock', on });
  }
  frames(): readonly FrameRecord[] {
    return this.#driver.frames();
  }
  forget(): void {
    this.#driver.forget();
  }
}

/** An Angel Eye II-EX behind whatever `openTransport` gives; it is asked for a new transport after every loss. */
export const createAngelEye = (
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: AngelEyeOptions,
): CardShoe => new AngelEye(id, openTransport, clock, options);
