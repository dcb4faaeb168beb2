/** A thread beside the page that paints one ground. */
import { type GroundWish, paintGround } from './ground.ts';

addEventListener('message', ({ data }: MessageEvent<GroundWish>) => {
  // here a sheet is one that belongs to no page
  const canvas = paintGround(data.table, data.resolution).canvas as unknown as OffscreenCanvas;
  const picture = canvas.transferToImageBitmap();
  postMessage(picture, { transfer: [picture] });
});
