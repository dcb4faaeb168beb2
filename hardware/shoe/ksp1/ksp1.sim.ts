/**
 * A KSP-1 shoe without the metal: an ordered stack of cards, a mouth, a cover, and a memory of its
 * last 512 events that outlives a power cut. Cards are 0..51 = suit * 13 + rank, suits S H D C =
 * 0..3, ranks A..K = 0..12.
 */
import type { ByteTransport, DeviceClock } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import { Plug } from '../../transport/plug.sim.ts';
import {
  decode,
  type EventMessage,
  encode,
  FLAG_REPLAY,
  FLAG_SERVICE,
  type Message,
  parse,
  proofOf,
  STATE,
} from './ksp1.codec.ts';
import type { ShoeFault } from './ksp1-faults.ts';
import { faceOf, JOURNAL_LIMIT, newShoe, readEntry, type ShoeMemory, writeEntry } from './ksp1-memory.ts';

const REPEAT_MS = 250;
const HEARTBEAT_MS = 1000;
const CERTAIN = 250;

export interface Ksp1SimOptions {
  readonly clock: DeviceClock;
  readonly seed?: number;
  /** Printable ASCII, at most 16 characters; the shoe's name for ever. */
  readonly serial?: string;
  readonly pairingKey?: Uint8Array;
  /** It reads the card that left it last once more, as no unit of before there was the word. */
  readonly rereads?: boolean;
  /**
   * A shoe that was there before: this is its next start, after a power cut. Its own serial counts.
   */
  readonly memory?: ShoeMemory;
  /**
   * Called at every change of what the shoe keeps without power, before anybody hears of the
   * change.
   */
  readonly onKeep?: () => void;
}

export type Drawn =
  | { readonly drawn: true; readonly cards: readonly number[]; readonly cutCard: boolean }
  | { readonly drawn: false; readonly why: string };

export class Ksp1Sim {
  readonly simulated = true;
  readonly model = 'KSP-1 shoe (simulated)';
  line: LineFaults = CLEAN_LINE;

