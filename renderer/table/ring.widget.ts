import { CanvasSource, Container, Sprite, Texture } from 'pixi.js';
import { type Ink, sheet } from './brush.ts';
import type { SeatLayout, TableLayout } from './layout.ts';
import type { RingPiece } from './picture.ts';

const COLOURS = { turn: '#FFCF5A', betting: '#F1D79B', offers: '#FFCF5A', last: '#FF8F4A' } as const;
/** From here on a deadline pulses. */
export const LAST_MS = 5000;

/** The ring around a box that runs out with its deadline. Painted, so that its edge is smooth in every renderer. */
export class RingWidget {
  readonly view = new Container();
  readonly #texture: Texture;
  readonly #source: CanvasSource;
  readonly #ink: Ink;
  readonly #radius: number;
  readonly #size: number;
  readonly #unit: number;
  #drawn = '';

  constructor(table: TableLayout, seat: SeatLayout, resolution: number) {
    this.#unit = table.unit;
    this.#radius = table.boxRadius + 6.5 * table.unit;
    this.#size = 2 * (this.#radius + 6 * table.unit);
    const { canvas, ink } = sheet(this.#size, this.#size, resolution);
    this.#ink = ink;
    this.#source = new CanvasSource({ resource: canvas, resolution });
    this.#texture = new Texture({ source: this.#source });
    this.view.position.set(seat.x, seat.y);
    this.view.addChild(new Sprite({ texture: this.#texture, anchor: 0.5 }));
  }

  /** `leftMs` of `totalMs`. Painted only when the end of the arc has moved by half a degree. */
  show(kind: RingPiece['kind'], leftMs: number, totalMs: number): void {
    const share = totalMs <= 0 ? 0 : Math.min(1, Math.max(0, leftMs / totalMs));
    const last = leftMs <= LAST_MS;
    const steps = Math.round(share * 720);
    const drawn = `${kind}${steps}${last}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#paint(kind === 'turn' ? 6 : 4, last ? COLOURS.last : COLOURS[kind], steps / 720);
    }
    // a soft breath in the last seconds
    this.view.alpha = last && leftMs > 0 ? 0.72 + 0.28 * Math.cos((leftMs / 1000) * 2 * Math.PI) : 1;
  }

  #paint(width: number, colour: string, share: number): void {
    const ink = this.#ink;
    const mid = this.#size / 2;
    ink.clearRect(0, 0, this.#size, this.#size);
    ink.lineWidth = width * this.#unit;
    ink.lineCap = 'round';
    ink.strokeStyle = 'rgba(3, 19, 15, .55)';
    ink.beginPath();
    ink.arc(mid, mid, this.#radius, 0, 2 * Math.PI);
    ink.stroke();
    if (share > 0) {
      ink.strokeStyle = colour;
      ink.beginPath();
      ink.arc(mid, mid, this.#radius, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI);
      ink.stroke();
    }
    this.#source.update();
  }

  destroy(): void {
    this.view.destroy({ children: true });
    this.#texture.destroy(true);
  }
}
