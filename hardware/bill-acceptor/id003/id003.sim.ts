/**
 * An ID-003 acceptor without the metal: the same bytes, a path with a note in it, a cash box, and memory that outlives a
 * power cut. It has no timers; whatever touches it first lets the time that has passed happen.
 */
import type { ByteTransport, DeviceClock, Note } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import {
  CODE,
  COMMAND,
  COUNTRIES,
  type Denomination,
  EMPTY_PARSER,
  encode,
  encodeCurrencies,
  type Frame,
  noteOf,
  parse,
  REJECT_DENOMINATION,
  REJECT_INHIBITED,
  REPLY_ACK,
  REPLY_INVALID,
} from './id003.codec.ts';
import { type AcceptorMemory, NEW_ACCEPTOR } from './id003-memory.ts';

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
/** Failure code of the one breakdown it knows. */
const STACK_MOTOR = 0xa2;

const NOTES: Readonly<Record<string, readonly (readonly [base: number, exponent: number])[]>> = {
  MOP: [
    [1, 1],
    [2, 1],
    [5, 1],
    [1, 2],
    [5, 2],
    [1, 3],
  ],
  HKD: [
    [1, 1],
    [2, 1],
    [5, 1],
    [1, 2],
    [5, 2],
    [1, 3],
  ],
  EUR: [
    [5, 0],
    [1, 1],
    [2, 1],
    [5, 1],
    [1, 2],
    [2, 2],
    [5, 2],
  ],
};

export const ACCEPTOR_FAULTS = [
  'jam',
  'clear-jam',
  'cheat',
  'full',
  'cassette-out',
  'cassette-in',
  'failure',
  'repair',
  'silence',
  /** The next power-up with a note in the stacker says nothing of it: no VEND VALID follows. */
  'forget-credit',
] as const;
export type AcceptorFault = (typeof ACCEPTOR_FAULTS)[number];

export interface Id003SimOptions {
  readonly clock: DeviceClock;
  readonly seed?: number;
  /** Currencies in the unit's note software, at most 16 notes in all. */
  readonly currencies?: readonly string[];
  readonly boxCapacity?: number;
  /** A unit that was there before: this is its power-up after a power cut. */
  readonly memory?: AcceptorMemory;
  /** Called at every change of what the unit keeps without power, before anybody is told of the change. */
  readonly onKeep?: () => void;
}

export type Inserted = { readonly taken: true } | { readonly taken: false; readonly why: string };

export class Id003Sim {
  readonly simulated = true;
  readonly model = 'ID-003 acceptor (simulated)';
  line: LineFaults = CLEAN_LINE;
  /** Per thousand commands: the unit falls silent for `silenceMs`. */
  silencePerMille = 0;
  silenceMs = 700;

  readonly #clock: DeviceClock;
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #capacity: number;
  readonly #table: readonly Denomination[];
  readonly #onKeep: () => void;
  #transport: ByteTransport | null = null;
  #parser = EMPTY_PARSER;

  // what the power cut leaves
  #kept: AcceptorMemory;
  // what it does not
  #powered = true;
  #mode: number;
  /** Escrow code of the note in the path, null for one outside the table. */
  #code: number | null = null;
  #sinceMs: number;
  #detail = 0;
  #slowStack = true;
  #mutedUntilMs = 0;
  #settings = new Map<number, Uint8Array>();

  constructor(options: Id003SimOptions) {
    this.#clock = options.clock;
    this.#chance = seededChance(options.seed ?? 1);
    this.#capacity = options.boxCapacity ?? 600;
    this.#table = tableOf(options.currencies ?? ['MOP', 'HKD']);
    this.#onKeep = options.onKeep ?? (() => {});
    this.#kept = options.memory ?? NEW_ACCEPTOR;
    this.#mode = this.#powerUpMode();
    this.#sinceMs = this.#clock.now();
    this.#clearSettings();
  }

  /** Puts the host's line into the unit's one plug; a line that was there is forgotten. */
  plug(transport: ByteTransport): void {
    this.#transport = transport;
    this.#parser = EMPTY_PARSER;
    const mine = (): boolean => this.#transport === transport;
    transport
      .open({
        onBytes: (bytes) => {
          if (mine()) this.#receive(bytes);
        },
        onClose: () => {
          if (mine()) this.#transport = null;
        },
      })
      .catch(() => {
        if (mine()) this.#transport = null;
      });
  }

  // ---- hands ----

  /** A player feeds a note. Taken only by an idle unit; a note outside the table is drawn in and rejected. */
  insert(valueMinor: number, currency: string): Inserted {
    this.#settle();
    if (!this.#powered) return { taken: false, why: 'no power' };
    if (this.#mode !== CODE.idle)
      return {
        taken: false,
        why: this.#mode === CODE.disable ? 'inhibited' : `busy (${this.#mode.toString(16)})`,
      };
    const row = this.#table.find((entry) => {
      const note = noteOf(entry, COUNTRIES);
      return note?.valueMinor === valueMinor && note.currency === currency;
    });
    this.#code = row?.code ?? null;
    this.#keep({ path: { note: { currency, valueMinor }, beyond: false } });
    this.#go(CODE.accepting);
    return { taken: true };
  }

