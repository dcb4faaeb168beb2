/**
 * Small tools for painting on a 2D canvas. Everything is deterministic: the same table is painted
 * the same way.
 */

export type Ink = CanvasRenderingContext2D;

export const COLOUR = {
  gold: '#D9B36C',
  goldLight: '#F1D79B',
  goldDark: '#C99A4B',
  ivory: '#F4EBD9',
  quiet: '#CFC3A4',
  turn: '#FFCF5A',
  lacquerRed: '#9E1B1E',
  azulejo: '#1D5C99',
} as const;

export const FONT = "'Noto Sans HK Variable', 'Noto Sans HK', 'Noto Sans CJK TC', sans-serif";
export const font = (weight: number, size: number): string => `${weight} ${size}px ${FONT}`;

/** A stream of numbers in [0, 1) from a seed (mulberry32); for texture only, never for play. */
export function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A canvas of `width` x `height` CSS pixels at `resolution` device pixels each, scaled so that one
 * unit is a CSS pixel.
 */
export function sheet(
  width: number,
  height: number,
  resolution: number,
): { canvas: HTMLCanvasElement; ink: Ink } {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.ceil(width * resolution));
  canvas.height = Math.max(1, Math.ceil(height * resolution));
  const ink = canvas.getContext('2d');
  if (ink === null) throw new Error('this browser has no 2D canvas');
  ink.scale(resolution, resolution);
  ink.imageSmoothingQuality = 'high';
  return { canvas, ink };
}

/**
 * Shadow of what is painted next. Canvas shadows ignore the scale of the context, so it is put in
 * here.
 */
export function shade(ink: Ink, colour: string, blur: number, down = 0): void {
  const scale = ink.getTransform().d;
  ink.shadowColor = colour;
  ink.shadowBlur = blur * scale;
  ink.shadowOffsetY = down * scale;
}

export function roundRect(ink: Ink, x: number, y: number, w: number, h: number, r: number): void {
  ink.beginPath();
  ink.roundRect(x, y, w, h, r);
}

export function gradient(
  ink: Ink,
  line: readonly [number, number, number, number],
  ...stops: readonly (readonly [number, string])[]
): CanvasGradient {
  const made = ink.createLinearGradient(...line);
  for (const [at, colour] of stops) made.addColorStop(at, colour);
  return made;
}

export function glow(
  ink: Ink,
  circle: readonly [number, number, number, number],
  ...stops: readonly (readonly [number, string])[]
): CanvasGradient {
  const [x, y, r0, r1] = circle;
  const made = ink.createRadialGradient(x, y, r0, x, y, r1);
  for (const [at, colour] of stops) made.addColorStop(at, colour);
  return made;
}

/** Gold as it is printed on cloth: lighter above, over a dark edge that sinks it in. */
export function goldText(ink: Ink, text: string, x: number, y: number, size: number, alpha = 1): void {
  ink.globalAlpha = alpha;
  ink.fillStyle = 'rgba(0, 20, 16, .55)';
  ink.fillText(text, x, y + size * 0.045);
  ink.fillStyle = gradient(
    ink,
    [0, y - size * 0.55, 0, y + size * 0.5],
    [0, '#FDF0CF'],
    [0.5, '#EFD091'],
    [1, '#CFA052'],
  );
  ink.fillText(text, x, y);
  ink.globalAlpha = 1;
}

/**
 * A lotus seen from the side, Macau's flower: seven petals over a line of water. `size` = its
 * width.
 */
export function lotus(ink: Ink, x: number, y: number, size: number): void {
  const s = size / 100;
  ink.save();
  ink.translate(x, y);
  ink.scale(s, s);
  const petal = (turn: number, length: number, width: number): void => {
    ink.save();
    ink.rotate(turn);
    ink.beginPath();
    ink.moveTo(0, 8);
    ink.bezierCurveTo(-width, -length * 0.3, -width * 0.75, -length * 0.8, 0, -length);
    ink.bezierCurveTo(width * 0.75, -length * 0.8, width, -length * 0.3, 0, 8);
    ink.fill();
    ink.restore();
  };
  const main = ink.fillStyle;
  const layers: [number, number, number][] = [
    [-1.28, 46, 11],
    [1.28, 46, 11],
    [-0.82, 50, 13],
    [0.82, 50, 13],
    [-0.4, 53, 14],
    [0.4, 53, 14],
    [0, 56, 15],
  ];
  for (const [turn, length, width] of layers) {
    ink.fillStyle = 'rgba(3, 40, 34, .9)';
    petal(turn, length + 2.5, width + 2.5);
    ink.fillStyle = main;
    petal(turn, length, width);
  }
  ink.restore();
}

/** A small lacquer plaque with a gold line: the signs for limits and round lie on it. */
export function paintPlaque(
  ink: Ink,
  x: number,
  y: number,
  w: number,
  h: number,
  u: number,
  red = false,
): void {
  ink.save();
  shade(ink, 'rgba(0, 0, 0, .55)', 14 * u, 4 * u);
  roundRect(ink, x, y, w, h, 11 * u);
  ink.fillStyle = red
    ? gradient(ink, [0, y, 0, y + h], [0, '#B3262A'], [1, '#6E0F12'])
    : gradient(ink, [0, y, 0, y + h], [0, '#2B2420'], [1, '#131010']);
  ink.fill();
  ink.restore();
  ink.strokeStyle = gradient(ink, [0, y, 0, y + h], [0, '#E6C582'], [1, '#8A6631']);
  ink.lineWidth = 1.5 * u;
  roundRect(ink, x, y, w, h, 11 * u);
  ink.stroke();
  ink.globalAlpha = 0.4;
  ink.lineWidth = 0.8 * u;
  roundRect(ink, x + 5 * u, y + 5 * u, w - 10 * u, h - 10 * u, 7 * u);
  ink.stroke();
  ink.globalAlpha = 1;
}
