/**
 * The metal of a simulated EBDS acceptor: a path with a note in it, a cash box, faults, and memory
 * that outlives a power cut. It has no timers; whatever touches it first lets the time that has
 * passed happen.
 */

import type { DeviceClock, Note } from '../../ports.ts';
import { toAscii } from '../../transport/bytes.ts';
import type { EbdsFault } from './ebds-faults.ts';
import { type EbdsMemory, NEW_EBDS } from './ebds-memory.ts';

/**
 * Where the unit is in what it does; the bits of the status follow from it and from what is wrong.
 */
export type EbdsMode =
  | 'silent'
  | 'power-up'
  | 'idle'
  | 'accepting'
  | 'escrow'
  | 'stacking'
  | 'returning'
  | 'rejecting'
  | 'cheated'
  | 'held';

/** How long each lasts, milliseconds; of the order of a real unit. */
const LASTS: Readonly<Partial<Record<EbdsMode, number>>> = {
  silent: 1500,
  'power-up': 800,
  accepting: 500,
  stacking: 700,
  returning: 400,
  rejecting: 300,
  cheated: 1500,
};
/** From the start of stacking: until then the note can still come back. */
const POINT_OF_NO_RETURN_MS = 300;

export interface EbdsMechanicsOptions {
  readonly clock: DeviceClock;
  readonly boxCapacity?: number;
  /** A unit that was there before: this is its power-up after a power cut. */
  readonly memory?: EbdsMemory;
  /**
   * Called at every change of what the unit keeps without power, before anybody hears of the
   * change.
   */
  readonly onKeep?: () => void;
  /**
   * At power-up under policy B a note in escrow is held, out of service (default), or lies in
   * escrow again.
   */
  readonly escrowAtPowerUp?: 'held' | 'escrow';
  /**
   * What it says of a note past escrow at power-up: by the policy (default), or never its value, as
   * before any policy.
   */
  readonly stackedAtPowerUp?: 'by-policy' | 'valueless';
}

export type Inserted = { readonly taken: true } | { readonly taken: false; readonly why: string };

export abstract class EbdsMechanics {
  protected readonly clock: DeviceClock;
  readonly #capacity: number;
  readonly #onKeep: () => void;
  protected readonly escrowAtPowerUp: 'held' | 'escrow';
  readonly #valueless: boolean;

  // what the power cut leaves
  protected kept: EbdsMemory;
  // what it does not
  protected powered = true;
  protected mode: EbdsMode = 'silent';
  #sinceMs: number;
  #escrowTimeoutS = 0;
  #ticket: string | null = null;
  /**
   * What its sensors found at the last start or since; mended parts are noticed at the next start.
   */
  protected jammed = false;
  protected broken = false;
  protected stalled = false;
  protected paused = false;
  protected calibrating = false;
  protected pathOpen = false;
  // events that wait for a reply
  protected returned = false;
  protected rejected = false;

  constructor(options: EbdsMechanicsOptions) {
    this.clock = options.clock;
    this.#capacity = options.boxCapacity ?? 600;
    this.#onKeep = options.onKeep ?? (() => {});
    this.escrowAtPowerUp = options.escrowAtPowerUp ?? 'held';
    this.#valueless = options.stackedAtPowerUp === 'valueless';
    this.kept = options.memory ?? NEW_EBDS;
    this.#sinceMs = this.clock.now();
  }

  /** Why nothing may be fed now, by what the host has said; null = it may. */
  protected abstract shut(): string | null;
  /** Whether a note that has been drawn in is known and allowed. */
  protected abstract takes(note: Note): boolean;
  /** Everything the host has told it is forgotten. */
  protected abstract forget(): void;

  /** How long a note waits in escrow, seconds from now; 0 = for ever. */
  protected waitInEscrow(seconds: number): void {
    this.#escrowTimeoutS = seconds;
    if (this.mode === 'escrow') this.#sinceMs = this.clock.now();
  }

  /** The host's word on the note in escrow, or on one held there since the power came back. */
  protected move(move: 'stack' | 'return'): void {
    if (this.stopped()) return;
    if (this.mode === 'escrow' && move === 'stack') this.go('stacking');
    else if ((this.mode === 'escrow' || this.mode === 'held') && move === 'return') this.go('returning');
  }

