/** The sources of the cards from above: the shoe, and the machine that mixes them. */
import type { Painting } from './art-chips.ts';
import { glow, gradient, type Ink, lotus, roundRect, shade } from './brush.ts';
import type { TableLayout } from './table-layout.ts';

/**
 * The shoe from above, its mouth to the left: a lacquer box with a gold line, a brass roller, the
 * lip over the next card. What lies inside it (next card, edges of the pack) is drawn below and
 * shows through the openings.
 */
export function shoePicture(table: TableLayout): Painting {
  const { shoe, unit: u } = table;
  const pad = 20 * u;
  const paint = (ink: Ink): void => {
    const x = pad;
    const y = pad;
    const { width: w, height: h } = shoe;
    const body = (): void => {
      ink.beginPath();
      ink.moveTo(x + 46 * u, y + 16 * u);
      ink.quadraticCurveTo(x + 64 * u, y, x + 92 * u, y);
      ink.lineTo(x + w - 16 * u, y);
      ink.quadraticCurveTo(x + w, y, x + w, y + 16 * u);
      ink.lineTo(x + w, y + h - 16 * u);
      ink.quadraticCurveTo(x + w, y + h, x + w - 16 * u, y + h);
      ink.lineTo(x + 92 * u, y + h);
      ink.quadraticCurveTo(x + 64 * u, y + h, x + 46 * u, y + h - 16 * u);
      ink.closePath();
    };
    ink.save();
    shade(ink, 'rgba(0, 0, 0, .7)', 18 * u, 6 * u);
    body();
    ink.fillStyle = gradient(
      ink,
      [0, y, 0, y + h],
      [0, '#4A2B1B'],
      [0.12, '#2A1810'],
      [0.85, '#1A0E08'],
      [1, '#0E0704'],
    );
    ink.fill();
    ink.restore();
    body();
    ink.strokeStyle = gradient(ink, [0, y, 0, y + h], [0, '#F1D79B'], [1, '#8A6631']);
    ink.lineWidth = 1.8 * u;
    ink.stroke();
    // the trough with the pack
    const trough = shoeTrough(table);
    const tx = x + trough.x - shoe.x;
    const ty = y + trough.y - shoe.y;
    roundRect(ink, tx - 4 * u, ty - 4 * u, trough.width + 8 * u, trough.height + 8 * u, 6 * u);
    ink.fillStyle = '#060403';
    ink.fill();
    ink.strokeStyle = 'rgba(217, 179, 108, .55)';
    ink.lineWidth = 1 * u;
    ink.stroke();
    // brass lip with the notch for the thumb
    const lx = x + 62 * u;
    roundRect(ink, lx, y + 12 * u, 26 * u, h - 24 * u, 8 * u);
    ink.fillStyle = gradient(
      ink,
      [lx, 0, lx + 26 * u, 0],
      [0, '#8C6A33'],
      [0.35, '#F4DDA4'],
      [0.6, '#C49A52'],
      [1, '#6B4D20'],
    );
    ink.fill();
    ink.strokeStyle = 'rgba(40, 22, 4, .8)';
    ink.lineWidth = 1 * u;
    ink.stroke();
    ink.fillStyle = 'rgba(60, 36, 10, .85)';
    lotus(ink, lx + 13 * u, y + h / 2 + 6 * u, 22 * u);
  };
  return { width: shoe.width + 2 * pad, height: shoe.height + 2 * pad, paint };
}

/**
 * The shuffler from above, its mouth to the left like the shoe's: a closed lacquer box with a round
 * window over the wheel that mixes the cards. Nothing of the cards in it shows.
 */
export function shufflerPicture(table: TableLayout): Painting {
  const { shoe, unit: u } = table;
  const pad = 20 * u;
  const paint = (ink: Ink): void => {
    const x = pad + 44 * u;
    const y = pad;
    const w = shoe.width - 44 * u;
    const h = shoe.height;
    ink.save();
    shade(ink, 'rgba(0, 0, 0, .7)', 18 * u, 6 * u);
    roundRect(ink, x, y, w, h, 20 * u);
    ink.fillStyle = gradient(ink, [0, y, 0, y + h], [0, '#3A3431'], [0.14, '#201B19'], [1, '#0D0B0A']);
    ink.fill();
    ink.restore();
    ink.strokeStyle = gradient(ink, [0, y, 0, y + h], [0, '#F1D79B'], [1, '#8A6631']);
    ink.lineWidth = 1.8 * u;
    ink.stroke();
    ink.globalAlpha = 0.4;
    ink.lineWidth = 0.8 * u;
    roundRect(ink, x + 6 * u, y + 6 * u, w - 12 * u, h - 12 * u, 15 * u);
    ink.stroke();
    ink.globalAlpha = 1;
    // the lip over the next card
    roundRect(ink, x + 8 * u, y + 14 * u, 22 * u, h - 28 * u, 8 * u);
    ink.fillStyle = gradient(ink, [x, 0, x + 30 * u, 0], [0, '#8C6A33'], [0.4, '#F4DDA4'], [1, '#6B4D20']);
    ink.fill();
    // the window
    const cx = x + w / 2 + 16 * u;
    const cy = y + h / 2;
    const r = Math.min(46 * u, h * 0.35);
    ink.fillStyle = glow(ink, [cx, cy, 0, r], [0, '#1C4E46'], [0.75, '#0A211D'], [1, '#040D0B']);
    ink.beginPath();
    ink.arc(cx, cy, r, 0, 7);
    ink.fill();
    ink.lineWidth = 2.4 * u;
    ink.strokeStyle = gradient(ink, [0, cy - r, 0, cy + r], [0, '#FBE9BE'], [1, '#8A6631']);
    ink.stroke();
    // edges of cards in the compartments of the wheel
    for (let k = 0; k < 18; k++) {
      const a = (k * Math.PI) / 9;
      ink.strokeStyle = k % 3 === 0 ? 'rgba(246, 240, 224, .9)' : 'rgba(246, 240, 224, .45)';
      ink.lineWidth = 2 * u;
      ink.beginPath();
      ink.moveTo(cx + Math.cos(a) * r * 0.42, cy + Math.sin(a) * r * 0.42);
      ink.lineTo(cx + Math.cos(a) * r * 0.86, cy + Math.sin(a) * r * 0.86);
      ink.stroke();
    }
    ink.fillStyle = '#D9B36C';
    lotus(ink, cx, cy + 7 * u, 30 * u);
    // its light: ready
    ink.fillStyle = '#3FBF8F';
    ink.beginPath();
    ink.arc(x + w - 18 * u, y + 18 * u, 5 * u, 0, 7);
    ink.fill();
  };
  return { width: shoe.width + 2 * pad, height: shoe.height + 2 * pad, paint };
}

/** The opening of the shoe in which the pack stands, in CSS pixels of the table. */
export function shoeTrough({ shoe, unit: u }: TableLayout): {
  x: number;
  y: number;
  width: number;
  height: number;
} {
  return {
    x: shoe.x + 110 * u,
    y: shoe.y + 20 * u,
    width: shoe.width - 128 * u,
    height: shoe.height - 40 * u,
  };
}
