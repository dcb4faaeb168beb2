/**
 * Makes `assets/generated/ground-WIDTHxHEIGHT.webp`, the ground of the table on the usual displays,
 * out of what `renderer/table/felt.ts` paints. Run by hand after a change there: `node
 * test/pictures/ground.ts`. The results are in the repository; `ground.test.ts` notices when they
 * are no longer what is painted.
 */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { type Gallery, launch, openGallery, serveGallery } from './gallery.ts';

export const GROUNDS = [
  [1366, 768],
  [1920, 1080],
  [3840, 2160],
] as const;

export const groundFile = (width: number, height: number): string =>
  join(import.meta.dirname, '..', '..', 'assets', 'generated', `ground-${width}x${height}.webp`);

/** The ground as the page paints it, PNG. */
export async function paintGround(
  browser: Browser,
  gallery: Gallery,
  width: number,
  height: number,
): Promise<Buffer> {
  const { page } = await openGallery(browser, gallery, { state: 'turn', renderer: 'canvas', still: '' });
  const url = await page.evaluate(([w, h]) => window.paintGround!(w, h), [width, height] as const);
  await page.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

if (import.meta.main) {
  argumentsOf({});
  const gallery = await serveGallery();
  const browser = await launch('canvas');
  try {
    for (const [width, height] of GROUNDS) {
      const png = await paintGround(browser, gallery, width, height);
      // 95: nobody sees the difference, and a quarter of the size without any loss
      await sharp(png)
        .removeAlpha()
        .webp({ quality: 95, effort: 6, smartSubsample: true })
        .toFile(groundFile(width, height));
      console.log(groundFile(width, height));
    }
  } finally {
    await browser.close();
    await gallery.close();
  }
}
