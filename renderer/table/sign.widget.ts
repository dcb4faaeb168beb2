import { type BitmapText, Container, Sprite } from 'pixi.js';
import { type Art, type PillTone, pillText } from './art.ts';
import type { Letters } from './letters.ts';

export interface SignSpec {
  readonly width: number;
  readonly height: number;
  readonly font: number;
  readonly tone: PillTone;
  /** One part stands in the middle; two stand side by side, the first one heavier. */
  readonly parts: readonly string[];
}

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
    const parts = spec.parts.filter((part) => part !== '');
    const lines: BitmapText[] = parts.map((part, i) =>
      this.#letters.line(part, i === 0 ? 800 : 600, spec.font * (i === 0 ? 1 : 0.84), tint),
    );
    const gap = spec.font * 0.5;
    // small signs spend less on their round ends
    const room = spec.width - spec.height * (spec.height < 24 * u ? 0.3 : 0.5);
    const wide = lines.reduce((sum, line) => sum + line.width, 0) + gap * Math.max(0, lines.length - 1);
    const scale = Math.min(1, room / wide);
    let x = (-wide * scale) / 2;
    for (const line of lines) {
      const w = line.width;
      line.scale.set(scale);
      line.position.set(x + (w * scale) / 2, -0.5 * u);
      x += (w + gap) * scale;
      this.view.addChild(line);
    }
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}
