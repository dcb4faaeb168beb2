import type { BillAcceptor, DeviceClock, OpenTransport } from '../../ports.ts';
import { AcceptorDriver } from '../acceptor.driver.ts';
import { stepId003 } from './id003.machine.ts';
import type { Id003Options } from './id003-options.ts';
import { initialId003 } from './id003-state.machine.ts';

/**
 * A bill acceptor that speaks ID-003 over whatever `openTransport` gives; it is asked for a new
 * transport after every loss. Commands may be given at any time, before start() too; those about a
 * note do nothing while no note is held.
 */
export const createId003 = (
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: Id003Options = {},
): BillAcceptor =>
  new AcceptorDriver(id, 'JCM ID-003', stepId003, initialId003(options), openTransport, clock);
