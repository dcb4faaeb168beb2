import type { CardShoe, DeviceClock, OpenTransport, SerialLine, ShoeEvent } from '../../ports.ts';
import { ShoeDriver } from '../shoe.driver.ts';
import {
  type AngelEyeCommand,
  type AngelEyeState,
  initialAngelEye,
  stepAngelEye,
} from './angel-eye.machine.ts';

export interface AngelEyeOptions {
  /**
   * The shoe does not say who it is: the name on its type plate, kept with every card. Printable
   * ASCII, 1 to 16 characters.
   */
  readonly serial: string;
  /** Whether the shoe may be sent commands; by default it is sent none, and `lock` does nothing. */
  readonly commands?: boolean;
}

/** As the maker delivers it; some are set to 9600 baud. */
export const ANGEL_EYE_LINE: SerialLine = { baud: 4800, dataBits: 8, parity: 'none', stopBits: 1 };

/**
 * An Angel Eye II-EX behind whatever `openTransport` gives; it is asked for a new transport after
 * every loss.
 */
export function createAngelEye(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: AngelEyeOptions,
): CardShoe {
  const { serial } = options;
  if (!/^[ -~]{1,16}$/.test(serial))
    throw new RangeError(`${id}: serial '${serial}' is not 1 to 16 characters of printable ASCII`);
  return new ShoeDriver<AngelEyeState, ShoeEvent, AngelEyeCommand>(
    id,
    {
      model: 'Angel Eye II-EX',
      capabilities: { ack: false, replay: false, auth: false, targets: true, loading: false },
      step: stepAngelEye,
      initial: initialAngelEye({ ...options, stallMs: openTransport.stallMs ?? 0 }),
      told: ({ number }) => number,
      begin: (lastSeqOf) => ({ type: 'stored', seq: lastSeqOf(serial) }),
    },
    openTransport,
    clock,
  );
}
