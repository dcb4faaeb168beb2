import type { UploadStatus } from '../../ledger/sync/uploader.ts';
import type { OwnFaults } from './own-faults.ts';

/** A profile may change meanwhile: it is looked at as often as this. */
const LOOK_EVERY_MS = 60_000;

export interface LinkWatchOptions {
  readonly own: OwnFaults;
  readonly lostAfterMs: number;
  /** Since when the loss stands in the books, over any restart; null = it does not. */
  readonly downSinceMs: () => number | null;
  readonly now: () => number;
  /** For how long the house lets the table play without its centre; null = without end. */
  readonly mostMs: () => number | null;
}

/**
 * The link to the centre as a fault with beginning and end; a retry that helps at once is none. One
 * that lasts longer than the house allows ends the playing after the round.
 */
export class LinkWatch {
  readonly #o: LinkWatchOptions;
  #why = 'no answer yet';
  #timer: NodeJS.Timeout | null = null;
  #overdueTimer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(o: LinkWatchOptions) {
    this.#o = o;
  }

  /** Nothing is known yet. */
  start(): void {
    this.#arm();
    this.#look();
  }

  is({ state, lastError }: UploadStatus): void {
    if (this.#isStopped) return;
    this.#why = lastError ?? this.#why;
    if (state === 'down') return this.#arm();
    this.#disarm();
    if (state !== 'up') return;
    this.#o.own.set('centre', 'link-down', false);
    this.#o.own.set('centre', 'link-overdue', false);
  }

  stop(): void {
    this.#isStopped = true;
    this.#disarm();
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#overdueTimer) clearTimeout(this.#overdueTimer);
    this.#timer = null;
    this.#overdueTimer = null;
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => {
      this.#o.own.set('centre', 'link-down', true, { place: this.#why });
      this.#look();
    }, this.#o.lostAfterMs);
  }

  #look(): void {
    const { own, downSinceMs, now, mostMs } = this.#o;
    const sinceMs = downSinceMs();
    if (sinceMs === null) return;
    const most = mostMs();
    const leftMs = most === null ? Infinity : sinceMs + most - now();
    own.set('centre', 'link-overdue', leftMs <= 0, { place: this.#why });
    if (this.#overdueTimer) clearTimeout(this.#overdueTimer);
    const soonMs = leftMs > 0 ? Math.min(leftMs, LOOK_EVERY_MS) : LOOK_EVERY_MS;
    this.#overdueTimer = setTimeout(() => this.#look(), soonMs);
  }
}
