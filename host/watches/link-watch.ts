import type { UploadStatus } from '../../ledger/sync/uploader.ts';
import type { OwnFaults } from './own-faults.ts';

/** The link to the centre as a fault with beginning and end; a retry that helps at once is none. */
export class LinkWatch {
  readonly #own: OwnFaults;
  readonly #lostAfterMs: number;
  #why = 'no answer yet';
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(own: OwnFaults, lostAfterMs: number) {
    this.#own = own;
    this.#lostAfterMs = lostAfterMs;
  }

  /** Nothing is known yet. */
  start(): void {
    this.#arm();
  }

  is({ state, lastError }: UploadStatus): void {
    if (this.#isStopped) return;
    this.#why = lastError ?? this.#why;
    if (state === 'down') return this.#arm();
    this.#disarm();
    if (state === 'up') this.#own.set('centre', 'link-down', false);
  }

  stop(): void {
    this.#isStopped = true;
    this.#disarm();
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(): void {
    this.#timer ??= setTimeout(
      () => this.#own.set('centre', 'link-down', true, { place: this.#why }),
      this.#lostAfterMs,
    );
  }
}
