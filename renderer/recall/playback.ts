import type { RecallStep } from '../../wire/pages.ts';

/** How many times faster than life. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** Cards need as long to lie down. */
const LEAST_MS = 700;
/** Nobody waits out a betting window a second time. */
const MOST_MS = 2_500;

/** How long a step stays before the next one: as long as it did, within reason. */
export function stayMs(step: RecallStep, next: RecallStep, speed: Speed): number {
  const lastedMs = next.view.nowMs - step.view.nowMs;
  return Math.min(MOST_MS, Math.max(LEAST_MS, lastedMs)) / speed;
}