  readonly #clock: DeviceClock;
  readonly #chance: ReturnType<typeof seededChance>;
  #pairingKey: Uint8Array | null;
  #firmware = `${SIMULATED} 1`;
  readonly #plug = new Plug({
    onBytes: (bytes) => this.#receive(bytes),
    opened: () => {
      if (this.#powered) this.#greet();
    },
    gone: () => this.#hungUp(),
  });
  #parser = EMPTY_PARSER;
  #cancelTick: () => void = () => {};

  readonly #onKeep: () => void;

  // what the power cut leaves
  #kept: ShoeMemory;
  // what it does not
  #powered = true;
  #poweredAtMs: number;
  #locked = false;
  #service = false;
  #toldTime: { readonly epochMs: number; readonly atMs: number } | null = null;
  #resumed = false;
  #replayUpTo = 0;
  #sentSeq = 0;
  #sentAtMs = 0;
  #beatAtMs = 0;
  /** The card that is held before the reader cannot be read there either. */
  #isUnreadable = false;
  /** The question that was answered last, and with what: asked again it is the same. */
  #reread: Extract<Message, { type: 'readAgain' }> | null = null;
  readonly #rereads: boolean;

  constructor(options: Ksp1SimOptions) {
    this.#clock = options.clock;
    this.#chance = seededChance(options.seed ?? 1);
    this.#pairingKey = options.pairingKey ?? null;
    this.#rereads = options.rereads ?? true;
    this.#onKeep = options.onKeep ?? (() => {});
    const { memory } = options;
    this.#kept = memory ? { ...memory, boot: memory.boot + 1 } : newShoe(options.serial ?? 'SIM-SHOE-1');
    this.#poweredAtMs = this.#clock.now();
  }

  /** Puts the host's line into the shoe's one plug; a line that was there is forgotten. */
  plug(transport: ByteTransport): void {
    this.#parser = EMPTY_PARSER;
    this.#resumed = false;
    this.#plug.put(transport);
  }

  /** Pulls the plug for good and stops its timers. */
  unplug(): void {
    this.#hungUp();
    this.#plug.pull();
  }

  #hungUp(): void {
    this.#resumed = false;
    this.#cancelTick();
  }

  // ---- hands ----

  /**
   * Fills the shoe; the first card of `cards` is the first to come out. `decks` is what the dealer
   * says is in it.
   */
  load(cards: readonly number[], decks: number): string {
    for (const card of cards)
      if (!Number.isInteger(card) || card < 0 || card > 51) throw new RangeError(`${card} is no card 0..51`);
    if (!Number.isInteger(decks) || decks < 1 || decks > 255) throw new RangeError(`${decks} decks`);
    const loads = this.#kept.loads + 1;
    const shoeId = `${this.serial.slice(0, 10)}-${String(loads).padStart(5, '0')}`;
    this.#note(
      { type: 'loaded', shoeId, decks, firstSeq: this.#kept.lastSeq + 2 },
      { cards: [...cards], drawn: [], cutCardBefore: null, loads, decks, next: null },
    );
    return shoeId;
  }

  /**
   * Puts the cut card so that `fromEnd` cards lie behind it. It comes out by itself, before the
   * card behind it is drawn.
   */
  placeCutCard(fromEnd: number): void {
    const { cards } = this.#kept;
    if (!Number.isInteger(fromEnd) || fromEnd < 0 || fromEnd > cards.length)
      throw new RangeError(`cut card ${fromEnd} from the end of ${cards.length} cards`);
    this.#keep({ cutCardBefore: fromEnd });
  }

  /** The dealer pulls one card out of the mouth. */
  draw(): Drawn {
    const why = this.#closedBecause();
    if (why !== null) return { drawn: false, why };
    const cutCard = this.#kept.cutCardBefore === this.#kept.cards.length;
    if (cutCard) this.#note({ type: 'cutCard' }, { cutCardBefore: null });
    const { next: how, drawn } = this.#kept;
    const cards = this.#kept.cards.slice(0, how === 'double-feed' ? 2 : 1);
    const [rank, suit] = faceOf(cards[0]!);
    const left = {
      cards: this.#kept.cards.slice(cards.length),
      drawn: [...drawn, ...cards],
      next: null,
    };
    if (how === 'misread') this.#note({ type: 'misread', sensor: 1, rank: 0, suit: 0 }, left);
    else if (cards.length === 2) this.#note({ type: 'doubleFeed', sensor: 2, rank, suit }, left);
    else {
      const confidence = how === 'doubtful' ? 120 : CERTAIN;
      this.#note({ type: 'card', rank, suit, confidence, code: null }, left);
    }
    if (left.cards.length === 0) this.#note({ type: 'empty', cardsSinceLoading: left.drawn.length });
    return { drawn: true, cards, cutCard };
  }

  fault(what: ShoeFault): void {
    const { coverOpen, drawn, cards } = this.#kept;
    if (what === 'cover-open' || what === 'cover-close') {
      const open = what === 'cover-open';
      if (open !== coverOpen) this.#note({ type: 'cover', position: open ? 1 : 0 }, { coverOpen: open });
    } else if (what === 'key') this.#note({ type: 'cover', position: 2 });
    else if (what === 'jam') this.#note({ type: 'jam', sensor: 3, rank: 0, suit: 0 }, { jammed: true });
    else if (what === 'clear-jam') this.#keep({ jammed: false });
    else if (what === 'reverse') {
      const card = drawn.at(-1);
      if (card === undefined) throw new Error('no card has been drawn that could be pushed back');
      const [rank, suit] = faceOf(card);
      this.#note(
        { type: 'reverse', sensor: 4, rank, suit },
        { drawn: drawn.slice(0, -1), cards: [card, ...cards] },
      );
    } else if (what === 'unreadable' || what === 'readable') this.#isUnreadable = what === 'unreadable';
    else if (what === 'service' || what === 'service-end') this.#service = what === 'service';
    else if (what === 'emptied') this.#keep({ cards: [], cutCardBefore: null });
    else if (what === 'other-firmware') this.#firmware = `${SIMULATED} 2`;
    else if (what === 'lose-key') this.#pairingKey = null;
    else this.#keep({ next: what });
    this.#tick();
  }

  powerOff(): void {
    this.#powered = false;
    this.#resumed = false;
    this.#locked = false;
    this.#service = false;
    this.#toldTime = null;
    this.#cancelTick();
  }

  powerOn(): void {
    if (this.#powered) return;
    this.#powered = true;
    this.#poweredAtMs = this.#clock.now();
    this.#keep({ boot: this.#kept.boot + 1 });
    this.#parser = EMPTY_PARSER;
    if (this.#plug.isIn) this.#greet();
  }

  // ---- what one sees when one opens it ----

  get serial(): string {
    return this.#kept.serial;
  }
  /** All that would outlive a power cut now. */
  memory(): ShoeMemory {
    return this.#kept;
  }
  remaining(): number {
    return this.#kept.cards.length;
  }
  drawn(): readonly number[] {
    return this.#kept.drawn;
  }
  boot(): number {
    return this.#kept.boot;
  }
  decks(): number {
    return this.#kept.decks;
  }
  isLocked(): boolean {
    return this.#locked;
  }
  /** Time of day as the host told it, milliseconds since 1970 UTC; null until told. */
  timeOfDay(): number | null {
    return this.#toldTime && this.#toldTime.epochMs + (this.#clock.now() - this.#toldTime.atMs);
  }
  journal(): { readonly lastSeq: number; readonly ackedSeq: number; readonly oldestSeq: number } {
    return { lastSeq: this.#kept.lastSeq, ackedSeq: this.#kept.ackedSeq, oldestSeq: this.#oldest() };
  }

  // ---- the shoe itself ----

  #closedBecause(): string | null {
    const { coverOpen, jammed, cards, lastSeq, ackedSeq } = this.#kept;
    if (!this.#powered) return 'no power';
    if (coverOpen) return 'the cover is open';
    if (jammed) return 'jammed';
    if (this.#locked) return 'locked';
    if (cards.length === 0) return 'empty';
    // A draw makes up to three events, and none may push out one that the host has not taken.
    if (lastSeq - ackedSeq > JOURNAL_LIMIT - 3) return 'the memory is full of events nobody has taken';
    return null;
  }

  #oldest(): number {
    return this.#kept.lastSeq - this.#kept.journal.length + 1;
  }

  #keep(changes: Partial<ShoeMemory>): void {
    this.#kept = { ...this.#kept, ...changes };
    this.#onKeep();
  }

  // Event and what it did to the shoe are kept as one, and before the event leaves: a host must
  // never know more than the shoe.
  #note(message: EventMessage, changes: Partial<ShoeMemory> = {}): void {
    const lastSeq = this.#kept.lastSeq + 1;
    const entry = writeEntry({ seq: lastSeq, message, deviceMs: this.#deviceMs(), flags: this.#flags() });
    this.#keep({ ...changes, lastSeq, journal: [...this.#kept.journal, entry].slice(-JOURNAL_LIMIT) });
    this.#tick();
  }

  #deviceMs(): number {
    return Math.floor(this.#clock.now() - this.#poweredAtMs) % 2 ** 32;
  }

  #state(): number {
    return (
      (this.#kept.coverOpen ? STATE.coverOpen : 0) |
      (this.#kept.jammed ? STATE.jammed : 0) |
      (this.#locked ? STATE.locked : 0) |
      (this.#kept.cards.length === 0 ? STATE.empty : 0) |
      (this.#service ? STATE.service : 0) |
      (this.#resumed ? STATE.resumed : 0) |
      (this.#rereads ? STATE.rereads : 0)
    );
  }

  #send(bytes: Uint8Array): void {
    this.#plug.write(disturb(bytes, this.line, this.#chance));
  }

  #greet(): void {
    this.#say({
      type: 'hello',
      serial: this.serial,
      firmware: this.#firmware,
      lastSeq: this.#kept.lastSeq,
      ackedSeq: this.#kept.ackedSeq,
      oldestSeq: this.#oldest(),
      boot: this.#kept.boot,
      state: this.#state(),
    });
    this.#tick();
  }

  #flags(): number {
    return this.#service ? FLAG_SERVICE : 0;
  }

  #say(message: Message, seq = 0): void {
    this.#send(encode(message, seq, this.#deviceMs(), this.#flags()));
  }

  #beat(): void {
    const { lastSeq, boot } = this.#kept;
    this.#say({ type: 'heartbeat', lastSeq, boot, state: this.#state() });
  }

  #sendEntry(seq: number): void {
    const entry = readEntry(this.#kept.journal[seq - this.#oldest()] ?? '');
    if (typeof entry === 'string') throw new Error(`event ${seq} in the journal: ${entry}`);
    const flags = entry.flags | (seq <= this.#replayUpTo ? FLAG_REPLAY : 0);
    this.#send(encode(entry.message, seq, entry.deviceMs, flags));
  }

  // Heartbeat and repetition; also the one place where an event leaves.
  #tick(): void {
    this.#cancelTick();
    if (!this.#powered || !this.#plug.isIn) return;
    const nowMs = this.#clock.now();
    if (nowMs - this.#beatAtMs >= HEARTBEAT_MS) {
      this.#beatAtMs = nowMs;
      this.#beat();
    }
    const { ackedSeq, lastSeq } = this.#kept;
    let nextMs = this.#beatAtMs + HEARTBEAT_MS;
    if (this.#resumed && ackedSeq < lastSeq) {
      const due = Math.max(ackedSeq + 1, this.#oldest());
      if (due !== this.#sentSeq || nowMs - this.#sentAtMs >= REPEAT_MS) {
        this.#sentSeq = due;
        this.#sentAtMs = nowMs;
        this.#sendEntry(due);
      }
      nextMs = Math.min(nextMs, this.#sentAtMs + REPEAT_MS);
    }
    this.#cancelTick = this.#clock.after(Math.max(1, nextMs - nowMs), () => this.#tick());
  }

  #receive(bytes: Uint8Array): void {
    if (!this.#powered) return;
    const parsed = parse(this.#parser, disturb(bytes, this.line, this.#chance));
    this.#parser = parsed.state;
    for (const { frame } of parsed.frames) {
      const decoded = decode(frame);
      if (decoded.ok) this.#obey(decoded.value);
    }
  }

  /** A hand holds the card that left last before the reader, as soon as it is asked for. */
  #readAgain({ seq, no }: Extract<Message, { type: 'reread' }>): void {
    if (!this.#rereads || !this.#resumed) return;
    if (this.#reread?.seq !== seq || this.#reread.no !== no) {
      const card = this.#newestCardSeq() === seq && !this.#isUnreadable ? this.#kept.drawn.at(-1) : undefined;
      const [rank, suit] = card === undefined ? [0, 0] : faceOf(card);
      this.#reread = {
        ...{ type: 'readAgain', seq, no, rank, suit },
        confidence: card === undefined ? 0 : CERTAIN,
      };
    }
    this.#say(this.#reread);
  }

  /** Number of the event with which the newest single card has left; 0 = none that it remembers. */
  #newestCardSeq(): number {
    for (let seq = this.#kept.lastSeq; seq >= this.#oldest(); seq -= 1) {
      const entry = readEntry(this.#kept.journal[seq - this.#oldest()] ?? '');
      const type = typeof entry === 'string' ? null : entry.message.type;
      if (type === 'card' || type === 'misread') return seq;
      // Two at once, a card that is in the shoe again, other cards: none of them is the last one.
      if (type === null || type === 'doubleFeed' || type === 'reverse' || type === 'loaded') return 0;
    }
    return 0;
  }

  #obey(message: Message): void {
    if (message.type === 'identify') {
      this.#resumed = false;
      this.#greet();
    } else if (message.type === 'resume') {
      // A number it never gave is no place to go on from: HELLO shows the host its own.
      this.#resumed = message.seq <= this.#kept.lastSeq;
      if (this.#resumed) {
        this.#keep({ ackedSeq: Math.max(message.seq, this.#oldest() - 1) });
        this.#replayUpTo = this.#kept.lastSeq;
        this.#sentSeq = 0;
      }
      this.#greet();
    } else if (message.type === 'ack') {
      const next = this.#kept.ackedSeq + 1;
      if (this.#resumed && message.seq === next && message.seq === this.#sentSeq)
        this.#keep({ ackedSeq: next });
      this.#tick();
    } else if (message.type === 'challenge') {
      if (this.#pairingKey === null) return;
      const { serial, boot, lastSeq } = this.#kept;
      const mac = proofOf(this.#pairingKey, message.nonce, serial, boot, lastSeq);
      this.#say({ type: 'proof', mac }, lastSeq);
    } else if (message.type === 'lock') {
      this.#locked = message.on;
      this.#beat();
    } else if (message.type === 'reread') this.#readAgain(message);
    else if (message.type === 'time') this.#toldTime = { epochMs: message.epochMs, atMs: this.#clock.now() };
  }
}
