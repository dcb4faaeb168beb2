/**
 * Wood, calçada and cloth under everything: a stored picture on the displays that most tables have, where painting them would
 * be half a second of a start without a GPU, else painted. `node test/pictures/ground.ts` makes the pictures.
 */

import { sheet } from './brush.ts';
import { type BareTable, paintBare } from './felt.ts';
import type { TableLayout } from './layout.ts';
import { clothEdge } from './rim.ts';

/** Whole addresses: the bundler finds a picture by the text of its path. */
const STORED: Readonly<Record<string, URL>> = {
  '1366x768': new URL('../../assets/generated/ground-1366x768.webp', import.meta.url),
  '1920x1080': new URL('../../assets/generated/ground-1920x1080.webp', import.meta.url),
  '3840x2160': new URL('../../assets/generated/ground-3840x2160.webp', import.meta.url),
};

/** Where the ground of this table is stored; null where it is painted. A stored one has a device pixel per CSS pixel. */
export const groundUrl = ({ width, height }: TableLayout, resolution: number): string | null =>
  resolution === 1 ? (STORED[`${width}x${height}`]?.href ?? null) : null;

/** The ground at `resolution` device pixels per CSS pixel, ready to be printed on. `stored`: the picture of `groundUrl`. */
export function layGround(table: TableLayout, resolution: number, stored: ImageBitmap | null): BareTable {
  if (stored === null) return paintBare(table, resolution);
  const { canvas, ink } = sheet(table.width, table.height, resolution);
  ink.drawImage(stored, 0, 0);
  return { canvas, ink, edge: clothEdge(table) };
}
