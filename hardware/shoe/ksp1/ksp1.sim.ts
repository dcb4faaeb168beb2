/**
 * A KSP-1 shoe without the metal: an ordered stack of cards, a mouth, a cover, and a memory of its last 512 events that
 * outlives a power cut. Cards are 0..51 = suit * 13 + rank, suits S H D C = 0..3, ranks A..K = 0..12.
 */
import type { ByteTransport, DeviceClock } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import {
  decode,
  EMPTY_PARSER,
  encode,
  FLAG_REPLAY,
  FLAG_SERVICE,
  type Message,
  parse,
  proofOf,
  STATE,
  suitToWire,
} from './ksp1.codec.ts';

export const JOURNAL_LIMIT = 512;
const REPEAT_MS = 250;
const HEARTBEAT_MS = 1000;
const CERTAIN = 250;

export const SHOE_MISHAPS = [
  'cover-open',
  'cover-close',
  'key',
  'jam',
  'clear-jam',
  /** The next card comes out unread. */
  'misread',
  /** The next card is read with little confidence. */
  'doubtful',
  /** Two cards come out at the next draw. */
  'double-feed',
  /** The last card drawn is pushed back in. */
  'reverse',
  'service',
  'service-end',
] as const;
export type ShoeMishap = (typeof SHOE_MISHAPS)[number];

export interface Ksp1SimOptions {
  readonly clock: DeviceClock;
  readonly seed?: number;
  /** Printable ASCII, at most 16 characters; the shoe's name for ever. */
  readonly serial?: string;
  readonly pairingKey?: Uint8Array;
}

export type Drawn =
  | { readonly drawn: true; readonly cards: readonly number[]; readonly cutCard: boolean }
  | { readonly drawn: false; readonly why: string };

interface Entry {
  readonly seq: number;
  readonly message: Message;
  readonly deviceMs: number;
}

export class Ksp1Sim {
  readonly simulated = true;
  readonly model = 'KSP-1 shoe (simulated)';
  readonly serial: string;
  line: LineFaults = CLEAN_LINE;

  readonly #clock: DeviceClock;
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #pairingKey: Uint8Array | null;
  #transport: ByteTransport | null = null;
  #parser = EMPTY_PARSER;
  #cancelTick: () => void = () => {};

  // what the power cut leaves
  #boot = 1;
  #lastSeq = 0;
  #acked = 0;
  #journal: Entry[] = [];
  #stack: number[] = [];
  #drawnSinceLoading: number[] = [];
  #cutCardBefore: number | null = null;
  #loads = 0;
  #decks = 0;
  #coverOpen = false;
  #jammed = false;
  #next: 'misread' | 'doubtful' | 'double-feed' | null = null;
  // what it does not
  #powered = true;
  #poweredAtMs: number;
  #locked = false;
  #service = false;
  #resumed = false;
  #replayUpTo = 0;
  #sentSeq = 0;
  #sentAtMs = 0;
  #beatAtMs = 0;

  constructor(options: Ksp1SimOptions) {
    this.#clock = options.clock;
    this.#chance = seededChance(options.seed ?? 1);
    this.serial = options.serial ?? 'SIM-SHOE-1';
    this.#pairingKey = options.pairingKey ?? null;
    this.#poweredAtMs = this.#clock.now();
  }

