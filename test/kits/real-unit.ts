/**
 * For tests: a simulated ID-003 unit that does not say it is one. The version in its answer to 88
 * is another one, on the line and nowhere else; without `masks` it takes every note, whatever C0
 * says.
 */
import { COMMAND, encode } from '../../hardware/bill-acceptor/id003/id003.codec.ts';
import type { ByteTransport, OpenTransport } from '../../hardware/ports.ts';
import type { HandClock } from '../../hardware/transport/clock.ts';
import { memoryPair } from '../../hardware/transport/memory.transport.ts';

const ALL = encode(COMMAND.enable, [0, 0]);

export const realUnit =
  (
    sim: { plug(transport: ByteTransport): void },
    clock: HandClock,
    { version = 'UBA-10-SS ID003-05 V9.9', masks = true } = {},
  ): OpenTransport =>
  () => {
    const [host, device] = memoryPair({ clock, latencyMs: 3 });
    sim.plug(device);
    let mask: Uint8Array = ALL;
    return {
      name: host.name,
      close: () => host.close(),
      write: (bytes) => {
        if (masks || bytes[2] !== COMMAND.enable) return host.write(bytes);
        mask = bytes;
        return host.write(ALL);
      },
      open: (handlers) =>
        host.open({
          ...handlers,
          onBytes: (bytes) => {
            if (bytes[2] === COMMAND.version) handlers.onBytes(encode(COMMAND.version, Buffer.from(version)));
            else if (!masks && bytes[2] === COMMAND.enable) handlers.onBytes(mask);
            else handlers.onBytes(bytes);
          },
        }),
    };
  };
