/**
 * Memory of the window and the host while the demonstration plays by itself; `--minutes` says for
 * how long.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree } from '../test/shell/processes.ts';
import { screenFor, startKiosk } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { atMost, median, progress, round3, slope } from './stats.ts';

/** Code is compiled and caches fill until then. */
const WARM_MS = 60_000;
const LOOK_MS = 10_000;
const MIB = 2 ** 20;

interface Look {
  readonly minutes: number;
  readonly heapMiB: number;
  readonly windowPssMiB: number;
  readonly hostPssMiB: number;
}

/** Memory of a process and all below it, what is shared counted in parts. */
export function pssMiB(root: number): number {
  let kib = 0;
  for (const { pid } of processTree(root))
    try {
      kib += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // it ended in between
    }
  return kib / 1_024;
}

/** By how many per cent the last quarter lies above the first. */
function growth(looks: readonly Look[], of: (look: Look) => number): number {
  const quarter = Math.max(1, Math.floor(looks.length / 4));
  const [first, last] = [looks.slice(0, quarter), looks.slice(-quarter)].map((part) => median(part.map(of)));
  return (100 * (last! - first!)) / first!;
}

export async function benchWindowMemory(context: PartContext): Promise<object | null> {
  const screen = await screenFor(context, 'memory of the window');
  if (!screen) return null;
  const terminal = await startKiosk(context, screen, ['--demo']);
  const page = await terminal.page();
  const cdp = await page.context().newCDPSession(page);
  const rounds = (): number => terminal.events.filter(({ message }) => roundOf(message)).length;
  progress(`memory: ${context.minutes} minutes of play in the window`);
  await sleep(WARM_MS);
  const before = rounds();
  const startMs = performance.now();
  const looks: Look[] = [];
  const untilMs = startMs + context.minutes * 60_000;
  while (performance.now() < untilMs) {
    await sleep(LOOK_MS);
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    looks.push({
      minutes: (performance.now() - startMs) / 60_000,
      heapMiB: usedSize / MIB,
      windowPssMiB: pssMiB(terminal.pidOf('window')),
      hostPssMiB: pssMiB(terminal.pidOf('host')),
    });
  }
  const minutes = looks.map((look) => look.minutes);
  const each = Math.max(1, Math.floor(looks.length / 6));
  return {
    minutes: context.minutes,
    rounds: rounds() - before,
    goals: {
      heapMiBPerMinute: atMost(
        slope(
          minutes,
          looks.map((look) => look.heapMiB),
        ),
        0.1,
      ),
      windowPssGrowthPercent: atMost(
        growth(looks, (look) => look.windowPssMiB),
        2,
      ),
    },
    hostPssGrowthPercent: round3(growth(looks, (look) => look.hostPssMiB)),
    looks: looks
      .filter((_, i) => i % each === 0 || i === looks.length - 1)
      .map((look) => Object.fromEntries(Object.entries(look).map(([name, value]) => [name, round3(value)]))),
    note: 'heap of the page after collecting garbage; growth: median of the last quarter of the looks over that of the first; a minute of play before the first',
  };
}

export const roundOf = (message: Readonly<Record<string, unknown>>): boolean =>
  (message['host'] as { round?: unknown } | undefined)?.round !== undefined;
