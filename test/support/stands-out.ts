/**
 * WCAG 2.2, 1.4.11, in pixels: how far something drawn stands out from what lies there without it.
 * Pure: in Node and in a page.
 */

/** Relative luminance of a part of a colour, 0 to 255. */
export const LIGHT: readonly number[] = Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Four bytes a pixel. */
export interface Pixels {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What a graphic must have against what is around it. */
const LEAST = 3;
/** Less than that is the soft end of a shadow. */
const SEEN = 1.25;
/** Fewer pixels are seen: something lies on it. */
const LEAST_PIXELS = 16;
/** Of something so faint that nobody sees it this part of its box is other than without it. */
const FAINT = { ratio: 1.04, share: 0.1 };

const lightOf = ({ data }: Pixels, at: number): number =>
  0.2126 * LIGHT[data[at]!]! + 0.7152 * LIGHT[data[at + 1]!]! + 0.0722 * LIGHT[data[at + 2]!]!;

/** A box round pixels that grows. */
class Reach {
  left = Number.POSITIVE_INFINITY;
  top = Number.POSITIVE_INFINITY;
  right = Number.NEGATIVE_INFINITY;
  bottom = Number.NEGATIVE_INFINITY;
  count = 0;

  add(x: number, y: number): void {
    this.left = Math.min(this.left, x);
    this.top = Math.min(this.top, y);
    this.right = Math.max(this.right, x + 1);
    this.bottom = Math.max(this.bottom, y + 1);
    this.count += 1;
  }
}

/**
 * What is wrong with something in `box` that `shown` has and `bare` has not, in words; null = it
 * stands out, or something lies on it. `span`: what stands out goes over so much of its width and
 * of its height, the rest may be dark.
 */
export function faintness(shown: Pixels, bare: Pixels, box: Box, span = 0.6): string | null {
  const [all, clear, faint] = [new Reach(), new Reach(), new Reach()];
  let best = 1;
  for (let y = Math.max(0, Math.floor(box.top)); y < Math.min(shown.height, box.bottom); y += 1)
    for (let x = Math.max(0, Math.floor(box.left)); x < Math.min(shown.width, box.right); x += 1) {
      const at = 4 * (y * shown.width + x);
      const [a, b] = [lightOf(shown, at), lightOf(bare, at)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      best = Math.max(best, ratio);
      if (ratio >= FAINT.ratio) faint.add(x, y);
      if (ratio >= SEEN) all.add(x, y);
      if (ratio >= LEAST) clear.add(x, y);
    }
  const area = (box.right - box.left) * (box.bottom - box.top);
  if (all.count < LEAST_PIXELS)
    return clear.count === 0 && faint.count > FAINT.share * area ? `${best.toFixed(2)} at best` : null;
  const wide = (clear.right - clear.left) / (all.right - all.left);
  const high = (clear.bottom - clear.top) / (all.bottom - all.top);
  if (clear.count > 0 && wide >= span && high >= span) return null;
  const part = (share: number): string => `${Math.max(0, Math.round(100 * share))} %`;
  return `${best.toFixed(2)} at best, 3:1 over ${part(wide)} of its width and ${part(high)} of its height`;
}
