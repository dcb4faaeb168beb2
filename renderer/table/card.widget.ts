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

/**
 * Thickness of a card on edge, in units of the board: ten times that of a real one, or nobody would
 * see it.
 */
const EDGE = 3.4;

/** One card: its face or back, and the shadow that falls away when it is lifted. */
export class CardWidget {
  readonly view = new Container();
  readonly #shadow: Sprite;
  readonly #face: Sprite;
  readonly #art: Art;
  readonly #unit: number;
  #peel: PeelWidget | null = null;
  #pose: Pose = { x: 0, y: 0, turn: 0, scale: 1 };
  #lift = 0;
  /** 0 = flat on its way over, 1 = on edge. */
  #raised = 0;
  /** Its edge and the shade on its face, while it is turned over for the first time. */
  #turning: { readonly edge: Sprite; readonly shade: Sprite } | null = null;

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
    this.#lift = lift;
    this.#arrange();
  }

  /** Turned over about its long middle, `progress` 0..1; who calls changes the face at one half. */
  turnOver(progress: number): void {
    const wide = Math.abs(Math.cos(Math.PI * progress));
    const raised = Math.sin(Math.PI * progress);
    const { width, height } = this.#art.table.card;
    if (this.#turning === null) {
      const edge = new Sprite({ texture: this.#art.cardEdge, anchor: 0.5 });
      const shade = new Sprite({ texture: this.#art.cardShade, anchor: 0.5 });
      this.view.addChild(shade, edge);
      this.#turning = { edge, shade };
    }
    const { edge, shade } = this.#turning;
    this.#raised = raised;
    this.#face.scale.set(Math.max(wide, 0.02), 1 + 0.06 * raised);
    shade.scale.copyFrom(this.#face.scale);
    // the side that rises turns away from the lamp, the one that comes down looks into it
    shade.alpha = (progress < 0.5 ? 0.5 : 0.3) * raised;
    edge.setSize(Math.max(0.01, EDGE * this.#unit * raised), height * 0.97 * (1 + 0.06 * raised));
    edge.x = (progress < 0.5 ? 1 : -1) * ((width / 2) * wide + edge.width * 0.4);
    this.#arrange();
  }

  /** It lies flat again. */
  endTurn(): void {
    if (this.#turning === null) return;
    this.#turning.edge.destroy();
    this.#turning.shade.destroy();
    this.#turning = null;
    this.#raised = 0;
    this.#face.scale.set(1);
    this.#arrange();
  }

  #arrange(): void {
    const pose = this.#pose;
    const raised = this.#raised;
    // half of a card on edge stands above the cloth
    const lift = Math.max(this.#lift, 0.45 * raised);
    const u = this.#unit;
    this.view.position.set(pose.x, pose.y - lift * 10 * u);
    this.view.rotation = pose.turn;
    this.view.scale.set(pose.scale * (1 + lift * 0.07));
    // the shadow falls down the screen however the card is turned
    const dx = (lift * 6 + raised * 10) * u;
    const dy = (3 + lift * 20) * u;
    const cos = Math.cos(-pose.turn);
    const sin = Math.sin(-pose.turn);
    this.#shadow.position.set(dx * cos - dy * sin, dx * sin + dy * cos);
    this.#shadow.alpha = 0.85 - lift * 0.4;
    this.#shadow.scale.set((1 + lift * 0.05) * (1 - 0.7 * raised), 1 + lift * 0.05);
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
