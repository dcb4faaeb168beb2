/**
 * Pictures of everything that moves, painted or resampled once at the device's true resolution and handed to Pixi as
 * textures. Glows and shadows are painted too: the canvas renderer has no filters.
 */
import { CanvasSource, Rectangle, Texture } from 'pixi.js';
import smallFrames from '../../assets/generated/cards-120.json' with { type: 'json' };
import largeFrames from '../../assets/generated/cards-240.json' with { type: 'json' };
import { type Card, cardName } from '../../engine/core/cards.ts';
import { font, glow, gradient, type Ink, lotus, paintPlaque, roundRect, shade, sheet } from './brush.ts';
import { CHIPS } from './chips.ts';
import type { TableLayout } from './layout.ts';
import type { BadgeTone, LabelTone, RibbonTone } from './picture.ts';

export type PillTone = BadgeTone | LabelTone | RibbonTone;

const PILLS: Record<PillTone, { top: string; bottom: string; edge: string; text: number }> = {
  total: { top: '#201B18', bottom: '#0B0908', edge: '#B8924F', text: 0xf4ebd9 },
  turn: { top: '#3A2E12', bottom: '#171004', edge: '#FFCF5A', text: 0xffe3a0 },
  blackjack: { top: '#C0262A', bottom: '#7A1013', edge: '#F1D79B', text: 0xfff1d6 },
  natural: { top: '#C0262A', bottom: '#7A1013', edge: '#F1D79B', text: 0xfff1d6 },
  busted: { top: '#2A2422', bottom: '#141110', edge: '#6F625A', text: 0xa99c8b },
  stake: { top: '#1B1714', bottom: '#0A0807', edge: '#8A6B38', text: 0xf4ebd9 },
  won: { top: '#F4DDA4', bottom: '#C4923F', edge: '#FFF3D2', text: 0x241703 },
  lost: { top: '#2A2422', bottom: '#141110', edge: '#6F625A', text: 0xcfc3a4 },
  even: { top: '#2B2B2E', bottom: '#121214', edge: '#B9B2A2', text: 0xf4ebd9 },
};
export const pillText = (tone: PillTone): number => PILLS[tone].text;

async function loadAtlas(
  cardPixels: number,
): Promise<{ image: ImageBitmap; frames: typeof largeFrames.frames }> {
  const large = cardPixels > 120;
  const url = large
    ? new URL('../../assets/generated/cards-240.webp', import.meta.url)
    : new URL('../../assets/generated/cards-120.webp', import.meta.url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`card faces: ${answer.status} at ${url.pathname}`);
  return {
    image: await createImageBitmap(await answer.blob()),
    frames: (large ? largeFrames : smallFrames).frames,
  };
}

/** Loads both atlases' common frames once and keeps them for resizes. */
export interface Faces {
  readonly image: ImageBitmap;
  readonly frames: Readonly<Record<string, { x: number; y: number; w: number; h: number }>>;
}
/** `cardPixels` = width of a card on the table in device pixels. */
export const loadFaces = (cardPixels: number): Promise<Faces> => loadAtlas(cardPixels);

/** Textures for one size of the table. Sizes given to the makers are CSS pixels. */
export class Art {
  readonly #made: Texture[] = [];
  readonly #pills = new Map<string, Texture>();
  readonly #faces = new Map<string, Texture>();
  readonly back: Texture;
  readonly cardShadow: Texture;
  readonly chips: readonly Texture[];
  readonly chipShadow: Texture;
  readonly turnGlow: Texture;
  readonly handGlow: Texture;
  readonly offerGlow: Texture;
  readonly shoe: Texture;
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
    this.#cutFaces(faces);
    this.back = this.#faces.get('back')!;
    this.cardShadow = this.#paintCardShadow();
    this.chips = CHIPS.map((_, kind) => this.#paintChip(kind));
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
    this.handGlow = this.make(200, 200, (ink) => {
      shade(ink, 'rgba(255, 207, 90, .95)', 26);
      ink.fillStyle = 'rgba(255, 207, 90, .55)';
      roundRect(ink, 40, 40, 120, 120, 14);
      ink.fill();
    });
    this.shoe = this.#paintShoe();
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

  /** One chip seen from just in front of it: face, and below it the edge with its marks. */
  #paintChip(kind: number): Texture {
    const u = this.table.unit;
    const chip = CHIPS[kind]!;
    const r = CHIP_RADIUS * u;
    const edge = CHIP_EDGE * u;
    const pad = 2 * u;
    return this.make(2 * r + 2 * pad, 2 * r + edge + 2 * pad, (ink) => {
      const cx = r + pad;
      const cy = r + pad;
      // edge
      ink.fillStyle = chip.dark;
      ink.beginPath();
      ink.arc(cx, cy + edge, r, 0, Math.PI);
      ink.arc(cx, cy, r, Math.PI, 0, true);
      ink.fill();
      ink.beginPath();
      ink.arc(cx, cy + edge, r, 0, 7);
      ink.fill();
      ink.save();
      ink.beginPath();
      ink.arc(cx, cy + edge, r, 0, 7);
      ink.clip();
      ink.fillStyle = chip.edge;
      for (const at of [-0.62, -0.1, 0.42]) {
        const x = cx + Math.sin(at) * r;
        ink.globalAlpha = 0.82;
        ink.fillRect(x - 3 * u, cy, 7 * u, r + edge + 4 * u);
      }
      ink.restore();
      // face
      ink.fillStyle = chip.body;
      ink.beginPath();
      ink.arc(cx, cy, r, 0, 7);
      ink.fill();
      ink.fillStyle = chip.edge;
      for (let k = 0; k < 8; k++) {
        const a = (k * Math.PI) / 4 + Math.PI / 8;
        ink.beginPath();
        ink.arc(cx, cy, r, a - 0.17, a + 0.17);
        ink.arc(cx, cy, r * 0.76, a + 0.2, a - 0.2, true);
        ink.closePath();
        ink.fill();
      }
      ink.lineWidth = 0.9 * u;
      ink.strokeStyle = 'rgba(0, 0, 0, .55)';
      ink.beginPath();
      ink.arc(cx, cy, r - 0.4 * u, 0, 7);
      ink.stroke();
      // inlay
      ink.fillStyle = chip.body;
      ink.beginPath();
      ink.arc(cx, cy, r * 0.7, 0, 7);
      ink.fill();
      ink.fillStyle = glow(
        ink,
        [cx - r * 0.25, cy - r * 0.35, 0, r * 0.9],
        [0, 'rgba(255, 255, 255, .22)'],
        [1, 'rgba(0, 0, 0, .16)'],
      );
      ink.fill();
      ink.strokeStyle = chip.edge;
      ink.lineWidth = 1 * u;
      ink.globalAlpha = 0.85;
      ink.stroke();
      ink.globalAlpha = 1;
      ink.fillStyle = chip.ink;
      if (chip.value === 0) {
        ink.fillStyle = chip.edge;
        lotus(ink, cx, cy + 6 * u, 24 * u);
      } else {
        const size = (chip.face.length > 2 ? 18 : 21) * u;
        ink.font = font(800, size);
        ink.textAlign = 'center';
        ink.textBaseline = 'middle';
        ink.fillText(chip.face, cx, cy + size * 0.05);
      }
      // light from above
      ink.globalCompositeOperation = 'source-atop';
      ink.fillStyle = gradient(
        ink,
        [0, pad, 0, 2 * r + pad],
        [0, 'rgba(255, 246, 220, .26)'],
        [0.45, 'rgba(255, 246, 220, 0)'],
        [1, 'rgba(0, 0, 0, .2)'],
      );
      ink.beginPath();
      ink.arc(cx, cy, r, 0, 7);
      ink.fill();
    });
  }

