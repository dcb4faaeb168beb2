/**
 * The metal of an SSP acceptor: a path with a note in it, a cash box, and the events that wait for
 * a poll. It has no timers; whatever touches it first lets the time that has passed happen.
 */
import type { AcceptorState, DeviceClock, Note } from '../../ports.ts';
import { EVENT, type PollEvent, REJECT_REASON } from './ssp.codec.ts';
import type { SspFault } from './ssp-faults.ts';

type Mode = 'starting' | 'rest' | 'reading' | 'escrow' | 'stacking' | 'rejecting';

/** How long each lasts, milliseconds; escrow by the maker's manual, the rest not measured. */
const LASTS: Readonly<Partial<Record<Mode, number>>> = {
  starting: 600,
  reading: 500,
  escrow: 10_000,
  stacking: 700,
  rejecting: 300,
};
/**
 * From the start of stacking: until then the note can still come back, from then it is credited.
 */
const POINT_OF_NO_RETURN_MS = 300;
const NOT_RECOGNISED = 0x02;
const BY_HOST = 0x08;
const CHANNEL_CLOSED = 0x0c;
const TIMED_OUT = 0x13;

/** Events that POLL WITH ACK repeats until EVENT ACK, by the maker's manual. */
const REPEATED: readonly number[] = [
  EVENT.credit,
  EVENT.clearedIntoCashBox,
  EVENT.clearedFromFront,
  EVENT.fraud,
];

export interface SspMechanicsOptions {
  readonly clock: DeviceClock;
  readonly boxCapacity?: number;
  /** Default: credits that nobody has heard outlive a power cut; false: they are gone. */
  readonly keepsEvents?: boolean;
  /**
   * Default, by the maker's manual: until EVENT ACK the answer to POLL WITH ACK stays as it is;
   * false: only the events that wait for it come again, with what has happened since.
   */
  readonly isFrozen?: boolean;
  /** As in the maker's manual: DISABLED and FULL are reported once. Default: in every poll. */
  readonly tellsOnce?: boolean;
}

export type Inserted = { readonly taken: true } | { readonly taken: false; readonly why: string };

export abstract class SspMechanics {
  protected readonly clock: DeviceClock;
  readonly #capacity: number;
  readonly #keepsEvents: boolean;
  readonly #isFrozen: boolean;
  readonly #tellsOnce: boolean;
  // what the power cut leaves
  #cashBox: Note[] = [];
  readonly #givenBack: Note[] = [];
  #path: { readonly note: Note; readonly channel: number; readonly beyond: boolean } | null = null;
  #waiting: PollEvent[] = [{ code: EVENT.slaveReset, channel: null }];
  #cassette = true;
  #full = false;
  #jammed = false;
  #isOpenPath = false;
  // what it does not
  #powered = true;
  #mode: Mode = 'starting';
  #sinceMs: number;
  /** The note in escrow has been reported: the next poll stacks it. */
  #isTold = false;
  #seesJam = false;
  #rejectsWith: number | null = null;
  #reason = 0;
  #acksFrom = false;
  /** Events that were told and wait for EVENT ACK, and the answer they were told in. */
  #owed: readonly PollEvent[] = [];
  #answer: readonly PollEvent[] | null = null;
  /** States that are reported once, and have been. */
  #toldOnce: readonly number[] = [];
  protected enabled = false;
  protected register: readonly number[] = [];

  constructor(o: SspMechanicsOptions) {
    const { clock, boxCapacity = 600, keepsEvents = true, isFrozen = true, tellsOnce = false } = o;
    this.clock = clock;
    this.#capacity = boxCapacity;
    this.#keepsEvents = keepsEvents;
    this.#isFrozen = isFrozen;
    this.#tellsOnce = tellsOnce;
    this.#sinceMs = clock.now();
  }

  protected abstract channelOf(note: Note): number;
  protected abstract silence(): void;
  /** Key, SEQ and whatever else the line knew is gone. */
  protected abstract forget(): void;

  // ---- hands ----

  insert(valueMinor: number, currency: string): Inserted {
    this.settle();
    const why = this.#whyNotTaken();
    if (why !== null) return { taken: false, why };
    const note = { currency, valueMinor };
    this.#path = { note, channel: this.channelOf(note), beyond: false };
    this.#go('reading');
    return { taken: true };
  }

