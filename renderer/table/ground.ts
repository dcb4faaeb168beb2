/**
 * Wood, calçada and cloth under everything: a stored picture where there is one of this size, else
 * painted.
 */
import { sheet } from './brush.ts';
import { type BareTable, paintBare } from './felt.ts';
import { clothEdge } from './rim.ts';
import type { TableLayout } from './table-layout.ts';

/**
 * The ground at `resolution` device pixels per CSS pixel, ready to be printed on. `stored`: the
 * decoded picture of `groundUrl`.
 */
export function layGround(
  table: TableLayout,
  resolution: number,
  stored: HTMLImageElement | null,
): BareTable {
  if (stored === null) return paintBare(table, resolution);
  const { canvas, ink } = sheet(table.width, table.height, resolution);
  ink.drawImage(stored, 0, 0);
  return { canvas, ink, edge: clothEdge(table), resolution };
}
