/**
 * Pictures of everything that moves, painted or resampled once at the device's true resolution and
 * handed to Pixi as textures. Glows and shadows are painted too: the canvas renderer has no
 * filters.
 */
import { CanvasSource, Rectangle, Texture } from 'pixi.js';
import { type Card, cardName } from '../../engine/core/cards.ts';
import { buttonPicture, chipPicture, type Painting } from './art-chips.ts';
import { paintSlotLight, paintWinLight } from './art-light.ts';
import { shoePicture, shoeTrough, shufflerPicture } from './art-shoe.ts';
import { glow, gradient, type Ink, lotus, paintPlaque, roundRect, shade, sheet } from './brush.ts';
import { CHIPS } from './chips.ts';
import { type FaceSheet, faceSheet, facesUrl } from './faces.ts';
import type { FaceSet } from './form.ts';
import type { BadgeTone, LabelTone, RibbonTone } from './pieces.ts';
import type { TableLayout } from './table-layout.ts';

export type PillTone = BadgeTone | LabelTone | RibbonTone;

const PILLS: Record<PillTone, { top: string; bottom: string; edge: string; text: number }> = {
  total: { top: '#201B18', bottom: '#0B0908', edge: '#B8924F', text: 0xf4ebd9 },
  turn: { top: '#3A2E12', bottom: '#171004', edge: '#FFCF5A', text: 0xffe3a0 },
  blackjack: { top: '#C0262A', bottom: '#7A1013', edge: '#F1D79B', text: 0xfff1d6 },
  natural: { top: '#C0262A', bottom: '#7A1013', edge: '#F1D79B', text: 0xfff1d6 },
  player: { top: '#2A6CAF', bottom: '#14406F', edge: '#F1D79B', text: 0xfff8e9 },
  busted: { top: '#2A2422', bottom: '#141110', edge: '#6F625A', text: 0xa99c8b },
  stake: { top: '#1B1714', bottom: '#0A0807', edge: '#8A6B38', text: 0xf4ebd9 },
  won: { top: '#F4DDA4', bottom: '#C4923F', edge: '#FFF3D2', text: 0x241703 },
  lost: { top: '#2A2422', bottom: '#141110', edge: '#6F625A', text: 0xcfc3a4 },
  even: { top: '#2B2B2E', bottom: '#121214', edge: '#B9B2A2', text: 0xf4ebd9 },
};
export const pillText = (tone: PillTone): number => PILLS[tone].text;

/** The faces of one set, kept for resizes. */
export interface Faces {
  /** Address of the picture they are cut from. */
  readonly url: string;
  readonly image: ImageBitmap;
  readonly frames: FaceSheet['frames'];
}

export async function loadFaces(set: FaceSet, cardPixels: number): Promise<Faces> {
  const url = facesUrl(set, cardPixels);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`card faces: ${answer.status} at ${url}`);
  return {
    url,
    image: await createImageBitmap(await answer.blob()),
    frames: faceSheet(cardPixels).frames,
  };
}

/** Textures for one size of the table. Sizes given to the makers are CSS pixels. */
export class Art {
  readonly #made: Texture[] = [];
  readonly #pills = new Map<string, Texture>();
  readonly #faces = new Map<string, Texture>();
  readonly #covered = new Map<Card, Texture>();
  readonly #source: Faces;
  readonly back: Texture;
  readonly cardShadow: Texture;
  /** The side of a card that is turned over, and the shade on its face. */
  readonly cardEdge: Texture;
  readonly cardShade: Texture;
  /**
   * Light on a lifted edge, and the shadow it throws to its left; stretched to what they lie on.
   */
  readonly curl: Texture;
  readonly curlShadow: Texture;
  readonly chips: readonly Texture[];
  readonly chipShadow: Texture;
  readonly turnGlow: Texture;
  readonly handGlow: Texture;
  readonly offerGlow: Texture;
  readonly streakButton: Texture;
  readonly winLight: Texture;
  readonly shoe: Texture;
  readonly endCard: Texture;
  readonly slotLight: Texture;
  readonly roundSign: Texture;
  readonly lastRoundSign: Texture;
  readonly dim: Texture;
  readonly pack: Texture;
  readonly weight: Texture;
  readonly holdBanner: Texture;
  readonly closedBanner: Texture;
  readonly table: TableLayout;
  readonly resolution: number;

