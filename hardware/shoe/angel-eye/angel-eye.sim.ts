/**
 * An Angel Eye II-EX without the metal: an ordered stack of cards and a mouth, its one game played
 * along, every telegram three times, byte for byte. What no source tells is marked: the seq of the
 * first telegram, the time between copies, what R repeats after a power cut. On the line nothing
 * says that this is no real shoe, since nothing there says who it is: the mark is on the transport
 * alone.
 */
import type { ByteTransport, DeviceClock } from '../../ports.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import { Plug } from '../../transport/plug.sim.ts';
import {
  type AngelMessage,
  ackBytes,
  COMMAND_LENGTH,
  COPIES,
  decodeCommand,
  ERROR,
  encode,
  nakBytes,
  OUTSIDE,
  suitToWire,
  TARGET,
} from './angel-eye.codec.ts';
import { type Game, nextTarget, resultOf } from './angel-eye-game.ts';

/** Not known: from the switch to S. */
const START_MS = 1500;

export const ANGEL_EYE_FAULTS = [
  /** The next card comes out unread. */
  'misread',
  'overdraw',
  'button',
  /** The last card drawn is pushed back in at the exit. */
  'reverse',
  'reverse-midway',
  'card-code',
  'time-out',
  'clear-error',
  /** The lock key is turned: locked, or unlocked again. */
  'key',
  /** A setting is changed. */
  'setting',
  /** The last card is reported again. */
  'again',
  /** The dealer ends the game by the button. */
  'end-game',
] as const;
export type AngelEyeFault = (typeof ANGEL_EYE_FAULTS)[number];

const ERROR_OF: Partial<Record<AngelEyeFault, number>> = {
  overdraw: 2,
  button: 3,
  'reverse-midway': ERROR.reverseMidway,
  'card-code': 6,
  'time-out': 7,
};

export interface AngelEyeSimOptions {
  readonly clock: DeviceClock;
  readonly seed?: number;
  readonly baud?: 4800 | 9600;
  /** A shoe that was there before: this is its next start, after a power cut. */
  readonly memory?: AngelEyeMemory;
}

/** The cards, which lie where they lie without power, and the game that R tells again. */
export interface AngelEyeMemory {
  readonly cards: readonly number[];
  readonly drawn: readonly number[];
  readonly cutCardBefore: number | null;
  readonly game: Game;
}

const NO_GAME: Game = { player: [], bank: [] };
const EMPTY: AngelEyeMemory = { cards: [], drawn: [], cutCardBefore: null, game: NO_GAME };

export type Drawn =
  | { readonly drawn: true; readonly cards: readonly number[]; readonly cutCard: boolean }
  | { readonly drawn: false; readonly why: string };

export class AngelEyeSim {
  readonly simulated = true;
  readonly model = 'Angel Eye II-EX (simulated)';
  line: LineFaults = CLEAN_LINE;

  readonly #clock: DeviceClock;
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #byteMs: number;
  readonly #plug = new Plug({ onBytes: (bytes) => this.#receive(bytes) });
  #kept: AngelEyeMemory;
  // what a power cut takes
  #powered = false;
  #seq = 0;

  #locked = false;
  #error: number | null = null;
  #misread = false;
  #outbox: Uint8Array[] = [];
  #inbox: number[] = [];
  #cancelSending: () => void = () => {};
  #sending = false;

  constructor(options: AngelEyeSimOptions) {
    this.#clock = options.clock;
    this.#chance = seededChance(options.seed ?? 1);
    this.#byteMs = 10_000 / (options.baud ?? 4800);
    this.#kept = options.memory ?? EMPTY;
    this.powerOn();
  }

  /** Puts the host's line into the shoe's one plug; a line that was there is forgotten. */
  plug(transport: ByteTransport): void {
    this.#plug.put(transport);
  }

  /** Pulls the plug for good; the shoe goes on talking to nobody. */
  unplug(): void {
    this.#plug.pull();
  }

  // ---- hands ----

  /**
   * Fills the shoe; the first card of `cards` is the first to come out. The shoe says nothing of
   * it.
   */
  load(cards: readonly number[]): void {
    for (const card of cards)
      if (!Number.isInteger(card) || card < 0 || card > 51) throw new RangeError(`${card} is no card 0..51`);
    this.#kept = { ...EMPTY, cards: [...cards] };
  }

  /** Puts the cut card so that `fromEnd` cards lie behind it. */
  placeCutCard(fromEnd: number): void {
    const { cards } = this.#kept;
    if (!Number.isInteger(fromEnd) || fromEnd < 0 || fromEnd > cards.length)
      throw new RangeError(`cut card ${fromEnd} from the end of ${cards.length} cards`);
    this.#kept = { ...this.#kept, cutCardBefore: fromEnd };
  }

  /**
   * The dealer pulls one card out of the mouth; a shoe that is locked or in error does not hold it
   * back.
   */
  draw(): Drawn {
    const { cards, drawn, cutCardBefore } = this.#kept;
    if (!this.#powered) return { drawn: false, why: 'no power' };
    const [card] = cards;
    if (card === undefined) return { drawn: false, why: 'empty' };
    const cutCard = cutCardBefore === cards.length;
    if (cutCard) this.#tell({ type: 'cutCard' });
    this.#kept = {
      ...this.#kept,
      cards: cards.slice(1),
      drawn: [...drawn, card],
      cutCardBefore: cutCard ? null : cutCardBefore,
    };
    if (this.#misread) {
      this.#misread = false;
      this.#fail(ERROR.cannotRead);
    } else if (this.#locked || this.#error !== null) {
      const target = this.#error === null ? OUTSIDE.locked : OUTSIDE.error;
      this.#tell({ type: 'card', kind: 'outside', target, index: this.#error ?? 0, ...faceOf(card) });
    } else this.#deal(card);
    return { drawn: true, cards: [card], cutCard };
  }

