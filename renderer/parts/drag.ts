/** Part of the speed of a finger that is left after each frame of 16 ms when it has let go. */
const SLOWS_TO = 0.94;
const STANDS_BELOW = 0.02;

/**
 * Lets a finger move what is longer than its box. Chromium scrolls for one finger on the whole
 * page, and here several players touch at once: so each finger that comes down in the box moves
 * this box alone (`touch-action: none`). Returns the end of listening.
 */
export function dragToScroll(box: HTMLElement): () => void {
  let finger: number | null = null;
  let y = 0;
  let atMs = 0;
  /** Pixels per millisecond. */
  let speed = 0;
  let frame = 0;
  const rest = (): void => cancelAnimationFrame(frame);

  const run = (beforeMs: number) => (nowMs: number) => {
    const passedMs = nowMs - beforeMs;
    box.scrollTop -= speed * passedMs;
    speed *= SLOWS_TO ** (passedMs / 16);
    if (Math.abs(speed) > STANDS_BELOW) frame = requestAnimationFrame(run(nowMs));
  };
  const down = (event: PointerEvent): void => {
    if (finger !== null || event.pointerType !== 'touch') return;
    rest();
    finger = event.pointerId;
    y = event.clientY;
    atMs = event.timeStamp;
    speed = 0;
  };
  const move = (event: PointerEvent): void => {
    if (event.pointerId !== finger) return;
    const moved = event.clientY - y;
    box.scrollTop -= moved;
    speed = moved / Math.max(1, event.timeStamp - atMs);
    y = event.clientY;
    atMs = event.timeStamp;
  };
  const up = (event: PointerEvent): void => {
    if (event.pointerId !== finger) return;
    finger = null;
    // A finger that has stood still before it left throws nothing.
    if (event.timeStamp - atMs < 60) frame = requestAnimationFrame(run(event.timeStamp));
  };
  box.addEventListener('pointerdown', down);
  // A finger that leaves the box still moves it.
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', up);
  return () => {
    rest();
    box.removeEventListener('pointerdown', down);
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', up);
  };
}
