/** What frames the cloth: the wooden table and the band of Portuguese pavement. */
import { glow, gradient, type Ink, noise, shade } from './brush.ts';
import { arcY, type Point } from './geometry.ts';
import type { TableLayout } from './table-layout.ts';

export interface EdgePoint extends Point {
  /** Outward normal. */
  readonly nx: number;
  readonly ny: number;
  /** Distance along the edge. */
  readonly s: number;
}

/**
 * The edge of the cloth, sampled clockwise from the upper left corner, about every two CSS pixels.
 */
export function clothEdge(table: TableLayout): EdgePoint[] {
  const { left, right, top, corner, edge } = table.felt;
  const u = table.unit;
  const points: Point[] = [];
  const line = (x0: number, y0: number, x1: number, y1: number): void => {
    const n = Math.max(2, Math.round(Math.hypot(x1 - x0, y1 - y0) / 2));
    for (let i = 0; i < n; i++) points.push({ x: x0 + ((x1 - x0) * i) / n, y: y0 + ((y1 - y0) * i) / n });
  };
  const bend = (p0: Point, p1: Point, p2: Point): void => {
    const n = Math.max(6, Math.round(Math.hypot(p2.x - p0.x, p2.y - p0.y) / 1.5));
    for (let i = 0; i < n; i++) {
      const t = i / n;
      const a = (1 - t) * (1 - t);
      const b = 2 * t * (1 - t);
      points.push({ x: a * p0.x + b * p1.x + t * t * p2.x, y: a * p0.y + b * p1.y + t * t * p2.y });
    }
  };
  const low = 46 * u;
  const onArc = (x: number): Point => ({ x, y: arcY(edge, x) });
  line(left + corner, top, right - corner, top);
  bend({ x: right - corner, y: top }, { x: right, y: top }, { x: right, y: top + corner });
  const rightLow = onArc(right);
  line(right, top + corner, right, rightLow.y - low);
  bend({ x: right, y: rightLow.y - low }, rightLow, onArc(right - low));
  const steps = Math.round((right - left - 2 * low) / 2);
  for (let i = 0; i < steps; i++) points.push(onArc(right - low - ((right - left - 2 * low) * i) / steps));
  const leftLow = onArc(left);
  bend(onArc(left + low), leftLow, { x: left, y: leftLow.y - low });
  line(left, leftLow.y - low, left, top + corner);
  bend({ x: left, y: top + corner }, { x: left, y: top }, { x: left + corner, y: top });

  let s = 0;
  return points.map((p, i) => {
    const before = points[(i - 1 + points.length) % points.length]!;
    const after = points[(i + 1) % points.length]!;
    const dx = after.x - before.x;
    const dy = after.y - before.y;
    const length = Math.hypot(dx, dy) || 1;
    if (i > 0) s += Math.hypot(p.x - before.x, p.y - before.y);
    return { ...p, nx: dy / length, ny: -dx / length, s };
  });
}

export function trace(ink: Ink, edge: readonly EdgePoint[], out: number): void {
  ink.beginPath();
  for (const [i, p] of edge.entries()) {
    const x = p.x + p.nx * out;
    const y = p.y + p.ny * out;
    if (i === 0) ink.moveTo(x, y);
    else ink.lineTo(x, y);
  }
  ink.closePath();
}

