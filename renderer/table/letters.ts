/**
 * Changing text: bitmap fonts at the exact device size, so that a re-set total costs no new
 * texture.
 */
import { BitmapFont, BitmapText } from 'pixi.js';
import { FONT } from './brush.ts';
import { FIGURES } from './canvas-letters.ts';

let sets = 0;

/** The fonts of one size of the table. */
export class Letters {
  readonly #resolution: number;
  readonly #names = new Set<string>();
  /**
   * Fonts are known by their names to the whole page, and for a moment there are two tables: the
   * old and the new.
   */
  readonly #set = ++sets;

  constructor(resolution: number) {
    this.#resolution = resolution;
  }

  /** A line of text with its anchor in the middle. `size` in CSS pixels, rounded to quarters. */
  line(text: string, weight: number, size: number, tint: number): BitmapText {
    const made = new BitmapText({ text, style: this.#style(weight, size), anchor: 0.5 });
    made.tint = tint;
    return made;
  }

  /**
   * Changes a line. Pixi 8.22's canvas renderer paints a BitmapText again only when the scene's
   * structure changes (CanvasGraphicsPipe.validateRenderable says no to everything), so the line is
   * put into its place again.
   */
  set(line: BitmapText, text: string): void {
    if (line.text === text) return;
    line.text = text;
    const parent = line.parent;
    if (parent === null) return;
    const index = parent.getChildIndex(line);
    parent.removeChild(line);
    parent.addChildAt(line, index);
  }

  /**
   * Sets text into at most `width` CSS pixels: it shrinks as a whole, never below what is asked,
   * and is never cut.
   */
  fit(line: BitmapText, width: number): void {
    line.scale.set(1);
    const wide = line.width;
    if (wide > width) line.scale.set(width / wide);
  }

  /** Sets the first of these texts that is no wider than `width`; none of them: nothing. */
  choose(line: BitmapText, texts: readonly string[], width: number): void {
    line.scale.set(1);
    for (const text of [...texts, '']) {
      this.set(line, text);
      if (line.width <= width) return;
    }
  }

  #style(weight: number, size: number): { fontFamily: string; fontSize: number } {
    const fontSize = Math.max(4, Math.round(size * 4) / 4);
    const name = `table-${this.#set}-${weight}-${fontSize}-${this.#resolution}`;
    if (!this.#names.has(name)) {
      BitmapFont.install({
        name,
        style: {
          fontFamily: FONT.split(',').map((f) => f.trim().replaceAll("'", '')),
          fontSize,
          fontWeight: `${weight}` as '400',
          fill: '#ffffff',
        },
        chars: FIGURES,
        resolution: this.#resolution,
        // figures all have one width; measuring every pair of letters took longer than painting
        // them
        skipKerning: true,
        padding: 4,
      });
      this.#names.add(name);
    }
    return { fontFamily: name, fontSize };
  }

  destroy(): void {
    for (const name of this.#names) BitmapFont.uninstall(name);
    this.#names.clear();
  }
}