  constructor(table: TableLayout, resolution: number, faces: Faces) {
    this.table = table;
    this.resolution = resolution;
    const u = table.unit;
    this.#source = faces;
    this.#cutFaces(faces);
    this.back = this.#faces.get('back')!;
    this.cardShadow = this.#paintCardShadow();
    const { card } = table;
    this.cardEdge = this.make(8 * u, card.height, (ink) => {
      ink.fillStyle = gradient(ink, [0, 0, 8 * u, 0], [0, '#FFFDF4'], [0.45, '#D8CDB2'], [1, '#8F8264']);
      roundRect(ink, 0, 0, 8 * u, card.height, 2 * u);
      ink.fill();
    });
    this.cardShade = this.make(card.width, card.height, (ink) => {
      ink.fillStyle = '#0A0705';
      roundRect(ink, 0, 0, card.width, card.height, 8 * u);
      ink.fill();
    });
    this.curl = this.make(64, 8, (ink) => {
      ink.fillStyle = gradient(
        ink,
        [0, 0, 64, 0],
        [0, 'rgba(255, 255, 255, .28)'],
        [0.45, 'rgba(0, 0, 0, 0)'],
        [0.78, 'rgba(60, 40, 10, .2)'],
        [0.93, 'rgba(255, 255, 255, .55)'],
        [1, 'rgba(40, 25, 5, .5)'],
      );
      ink.fillRect(0, 0, 64, 8);
    });
    this.curlShadow = this.make(26 * u, 8, (ink) => {
      ink.fillStyle = gradient(ink, [0, 0, 26 * u, 0], [0, 'rgba(0, 0, 0, 0)'], [1, 'rgba(0, 0, 0, .5)']);
      ink.fillRect(0, 0, 26 * u, 8);
    });
    this.chips = CHIPS.map((_, kind) => this.#picture(chipPicture(kind, u)));
    this.streakButton = this.#picture(buttonPicture(u));
    this.chipShadow = this.make(92 * u, 92 * u, (ink) => {
      ink.fillStyle = glow(
        ink,
        [46 * u, 46 * u, 16 * u, 40 * u],
        [0, 'rgba(0, 0, 0, .62)'],
        [0.5, 'rgba(0, 0, 0, .34)'],
        [1, 'rgba(0, 0, 0, 0)'],
      );
      ink.fillRect(0, 0, 92 * u, 92 * u);
    });
    const r = table.boxRadius;
    const g = r * 2.7;
    this.turnGlow = this.make(2 * g, 2 * g, (ink) => {
      ink.fillStyle = glow(
        ink,
        [g, g, r * 0.2, g],
        [0, 'rgba(255, 214, 110, .34)'],
        [0.3, 'rgba(255, 207, 90, .42)'],
        [0.42, 'rgba(255, 200, 80, .22)'],
        [1, 'rgba(255, 190, 60, 0)'],
      );
      ink.fillRect(0, 0, 2 * g, 2 * g);
    });
    this.offerGlow = this.make(120 * u, 120 * u, (ink) => {
      ink.fillStyle = glow(
        ink,
        [60 * u, 60 * u, 6 * u, 60 * u],
        [0, 'rgba(255, 214, 110, .55)'],
        [0.4, 'rgba(255, 207, 90, .22)'],
        [1, 'rgba(255, 190, 60, 0)'],
      );
      ink.fillRect(0, 0, 120 * u, 120 * u);
    });
    this.winLight = this.make(360 * u, 360 * u, (ink) => paintWinLight(ink, 180 * u));
    this.handGlow = this.make(200, 200, (ink) => {
      shade(ink, 'rgba(255, 207, 90, .95)', 26);
      ink.fillStyle = 'rgba(255, 207, 90, .55)';
      roundRect(ink, 40, 40, 120, 120, 14);
      ink.fill();
    });
    this.shoe = this.#picture(table.form.shuffler ? shufflerPicture(table) : shoePicture(table));
    this.endCard = this.#paintEndCard();
    this.slotLight = this.make(104 * u, 78 * u, (ink) => paintSlotLight(ink, u));
    const sign = table.round;
    const pad = 18 * u;
    this.roundSign = this.make(sign.width + 2 * pad, sign.height + 2 * pad, (ink) =>
      paintPlaque(ink, pad, pad, sign.width, sign.height, u),
    );
    this.lastRoundSign = this.make(sign.width + 2 * pad, sign.height + 2 * pad, (ink) =>
      paintPlaque(ink, pad, pad, sign.width, sign.height, u, true),
    );
    const banner = table.banner;
    const banners = [true, false].map((red) =>
      this.make(banner.width + 2 * pad, banner.height + 2 * pad, (ink) =>
        paintPlaque(ink, pad, pad, banner.width, banner.height, u, red),
      ),
    );
    this.holdBanner = banners[0]!;
    this.closedBanner = banners[1]!;
    const trough = shoeTrough(table);
    this.pack = this.make(trough.width, trough.height, (ink) => {
      ink.fillStyle = gradient(
        ink,
        [0, 0, 0, trough.height],
        [0, '#FFFDF6'],
        [0.5, '#E9E2D0'],
        [1, '#B9AE96'],
      );
      ink.fillRect(0, 0, trough.width, trough.height);
      for (let x = 0; x < trough.width; x += 1.7 * u) {
        ink.fillStyle = Math.round(x / u) % 3 === 0 ? 'rgba(60, 50, 40, .5)' : 'rgba(90, 80, 60, .28)';
        ink.fillRect(x, 0, 0.6 * u, trough.height);
      }
    });
    this.weight = this.make(14 * u, trough.height, (ink) => {
      ink.fillStyle = gradient(ink, [0, 0, 14 * u, 0], [0, '#F4DDA4'], [0.3, '#C49A52'], [1, '#6B4D20']);
      roundRect(ink, 0, 0, 14 * u, trough.height, 3 * u);
      ink.fill();
    });
    this.dim = this.make(8, 8, (ink) => {
      ink.fillStyle = '#020605';
      ink.fillRect(0, 0, 8, 8);
    });
  }

  #picture({ width, height, paint }: Painting): Texture {
    return this.make(width, height, paint);
  }