  protected restart(): void {
    this.forget();
    this.#escrowTimeoutS = 0;
    this.#ticket = null;
    this.returned = false;
    this.rejected = false;
    this.jammed = false;
    this.broken = false;
    this.go('silent');
  }

  // ---- hands ----

  /**
   * A player feeds a note. Taken only by an idle, enabled unit; a note outside the table is drawn
   * in and rejected.
   */
  insert(valueMinor: number, currency: string): Inserted {
    return this.#feed({ currency, valueMinor }, null);
  }

  /** A player feeds a ticket; a unit whose host has not asked for tickets gives it back. */
  insertTicket(barcode: string): Inserted {
    toAscii(barcode, 28);
    return this.#feed(null, barcode);
  }

  fault(fault: EbdsFault): void {
    this.settle();
    const { path, jammed } = this.kept;
    switch (fault) {
      case 'silence':
        return; // a matter of the line, not of the metal
      case 'forget-credit':
        return this.keep({ forgetsCredit: true });
      case 'jam':
        this.jammed = true;
        return this.keep({ jammed: true });
      case 'clear-jam':
        // The attendant takes the note out of the path; the unit notices at its next start.
        if (path === null || !jammed) return this.keep({ jammed: false });
        return this.keep({ jammed: false, takenOut: [...this.kept.takenOut, path.note], path: null });
      case 'cheat':
        // Pulled back on a string: only what is not yet past the point of no return can be.
        if (path === null || path.at === 'beyond' || this.stopped()) return;
        this.keep(this.#comesOut());
        return this.go('cheated');
      case 'failure':
        this.broken = true;
        return this.keep({ broken: true });
      case 'repair':
        return this.keep({ broken: false });
      case 'cassette-out':
        return this.keep({ cassette: false });
      case 'cassette-in':
        this.keep({ cassette: true });
        if (this.powered) this.restart();
        return;
      case 'full':
        return this.keep({ full: true });
      case 'stall':
      case 'clear-stall':
        this.stalled = fault === 'stall';
        return this.#resume();
      case 'pause':
      case 'resume':
        this.paused = fault === 'pause';
        return;
      case 'calibrate':
      case 'calibrated':
        this.calibrating = fault === 'calibrate';
        return this.#resume();
      case 'open-path':
      case 'close-path':
        this.pathOpen = fault === 'open-path';
        return this.#resume();
    }
  }

  /** The drop: takes the box out, empties it and puts it back. Answers what lay in it. */
  emptyBox(): readonly Note[] {
    this.fault('cassette-out');
    const notes = this.kept.cashBox;
    this.keep({ cashBox: [], full: false });
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

  /** All that would outlive a power cut at the moment the unit was last touched. */
  memory(): EbdsMemory {
    return this.kept;
  }
  /** Notes that lie in the cash box now. */
  cashBox(): readonly Note[] {
    this.settle();
    return this.kept.cashBox;
  }
  /** Notes that came out of the front, since the unit was made. */
  givenBack(): readonly Note[] {
    this.settle();
    return this.kept.givenBack;
  }
  /** Notes an attendant took out of a jammed path. */
  takenOut(): readonly Note[] {
    this.settle();
    return this.kept.takenOut;
  }
  /** The note between the front and the box. */
  inPath(): { readonly note: Note; readonly beyond: boolean } | null {
    this.settle();
    const { path } = this.kept;
    return path === null ? null : { note: path.note, beyond: path.at === 'beyond' };
  }
  /** A stacked note that no turned toggle has taken note of. */
  owesCredit(): boolean {
    this.settle();
    return this.kept.owed !== null;
  }
  /** What it does now; null without power. */
  status(): EbdsMode | null {
    this.settle();
    return this.powered ? this.mode : null;
  }

  // ---- the unit itself ----

  /** A start that was stopped left a note in the path: it restarts. */
  #resume(): void {
    if (this.powered && !this.stopped() && this.mode === 'idle' && this.kept.path !== null) this.restart();
  }

  protected keep(changes: Partial<EbdsMemory>): void {
    this.kept = { ...this.kept, ...changes };
    this.#onKeep();
  }

  #comesOut(): Partial<EbdsMemory> {
    const { path, givenBack } = this.kept;
    return path === null ? {} : { givenBack: [...givenBack, path.note], path: null };
  }

