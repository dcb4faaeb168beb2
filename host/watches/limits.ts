import { z } from 'zod';

/**
 * From where on something is a fault: the section `limits` of the terminal file, each with what it
 * is without it.
 */
export const limitsSchema = z.strictObject({
  /**
   * Notes in a cash box from which it is nearly full: nine tenths of a box of 600, the size of the
   * usual cassettes.
   */
  nearFullNotes: z.int().min(1).max(100_000).default(540),
  /**
   * So many refused notes within so long: somebody tries, or the unit is dirty (NZ 2004, 5.3.6 a).
   */
  mostRejects: z.int().min(2).max(1_000).default(10),
  rejectsWithinMs: z.int().min(10_000).max(3_600_000).default(300_000),
  /** A card has been due for so long and none has come: the shoe does not feed, or nobody draws. */
  noFeedMs: z.int().min(10_000).max(3_600_000).default(90_000),
  /**
   * The page of a display is gone for so long; the supervisor renews a window within a few seconds.
   */
  displayLostMs: z.int().min(1_000).max(600_000).default(10_000),
  /** The centre has not answered for so long (SAS 6.02, 4.3: no poll for 5 s). */
  linkLostMs: z.int().min(1_000).max(600_000).default(5_000),
  /** The wall clock has moved by so much more or less than the time that has passed. */
  clockJumpMs: z.int().min(500).max(600_000).default(2_000),
  /** A service session that nobody has touched for so long ends by itself. */
  serviceIdleMs: z.int().min(60_000).max(3_600_000).default(300_000),
});

export type Limits = Readonly<z.infer<typeof limitsSchema>>;

export const LIMITS: Limits = limitsSchema.parse({});
