/**
 * A card that lies face down and is peeled open along its long edge, as baccarat is played in
 * Macau: first the marks at the edge, then the whole face; the index stays hidden as a thumb would
 * hide it, and shows when the card lies. Made of parts of textures alone: the canvas renderer has
 * no cheap masks.
 */
import { Container, Rectangle, Sprite, Texture } from 'pixi.js';
import type { Card } from '../../engine/core/cards.ts';
import type { Art } from './art.ts';
import { easeInOut } from './motion.ts';
import { mix } from './pace.ts';

/**
 * How far the edge is lifted for the look, as a share of the width, and when that is reached and
 * given up.
 */
const LOOK = 0.37;
const LOOKED_AT = 0.55;
const OPENED_FROM = 0.76;
/** A lifted part is seen at an angle. */
const LEANING = 0.9;

/** A texture whose frame may be changed. */
const part = ({ source, frame }: Texture): Texture =>
  new Texture({ source, frame: frame.clone(), dynamic: true });

export class PeelWidget {
  readonly view = new Container();
  readonly #width: number;
  readonly #whole: { readonly back: Rectangle; readonly face: Rectangle };
  readonly #back: Texture;
  readonly #face: Texture;
  readonly #flap: Sprite;
  readonly #curl: Sprite;
  readonly #shadow: Sprite;

  constructor(art: Art, card: Card) {
    const { width, height } = art.table.card;
    const face = art.coveredFace(card);
    this.#width = width;
    this.#whole = { back: art.back.frame.clone(), face: face.frame.clone() };
    this.#back = part(art.back);
    this.#face = part(face);
    const back = new Sprite({ texture: this.#back });
    // the frame of a face has a clear pixel all around
    back.position.set(-art.back.frame.width / 2, -art.back.frame.height / 2);
    this.#flap = new Sprite({ texture: this.#face, anchor: { x: 1, y: 0.5 } });
    this.#curl = new Sprite({ texture: art.curl, anchor: { x: 1, y: 0.5 } });
    this.#shadow = new Sprite({ texture: art.curlShadow, anchor: { x: 1, y: 0.5 } });
    this.#shadow.height = height;
    this.#curl.height = height;
    this.view.addChild(back, this.#shadow, this.#flap, this.#curl);
    this.show(0);
  }

  /** `progress` 0 = face down, 1 = face up, both where the card lies. */
  show(progress: number): void {
    const look = easeInOut(Math.min(1, progress / LOOKED_AT));
    const over = easeInOut(Math.max(0, (progress - OPENED_FROM) / (1 - OPENED_FROM)));
    const share = mix(look * LOOK, 1, over);
    const lean = mix(LEANING, 1, over);
    const { back, face } = this.#whole;
    this.#set(
      this.#back,
      new Rectangle(back.x, back.y, Math.max(0.01, back.width * (1 - share)), back.height),
    );
    this.#set(this.#face, new Rectangle(face.x, face.y, Math.max(0.01, face.width * share), face.height));
    const fold = (0.5 - share) * this.#width;
    const flap = share * this.#width * lean;
    this.#flap.scale.x = lean;
    for (const piece of [this.#flap, this.#curl]) piece.x = fold;
    this.#curl.width = Math.max(0.01, flap);
    this.#curl.alpha = Math.min(1, share * 8) * (1 - over);
    this.#shadow.x = fold - flap;
    this.#shadow.alpha = Math.min(1, share * 6) * (1 - over);
    // turned over it would lie beside its place
    this.view.x = over * this.#width;
  }

  #set(texture: Texture, frame: Rectangle): void {
    texture.frame.copyFrom(frame);
    texture.update();
  }

  destroy(): void {
    this.view.destroy({ children: true });
    this.#back.destroy();
    this.#face.destroy();
  }
}
