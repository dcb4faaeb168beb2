/** Points, boxes and arcs of the table. Pure; lengths in CSS pixels, y grows downwards. */

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
export const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/**
 * A piece that lies on the felt: its centre, turn in radians and size relative to the card of the
 * table.
 */
export interface Placement extends Point {
  readonly turn: number;
  readonly scale: number;
}
/** A part of a circle that sags towards the players; y grows downwards. */
export interface Arc {
  readonly centre: Point;
  readonly radius: number;
}

/** The circle through (cx, low) that has risen to `high` at `dx` to either side. */
export function sag(cx: number, low: number, dx: number, high: number): Arc {
  const rise = low - high;
  const radius = (dx * dx + rise * rise) / (2 * rise);
  return { centre: { x: cx, y: low - radius }, radius };
}

/** Height of an arc above `x`. */
export function arcY(arc: Arc, x: number): number {
  const dx = x - arc.centre.x;
  return arc.centre.y + Math.sqrt(Math.max(0, arc.radius * arc.radius - dx * dx));
}

/** The same arc, `by` nearer to its centre. */
export const within = (arc: Arc, by: number): Arc => ({ centre: arc.centre, radius: arc.radius - by });

/** The point of an arc at an angle from straight down, growing to the right. */
export const onArc = (arc: Arc, angle: number): Point => ({
  x: arc.centre.x + Math.sin(angle) * arc.radius,
  y: arc.centre.y + Math.cos(angle) * arc.radius,
});

export const boxAround = (x: number, y: number, width: number, height: number): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});
