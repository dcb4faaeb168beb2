import { Container, Sprite, type Texture } from 'pixi.js';
import type { Card } from '../../engine/core/cards.ts';
import type { Art } from './art.ts';
import { PeelWidget } from './peel.widget.ts';

export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  readonly scale: number;
}

/** One card: its face or back, and the shadow that falls away when it is lifted. */
export class CardWidget {
  readonly view = new Container();
  readonly #shadow: Sprite;
  readonly #face: Sprite;
  readonly #art: Art;
  readonly #unit: number;
  #peel: PeelWidget | null = null;
  #pose: Pose = { x: 0, y: 0, turn: 0, scale: 1 };

  constructor(art: Art, face: Texture) {
    this.#art = art;
    this.#unit = art.table.unit;
    this.#shadow = new Sprite({ texture: art.cardShadow, anchor: 0.5 });
    this.#face = new Sprite({ texture: face, anchor: 0.5 });
    this.view.addChild(this.#shadow, this.#face);
    this.place(this.#pose, 0);
  }

  get pose(): Pose {
    return this.#pose;
  }

  set face(texture: Texture) {
    this.#face.texture = texture;
  }

  /** `lift` 0 = on the cloth, 1 = held above it. */
  place(pose: Pose, lift: number): void {
    this.#pose = pose;
    const u = this.#unit;
    this.view.position.set(pose.x, pose.y - lift * 10 * u);
    this.view.rotation = pose.turn;
    this.view.scale.set(pose.scale * (1 + lift * 0.07));
    // the shadow falls down the screen however the card is turned
    const dx = lift * 6 * u;
    const dy = (3 + lift * 20) * u;
    const cos = Math.cos(-pose.turn);
    const sin = Math.sin(-pose.turn);
    this.#shadow.position.set(dx * cos - dy * sin, dx * sin + dy * cos);
    this.#shadow.alpha = 0.85 - lift * 0.4;
    this.#shadow.scale.set(1 + lift * 0.05);
  }

  /** 1 = flat, 0 = on edge while it is turned over. */
  set open(width: number) {
    this.#face.scale.x = width;
    this.#shadow.scale.x = Math.max(width, 0.04);
  }

  /** Peels it open, `progress` 0..1, until `endPeel`. */
  peel(card: Card, progress: number): void {
    this.#face.visible = false;
    if (this.#peel === null) {
      this.#peel = new PeelWidget(this.#art, card);
      this.view.addChild(this.#peel.view);
    }
    this.#peel.show(progress);
    // what is lifted lets light in
    this.#shadow.alpha = 0.36;
  }

  endPeel(): void {
    this.#face.visible = true;
    this.#peel?.destroy();
    this.#peel = null;
  }

  set dim(on: boolean) {
    this.#face.tint = on ? 0x7d8480 : 0xffffff;
  }

  destroy(): void {
    this.#peel?.destroy();
    this.view.destroy({ children: true });
  }
}
