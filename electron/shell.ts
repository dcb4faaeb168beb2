import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import type { Running } from './keeper.ts';
import type { KioskUser } from './kiosk-user.ts';
import type { Place } from './place.ts';
import type { TouchMatrix } from './touch.ts';

/** What the window tells the supervisor. */
export interface ShellEvents {
  /** The page begins to load (again). */
  onPageLoads(): void;
  /** The page has no session any more: open() it with a new ticket. */
  onTicketNeeded(): void;
  readonly log: (line: string) => void;
}

/**
 * A window on the table's page: the same for Electron, Chromium and headless Chromium. It shows the
 * colour of the felt's edge until it is sent to an address.
 */
export interface Shell extends Running {
  open(url: string): void;
  /** Ends the page's process, even one that does not answer, and loads the page again. */
  renewPage(why: string): void;
  kill(): void;
  /** PNG of what the window shows. */
  shot(): Promise<Buffer>;
  /** Where its glass is felt from now on. */
  touch(matrix: TouchMatrix): void;
}

/** A window without the glass before it. */
export type Pane = Omit<Shell, 'touch'>;

export interface ShellOptions {
  readonly user: KioskUser;
  /** Folder for the window's own files; everything in it is rebuilt at every start. */
  readonly home: string;
  readonly mode: 'kiosk' | 'windowed' | 'headless';
  /** Without a display, or windowed; where no `area` says more. */
  readonly size: { readonly width: number; readonly height: number };
  readonly place: Place;
  /** For tests only. */
  readonly debugPort: number | null;
  readonly events: ShellEvents;
}

/**
 * A window that has not begun to load its page again by then, when told to, does not answer itself:
 * it is ended.
 */
export const RENEW_LIMIT_MS = 3_000;

/**
 * The kernel offers a GPU when it has a render node; without one the browser must not look for it.
 */
export const hasGpu = (): boolean =>
  existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'));

/** Ends a whole process group that `child` leads. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It ended in between.
  }
}
