import type { DisplayRole } from '../../wire/display.ts';
import type { Terminal } from '../table/terminal.ts';

const LOOK_MS = 1_000;
/** The last minute is shown on the screen, of a short time its last half. */
const WARNING_MS = 60_000;

interface ServiceWatchOptions {
  readonly terminal: Terminal;
  /** Ms since anything, never going back and moved by nobody's clock. */
  readonly monotonic: () => number;
  /** A session that nobody touches ends after so long. */
  readonly idleMs: number;
  /** Something that was asked for is still being made: nobody need touch anything meanwhile. */
  readonly isBusy: () => boolean;
  /** The dealer's own display has the pages, and the glass of the players none. */
  readonly isHandedOver: () => boolean;
  /** The warning has come or gone. */
  readonly changed: () => void;
}

/** Ends a service session that was left open: the next hand on the glass may be a player's. */
export class ServiceWatch {
  readonly #o: ServiceWatchOptions;
  #openedAt: DisplayRole = 'table';
  /** The session that is watched, by its beginning; null = none is open. */
  #sinceMs: number | null = null;
  #touchedMs = 0;
  #warns = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(o: ServiceWatchOptions) {
    this.#o = o;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  opened(role: DisplayRole): void {
    this.#openedAt = role;
    this.#sinceMs = this.#o.terminal.state.service?.sinceMs ?? null;
    this.touched(role);
  }

  /**
   * A hand on the display where the session was opened. The dealer's own screen has no pages of it
   * while the big table has them: then there any that has.
   */
  touched(role: DisplayRole): void {
    const isThere =
      role === this.#openedAt ||
      (this.#openedAt === 'dealer' && (role === 'service' || (role === 'table' && !this.#o.isHandedOver())));
    if (!isThere) return;
    this.#touchedMs = this.#o.monotonic();
    this.#warn(false);
  }

  /** While the end is near: when it comes, by the host's clock. */
  get leavesAtMs(): number | null {
    return this.#warns ? this.#o.terminal.now() + this.#leftMs() : null;
  }

  #leftMs(): number {
    return Math.max(0, this.#touchedMs + this.#o.idleMs - this.#o.monotonic());
  }

  #look(): void {
    const { terminal, monotonic, idleMs, isBusy } = this.#o;
    const sinceMs = terminal.state.service?.sinceMs ?? null;
    if (sinceMs !== this.#sinceMs || isBusy()) this.#touchedMs = monotonic();
    this.#sinceMs = sinceMs;
    const leftMs = this.#leftMs();
    if (sinceMs !== null && leftMs === 0) terminal.submit({ type: 'exit-service', why: 'untouched' });
    this.#warn(sinceMs !== null && leftMs > 0 && leftMs <= Math.min(WARNING_MS, idleMs / 2));
  }

  #warn(warns: boolean): void {
    if (warns === this.#warns) return;
    this.#warns = warns;
    this.#o.changed();
  }
}
