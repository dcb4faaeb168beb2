/**
 * An SSP acceptor without the metal: the same bytes as the real unit, over whatever line is plugged
 * in, and the unit's half of the key exchange.
 */
import { checkPrimeSync } from 'node:crypto';
import type { ByteTransport, Note } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import { Plug } from '../../transport/plug.sim.ts';
import {
  eightBytes,
  FIXED_KEY,
  keyOf,
  numberOf,
  packingOf,
  powerMod,
  STEX,
  seal,
  unseal,
} from './essp.codec.ts';
import { COMMAND, encode, encodeEvents, type Frame, parse, REPLY, type Seq } from './ssp.codec.ts';
import { SspMechanics, type SspMechanicsOptions } from './ssp-mechanics.sim.ts';

const TENS = [10, 20, 50, 100, 500, 1000];
const NOTES: Readonly<Record<string, readonly number[]>> = {
  MOP: TENS,
  HKD: TENS,
  EUR: [5, 10, 20, 50, 100, 200, 500],
};
/** Minor units in a unit of the table. */
const MULTIPLIER = 100;

export interface SspSimOptions extends SspMechanicsOptions {
  readonly seed?: number;
  readonly address?: number;
  /** Currencies in the unit's note software. */
  readonly currencies?: readonly string[];
  /** Highest protocol version it knows. */
  readonly protocol?: number;
  /** Commands it answers with F2. */
  readonly unknownCommands?: readonly number[];
  /** Commands it does not answer at all. */
  readonly silentCommands?: readonly number[];
  /** Fixed half of its key. */
  readonly fixedKey?: string;
  /** It takes POLL WITH ACK and EVENT ACK only encrypted; default true. */
  readonly ackNeedsKey?: boolean;
  /** After a start it answers all but SYNC and the key exchange with FA, until a key is agreed. */
  readonly needsKey?: boolean;
  /** 0 = a note validator. */
  readonly unitType?: number;
}

/** Commands that set the key: without them a unit is one of before encryption. */
export const KEY_COMMANDS: readonly number[] = [
  COMMAND.setGenerator,
  COMMAND.setModulus,
  COMMAND.keyExchange,
];

const SECURITY = 2;
/** A value of more than a byte has no place in the old list: counted in fives there. */
const STEP = 5;
const ascii = (text: string): readonly number[] => [...Buffer.from(text, 'ascii')];
const three = (value: number): readonly number[] => [value >>> 16, (value >>> 8) & 0xff, value & 0xff];
const WITHOUT_KEY: readonly number[] = [COMMAND.sync, ...KEY_COMMANDS];
const TO_ACKNOWLEDGE: readonly number[] = [COMMAND.pollWithAck, COMMAND.eventAck];

export class SspSim extends SspMechanics {
  readonly simulated = true;
  readonly model = 'SSP acceptor (simulated)';
  line: LineFaults = CLEAN_LINE;
  /** Per thousand commands: the unit falls silent for `silenceMs`. */
  silencePerMille = 0;
  silenceMs = 700;

  readonly #o: SspSimOptions;
  readonly #address: number;
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #channels: readonly { readonly currency: string; readonly value: number }[];
  readonly #plug = new Plug({ onBytes: (bytes) => this.#receive(bytes) });
  #parser = EMPTY_PARSER;
  #mutedUntilMs = 0;
  #last: { readonly seq: Seq; readonly reply: Uint8Array } | null = null;
  #protocol = 4;
  #key: Uint8Array | null = null;
  #numbers: { generator: bigint; modulus: bigint } = { generator: 0n, modulus: 0n };
  #count = 0;