  /** A texture of `width` x `height` CSS pixels. */
  make(width: number, height: number, paint: (ink: Ink) => void): Texture {
    const { canvas, ink } = sheet(width, height, this.resolution);
    paint(ink);
    return this.wrap(canvas);
  }

  wrap(canvas: HTMLCanvasElement): Texture {
    const texture = new Texture({
      source: new CanvasSource({ resource: canvas, resolution: this.resolution }),
    });
    this.#made.push(texture);
    return texture;
  }

  face(card: Card | null): Texture {
    return card === null ? this.back : this.#faces.get(cardName(card))!;
  }

  /** A face whose indices are covered with paper: what a card shows whose corners are held. */
  coveredFace(card: Card): Texture {
    let texture = this.#covered.get(card);
    if (texture === undefined) {
      const { width, height } = this.table.card;
      const { image, frames } = this.#source;
      const { x, y, w, h } = frames[cardName(card)]!;
      texture = this.make(width, height, (ink) => {
        ink.drawImage(image, x, y, w, h, 0, 0, width, height);
        ink.fillStyle = gradient(ink, [0, 0, 0, height], [0, '#FFFEFA'], [1, '#F6F1E4']);
        // the large index is all there is of a card and stays
        if (this.table.form.faces.endsWith('large')) return;
        const [cw, ch] = [width * 0.195, height * 0.34];
        ink.fillRect(width * 0.03, height * 0.03, cw, ch);
        ink.fillRect(width * 0.97 - cw, height * 0.97 - ch, cw, ch);
      });
      this.#covered.set(card, texture);
    }
    return texture;
  }

