/**
 * The table itself, painted once per size: wood, calçada, cloth and print. Nothing here moves; what
 * can change while people play (cards, chips, counts, signs) lies above it as sprites.
 */
import { CHIP_EDGE, CHIP_RADIUS, chipPicture } from './art-chips.ts';
import { glow, gradient, type Ink, lotus, noise, paintPlaque, roundRect, shade, sheet } from './brush.ts';
import type { Box } from './geometry.ts';
import { paintBand, paintBank, paintFlourish } from './print.ts';
import { paintBoxes, paintSpots } from './print-spots.ts';
import { clothEdge, type EdgePoint, paintCalcada, paintWood, trace } from './rim.ts';
import type { TableLayout } from './table-layout.ts';

/** Threads and a damask of lotus scrolls, tone on tone, repeated over the cloth. */
function weave(resolution: number): HTMLCanvasElement {
  const size = 160;
  const { canvas, ink } = sheet(size, size, 1);
  const image = ink.createImageData(size, size);
  const rnd = noise(8);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const thread = ((x + y) % 4 < 2 ? 1 : -1) * 3 + ((x - y + size) % 5 === 0 ? -5 : 0);
      const value = thread + (rnd() - 0.5) * 26;
      const at = (y * size + x) * 4;
      const lit = value > 0;
      image.data[at] = lit ? 190 : 0;
      image.data[at + 1] = lit ? 255 : 18;
      image.data[at + 2] = lit ? 225 : 14;
      image.data[at + 3] = Math.abs(value) * (lit ? 0.9 : 1.7) * (resolution > 1.5 ? 1.2 : 1);
    }
  }
  ink.putImageData(image, 0, 0);
  return canvas;
}

function damask(u: number, resolution: number): HTMLCanvasElement {
  const w = 132 * u;
  const h = 132 * u;
  const { canvas, ink } = sheet(w, h, resolution);
  ink.strokeStyle = 'rgba(214, 255, 238, .9)';
  ink.fillStyle = 'rgba(214, 255, 238, .9)';
  ink.lineWidth = 1.3 * u;
  const scroll = (x: number, y: number): void => {
    // ruyi cloud: two curls that meet under a point
    for (const side of [-1, 1]) {
      ink.beginPath();
      ink.moveTo(x, y - 17 * u);
      ink.bezierCurveTo(
        x + side * 22 * u,
        y - 22 * u,
        x + side * 27 * u,
        y + 6 * u,
        x + side * 11 * u,
        y + 6 * u,
      );
      ink.bezierCurveTo(
        x + side * 2 * u,
        y + 6 * u,
        x + side * 3 * u,
        y - 7 * u,
        x + side * 12 * u,
        y - 5 * u,
      );
      ink.stroke();
      ink.beginPath();
      ink.moveTo(x + side * 11 * u, y + 6 * u);
      ink.bezierCurveTo(x + side * 6 * u, y + 12 * u, x + side * 3 * u, y + 14 * u, x, y + 24 * u);
      ink.stroke();
    }
    ink.beginPath();
    ink.arc(x, y - 1 * u, 2.2 * u, 0, 7);
    ink.fill();
  };
  for (const [x, y] of [
    [w / 4, h / 4],
    [(3 * w) / 4, (3 * h) / 4],
  ] as const) {
    scroll(x, y);
  }
  for (const [x, y] of [
    [(3 * w) / 4, h / 4],
    [w / 4, (3 * h) / 4],
  ] as const) {
    for (let k = 0; k < 8; k++) {
      ink.save();
      ink.translate(x, y);
      ink.rotate((k * Math.PI) / 4);
      ink.beginPath();
      ink.moveTo(0, -3 * u);
      ink.bezierCurveTo(-6 * u, -9 * u, -5 * u, -15 * u, 0, -20 * u);
      ink.bezierCurveTo(5 * u, -15 * u, 6 * u, -9 * u, 0, -3 * u);
      ink.stroke();
      ink.restore();
    }
  }
  return canvas;
}

function paintCloth(ink: Ink, table: TableLayout, edge: readonly EdgePoint[], resolution: number): void {
  const { width, height, unit: u } = table;
  const cx = width / 2;
  ink.save();
  trace(ink, edge, 0);
  ink.clip();
  ink.fillStyle = glow(
    ink,
    [cx, height * 0.2, 0, width * 0.6],
    [0, '#136253'],
    [0.28, '#10584A'],
    [0.62, '#0A4037'],
    [1, '#052A26'],
  );
  ink.fillRect(0, 0, width, height);

  const ornament = ink.createPattern(damask(u, resolution), 'repeat');
  if (ornament !== null) {
    // patterns ignore the scale the ornament was painted with
    ornament.setTransform(new DOMMatrix().translate(cx, 0).scale(1 / resolution));
    ink.globalAlpha = 0.042;
    ink.fillStyle = ornament;
    ink.fillRect(0, 0, width, height);
    ink.globalAlpha = 1;
  }
  const threads = ink.createPattern(weave(resolution), 'repeat');
  if (threads !== null) {
    threads.setTransform(new DOMMatrix().scale(Math.max(1, Math.round(resolution * u)) / resolution));
    ink.globalAlpha = 0.85;
    ink.fillStyle = threads;
    ink.fillRect(0, 0, width, height);
    ink.globalAlpha = 1;
  }
  // the lamp above the bank, and the dark towards the rail
  ink.fillStyle = glow(
    ink,
    [cx, height * 0.13, 0, width * 0.33],
    [0, 'rgba(255, 240, 200, .07)'],
    [0.5, 'rgba(255, 236, 190, .03)'],
    [1, 'rgba(255, 236, 190, 0)'],
  );
  ink.fillRect(0, 0, width, height);
  ink.fillStyle = glow(
    ink,
    [cx, height * 0.3, width * 0.34, width * 0.64],
    [0, 'rgba(0, 10, 8, 0)'],
    [1, 'rgba(0, 10, 8, .42)'],
  );
  ink.fillRect(0, 0, width, height);
  shade(ink, 'rgba(0, 0, 0, .8)', 42 * u, 6 * u);
  ink.lineWidth = 10 * u;
  ink.strokeStyle = 'rgba(0, 0, 0, .6)';
  trace(ink, edge, 6 * u);
  ink.stroke();
  ink.restore();

  const gold = gradient(ink, [0, 0, 0, table.panelTop], [0, '#F4DDA4'], [0.5, '#D9B36C'], [1, '#A87B37']);
  ink.lineJoin = 'round';
  trace(ink, edge, 0);
  ink.strokeStyle = 'rgba(0, 0, 0, .6)';
  ink.lineWidth = 5 * u;
  ink.stroke();
  ink.strokeStyle = gold;
  ink.lineWidth = 2.6 * u;
  ink.stroke();
  trace(ink, edge, -11 * u);
  ink.globalAlpha = 0.5;
  ink.lineWidth = 1 * u;
  ink.stroke();
  ink.globalAlpha = 1;
}

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

