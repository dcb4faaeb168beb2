import { Container, Sprite } from 'pixi.js';
import type { Art } from './art.ts';
import { CHIP_EDGE, CHIP_RADIUS } from './art-chips.ts';
import { chipColumns } from './chips.ts';

/** Chips that stand for an amount: one or two columns, the smallest value on top. */
export class StackWidget {
  readonly view = new Container();
  readonly #art: Art;
  #amountMinor = 0;

  constructor(art: Art, amountMinor: number) {
    this.#art = art;
    this.amount = amountMinor;
  }

  get amount(): number {
    return this.#amountMinor;
  }

  set amount(amountMinor: number) {
    if (amountMinor === this.#amountMinor) return;
    this.#amountMinor = amountMinor;
    for (const child of this.view.removeChildren()) child.destroy();
    const u = this.#art.table.unit;
    const columns = chipColumns(amountMinor);
    const two = columns.length > 1;
    const scale = two ? 0.82 : 1;
    for (const [c, kinds] of columns.entries()) {
      const x = two ? (c - 0.5) * 2 * (CHIP_RADIUS * scale - 3) * u : 0;
      const base = two ? (c === 0 ? -4 : 4) * u : 3 * u;
      const shadow = new Sprite({ texture: this.#art.chipShadow, anchor: 0.5 });
      shadow.position.set(x, base + 7 * u);
      shadow.scale.set(scale);
      this.view.addChild(shadow);
      for (const [i, kind] of kinds.entries()) {
        const chip = new Sprite({ texture: this.#art.chips[kind]!, anchor: 0.5 });
        // no two chips lie exactly on each other
        const sway = [0, 0.9, -0.7, 0.4, -1][i % 5]! * u;
        chip.position.set(x + sway, base - i * CHIP_EDGE * scale * u);
        chip.scale.set(scale);
        chip.rotation = [0.1, -0.16, 0.05, 0.2, -0.08][(i + kind) % 5]! * 0.35;
        this.view.addChild(chip);
      }
    }
  }

  destroy(): void {
    this.view.destroy({ children: true });
  }
}