  /** A rounded sign for short text. Its shadow takes `PILL_PAD` units on every side. */
  pill(width: number, height: number, tone: PillTone): Texture {
    const key = `${Math.round(width * 4)}x${Math.round(height * 4)}${tone}`;
    let texture = this.#pills.get(key);
    if (texture === undefined) {
      const colours = PILLS[tone];
      const u = this.table.unit;
      const pad = PILL_PAD * u;
      texture = this.make(width + 2 * pad, height + 2 * pad, (ink) => {
        const r = height / 2;
        ink.save();
        shade(ink, 'rgba(0, 0, 0, .6)', 6 * u, 2 * u);
        ink.fillStyle = gradient(ink, [0, pad, 0, pad + height], [0, colours.top], [1, colours.bottom]);
        roundRect(ink, pad, pad, width, height, r);
        ink.fill();
        ink.restore();
        ink.strokeStyle = colours.edge;
        ink.lineWidth = Math.max(1 / this.resolution, 1.5 * u);
        roundRect(ink, pad + 0.5 * u, pad + 0.5 * u, width - u, height - u, r);
        ink.stroke();
      });
      this.#pills.set(key, texture);
    }
    return texture;
  }

  destroy(): void {
    for (const texture of this.#made) texture.destroy(true);
    for (const texture of this.#faces.values()) if (!texture.destroyed) texture.destroy();
    this.#pills.clear();
  }

  #cutFaces({ image, frames }: Faces): void {
    const { width, height } = this.table.card;
    const res = this.resolution;
    const w = Math.round(width * res);
    const h = Math.round(height * res);
    const names = Object.keys(frames);
    const columns = 9;
    const gap = 4;
    const { canvas, ink } = sheet(columns * (w + gap), Math.ceil(names.length / columns) * (h + gap), 1);
    const source = new CanvasSource({ resource: canvas, resolution: res });
    for (const [i, name] of names.entries()) {
      const { x, y, w: fw, h: fh } = frames[name]!;
      const dx = (i % columns) * (w + gap) + 2;
      const dy = Math.floor(i / columns) * (h + gap) + 2;
      ink.drawImage(image, x, y, fw, fh, dx, dy, w, h);
      // a clear pixel all around: turned edges stay smooth without multisampling
      const frame = new Rectangle((dx - 1) / res, (dy - 1) / res, (w + 2) / res, (h + 2) / res);
      this.#faces.set(name, new Texture({ source, frame }));
    }
    this.#made.push(new Texture({ source }));
  }

  /** The white card that marks the end of the shoe. */
  #paintEndCard(): Texture {
    const { card, unit: u } = this.table;
    return this.make(card.width, card.height, (ink) => {
      roundRect(ink, 0, 0, card.width, card.height, 8 * u);
      ink.fillStyle = gradient(ink, [0, 0, card.width, card.height], [0, '#FFFDF7'], [1, '#DDD4C0']);
      ink.fill();
      ink.strokeStyle = '#B9A98A';
      ink.lineWidth = 1.5 * u;
      ink.stroke();
      ink.fillStyle = 'rgba(158, 27, 30, .75)';
      lotus(ink, card.width / 2, card.height / 2 + 14 * u, 58 * u);
    });
  }

  #paintCardShadow(): Texture {
    const { card, unit: u } = this.table;
    const pad = 20 * u;
    return this.make(card.width + 2 * pad, card.height + 2 * pad, (ink) => {
      shade(ink, 'rgba(0, 0, 0, .75)', 11 * u);
      ink.fillStyle = 'rgba(0, 0, 0, .55)';
      roundRect(ink, pad + 2 * u, pad + 2 * u, card.width - 4 * u, card.height - 4 * u, 7 * u);
      ink.fill();
    });
  }
}

/** Units around a pill that belong to its shadow. */
const PILL_PAD = 10;
