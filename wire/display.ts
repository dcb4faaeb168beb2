/** Who a display is, and what it says of itself. */
import { z } from 'zod';

/**
 * `table` is the kiosk: felt, all seat panels, dealer's edge. `spectator` is the sign above the
 * table, which only shows. `operator` exists only with simulated devices.
 */
export type DisplayRole = 'table' | `seat:${number}` | 'dealer' | 'spectator' | 'service' | 'operator';

/**
 * What the big table has handed over to displays of their own that are there now: the dealer's
 * edge, and the panels of seats. A display that is lost gives it back.
 */
export interface HandedOver {
  readonly dealer: boolean;
  readonly seats: readonly number[];
  /** Seats whose display is lost: their panels are guests on the table. Absent: none is. */
  readonly lost?: readonly number[];
}
export const NOTHING_HANDED_OVER: HandedOver = { dealer: false, seats: [] };

const coordinate = z.int().min(-20_000).max(20_000);
const pixels = z.int().min(0).max(20_000);

export const measures = {
  /** Of the table: webgl, canvas; `dom` where none is drawn. */
  renderer: z.string().max(40),
  /** CSS pixels, and how many of the device one of them is. */
  width: pixels,
  height: pixels,
  pixelRatio: z.number().min(0).max(16),
  /** Over one second, and the longest time between two of its frames. */
  framesPerSecond: z.number().min(0).max(1_000),
  longestFrameMs: z.number().min(0),
  /** Fingers the screen tells apart at once; 0 = it says it has no touch. */
  touchPoints: z.int().min(0).max(1_000),
  /**
   * Boxes round every place that a touch is heard on now: left, top, width, height in CSS pixels.
   */
  regions: z.array(z.tuple([coordinate, coordinate, pixels, pixels])).max(400),
};
export type Measures = z.infer<z.ZodObject<typeof measures>>;
