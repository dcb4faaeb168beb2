/**
 * The table itself, painted once per size: its ground, and here what is printed and set on it. Nothing of it moves; what can
 * change while people play (cards, chips, counts, signs) lies above it as sprites.
 */
import { glow, gradient, type Ink, lotus, paintPlaque, roundRect, shade } from './brush.ts';
import type { Box } from './geometry.ts';
import type { GroundSheet } from './ground.ts';
import type { TableLayout } from './layout.ts';
import { paintBand, paintBank, paintLettering, paintTerms } from './print.ts';
import { paintBoxes, paintSpots } from './print-spots.ts';

function paintTray(ink: Ink, table: TableLayout): void {
  const { tray, unit: u } = table;
  ink.save();
  shade(ink, 'rgba(0, 0, 0, .6)', 18 * u, 5 * u);
  roundRect(ink, tray.x, tray.y, tray.width, tray.height, 14 * u);
  ink.fillStyle = gradient(ink, [0, tray.y, 0, tray.y + tray.height], [0, '#3B2417'], [1, '#170D07']);
  ink.fill();
  ink.restore();
  ink.strokeStyle = gradient(ink, [0, tray.y, 0, tray.y + tray.height], [0, '#E6C582'], [1, '#7E5B2B']);
  ink.lineWidth = 1.6 * u;
  ink.stroke();
  const in1 = 12 * u;
  ink.save();
  roundRect(ink, tray.x + in1, tray.y + in1, tray.width - 2 * in1, tray.height - 2 * in1, 8 * u);
  ink.fillStyle = gradient(ink, [0, tray.y, 0, tray.y + tray.height], [0, '#04100E'], [1, '#0B2A24']);
  ink.fill();
  ink.clip();
  shade(ink, 'rgba(0, 0, 0, .9)', 14 * u, 4 * u);
  ink.strokeStyle = '#000';
  ink.lineWidth = 4 * u;
  roundRect(
    ink,
    tray.x + in1 - 2 * u,
    tray.y + in1 - 2 * u,
    tray.width - 2 * in1 + 4 * u,
    tray.height - 2 * in1 + 4 * u,
    9 * u,
  );
  ink.stroke();
  ink.restore();
  ink.fillStyle = 'rgba(217, 179, 108, .14)';
  lotus(ink, tray.x + tray.width / 2, tray.y + tray.height / 2 + 14 * u, 62 * u);
}

/** A groove in the cloth with a gold lip, and a hollow for every button of the streak. */
function paintRack(ink: Ink, { box, places }: NonNullable<TableLayout['streakRack']>, u: number): void {
  roundRect(ink, box.x, box.y, box.width, box.height, box.height / 2);
  ink.fillStyle = gradient(ink, [0, box.y, 0, box.y + box.height], [0, '#24150C'], [1, '#3B2417']);
  ink.fill();
  ink.strokeStyle = gradient(ink, [0, box.y, 0, box.y + box.height], [0, '#7E5B2B'], [1, '#E6C582']);
  ink.lineWidth = 1.3 * u;
  ink.stroke();
  ink.fillStyle = 'rgba(0, 0, 0, .5)';
  for (const { x, y } of places) {
    ink.beginPath();
    ink.arc(x, y, 12.5 * u, 0, 7);
    ink.fill();
  }
}

/** The housing of the jackpot's meter: lacquer, gold, and a dark glass with the glow of its lamps. */
function paintMeter(ink: Ink, { x, y, width, height }: Box, u: number): void {
  paintPlaque(ink, x, y, width, height, u, true);
  const glass = { x: x + 14 * u, y: y + 38 * u, width: width - 28 * u, height: height - 52 * u };
  roundRect(ink, glass.x, glass.y, glass.width, glass.height, 8 * u);
  ink.fillStyle = '#140504';
  ink.fill();
  ink.fillStyle = glow(
    ink,
    [x + width / 2, glass.y + glass.height / 2, 0, width * 0.46],
    [0, 'rgba(255, 150, 60, .34)'],
    [1, 'rgba(255, 120, 40, 0)'],
  );
  ink.fill();
  ink.strokeStyle = 'rgba(255, 214, 140, .55)';
  ink.lineWidth = 1.2 * u;
  ink.stroke();
}

/** Puts on the ground what stands on it. */
export function printTable(table: TableLayout, { canvas, ink, edge }: GroundSheet): HTMLCanvasElement {
  ink.lineCap = 'butt';
  ink.lineJoin = 'round';
  if (table.form.game === 'baccarat') paintTerms(ink, table);
  else paintBand(ink, table);
  paintLettering(ink, table);
  paintBank(ink, table);
  paintTray(ink, table);
  paintPlaque(ink, table.limits.x, table.limits.y, table.limits.width, table.limits.height, table.unit);
  if (table.meter !== null) paintMeter(ink, table.meter, table.unit);
  if (table.streakRack !== null) paintRack(ink, table.streakRack, table.unit);
  paintSpots(ink, table, edge);
  paintBoxes(ink, table);
  return canvas;
}
