/**
 * The sizes of the letters that the felt of the page as it ships draws, measured where they come
 * onto its canvas: each canvas that letters are written on is followed through every copy, with
 * what
 * each copy makes them larger or smaller.
 */
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    /** What has been drawn, in pixels of 1080 lines; whoever reads it may empty it. */
    drawnLetters?: { readonly text: string; readonly px: number }[];
    /** Of these what is printed on the cloth, in the last frame, where it stands in CSS pixels. */
    clothLetters?: { readonly text: string; readonly px: number; readonly x: number; readonly y: number }[];
    /** Cards on the cloth in the last frame, the box around each in CSS pixels. */
    feltCards?: {
      readonly left: number;
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
    }[];
  }
}

/** Where a player reads it. */
const LEAST_PX = 22;

export const smallOnFelt = async (page: Page): Promise<string[]> => {
  // The sign above the table shows it as a picture, beside the words that are read across a room.
  const drawn = await page.evaluate(() =>
    document.querySelector('.sign-felt') ? [] : (window.drawnLetters ?? []),
  );
  const small = drawn.filter(({ px }) => px < LEAST_PX - 0.05);
  return [...new Set(small.map(({ text, px }) => `small on the felt: ${px.toFixed(1)} px: ${text}`))];
};

/** Print of the cloth that a panel, its tabs or a sign lies over: whole words, or none. */
export const cutLettering = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const covers = [...document.querySelectorAll<HTMLElement>('.panels > .panel, .seat-tab, .strip')]
      .filter((cover) => cover.checkVisibility())
      .map((cover) => cover.getBoundingClientRect());
    const cut = (window.clothLetters ?? []).filter(({ x, y, px }) =>
      covers.some(
        ({ left, right, top, bottom }) =>
          x + px / 2 > left && x - px / 2 < right && y + px / 2 > top + 1 && y - px / 2 < bottom - 1,
      ),
    );
    return cut.length === 0 ? [] : [`cut lettering: ${cut.map(({ text }) => text).join('')}`];
  });

/**
 * Cards on the cloth that a panel or its tabs lie over in part: a hand is seen whole or not at
 * all.
 */
export const cutCards = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.panels > .panel, .panels .seat-tab')].flatMap((cover) => {
      const over = cover.getBoundingClientRect();
      // What lies in tray and shoe, at both ends of the dealer's edge, is nobody's hand.
      const isHeld = (card: { left: number; right: number; top: number }): boolean =>
        card.top < 0.16 * innerHeight && Math.abs(card.left + card.right - innerWidth) > 0.6 * innerWidth;
      const cut = (window.feltCards ?? []).filter(
        ({ left, top, right, bottom }) =>
          !isHeld({ left, right, top }) &&
          right > over.left + 1 &&
          left < over.right - 1 &&
          bottom > over.top + 1 &&
          top < over.bottom - 1,
      );
      const seat = cover.closest<HTMLElement>('.panel')!.dataset['seat'];
      return cut.length === 0 ? [] : [`cut cards: ${cut.length} behind ${cover.className} of seat ${seat}`];
    }),
  );

export const forgetDrawn = (page: Page): Promise<void> =>
  page.evaluate(() => {
    if (window.drawnLetters) window.drawnLetters.length = 0;
  });