  #falls(valued: boolean): Partial<EbdsMemory> {
    const { path, cashBox } = this.kept;
    if (path === null) return {};
    return { cashBox: [...cashBox, path.note], path: null, owed: { note: valued ? path.note : null } };
  }

  protected go(mode: EbdsMode, atMs = this.clock.now()): void {
    this.mode = mode;
    this.#sinceMs = atMs;
  }

  /** Nothing moves while one of these lasts. */
  protected stopped(evenWithoutCassette = false): boolean {
    const { jammed, broken, stalled, calibrating, pathOpen } = this;
    return (
      jammed || broken || stalled || calibrating || pathOpen || (!evenWithoutCassette && !this.kept.cassette)
    );
  }

  protected full(): boolean {
    return this.kept.full || this.kept.cashBox.length >= this.#capacity;
  }

  #feed(note: Note | null, ticket: string | null): Inserted {
    this.settle();
    if (!this.powered) return { taken: false, why: 'no power' };
    if (this.stopped() || this.paused || this.full()) return { taken: false, why: 'out of use' };
    if (this.mode !== 'idle' || this.kept.path !== null) return { taken: false, why: `busy (${this.mode})` };
    const why = this.shut();
    if (why !== null) return { taken: false, why };
    this.#ticket = ticket;
    if (note !== null) this.keep({ path: { note, at: 'front' } });
    this.go('accepting');
    return { taken: true };
  }

  // Everything that should have happened by now, in its order.
  protected settle(): void {
    while (this.powered) {
      if (this.mode !== 'silent' && this.mode !== 'power-up' && this.stopped()) return;
      const elapsedMs = this.clock.now() - this.#sinceMs;
      const { path } = this.kept;
      if (this.mode === 'stacking' && elapsedMs >= POINT_OF_NO_RETURN_MS && path?.at === 'escrow') {
        this.keep({ path: { ...path, at: 'beyond' } });
        continue;
      }
      const lasts = this.mode === 'escrow' ? this.#escrowLastsMs() : LASTS[this.mode];
      if (lasts === undefined || elapsedMs < lasts) return;
      this.#pass(this.#sinceMs + lasts);
    }
  }

  #escrowLastsMs(): number | undefined {
    return this.#escrowTimeoutS === 0 ? undefined : this.#escrowTimeoutS * 1000;
  }

  #pass(atMs: number): void {
    const { path } = this.kept;
    switch (this.mode) {
      case 'silent':
        return this.go('power-up', atMs);
      case 'power-up':
        return this.#started(atMs);
      case 'accepting':
        if (path === null && this.#ticket === null) return this.go('idle', atMs);
        if (path === null || !this.takes(path.note)) return this.go('rejecting', atMs);
        this.keep({ path: { ...path, at: 'escrow' } });
        return this.go('escrow', atMs);
      case 'escrow':
        return this.go('returning', atMs);
      case 'stacking':
        this.keep(this.#falls(true));
        return this.go('idle', atMs);
      case 'returning':
        this.keep(this.#comesOut());
        this.returned = true;
        return this.go('idle', atMs);
      case 'rejecting':
        this.#ticket = null;
        this.keep(this.#comesOut());
        this.rejected = true;
        return this.go('idle', atMs);
      default:
        return this.go('idle', atMs);
    }
  }

  #started(atMs: number): void {
    const { path, powerUp, forgetsCredit, jammed, broken } = this.kept;
    this.jammed = jammed;
    this.broken = broken;
    if (this.stopped() || path === null) {
      // Stopped with a note in the path: it lies there until the next start.
      this.go('idle', atMs);
    } else if (path.at === 'beyond') {
      const valued = powerUp === 'B' && !forgetsCredit && !this.#valueless;
      this.keep({ ...this.#falls(valued), forgetsCredit: false });
      this.go('idle', atMs);
    } else if (path.at === 'escrow' && powerUp !== 'A') this.go(this.escrowAtPowerUp, atMs);
    else {
      this.keep(this.#comesOut());
      this.go('idle', atMs);
    }
  }
}
