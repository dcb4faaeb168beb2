import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * Whole numbers from a seed: faults and shuffles of simulators, never an outcome of a real game.
 */
export interface SeededChance {
  /** Uniform integer in 0..below-1. */
  below(below: number): number;
  /** True `perMille` times in a thousand. */
  happens(perMille: number): boolean;
}

export function seededChance(seed: number): SeededChance {
  if (!Number.isInteger(seed)) throw new RangeError(`seed ${seed} is not an integer`);
  const generator = xoroshiro128plus(seed | 0);
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  return { below, happens: (perMille) => perMille > 0 && below(1000) < perMille };
}

/** How a line misbehaves; each rate is per thousand chunks. */
export interface LineFaults {
  /** One byte of the chunk is lost. */
  readonly dropPerMille: number;
  /** One bit of the chunk is turned over. */
  readonly flipPerMille: number;
  /** The whole chunk is lost. */
  readonly losePerMille: number;
}

export const CLEAN_LINE: LineFaults = { dropPerMille: 0, flipPerMille: 0, losePerMille: 0 };

/** Sends a chunk through a bad line: what arrives, possibly nothing. */
export function disturb(bytes: Uint8Array, faults: LineFaults, chance: SeededChance): Uint8Array {
  if (bytes.length === 0 || chance.happens(faults.losePerMille)) return new Uint8Array(0);
  let out = bytes;
  if (chance.happens(faults.flipPerMille)) {
    out = Uint8Array.from(out);
    const at = chance.below(out.length);
    out[at] = (out[at] ?? 0) ^ (1 << chance.below(8));
  }
  if (chance.happens(faults.dropPerMille)) {
    const at = chance.below(out.length);
    out = Uint8Array.from([...out.subarray(0, at), ...out.subarray(at + 1)]);
  }
  return out;
}
