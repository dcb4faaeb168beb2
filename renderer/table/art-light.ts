/** Lights that come and go on the cloth. */
import { glow, type Ink, roundRect, shade } from './brush.ts';

/** Rays of gold that thin out, over a warm middle. `r` = how far they reach. */
export function paintWinLight(ink: Ink, r: number): void {
  ink.translate(r, r);
  ink.fillStyle = glow(
    ink,
    [0, 0, 0, r],
    [0, 'rgba(255, 236, 170, .75)'],
    [0.35, 'rgba(255, 207, 90, .34)'],
    [1, 'rgba(255, 190, 60, 0)'],
  );
  ink.beginPath();
  ink.arc(0, 0, r, 0, 7);
  ink.fill();
  ink.fillStyle = glow(
    ink,
    [0, 0, r * 0.18, r],
    [0, 'rgba(255, 240, 190, .8)'],
    [0.5, 'rgba(255, 214, 110, .4)'],
    [1, 'rgba(255, 200, 80, 0)'],
  );
  for (let k = 0; k < 20; k++) {
    const [half, reach] = k % 2 === 0 ? [0.075, r] : [0.05, r * 0.78];
    ink.beginPath();
    ink.moveTo(0, 0);
    ink.arc(0, 0, reach, (k * Math.PI) / 10 - half, (k * Math.PI) / 10 + half);
    ink.fill();
  }
}

/** The lamp of a jackpot's slot: its frame glows and the light in its corner burns. */
export function paintSlotLight(ink: Ink, u: number): void {
  shade(ink, 'rgba(255, 90, 40, .95)', 12 * u);
  ink.strokeStyle = '#FF9A5A';
  ink.lineWidth = 2.5 * u;
  roundRect(ink, 16 * u, 16 * u, 72 * u, 46 * u, 10 * u);
  ink.stroke();
  ink.stroke();
}
