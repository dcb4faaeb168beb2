/**
 * An ID-003 acceptor without the metal: the same bytes as the real unit, over whatever line is
 * plugged in.
 */

import type { ByteTransport } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import { Plug } from '../../transport/plug.sim.ts';
import {
  CODE,
  COMMAND,
  COUNTRIES,
  type Denomination,
  encode,
  encodeCurrencies,
  type Frame,
  parse,
  REPLY_ACK,
  REPLY_INVALID,
} from './id003.codec.ts';
import { Id003Mechanics, type Id003MechanicsOptions } from './id003-mechanics.sim.ts';

export { ID003_FAULTS } from './id003-faults.ts';

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
  // As a real unit writes them [n].
  EUR: [
    [5, 0],
    [10, 0],
    [20, 0],
    [50, 0],
    [10, 1],
    [20, 1],
    [50, 1],
  ],
};

export interface Id003SimOptions extends Id003MechanicsOptions {
  readonly seed?: number;
  /** Currencies in the unit's note software, at most 16 notes in all. */
  readonly currencies?: readonly string[];
  /** Commands it does not know and answers with INVALID COMMAND, as an older unit. */
  readonly unknownCommands?: readonly number[];
  /** Commands it does not answer at all. */
  readonly silentCommands?: readonly number[];
  /** Bytes behind VEND VALID, as a recycler says where the note went. */
  readonly vendData?: readonly number[];
  /** So long without ACK after VEND VALID, and it answers nothing but RESET. */
  readonly muteAfterVendMs?: number;
  /** Version of its note software, behind the mark of a simulator. */
  readonly firmware?: string;
}

export class Id003Sim extends Id003Mechanics {
  readonly simulated = true;
  readonly model = 'ID-003 acceptor (simulated)';
  line: LineFaults = CLEAN_LINE;
  /** Per thousand commands: the unit falls silent for `silenceMs`. */
  silencePerMille = 0;
  silenceMs = 700;

  readonly #chance: ReturnType<typeof seededChance>;
  readonly #table: readonly Denomination[];
  readonly #unknown: readonly number[];
  readonly #silent: readonly number[];
  readonly #vendData: readonly number[];
  #firmware: string;
  readonly #muteAfterVendMs: number;
  #vendSinceMs: number | null = null;
  readonly #plug = new Plug({ onBytes: (bytes) => this.#receive(bytes) });
  #parser = EMPTY_PARSER;
  #mutedUntilMs = 0;
  #repeatsFrame = false;

  constructor(options: Id003SimOptions) {
    const table = tableOf(options.currencies ?? ['MOP', 'HKD']);
    super(options, table);
    this.#table = table;
    this.#chance = seededChance(options.seed ?? 1);
    this.#unknown = options.unknownCommands ?? [];
    this.#silent = options.silentCommands ?? [];
    this.#vendData = options.vendData ?? [];
    this.#firmware = options.firmware ?? 'ID003-1.0';
    this.#muteAfterVendMs = options.muteAfterVendMs ?? Number.POSITIVE_INFINITY;
  }

  /** Puts the host's line into the unit's one plug; a line that was there is forgotten. */
  plug(transport: ByteTransport): void {
    this.#parser = EMPTY_PARSER;
    this.#plug.put(transport);
  }

  override powerOn(): void {
    this.#parser = EMPTY_PARSER;
    this.#mutedUntilMs = 0;
    super.powerOn();
  }

  protected override befall(fault: 'silence' | 'repeat-frame' | 'other-firmware'): void {
    if (fault === 'silence') this.#mutedUntilMs = this.clock.now() + this.silenceMs;
    else if (fault === 'repeat-frame') this.#repeatsFrame = true;
    else this.#firmware += ' B';
  }

