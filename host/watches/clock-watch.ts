import type { ClockPage } from '../../wire/pages.ts';
import type { Terminal } from '../table/terminal.ts';
import type { Limits } from './limits.ts';
import type { OwnFaults } from './own-faults.ts';

const LOOK_EVERY_MS = 1_000;

export interface ClockWatchOptions {
  readonly terminal: Terminal;
  readonly own: OwnFaults;
  /** Wall clock, ms since 1970 UTC. */
  readonly wall: () => number;
  /** Ms since anything; never goes back. */
  readonly monotonic: () => number;
  readonly limits: Limits;
}

/**
 * The wall clock against a clock that only counts: what is more than `clockJumpMs` apart between
 * two looks is an entry. Entries never go back in time, so a wall clock that was put back makes
 * time stand still in the ledger until it has caught up: that is a fault as long as it lasts. The
 * order of the entries is that of their numbers.
 */
export class ClockWatch {
  readonly #o: ClockWatchOptions;
  readonly #start: { readonly wallMs: number; readonly monotonicMs: number };
  #wallMs: number;
  #monotonicMs: number;
  #timer: NodeJS.Timeout | null = null;

  /** `lastEntryMs`: of the life before. A clock behind it has been put back while nobody looked. */
  constructor(o: ClockWatchOptions, lastEntryMs: number | null) {
    this.#o = o;
    this.#wallMs = o.wall();
    this.#monotonicMs = o.monotonic();
    this.#start = { wallMs: this.#wallMs, monotonicMs: this.#monotonicMs };
    const behindMs = (lastEntryMs ?? 0) - this.#wallMs;
    if (behindMs > o.limits.clockJumpMs) this.#tell(-behindMs);
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** What service mode shows of it. */
  page(): Omit<ClockPage, 'centre'> {
    const { terminal, limits, wall, monotonic } = this.#o;
    const wallMs = wall();
    return {
      wallMs,
      ledgerMs: terminal.now(),
      startedAtMs: this.#start.wallMs,
      driftMs: Math.round(wallMs - this.#start.wallMs - (monotonic() - this.#start.monotonicMs)),
      stepMs: limits.clockJumpMs,
    };
  }

  look(): void {
    const { terminal, own, limits, wall, monotonic } = this.#o;
    const wallMs = wall();
    const monotonicMs = monotonic();
    const byMs = wallMs - this.#wallMs - (monotonicMs - this.#monotonicMs);
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    if (Math.abs(byMs) > limits.clockJumpMs) this.#tell(Math.round(byMs));
    own.set('clock', 'clock-behind', terminal.now() - wallMs > limits.clockJumpMs);
  }

  /**
   * Our clock less the centre's, as the link measures it. A difference is a fault only once the
   * centre has asked for it, and until an answer shows that it is gone.
   */
  compare(offMs: number, isAsked = false): void {
    const { own, limits } = this.#o;
    const isOff = Math.abs(offMs) > limits.clockJumpMs;
    if (isOff ? isAsked : own.stands('clock', 'clock-off'))
      own.set('clock', 'clock-off', isOff, { place: `${offMs} ms` });
  }

  #tell(byMs: number): void {
    this.#o.terminal.record({ type: 'clock-jumped', byMs, wallMs: this.#wallMs });
  }
}
