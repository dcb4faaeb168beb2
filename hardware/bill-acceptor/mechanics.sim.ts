/**
 * What the metal of simulated bill acceptors has alike: a path with a note in it, a cash box, and
 * power. It has no timers; whatever touches it first lets the time that has passed happen.
 */
import type { AcceptorState, DeviceClock, Note } from '../ports.ts';

export interface MechanicsOptions {
  readonly clock: DeviceClock;
  readonly boxCapacity?: number;
}

export type Inserted = { readonly taken: true } | { readonly taken: false; readonly why: string };

export interface Path {
  readonly note: Note;
  /** Number of the note in the unit's table; 0 = it is not there. */
  readonly type: number;
  /** Past the point of no return. */
  readonly beyond: boolean;
}

type Mode = 'starting' | 'rest' | 'reading' | 'escrow' | 'stacking' | 'returning' | 'rejecting' | 'stopped';

/** How long each movement takes, milliseconds; of the order of a real unit, measured on none. */
export const LASTS: Readonly<Partial<Record<Mode, number>>> = {
  starting: 600,
  reading: 500,
  escrow: 10_000,
  stacking: 600,
  returning: 400,
  rejecting: 300,
};
/** From the start of stacking: until then the note can still come back. */
const POINT_OF_NO_RETURN_MS = 300;

export abstract class Mechanics {
  protected readonly clock: DeviceClock;
  readonly #capacity: number;
  readonly #lasts: typeof LASTS;
  // what the power cut leaves
  #cashBox: readonly Note[] = [];
  #givenBack: readonly Note[] = [];
  protected path: Path | null = null;
  protected cassette = true;
  protected full = false;
  // what it does not
  protected powered = true;
  protected mode: Mode = 'starting';
  #sinceMs: number;

  constructor({ clock, boxCapacity = 600 }: MechanicsOptions, lasts = LASTS) {
    this.clock = clock;
    this.#capacity = boxCapacity;
    this.#lasts = lasts;
    this.#sinceMs = clock.now();
  }

  // ---- hands ----

  abstract fault(fault: 'cassette-out' | 'cassette-in'): void;

  /** The drop: takes the box out, empties it and puts it back. Answers what lay in it. */
  emptyBox(): readonly Note[] {
    this.fault('cassette-out');
    const notes = this.#cashBox;
    this.#cashBox = [];
    this.full = false;
    this.fault('cassette-in');
    return notes;
  }

  powerOff(): void {
    this.settle();
    this.powered = false;
  }

  powerOn(): void {
    if (this.powered) return;
    this.powered = true;
    this.restart();
  }

  // ---- what one sees when one opens the box ----

  cashBox(): readonly Note[] {
    this.settle();
    return this.#cashBox;
  }
  givenBack(): readonly Note[] {
    this.settle();
    return this.#givenBack;
  }
  inPath(): Path | null {
    this.settle();
    return this.path;
  }

  /** What it does, in the port's word. */
  protected doing(): AcceptorState {
    if (this.mode === 'starting' || this.mode === 'stopped') return 'initializing';
    if (this.mode === 'reading') return 'accepting';
    return this.mode === 'rest' ? 'idle' : this.mode;
  }

  // ---- the unit itself ----

  /** As after power came back. */
  protected abstract restart(): void;
  /** The movement is over at `atMs`. */
  protected abstract pass(atMs: number): void;
  /** The note cannot come back any more. */
  protected passesPoint(): void {}
  /** Nothing moves. */
  protected halted(): boolean {
    return false;
  }

  protected go(mode: Mode, atMs = this.clock.now()): void {
    this.mode = mode;
    this.#sinceMs = atMs;
  }

  /** The movement begins again. */
  protected again(): void {
    this.#sinceMs = this.clock.now();
  }

  protected comesOut(): void {
    if (this.path !== null) this.#givenBack = [...this.#givenBack, this.path.note];
    this.path = null;
  }

  protected falls(): void {
    if (this.path !== null) this.#cashBox = [...this.#cashBox, this.path.note];
    this.path = null;
  }

  protected isFull(): boolean {
    return this.full || this.#cashBox.length >= this.#capacity;
  }

  /** Everything that should have happened by now, in its order. */
  protected settle(): void {
    while (this.powered && !this.halted()) {
      const elapsedMs = this.clock.now() - this.#sinceMs;
      if (this.mode === 'stacking' && elapsedMs >= POINT_OF_NO_RETURN_MS && this.path?.beyond === false) {
        this.path = { ...this.path, beyond: true };
        this.passesPoint();
        continue;
      }
      const lasts = this.#lasts[this.mode];
      if (lasts === undefined || elapsedMs < lasts) return;
      this.pass(this.#sinceMs + lasts);
    }
  }
}
