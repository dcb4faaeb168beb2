/** Where a window is, and whether its display is plugged in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As the terminal file names it, see host/config/displays.ts. */
export interface Place {
  /** Of the X server; absent: $DISPLAY. */
  readonly screen?: string;
  /** `WxH+X+Y` of that screen; absent: all of it. */
  readonly area?: string;
  readonly connector?: string;
  /** X's name of its touch glass; absent: the only one there is. */
  readonly touch?: string;
}

export interface PlacedWindow {
  readonly role: string;
  readonly place: Place;
}

/** The one window of a terminal file that names no displays. */
export const TABLE_ALONE: PlacedWindow = { role: 'table', place: {} };

export interface Area {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

export function areaOf({ area }: Place): Area | null {
  const numbers = /^(\d+)x(\d+)\+(\d+)\+(\d+)$/
    .exec(area ?? '')
    ?.slice(1)
    .map(Number);
  if (!numbers) return null;
  const [width, height, x, y] = numbers as [number, number, number, number];
  return { width, height, x, y };
}

/** Folder of a window's own files, beside that of the table's. */
export const homeOf = (home: string, role: string): string =>
  role === TABLE_ALONE.role ? home : `${home}-${role.replace(':', '-')}`;

/** The kernel says of every connector whether a display is plugged in; any account may read it. */
export const DRM = '/sys/class/drm';
const LOOK_MS = 500;

type Plug = 'in' | 'out' | 'unknown';

function plugOf(connector: string, drm: string): Plug {
  try {
    return readFileSync(join(drm, connector, 'status'), 'latin1').trim() === 'disconnected' ? 'out' : 'in';
  } catch {
    return 'unknown';
  }
}

/** What a connector that is not there could have been meant to be. */
function connectorsIn(drm: string): string {
  try {
    const names = readdirSync(drm).filter((name) => /^card\d+-/.test(name));
    return names.length === 0 ? 'none' : names.join(', ');
  } catch {
    return 'none';
  }
}

/**
 * Resolves once the display is plugged in; rejects when `signal` fires. A connector that the kernel
 * does not know is no reason to keep a table without its window: it is logged, and taken as there.
 */
export async function pluggedIn(
  { connector }: Place,
  signal: AbortSignal,
  log: (line: string) => void,
  drm = DRM,
): Promise<void> {
  if (connector === undefined) return;
  for (let said = false; ; said = true) {
    const plug = plugOf(connector, drm);
    if (plug === 'unknown')
      log(
        `there is no connector ${connector}; the kernel has ${connectorsIn(drm)}: nobody sees it unplugged`,
      );
    if (plug !== 'out') return;
    if (!said) log(`${connector}: no display is plugged in, its window waits`);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, LOOK_MS);
      const stop = (): void => {
        clearTimeout(timer);
        reject(new Error('no display was plugged in'));
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }
}

/** Calls `gone` once when the display is unplugged. Returns what ends the looking. */
export function watchPlug({ connector }: Place, gone: () => void, drm = DRM): () => void {
  if (connector === undefined) return () => {};
  const timer = setInterval(() => {
    if (plugOf(connector, drm) !== 'out') return;
    clearInterval(timer);
    gone();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