  #whyNotTaken(): string | null {
    if (!this.#powered) return 'no power';
    if (this.#stopped() || this.#isFull()) return 'out of use';
    if (this.#mode !== 'rest' || this.#path !== null) return `busy (${this.#mode})`;
    if (!this.enabled || this.register.every((byte) => byte === 0)) return 'inhibited';
    return this.#acksFrom && this.#waiting.some(({ code }) => REPEATED.includes(code))
      ? 'waits for an acknowledgement'
      : null;
  }

  fault(fault: SspFault, code?: number): void {
    this.settle();
    const path = this.#path;
    switch (fault) {
      case 'silence':
        return this.silence();
      case 'reject':
        if (code !== undefined && REJECT_REASON[code] === undefined)
          throw new RangeError(`no reject has the code ${code.toString(16)}`);
        this.#rejectsWith = code ?? NOT_RECOGNISED;
        return;
      case 'jam':
        this.#jammed = true;
        this.#seesJam = true;
        return;
      case 'clear-jam':
        // Whoever frees the path lays a note that was past its front into the box, and hands the
        // other one back; the unit notices at its next start.
        if (path !== null && this.#jammed) {
          if (path.beyond) this.#cashBox.push(path.note);
          else this.#givenBack.push(path.note);
          this.#path = null;
        }
        this.#jammed = false;
        return;
      case 'cheat':
        // Pulled back on a string: only what is not yet past the point of no return can be.
        if (path === null || path.beyond || this.#stopped() || !this.#powered) return;
        this.#givenBack.push(path.note);
        this.#path = null;
        this.#say(EVENT.fraud, path.channel);
        return this.#go('rest');
      case 'full':
        this.#full = true;
        return;
      case 'cassette-out':
        this.#cassette = false;
        return;
      case 'cassette-in':
        if (!this.#cassette) this.#say(EVENT.cashBoxReplaced);
        this.#cassette = true;
        return this.#goOn();
      case 'open-path':
      case 'close-path':
        this.#isOpenPath = fault === 'open-path';
        return this.#goOn();
    }
  }

  /** A movement that was stopped begins again. */
  #goOn(): void {
    this.#sinceMs = this.clock.now();
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
  inPath(): { readonly note: Note; readonly beyond: boolean } | null {
    this.settle();
    return this.#path;
  }
  /** A credit that no poll, or no acknowledgement, has taken yet. */
  owesCredit(): boolean {
    this.settle();
    return this.#waiting.some(({ code }) => code === EVENT.credit || code === EVENT.clearedIntoCashBox);
  }
  /** The port's word for what it does; null without power. */
  state(): AcceptorState | null {
    this.settle();
    if (!this.#powered) return null;
    if (this.#mode === 'starting') return 'initializing';
    if (this.#seesJam) return 'jammed';
    if (!this.#cassette) return 'cassette-removed';
    if (this.#isOpenPath) return 'failed';
    if (this.#mode === 'rest') return this.#isFull() ? 'full' : this.enabled ? 'idle' : 'disabled';
    return this.#mode === 'reading' ? 'accepting' : this.#mode;
  }

  // ---- the unit itself ----

  protected get powered(): boolean {
    return this.#powered;
  }

  protected restart(): void {
    this.enabled = false;
    this.register = [];
    this.#isTold = false;
    this.#acksFrom = false;
    this.#owed = [];
    this.#answer = null;
    this.#toldOnce = [];
    this.#seesJam = this.#jammed;
    const kept = this.#waiting.filter(({ code }) => REPEATED.includes(code));
    this.#waiting = [{ code: EVENT.slaveReset, channel: null }, ...(this.#keepsEvents ? kept : [])];
    this.forget();
    this.#go('starting');
  }

  #say(code: number, channel: number | null = null): void {
    this.#waiting.push({ code, channel });
  }

  #isFull(): boolean {
    return this.#full || this.#cashBox.length >= this.#capacity;
  }

  #stopped(): boolean {
    return this.#seesJam || !this.#cassette || this.#isOpenPath;
  }

  #go(mode: Mode, atMs = this.clock.now()): void {
    this.#mode = mode;
    this.#sinceMs = atMs;
  }

  // Everything that should have happened by now, in its order.
  protected settle(): void {
    while (this.#powered && !this.#stopped()) {
      const elapsedMs = this.clock.now() - this.#sinceMs;
      const path = this.#path;
      if (this.#mode === 'stacking' && elapsedMs >= POINT_OF_NO_RETURN_MS && path?.beyond === false) {
        this.#path = { ...path, beyond: true };
        this.#say(EVENT.credit, path.channel);
        continue;
      }
      const lasts = LASTS[this.#mode];
      if (lasts === undefined || elapsedMs < lasts) return;
      this.#pass(this.#sinceMs + lasts);
    }
  }

  #pass(atMs: number): void {
    const path = this.#path;
    if (this.#mode === 'starting') {
      if (path?.beyond) {
        this.#cashBox.push(path.note);
        this.#say(EVENT.clearedIntoCashBox, path.channel);
      } else if (path !== null) {
        this.#givenBack.push(path.note);
        this.#say(EVENT.clearedFromFront, path.channel);
      }
      this.#path = null;
      return this.#go('rest', atMs);
    }
    if (path === null) return this.#go('rest', atMs);
    if (this.#mode === 'reading') {
      const reason = this.#rejectsWith ?? this.#refuses(path.channel);
      this.#rejectsWith = null;
      this.#isTold = false;
      if (reason === null) return this.#go('escrow', atMs);
      return this.#rejects(reason, atMs);
    }
    if (this.#mode === 'escrow') return this.#rejects(TIMED_OUT, atMs);
    if (this.#mode === 'stacking') {
      this.#cashBox.push(path.note);
      this.#say(EVENT.stacked);
    } else {
      this.#givenBack.push(path.note);
      this.#say(EVENT.rejected);
    }
    this.#path = null;
    this.#go('rest', atMs);
  }

  #refuses(channel: number): number | null {
    if (channel === 0) return NOT_RECOGNISED;
    const isOpen = ((this.register[(channel - 1) >> 3] ?? 0) >> ((channel - 1) & 7)) & 1;
    return this.enabled && isOpen === 1 ? null : CHANNEL_CLOSED;
  }

  #rejects(reason: number, atMs: number): void {
    this.#reason = reason;
    this.#go('rejecting', atMs);
  }

  // ---- what the protocol orders ----

  /** The events of a poll; one that finds a told note in escrow stacks it. */
  protected poll(withAck: boolean): readonly PollEvent[] {
    this.#acksFrom = withAck;
    if (withAck && this.#isFrozen && this.#answer !== null) return this.#answer;
    const channel = this.#path?.channel ?? null;
    const now: PollEvent[] = [];
    const add = (is: boolean, code: number, of: number | null = null): void => {
      if (is) now.push({ code, channel: of });
    };
    // Nothing of a note that was taken out by hand.
    if (this.#path === null && this.#mode !== 'starting') this.#mode = 'rest';
    if (this.#mode === 'escrow' && this.#isTold && !this.#stopped()) this.#go('stacking');
    add(this.#mode === 'reading', EVENT.read, 0);
    add(this.#mode === 'escrow', EVENT.read, channel);
    add(this.#mode === 'stacking', EVENT.stacking);
    add(this.#mode === 'rejecting', EVENT.rejecting);
    add(this.#seesJam, this.#path?.beyond ? EVENT.safeJam : EVENT.unsafeJam);
    add(!this.#cassette, EVENT.cashBoxRemoved);
    add(this.#isOpenPath, EVENT.pathOpen);
    const addState = (is: boolean, code: number): void => {
      const isNews = !this.#tellsOnce || !this.#toldOnce.includes(code);
      add(is && isNews, code);
      this.#toldOnce = [...this.#toldOnce.filter((one) => one !== code), ...(is ? [code] : [])];
    };
    addState(this.#isFull(), EVENT.full);
    add(withAck && this.#mode === 'starting', EVENT.initialising);
    addState(!this.enabled, EVENT.disabled);
    if (this.#mode === 'escrow') this.#isTold = true;
    const told = [...this.#waiting, ...now];
    this.#owed = withAck ? this.#waiting.filter(({ code }) => REPEATED.includes(code)) : [];
    this.#waiting = [...this.#owed];
    this.#answer = this.#owed.length > 0 ? told : null;
    return told;
  }

  /** Drops what has been reported, and nothing that came since. */
  protected acknowledge(): boolean {
    const owed = this.#owed;
    this.#waiting = this.#waiting.filter((event) => !owed.includes(event));
    this.#owed = [];
    this.#answer = null;
    return owed.length > 0;
  }

  protected hold(): boolean {
    if (this.#mode !== 'escrow' || this.#path === null) return false;
    this.#sinceMs = this.clock.now();
    return true;
  }

  protected reject(): boolean {
    if (this.#mode !== 'escrow' || this.#path === null || this.#stopped()) return false;
    this.#rejects(BY_HOST, this.clock.now());
    return true;
  }

  protected lastReject(): number {
    return this.#reason;
  }
}
