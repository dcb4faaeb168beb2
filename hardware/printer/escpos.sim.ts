/** An ESC/POS printer without the metal: it takes bytes, and what it prints can be looked at. */
import type { ByteTransport, DeviceClock } from '../ports.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../transport/faults.ts';
import { Plug } from '../transport/plug.sim.ts';
import type { EscposFault } from './escpos-faults.ts';
import { readDrawn } from './letters.ts';

export type OnPaper =
  | { readonly type: 'text'; readonly text: string; readonly bold: boolean; readonly large: boolean }
  | { readonly type: 'dots'; readonly widthBytes: number; readonly data: Uint8Array }
  | { readonly type: 'qr'; readonly text: string };

export interface EscposSimOptions {
  readonly clock: DeviceClock;
  readonly seed?: number;
  /** What it takes out of its buffer in 10 ms. */
  readonly bytesAtOnce?: number;
  /** Absent = yes: whether it knows how to clear its buffers. */
  readonly clears?: boolean;
}

/** A line as one reads it; of a picture that is no drawn line its size. */
export const readAs = (item: OnPaper): string => {
  if (item.type !== 'dots') return item.text;
  const { widthBytes, data } = item;
  const rows = Array.from({ length: data.length / widthBytes }, (_, y) =>
    data.subarray(y * widthBytes, (y + 1) * widthBytes),
  );
  const widthDots = widthBytes * 8;
  return readDrawn({ widthDots, rows }) ?? `[${widthDots} x ${rows.length}]`;
};

const STEP_MS = 10;
/**
 * What hosts that are not ours send, and this paper does not show: line spacing, places, a drawer's
 * pulse; margin, width, units of motion. All others have one byte behind their name.
 */
const LENGTHS_ESC = new Map([
  [0x32, 2],
  [0x24, 4],
  [0x5c, 4],
  [0x70, 5],
]);
const LENGTHS_GS = new Map([
  [0x4c, 4],
  [0x57, 4],
  [0x50, 4],
  [0x24, 4],
  [0x5c, 4],
]);
/** More of them nobody has picked up for days. */
const MOST_PIECES = 500;
const CP1252_HIGH = new TextDecoder('windows-1252');

export class EscposSim {
  readonly simulated = true;
  /** Of what the printer says; what it hears is as it was sent. */
  line: LineFaults = CLEAN_LINE;
  readonly #clock: DeviceClock;
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #bytesAtOnce: number;
  readonly #clears: boolean;
  readonly #plug = new Plug({ onBytes: (bytes) => this.#receive(bytes) });
  #powered = true;
  // outlives a power cut
  readonly #pieces: (readonly OnPaper[])[] = [];
  #hanging: OnPaper[] = [];
  #paper: 'there' | 'near-end' | 'out' = 'there';
  #coverOpen = false;
  #cutterWillFail = false;
  #cutterError = false;
  #hot = false;
  #broken = false;
  // what a power cut takes
  #buffer: number[] = [];
  #lineText: number[] = [];
  #bold = false;
  #large = false;
  #statusBack = 0;
  #lastStatus = '';
  #qr = '';
  #running = false;

  constructor({ clock, seed = 1, bytesAtOnce = 200, clears = true }: EscposSimOptions) {
    this.#clears = clears;
    this.#clock = clock;
    this.#chance = seededChance(seed);
    this.#bytesAtOnce = bytesAtOnce;
  }

  plug(transport: ByteTransport): void {
    this.#plug.put(transport);
  }
  unplug(): void {
    this.#plug.pull();
  }

  powerOff(): void {
    this.#powered = false;
    this.#buffer = [];
    this.#lineText = [];
    this.#bold = this.#large = false;
    this.#statusBack = 0;
    this.#qr = '';
  }
  powerOn(): void {
    this.#powered = true;
  }

