import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hidesCards } from '../../engine/engine.ts';
import type { Person } from '../../engine/table/inputs.ts';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';
import { DRILL_GROUPS, type DrillGroup, type DrillId, type DrillStep, shownBy } from '../../wire/drills.ts';
import { FAULTS } from '../../wire/faults.ts';
import type { DrillPage, DrillRun } from '../../wire/pages.ts';
import { REPAIRS } from '../../wire/repairs.ts';
import { runBeside } from '../program/side-program.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';

const DRILLS: DrillPage['drills'] = Object.entries(DRILL_GROUPS).flatMap(([group, ids]) =>
  ids.map((id) => {
    const shown = shownBy(id);
    const of = { id, group: group as DrillGroup };
    if ('hold' in shown) return { ...of, fault: null, hold: shown.hold, real: null };
    const { fault } = shown;
    const { code, level, player } = FAULTS[fault];
    return { ...of, fault, hold: null, real: { code, level, player, ...REPAIRS[fault] } };
  }),
);

/** A drill that hangs is ended. */
const MOST_MS = 5 * 60_000;

/**
 * Starts drills, one at a time, each in a process and a folder of its own. The ledger of the
 * terminal is read by it and never written: it gets the two entries that say who held which drill,
 * and how it ended.
 */
export class DrillDesk {
  readonly #o: {
    readonly terminal: Terminal;
    readonly ledgerPath: string;
    readonly log: (line: string) => void;
  };
  #run: DrillRun | null = null;
  #stop: (() => void) | null = null;
  #isClosed = false;
  /** Who ends the one that is held before its end. */
  #stopper: Person | null = null;

  constructor(o: { terminal: Terminal; ledgerPath: string; log: (line: string) => void }) {
    this.#o = o;
  }

  get isRunning(): boolean {
    return this.#stop !== null;
  }

  page(): DrillPage {
    return { drills: DRILLS, run: this.#run };
  }

  hold(drill: DrillId, person: Person, commandId: string): Outcome {
    const { terminal, ledgerPath, log } = this.#o;
    if (this.#stop !== null)
      return { status: 'rejected', code: 'not-due', cites: [], detail: 'a drill is being held' };
    // The copy has a key of its own, which opens no card of ours.
    if (hidesCards(terminal.state))
      return { status: 'rejected', code: 'card-hidden', cites: [], detail: 'a card lies face down' };
    const begun = terminal.record({ type: 'drill-begun', drill, person }, commandId);
    if (begun.status !== 'done') return begun;
    const dir = mkdtempSync(join(tmpdir(), 'banca-drill-'));
    const beganAtMs = terminal.now();
    const steps: DrillRun['steps'][number][] = [];
    const show = (outcome: DrillRun['outcome']): void => {
      this.#run = { drill, person: person.name, beganAtMs, steps: [...steps], outcome };
    };
    const take = (step: DrillStep): void => {
      steps.push({ ...step, atMs: terminal.now() });
      show(null);
    };
    show(null);
    const { ended, stop } = runBeside({
      program: 'host/drills/drill-main',
      args: ['--ledger', ledgerPath, '--dir', dir, '--drill', drill],
      mostMs: MOST_MS,
      onOut: (line) => take(parseBounded(line, FILE_BOUNDS) as DrillStep),
      onError: log,
    });
    this.#stop = stop;
    void ended.then((why) => {
      const stopper = this.#stopper;
      this.#stop = null;
      this.#stopper = null;
      rmSync(dir, { recursive: true, force: true });
      if (why !== null && stopper === null && !steps.some(({ at }) => at === 'failed'))
        take({ at: 'failed', why });
      const outcome = why === null ? 'as-it-should' : stopper === null ? 'otherwise' : 'stopped';
      show(outcome);
      const by = stopper ?? person;
      if (!this.#isClosed) terminal.record({ type: 'drill-ended', drill, person: by, outcome });
    });
    return begun;
  }

  /** Ends the one that is held, in the name of that person; false = none is. */
  stopBy(person: Person): boolean {
    if (this.#stop === null) return false;
    this.#stopper = person;
    this.#stop();
    return true;
  }

  /** With the terminal; what is left of a drill goes with it. */
  stop(): void {
    this.#isClosed = true;
    this.#stop?.();
  }
}