/** Before the first script of the page runs. */
export const watchLetters = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    interface Written {
      readonly text: string;
      /** Of the pixels of its canvas, and where it stands in them. */
      readonly px: number;
      readonly x: number;
      readonly y: number;
      readonly isCloth: boolean;
    }
    const FACES = new Set(['10', '50', '100', '500', '1K', '5K']);
    const written = new WeakMap<object, Written[]>();
    const drawn: { text: string; px: number }[] = [];
    window.drawnLetters = drawn;
    const cloth: NonNullable<Window['clothLetters']> = [];
    window.clothLetters = cloth;
    const cards: NonNullable<Window['feltCards']> = [];
    window.feltCards = cards;
    const faces = new WeakSet<object>();
    const isWide = ({ width }: { readonly width: number }): boolean =>
      width >= Math.floor(innerWidth * devicePixelRatio);
    const proto = CanvasRenderingContext2D.prototype;
    const { fillText, drawImage } = proto;
    const scaleOf = ({ a, b }: DOMMatrix): number => Math.hypot(a, b);
    proto.fillText = function (text, x, y, ...rest) {
      const [, px = '0'] = /([\d.]+)px/.exec(this.font) ?? [];
      const matrix = this.getTransform();
      const half = this.textAlign === 'center' ? 0 : this.measureText(text).width / 2;
      const at = matrix.transformPoint({ x: x + half, y });
      // The value on a chip is its picture; what lies there is written beside it.
      if (text.trim() !== '' && !FACES.has(text)) {
        const all = written.get(this.canvas) ?? [];
        const size = Number(px) * scaleOf(matrix);
        all.push({ text, px: size, x: at.x, y: at.y, isCloth: isWide(this.canvas) });
        written.set(this.canvas, all);
      }
      fillText.call(this, text, x, y, ...rest);
    };
    proto.drawImage = function (this: CanvasRenderingContext2D, image: CanvasImageSource, ...at: number[]) {
      // The ground of the table begins a frame.
      const whole = image as HTMLCanvasElement;
      if (this.canvas.isConnected && isWide(whole) && (at.length < 8 || at[2]! >= whole.width))
        cloth.length = cards.length = 0;
      // Only the faces come as a bitmap.
      const isFace = image instanceof ImageBitmap || faces.has(image);
      if (isFace && !this.canvas.isConnected) faces.add(this.canvas);
      if (isFace && this.canvas.isConnected && at.length === 8) {
        const [, , , , x, y, w, h] = at as [number, number, number, number, number, number, number, number];
        const matrix = this.getTransform();
        const corners = [x, x + w].flatMap((px) =>
          [y, y + h].map((py) => matrix.transformPoint({ x: px, y: py })),
        );
        const box = this.canvas.getBoundingClientRect();
        const xs = corners.map((corner) => box.left + corner.x / devicePixelRatio);
        const ys = corners.map((corner) => box.top + corner.y / devicePixelRatio);
        cards.push({
          left: Math.min(...xs),
          top: Math.min(...ys),
          right: Math.max(...xs),
          bottom: Math.max(...ys),
        });
      }
      const from = written.get(image);
      if (from) {
        const { width, height } = whole;
        const [sx, sy, sw, sh, dx, dy, dw, dh] = (
          at.length === 8 ? at : [0, 0, width, height, at[0], at[1], at[2] ?? width, at[3] ?? height]
        ) as [number, number, number, number, number, number, number, number];
        const matrix = this.getTransform();
        const scaled = (dw / sw) * scaleOf(matrix);
        // A canvas has whole pixels: one more or less of a glyph is no other size.
        const factor = Math.abs(sw * scaled - sw) < 1.1 ? 1 : scaled;
        const part = from.filter(
          ({ x, y }) => x >= sx - 1 && x < sx + sw + 1 && y >= sy - 1 && y < sy + sh + 1,
        );
        const placeOf = ({ x, y }: Written): { x: number; y: number } => {
          const to = { x: dx + ((x - sx) * dw) / sw, y: dy + ((y - sy) * dh) / sh };
          const { x: toX, y: toY } = matrix.transformPoint(to);
          return { x: toX, y: toY };
        };
        if (!this.canvas.isConnected)
          written.set(this.canvas, [
            ...(written.get(this.canvas) ?? []),
            ...part.map((one) => ({ ...one, px: one.px * factor, ...placeOf(one) })),
          ]);
        else if (this.globalAlpha > 0.05) {
          const line = Math.min(innerHeight / 1080, innerWidth / 1920) * devicePixelRatio;
          const box = this.canvas.getBoundingClientRect();
          for (const one of part) {
            drawn.push({ text: one.text, px: (one.px * factor) / line });
            const { x, y } = placeOf(one);
            if (one.isCloth)
              cloth.push({
                text: one.text,
                px: (one.px * factor) / devicePixelRatio,
                x: box.left + x / devicePixelRatio,
                y: box.top + y / devicePixelRatio,
              });
          }
        }
      }
      (drawImage as (this: CanvasRenderingContext2D, ...all: unknown[]) => void).call(this, image, ...at);
    } as typeof proto.drawImage;
  });
};