  /** Puts the host's line into the shoe's one plug; a line that was there is forgotten. */
  plug(transport: ByteTransport): void {
    this.#transport = transport;
    this.#parser = EMPTY_PARSER;
    this.#resumed = false;
    const mine = (): boolean => this.#transport === transport;
    const gone = (): void => {
      if (!mine()) return;
      this.#transport = null;
      this.#resumed = false;
      this.#cancelTick();
    };
    transport
      .open({
        onBytes: (bytes) => {
          if (mine()) this.#receive(bytes);
        },
        onClose: gone,
      })
      .then(() => {
        if (mine() && this.#powered) this.#greet();
      }, gone);
  }

  /** Pulls the plug for good and stops its timers. */
  unplug(): void {
    const transport = this.#transport;
    this.#transport = null;
    this.#resumed = false;
    this.#cancelTick();
    void transport?.close();
  }

  // ---- hands ----

  /** Fills the shoe; the first card of `cards` is the first to come out. `decks` is what the dealer says is in it. */
  load(cards: readonly number[], decks: number): string {
    for (const card of cards)
      if (!Number.isInteger(card) || card < 0 || card > 51) throw new RangeError(`${card} is no card 0..51`);
    if (!Number.isInteger(decks) || decks < 1 || decks > 255) throw new RangeError(`${decks} decks`);
    this.#stack = [...cards];
    this.#drawnSinceLoading = [];
    this.#cutCardBefore = null;
    this.#decks = decks;
    this.#next = null;
    const shoeId = `${this.serial.slice(0, 10)}-${String(++this.#loads).padStart(5, '0')}`;
    this.#note({ type: 'loaded', shoeId, decks, firstSeq: this.#lastSeq + 2 });
    return shoeId;
  }

  /** Puts the cut card so that `fromEnd` cards lie behind it. It comes out by itself, before the card behind it is drawn. */
  placeCutCard(fromEnd: number): void {
    if (!Number.isInteger(fromEnd) || fromEnd < 0 || fromEnd > this.#stack.length)
      throw new RangeError(`cut card ${fromEnd} from the end of ${this.#stack.length} cards`);
    this.#cutCardBefore = fromEnd;
  }

  /** The dealer pulls one card out of the mouth. */
  draw(): Drawn {
    const why = this.#closedBecause();
    if (why !== null) return { drawn: false, why };
    const cutCard = this.#cutCardBefore === this.#stack.length;
    if (cutCard) {
      this.#cutCardBefore = null;
      this.#note({ type: 'cutCard' });
    }
    const how = this.#next;
    this.#next = null;
    const cards = this.#stack.splice(0, how === 'double-feed' ? 2 : 1);
    this.#drawnSinceLoading.push(...cards);
    const card = cards[0]!;
    const [rank, suit] = [(card % 13) + 1, suitToWire(Math.floor(card / 13))];
    if (how === 'misread') this.#note({ type: 'misread', sensor: 1, rank: 0, suit: 0 });
    else if (how === 'double-feed') this.#note({ type: 'doubleFeed', sensor: 2, rank, suit });
    else
      this.#note({
        type: 'card',
        rank,
        suit,
        confidence: how === 'doubtful' ? 120 : CERTAIN,
        code: null,
      });
    if (this.#stack.length === 0)
      this.#note({ type: 'empty', cardsSinceLoading: this.#drawnSinceLoading.length });
    return { drawn: true, cards, cutCard };
  }

  mishap(what: ShoeMishap): void {
    if (what === 'cover-open' || what === 'cover-close') {
      const open = what === 'cover-open';
      if (open === this.#coverOpen) return;
      this.#coverOpen = open;
      this.#note({ type: 'cover', position: open ? 1 : 0 });
    } else if (what === 'key') this.#note({ type: 'cover', position: 2 });
    else if (what === 'jam') {
      this.#jammed = true;
      this.#note({ type: 'jam', sensor: 3, rank: 0, suit: 0 });
    } else if (what === 'clear-jam') this.#jammed = false;
    else if (what === 'reverse') {
      const card = this.#drawnSinceLoading.pop();
      if (card === undefined) throw new Error('no card has been drawn that could be pushed back');
      this.#stack.unshift(card);
      const [rank, suit] = [(card % 13) + 1, suitToWire(Math.floor(card / 13))];
      this.#note({ type: 'reverse', sensor: 4, rank, suit });
    } else if (what === 'service' || what === 'service-end') this.#service = what === 'service';
    else this.#next = what;
    this.#tick();
  }

  powerOff(): void {
    this.#powered = false;
    this.#resumed = false;
    this.#locked = false;
    this.#service = false;
    this.#cancelTick();
  }

  powerOn(): void {
    if (this.#powered) return;
    this.#powered = true;
    this.#poweredAtMs = this.#clock.now();
    this.#boot++;
    this.#parser = EMPTY_PARSER;
    if (this.#transport !== null) this.#greet();
  }

  // ---- what one sees when one opens it ----

  remaining(): number {
    return this.#stack.length;
  }
  drawn(): readonly number[] {
    return [...this.#drawnSinceLoading];
  }
  boot(): number {
    return this.#boot;
  }
  decks(): number {
    return this.#decks;
  }
  isLocked(): boolean {
    return this.#locked;
  }
  journal(): {
    readonly lastSeq: number;
    readonly ackedSeq: number;
    readonly oldestSeq: number;
  } {
    return { lastSeq: this.#lastSeq, ackedSeq: this.#acked, oldestSeq: this.#oldest() };
  }

  // ---- the shoe itself ----

  #closedBecause(): string | null {
    if (!this.#powered) return 'no power';
    if (this.#coverOpen) return 'the cover is open';
    if (this.#jammed) return 'jammed';
    if (this.#locked) return 'locked';
    if (this.#stack.length === 0) return 'empty';
    // A draw makes up to three events, and none may push out one that the host has not taken.
    if (this.#lastSeq - this.#acked > JOURNAL_LIMIT - 3)
      return 'the memory is full of events nobody has taken';
    return null;
  }

  #oldest(): number {
    return this.#journal[0]?.seq ?? this.#lastSeq + 1;
  }

  #note(message: Message): void {
    this.#lastSeq++;
    this.#journal.push({ seq: this.#lastSeq, message, deviceMs: this.#deviceMs() });
    if (this.#journal.length > JOURNAL_LIMIT) this.#journal.shift();
    this.#tick();
  }

  #deviceMs(): number {
    return Math.floor(this.#clock.now() - this.#poweredAtMs) % 2 ** 32;
  }

  #state(): number {
    return (
      (this.#coverOpen ? STATE.coverOpen : 0) |
      (this.#jammed ? STATE.jammed : 0) |
      (this.#locked ? STATE.locked : 0) |
      (this.#stack.length === 0 ? STATE.empty : 0) |
      (this.#service ? STATE.service : 0) |
      (this.#resumed ? STATE.resumed : 0)
    );
  }

  #send(bytes: Uint8Array): void {
    const sent = disturb(bytes, this.line, this.#chance);
    if (sent.length > 0) this.#transport?.write(sent).catch(() => {});
  }

  #greet(): void {
    this.#say({
      type: 'hello',
      serial: this.serial,
      firmware: `${SIMULATED} 1`,
      lastSeq: this.#lastSeq,
      ackedSeq: this.#acked,
      oldestSeq: this.#oldest(),
      boot: this.#boot,
      state: this.#state(),
    });
    this.#tick();
  }

  #say(message: Message, seq = 0): void {
    this.#send(encode(message, seq, this.#deviceMs(), this.#service ? FLAG_SERVICE : 0));
  }

  // Heartbeat and repetition; also the one place where an event leaves.
  #tick(): void {
    this.#cancelTick();
    if (!this.#powered || this.#transport === null) return;
    const nowMs = this.#clock.now();
    if (nowMs - this.#beatAtMs >= HEARTBEAT_MS) {
      this.#beatAtMs = nowMs;
      this.#say({ type: 'heartbeat', lastSeq: this.#lastSeq, boot: this.#boot, state: this.#state() });
    }
    const entry = this.#resumed ? this.#journal.find(({ seq }) => seq > this.#acked) : undefined;
    let nextMs = this.#beatAtMs + HEARTBEAT_MS;
    if (entry !== undefined) {
      if (entry.seq !== this.#sentSeq || nowMs - this.#sentAtMs >= REPEAT_MS) {
        this.#sentSeq = entry.seq;
        this.#sentAtMs = nowMs;
        const flags = (entry.seq <= this.#replayUpTo ? FLAG_REPLAY : 0) | (this.#service ? FLAG_SERVICE : 0);
        this.#send(encode(entry.message, entry.seq, entry.deviceMs, flags));
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

  #obey(message: Message): void {
    if (message.type === 'identify') {
      this.#resumed = false;
      this.#greet();
    } else if (message.type === 'resume') {
      // A number it never gave is no place to go on from: HELLO shows the host its own.
      this.#resumed = message.seq <= this.#lastSeq;
      if (this.#resumed) {
        this.#acked = Math.max(message.seq, this.#oldest() - 1);
        this.#replayUpTo = this.#lastSeq;
        this.#sentSeq = 0;
      }
      this.#greet();
    } else if (message.type === 'ack') {
      if (this.#resumed && message.seq === this.#acked + 1 && message.seq === this.#sentSeq) this.#acked++;
      this.#tick();
    } else if (message.type === 'challenge') {
      if (this.#pairingKey === null) return;
      const mac = proofOf(this.#pairingKey, message.nonce, this.serial, this.#boot, this.#lastSeq);
      this.#say({ type: 'proof', mac }, this.#lastSeq);
    } else if (message.type === 'lock') {
      this.#locked = message.on;
      this.#say({ type: 'heartbeat', lastSeq: this.#lastSeq, boot: this.#boot, state: this.#state() });
    }
  }
}
