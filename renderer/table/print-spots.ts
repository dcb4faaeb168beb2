/**
 * The places of the bets, painted on the cloth: boxes, side-bet circles, the jackpot's slot, the
 * cells of baccarat.
 */
import { glow, gradient, type Ink, roundRect } from './brush.ts';
import type { Arc } from './geometry.ts';
import { strokeArc } from './print.ts';
import { type EdgePoint, trace } from './rim.ts';
import type { Cell, Spot, TableLayout } from './table-layout.ts';

/** The box of every seat for its main bet. */
export function paintBoxes(ink: Ink, table: TableLayout): void {
  const { unit: u, boxRadius: r } = table;
  for (const seat of table.seats) {
    ink.fillStyle = glow(
      ink,
      [seat.x, seat.y, 0, r],
      [0, 'rgba(0, 20, 16, .10)'],
      [0.8, 'rgba(0, 20, 16, .26)'],
      [1, 'rgba(0, 20, 16, .4)'],
    );
    ink.beginPath();
    ink.arc(seat.x, seat.y, r, 0, 7);
    ink.fill();
    ink.strokeStyle = 'rgba(0, 20, 16, .6)';
    ink.lineWidth = 4 * u;
    ink.stroke();
    ink.strokeStyle = gradient(ink, [0, seat.y - r, 0, seat.y + r], [0, '#F1D79B'], [1, '#B98B40']);
    ink.lineWidth = 2.2 * u;
    ink.stroke();
    ink.globalAlpha = 0.5;
    ink.lineWidth = 0.8 * u;
    ink.beginPath();
    ink.arc(seat.x, seat.y, r - 6 * u, 0, 7);
    ink.stroke();
    ink.globalAlpha = 1;
  }
}

/** Every spot of every seat. */
export function paintSpots(ink: Ink, table: TableLayout, edge: readonly EdgePoint[]): void {
  if (table.form.game === 'baccarat') paintBands(ink, table, edge);
  for (const { spots } of table.seats) {
    for (const spot of spots) {
      if (spot.kind === 'field') paintField(ink, spot, table.unit);
      else if (spot.kind === 'slot') paintSlot(ink, spot, table.unit);
    }
  }
}

/**
 * A small field between golden lines; those of the streak (art. 13.5) are red, so that they read as
 * one row.
 */
function paintField(ink: Ink, { bet, x, y, radius, width, turn }: Spot, u: number): void {
  ink.save();
  ink.translate(x, y);
  ink.rotate(turn);
  roundRect(ink, -width / 2, -radius, width, 2 * radius, 8 * u);
  ink.fillStyle = bet.startsWith('streak') ? 'rgba(142, 24, 28, .42)' : 'rgba(0, 20, 16, .34)';
  ink.fill();
  ink.strokeStyle = 'rgba(0, 20, 16, .5)';
  ink.lineWidth = 3 * u;
  ink.stroke();
  ink.strokeStyle = gradient(
    ink,
    [0, -radius, 0, radius],
    [0, 'rgba(241, 215, 155, .9)'],
    [1, 'rgba(185, 139, 64, .8)'],
  );
  ink.lineWidth = 1.4 * u;
  ink.stroke();
  ink.restore();
}

/** A brass opening for one chip, with its dark slit. */
function paintSlot(ink: Ink, { x, y, radius, width, turn }: Spot, u: number): void {
  const height = 2 * radius;
  ink.save();
  ink.translate(x, y);
  ink.rotate(turn);
  roundRect(ink, -width / 2, -radius, width, height, 10 * u);
  ink.fillStyle = 'rgba(0, 16, 12, .55)';
  ink.fill();
  ink.strokeStyle = gradient(ink, [0, -radius, 0, radius], [0, '#F4DDA4'], [1, '#8A6631']);
  ink.lineWidth = 2 * u;
  ink.stroke();
  ink.globalAlpha = 0.5;
  ink.lineWidth = 0.8 * u;
  roundRect(ink, -width / 2 + 4 * u, -radius + 4 * u, width - 8 * u, height - 8 * u, 7 * u);
  ink.stroke();
  ink.restore();
}

const TINTS: Readonly<Record<string, string>> = {
  player: 'rgba(29, 92, 153, .30)',
  banker: 'rgba(158, 27, 30, .62)',
};

function traceCell(ink: Ink, { inner, outer, from, to }: Cell): void {
  const angle = (arc: Arc, x: number): number => Math.PI / 2 - Math.asin((x - arc.centre.x) / arc.radius);
  ink.beginPath();
  ink.arc(outer.centre.x, outer.centre.y, outer.radius, angle(outer, from), angle(outer, to), true);
  ink.arc(inner.centre.x, inner.centre.y, inner.radius, angle(inner, to), angle(inner, from));
  ink.closePath();
}

/** The bands of baccarat: tinted cells between golden arcs, with the sign of each side. */
function paintBands(ink: Ink, table: TableLayout, edge: readonly EdgePoint[]): void {
  const { unit: u, felt, seats } = table;
  ink.save();
  // the corners of the cloth round off the outermost cells
  trace(ink, edge, -11 * u);
  ink.clip();
  const x0 = felt.left + 11 * u;
  const x1 = felt.right - 11 * u;
  for (const { spots } of seats) {
    for (const { bet, cell } of spots) {
      if (cell === null) continue;
      traceCell(ink, cell);
      ink.fillStyle = TINTS[bet] ?? 'rgba(0, 20, 16, .26)';
      ink.fill();
      ink.strokeStyle = 'rgba(217, 179, 108, .62)';
      ink.lineWidth = 1.2 * u;
      ink.stroke();
    }
  }
  const first = seats[0]?.spots ?? [];
  const radii = new Set(
    first.flatMap(({ cell }) => (cell === null ? [] : [cell.inner.radius, cell.outer.radius])),
  );
  for (const radius of radii) {
    ink.strokeStyle = gradient(ink, [x0, 0, x1, 0], [0, '#B98B40'], [0.5, '#F1D79B'], [1, '#B98B40']);
    ink.lineWidth = 2 * u;
    strokeArc(ink, { centre: felt.edge.centre, radius }, x0, x1);
    ink.stroke();
  }
  ink.restore();
}
