import { type BitmapText, Container, Sprite } from 'pixi.js';
import { type Art, type PillTone, pillText } from './art.ts';
import type { Letters } from './letters.ts';

export interface SignSpec {
  readonly width: number;
  readonly height: number;
  readonly font: number;
  readonly tone: PillTone;
  /**
   * One part stands in the middle; two stand side by side, the first one heavier. The second is
   * left out where it has no room: nothing gets smaller.
   */
  readonly parts: readonly string[];
}

/** What the round ends of a sign take of its width, in heights. */
export const ENDS = 0.4;

/** A rounded sign with a line of text: totals, amounts, results. */
export class SignWidget {
  readonly view = new Container();
  readonly #art: Art;
  readonly #letters: Letters;
  #said = '';
  #size = 0;

  constructor(art: Art, letters: Letters) {
    this.#art = art;
    this.#letters = letters;
  }

  /** Height of what it shows, 0 before the first time. */
  get size(): number {
    return this.#size;
  }

  show(spec: SignSpec): void {
    this.#size = spec.height;
    const said = JSON.stringify(spec);
    if (said === this.#said) return;
    this.#said = said;
    for (const child of this.view.removeChildren()) child.destroy();
    const u = this.#art.table.unit;
    const tint = pillText(spec.tone);
    const plate = new Sprite({ texture: this.#art.pill(spec.width, spec.height, spec.tone), anchor: 0.5 });
    this.view.addChild(plate);
    const gap = spec.font * 0.5;
    const room = spec.width - spec.height * ENDS;
    const lines: BitmapText[] = [];
    let wide = 0;
    for (const [i, part] of spec.parts.filter((each) => each !== '').entries()) {
      const line = this.#letters.line(part, i === 0 ? 800 : 600, spec.font, tint);
      const more = wide + line.width + (i === 0 ? 0 : gap);
      if (i > 0 && more > room) {
        line.destroy();
        break;
      }
      wide = more;
      lines.push(line);
    }
    let x = -wide / 2;
    for (const line of lines) {
      line.position.set(x + line.width / 2, -0.5 * u);
      x += line.width + gap;
      this.view.addChild(line);
    }
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}
