import type { Station } from './station.ts';
import { touchRegions } from './touch-regions.ts';

const FOR_MS = 1_000;
/** As many as the host takes. */
const MOST_REGIONS = 400;

/**
 * Whenever the host asks: frames counted for a second, the screen as the browser has it, and where
 * a touch is heard.
 */
export function answerMeasures(station: Station): void {
  let isMeasuring = false;
  station.wire.onMeasure(() => {
    if (isMeasuring) return;
    isMeasuring = true;
    void countFrames().then((frames) => {
      isMeasuring = false;
      station.wire.post({
        t: 'measured',
        renderer: station.scene.value?.renderer ?? 'dom',
        width: innerWidth,
        height: innerHeight,
        pixelRatio: devicePixelRatio,
        ...frames,
        touchPoints: navigator.maxTouchPoints,
        regions: touchRegions(station)
          .slice(0, MOST_REGIONS)
          .map(({ outline }) => boxOf(outline)),
      });
    });
  });
}

function countFrames(): Promise<{ readonly framesPerSecond: number; readonly longestFrameMs: number }> {
  return new Promise((done) => {
    let beganAtMs = 0;
    let lastAtMs = 0;
    let count = 0;
    let longestFrameMs = 0;
    const frame = (atMs: number): void => {
      if (beganAtMs === 0) beganAtMs = atMs;
      else {
        count += 1;
        longestFrameMs = Math.max(longestFrameMs, atMs - lastAtMs);
      }
      lastAtMs = atMs;
      if (atMs - beganAtMs < FOR_MS) requestAnimationFrame(frame);
      else done({ framesPerSecond: (count * 1_000) / (atMs - beganAtMs), longestFrameMs });
    };
    requestAnimationFrame(frame);
  });
}

function boxOf(
  outline: readonly { readonly x: number; readonly y: number }[],
): [number, number, number, number] {
  const xs = outline.map(({ x }) => x);
  const ys = outline.map(({ y }) => y);
  const left = Math.round(Math.min(...xs));
  const top = Math.round(Math.min(...ys));
  return [left, top, Math.round(Math.max(...xs)) - left, Math.round(Math.max(...ys)) - top];
}
