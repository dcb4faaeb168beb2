import { Container, Graphics } from 'pixi.js';
import type { SeatLayout, TableLayout } from './layout.ts';
import type { RingPiece } from './picture.ts';

const COLOURS = { turn: 0xffcf5a, betting: 0xf1d79b, offers: 0xffcf5a, last: 0xff8f4a } as const;
/** From here on a deadline pulses. */
export const LAST_MS = 5000;

/** The ring around a box that runs out clockwise with its deadline. */
export class RingWidget {
  readonly view = new Container();
  readonly #arc = new Graphics();
  readonly #radius: number;
  readonly #unit: number;
  #drawn = '';

  constructor(table: TableLayout, seat: SeatLayout) {
    this.#radius = table.boxRadius + 6.5 * table.unit;
    this.#unit = table.unit;
    this.view.position.set(seat.x, seat.y);
    this.view.addChild(this.#arc);
  }

  /** `leftMs` of `totalMs`. Redrawn only when the arc's end has moved by half a degree. */
  show(kind: RingPiece['kind'], leftMs: number, totalMs: number): void {
    const share = totalMs <= 0 ? 0 : Math.min(1, Math.max(0, leftMs / totalMs));
    const last = leftMs <= LAST_MS;
    const steps = Math.round(share * 720);
    const drawn = `${kind}${steps}${last}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const u = this.#unit;
      const turn = kind === 'turn';
      const width = (turn ? 6 : 4) * u;
      const from = -Math.PI / 2;
      const to = from + (steps / 720) * 2 * Math.PI;
      this.#arc.clear();
      this.#arc.circle(0, 0, this.#radius).stroke({ width, color: 0x03130f, alpha: 0.55 });
      if (steps > 0) {
        const color = last ? COLOURS.last : COLOURS[kind];
        this.#arc.beginPath();
        this.#arc.arc(0, 0, this.#radius, from, to).stroke({ width, color, cap: 'round' });
      }
    }
    // a soft breath in the last seconds
    this.view.alpha = last && leftMs > 0 ? 0.72 + 0.28 * Math.cos((leftMs / 1000) * 2 * Math.PI) : 1;
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}