  fault(what: AngelEyeFault): void {
    const { cards, drawn, game } = this.#kept;
    const last = drawn.at(-1);
    switch (what) {
      case 'misread':
        this.#misread = true;
        return;
      case 'reverse':
        if (last === undefined) throw new Error('no card has been drawn that could be pushed back');
        this.#kept = { ...this.#kept, drawn: drawn.slice(0, -1), cards: [last, ...cards] };
        return this.#fail(ERROR.reverseAtExit);
      case 'clear-error':
        if (this.#error !== null) this.#clearError();
        return;
      case 'key':
        this.#locked = !this.#locked;
        return this.#tell({ type: 'lock', locked: this.#locked });
      case 'setting':
        return this.#tell({ type: 'setting', address: '01', value: '0001' });
      case 'again':
        if (last === undefined) throw new Error('no card has been drawn that could be reported again');
        return this.#tell({ type: 'card', kind: 'again', target: TARGET.player, index: 0, ...faceOf(last) });
      case 'end-game':
        if (game.player.length > 0) this.#endGame({ winner: 'forced', playerPair: false, bankPair: false });
        return;
      default:
        this.#fail(ERROR_OF[what] ?? 0);
    }
  }

  powerOff(): void {
    this.#powered = false;
    this.#cancelSending();
    this.#sending = false;
    this.#outbox = [];
    this.#inbox = [];
  }

  powerOn(): void {
    if (this.#powered) return;
    this.#powered = true;
    // Not known: with which seq the shoe begins.
    this.#seq = 0;
    this.#locked = false;
    this.#error = null;
    this.#sending = true;
    this.#cancelSending = this.#clock.after(START_MS, () => {
      this.#sending = false;
      this.#pump();
    });
    this.#tell({ type: 'start' });
    // Not known: that it is these cards, and in this order.
    const { player, bank } = this.#kept.game;
    for (let i = 0; i < 3; i++)
      for (const [target, hand] of [
        [TARGET.player, player],
        [TARGET.bank, bank],
      ] as const)
        if (hand[i] !== undefined)
          this.#tell({ type: 'card', kind: 'again', target, index: i, ...faceOf(hand[i]!) });
  }

  // ---- what one sees when one opens it ----

  /** All that would outlive a power cut now. */
  memory(): AngelEyeMemory {
    return this.#kept;
  }
  remaining(): number {
    return this.#kept.cards.length;
  }
  drawn(): readonly number[] {
    return this.#kept.drawn;
  }
  isLocked(): boolean {
    return this.#locked;
  }
  inError(): number | null {
    return this.#error;
  }

  // ---- the shoe itself ----

  #deal(card: number): void {
    const side = nextTarget(this.#kept.game) ?? 'player';
    const game = { ...this.#kept.game, [side]: [...this.#kept.game[side], card] };
    this.#kept = { ...this.#kept, game };
    const index = game[side].length - 1;
    this.#tell({ type: 'card', kind: 'game', target: TARGET[side], index, ...faceOf(card) });
    if (nextTarget(game) === null) this.#endGame(resultOf(game));
  }

  #endGame(result: ReturnType<typeof resultOf>): void {
    this.#kept = { ...this.#kept, game: NO_GAME };
    this.#tell({ type: 'result', ...result });
    this.#tell({ type: 'standby' });
  }

  #fail(code: number): void {
    this.#error = code;
    this.#tell({ type: 'error', inErrorMode: true, code });
  }

  #clearError(): void {
    this.#tell({ type: 'errorCleared', code: this.#error ?? 0 });
    this.#error = null;
  }

  #tell(message: AngelMessage): void {
    if (!this.#powered) return;
    const bytes = encode(this.#seq, message);
    this.#seq = (this.#seq + 1) % 10;

    for (let i = 0; i < COPIES; i++) this.#outbox.push(bytes);
    this.#pump();
  }

  // One chunk after the other, each as long on the line as its bytes are. Not known: pauses between
  // the copies.
  #pump(): void {
    if (this.#sending) return;
    const bytes = this.#outbox.shift();
    if (bytes === undefined) return;
    this.#sending = true;
    this.#cancelSending = this.#clock.after(bytes.length * this.#byteMs, () => {
      this.#sending = false;
      this.#plug.write(disturb(bytes, this.line, this.#chance));
      this.#pump();
    });
  }

  #receive(bytes: Uint8Array): void {
    if (!this.#powered) return;
    for (const byte of disturb(bytes, this.line, this.#chance)) {
      if (this.#inbox.length === 0 && byte !== 0x02) continue;
      this.#inbox.push(byte);
      if (this.#inbox.length < COMMAND_LENGTH) continue;
      const command = decodeCommand(Uint8Array.from(this.#inbox));
      this.#inbox = [];
      if (typeof command === 'number') this.#answer(nakBytes(command));
      else {
        this.#answer(ackBytes());
        if (command.type === 'LK') this.#locked = command.data === 2;
        else if (command.type === 'EC' && this.#error !== null) this.#clearError();
      }
    }
  }

  #answer(bytes: Uint8Array): void {
    this.#outbox.unshift(bytes);
    this.#pump();
  }
}

const faceOf = (card: number): { readonly suit: number; readonly rank: number } => ({
  suit: suitToWire(Math.floor(card / 13)),
  rank: (card % 13) + 1,
});
