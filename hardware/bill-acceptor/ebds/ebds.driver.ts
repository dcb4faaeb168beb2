import type { DriverMemory } from '../../models.ts';
import type {
  AcceptorEvent,
  AcceptorState,
  BillAcceptor,
  ByteTransport,
  DeviceClock,
  FrameRecord,
  OpenTransport,
} from '../../ports.ts';
import { MachineDriver } from '../../transport/machine.driver.ts';
import type { Toggle } from './ebds.codec.ts';
import { type EbdsCommand, type EbdsProfile, type EbdsState, initialEbds, stepEbds } from './ebds.machine.ts';
import { type EbdsOptions, ebdsProfile, type PyramidOptions, pyramidProfile } from './ebds-profile.ts';

class Ebds implements BillAcceptor {
  readonly model: string;
  readonly id: string;
  readonly simulated: boolean;
  readonly #driver: MachineDriver<EbdsState, AcceptorEvent, EbdsCommand>;

  constructor(
    id: string,
    openTransport: OpenTransport,
    clock: DeviceClock,
    profile: EbdsProfile,
    memory: DriverMemory | undefined,
  ) {
    this.id = id;
    this.model = profile.model;
    this.simulated = openTransport.simulated === true;
    const remember = (bytes: Uint8Array): void => {
      const { held, pastOpen } = this.#driver.state;
      if (held !== null || pastOpen) memory?.save(String(bytes[2]! & 1));
    };
    this.#driver = new MachineDriver(
      stepEbds,
      initialEbds(profile, toggleIn(memory?.load())),
      memory === undefined
        ? openTransport
        : Object.assign(() => watched(openTransport(), remember), openTransport),
      clock,
    );
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

const toggleIn = (text: string | null | undefined): Toggle | null =>
  text === '0' ? 0 : text === '1' ? 1 : null;

const watched = (transport: ByteTransport, onWrite: (bytes: Uint8Array) => void): ByteTransport => ({
  name: transport.name,
  open: (handlers) => transport.open(handlers),
  write: (bytes) => {
    onWrite(bytes);
    return transport.write(bytes);
  },
  close: () => transport.close(),
});

/**
 * A bill acceptor that speaks EBDS over whatever `openTransport` gives; it is asked for a new transport after every loss.
 * Commands may be given at any time, before start() too; those about a note do nothing while no note is held. Throws on an
 * escrow time-out that the protocol cannot say.
 *
 * `memory` keeps the toggle of the last message while a note may be on its way. Without it a host that dies between the unit's
 * "stacked" and its own commit asks with the wrong toggle every other time, which the unit takes for an acknowledgement: that
 * note ends as `settled-unknown` instead of as a credit. A power cut clears the unit's toggle as well.
 */
export function createEbds(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: EbdsOptions = {},
  memory?: DriverMemory,
): BillAcceptor {
  return new Ebds(id, openTransport, clock, ebdsProfile(options), memory);
}

/**
 * A Pyramid (PTI) acceptor on its RS-232 protocol: EBDS frames without a note table. Throws on a table of notes that has none
 * or more than seven. `memory` as in createEbds.
 */
export function createPyramid(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: PyramidOptions,
  memory?: DriverMemory,
): BillAcceptor {
  return new Ebds(id, openTransport, clock, pyramidProfile(options), memory);
}
