/**
 * What the table's glass can carry: how many seats its cloth has room for, how many panels can be
 * touched on it, and where these lie. Pure: the host refuses by it, the page lays by it.
 */
import { bookOf } from '../engine/books.ts';
import type { RulebookId } from '../engine/table/profile.ts';

/**
 * On 43 inches a panel is 125 mm wide; a narrower one has no room for buttons of 25 mm and letters
 * of 22 px.
 */
export const MOST_PANELS = 7;

/** The cloth of Bacará has bands; the cards of any other game lie side by side, a hand a seat. */
const ON_BANDS = 12;
const ON_CIRCLES = 7;
export const mostOnCloth = (rulebook: RulebookId): number =>
  bookOf(rulebook)?.id === 'baccarat' ? ON_BANDS : ON_CIRCLES;

/** A row of panels; lengths in columns of the cloth, of which each seat has one. */
export interface PanelRow {
  readonly width: number;
  /** Middle of each panel, from the left edge of the first column. */
  readonly middles: readonly number[];
}

/**
 * Lays a panel for each of these columns (0 = the leftmost, ascending) as near to the middle of its
 * column as its neighbours let it.
 */
export function layPanels(columns: readonly number[], seatCount: number): PanelRow {
  const width = Math.max(1, seatCount / Math.max(MOST_PANELS, columns.length));
  const wanted = columns.map((column) => column + 0.5);
  const last = columns.length - 1;
  // Pushed to the right where they are too close, and to the left: between both is the middle.
  const right = [...wanted];
  for (let i = 0; i <= last; i++) right[i] = Math.max(right[i]!, (right[i - 1] ?? -width / 2) + width);
  for (let i = last; i >= 0; i--)
    right[i] = Math.min(right[i]!, (right[i + 1] ?? seatCount + width / 2) - width);
  const left = [...wanted];
  for (let i = last; i >= 0; i--)
    left[i] = Math.min(left[i]!, (left[i + 1] ?? seatCount + width / 2) - width);
  for (let i = 0; i <= last; i++) left[i] = Math.max(left[i]!, (left[i - 1] ?? -width / 2) + width);
  return { width, middles: right.map((x, i) => (x + left[i]!) / 2) };
}

/** Columns whose middle is not above their own panel: nobody would know whose it is. */
export function astray(columns: readonly number[], seatCount: number): number[] {
  const { width, middles } = layPanels(columns, seatCount);
  return columns.filter((column, i) => Math.abs(middles[i]! - column - 0.5) > width / 2 + 1e-9);
}

/** Seats that can do without a panel, evenly spread: the other ones have theirs before them. */
export function spareSeats(seatCount: number): number[] {
  const panels = Math.min(MOST_PANELS, seatCount);
  const kept = new Set(
    Array.from({ length: panels }, (_, i) => Math.floor(((i + 0.5) * seatCount) / panels)),
  );
  return Array.from({ length: seatCount }, (_, i) => i)
    .filter((column) => !kept.has(column))
    .map((column) => column + 1);
}
