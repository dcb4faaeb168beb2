/**
 * For tests: a line as adapters, long cables and serial servers make it, between a driver and a
 * simulated unit.
 */
import type { ByteTransport, DeviceClock, OpenTransport } from '../../hardware/ports.ts';
import { seededChance } from '../../hardware/transport/faults.ts';
import { memoryPair } from '../../hardware/transport/memory.transport.ts';

export interface Pace {
  /** Time of one byte. */
  readonly byteMs: number;
  /** Before so many bytes in a thousand the line stands still for 200 to 300 ms. */
  readonly stallPerMille?: number;
  /** Bytes are handed over together, once in so many milliseconds; default: each by itself. */
  readonly mergeMs?: number;
  /** Until then a byte in three is spoilt, as with the wrong parity; milliseconds of the clock. */
  readonly spoiltUntilMs?: number;
  readonly seed?: number;
}

/** Opens such a line to a simulator. */
export const slowLinesTo =
  (sim: { plug(transport: ByteTransport): void }, clock: DeviceClock, pace: Pace): OpenTransport =>
  () => {
    const [host, unit] = memoryPair({ clock });
    sim.plug(paced(unit, clock, pace, 1));
    return paced(host, clock, pace, 2);
  };

/**
 * What is written goes out byte by byte; what was under way when the line was closed never arrives.
 */
function paced(line: ByteTransport, clock: DeviceClock, pace: Pace, side: number): ByteTransport {
  const { byteMs, stallPerMille = 0, mergeMs = 0, spoiltUntilMs = 0, seed = 1 } = pace;
  const chance = seededChance(seed * 2 + side);
  let freeAtMs = 0;
  const waiting = new Map<number, number[]>();
  const send = (byte: number): void => {
    const stallMs = chance.happens(stallPerMille) ? 200 + chance.below(101) : 0;
    freeAtMs = Math.max(clock.now(), freeAtMs) + stallMs + byteMs;
    const spoilt = clock.now() < spoiltUntilMs && chance.happens(333);
    const arriving = spoilt ? byte ^ (1 << chance.below(8)) : byte;
    const atMs = mergeMs === 0 ? freeAtMs : Math.ceil(freeAtMs / mergeMs) * mergeMs;
    const together = mergeMs === 0 ? undefined : waiting.get(atMs);
    if (together !== undefined) {
      together.push(arriving);
      return;
    }
    const bytes = [arriving];
    waiting.set(atMs, bytes);
    clock.after(atMs - clock.now(), () => {
      if (waiting.get(atMs) === bytes) waiting.delete(atMs);
      line.write(Uint8Array.from(bytes)).catch(() => {});
    });
  };
  return {
    name: `slow:${line.name}`,
    open: (handlers) => line.open(handlers),
    write: (bytes) => {
      for (const byte of bytes) send(byte);
      return Promise.resolve();
    },
    close: () => line.close(),
  };
}
