/**
 * The table itself, painted once per size: wood, calçada, cloth and print. Nothing here moves; what can change while
 * people play (cards, chips, counts, signs) lies above it as sprites.
 */
import { feltText } from '../i18n.ts';
import {
  COLOUR,
  font,
  glow,
  goldText,
  gradient,
  type Ink,
  lotus,
  noise,
  paintPlaque,
  roundRect,
  shade,
  sheet,
} from './brush.ts';
import { type Arc, arcY, type TableLayout } from './layout.ts';
import { clothEdge, type EdgePoint, paintCalcada, paintWood, trace } from './rim.ts';

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
    [0, '#1C7D67'],
    [0.28, '#146A58'],
    [0.62, '#0B453B'],
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
    [0, 'rgba(255, 240, 200, .17)'],
    [0.5, 'rgba(255, 236, 190, .06)'],
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

/** Draws each letter upright to the arc; returns the angle the text takes. Kerning does not matter at this spacing. */
function arcText(
  ink: Ink,
  text: string,
  arc: Arc,
  x: number,
  size: number,
  spacing: number,
  alpha: number,
): number {
  const letters = [...text];
  const widths = letters.map((letter) => ink.measureText(letter).width + spacing);
  const total = widths.reduce((sum, w) => sum + w, 0) - spacing;
  // circle below its centre: angle 0 points straight down
  let angle = Math.asin((x - arc.centre.x) / arc.radius) - total / 2 / arc.radius;
  for (const [i, letter] of letters.entries()) {
    const w = widths[i]! - spacing;
    const mid = angle + w / 2 / arc.radius;
    ink.save();
    ink.translate(arc.centre.x + Math.sin(mid) * arc.radius, arc.centre.y + Math.cos(mid) * arc.radius);
    ink.rotate(-mid);
    goldText(ink, letter, -w / 2, 0, size, alpha);
    ink.restore();
    angle += widths[i]! / arc.radius;
  }
  return total / arc.radius;
}

const widthOf = (ink: Ink, text: string, spacing: number): number =>
  [...text].reduce((sum, letter) => sum + ink.measureText(letter).width + spacing, 0) - spacing;

function strokeArc(ink: Ink, arc: Arc, x0: number, x1: number): void {
  const angle = (x: number): number => Math.PI / 2 - Math.asin((x - arc.centre.x) / arc.radius);
  ink.beginPath();
  ink.arc(arc.centre.x, arc.centre.y, arc.radius, angle(x1), angle(x0));
}

function paintLettering(ink: Ink, table: TableLayout): void {
  const { unit: u, lettering } = table;
  const zh = feltText('zh-Hant')('blackjack');
  const pt = feltText('pt')('blackjack');
  const size = 42 * u;
  const spacing = 5.5 * u;
  ink.textBaseline = 'middle';
  ink.textAlign = 'left';
  ink.font = font(700, size);
  const cx = table.width / 2;
  const wz = widthOf(ink, zh, spacing);
  const wp = widthOf(ink, pt, spacing);
  const gap = 74 * u;
  const left = cx - (wz + gap + wp) / 2;
  arcText(ink, zh, lettering, left + wz / 2, size, spacing, 0.96);
  arcText(ink, pt, lettering, left + wz + gap + wp / 2, size, spacing, 0.96);
  const flower = left + wz + gap / 2;
  ink.fillStyle = gradient(ink, [0, -60, 0, 10], [0, '#FBE9BE'], [1, '#B98737']);
  lotus(ink, flower, arcY(lettering, flower) + 9 * u, 46 * u);
  // a line that thins out on either side, ending in a small lotus
  for (const side of [-1, 1]) {
    const from = cx + side * ((wz + gap + wp) / 2 + 26 * u);
    const to = from + side * 150 * u;
    const x0 = Math.min(from, to);
    const x1 = Math.max(from, to);
    ink.strokeStyle = gradient(
      ink,
      [from, 0, to, 0],
      [0, 'rgba(217, 179, 108, .9)'],
      [1, 'rgba(217, 179, 108, 0)'],
    );
    ink.lineWidth = 1.4 * u;
    strokeArc(ink, lettering, x0, x1);
    ink.stroke();
    strokeArc(ink, { centre: lettering.centre, radius: lettering.radius + 6 * u }, x0, x1);
    ink.lineWidth = 0.7 * u;
    ink.stroke();
  }
}

