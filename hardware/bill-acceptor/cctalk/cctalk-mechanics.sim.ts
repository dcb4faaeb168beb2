/**
 * The metal of a ccTalk bill validator: a path with a note in it, a cash box, what hands and fate
 * do to them, and the events it counts. It has no timers; whatever touches it first lets the time
 * that has passed happen. Notes outlive a power cut, events and settings do not.
 */
import type { AcceptorState, DeviceClock, Note } from '../../ports.ts';
import { counterAfter, type EventBuffer, PAIRS, ROUTE, STACKER_AND_ESCROW } from './cctalk.codec.ts';
import type { CctalkFault } from './cctalk-faults.ts';

export interface Denomination {
  readonly id: string;
  readonly note: Note;
}

type Mode = 'starting' | 'rest' | 'reading' | 'escrow' | 'stacking' | 'returning' | 'rejecting' | 'stopped';

/** How long each movement takes, milliseconds; of the order of a real unit, measured on none. */
const LASTS: Readonly<Partial<Record<Mode, number>>> = {
  starting: 600,
  reading: 500,
  escrow: 10_000,
  stacking: 600,
  returning: 400,
  rejecting: 300,
};
/** From the start of stacking: until then the note can still come back. */
const POINT_OF_NO_RETURN_MS = 300;

/** Result B of the events, result A being 0. */
const EVENT = {
  returned: 1,
  validation: 2,
  inhibited: 4,
  jamUnsafe: 6,
  jamInStacker: 7,
  pulledBack: 8,
  stackerOk: 10,
  removed: 11,
  inserted: 12,
  faulty: 13,
  full: 14,
  unknownStacked: 21,
} as const;

export interface CctalkMechanicsOptions {
  readonly clock: DeviceClock;
  readonly boxCapacity?: number;
  /** What it says after a power cut of a note that has gone into the box. Default: unknown type. */
  readonly afterPowerCut?: 'unknown' | 'credit' | 'nothing';
}

export type Inserted = { readonly taken: true } | { readonly taken: false; readonly why: string };
interface Path {
  readonly note: Note;
  /** Type of the note, null for one that is not in the table. */
  readonly bill: number | null;
  readonly beyond: boolean;
}

export abstract class CctalkMechanics {
  protected readonly clock: DeviceClock;
  readonly #table: readonly Denomination[];
  readonly #capacity: number;
  readonly #afterPowerCut: 'unknown' | 'credit' | 'nothing';

  // what the power cut leaves
  #cashBox: readonly Note[] = [];
  #givenBack: readonly Note[] = [];
  #takenOut: readonly Note[] = [];
  #path: Path | null = null;
  #cassette = true;
  #full = false;
  #jammed = false;
  #broken = false;
  #forgets = false;
  // what it does not
  #powered = true;
  #mode: Mode = 'starting';
  #sinceMs: number;
  #isCold = true;
  #rejects = false;
  #counter = 0;
  #pairs: readonly (readonly [number, number])[] = [];
  protected inhibits: readonly number[] = [0, 0];
  protected master = 0;
  protected operating = 0;

  constructor(options: CctalkMechanicsOptions, table: readonly Denomination[]) {
    this.clock = options.clock;
    this.#table = table;
    this.#capacity = options.boxCapacity ?? 600;
    this.#afterPowerCut = options.afterPowerCut ?? 'unknown';
    this.#sinceMs = this.clock.now();
  }

  // ---- hands ----

