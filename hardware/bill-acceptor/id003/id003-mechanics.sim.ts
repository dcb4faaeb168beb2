/**
 * The metal of an ID-003 acceptor: a path with a note in it, a cash box, what hands and fate do to
 * them, and memory that outlives a power cut. It has no timers; whatever touches it first lets the
 * time that has passed happen.
 */
import type { DeviceClock, Note } from '../../ports.ts';
import {
  BARCODE,
  CODE,
  COMMAND,
  COUNTRIES,
  type Denomination,
  FAILURE_CODE,
  noteOf,
  REJECT_DENOMINATION,
  REJECT_INHIBITED,
  REJECT_REASON,
  STACK_MOTOR,
} from './id003.codec.ts';
import type { Id003Fault } from './id003-faults.ts';
import { type Id003Memory, NEW_ID003 } from './id003-memory.ts';

/** How long each movement takes, milliseconds; of the order of a real unit. */
const LASTS: Readonly<Record<number, number>> = {
  [CODE.initialize]: 600,
  [CODE.accepting]: 500,
  [CODE.escrow]: 10_000,
  [CODE.holding]: 10_000,
  [CODE.stacking]: 600,
  [CODE.stacked]: 200,
  [CODE.rejecting]: 300,
  [CODE.returning]: 400,
  [CODE.cheated]: 2000,
};
/** From the start of STACKING: until then the note can still come back. */
const POINT_OF_NO_RETURN_MS = 300;
/** Of a unit that gives a note in escrow back by REJECTING. */
const REJECTS_AFTER_MS = 11_000;
const REJECT_MAGNETIC = 0x72;

export interface Id003MechanicsOptions {
  readonly clock: DeviceClock;
  readonly boxCapacity?: number;
  /** A unit that was there before: this is its power-up after a power cut. */
  readonly memory?: Id003Memory;
  /**
   * Called at every change of what the unit keeps without power, before anybody hears of the
   * change.
   */
  readonly onKeep?: () => void;
  /**
   * Which bit of C7 refuses coupons. 1 (default): as integrators read JCM's document, and bit 0
   * refuses every note; 0: bit 0 refuses coupons and bit 1 nothing.
   */
  readonly couponBit?: 0 | 1;
  /**
   * How a note that nobody decides about goes back; default by RETURNING after ten seconds, else by
   * REJECTING 79 after eleven.
   */
  readonly escrowEnds?: 'returning' | 'rejecting';
}

export type Inserted = { readonly taken: true } | { readonly taken: false; readonly why: string };

export abstract class Id003Mechanics {
  protected readonly clock: DeviceClock;
  readonly #capacity: number;
  readonly #table: readonly Denomination[];
  readonly #onKeep: () => void;
  readonly #couponBit: 0 | 1;
  readonly #escrowEnds: 'returning' | 'rejecting';

  // what the power cut leaves
  #kept: Id003Memory;
  // what it does not
  #powered = true;
  #mode: number;
  /** Escrow code of the note in the path, null for one outside the table. */
  #code: number | null = null;
  /** Digits of the coupon in the path. */
  #coupon: string | null = null;
  #sinceMs: number;
  #detail = 0;
  /** A switch on the unit keeps it shut, whatever the host says. */
  #switchedOff = false;
  #slowStack = true;
  /** Since when it stands still in the middle of what it does. */
  #frozenAtMs: number | null = null;
  #paused = false;
  #rejectsWith: number | null = null;
  #failureCode = STACK_MOTOR;
  #saysStackedFirst = false;
  #repeatsCredit = false;
  /** Said 41 since it has power, and has not initialised yet. */
  #poweredUpWithNote = false;
  protected readonly settings = new Map<number, Uint8Array>();