  /**
   * The shoe from above, its mouth to the left: a lacquer box with a gold line, a brass roller, the lip over the next
   * card. What lies inside it (next card, edges of the pack) is drawn below and shows through the openings.
   */
  #paintShoe(): Texture {
    const { shoe, unit: u } = this.table;
    const pad = 20 * u;
    return this.make(shoe.width + 2 * pad, shoe.height + 2 * pad, (ink) => {
      const x = pad;
      const y = pad;
      const { width: w, height: h } = shoe;
      const body = (): void => {
        ink.beginPath();
        ink.moveTo(x + 46 * u, y + 16 * u);
        ink.quadraticCurveTo(x + 64 * u, y, x + 92 * u, y);
        ink.lineTo(x + w - 16 * u, y);
        ink.quadraticCurveTo(x + w, y, x + w, y + 16 * u);
        ink.lineTo(x + w, y + h - 16 * u);
        ink.quadraticCurveTo(x + w, y + h, x + w - 16 * u, y + h);
        ink.lineTo(x + 92 * u, y + h);
        ink.quadraticCurveTo(x + 64 * u, y + h, x + 46 * u, y + h - 16 * u);
        ink.closePath();
      };
      ink.save();
      shade(ink, 'rgba(0, 0, 0, .7)', 18 * u, 6 * u);
      body();
      ink.fillStyle = gradient(
        ink,
        [0, y, 0, y + h],
        [0, '#4A2B1B'],
        [0.12, '#2A1810'],
        [0.85, '#1A0E08'],
        [1, '#0E0704'],
      );
      ink.fill();
      ink.restore();
      body();
      ink.strokeStyle = gradient(ink, [0, y, 0, y + h], [0, '#F1D79B'], [1, '#8A6631']);
      ink.lineWidth = 1.8 * u;
      ink.stroke();
      // the trough with the pack
      const trough = shoeTrough(this.table);
      const tx = x + trough.x - shoe.x;
      const ty = y + trough.y - shoe.y;
      roundRect(ink, tx - 4 * u, ty - 4 * u, trough.width + 8 * u, trough.height + 8 * u, 6 * u);
      ink.fillStyle = '#060403';
      ink.fill();
      ink.strokeStyle = 'rgba(217, 179, 108, .55)';
      ink.lineWidth = 1 * u;
      ink.stroke();
      // brass lip with the notch for the thumb
      const lx = x + 62 * u;
      roundRect(ink, lx, y + 12 * u, 26 * u, h - 24 * u, 8 * u);
      ink.fillStyle = gradient(
        ink,
        [lx, 0, lx + 26 * u, 0],
        [0, '#8C6A33'],
        [0.35, '#F4DDA4'],
        [0.6, '#C49A52'],
        [1, '#6B4D20'],
      );
      ink.fill();
      ink.strokeStyle = 'rgba(40, 22, 4, .8)';
      ink.lineWidth = 1 * u;
      ink.stroke();
      ink.fillStyle = 'rgba(60, 36, 10, .85)';
      lotus(ink, lx + 13 * u, y + h / 2 + 6 * u, 22 * u);
    });
  }
}

/** The opening of the shoe in which the pack stands, in CSS pixels of the table. */
export function shoeTrough({ shoe, unit: u }: TableLayout): {
  x: number;
  y: number;
  width: number;
  height: number;
} {
  return {
    x: shoe.x + 110 * u,
    y: shoe.y + 20 * u,
    width: shoe.width - 128 * u,
    height: shoe.height - 40 * u,
  };
}

/** Units around a pill that belong to its shadow. */
const PILL_PAD = 10;
export const CHIP_RADIUS = 28;
export const CHIP_EDGE = 4.6;