  /** A player feeds a note; one outside the table is drawn in and rejected. */
  insert(valueMinor: number, currency: string): Inserted {
    this.settle();
    if (!this.#powered) return { taken: false, why: 'no power' };
    if (this.#mode !== 'rest' || this.#stops()) return { taken: false, why: `busy (${this.#mode})` };
    if (this.master === 0) return { taken: false, why: 'inhibited' };
    const at = this.#table.findIndex(
      ({ note }) => note.valueMinor === valueMinor && note.currency === currency,
    );
    this.#path = { note: { valueMinor, currency }, bill: at < 0 ? null : at + 1, beyond: false };
    this.#go('reading');
    return { taken: true };
  }

  fault(fault: CctalkFault): void {
    this.settle();
    if (fault === 'silence' || fault === 'repeat-frame' || fault === 'busy') this.disturbLine(fault);
    else if (fault === 'reject') this.#rejects = true;
    else if (fault === 'forget-credit') this.#forgets = true;
    else if (fault === 'flood') for (let n = 0; n < PAIRS + 2; n++) this.#happens(0, EVENT.stackerOk);
    else if (fault === 'jam') {
      this.#jammed = true;
      this.#happens(0, this.#path?.beyond ? EVENT.jamInStacker : EVENT.jamUnsafe);
      this.#go('stopped');
    } else if (fault === 'clear-jam') {
      // The attendant takes out whatever sticks.
      if (!this.#jammed) return;
      this.#jammed = false;
      if (this.#path !== null) this.#takenOut = [...this.#takenOut, this.#path.note];
      this.#path = null;
      this.#resume();
    } else if (fault === 'cheat') {
      // Pulled back on a string: only what is not yet past the point of no return can be.
      if (this.#path === null || this.#path.beyond || this.#jammed) return;
      this.#comesOut();
      this.#happens(0, EVENT.pulledBack);
      this.#go('rest');
    } else if (fault === 'failure') {
      this.#broken = true;
      this.#happens(0, EVENT.faulty);
      this.#go('stopped');
    } else if (fault === 'repair') {
      if (!this.#broken) return;
      this.#broken = false;
      this.#resume();
    } else if (fault === 'cassette-out' || fault === 'cassette-in') {
      this.#cassette = fault === 'cassette-in';
      this.#happens(0, this.#cassette ? EVENT.inserted : EVENT.removed);
    } else if (fault === 'full') {
      this.#full = true;
      this.#happens(0, EVENT.full);
    } else fault satisfies never;
  }

  /** The drop: takes the box out, empties it and puts it back. Answers what lay in it. */
  emptyBox(): readonly Note[] {
    this.fault('cassette-out');
    const notes = this.#cashBox;
    this.#cashBox = [];
    this.#full = false;
    this.fault('cassette-in');
    return notes;
  }

  powerOff(): void {
    this.settle();
    this.#powered = false;
  }

  powerOn(): void {
    if (this.#powered) return;
    this.#powered = true;
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
  takenOut(): readonly Note[] {
    return this.#takenOut;
  }
  inPath(): Path | null {
    this.settle();
    return this.#path;
  }
  counter(): number {
    this.settle();
    return this.#counter;
  }
  /** In the port's word; null without power. */
  state(): AcceptorState | null {
    this.settle();
    if (!this.#powered) return null;
    if (this.#jammed) return 'jammed';
    if (this.#broken) return 'failed';
    if (!this.#cassette) return 'cassette-removed';
    if (this.#stops()) return 'full';
    if (this.#mode === 'starting' || this.#mode === 'stopped') return 'initializing';
    if (this.#mode === 'reading') return 'accepting';
    if (this.#mode !== 'rest') return this.#mode;
    return this.master === 1 ? 'idle' : 'disabled';
  }

  // ---- the unit itself ----

  #happens(a: number, b: number): void {
    if (!this.#powered) return;
    this.#counter = counterAfter(this.#counter);
    this.#pairs = [[a, b] as const, ...this.#pairs].slice(0, PAIRS);
  }

  #go(mode: Mode, atMs = this.clock.now()): void {
    this.#mode = mode;
    this.#sinceMs = atMs;
  }

  #resume(): void {
    if (!this.#jammed && !this.#broken && this.#powered) this.#go('starting');
  }

  #comesOut(): void {
    if (this.#path !== null) this.#givenBack = [...this.#givenBack, this.#path.note];
    this.#path = null;
  }

  #falls(): void {
    if (this.#path !== null) this.#cashBox = [...this.#cashBox, this.#path.note];
    this.#path = null;
  }

  #stops(): boolean {
    return !this.#cassette || this.#full || this.#cashBox.length >= this.#capacity;
  }

  /** Everything that should have happened by now, in its order. */
  protected settle(): void {
    while (this.#powered) {
      const elapsedMs = this.clock.now() - this.#sinceMs;
      if (this.#mode === 'stacking' && elapsedMs >= POINT_OF_NO_RETURN_MS && this.#path?.beyond === false) {
        this.#path = { ...this.#path, beyond: true };
        continue;
      }
      const lasts = LASTS[this.#mode];
      if (lasts === undefined || elapsedMs < lasts) return;
      this.#pass(this.#sinceMs + lasts);
    }
  }

  #pass(atMs: number): void {
    const bill = this.#path?.bill ?? null;
    if (this.#mode === 'starting') this.#started(atMs);
    else if (this.#mode === 'reading') {
      const isRefused = this.#rejects || bill === null;
      this.#rejects = false;
      if (isRefused || !this.#isOpenFor(bill!)) {
        this.#happens(0, isRefused ? EVENT.validation : EVENT.inhibited);
        this.#go('rejecting', atMs);
      } else if ((this.operating & STACKER_AND_ESCROW) === STACKER_AND_ESCROW) {
        this.#happens(bill!, 1);
        this.#go('escrow', atMs);
      } else this.#go('stacking', atMs);
    } else if (this.#mode === 'escrow') this.#go('returning', atMs);
    else if (this.#mode === 'stacking') {
      this.#falls();
      if (bill !== null && !this.#forgets) this.#happens(bill, 0);
      this.#forgets = false;
      this.#go('rest', atMs);
    } else {
      if (this.#mode === 'returning') this.#happens(0, EVENT.returned);
      this.#comesOut();
      this.#go('rest', atMs);
    }
  }

  #started(atMs: number): void {
    if (this.#jammed || this.#broken) {
      this.#happens(0, this.#jammed ? EVENT.jamUnsafe : EVENT.faulty);
      this.#go('stopped', atMs);
      return;
    }
    const path = this.#path;
    if (path?.beyond) {
      this.#falls();
      const says = this.#isCold ? this.#afterPowerCut : 'credit';
      if (this.#forgets) this.#forgets = false;
      else if (says === 'credit') this.#happens(path.bill ?? 0, 0);
      else if (says === 'unknown') this.#happens(0, EVENT.unknownStacked);
    } else if (path !== null) {
      this.#comesOut();
      this.#happens(0, EVENT.returned);
    }
    if (!this.#cassette) this.#happens(0, EVENT.removed);
    this.#isCold = false;
    this.#go('rest', atMs);
  }

  #isOpenFor(bill: number): boolean {
    return this.master === 1 && (((this.inhibits[(bill - 1) >> 3] ?? 0) >> ((bill - 1) & 7)) & 1) === 1;
  }

  // ---- what the protocol orders ----

  /** As after power came back, and as the host asks with the header 1. */
  protected restart(): void {
    this.#counter = 0;
    this.#pairs = [];
    this.inhibits = [0, 0];
    this.master = 0;
    this.operating = 0;
    this.#isCold = true;
    this.#go('starting');
  }

  protected isPowered(): boolean {
    return this.#powered;
  }

  protected events(): EventBuffer {
    return { counter: this.#counter, pairs: this.#pairs };
  }

  /** An order about the note in escrow: done, nothing there, or not possible now. */
  protected route(to: number): 'done' | 'empty' | 'not-routed' {
    if (this.#mode === 'stopped' && this.#path !== null) return 'not-routed';
    if (this.#mode !== 'escrow') return 'empty';
    if (to === ROUTE.return) this.#go('returning');
    else if (to === ROUTE.stack) this.#go('stacking');
    else if (to === ROUTE.extend) this.#go('escrow');
    else return 'not-routed';
    return 'done';
  }

  /** What the self-check answers. */
  protected check(): number {
    if (this.#jammed) return 39;
    if (this.#broken) return 38;
    if (!this.#cassette) return 44;
    return this.#stops() ? 45 : 0;
  }

  /** What befalls the line and not the metal. */
  protected abstract disturbLine(fault: 'silence' | 'repeat-frame' | 'busy'): void;
}
