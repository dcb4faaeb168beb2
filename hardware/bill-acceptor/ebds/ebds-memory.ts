/**
 * What an EBDS acceptor holds without power: notes, wherever they lie, and how the unit was left.
 */
import { z } from 'zod';

const note = z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), valueMinor: z.int().min(1) });

export const ebdsMemory = z.strictObject({
  /** Notes in the cash box, in the order they fell. */
  cashBox: z.array(note),
  /** Notes that came out of the front, since the unit was made. */
  givenBack: z.array(note),
  /** Notes an attendant took out of a jammed path. */
  takenOut: z.array(note),
  /**
   * The note between the front and the box: drawn in, recognised and at escrow, or past the point
   * of no return.
   */
  path: z.strictObject({ note, at: z.enum(['front', 'escrow', 'beyond']) }).nullable(),
  /** A stacked note that no turned toggle has taken note of; `null` as note = its value is lost. */
  owed: z.strictObject({ note: note.nullable() }).nullable(),
  /** What the host wanted done with a note in the path at power-up. */
  powerUp: z.enum(['A', 'B', 'C']),
  cassette: z.boolean(),
  full: z.boolean(),
  jammed: z.boolean(),
  broken: z.boolean(),
  /** The next power-up with a note past the point of no return stacks it without a value. */
  forgetsCredit: z.boolean(),
});

export type EbdsMemory = Readonly<z.infer<typeof ebdsMemory>>;

export const NEW_EBDS: EbdsMemory = {
  cashBox: [],
  givenBack: [],
  takenOut: [],
  path: null,
  owed: null,
  powerUp: 'A',
  cassette: true,
  full: false,
  jammed: false,
  broken: false,
  forgetsCredit: false,
};
