/** Whether a process that is still there does nothing any more: it was stopped, or hangs. */
import { readFileSync } from 'node:fs';

/**
 * A child under the watch says a word this often (`{"alive":true}`); any other line counts as well.
 */
const LOOK_MS = 500;
/** Silent for so long, while we were awake ourselves. */
const SILENT_MS = 6_000;
/**
 * A loop that never ends has used so much of the processor since its last word. One that only waits
 * for its turn has not.
 */
const LOOP_CPU_MS = 3_000;
/** Somebody who stops a process for a moment, to look at it, gets this long. */
const STOPPED_MS = 2_000;
/** A disk may take long; nothing can be killed while it waits for one. */
const DISK_MS = 60_000;

/** What the kernel says of a process's first thread. */
export interface ThreadState {
  /**
   * R runs or waits for its turn, S waits for something, D waits for a disk, T is stopped, Z has
   * ended.
   */
  readonly state: string;
  readonly cpuMs: number;
}

export interface Silence {
  readonly silentMs: number;
  /** Time of the processor at the last word; null = not yet looked at. */
  readonly cpuMs: number | null;
  readonly stoppedMs: number;
  /** It has said `alive` once: from a program that never does, silence means nothing. */
  readonly speaks: boolean;
}

export const HEARD_NOTHING: Silence = { silentMs: 0, cpuMs: null, stoppedMs: 0, speaks: false };

/**
 * @param elapsedMs since the last look; what is more than a look's time twice over was our own
 * stall, and counts nothing
 */
export function silenceAfter(before: Silence, elapsedMs: number, thread: ThreadState): Silence {
  const ms = Math.min(elapsedMs, 2 * LOOK_MS);
  return {
    ...before,
    silentMs: before.silentMs + ms,
    cpuMs: before.cpuMs ?? thread.cpuMs,
    stoppedMs: /^[Tt]$/.test(thread.state) ? before.stoppedMs + ms : 0,
  };
}

/** Why the process is to be ended; null = it is not. */
export function whyStalled(
  { silentMs, cpuMs, stoppedMs, speaks }: Silence,
  thread: ThreadState,
): string | null {
  if (stoppedMs >= STOPPED_MS) return 'it was stopped';
  if (!speaks || silentMs < SILENT_MS) return null;
  const silent = `it said nothing for ${Math.round(silentMs / 1_000)} s`;
  switch (thread.state) {
    case 'R':
      return thread.cpuMs - (cpuMs ?? thread.cpuMs) >= LOOP_CPU_MS
        ? `${silent} and kept the processor`
        : null;
    case 'S':
      return silent;
    case 'D':
      return silentMs >= DISK_MS ? `${silent}, waiting for a disk` : null;
    default:
      return null;
  }
}

/** Ticks of the kernel's accounts; 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Null where the kernel does not say: then nobody is judged. */
export function threadOf(pid: number): ThreadState | null {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
  } catch {
    return null;
  }
}

/**
 * Watches a process until `stop`. `stalled` hears why, again and again until the process is gone.
 */
export function watchStalls(
  pid: number,
  stalled: (why: string) => void,
): { heard(isAlive: boolean): void; stop(): void } {
  let silence = HEARD_NOTHING;
  let lookedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const elapsedMs = nowMs - lookedMs;
    lookedMs = nowMs;
    const thread = threadOf(pid);
    if (thread === null) return;
    silence = silenceAfter(silence, elapsedMs, thread);
    const why = whyStalled(silence, thread);
    if (why !== null) stalled(why);
  }, LOOK_MS).unref();
  return {
    heard: (isAlive) => {
      silence = { ...HEARD_NOTHING, speaks: silence.speaks || isAlive };
    },
    stop: () => clearInterval(timer),
  };
}
