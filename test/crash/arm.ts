import type { DiskMood } from './disk.ts';
import { ERRNO } from './disk.ts';
import type { State } from './states.ts';

/** Ways in which a life ends. */
export const DEATHS = [
  /** SIGKILL just before a commit, and just after it, before anybody hears of it. */
  'before commit',
  'after commit',
  /** SIGKILL in the middle of a sync. */
  'in sync',
  /** SIGKILL at any moment. */
  'any moment',
  /** SIGKILL at the first commits of a start, or at any moment of it. */
  'in start',
  /**
   * The disk refuses to write, or to sync; the host ends by itself or stands still, and then comes
   * SIGKILL.
   */
  'disk full',
  'disk error',
  'sync error',
  'read-only',
  /** A sync that takes long, and SIGKILL in the middle of it. */
  'slow disk',
] as const;
export type Death = (typeof DEATHS)[number];

export const DISK_TROUBLES = ['disk full', 'disk error', 'sync error', 'read-only'] as const;
export type DiskTrouble = (typeof DISK_TROUBLES)[number];
export const isDiskTrouble = (death: Death): death is DiskTrouble =>
  (DISK_TROUBLES as readonly Death[]).includes(death);

export const MOODS: Readonly<Record<DiskTrouble | 'slow disk', DiskMood>> = {
  'disk full': { writeErrno: ERRNO.ENOSPC },
  'disk error': { writeErrno: ERRNO.EIO },
  'sync error': { syncErrno: ERRNO.EIO },
  'read-only': { writeErrno: ERRNO.EROFS },
  'slow disk': { syncMs: 400 },
};

/**
 * At which commit the host under test dies: the first one that holds an entry of a kind not spared.
 */
export interface Arm {
  readonly death: Exclude<Death, 'any moment'>;
  readonly spare: readonly string[];
  /**
   * `in sync`: 1 = of the commit itself, more = of the checkpoint that may follow it, or of a later
   * commit.
   */
  readonly syncs?: number;
}

export type FromHost = { readonly url: string } | { readonly armed: true };

/**
 * A line on the host's pipe, written before it goes on: where the table stands, and what happens to
 * it now.
 */
export interface Standing {
  readonly states: readonly State[];
  readonly now?: Death;
}
