/**
 * The metal of a ccTalk bill validator: what hands and fate do to it, and the events it counts.
 * Notes outlive a power cut, events and settings do not.
 */
import type { AcceptorState, Note } from '../../ports.ts';
import { type Inserted, Mechanics, type MechanicsOptions } from '../mechanics.sim.ts';
import { counterAfter, type EventBuffer, PAIRS, ROUTE, STACKER_AND_ESCROW } from './cctalk.codec.ts';
import type { CctalkFault } from './cctalk-faults.ts';

export interface Denomination {
  readonly id: string;
  readonly note: Note;
}

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

export interface CctalkMechanicsOptions extends MechanicsOptions {
  /** What it says after a power cut of a note that has gone into the box. Default: unknown type. */
  readonly afterPowerCut?: 'unknown' | 'credit' | 'nothing';
}

export abstract class CctalkMechanics extends Mechanics {
  readonly #table: readonly Denomination[];
  readonly #afterPowerCut: 'unknown' | 'credit' | 'nothing';

  // what the power cut leaves
  #takenOut: readonly Note[] = [];
  #jammed = false;
  #broken = false;
  #forgets = false;
  // what it does not
  #isCold = true;
  #rejects = false;
  #counter = 0;
  #pairs: readonly (readonly [number, number])[] = [];
  protected inhibits: readonly number[] = [0, 0];
  protected master = 0;
  protected operating = 0;

  constructor(options: CctalkMechanicsOptions, table: readonly Denomination[]) {
    super(options);
    this.#table = table;
    this.#afterPowerCut = options.afterPowerCut ?? 'unknown';
  }

  // ---- hands ----

  /** A player feeds a note; one outside the table is drawn in and rejected. */
  insert(valueMinor: number, currency: string): Inserted {
    this.settle();
    if (!this.powered) return { taken: false, why: 'no power' };
    if (this.mode !== 'rest' || this.#stops()) return { taken: false, why: `busy (${this.mode})` };
    if (this.master === 0) return { taken: false, why: 'inhibited' };
    const at = this.#table.findIndex(
      ({ note }) => note.valueMinor === valueMinor && note.currency === currency,
    );
    this.path = { note: { valueMinor, currency }, type: at + 1, beyond: false };
    this.go('reading');
    return { taken: true };
  }

