/** How a chip is painted, and the button of the winning streak. Lengths in units of the board. */
import { font, glow, gradient, type Ink, lotus } from './brush.ts';
import { CHIPS } from './chips.ts';

export const CHIP_RADIUS = 28;
export const CHIP_EDGE = 4.6;

/** What a texture is made from, in CSS pixels. */
export interface Painting {
  readonly width: number;
  readonly height: number;
  readonly paint: (ink: Ink) => void;
}

/** One chip seen from just in front of it: face, and below it the edge with its marks. */
export function chipPicture(kind: number, u: number): Painting {
  const chip = CHIPS[kind]!;
  const r = CHIP_RADIUS * u;
  const edge = CHIP_EDGE * u;
  const pad = 2 * u;
  const paint = (ink: Ink): void => {
    const cx = r + pad;
    const cy = r + pad;
    // edge
    ink.fillStyle = chip.dark;
    ink.beginPath();
    ink.arc(cx, cy + edge, r, 0, Math.PI);
    ink.arc(cx, cy, r, Math.PI, 0, true);
    ink.fill();
    ink.beginPath();
    ink.arc(cx, cy + edge, r, 0, 7);
    ink.fill();
    ink.save();
    ink.beginPath();
    ink.arc(cx, cy + edge, r, 0, 7);
    ink.clip();
    ink.fillStyle = chip.edge;
    for (const at of [-0.62, -0.1, 0.42]) {
      const x = cx + Math.sin(at) * r;
      ink.globalAlpha = 0.82;
      ink.fillRect(x - 3 * u, cy, 7 * u, r + edge + 4 * u);
    }
    ink.restore();
    // face
    ink.fillStyle = chip.body;
    ink.beginPath();
    ink.arc(cx, cy, r, 0, 7);
    ink.fill();
    ink.fillStyle = chip.edge;
    for (let k = 0; k < 8; k++) {
      const a = (k * Math.PI) / 4 + Math.PI / 8;
      ink.beginPath();
      ink.arc(cx, cy, r, a - 0.17, a + 0.17);
      ink.arc(cx, cy, r * 0.76, a + 0.2, a - 0.2, true);
      ink.closePath();
      ink.fill();
    }
    ink.lineWidth = 0.9 * u;
    ink.strokeStyle = 'rgba(0, 0, 0, .55)';
    ink.beginPath();
    ink.arc(cx, cy, r - 0.4 * u, 0, 7);
    ink.stroke();
    // inlay
    ink.fillStyle = chip.body;
    ink.beginPath();
    ink.arc(cx, cy, r * 0.7, 0, 7);
    ink.fill();
    ink.fillStyle = glow(
      ink,
      [cx - r * 0.25, cy - r * 0.35, 0, r * 0.9],
      [0, 'rgba(255, 255, 255, .22)'],
      [1, 'rgba(0, 0, 0, .16)'],
    );
    ink.fill();
    ink.strokeStyle = chip.edge;
    ink.lineWidth = 1 * u;
    ink.globalAlpha = 0.85;
    ink.stroke();
    ink.globalAlpha = 1;
    ink.fillStyle = chip.ink;
    if (chip.value === 0) {
      ink.fillStyle = chip.edge;
      lotus(ink, cx, cy + 6 * u, 24 * u);
    } else {
      const size = (chip.face.length > 2 ? 18 : 21) * u;
      ink.font = font(800, size);
      ink.textAlign = 'center';
      ink.textBaseline = 'middle';
      ink.fillText(chip.face, cx, cy + size * 0.05);
    }
    // light from above
    ink.globalCompositeOperation = 'source-atop';
    ink.fillStyle = gradient(
      ink,
      [0, pad, 0, 2 * r + pad],
      [0, 'rgba(255, 246, 220, .26)'],
      [0.45, 'rgba(255, 246, 220, 0)'],
      [1, 'rgba(0, 0, 0, .2)'],
    );
    ink.beginPath();
    ink.arc(cx, cy, r, 0, 7);
    ink.fill();
  };
  return { width: 2 * r + 2 * pad, height: 2 * r + edge + 2 * pad, paint };
}

/** art. 1.5: the streak's button, a red lammer with a golden rim; its figure is set as text. */
export function buttonPicture(u: number): Painting {
  const r = 16 * u;
  const mid = r + 4 * u;
  const paint = (ink: Ink): void => {
    ink.fillStyle = 'rgba(0, 0, 0, .45)';
    ink.beginPath();
    ink.arc(mid, mid + 2 * u, r, 0, 7);
    ink.fill();
    ink.fillStyle = gradient(ink, [0, mid - r, 0, mid + r], [0, '#D9373B'], [1, '#84141A']);
    ink.beginPath();
    ink.arc(mid, mid, r, 0, 7);
    ink.fill();
    ink.lineWidth = 2 * u;
    ink.strokeStyle = gradient(ink, [0, mid - r, 0, mid + r], [0, '#FBE9BE'], [1, '#B98737']);
    ink.stroke();
  };
  return { width: 2 * mid, height: 2 * mid, paint };
}
