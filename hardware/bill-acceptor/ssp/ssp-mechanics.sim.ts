/**
 * The metal of an SSP acceptor: what hands and fate do to it, and the events that wait for a poll.
 */
import type { AcceptorState, Note } from '../../ports.ts';
import { type Inserted, LASTS, Mechanics, type MechanicsOptions } from '../mechanics.sim.ts';
import { EVENT, type PollEvent, REJECT_REASON } from './ssp.codec.ts';
import type { SspFault } from './ssp-faults.ts';

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

export interface SspMechanicsOptions extends MechanicsOptions {
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

export abstract class SspMechanics extends Mechanics {
  readonly #keepsEvents: boolean;
  readonly #isFrozen: boolean;
  readonly #tellsOnce: boolean;
  // what the power cut leaves
  #waiting: PollEvent[] = [{ code: EVENT.slaveReset, channel: null }];
  #jammed = false;
  #isOpenPath = false;
  // what it does not
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
    const { keepsEvents = true, isFrozen = true, tellsOnce = false } = o;
    super(o, { ...LASTS, stacking: 700 });
    this.#keepsEvents = keepsEvents;
    this.#isFrozen = isFrozen;
    this.#tellsOnce = tellsOnce;
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
    this.path = { note, type: this.channelOf(note), beyond: false };
    this.go('reading');
    return { taken: true };
  }

  #whyNotTaken(): string | null {
    if (!this.powered) return 'no power';
    if (this.halted() || this.isFull()) return 'out of use';
    if (this.mode !== 'rest' || this.path !== null) return `busy (${this.mode})`;
    if (!this.enabled || this.register.every((byte) => byte === 0)) return 'inhibited';
    return this.#acksFrom && this.#waiting.some(({ code }) => REPEATED.includes(code))
      ? 'waits for an acknowledgement'
      : null;
  }

  override fault(fault: SspFault, code?: number): void {
    this.settle();
    const path = this.path;
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
        if (this.#jammed) this.#clears();
        this.#jammed = false;
        return;
      case 'cheat':
        // Pulled back on a string: only what is not yet past the point of no return can be.
        if (path === null || path.beyond || this.halted() || !this.powered) return;
        this.comesOut();
        this.#say(EVENT.fraud, path.type);
        return this.go('rest');
      case 'full':
        this.full = true;
        return;
      case 'cassette-out':
        this.cassette = false;
        return;
      case 'cassette-in':
        if (!this.cassette) this.#say(EVENT.cashBoxReplaced);
        this.cassette = true;
        return this.again();
      case 'open-path':
      case 'close-path':
        this.#isOpenPath = fault === 'open-path';
        return this.again();
    }
  }

  #clears(): void {
    if (this.path?.beyond) this.falls();
    else this.comesOut();
  }

  // ---- what one sees when one opens the box ----

  /** A credit that no poll, or no acknowledgement, has taken yet. */
  owesCredit(): boolean {
    this.settle();
    return this.#waiting.some(({ code }) => code === EVENT.credit || code === EVENT.clearedIntoCashBox);
  }
  /** The port's word for what it does; null without power. */
  state(): AcceptorState | null {
    this.settle();
    if (!this.powered) return null;
    if (this.mode === 'starting') return this.doing();
    if (this.#seesJam) return 'jammed';
    if (!this.cassette) return 'cassette-removed';
    if (this.#isOpenPath) return 'failed';
    if (this.mode === 'rest' && this.isFull()) return 'full';
    return this.mode === 'rest' && !this.enabled ? 'disabled' : this.doing();
  }

  // ---- the unit itself ----

  protected override restart(): void {
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
    this.go('starting');
  }

  #say(code: number, channel: number | null = null): void {
    this.#waiting.push({ code, channel });
  }

  protected override halted(): boolean {
    return this.#seesJam || !this.cassette || this.#isOpenPath;
  }

  protected override passesPoint(): void {
    this.#say(EVENT.credit, this.path?.type ?? 0);
  }

  protected override pass(atMs: number): void {
    const path = this.path;
    if (this.mode === 'starting') {
      if (path !== null)
        this.#say(path.beyond ? EVENT.clearedIntoCashBox : EVENT.clearedFromFront, path.type);
      this.#clears();
      return this.go('rest', atMs);
    }
    if (path === null) return this.go('rest', atMs);
    if (this.mode === 'reading') {
      const reason = this.#rejectsWith ?? this.#refuses(path.type);
      this.#rejectsWith = null;
      this.#isTold = false;
      if (reason === null) return this.go('escrow', atMs);
      return this.#rejects(reason, atMs);
    }
    if (this.mode === 'escrow') return this.#rejects(TIMED_OUT, atMs);
    if (this.mode === 'stacking') {
      this.falls();
      this.#say(EVENT.stacked);
    } else {
      this.comesOut();
      this.#say(EVENT.rejected);
    }
    this.go('rest', atMs);
  }

  #refuses(channel: number): number | null {
    if (channel === 0) return NOT_RECOGNISED;
    const isOpen = ((this.register[(channel - 1) >> 3] ?? 0) >> ((channel - 1) & 7)) & 1;
    return this.enabled && isOpen === 1 ? null : CHANNEL_CLOSED;
  }

  #rejects(reason: number, atMs: number): void {
    this.#reason = reason;
    this.go('rejecting', atMs);
  }

  // ---- what the protocol orders ----

  /** The events of a poll; one that finds a told note in escrow stacks it. */
  protected poll(withAck: boolean): readonly PollEvent[] {
    this.#acksFrom = withAck;
    if (withAck && this.#isFrozen && this.#answer !== null) return this.#answer;
    const channel = this.path?.type ?? null;
    const now: PollEvent[] = [];
    const add = (is: boolean, code: number, of: number | null = null): void => {
      if (is) now.push({ code, channel: of });
    };
    // Nothing of a note that was taken out by hand.
    if (this.path === null && this.mode !== 'starting') this.mode = 'rest';
    if (this.mode === 'escrow' && this.#isTold && !this.halted()) this.go('stacking');
    add(this.mode === 'reading', EVENT.read, 0);
    add(this.mode === 'escrow', EVENT.read, channel);
    add(this.mode === 'stacking', EVENT.stacking);
    add(this.mode === 'rejecting', EVENT.rejecting);
    add(this.#seesJam, this.path?.beyond ? EVENT.safeJam : EVENT.unsafeJam);
    add(!this.cassette, EVENT.cashBoxRemoved);
    add(this.#isOpenPath, EVENT.pathOpen);
    const addState = (is: boolean, code: number): void => {
      const isNews = !this.#tellsOnce || !this.#toldOnce.includes(code);
      add(is && isNews, code);
      this.#toldOnce = [...this.#toldOnce.filter((one) => one !== code), ...(is ? [code] : [])];
    };
    addState(this.isFull(), EVENT.full);
    add(withAck && this.mode === 'starting', EVENT.initialising);
    addState(!this.enabled, EVENT.disabled);
    if (this.mode === 'escrow') this.#isTold = true;
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
    if (this.mode !== 'escrow' || this.path === null) return false;
    this.again();
    return true;
  }

  protected reject(): boolean {
    if (this.mode !== 'escrow' || this.path === null || this.halted()) return false;
    this.#rejects(BY_HOST, this.clock.now());
    return true;
  }

  protected lastReject(): number {
    return this.#reason;
  }
}