  override fault(fault: CctalkFault): void {
    this.settle();
    if (fault === 'silence' || fault === 'repeat-frame' || fault === 'busy') this.disturbLine(fault);
    else if (fault === 'reject') this.#rejects = true;
    else if (fault === 'forget-credit') this.#forgets = true;
    else if (fault === 'flood') for (let n = 0; n < PAIRS + 2; n++) this.#happens(0, EVENT.stackerOk);
    else if (fault === 'jam') {
      this.#jammed = true;
      this.#happens(0, this.path?.beyond ? EVENT.jamInStacker : EVENT.jamUnsafe);
      this.go('stopped');
    } else if (fault === 'clear-jam') {
      // The attendant takes out whatever sticks.
      if (!this.#jammed) return;
      this.#jammed = false;
      if (this.path !== null) this.#takenOut = [...this.#takenOut, this.path.note];
      this.path = null;
      this.#resume();
    } else if (fault === 'cheat') {
      // Pulled back on a string: only what is not yet past the point of no return can be.
      if (this.path === null || this.path.beyond || this.#jammed) return;
      this.comesOut();
      this.#happens(0, EVENT.pulledBack);
      this.go('rest');
    } else if (fault === 'failure') {
      this.#broken = true;
      this.#happens(0, EVENT.faulty);
      this.go('stopped');
    } else if (fault === 'repair') {
      if (!this.#broken) return;
      this.#broken = false;
      this.#resume();
    } else if (fault === 'cassette-out' || fault === 'cassette-in') {
      this.cassette = fault === 'cassette-in';
      this.#happens(0, this.cassette ? EVENT.inserted : EVENT.removed);
    } else if (fault === 'full') {
      this.full = true;
      this.#happens(0, EVENT.full);
    } else fault satisfies never;
  }

  // ---- what one sees when one opens the box ----

  takenOut(): readonly Note[] {
    return this.#takenOut;
  }
  counter(): number {
    this.settle();
    return this.#counter;
  }
  /** In the port's word; null without power. */
  state(): AcceptorState | null {
    this.settle();
    if (!this.powered) return null;
    if (this.#jammed) return 'jammed';
    if (this.#broken) return 'failed';
    if (!this.cassette) return 'cassette-removed';
    if (this.#stops()) return 'full';
    return this.mode === 'rest' && this.master === 0 ? 'disabled' : this.doing();
  }

  // ---- the unit itself ----

  #happens(a: number, b: number): void {
    if (!this.powered) return;
    this.#counter = counterAfter(this.#counter);
    this.#pairs = [[a, b] as const, ...this.#pairs].slice(0, PAIRS);
  }

  #resume(): void {
    if (!this.#jammed && !this.#broken && this.powered) this.go('starting');
  }

  #stops(): boolean {
    return !this.cassette || this.isFull();
  }

  protected override pass(atMs: number): void {
    const type = this.path?.type ?? 0;
    if (this.mode === 'starting') this.#started(atMs);
    else if (this.mode === 'reading') {
      const isRefused = this.#rejects || type === 0;
      this.#rejects = false;
      if (isRefused || !this.#isOpenFor(type)) {
        this.#happens(0, isRefused ? EVENT.validation : EVENT.inhibited);
        this.go('rejecting', atMs);
      } else if ((this.operating & STACKER_AND_ESCROW) === STACKER_AND_ESCROW) {
        this.#happens(type, 1);
        this.go('escrow', atMs);
      } else this.go('stacking', atMs);
    } else if (this.mode === 'escrow') this.go('returning', atMs);
    else if (this.mode === 'stacking') {
      this.falls();
      if (type !== 0 && !this.#forgets) this.#happens(type, 0);
      this.#forgets = false;
      this.go('rest', atMs);
    } else {
      if (this.mode === 'returning') this.#happens(0, EVENT.returned);
      this.comesOut();
      this.go('rest', atMs);
    }
  }

  #started(atMs: number): void {
    if (this.#jammed || this.#broken) {
      this.#happens(0, this.#jammed ? EVENT.jamUnsafe : EVENT.faulty);
      this.go('stopped', atMs);
      return;
    }
    const path = this.path;
    if (path?.beyond) {
      this.falls();
      const says = this.#isCold ? this.#afterPowerCut : 'credit';
      if (this.#forgets) this.#forgets = false;
      else if (says === 'credit') this.#happens(path.type, 0);
      else if (says === 'unknown') this.#happens(0, EVENT.unknownStacked);
    } else if (path !== null) {
      this.comesOut();
      this.#happens(0, EVENT.returned);
    }
    if (!this.cassette) this.#happens(0, EVENT.removed);
    this.#isCold = false;
    this.go('rest', atMs);
  }

  #isOpenFor(type: number): boolean {
    return this.master === 1 && (((this.inhibits[(type - 1) >> 3] ?? 0) >> ((type - 1) & 7)) & 1) === 1;
  }

  // ---- what the protocol orders ----

  /** As the host asks with the header 1, too. */
  protected override restart(): void {
    this.#counter = 0;
    this.#pairs = [];
    this.inhibits = [0, 0];
    this.master = 0;
    this.operating = 0;
    this.#isCold = true;
    this.go('starting');
  }

  protected events(): EventBuffer {
    return { counter: this.#counter, pairs: this.#pairs };
  }

  /** An order about the note in escrow: done, nothing there, or not possible now. */
  protected route(to: number): 'done' | 'empty' | 'not-routed' {
    if (this.mode === 'stopped' && this.path !== null) return 'not-routed';
    if (this.mode !== 'escrow') return 'empty';
    if (to === ROUTE.return) this.go('returning');
    else if (to === ROUTE.stack) this.go('stacking');
    else if (to === ROUTE.extend) this.go('escrow');
    else return 'not-routed';
    return 'done';
  }

  /** What the self-check answers. */
  protected check(): number {
    if (this.#jammed) return 39;
    if (this.#broken) return 38;
    if (!this.cassette) return 44;
    return this.#stops() ? 45 : 0;
  }

  /** What befalls the line and not the metal. */
  protected abstract disturbLine(fault: 'silence' | 'repeat-frame' | 'busy'): void;
}
