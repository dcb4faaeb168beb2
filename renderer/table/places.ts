/**
 * What of the cloth can be touched: the one test of a touch, and the outline of each place for
 * whoever shows them. Pure.
 */
import { arcY, type Box, type Point } from './geometry.ts';
import type { Spot, TableLayout } from './table-layout.ts';

/** `bet` null = the main box or the cards over it. */
export interface TouchedPlace {
  readonly seat: number;
  readonly bet: string | null;
}
export interface TouchPlace extends TouchedPlace {
  /**
   * Corners of a polygon round it, CSS pixels of the cloth; half a pixel wider than the place at
   * most.
   */
  readonly outline: readonly Point[];
}

/** Along both arcs of a cell. */
const CORNERS = 48;

/** The place under a point. */
export function placeAt(table: TableLayout, x: number, y: number): TouchedPlace | null {
  for (const { seat, spots } of table.seats) {
    for (const spot of spots) {
      if (isOn(spot, x, y)) return { seat, bet: spot.bet };
    }
  }
  if (table.form.game === 'baccarat') return null;
  const hit = table.seats.find(
    ({ zone }) => x >= zone.x && x < zone.x + zone.width && y >= zone.y && y < zone.y + zone.height,
  );
  return hit === undefined ? null : { seat: hit.seat, bet: null };
}

/** Every place; spots lie on the boxes' zones. */
export function touchPlaces(table: TableLayout): TouchPlace[] {
  return table.seats.flatMap(({ seat, spots, zone }) => [
    ...(table.form.game === 'baccarat' ? [] : [{ seat, bet: null, outline: corners(zone) }]),
    ...spots.map((spot) => ({ seat, bet: spot.bet, outline: outlineOf(spot) })),
  ]);
}

export const corners = ({ x, y, width, height }: Box): Point[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

function isOn(spot: Spot, x: number, y: number): boolean {
  if (spot.cell === null) {
    const [dx, dy] = [x - spot.x, y - spot.y];
    const [cos, sin] = [Math.cos(spot.turn), Math.sin(spot.turn)];
    return Math.abs(dx * cos + dy * sin) <= spot.width / 2 && Math.abs(dy * cos - dx * sin) <= spot.radius;
  }
  const { inner, outer, from, to } = spot.cell;
  return x >= from && x < to && y >= arcY(inner, x) && y < arcY(outer, x);
}

/** Corners of a spot that is a rectangle, as it lies. */
export function fieldCorners({ x, y, width, radius, turn }: Spot): Point[] {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return corners({ x: -width / 2, y: -radius, width, height: 2 * radius }).map((at) => ({
    x: x + at.x * cos - at.y * sin,
    y: y + at.x * sin + at.y * cos,
  }));
}

function outlineOf(spot: Spot): Point[] {
  if (spot.cell === null) return fieldCorners(spot);
  const { inner, outer, from, to } = spot.cell;
  const across = Array.from({ length: CORNERS / 2 }, (_, i) => from + ((to - from) * i) / (CORNERS / 2 - 1));
  return [
    ...across.map((x) => ({ x, y: arcY(inner, x) })),
    ...across.toReversed().map((x) => ({ x, y: arcY(outer, x) + 0.5 })),
  ];
}