  fault(name: EscposFault): void {
    if (name === 'near-end' || name === 'out') this.#paper = name;
    else if (name === 'load-paper') this.#paper = 'there';
    else if (name === 'cover-open') this.#coverOpen = true;
    else if (name === 'cover-close') this.#coverOpen = false;
    else if (name === 'cutter') this.#cutterWillFail = true;
    else if (name === 'mend') this.#cutterWillFail = this.#cutterError = false;
    else if (name === 'failure' || name === 'repair') this.#broken = name === 'failure';
    else this.#hot = name === 'hot';
    this.#changed();
    this.#run();
  }

  /** What was cut off, and what hangs out of the printer. */
  pieces(): readonly (readonly OnPaper[])[] {
    return this.#pieces;
  }
  hanging(): readonly OnPaper[] {
    return this.#hanging;
  }
  /** Null without power. */
  state(): 'ready' | 'paper-out' | 'cover-open' | 'cutter-error' | 'failed' | 'hot' | null {
    if (!this.#powered) return null;
    if (this.#coverOpen) return 'cover-open';
    if (this.#paper === 'out') return 'paper-out';
    if (this.#cutterError) return 'cutter-error';
    if (this.#broken) return 'failed';
    return this.#hot ? 'hot' : 'ready';
  }

  // ---- the printer itself ----

  get #isOnline(): boolean {
    return this.#paper !== 'out' && !this.#coverOpen && !this.#cutterError && !this.#broken && !this.#hot;
  }

  #receive(bytes: Uint8Array): void {
    if (!this.#powered) return;
    for (let i = 0; i < bytes.length; i++) {
      this.#buffer.push(bytes[i]!);
      this.#hearRealTime();
    }
    this.#run();
  }

  /** Wherever it stands, in the middle of a picture as well. */
  #hearRealTime(): void {
    const end = this.#buffer;
    const [a, b, n] = [end.at(-3), end.at(-2), end.at(-1)];
    if (a === 0x10 && b === 0x04 && n! >= 1 && n! <= 4) {
      end.splice(-3);
      this.#say([this.#answer(n!)]);
    } else if (a === 0x10 && b === 0x05 && n === 2) {
      end.splice(-3);
      if (!this.#cutterWillFail) this.#cutterError = false;
      this.#buffer = [];
      this.#changed();
    } else if (
      this.#clears &&
      n === 8 &&
      end.length >= 10 &&
      String(end.slice(-10)) === '16,20,8,1,3,20,1,6,2,8'
    ) {
      this.#buffer = [];
      this.#lineText = [];
      this.#say([0x37, 0x25, 0]);
    }
  }

  #answer(kind: number): number {
    const near = this.#paper !== 'there';
    const out = this.#paper === 'out';
    if (kind === 1) return 0x12 | (this.#isOnline ? 0 : 0x08);
    if (kind === 2)
      return 0x12 | (this.#coverOpen ? 0x04 : 0) | (out ? 0x20 : 0) | (this.#cutterError ? 0x40 : 0);
    if (kind === 3) return 0x12 | this.#errors();
    return 0x12 | (near ? 0x0c : 0) | (out ? 0x60 : 0);
  }

  #errors(): number {
    return (this.#cutterError ? 0x08 : 0) | (this.#broken ? 0x20 : 0) | (this.#hot ? 0x40 : 0);
  }

  #status(): number[] {
    const near = this.#paper !== 'there';
    return [
      0x10 | (this.#isOnline ? 0 : 0x08) | (this.#coverOpen ? 0x20 : 0),
      this.#errors(),
      (near ? 0x03 : 0) | (this.#paper === 'out' ? 0x0c : 0),
      0,
    ];
  }

  #changed(): void {
    const status = String(this.#status());
    if (!this.#powered || this.#statusBack === 0 || status === this.#lastStatus) return;
    this.#lastStatus = status;
    this.#say(this.#status());
  }

  #say(bytes: readonly number[]): void {
    if (!this.#powered) return;
    this.#plug.write(disturb(Uint8Array.from(bytes), this.line, this.#chance));
  }

  #run(): void {
    if (this.#running || !this.#powered || this.#buffer.length === 0) return;
    this.#running = true;
    this.#clock.after(STEP_MS, () => {
      this.#running = false;
      for (let taken = 0; taken < this.#bytesAtOnce && this.#powered && this.#isOnline; ) {
        const length = this.#take();
        if (length === 0) return;
        this.#buffer.splice(0, length);
        taken += length;
      }
      if (this.#isOnline) this.#run();
    });
  }

  /** Does the first command in the buffer; its length, 0 = the rest of it is to come. */
  #take(): number {
    const b = this.#buffer;
    if (b.length === 0) return 0;
    const needs = (length: number, run: () => void): number => {
      if (b.length < length) return 0;
      run();
      return length;
    };
    if (b[0] === 0) {
      const next = b.findIndex((byte) => byte !== 0);
      return next < 0 ? b.length : next;
    }
    if (b[0] === 0x0a) return needs(1, () => this.#endLine());
    if (b[0] === 0x1b) {
      if (b[1] === 0x40)
        return needs(2, () => {
          this.#lineText = [];
          this.#bold = this.#large = false;
        });
      if (b[1] === 0x64) return needs(3, () => this.#lineText.length > 0 && this.#endLine());
      if (b[1] === 0x45)
        return needs(3, () => {
          this.#bold = (b[2]! & 1) === 1;
        });
      if (b[1] === 0x2a) {
        // A strip of dots that our driver never sends.
        if (b.length < 5) return 0;
        return needs(5 + (b[3]! + 256 * b[4]!) * (b[2]! < 32 ? 1 : 3), () => {});
      }
      return needs(LENGTHS_ESC.get(b[1]!) ?? 3, () => {});
    }
    if (b[0] === 0x1d) return this.#takeGs(b, needs);
    return needs(1, () => this.#lineText.push(b[0]!));
  }

  #takeGs(b: readonly number[], needs: (length: number, run: () => void) => number): number {
    if (b[1] === 0x21)
      return needs(3, () => {
        this.#large = b[2] !== 0;
      });
    if (b[1] === 0x61)
      return needs(3, () => {
        this.#statusBack = b[2]!;
        this.#lastStatus = '';
        this.#changed();
      });
    // Function A has no feed behind it.
    if (b[1] === 0x56)
      return b.length < 3 ? 0 : needs([0, 1, 48, 49].includes(b[2]!) ? 3 : 4, () => this.#cut());
    if (b[1] === 0x76) {
      if (b.length < 8) return 0;
      const [widthBytes, rows] = [b[4]! + 256 * b[5]!, b[6]! + 256 * b[7]!];
      const length = 8 + widthBytes * rows;
      return needs(length, () =>
        this.#hanging.push({ type: 'dots', widthBytes, data: Uint8Array.from(b.slice(8, length)) }),
      );
    }
    if (b[1] === 0x28) {
      if (b.length < 5) return 0;
      const length = 5 + b[3]! + 256 * b[4]!;
      return needs(length, () => this.#function(b[2]!, b.slice(5, length)));
    }
    return needs(LENGTHS_GS.get(b[1]!) ?? 3, () => {});
  }

  #function(family: number, of: readonly number[]): void {
    if (family === 0x6b && of[1] === 80) this.#qr = String.fromCharCode(...of.slice(3));
    else if (family === 0x6b && of[1] === 81) this.#hanging.push({ type: 'qr', text: this.#qr });
    else if (family === 0x48 && of[0] === 48) this.#say([0x37, 0x22, ...of.slice(2, 6), 0]);
  }

  #endLine(): void {
    const text = CP1252_HIGH.decode(Uint8Array.from(this.#lineText));
    this.#lineText = [];
    this.#hanging.push({ type: 'text', text, bold: this.#bold, large: this.#large });
  }

  #cut(): void {
    if (this.#cutterWillFail) {
      this.#cutterError = true;
      return this.#changed();
    }
    if (this.#hanging.length > 0) this.#pieces.push(this.#hanging);
    if (this.#pieces.length > MOST_PIECES) this.#pieces.shift();
    this.#hanging = [];
  }
}
