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
}

interface InPath {
  readonly note: Note;
  readonly code: number | null;
  /** Past the point of no return. */
  readonly beyond: boolean;
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
  #transport: ByteTransport | null = null;
  #parser = EMPTY_PARSER;

  // what the power cut leaves
  #box: Note[] = [];
  #returned: Note[] = [];
  #removed: Note[] = [];
  #path: InPath | null = null;
  #owed = false;
  #cassette = true;
  #jammed = false;
  #broken = false;
  #forget = false;
  #full = false;
  // what it does not
  #powered = true;
  #mode: number = CODE.powerUp;
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
    this.#path = { note: { currency, valueMinor }, code: row?.code ?? null, beyond: false };
    this.#go(CODE.accepting);
    return { taken: true };
  }

  fault(fault: AcceptorFault): void {
    this.#settle();
    if (fault === 'silence') this.#mutedUntilMs = this.#clock.now() + this.silenceMs;
    else if (fault === 'forget-credit') this.#forget = true;
    else if (fault === 'jam') {
      this.#jammed = true;
      this.#go(this.#path?.beyond ? CODE.jamInStacker : CODE.jamInAcceptor);
    } else if (fault === 'clear-jam') {
      // The attendant takes the note out of the path; the unit notices at its next RESET.
      this.#jammed = false;
      if (this.#path === null || (this.#mode !== CODE.jamInAcceptor && this.#mode !== CODE.jamInStacker))
        return;
      this.#removed.push(this.#path.note);
      this.#path = null;
    } else if (fault === 'cheat') {
      // Pulled back on a string: only what is not yet past the point of no return can be.
      if (this.#path === null || this.#path.beyond || this.#jammed) return;
      this.#returned.push(this.#path.note);
      this.#path = null;
      this.#go(CODE.cheated);
    } else if (fault === 'failure' || fault === 'repair') {
      this.#broken = fault === 'failure';
      if (this.#broken) this.#go(CODE.failure, STACK_MOTOR);
    } else if (fault === 'cassette-out') {
      this.#cassette = false;
      this.#go(CODE.stackerOpen);
    } else if (fault === 'cassette-in') {
      this.#cassette = true;
      this.#clearSettings();
      this.#go(CODE.initialize);
    } else if (fault === 'full') {
      this.#full = true;
      if (this.#mode === CODE.idle || this.#mode === CODE.disable) this.#go(CODE.stackerFull);
    } else fault satisfies never;
  }

  /** The drop: takes the box out, empties it and puts it back. Answers what lay in it. */
  emptyBox(): readonly Note[] {
    this.fault('cassette-out');
    const notes = this.#box.splice(0);
    this.#full = false;
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
    if (this.#path?.beyond || this.#owed) this.#go(CODE.powerUpBillInStacker);
    else this.#go(this.#path === null ? CODE.powerUp : CODE.powerUpBillInAcceptor);
  }

  // ---- what one sees when one opens the box ----

  /** Notes that lie in the cash box now. */
  cashBox(): readonly Note[] {
    this.#settle();
    return [...this.#box];
  }
  /** Notes that came out of the front, since the unit was made. */
  givenBack(): readonly Note[] {
    this.#settle();
    return [...this.#returned];
  }
  /** Notes an attendant took out of a jammed path. */
  takenOut(): readonly Note[] {
    return [...this.#removed];
  }
  /** The note between the front and the box. */
  inPath(): { readonly note: Note; readonly beyond: boolean } | null {
    this.#settle();
    return this.#path === null ? null : { note: this.#path.note, beyond: this.#path.beyond };
  }
  /** A credit signal that no ACK has answered. */
  owesCredit(): boolean {
    return this.#owed;
  }
  /** The status byte it would answer with; null without power. */
  status(): number | null {
    this.#settle();
    return this.#powered ? this.#mode : null;
  }

  // ---- the unit itself ----

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
      if (
        this.#mode === CODE.stacking &&
        elapsedMs >= POINT_OF_NO_RETURN_MS &&
        this.#path?.beyond === false
      ) {
        this.#path = { ...this.#path, beyond: true };
        if (!this.#slowStack) {
          this.#owed = true;
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
    const path = this.#path;
    if (this.#mode === CODE.accepting) {
      if (path === null) this.#rest(atMs);
      else if (path.code === null) this.#go(CODE.rejecting, REJECT_DENOMINATION, atMs);
      else if (this.#inhibited() || this.#disabled(path.code))
        this.#go(CODE.rejecting, REJECT_INHIBITED, atMs);
      else this.#go(CODE.escrow, path.code, atMs);
    } else if (this.#mode === CODE.escrow || this.#mode === CODE.holding) this.#go(CODE.returning, 0, atMs);
    else if (this.#mode === CODE.stacking) {
      this.#drop();
      this.#owed = true;
      this.#go(CODE.vendValid, 0, atMs);
    } else if (this.#mode === CODE.initialize) this.#initialised(atMs);
    else {
      // REJECTING and RETURNING end at the front; after STACKED and CHEATED the path is empty already.
      if (path !== null) this.#returned.push(path.note);
      this.#path = null;
      this.#rest(atMs);
    }
  }

  #initialised(atMs: number): void {
    const stopped = this.#broken
      ? CODE.failure
      : this.#jammed
        ? this.#path?.beyond
          ? CODE.jamInStacker
          : CODE.jamInAcceptor
        : this.#cassette
          ? null
          : CODE.stackerOpen;
    if (stopped !== null) {
      this.#go(stopped, stopped === CODE.failure ? STACK_MOTOR : 0, atMs);
      return;
    }
    if (this.#path?.beyond) {
      this.#drop();
      this.#owed = true;
    } else if (this.#path !== null) {
      this.#returned.push(this.#path.note);
      this.#path = null;
    }
    if (this.#owed && this.#forget) {
      this.#owed = false;
      this.#forget = false;
    }
    if (this.#owed) this.#go(CODE.vendValid, 0, atMs);
    else this.#rest(atMs);
  }

  #drop(): void {
    if (this.#path !== null) this.#box.push(this.#path.note);
    this.#path = null;
  }

  #rest(atMs: number): void {
    if (!this.#cassette) this.#go(CODE.stackerOpen, 0, atMs);
    else if (this.#full || this.#box.length >= this.#capacity) this.#go(CODE.stackerFull, 0, atMs);
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
          this.#owed = false;
          this.#drop();
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
