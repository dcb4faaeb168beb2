/** How long a host waits for an answer, on a line that may be slow or stand still for a moment. */
import type { Line } from './protocol.ts';

/** At first, and never less. */
export const PATIENCE_MS = 200;
const MOST_MS = 1000;
/**
 * A frame whose bytes are coming in is not cut off: an adapter, or a network, may stall so long
 * between two of them.
 */
const STALL_MS = 350;
/** And no unit says anything for so long: what still comes then is no answer. */
const ANSWER_MS = 4000;

/** As the last answer took, and `leastMs` more for the next one. */
export const patienceAfter = (tookMs: number, leastMs = PATIENCE_MS): number =>
  tookMs <= leastMs / 2 ? leastMs : Math.min(MOST_MS, tookMs + leastMs);

/**
 * A unit not heard for so long may have restarted in between: twice what an answer may take, and a
 * poll.
 */
export const hidesRestartMs = (patienceMs: number): number => 2 * Math.max(PATIENCE_MS, patienceMs) + 100;

/** When an answer that has not come is given up. */
export function replyDueMs(
  line: Pick<Line, 'parser' | 'bytesAtMs'>,
  sentAtMs: number,
  withinMs: number,
): number {
  const dueMs = sentAtMs + withinMs;
  const isComing = line.parser.kept.length > 0 && line.bytesAtMs > sentAtMs;
  return isComing ? Math.min(Math.max(dueMs, line.bytesAtMs + STALL_MS), sentAtMs + ANSWER_MS) : dueMs;
}
