import { type Ink, sheet } from './brush.ts';
import type { RingPiece } from './pieces.ts';
import type { SeatLayout, TableLayout } from './table-layout.ts';

const COLOURS = { turn: '#FFCF5A', betting: '#F1D79B', offers: '#FFCF5A', last: '#FF8F4A' } as const;
/** From here on a deadline pulses. */
export const LAST_MS = 5000;
/** While a deadline pulses, and at most at any time. */
const FRAME_MS = 100;
/** The arc ends in so many places, one and a half pixels apart at full HD. */
const STEPS = 200;

/** When a ring with `leftMs` of `totalMs` will look different. */
export function changesInMs(leftMs: number, totalMs: number): number {
  if (leftMs <= LAST_MS) return FRAME_MS;
  return Math.max(FRAME_MS, Math.min(totalMs / STEPS, leftMs - LAST_MS));
}

/**
 * Below the box the ring is open: the label with the amount stands there. Radians to either side of
 * straight down.
 */
const OPEN = 0.62;

/**
 * The ring around a box that runs out with its deadline, on a small canvas of its own above the
 * table: while only time passes a few hundred pixels are painted and the table itself is left
 * alone.
 */
export class RingWidget {
  readonly #canvas: HTMLCanvasElement;
  readonly #ink: Ink;
  readonly #radius: number;
  readonly #size: number;
  readonly #unit: number;
  #drawn = '';

  constructor(host: HTMLElement, table: TableLayout, seat: SeatLayout, resolution: number) {
    this.#unit = table.unit;
    this.#radius = table.boxRadius + 6.5 * table.unit;
    this.#size = 2 * (this.#radius + 6 * table.unit);
    const { canvas, ink } = sheet(this.#size, this.#size, resolution);
    this.#canvas = canvas;
    this.#ink = ink;
    const { style } = canvas;
    style.position = 'absolute';
    style.pointerEvents = 'none';
    style.left = `${seat.x - this.#size / 2}px`;
    style.top = `${seat.y - this.#size / 2}px`;
    style.width = `${canvas.width / resolution}px`;
    style.height = `${canvas.height / resolution}px`;
    canvas.setAttribute('aria-hidden', 'true');
    host.append(canvas);
  }

  /** `leftMs` of `totalMs`. Painted only when the end of the arc has moved. */
  show(kind: RingPiece['kind'], leftMs: number, totalMs: number): void {
    const share = totalMs <= 0 ? 0 : Math.min(1, Math.max(0, leftMs / totalMs));
    const last = leftMs <= LAST_MS;
    const steps = Math.round(share * STEPS);
    const drawn = `${kind}${steps}${last}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#paint(kind === 'turn' ? 6 : 4, last ? COLOURS.last : COLOURS[kind], steps / STEPS);
    }
    // a soft breath in the last seconds
    const breath = last && leftMs > 0 ? 0.72 + 0.28 * Math.cos((leftMs / 1000) * 2 * Math.PI) : 1;
    this.#canvas.style.opacity = breath.toFixed(2);
  }

  #paint(width: number, colour: string, share: number): void {
    const ink = this.#ink;
    const mid = this.#size / 2;
    const from = Math.PI / 2 + OPEN;
    const whole = 2 * (Math.PI - OPEN);
    ink.clearRect(0, 0, this.#size, this.#size);
    ink.lineWidth = width * this.#unit;
    ink.lineCap = 'round';
    ink.strokeStyle = 'rgba(3, 19, 15, .55)';
    ink.beginPath();
    ink.arc(mid, mid, this.#radius, from, from + whole);
    ink.stroke();
    if (share <= 0) return;
    ink.strokeStyle = colour;
    ink.beginPath();
    ink.arc(mid, mid, this.#radius, from, from + share * whole);
    ink.stroke();
  }

  set hidden(on: boolean) {
    this.#canvas.hidden = on;
  }

  destroy(): void {
    this.#canvas.remove();
  }
}
