import type { DisplayRole } from '../../wire/display.ts';
import type { ToDisplay, ToHost } from '../../wire/messages.ts';
import type { DisplayPage } from '../../wire/pages.ts';

type Measured = Omit<Extract<ToHost, { t: 'measured' }>, 't'>;

/** A display that can be asked. */
interface Asked {
  readonly id: string;
  readonly role: DisplayRole;
  send(message: ToDisplay): void;
}

/**
 * What each connected display says of itself when it is asked: it is asked whenever the page is
 * looked at.
 */
export class DisplayMeasures {
  readonly #since = new Map<
    Asked,
    { readonly sinceMs: number; measured: (Measured & { atMs: number }) | null }
  >();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  there(display: Asked): void {
    this.#since.set(display, { sinceMs: this.#now(), measured: null });
  }

  gone(display: Asked): void {
    this.#since.delete(display);
  }

  take(display: Asked, measured: Measured): void {
    const of = this.#since.get(display);
    if (of !== undefined) of.measured = { ...measured, atMs: this.#now() };
  }

  /** What was said the last time; a new measuring begins, for the next time. */
  page(): DisplayPage {
    for (const display of this.#since.keys()) display.send({ t: 'measure' });
    return {
      displays: [...this.#since].map(([{ id, role }, { sinceMs, measured }]) => ({
        id,
        role: role satisfies DisplayRole,
        sinceMs,
        measured,
      })),
    };
  }
}