  fault(fault: AcceptorFault): void {
    this.#settle();
    const { path, jammed } = this.#kept;
    if (fault === 'silence') this.#mutedUntilMs = this.#clock.now() + this.silenceMs;
    else if (fault === 'forget-credit') this.#keep({ forgetsCredit: true });
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
      this.#keep({ broken: fault === 'failure' });
      if (this.#kept.broken) this.#go(CODE.failure, STACK_MOTOR);
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
    this.#settle();
    this.#powered = false;
  }

  powerOn(): void {
    if (this.#powered) return;
    this.#powered = true;
    this.#parser = EMPTY_PARSER;
    this.#mutedUntilMs = 0;
    this.#clearSettings();
    this.#go(this.#powerUpMode());
  }

  // ---- what one sees when one opens the box ----

  /** All that would outlive a power cut at the moment the unit was last touched. */
  memory(): AcceptorMemory {
    return this.#kept;
  }
  /** Notes that lie in the cash box now. */
  cashBox(): readonly Note[] {
    this.#settle();
    return this.#kept.cashBox;
  }
  /** Notes that came out of the front, since the unit was made. */
  givenBack(): readonly Note[] {
    this.#settle();
    return this.#kept.givenBack;
  }
  /** Notes an attendant took out of a jammed path. */
  takenOut(): readonly Note[] {
    this.#settle();
    return this.#kept.takenOut;
  }
  /** The note between the front and the box. */
  inPath(): { readonly note: Note; readonly beyond: boolean } | null {
    this.#settle();
    return this.#kept.path;
  }
  /** A credit signal that no ACK has answered. */
  owesCredit(): boolean {
    return this.#kept.owesCredit;
  }
  /** The status byte it would answer with; null without power. */
  status(): number | null {
    this.#settle();
    return this.#powered ? this.#mode : null;
  }

  // ---- the unit itself ----

  #keep(changes: Partial<AcceptorMemory>): void {
    this.#kept = { ...this.#kept, ...changes };
    this.#onKeep();
  }

  #comesOut(): Partial<AcceptorMemory> {
    const { path, givenBack } = this.#kept;
    return path === null ? {} : { givenBack: [...givenBack, path.note], path: null };
  }

