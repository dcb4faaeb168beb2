/**
 * The page of `bench/busy.ts`: `?by=banca` (or `canvas2d`, `phaser`) draws the scene without end.
 */
import '@fontsource-variable/noto-sans-hk';
import { create as banca } from './banca.ts';
import { create as canvas2d } from './canvas2d.ts';
import { create as phaser } from './phaser.ts';

export const CONTENDERS = { banca, canvas2d, phaser };

export interface Frames {
  /** From one frame to the next, as the browser gives their times. */
  readonly intervalsMs: readonly number[];
  readonly jsMs: readonly number[];
}

declare global {
  interface Window {
    busy?: {
      /** Keeps what is drawn for that long. */
      watch(forMs: number): Promise<Frames>;
      /** Stands still at this moment of the scene; resolves when it is on the screen. */
      still(ms: number): Promise<void>;
    };
  }
}

const by = new URLSearchParams(location.search).get('by') as keyof typeof CONTENDERS;
const host = document.querySelector<HTMLElement>('#table')!;
const contender = await CONTENDERS[by](host);
let stillMs: number | null = null;
let heard: ((atMs: number, jsMs: number) => void) | null = null;
contender.run(
  () => stillMs ?? performance.now(),
  (atMs, jsMs) => heard?.(atMs, jsMs),
);
window.busy = {
  watch: (forMs) =>
    new Promise((done) => {
      const untilMs = performance.now() + forMs;
      const atMs: number[] = [];
      const jsMs: number[] = [];
      heard = (at, js) => {
        atMs.push(at);
        jsMs.push(js);
        if (performance.now() < untilMs) return;
        heard = null;
        done({ intervalsMs: atMs.slice(1).map((each, i) => each - atMs[i]!), jsMs });
      };
    }),
  still: (ms) =>
    new Promise((done) => {
      stillMs = ms;
      let frames = 0;
      heard = () => {
        frames += 1;
        if (frames < 3) return;
        heard = null;
        done();
      };
    }),
};
