/** One way of drawing the scene. */
export interface Contender {
  /**
   * Draws from now on, frame by frame, what `clock` says; reports each frame's time and what its
   * JavaScript took.
   */
  run(clock: () => number, drawn: (atMs: number, jsMs: number) => void): void;
}

/** For those that leave the loop to the page. */
export const frameByFrame = (draw: (ms: number) => void): Contender => ({
  run(clock, drawn) {
    const frame = (atMs: number): void => {
      requestAnimationFrame(frame);
      const startMs = performance.now();
      draw(clock());
      drawn(atMs, performance.now() - startMs);
    };
    requestAnimationFrame(frame);
  },
});

/**
 * How a card's shadow falls, as the product's `CardWidget` has it; relative to the card's middle,
 * before its turn.
 */
export function shadowOf(
  { turn, lift, open }: { readonly turn: number; readonly lift: number; readonly open: number },
  unit: number,
): {
  readonly x: number;
  readonly y: number;
  readonly alpha: number;
  readonly width: number;
  readonly height: number;
} {
  const dx = lift * 6 * unit;
  const dy = (3 + lift * 20) * unit;
  const cos = Math.cos(-turn);
  const sin = Math.sin(-turn);
  return {
    x: dx * cos - dy * sin,
    y: dx * sin + dy * cos,
    alpha: 0.85 - lift * 0.4,
    width: Math.max(open, 0.04),
    height: 1 + lift * 0.05,
  };
}
