/**
 * Movements over time, with time given from outside: whoever ticks decides what the clock says, so
 * a test can drive every frame by hand. A movement belongs to a name; a new one under the same name
 * takes over from where things are.
 */

export type Ease = (t: number) => number;
export const easeOut: Ease = (t) => 1 - (1 - t) ** 3;
export const easeInOut: Ease = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);
export const linear: Ease = (t) => t;

export interface Movement {
  readonly delayMs?: number;
  readonly durationMs: number;
  readonly ease?: Ease;
  /** Called with eased progress 0..1; the last call is always exactly 1. */
  readonly step?: (progress: number) => void;
  readonly done?: () => void;
}

export class Motion {
  readonly #running = new Map<string, { startMs: number; movement: Movement }>();
  #nowMs = 0;

  /** Starts (or replaces) the movement `name` at the time of the last tick. */
  start(name: string, movement: Movement): void {
    this.#running.set(name, { startMs: this.#nowMs + (movement.delayMs ?? 0), movement });
  }

  has(name: string): boolean {
    return this.#running.has(name);
  }

  stop(name: string): void {
    this.#running.delete(name);
  }

  /** Forgets everything without another step: for a picture that is set at once. */
  clear(): void {
    this.#running.clear();
  }

  /** The time of the last tick. */
  get nowMs(): number {
    return this.#nowMs;
  }

  get moving(): boolean {
    return this.#running.size > 0;
  }

  /** Brings every movement to `nowMs`. Time that runs backwards counts as standing still. */
  tick(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    for (const [name, { startMs, movement }] of [...this.#running]) {
      // an earlier movement of this very tick may have stopped this one, and taken away what it
      // moves
      if (this.#running.get(name)?.movement !== movement) continue;
      const passed = this.#nowMs - startMs;
      if (passed < 0) continue;
      const t = movement.durationMs <= 0 ? 1 : Math.min(1, passed / movement.durationMs);
      movement.step?.(t === 1 ? 1 : (movement.ease ?? easeOut)(t));
      if (t < 1) continue;
      // a step or another movement's end may have put a new one under this name
      if (this.#running.get(name)?.movement === movement) this.#running.delete(name);
      movement.done?.();
    }
  }
}
