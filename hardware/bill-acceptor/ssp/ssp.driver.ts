import type { BillAcceptor, DeviceClock, OpenTransport } from '../../ports.ts';
import { AcceptorDriver } from '../acceptor.driver.ts';
import { FIXED_KEY } from './essp.codec.ts';
import { type KeySource, SYSTEM_KEYS, secured } from './essp.transport.ts';
import { stepSsp } from './ssp.machine.ts';
import { initialSsp, type SspOptions } from './ssp-state.machine.ts';

/**
 * A bill acceptor that speaks SSP over whatever `openTransport` gives; it is asked for a new
 * transport after every loss. Commands may be given at any time, before start() too; those about a
 * note do nothing while no note is held. Throws on an address that no packet can say.
 */
export function createSsp(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: SspOptions = {},
  keys: KeySource = SYSTEM_KEYS,
): BillAcceptor {
  const { address = 0, encryption = 'where-known', fixedKey = FIXED_KEY } = options;
  const open =
    encryption === 'off'
      ? openTransport
      : Object.assign(
          () => secured(openTransport(), { clock, address, fixedKey, encryption, keys }),
          openTransport,
        );
  return new AcceptorDriver(id, 'ITL SSP', stepSsp, initialSsp(options), open, clock);
}
