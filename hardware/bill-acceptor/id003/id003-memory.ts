/** What an acceptor holds without power: notes, wherever they lie, and how the unit was left. */
import { z } from 'zod';

const note = z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), valueMinor: z.int().min(1) });

export const id003Memory = z.strictObject({
  /** Notes in the cash box, in the order they fell. */
  cashBox: z.array(note),
  /** Notes that came out of the front, since the unit was made. */
  givenBack: z.array(note),
  /** Notes an attendant took out of a jammed path. */
  takenOut: z.array(note),
  /** The note between the front and the box; `beyond` = past the point of no return. */
  path: z.strictObject({ note, beyond: z.boolean() }).nullable(),
  /** A credit signal that no ACK has answered. */
  owesCredit: z.boolean(),
  cassette: z.boolean(),
  full: z.boolean(),
  jammed: z.boolean(),
  broken: z.boolean(),
  /** The next power-up with a note in the stacker says nothing of it. */
  forgetsCredit: z.boolean(),
  /** The next power-up with a note in the acceptor cannot give it back and stacks it. */
  swallows: z.boolean().default(false),
});

export type Id003Memory = Readonly<z.infer<typeof id003Memory>>;

export const NEW_ID003: Id003Memory = {
  cashBox: [],
  givenBack: [],
  takenOut: [],
  path: null,
  owesCredit: false,
  cassette: true,
  full: false,
  jammed: false,
  broken: false,
  forgetsCredit: false,
  swallows: false,
};