export function paintWood(ink: Ink, table: TableLayout): void {
  const { width, height, unit: u } = table;
  ink.fillStyle = gradient(
    ink,
    [0, 0, 0, height],
    [0, '#45291A'],
    [0.5, '#2C1A10'],
    [0.76, '#1D110A'],
    [1, '#100906'],
  );
  ink.fillRect(0, 0, width, height);
  const rnd = noise(57);
  ink.lineCap = 'round';
  // long grain: bundles of lines that wander together
  for (let bundle = 0; bundle < 46; bundle++) {
    const y0 = rnd() * height;
    const sway = (8 + rnd() * 26) * u;
    const phase = rnd() * 7;
    const length = (0.5 + rnd()) * width;
    const start = rnd() * width - length * 0.4;
    for (let strand = 0; strand < 9; strand++) {
      const dark = rnd() < 0.62;
      ink.strokeStyle = dark
        ? `rgba(10, 4, 0, ${0.07 + rnd() * 0.12})`
        : `rgba(190, 120, 70, ${0.03 + rnd() * 0.05})`;
      ink.lineWidth = (0.5 + rnd() * 1.7) * u;
      ink.beginPath();
      for (let k = 0; k <= 24; k++) {
        const x = start + (length * k) / 24;
        const y = y0 + strand * 3.4 * u + Math.sin(phase + k * 0.34 + strand * 0.07) * sway * 0.4;
        if (k === 0) ink.moveTo(x, y);
        else ink.lineTo(x, y);
      }
      ink.stroke();
    }
  }
  // the lamp over the bank reaches the rail
  ink.fillStyle = glow(
    ink,
    [width / 2, 0, 0, width * 0.62],
    [0, 'rgba(255, 190, 120, .20)'],
    [1, 'rgba(255, 190, 120, 0)'],
  );
  ink.fillRect(0, 0, width, height);
  ink.fillStyle = gradient(
    ink,
    [0, table.panelTop - 130 * u, 0, height],
    [0, 'rgba(6, 3, 1, 0)'],
    [0.45, 'rgba(6, 3, 1, .5)'],
    [1, 'rgba(6, 3, 1, .78)'],
  );
  ink.fillRect(0, 0, width, height);
}

const SHADES = 12;
/**
 * Stones that are painted at once: more would be a path over the whole table, which costs as much
 * again.
 */
const STRETCH = 96;