function paintBand(ink: Ink, table: TableLayout): void {
  const { unit: u, band, felt } = table;
  const x0 = felt.left + 11 * u;
  const x1 = felt.right - 11 * u;
  ink.save();
  ink.beginPath();
  const angle = (arc: Arc, x: number): number => Math.PI / 2 - Math.asin((x - arc.centre.x) / arc.radius);
  ink.arc(
    band.outer.centre.x,
    band.outer.centre.y,
    band.outer.radius,
    angle(band.outer, x0),
    angle(band.outer, x1),
    true,
  );
  ink.arc(
    band.inner.centre.x,
    band.inner.centre.y,
    band.inner.radius,
    angle(band.inner, x1),
    angle(band.inner, x0),
  );
  ink.closePath();
  ink.fillStyle = 'rgba(0, 18, 15, .2)';
  ink.fill();
  ink.restore();
  for (const [arc, width, alpha] of [
    [band.inner, 1.5, 0.75],
    [band.outer, 1.5, 0.75],
    [{ centre: band.inner.centre, radius: band.inner.radius - 5 * u }, 0.7, 0.45],
    [{ centre: band.outer.centre, radius: band.outer.radius + 5 * u }, 0.7, 0.45],
  ] as const) {
    ink.globalAlpha = alpha;
    ink.strokeStyle = COLOUR.gold;
    ink.lineWidth = width * u;
    strokeArc(ink, arc, x0, x1);
    ink.stroke();
  }
  ink.globalAlpha = 1;

  const texts = [feltText('zh-Hant')('insurance'), feltText('pt')('insurance')];
  ink.textBaseline = 'middle';
  ink.textAlign = 'left';
  for (let i = 0; i + 1 < table.seats.length; i++) {
    const a = table.seats[i]!.insurance;
    const b = table.seats[i + 1]!.insurance;
    const room = Math.abs(b.x - a.x) - 2 * band.half - 10 * u;
    const text = texts[i % 2]!;
    let size = (i % 2 === 0 ? 21 : 18) * u;
    let spacing = (i % 2 === 0 ? 5 : 2) * u;
    ink.font = font(600, size);
    const wide = widthOf(ink, text, spacing);
    if (wide > room) {
      size *= room / wide;
      spacing *= room / wide;
      ink.font = font(600, size);
    }
    arcText(ink, text, band.middle, (a.x + b.x) / 2, size, spacing, 0.82);
  }
  ink.textAlign = 'center';
  for (const { insurance } of table.seats) {
    ink.beginPath();
    ink.arc(insurance.x, insurance.y, 20 * u, 0, 7);
    ink.fillStyle = 'rgba(0, 18, 15, .35)';
    ink.fill();
    ink.strokeStyle = COLOUR.gold;
    ink.globalAlpha = 0.8;
    ink.lineWidth = 1.3 * u;
    ink.stroke();
    ink.globalAlpha = 1;
    ink.fillStyle = 'rgba(217, 179, 108, .55)';
    lotus(ink, insurance.x, insurance.y + 7 * u, 24 * u);
  }
}

function paintBoxes(ink: Ink, table: TableLayout): void {
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

function paintBank(ink: Ink, table: TableLayout): void {
  const { unit: u, bank, card } = table;
  ink.strokeStyle = COLOUR.gold;
  for (const side of [-1, 1]) {
    const x = bank.centre.x + side * (card.width / 2 + 3 * u);
    roundRect(
      ink,
      x - card.width / 2 - 2 * u,
      bank.centre.y - card.height / 2 - 2 * u,
      card.width + 4 * u,
      card.height + 4 * u,
      9 * u,
    );
    ink.fillStyle = 'rgba(0, 20, 16, .16)';
    ink.fill();
    ink.globalAlpha = 0.55;
    ink.lineWidth = 1.2 * u;
    ink.stroke();
    ink.globalAlpha = 1;
    ink.fillStyle = 'rgba(217, 179, 108, .16)';
    lotus(ink, x, bank.centre.y + 16 * u, 58 * u);
  }
  ink.textAlign = 'center';
  ink.textBaseline = 'middle';
  ink.font = font(500, 18 * u);
  ink.letterSpacing = `${3 * u}px`;
  goldText(
    ink,
    `${feltText('zh-Hant')('bank')} · ${feltText('pt')('bank')}`,
    bank.label.x,
    bank.label.y,
    18 * u,
    0.95,
  );
  ink.letterSpacing = '0px';
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

/** Paints the whole table at `resolution` device pixels per CSS pixel. */
export function paintTable(table: TableLayout, resolution: number): HTMLCanvasElement {
  const { canvas, ink } = sheet(table.width, table.height, resolution);
  const edge = clothEdge(table);
  paintWood(ink, table);
  paintCalcada(ink, table, edge);
  paintCloth(ink, table, edge, resolution);
  ink.lineCap = 'butt';
  paintBand(ink, table);
  paintLettering(ink, table);
  paintBank(ink, table);
  paintTray(ink, table);
  paintPlaque(ink, table.limits.x, table.limits.y, table.limits.width, table.limits.height, table.unit);
  paintBoxes(ink, table);
  return canvas;
}