  #receive(bytes: Uint8Array): void {
    if (this.status() === null || this.clock.now() < this.#mutedUntilMs) return;
    const parsed = parse(this.#parser, disturb(bytes, this.line, this.#chance));
    this.#parser = parsed.state;
    for (const { frame } of parsed.frames) {
      if (this.#chance.happens(this.silencePerMille)) {
        this.#mutedUntilMs = this.clock.now() + this.silenceMs;
        return;
      }
      const reply = this.#obey(frame);
      if (reply === null) continue;
      this.#send(reply);
      if (this.#repeatsFrame) this.#send(reply);
      this.#repeatsFrame = false;
    }
  }

  #send(reply: Uint8Array): void {
    this.#plug.write(disturb(reply, this.line, this.#chance));
  }

  #obey({ command, data }: Frame): Uint8Array | null {
    const did = (done: boolean): Uint8Array => encode(done ? REPLY_ACK : REPLY_INVALID);
    if (this.#silent.includes(command)) return null;
    if (this.#unknown.includes(command)) return did(false);
    const { mode, data: said } = this.report();
    this.#vendSinceMs = mode === CODE.vendValid ? (this.#vendSinceMs ?? this.clock.now()) : null;
    const isMute = this.clock.now() - (this.#vendSinceMs ?? this.clock.now()) >= this.#muteAfterVendMs;
    if (isMute && command !== COMMAND.reset) return null;
    switch (command) {
      case COMMAND.statusRequest:
        return encode(mode, mode === CODE.vendValid ? this.#vendData : said);
      case COMMAND.ack:
        this.acknowledge();
        return null;
      case COMMAND.reset:
        this.reset();
        return did(true);
      case COMMAND.stack1:
        return did(this.order('stack-1'));
      case COMMAND.stack2:
        return did(this.order('stack-2'));
      case COMMAND.returnNote:
        return did(this.order('return'));
      case COMMAND.hold:
        return did(this.order('hold'));
      case COMMAND.wait:
        return did(true);
      case COMMAND.version:
        return encode(command, Buffer.from(`${SIMULATED} ${this.#firmware}`, 'ascii'));
      case COMMAND.bootVersion:
        return encode(command, Buffer.from('S1.0', 'ascii'));
      case COMMAND.currencies:
        return encode(command, encodeCurrencies(this.#table));
      default:
        return this.#setting(command, data, POWER_UPS.includes(mode));
    }
  }

  #setting(command: number, data: Uint8Array, poweringUp: boolean): Uint8Array {
    const isRead = command >= COMMAND.readEnable && command <= COMMAND.readBarcodeInhibit;
    const value = this.settings.get(isRead ? command + 0x40 : command);
    if (value === undefined || (!isRead && (poweringUp || data.length !== value.length)))
      return encode(REPLY_INVALID);
    if (isRead) return encode(command, value);
    // Polled mode only: a unit on a bus of its own never speaks unasked here.
    if (command === COMMAND.mode && data[0] !== 0) return encode(REPLY_INVALID);
    this.set(command, data);
    return encode(command, data);
  }
}

const POWER_UPS: readonly number[] = [CODE.powerUp, CODE.powerUpBillInAcceptor, CODE.powerUpBillInStacker];

function tableOf(currencies: readonly string[]): readonly Denomination[] {
  const rows: Omit<Denomination, 'code'>[] = [];
  // EUR in JCM's software begins with the second code, 62 = 5 [n].
  if (currencies[0] === 'EUR') rows.push(UNUSED);
  for (const currency of currencies) {
    const country = Object.entries(COUNTRIES).find(([, name]) => name === currency)?.[0];
    const notes = NOTES[currency];
    if (country === undefined || notes === undefined) throw new RangeError(`no notes known in ${currency}`);
    for (const [base, exponent] of notes) rows.push({ country: Number(country), base, exponent });
  }
  if (rows.length > 16) throw new RangeError(`${rows.length} notes, ID-003 has escrow codes for 16`);
  return rows.map((row, n) => ({ code: 0x61 + n, ...row }));
}

/** As a unit writes a code that no note has. */
const UNUSED = { country: 0, base: 0, exponent: 0 };
