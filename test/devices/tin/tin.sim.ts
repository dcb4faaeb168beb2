import type { ByteTransport, DeviceClock, Note } from '../../../hardware/ports.ts';
import { EMPTY_PARSER } from '../../../hardware/transport/bytes.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../../hardware/transport/faults.ts';
import { encode, type Frame, HOST, NOTES, parse, UNIT } from './tin.codec.ts';

const MOVES_MS = 300;

/** The unit itself, without the metal. */
export class TinSim {
  line: LineFaults = CLEAN_LINE;
  readonly #clock: DeviceClock;
  readonly #currency: string;
  readonly #chance = seededChance(1);
  readonly #box: Note[] = [];
  #transport: ByteTransport | null = null;
  #parser = EMPTY_PARSER;
  #state: number = UNIT.idle;
  #note = 0;
  #isOpen = false;
  #isOn = true;

  constructor(clock: DeviceClock, currency: string) {
    this.#clock = clock;
    this.#currency = currency;
  }

  plug(transport: ByteTransport): void {
    this.#transport = transport;
    this.#parser = EMPTY_PARSER;
    const gone = (): void => {
      if (this.#transport === transport) this.#transport = null;
    };
    transport.open({ onBytes: (bytes) => this.#receive(transport, bytes), onClose: gone }).catch(gone);
  }

  powerOff(): void {
    this.#isOn = false;
  }
  powerOn(): void {
    this.#isOn = true;
  }

  insert(valueMinor: number, currency: string): { taken: boolean; why?: string } {
    const note = NOTES.indexOf(valueMinor);
    if (!this.#isOpen || this.#state !== UNIT.idle) return { taken: false, why: 'closed' };
    if (note < 0 || currency !== this.#currency) return { taken: false, why: 'unknown' };
    this.#note = note;
    this.#state = UNIT.escrow;
    return { taken: true };
  }

  emptyBox(): readonly Note[] {
    return this.#box.splice(0);
  }

  look(): { readonly state: number; readonly cashBox: number } {
    return { state: this.#state, cashBox: this.#box.length };
  }

  #receive(transport: ByteTransport, bytes: Uint8Array): void {
    if (!this.#isOn || this.#transport !== transport) return;
    const { state, frames } = parse(this.#parser, disturb(bytes, this.line, this.#chance));
    this.#parser = state;
    for (const { frame } of frames) void transport.write(this.#answer(frame)).catch(() => {});
  }

  #answer({ code, value }: Frame): Uint8Array {
    if (code === HOST.identify) return encode(UNIT.identity);
    if (code === HOST.poll) this.#isOpen = value === 1;
    if (code === HOST.stack && this.#state === UNIT.escrow)
      this.#move(UNIT.stacking, () => {
        this.#box.push({ currency: this.#currency, valueMinor: NOTES[this.#note]! });
        this.#state = UNIT.credit;
      });
    if (code === HOST.return && this.#state === UNIT.escrow)
      this.#move(UNIT.returning, () => {
        this.#state = UNIT.idle;
      });
    if (code === HOST.acknowledge && this.#state === UNIT.credit) this.#state = UNIT.idle;
    return encode(this.#state, this.#note);
  }

  #move(state: number, then: () => void): void {
    this.#state = state;
    this.#clock.after(MOVES_MS, then);
  }
}
