/**
 * Whether the kiosk's page is there, and what to do when it is not. Pure: time comes in with every
 * event.
 */

/** A page may load this long: a cold start on a loaded two-core machine took up to 15 s. */
export const LOAD_LIMIT_MS = 45_000;
/**
 * A page that had connected and lost its connection without loading again shows a crash or an
 * error.
 */
export const GONE_LIMIT_MS = 3_000;
/**
 * After a host restart pages reconnect by themselves; their longest pause between two tries is
 * shorter than this.
 */
export const RECONNECT_LIMIT_MS = 15_000;

export interface Watch {
  /** The page has to be up by then; null = nothing is awaited. */
  readonly deadlineMs: number | null;
  readonly waitingFor: 'load' | 'return' | 'reconnect' | null;
  /** The page was renewed already and has not been up since: next time the whole shell is. */
  readonly renewed: boolean;
}

export type WatchEvent =
  | 'shell-started'
  | 'shell-ended'
  | 'page-loads'
  | 'display-up'
  | 'display-gone'
  | 'display-stalled'
  | 'host-started'
  | 'host-ended'
  | 'deadline';

export type WatchAction = 'none' | 'renew-page' | 'kill-shell';

export const IDLE_WATCH: Watch = { deadlineMs: null, waitingFor: null, renewed: false };

/**
 * One step. `renew-page` = end the page's process and load it again; `kill-shell` = end the
 * window's process group.
 */
export function watchStep(
  watch: Watch,
  event: WatchEvent,
  nowMs: number,
): { readonly watch: Watch; readonly action: WatchAction } {
  const still = (next: Watch): { watch: Watch; action: WatchAction } => ({ watch: next, action: 'none' });
  const renew = (): { watch: Watch; action: WatchAction } => ({
    watch: { deadlineMs: nowMs + LOAD_LIMIT_MS, waitingFor: 'load', renewed: true },
    action: watch.renewed ? 'kill-shell' : 'renew-page',
  });
  switch (event) {
    case 'shell-started':
      return still({ deadlineMs: nowMs + LOAD_LIMIT_MS, waitingFor: 'load', renewed: false });
    case 'page-loads':
      return still({ ...watch, deadlineMs: nowMs + LOAD_LIMIT_MS, waitingFor: 'load' });
    case 'display-up':
    case 'shell-ended':
      return still(IDLE_WATCH);
    case 'host-ended':
      // Without a host no page can be up; the host's return sets a new limit.
      return still({ ...watch, deadlineMs: null, waitingFor: null });
    case 'host-started':
      return watch.waitingFor === 'load'
        ? still(watch)
        : still({ ...watch, deadlineMs: nowMs + RECONNECT_LIMIT_MS, waitingFor: 'reconnect' });
    case 'display-gone':
      // A page that loads again closes the old connection first: it must not be killed for that.
      return watch.waitingFor !== null
        ? still(watch)
        : still({ ...watch, deadlineMs: nowMs + GONE_LIMIT_MS, waitingFor: 'return' });
    case 'display-stalled':
      return renew();
    case 'deadline':
      return watch.deadlineMs === null || nowMs < watch.deadlineMs ? still(watch) : renew();
    default:
      return event satisfies never;
  }
}
