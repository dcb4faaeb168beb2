/** The stored grounds of the table are what the page would paint there. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { noChromium } from '../support/chromium.ts';
import { fullOr } from '../support/long.ts';
import { type Gallery, launch, serveGallery } from './gallery.ts';
import { GROUNDS, groundFile, paintGround } from './ground.ts';

const skip = noChromium;
/**
 * Pixels on a side of the squares that are compared by their mean colour: threads of the cloth lose
 * some of their grain.
 */
const SQUARE = 12;
/** Of 255. The compression takes up to 5 away. */
const MOST = 8;

let gallery: Gallery;
let browser: Browser;

before(
  async () => {
    if (skip !== false) return;
    gallery = await serveGallery();
    browser = await launch('canvas');
  },
  { timeout: 600_000 },
);
after(async () => {
  await browser?.close();
  await gallery?.close();
});

/** Mean colours of the squares, three numbers each. */
async function squares(picture: string | Buffer, width: number, height: number): Promise<number[]> {
  const bytes = await sharp(picture).removeAlpha().raw().toBuffer();
  const columns = Math.ceil(width / SQUARE);
  const sums = Array.from({ length: columns * Math.ceil(height / SQUARE) * 3 }, () => ({
    sum: 0,
    pixels: 0,
  }));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const square = Math.floor(y / SQUARE) * columns + Math.floor(x / SQUARE);
      for (let c = 0; c < 3; c++) {
        const mean = sums[square * 3 + c]!;
        mean.sum += bytes[(y * width + x) * 3 + c]!;
        mean.pixels += 1;
      }
    }
  return sums.map(({ sum, pixels }) => sum / pixels);
}

/** One painter for all sizes: `npm test` looks at one. */
for (const [width, height] of GROUNDS.slice(0, fullOr(Infinity, 1)))
  test(`the stored ground of ${width}x${height} is the painted one`, { skip }, async () => {
    const { width: w, height: h } = await sharp(groundFile(width, height)).metadata();
    assert.deepEqual([w, h], [width, height]);
    const stored = await squares(groundFile(width, height), width, height);
    const painted = await squares(await paintGround(browser, gallery, width, height), width, height);
    const worst = painted.reduce((most, value, i) => Math.max(most, Math.abs(value - stored[i]!)), 0);
    assert.ok(
      worst <= MOST,
      `a square differs by ${worst.toFixed(1)}; after a change of the painting: node test/pictures/ground.ts`,
    );
  });
