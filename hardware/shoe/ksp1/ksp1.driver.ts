import { randomBytes, randomInt } from 'node:crypto';
import type { CardShoe, DeviceClock, FrameRecord, OpenTransport, ShoeEvent } from '../../ports.ts';
import { MachineDriver } from '../../transport/machine.driver.ts';
import { initialKsp1, type Ksp1Command, type Ksp1Event, type Ksp1State, stepKsp1 } from './ksp1.machine.ts';

/** Between two moments at which the shoe has to prove itself: nobody outside can know when the next one is. */
const MOMENT_MS = { least: 60_000, below: 600_000 };

export interface Ksp1Options {
  /** Shared with the shoe in service mode. With it, a shoe that cannot prove it holds the key deals no card here. */
  readonly pairingKey?: Uint8Array;
}

class Ksp1 implements CardShoe {
  readonly model = 'KSP-1';
  readonly capabilities;
  readonly id: string;
  readonly simulated: boolean;
  readonly #driver: MachineDriver<Ksp1State, Ksp1Event, Ksp1Command>;

  constructor(id: string, openTransport: OpenTransport, clock: DeviceClock, options: Ksp1Options) {
    this.id = id;
    this.simulated = openTransport.simulated === true;
    const auth = options.pairingKey !== undefined;
    this.capabilities = { ack: true, replay: true, auth, targets: false, loading: true };
    this.#driver = new MachineDriver(stepKsp1, initialKsp1(options.pairingKey ?? null), openTransport, clock);
  }

  start(listener: (event: ShoeEvent) => void, lastSeqOf: (serial: string) => number): void {
    this.#driver.start((event) => {
      if (event.type === 'ask-stored') this.#driver.command({ type: 'stored', seq: lastSeqOf(event.serial) });
      else if (event.type === 'ask-moment')
        this.#driver.command({
          type: 'moment',
          nonce: randomBytes(16),
          epochMs: Date.now(),
          againAfterMs: randomInt(MOMENT_MS.least, MOMENT_MS.below),
        });
      else listener(event);
    });
  }
  stop(): Promise<void> {
    return this.#driver.stop();
  }
  acknowledge(seq: number): void {
    const { delivered } = this.#driver.state;
    if (seq > delivered)
      throw new RangeError(`${this.id}: event ${seq} acknowledged, told so far ${delivered}`);
    this.#driver.command({ type: 'acknowledge', seq });
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

/** A shoe that speaks KSP-1 over whatever `openTransport` gives; it is asked for a new transport after every loss. */
export const createKsp1 = (
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: Ksp1Options = {},
): CardShoe => new Ksp1(id, openTransport, clock, options);