  constructor(options: Id003MechanicsOptions, table: readonly Denomination[]) {
    this.clock = options.clock;
    this.#capacity = options.boxCapacity ?? 600;
    this.#table = table;
    this.#onKeep = options.onKeep ?? (() => {});
    this.#couponBit = options.couponBit ?? 1;
    this.#escrowEnds = options.escrowEnds ?? 'returning';
    this.#kept = options.memory ?? NEW_ID003;
    this.#mode = this.#powerUpMode();
    this.#poweredUpWithNote = this.#mode === CODE.powerUpBillInAcceptor;
    this.#sinceMs = this.clock.now();
    this.#clearSettings();
  }

  // ---- hands ----

  /**
   * A player feeds a note. Taken only by an idle unit; a note outside the table is drawn in and
   * rejected.
   */
  insert(valueMinor: number, currency: string): Inserted {
    const why = this.#whyNotTaken();
    if (why !== null) return { taken: false, why };
    const row = this.#table.find((entry) => {
      const note = noteOf(entry, COUNTRIES);
      return note?.valueMinor === valueMinor && note.currency === currency;
    });
    this.#code = row?.code ?? null;
    this.#keep({ path: { note: { currency, valueMinor }, beyond: false } });
    this.#go(CODE.accepting);
    return { taken: true };
  }

  /** The switch on the unit that refuses every note. */
  switchOff(off: boolean): void {
    this.settle();
    this.#switchedOff = off;
    if (this.#mode === CODE.idle || this.#mode === CODE.disable) this.#rest(this.clock.now());
  }

  /** A player feeds a coupon with a barcode. */
  insertCoupon(digits: string): Inserted {
    const why = this.#whyNotTaken();
    if (why !== null) return { taken: false, why };
    this.#coupon = digits;
    this.#go(CODE.accepting);
    return { taken: true };
  }

  #whyNotTaken(): string | null {
    this.settle();
    if (!this.#powered) return 'no power';
    if (this.#mode === CODE.idle && !this.#paused) return null;
    return this.#mode === CODE.disable ? 'inhibited' : `busy (${this.#mode.toString(16)})`;
  }

  /**
   * @param code of `reject` (71..7F, by default 72) and of `failure` (by default A2); throws
   * RangeError on another one
   */
  fault(fault: Id003Fault, code?: number): void {
    this.settle();
    const { path, jammed } = this.#kept;
    if (fault === 'silence' || fault === 'repeat-frame' || fault === 'other-firmware') this.befall(fault);
    else if (fault === 'forget-credit') this.#keep({ forgetsCredit: true });
    else if (fault === 'swallow') this.#keep({ swallows: true });
    else if (fault === 'reject') this.#rejectsWith = known(REJECT_REASON, code ?? REJECT_MAGNETIC, fault);
    else if (fault === 'stall' || fault === 'pause') {
      if (!this.#powered || this.#frozenAtMs !== null) return;
      this.#frozenAtMs = this.clock.now();
      this.#paused = fault === 'pause';
    } else if (fault === 'go-on') this.#goOn();
    else if (fault === 'communication-error') this.#go(CODE.communicationError);
    else if (fault === 'stacked-first') this.#saysStackedFirst = true;
    else if (fault === 'repeat-credit') this.#repeatsCredit = true;
    else if (fault === 'jam') {
      this.#keep({ jammed: true });
      this.#go(path?.beyond ? CODE.jamInStacker : CODE.jamInAcceptor);
    } else if (fault === 'clear-jam') {
      // The attendant takes the note out of the path; the unit notices at its next RESET.
      const open = this.#mode === CODE.jamInAcceptor || this.#mode === CODE.jamInStacker;
      if (path === null || !open) this.#keep({ jammed: false });
      else this.#keep({ jammed: false, takenOut: [...this.#kept.takenOut, path.note], path: null });
    } else if (fault === 'cheat') {
      // Pulled back on a string: only what is not yet past the point of no return can be.
      if (path === null || path.beyond || jammed) return;
      this.#keep(this.#comesOut());
      this.#go(CODE.cheated);
    } else if (fault === 'failure' || fault === 'repair') {
      if (fault === 'failure') this.#failureCode = known(FAILURE_CODE, code ?? STACK_MOTOR, fault);
      this.#keep({ broken: fault === 'failure' });
      if (this.#kept.broken) this.#go(CODE.failure, this.#failureCode);
    } else if (fault === 'cassette-out') {
      this.#keep({ cassette: false });
      this.#go(CODE.stackerOpen);
    } else if (fault === 'cassette-in') {
      this.#keep({ cassette: true });
      this.#clearSettings();
      this.#go(CODE.initialize);
    } else if (fault === 'full') {
      this.#keep({ full: true });
      if (this.#mode === CODE.idle || this.#mode === CODE.disable) this.#go(CODE.stackerFull);
    } else fault satisfies never;
  }

  /** The drop: takes the box out, empties it and puts it back. Answers what lay in it. */
  emptyBox(): readonly Note[] {
    this.fault('cassette-out');
    const notes = this.#kept.cashBox;
    this.#keep({ cashBox: [], full: false });
    this.fault('cassette-in');
    return notes;
  }

  powerOff(): void {
    this.settle();
    this.#powered = false;
    this.#frozenAtMs = null;
  }

  powerOn(): void {
    if (this.#powered) return;
    this.#powered = true;
    this.#coupon = null;
    this.#clearSettings();
    this.#go(this.#powerUpMode());
    this.#poweredUpWithNote = this.#mode === CODE.powerUpBillInAcceptor;
  }

  // ---- what one sees when one opens the box ----

  /** All that would outlive a power cut at the moment the unit was last touched. */
  memory(): Id003Memory {
    return this.#kept;
  }
  /** Notes that lie in the cash box now. */
  cashBox(): readonly Note[] {
    this.settle();
    return this.#kept.cashBox;
  }
  /** Notes that came out of the front, since the unit was made. */
  givenBack(): readonly Note[] {
    this.settle();
    return this.#kept.givenBack;
  }
  /** Notes an attendant took out of a jammed path. */
  takenOut(): readonly Note[] {
    this.settle();
    return this.#kept.takenOut;
  }
  /** The note between the front and the box. */
  inPath(): { readonly note: Note; readonly beyond: boolean } | null {
    this.settle();
    return this.#kept.path;
  }
  /** A credit signal that no ACK has answered. */
  owesCredit(): boolean {
    return this.#kept.owesCredit;
  }
  /** The status byte it would answer with; null without power. */
  status(): number | null {
    this.settle();
    if (!this.#powered) return null;
    return this.#paused ? CODE.pause : this.#mode;
  }

  // ---- the unit itself ----

  #keep(changes: Partial<Id003Memory>): void {
    this.#kept = { ...this.#kept, ...changes };
    this.#onKeep();
  }

  #comesOut(): Partial<Id003Memory> {
    const { path, givenBack } = this.#kept;
    return path === null ? {} : { givenBack: [...givenBack, path.note], path: null };
  }

  #falls(): Partial<Id003Memory> {
    const { path, cashBox } = this.#kept;
    return path === null ? {} : { cashBox: [...cashBox, path.note], path: null };
  }

  #powerUpMode(): number {
    const { path, owesCredit } = this.#kept;
    if (path?.beyond || owesCredit) return CODE.powerUpBillInStacker;
    return path === null ? CODE.powerUp : CODE.powerUpBillInAcceptor;
  }

  #clearSettings(): void {
    for (const [command, data] of SETTINGS_AT_START) this.settings.set(command, Uint8Array.from(data));
  }

  #goOn(): void {
    if (this.#frozenAtMs === null) return;
    this.#sinceMs += this.clock.now() - this.#frozenAtMs;
    this.#frozenAtMs = null;
    this.#paused = false;
  }

  #go(mode: number, detail = 0, atMs = this.clock.now()): void {
    this.#mode = mode;
    this.#detail = detail;
    this.#sinceMs = atMs;
    this.#frozenAtMs = null;
    this.#paused = false;
  }

  // Everything that should have happened by now, in its order.
  protected settle(): void {
    while (this.#powered && this.#frozenAtMs === null) {
      const elapsedMs = this.clock.now() - this.#sinceMs;
      const { path } = this.#kept;
      if (this.#mode === CODE.stacking && elapsedMs >= POINT_OF_NO_RETURN_MS && path?.beyond === false) {
        const beyond = { path: { ...path, beyond: true } };
        if (this.#slowStack) this.#keep(beyond);
        else {
          this.#keep({ ...beyond, owesCredit: true });
          this.#go(CODE.vendValid, 0, this.#sinceMs + POINT_OF_NO_RETURN_MS);
        }
        continue;
      }
      const lasts = this.#lasts();
      if (lasts === undefined || elapsedMs < lasts) return;
      this.#pass(this.#sinceMs + lasts);
    }
  }

  #lasts(): number | undefined {
    const waits = this.#mode === CODE.escrow || this.#mode === CODE.holding;
    return waits && this.#escrowEnds === 'rejecting' ? REJECTS_AFTER_MS : LASTS[this.#mode];
  }

  #pass(atMs: number): void {
    if (this.#mode === CODE.accepting) {
      const rejected = this.#rejectsWith;
      this.#rejectsWith = null;
      if (this.#kept.path === null && this.#coupon === null) this.#rest(atMs);
      else if (rejected !== null) this.#go(CODE.rejecting, rejected, atMs);
      else if (this.#coupon !== null) {
        if (this.#isRefusedByC7(this.#couponBit)) this.#go(CODE.rejecting, REJECT_INHIBITED, atMs);
        else this.#go(CODE.escrow, BARCODE, atMs);
      } else if (this.#code === null) this.#go(CODE.rejecting, REJECT_DENOMINATION, atMs);
      else if (this.#inhibited() || this.#notesRefused() || this.#disabled(this.#code))
        this.#go(CODE.rejecting, REJECT_INHIBITED, atMs);
      else this.#go(CODE.escrow, this.#code, atMs);
    } else if (this.#mode === CODE.escrow || this.#mode === CODE.holding) {
      if (this.#escrowEnds === 'rejecting') this.#go(CODE.rejecting, REJECT_INHIBITED, atMs);
      else this.#go(CODE.returning, 0, atMs);
    } else if (this.#mode === CODE.stacking) {
      const silently = this.#saysStackedFirst;
      this.#saysStackedFirst = false;
      this.#keep({ ...this.#falls(), owesCredit: !silently });
      this.#go(silently ? CODE.stacked : CODE.vendValid, 0, atMs);
    } else if (this.#mode === CODE.stacked && this.#repeatsCredit) {
      this.#repeatsCredit = false;
      this.#go(CODE.vendValid, 0, atMs);
    } else if (this.#mode === CODE.initialize) this.#initialised(atMs);
    else {
      // REJECTING and RETURNING end at the front; after STACKED and CHEATED the path is empty
      // already.
      if (this.#kept.path !== null) this.#keep(this.#comesOut());
      this.#coupon = null;
      this.#rest(atMs);
    }
  }

  #initialised(atMs: number): void {
    const { broken, jammed, cassette, path, owesCredit, forgetsCredit, swallows } = this.#kept;
    const stopped = broken
      ? CODE.failure
      : jammed
        ? path?.beyond
          ? CODE.jamInStacker
          : CODE.jamInAcceptor
        : cassette
          ? null
          : CODE.stackerOpen;
    if (stopped !== null) {
      this.#go(stopped, stopped === CODE.failure ? this.#failureCode : 0, atMs);
      return;
    }
    const swallowed = swallows && this.#poweredUpWithNote && path?.beyond === false;
    this.#poweredUpWithNote = false;
    if (swallowed) this.#keep({ swallows: false });
    const owes = swallowed || path?.beyond === true || owesCredit;
    if (path !== null || forgetsCredit)
      this.#keep({
        ...(owes ? this.#falls() : this.#comesOut()),
        owesCredit: owes && !forgetsCredit,
        forgetsCredit: forgetsCredit && !owes,
      });
    if (this.#kept.owesCredit) this.#go(CODE.vendValid, 0, atMs);
    else this.#rest(atMs);
  }

  #rest(atMs: number): void {
    const { cassette, full, cashBox } = this.#kept;
    if (!cassette) this.#go(CODE.stackerOpen, 0, atMs);
    else if (full || cashBox.length >= this.#capacity) this.#go(CODE.stackerFull, 0, atMs);
    else this.#go(this.#inhibited() ? CODE.disable : CODE.idle, 0, atMs);
  }

  #inhibited(): boolean {
    return this.#switchedOff || this.settings.get(COMMAND.inhibit)?.[0] !== 0;
  }

  #isRefusedByC7(bit: number): boolean {
    return (((this.settings.get(COMMAND.barcodeInhibit)?.[0] ?? 0) >> bit) & 1) === 1;
  }

  #notesRefused(): boolean {
    return this.#couponBit === 1 && this.#isRefusedByC7(0);
  }

  #disabled(code: number): boolean {
    const mask = this.settings.get(COMMAND.enable) ?? Uint8Array.of(0xff, 0xff);
    const bit = code - 0x61;
    return ((mask[bit >> 3] ?? 0xff) & (1 << (bit & 7))) !== 0;
  }

  // ---- what the protocol orders ----

  /** Status byte and data as it would answer now. */
  protected report(): { readonly mode: number; readonly data: readonly number[] } {
    if (this.#paused) return { mode: CODE.pause, data: [] };
    const mode = this.#mode;
    if (mode === CODE.escrow && this.#coupon !== null)
      return { mode, data: [BARCODE, ...Buffer.from(this.#coupon, 'ascii')] };
    const hasData = mode === CODE.escrow || mode === CODE.rejecting || mode === CODE.failure;
    return { mode, data: hasData ? [this.#detail] : [] };
  }

  /** ACK of the credit signal. */
  protected acknowledge(): void {
    if (this.#mode !== CODE.vendValid) return;
    this.#keep({ ...this.#falls(), owesCredit: false });
    this.#go(CODE.stacked);
  }

  protected reset(): void {
    this.#clearSettings();
    this.#go(CODE.initialize);
  }

  /** An order about the note in escrow; false where none is there. */
  protected order(what: 'stack-1' | 'stack-2' | 'return' | 'hold'): boolean {
    if (this.#paused || (this.#mode !== CODE.escrow && this.#mode !== CODE.holding)) return false;
    // A coupon is no note: the simulated box does not take it.
    if (this.#coupon !== null && what.startsWith('stack')) return false;
    if (what === 'return') this.#go(CODE.returning);
    else if (what === 'hold') this.#go(CODE.holding);
    else {
      this.#slowStack = what === 'stack-2';
      this.#go(CODE.stacking);
    }
    return true;
  }

  protected set(command: number, data: Uint8Array): void {
    this.settings.set(command, Uint8Array.from(data));
    if (command === COMMAND.inhibit && (this.#mode === CODE.idle || this.#mode === CODE.disable))
      this.#rest(this.clock.now());
  }

  /** What befalls the line or the software, and not the metal. */
  protected abstract befall(fault: 'silence' | 'repeat-frame' | 'other-firmware'): void;
}

/** As a unit stands after power-up and RESET. */
const SETTINGS_AT_START: readonly (readonly [command: number, data: readonly number[]])[] = [
  [COMMAND.enable, [0, 0]],
  [COMMAND.security, [0, 0]],
  [COMMAND.mode, [0]],
  [COMMAND.inhibit, [1]],
  [COMMAND.direction, [0]],
  [COMMAND.options, [0, 0]],
  [COMMAND.barcodeFunction, [0, 0]],
  [COMMAND.barcodeInhibit, [0]],
];

function known(codes: Readonly<Record<number, string>>, code: number, fault: string): number {
  if (codes[code] === undefined) throw new RangeError(`no ${fault} has the code ${code.toString(16)}`);
  return code;
}
