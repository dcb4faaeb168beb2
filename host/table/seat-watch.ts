import { dropEndsMs } from '../../engine/table/drop.ts';
import { dueIntent } from '../../engine/table/intents.ts';
import { dueLimit, isBeginning, isOver, longFromMs, spanEndsMs } from '../../engine/table/sessions.ts';
import type { Terminal } from './terminal.ts';

/**
 * A seat that lost its last chip stays its player's for this long: they may be reaching for a
 * banknote. After a payment in full it is free at once.
 */
export const SEAT_KEPT_MS = 120_000;

/**
 * What happens at a seat without a touch: a session begins and ends, a limit of its player falls
 * due, what they noted is said. And a drop of cash boxes that nobody goes on with is over.
 */
export class SeatWatch {
  readonly #terminal: Terminal;
  readonly #keptMs: number;
  /** Seats found empty, and when. */
  readonly #emptySinceMs = new Map<number, number>();
  #paid = new Set<number>();
  #soon: NodeJS.Immediate | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(terminal: Terminal, keptMs = SEAT_KEPT_MS) {
    this.#terminal = terminal;
    this.#keptMs = keptMs;
  }

  /** What was at the seats when the process ended is looked at again. */
  start(): void {
    this.#terminal.onCommit(({ entries }) => {
      for (const { kind, body } of entries)
        if (kind === 'hand-paid') this.#paid.add((body as { seat: number }).seat);
      // Not at once: what is said of a commit comes before the next one.
      this.#soon ??= setImmediate(() => this.#look());
    });
    this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#soon) clearImmediate(this.#soon);
    if (this.#timer) clearTimeout(this.#timer);
  }

  #look(): void {
    this.#soon = null;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#isStopped) return;
    if (dueIntent(this.#terminal.state)) this.#terminal.submit({ type: 'take-intent' });
    const paid = this.#paid;
    this.#paid = new Set();
    const now = this.#terminal.now();
    let nextMs = Infinity;
    const dropMs = dropEndsMs(this.#terminal.state);
    if (dropMs !== null && now >= dropMs) this.#terminal.submit({ type: 'end-drop', person: null });
    else if (dropMs !== null) nextMs = dropMs - now;
    for (const { seat } of this.#terminal.state.seats) {
      const { state } = this.#terminal;
      if (isBeginning(state, seat)) this.#terminal.submit({ type: 'begin-session', seat });
      if (dueLimit(state, seat, now) !== null) this.#terminal.submit({ type: 'reach-own-limit', seat });
      const longMs = longFromMs(state, seat);
      if (longMs !== null && now >= longMs) this.#terminal.submit({ type: 'notice-long-session', seat });
      else if (longMs !== null) nextMs = Math.min(nextMs, longMs - now);
      const endsMs = spanEndsMs(state, seat);
      if (endsMs !== null && now >= endsMs) this.#terminal.submit({ type: 'end-note-span', seat });
      else if (endsMs !== null) nextMs = Math.min(nextMs, endsMs - now);
      const { session } = state.seats[seat - 1]!;
      if (session && !session.reached && session.limits.timeMs !== null)
        nextMs = Math.min(nextMs, session.timeFromMs + session.limits.timeMs - now);
      if (!isOver(state, seat)) {
        this.#emptySinceMs.delete(seat);
        continue;
      }
      const sinceMs = this.#emptySinceMs.get(seat) ?? now;
      this.#emptySinceMs.set(seat, sinceMs);
      const leftMs = paid.has(seat) ? 0 : sinceMs + this.#keptMs - now;
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs);
      else this.#terminal.submit({ type: 'end-session', seat });
    }
    // What was refused, in service mode, is tried again with the next commit; a timer of days is
    // none.
    if (nextMs < Infinity)
      this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(nextMs, 1_000), 3_600_000));
  }
}