  #falls(): Partial<AcceptorMemory> {
    const { path, cashBox } = this.#kept;
    return path === null ? {} : { cashBox: [...cashBox, path.note], path: null };
  }

  #powerUpMode(): number {
    const { path, owesCredit } = this.#kept;
    if (path?.beyond || owesCredit) return CODE.powerUpBillInStacker;
    return path === null ? CODE.powerUp : CODE.powerUpBillInAcceptor;
  }

  #clearSettings(): void {
    this.#settings = new Map([
      [COMMAND.enable, Uint8Array.of(0, 0)],
      [COMMAND.security, Uint8Array.of(0, 0)],
      [COMMAND.mode, Uint8Array.of(0)],
      [COMMAND.inhibit, Uint8Array.of(1)],
      [COMMAND.direction, Uint8Array.of(0)],
      [COMMAND.options, Uint8Array.of(0, 0)],
    ]);
  }

  #go(mode: number, detail = 0, atMs = this.#clock.now()): void {
    this.#mode = mode;
    this.#detail = detail;
    this.#sinceMs = atMs;
  }

  // Everything that should have happened by now, in its order.
  #settle(): void {
    while (this.#powered) {
      const elapsedMs = this.#clock.now() - this.#sinceMs;
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
      const lasts = LASTS[this.#mode];
      if (lasts === undefined || elapsedMs < lasts) return;
      this.#pass(this.#sinceMs + lasts);
    }
  }

  #pass(atMs: number): void {
    if (this.#mode === CODE.accepting) {
      if (this.#kept.path === null) this.#rest(atMs);
      else if (this.#code === null) this.#go(CODE.rejecting, REJECT_DENOMINATION, atMs);
      else if (this.#inhibited() || this.#disabled(this.#code))
        this.#go(CODE.rejecting, REJECT_INHIBITED, atMs);
      else this.#go(CODE.escrow, this.#code, atMs);
    } else if (this.#mode === CODE.escrow || this.#mode === CODE.holding) this.#go(CODE.returning, 0, atMs);
    else if (this.#mode === CODE.stacking) {
      this.#keep({ ...this.#falls(), owesCredit: true });
      this.#go(CODE.vendValid, 0, atMs);
    } else if (this.#mode === CODE.initialize) this.#initialised(atMs);
    else {
      // REJECTING and RETURNING end at the front; after STACKED and CHEATED the path is empty already.
      if (this.#kept.path !== null) this.#keep(this.#comesOut());
      this.#rest(atMs);
    }
  }

  #initialised(atMs: number): void {
    const { broken, jammed, cassette, path, owesCredit, forgetsCredit } = this.#kept;
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
      this.#go(stopped, stopped === CODE.failure ? STACK_MOTOR : 0, atMs);
      return;
    }
    const owes = path?.beyond === true || owesCredit;
    if (path !== null || forgetsCredit)
      this.#keep({
        ...(path?.beyond ? this.#falls() : this.#comesOut()),
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
    return this.#settings.get(COMMAND.inhibit)?.[0] !== 0;
  }

  #disabled(code: number): boolean {
    const mask = this.#settings.get(COMMAND.enable) ?? Uint8Array.of(0xff, 0xff);
    const bit = code - 0x61;
    return ((mask[bit >> 3] ?? 0xff) & (1 << (bit & 7))) !== 0;
  }

  #receive(bytes: Uint8Array): void {
    this.#settle();
    if (!this.#powered || this.#clock.now() < this.#mutedUntilMs) return;
    const parsed = parse(this.#parser, disturb(bytes, this.line, this.#chance));
    this.#parser = parsed.state;
    for (const { frame } of parsed.frames) {
      if (this.#chance.happens(this.silencePerMille)) {
        this.#mutedUntilMs = this.#clock.now() + this.silenceMs;
        return;
      }
      const reply = this.#obey(frame);
      if (reply === null) continue;
      const sent = disturb(reply, this.line, this.#chance);
      if (sent.length > 0) this.#transport?.write(sent).catch(() => {});
    }
  }

  #obey({ command, data }: Frame): Uint8Array | null {
    const poweringUp =
      this.#mode === CODE.powerUp ||
      this.#mode === CODE.powerUpBillInAcceptor ||
      this.#mode === CODE.powerUpBillInStacker;
    const escrowed = this.#mode === CODE.escrow || this.#mode === CODE.holding;
    switch (command) {
      case COMMAND.statusRequest:
        return encode(this.#mode, this.#statusData());
      case COMMAND.ack:
        if (this.#mode === CODE.vendValid) {
          this.#keep({ ...this.#falls(), owesCredit: false });
          this.#go(CODE.stacked);
        }
        return null;
      case COMMAND.reset:
        this.#clearSettings();
        this.#go(CODE.initialize);
        return encode(REPLY_ACK);
      case COMMAND.stack1:
      case COMMAND.stack2:
        if (!escrowed) return encode(REPLY_INVALID);
        this.#slowStack = command === COMMAND.stack2;
        this.#go(CODE.stacking);
        return encode(REPLY_ACK);
      case COMMAND.returnNote:
        if (!escrowed) return encode(REPLY_INVALID);
        this.#go(CODE.returning);
        return encode(REPLY_ACK);
      case COMMAND.hold:
        if (!escrowed) return encode(REPLY_INVALID);
        this.#go(CODE.holding);
        return encode(REPLY_ACK);
      case COMMAND.wait:
        return encode(REPLY_ACK);
      case COMMAND.version:
        return encode(command, Buffer.from(`${SIMULATED} ID003-1.0`, 'ascii'));
      case COMMAND.bootVersion:
        return encode(command, Buffer.from('S1.0', 'ascii'));
      case COMMAND.currencies:
        return encode(command, encodeCurrencies(this.#table));
      default:
        return this.#setting(command, data, poweringUp);
    }
  }

  #statusData(): readonly number[] {
    return this.#mode === CODE.escrow || this.#mode === CODE.rejecting || this.#mode === CODE.failure
      ? [this.#detail]
      : [];
  }

  #setting(command: number, data: Uint8Array, poweringUp: boolean): Uint8Array {
    const isRead = command >= COMMAND.readEnable && command <= COMMAND.readOptions;
    const value = this.#settings.get(isRead ? command + 0x40 : command);
    if (value === undefined || (!isRead && (poweringUp || data.length !== value.length)))
      return encode(REPLY_INVALID);
    if (isRead) return encode(command, value);
    // Polled mode only: a unit on a bus of its own never speaks unasked here.
    if (command === COMMAND.mode && data[0] !== 0) return encode(REPLY_INVALID);
    this.#settings.set(command, Uint8Array.from(data));
    if (command === COMMAND.inhibit && (this.#mode === CODE.idle || this.#mode === CODE.disable))
      this.#rest(this.#clock.now());
    return encode(command, data);
  }
}

function tableOf(currencies: readonly string[]): readonly Denomination[] {
  const rows: Denomination[] = [];
  for (const currency of currencies) {
    const country = Object.entries(COUNTRIES).find(([, name]) => name === currency)?.[0];
    const notes = NOTES[currency];
    if (country === undefined || notes === undefined) throw new RangeError(`no notes known in ${currency}`);
    for (const [base, exponent] of notes)
      rows.push({ code: 0x61 + rows.length, country: Number(country), base, exponent });
  }
  if (rows.length > 16) throw new RangeError(`${rows.length} notes, ID-003 has escrow codes for 16`);
  return rows;
}
