import type { ByteTransport } from '../ports.ts';
import type { SeededChance } from '../transport/faults.ts';

/**
 * A line of the fault runs: what is written to it arrives twice, `perMille()` times in a thousand.
 */
export const repeating = (
  line: ByteTransport,
  chance: SeededChance,
  perMille: () => number,
): ByteTransport => ({
  name: line.name,
  open: (handlers) => line.open(handlers),
  async write(bytes) {
    await line.write(bytes);
    if (chance.happens(perMille())) await line.write(bytes);
  },
  close: () => line.close(),
});
