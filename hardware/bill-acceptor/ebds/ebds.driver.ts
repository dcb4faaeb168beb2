import type { DriverMemory } from '../../model.ts';
import type { BillAcceptor, ByteTransport, DeviceClock, OpenTransport } from '../../ports.ts';
import { AcceptorDriver } from '../acceptor.driver.ts';
import type { Toggle } from './ebds.codec.ts';
import { stepEbds } from './ebds.machine.ts';
import { type EbdsOptions, ebdsProfile, type PyramidOptions, pyramidProfile } from './ebds-profile.ts';
import { type EbdsProfile, initialEbds } from './ebds-state.machine.ts';

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

function make(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  profile: EbdsProfile,
  memory: DriverMemory | undefined,
): BillAcceptor {
  let state = initialEbds(profile, toggleIn(memory?.load()));
  const remember = (bytes: Uint8Array): void => {
    if (state.held !== null || state.pastOpen) memory?.save(String(bytes[2]! & 1));
  };
  const step: typeof stepEbds = (before, input, nowMs) => {
    const stepped = stepEbds(before, input, nowMs);
    state = stepped.state;
    return stepped;
  };
  const watching =
    memory === undefined
      ? openTransport
      : Object.assign(() => watched(openTransport(), remember), openTransport);
  return new AcceptorDriver(id, profile.model, step, state, watching, clock);
}

/**
 * A bill acceptor that speaks EBDS over whatever `openTransport` gives; it is asked for a new
 * transport after every loss. Commands may be given at any time, before start() too; those about a
 * note do nothing while no note is held. Throws on an escrow time-out that the protocol cannot say.
 *
 * `memory` keeps the toggle of the last message while a note may be on its way. Without it a host
 * that dies between the unit's "stacked" and its own commit asks with the wrong toggle every other
 * time, which the unit takes for an acknowledgement: that note ends as `settled-unknown` instead of
 * as a credit. A power cut clears the unit's toggle as well.
 */
export function createEbds(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: EbdsOptions = {},
  memory?: DriverMemory,
): BillAcceptor {
  return make(id, openTransport, clock, ebdsProfile(options), memory);
}

/**
 * A Pyramid (PTI) acceptor on its RS-232 protocol: EBDS frames without a note table. Throws on a
 * table of notes that has none or more than seven. `memory` as in createEbds.
 */
export function createPyramid(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: PyramidOptions,
  memory?: DriverMemory,
): BillAcceptor {
  return make(id, openTransport, clock, pyramidProfile(options), memory);
}
