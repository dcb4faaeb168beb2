import { DEATHS, type Death } from './arm.ts';
import { STATES, type State } from './states.ts';

/** Where and how lives ended. */
export class Toll {
  kills = 0;
  powerCuts = 0;
  sectorsLost = 0;
  sectorsTorn = 0;
  readonly #deaths = new Map<Death, number>();
  readonly #table = new Map<State, Map<Death, number>>();

  /** `cut`: the power went with it, and took so much of what was not synced. */
  add(
    death: Death,
    states: readonly State[],
    cut: { readonly lost: number; readonly torn: number } | null,
  ): void {
    this.kills += 1;
    this.#deaths.set(death, (this.#deaths.get(death) ?? 0) + 1);
    if (cut !== null) {
      this.powerCuts += 1;
      this.sectorsLost += cut.lost;
      this.sectorsTorn += cut.torn;
    }
    for (const state of states) {
      const row = this.#table.get(state) ?? new Map<Death, number>();
      this.#table.set(state, row.set(death, (row.get(death) ?? 0) + 1));
    }
  }

  /** Whether lives have ended in one of these states less often than in others. */
  isRare(states: readonly State[]): boolean {
    const counts = this.byState();
    return states.some((state) => counts[state] <= this.kills / STATES.length);
  }

  /** State -> kills in it; every state, also with 0. */
  byState(): Record<State, number> {
    const count = (state: State): number =>
      [...(this.#table.get(state)?.values() ?? [])].reduce((sum, n) => sum + n, 0);
    return Object.fromEntries(STATES.map((state) => [state, count(state)])) as Record<State, number>;
  }

  byDeath(): Record<Death, number> {
    const count = (death: Death): number => this.#deaths.get(death) ?? 0;
    return Object.fromEntries(DEATHS.map((death) => [death, count(death)])) as Record<Death, number>;
  }

  /**
   * One line for each state, one column for each way to end. A life counts in every state that it
   * stood in.
   */
  table(): string {
    const line = (name: string, cells: readonly (number | string)[]): string =>
      `${name.padEnd(24)}${cells.map((cell) => String(cell).padStart(15)).join('')}`;
    const rows = STATES.map((state) =>
      line(
        state,
        DEATHS.map((death) => this.#table.get(state)?.get(death) ?? 0),
      ),
    );
    return [line('', DEATHS), ...rows].join('\n');
  }
}