  constructor(options: SspSimOptions) {
    super(options);
    this.#o = options;
    this.#address = options.address ?? 0;
    this.#chance = seededChance(options.seed ?? 1);
    this.#channels = (options.currencies ?? ['MOP', 'HKD']).flatMap((currency) => {
      const values = NOTES[currency];
      if (values === undefined) throw new RangeError(`no notes known in ${currency}`);
      return values.map((value) => ({ currency, value }));
    });
  }

  /** Puts the host's line into the unit's one plug; a line that was there is forgotten. */
  plug(transport: ByteTransport): void {
    this.#parser = EMPTY_PARSER;
    this.#plug.put(transport);
  }

  /** Pulls the line out of the plug; the host's end closes too. */
  unplug(): void {
    this.#plug.pull();
  }

  protected channelOf({ valueMinor, currency }: Note): number {
    return (
      1 +
      this.#channels.findIndex((row) => row.currency === currency && row.value * MULTIPLIER === valueMinor)
    );
  }

  protected silence(): void {
    this.#mutedUntilMs = this.clock.now() + this.silenceMs;
  }

  protected forget(): void {
    this.#parser = EMPTY_PARSER;
    this.#mutedUntilMs = 0;
    this.#last = null;
    this.#key = null;
    this.#protocol = 4;
  }

  // ---- the line ----

  #receive(bytes: Uint8Array): void {
    this.settle();
    if (!this.powered || this.clock.now() < this.#mutedUntilMs) return;
    const parsed = parse(this.#parser, disturb(bytes, this.line, this.#chance));
    this.#parser = parsed.state;
    for (const { frame } of parsed.frames) {
      if (frame.address !== this.#address) continue;
      if (this.#chance.happens(this.silencePerMille)) return this.silence();
      const reply = this.#answer(frame);
      if (reply === null) continue;
      this.#plug.write(disturb(reply, this.line, this.#chance));
    }
  }

  #answer(frame: Frame): Uint8Array | null {
    const { seq, address } = frame;
    const isSync = frame.data[0] === COMMAND.sync;
    // The same SEQ: the last answer again, and nothing is done.
    if (!isSync && this.#last?.seq === seq) return this.#last.reply;
    const isSealed = frame.data[0] === STEX;
    let said = frame.data;
    if (isSealed) {
      if (this.#key === null) return encode({ seq, address, data: Uint8Array.of(REPLY.keyNotSet) });
      const opened = unseal(this.#key, frame.data);
      if (opened === null || opened.count !== this.#count) return null;
      this.#count = (this.#count + 1) >>> 0;
      said = opened.data;
    }
    const [command = 0, ...data] = said;
    if (this.#o.silentCommands?.includes(command)) return null;
    const before = this.#key;
    const answer = Uint8Array.from(this.#obey(command, data, isSealed));
    const key = isSealed ? before : null;
    const packing = new Uint8Array(packingOf(answer.length));
    const reply = encode({
      seq,
      address,
      data: key === null ? answer : seal(key, this.#count, answer, packing),
    });
    this.#last = { seq, reply };
    if (command === COMMAND.reset) this.restart();
    return reply;
  }

  #obey(command: number, data: readonly number[], isSealed: boolean): readonly number[] {
    const did = (done: boolean): readonly number[] => [done ? REPLY.ok : REPLY.cannot];
    if (this.#o.unknownCommands?.includes(command)) return [REPLY.unknown];
    if (this.#o.needsKey && this.#key === null && !WITHOUT_KEY.includes(command)) return [REPLY.keyNotSet];
    if (TO_ACKNOWLEDGE.includes(command) && !isSealed && this.#o.ackNeedsKey !== false)
      return [REPLY.unknown];
    switch (command) {
      case COMMAND.sync:
      case COMMAND.reset:
        return [REPLY.ok];
      case COMMAND.protocolVersion: {
        const [version = 0] = data;
        if (version > (this.#o.protocol ?? 8)) return [REPLY.fail];
        this.#protocol = version;
        return [REPLY.ok];
      }
      case COMMAND.setup:
        return [REPLY.ok, ...this.#setup()];
      case COMMAND.serial:
        return [REPLY.ok, 0x00, 0x12, 0x34, 0x56];
      case COMMAND.unitData:
        return [REPLY.ok, ...this.#unit(), this.#protocol];
      case COMMAND.channelValues:
        return [REPLY.ok, ...this.#values(), ...this.#wideValues()];
      case COMMAND.channelSecurity:
        return [REPLY.ok, this.#channels.length, ...this.#channels.map(() => SECURITY)];
      case COMMAND.firmware:
        return [REPLY.ok, ...Buffer.from(`${SIMULATED} SSP-1`.padEnd(16), 'ascii')];
      case COMMAND.inhibits:
        if (data.length < 2) return [REPLY.wrongParameters];
        this.register = data;
        return [REPLY.ok];
      case COMMAND.enable:
      case COMMAND.disable:
        this.enabled = command === COMMAND.enable;
        return [REPLY.ok];
      case COMMAND.poll:
        return [REPLY.ok, ...encodeEvents(this.poll(false))];
      case COMMAND.pollWithAck:
        return [REPLY.ok, ...encodeEvents(this.poll(true))];
      case COMMAND.eventAck:
        return did(this.acknowledge());
      case COMMAND.hold:
        return did(this.hold());
      case COMMAND.reject:
        return did(this.reject());
      case COMMAND.lastReject:
        return [REPLY.ok, this.lastReject()];
      default:
        return this.#exchange(command, data);
    }
  }

  #exchange(command: number, data: readonly number[]): readonly number[] {
    if (!KEY_COMMANDS.includes(command)) return [REPLY.unknown];
    if (data.length !== 8) return [REPLY.wrongParameters];
    const value = numberOf(Uint8Array.from(data));
    if (command !== COMMAND.keyExchange && !checkPrimeSync(value)) return [REPLY.outOfRange];
    if (command === COMMAND.setGenerator) this.#numbers.generator = value;
    else if (command === COMMAND.setModulus) this.#numbers.modulus = value;
    else {
      const { generator, modulus } = this.#numbers;
      if (generator < 2n || modulus < 2n) return [REPLY.fail];
      const secret = BigInt(1 + this.#chance.below(0x7fff_fffe));
      this.#key = keyOf(this.#o.fixedKey ?? FIXED_KEY, powerMod(value, secret, modulus));
      this.#count = 0;
      return [REPLY.ok, ...eightBytes(powerMod(generator, secret, modulus))];
    }
    return [REPLY.ok];
  }

  /** Type, firmware, country and multiplier. */
  #unit(): readonly number[] {
    return [
      this.#o.unitType ?? 0,
      ...ascii('0337'),
      ...ascii(this.#channels[0]?.currency ?? ''),
      ...three(this.#isWide ? 1 : STEP),
    ];
  }

  get #isWide(): boolean {
    return this.#protocol >= 6;
  }

  #values(): readonly number[] {
    const channels = this.#channels;
    const values = channels.map(({ value }) => (this.#isWide ? Math.min(value, 255) : value / STEP));
    return [channels.length, ...values];
  }

  #wideValues(): readonly number[] {
    const channels = this.#isWide ? this.#channels : [];
    return [
      ...channels.flatMap(({ currency }) => ascii(currency)),
      ...channels.flatMap(({ value }) => [value & 0xff, value >>> 8, 0, 0]),
    ];
  }

  #setup(): readonly number[] {
    return [
      ...this.#unit(),
      ...this.#values(),
      ...this.#channels.map(() => SECURITY),
      ...three(MULTIPLIER),
      this.#protocol,
      ...this.#wideValues(),
    ];
  }
}
