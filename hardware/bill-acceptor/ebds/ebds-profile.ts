/**
 * The two protocols of this folder: what an owner may choose, and how the one machine then behaves.
 */
import type { Note, SerialLine } from '../../ports.ts';
import type { EbdsProfile } from './ebds-state.machine.ts';

/** Of both. */
export const EBDS_LINE: SerialLine = { baud: 9600, dataBits: 7, parity: 'even', stopBits: 1 };

export interface EbdsOptions {
  /**
   * Only notes of these currencies may be taken; default: MOP, HKD and EUR, whatever of them the
   * unit's table has.
   */
  readonly currencies?: readonly string[];
  /**
   * Whole seconds, 1..127, after which the unit gives a note in escrow back by itself; default 10.
   */
  readonly escrowTimeoutS?: number;
}

export interface PyramidOptions {
  /**
   * Note of value index 1..7, in this order; null for an index that the unit's note software does
   * not use.
   */
  readonly notes: readonly (Note | null)[];
}

/** Throws on an escrow time-out that the protocol cannot say. */
export function ebdsProfile(options: EbdsOptions): EbdsProfile {
  const escrowTimeoutS = options.escrowTimeoutS ?? 10;
  if (!Number.isInteger(escrowTimeoutS) || escrowTimeoutS < 1 || escrowTimeoutS > 127)
    throw new RangeError(`escrow time-out of ${escrowTimeoutS} s; EBDS has 1 to 127`);
  return {
    model: 'MEI/CPI EBDS',
    reporting: 'extended',
    table: [],
    currencies: options.currencies ?? null,
    escrowTimeoutS,
    replyWithinMs: 200,
    replyStepMs: 0,
    tries: 1000,
    lostAfterMs: 3000,
  };
}

/** Throws on a table of notes that has none or more than seven. */
export function pyramidProfile(options: PyramidOptions): EbdsProfile {
  if (options.notes.length < 1 || options.notes.length > 7)
    throw new RangeError(`${options.notes.length} notes; Pyramid RS-232 tells 1 to 7 apart`);
  return {
    model: 'Pyramid RS-232',
    reporting: 'fixed',
    table: options.notes.map((note, i) => ({
      index: i + 1,
      // The unit says an index and no more: the rest of the row is the option's.
      said: note === null ? `${i + 1}` : `${i + 1} ${note.currency} ${note.valueMinor}`,
      valueMinor: note?.valueMinor ?? null,
      currency: note?.currency ?? null,
    })),
    currencies: null,
    escrowTimeoutS: 0,
    replyWithinMs: 100,
    replyStepMs: 50,
    tries: 4,
    lostAfterMs: 3000,
  };
}