/** Of a column of the float, in units of the board; how many chips it has, from the left. */
const FLOAT_STEP = 33;
const FLOAT_CHIPS = [9, 11, 8, 10, 7, 6];

/** The bank's chips: a wooden rack with a column of each value, the smallest at the left. */
function paintFloat(
  ink: Ink,
  { float: { x, y, width, height }, unit: u }: TableLayout,
  resolution: number,
): void {
  ink.save();
  shade(ink, 'rgba(0, 0, 0, .6)', 14 * u, 4 * u);
  roundRect(ink, x, y, width, height, 12 * u);
  ink.fillStyle = gradient(ink, [0, y, 0, y + height], [0, '#3B2417'], [1, '#170D07']);
  ink.fill();
  ink.restore();
  ink.strokeStyle = gradient(ink, [0, y, 0, y + height], [0, '#E6C582'], [1, '#7E5B2B']);
  ink.lineWidth = 1.6 * u;
  ink.stroke();
  const inside = width - 14 * u;
  const columns = Math.min(FLOAT_CHIPS.length, Math.floor(inside / (24 * u)));
  const step = Math.min(FLOAT_STEP * u, inside / columns);
  const radius = Math.min(step * 0.44, height * 0.28);
  const scale = radius / (CHIP_RADIUS * u);
  const edge = CHIP_EDGE * u * scale;
  const room = height - 14 * u - 2 * radius;
  for (let column = 0; column < columns; column++) {
    const kind = columns - 1 - column + (FLOAT_CHIPS.length - columns);
    const chip = chipPicture(kind, u);
    const { canvas, ink: face } = sheet(chip.width, chip.height, resolution);
    chip.paint(face);
    const middle = x + width / 2 + (column - (columns - 1) / 2) * step;
    roundRect(ink, middle - step * 0.47, y + 6 * u, step * 0.94, height - 12 * u, 8 * u);
    ink.fillStyle = 'rgba(0, 0, 0, .5)';
    ink.fill();
    const count = Math.min(FLOAT_CHIPS[column]!, Math.floor(room / edge));
    for (let i = 0; i < count; i++) {
      const low = y + height - 8 * u - radius - i * edge;
      ink.drawImage(
        canvas,
        middle - (chip.width * scale) / 2,
        low - (chip.height * scale) / 2,
        chip.width * scale,
        chip.height * scale,
      );
    }
  }
}

/**
 * The housing of the jackpot's meter: lacquer, gold, and a dark glass with the glow of its lamps.
 */
function paintMeter(ink: Ink, { x, y, width, height }: Box, u: number): void {
  paintPlaque(ink, x, y, width, height, u, true);
  const glass = { x: x + 14 * u, y: y + 36 * u, width: width - 28 * u, height: height - 46 * u };
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

/** A table without its print. */
export interface BareTable {
  readonly canvas: HTMLCanvasElement;
  readonly ink: Ink;
  readonly edge: readonly EdgePoint[];
  readonly resolution: number;
}

/**
 * Paints wood, calçada and cloth at `resolution` device pixels per CSS pixel: what needs no
 * letters.
 */
export function paintBare(table: TableLayout, resolution: number): BareTable {
  const { canvas, ink } = sheet(table.width, table.height, resolution);
  const edge = clothEdge(table);
  paintWood(ink, table);
  paintCalcada(ink, table, edge);
  paintCloth(ink, table, edge, resolution);
  return { canvas, ink, edge, resolution };
}

/** Prints on the bare table what stands on it. */
export function printTable(
  table: TableLayout,
  { canvas, ink, edge, resolution }: BareTable,
): HTMLCanvasElement {
  ink.lineCap = 'butt';
  if (table.form.game !== 'baccarat') paintBand(ink, table);
  paintFlourish(ink, table);
  paintBank(ink, table);
  paintTray(ink, table);
  paintFloat(ink, table, resolution);
  paintPlaque(ink, table.limits.x, table.limits.y, table.limits.width, table.limits.height, table.unit);
  if (table.meter !== null) paintMeter(ink, table.meter, table.unit);
  if (table.streakRack !== null) paintRack(ink, table.streakRack, table.unit);
  paintSpots(ink, table, edge);
  paintBoxes(ink, table);
  return canvas;
}