/** Portuguese pavement: hand-cut limestone and basalt, laid as the wave of the Largo do Senado. */
export function paintCalcada(ink: Ink, table: TableLayout, edge: readonly EdgePoint[]): void {
  const { unit: u } = table;
  const rim = table.felt.rim;
  ink.save();
  shade(ink, 'rgba(0, 0, 0, .85)', 26 * u, 8 * u);
  trace(ink, edge, rim + 3 * u);
  ink.fillStyle = '#0B0806';
  ink.fill();
  ink.restore();

  const rnd = noise(2009);
  const end = edge.at(-1)!;
  const total = end.s + Math.hypot(end.x - edge[0]!.x, end.y - edge[0]!.y);
  const rows = 8;
  const row = rim / rows;
  const wave = total / Math.round(total / (96 * u));
  const lamp = { x: table.width / 2, y: table.height * 0.12 };
  const at = (s: number, out: number): Point => {
    const i = Math.min(edge.length - 1, Math.max(0, Math.round((s / total) * (edge.length - 1))));
    // samples are nearly evenly spaced; walk the last step
    let k = i;
    while (k > 0 && edge[k]!.s > s) k--;
    while (k < edge.length - 1 && edge[k + 1]!.s < s) k++;
    const p = edge[k]!;
    const q = edge[(k + 1) % edge.length]!;
    const span = (k + 1 === edge.length ? total : q.s) - p.s;
    const f = span > 0 ? Math.min(1, Math.max(0, (s - p.s) / span)) : 0;
    return {
      x: p.x + (q.x - p.x) * f + (p.nx + (q.nx - p.nx) * f) * out,
      y: p.y + (q.y - p.y) * f + (p.ny + (q.ny - p.ny) * f) * out,
    };
  };
  const steps = Math.round(total / (2.5 * u));
  const strip = (inner: (s: number) => number, outer: (s: number) => number): void => {
    ink.beginPath();
    for (let k = 0; k <= steps; k++) {
      const s = (total * k) / steps;
      const p = at(s, inner(s) * rim);
      if (k === 0) ink.moveTo(p.x, p.y);
      else ink.lineTo(p.x, p.y);
    }
    for (let k = steps; k >= 0; k--) {
      const s = (total * k) / steps;
      const p = at(s, outer(s) * rim);
      ink.lineTo(p.x, p.y);
    }
    ink.closePath();
  };
  const reach = Math.hypot(table.width * 0.56, table.height * 0.62);
  const stone = (top: string, mid: string, low: string): CanvasGradient =>
    glow(ink, [lamp.x, lamp.y, 0, reach], [0, top], [0.55, mid], [1, low]);
  const limestone = stone('#DAD2BF', '#A9A08D', '#6A6456');
  const basalt = stone('#2E2C2B', '#1C1B1B', '#100F0F');
  strip(
    () => 0,
    () => 1,
  );
  ink.fillStyle = limestone;
  ink.fill();
  const crest = (s: number): number => 0.5 + 0.2 * Math.sin((2 * Math.PI * s) / wave);
  const swell = (s: number): number => 0.135 + 0.035 * Math.cos((4 * Math.PI * s) / wave);
  ink.fillStyle = basalt;
  strip(
    (s) => crest(s) - swell(s),
    (s) => crest(s) + swell(s),
  );
  ink.fill();
  strip(
    () => 0,
    () => 0.1,
  );
  ink.fill();
  strip(
    () => 0.9,
    () => 1,
  );
  ink.fill();
  // stones of twelve shades, dark joints between them: a stretch of a row at a time, because ten
  // thousand stones painted one by one are half of what the whole table costs
  const inkOf = (shadeOf: number): string =>
    shadeOf < 0.6
      ? `rgba(20, 14, 6, ${0.04 + shadeOf * 0.3})`
      : `rgba(255, 250, 235, ${(shadeOf - 0.6) * 0.3})`;
  const styles = Array.from({ length: SHADES }, (_, i) => inkOf((i + 0.5) / SHADES));
  ink.strokeStyle = 'rgba(12, 9, 6, .68)';
  ink.lineWidth = 0.8 * u;
  for (let r = 0; r < rows; r++) {
    let s = 0;
    while (s < total) {
      const joints = new Path2D();
      const stones = styles.map((style) => ({ style, path: new Path2D() }));
      for (let count = 0; count < STRETCH && s < total; count++) {
        const wished = row * (0.8 + rnd() * 0.5);
        // the last stone closes the row
        const length = total - s - wished < row * 0.7 ? total - s : wished;
        const j = (): number => (rnd() - 0.5) * 0.9 * u;
        const corners = [
          at(s, r * row + j()),
          at(s + length, r * row + j()),
          at(s + length, (r + 1) * row),
          at(s, (r + 1) * row),
        ];
        for (const path of [joints, stones[Math.floor(rnd() * SHADES)]!.path]) {
          for (const [i, { x, y }] of corners.entries())
            if (i === 0) path.moveTo(x, y);
            else path.lineTo(x, y);
          path.closePath();
        }
        s += length;
      }
      for (const { style, path } of stones) {
        ink.fillStyle = style;
        ink.fill(path);
      }
      ink.stroke(joints);
    }
  }
  // the band lies a little lower than wood and cloth: shade at both of its edges
  ink.save();
  trace(ink, edge, rim);
  ink.clip();
  shade(ink, 'rgba(0, 0, 0, .9)', 12 * u);
  ink.lineWidth = 5 * u;
  ink.strokeStyle = 'rgba(0, 0, 0, .75)';
  trace(ink, edge, rim + 2 * u);
  ink.stroke();
  trace(ink, edge, -1 * u);
  ink.stroke();
  ink.restore();
  ink.lineJoin = 'round';
  trace(ink, edge, rim + 1.5 * u);
  ink.strokeStyle = gradient(ink, [0, 0, 0, table.panelTop], [0, '#9A7238'], [1, '#4E3515']);
  ink.lineWidth = 2.2 * u;
  ink.stroke();
}
