/**
 * A ccTalk bill validator without the metal: the same bytes as a real unit, over whatever line is
 * plugged in, and on the one line what the host says comes back to it.
 */
import { minorOfUnits } from '../../../engine/core/money.ts';
import type { ByteTransport } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import { Plug } from '../../transport/plug.sim.ts';
import {
  BUSY,
  ESCROW_EMPTY,
  encode,
  encodeEvents,
  HEADER,
  HOST,
  NAK,
  NOT_ROUTED,
  parse,
  REPLY,
  type Wire,
} from './cctalk.codec.ts';
import { codeOf } from './cctalk-cipher.codec.ts';
import { CctalkMechanics, type CctalkMechanicsOptions, type Denomination } from './cctalk-mechanics.sim.ts';

export { CCTALK_FAULTS } from './cctalk-faults.ts';

interface Country {
  readonly letters: string;
  readonly digits: readonly number[];
  readonly factor: number;
  readonly decimals: number;
}
const COUNTRIES: Readonly<Record<string, Country>> = {
  MOP: { letters: 'MO', digits: [10, 20, 50, 100, 500, 1000], factor: 1, decimals: 0 },
  HKD: { letters: 'HK', digits: [1, 2, 5, 10, 50, 100], factor: 1000, decimals: 2 },
  EUR: { letters: 'EU', digits: [5, 10, 20, 50, 100, 200, 500], factor: 100, decimals: 2 },
};

export interface CctalkSimOptions extends CctalkMechanicsOptions {
  readonly seed?: number;
  readonly address?: number;
  readonly checksum?: 'simple' | 'crc16';
  readonly code?: string;
  /** Currencies in the unit's note software, at most 16 notes in all. */
  readonly currencies?: readonly string[];
  /** Whether the host hears its own bytes; default yes. */
  readonly echo?: boolean;
  /** Headers it does not answer, and those it answers with NAK. */
  readonly silentTo?: readonly number[];
  readonly refuses?: readonly number[];
  readonly category?: string;
  readonly serial?: number;
  /** Version of its software, in place of the mark of a simulator. */
  readonly revision?: string;
}

/** Bytes after so long a silence belong to no frame of before. */
const STALE_MS = 400;

export class CctalkSim extends CctalkMechanics {
  readonly simulated = true;
  readonly model = 'ccTalk bill validator (simulated)';
  line: LineFaults = CLEAN_LINE;
  /** Per thousand questions: the unit falls silent for `silenceMs`. */
  silencePerMille = 0;
  silenceMs = 700;

  readonly #o: CctalkSimOptions;
  readonly #wire: Wire;
  readonly #table: readonly Denomination[];
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #plug = new Plug({ onBytes: (bytes) => this.#receive(bytes) });
  #parser = EMPTY_PARSER;
  #bytesAtMs = 0;
  #mutedUntilMs = 0;
  #busyUntilMs = 0;
  #repeatsFrame = false;

  constructor(options: CctalkSimOptions) {
    const table = tableOf(options.currencies ?? ['MOP', 'HKD']);
    super(options, table);
    const { address = 40, code, checksum = code === undefined ? 'simple' : 'crc16' } = options;
    this.#o = options;
    this.#table = table;
    this.#wire = { address, checksum, code: code === undefined ? null : codeOf(code) };
    this.#chance = seededChance(options.seed ?? 1);
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

  override powerOn(): void {
    this.#parser = EMPTY_PARSER;
    this.#mutedUntilMs = 0;
    this.#busyUntilMs = 0;
    super.powerOn();
  }

  protected override disturbLine(fault: 'silence' | 'repeat-frame' | 'busy'): void {
    if (fault === 'silence') this.#mutedUntilMs = this.clock.now() + this.silenceMs;
    else if (fault === 'busy') this.#busyUntilMs = this.clock.now() + 1000;
    else this.#repeatsFrame = true;
  }

  #receive(bytes: Uint8Array): void {
    if (this.#o.echo ?? true) this.#send(bytes);
    const nowMs = this.clock.now();
    this.settle();
    if (!this.powered || nowMs < this.#mutedUntilMs) return;
    if (nowMs - this.#bytesAtMs > STALE_MS) this.#parser = EMPTY_PARSER;
    this.#bytesAtMs = nowMs;
    const parsed = parse(this.#wire, this.#parser, disturb(bytes, this.line, this.#chance));
    this.#parser = parsed.state;
    for (const { frame } of parsed.frames) {
      if (frame.to !== this.#wire.address) continue;
      if (this.#chance.happens(this.silencePerMille)) {
        this.#mutedUntilMs = nowMs + this.silenceMs;
        return;
      }
      if (this.#o.silentTo?.includes(frame.header)) continue;
      const reply = this.#answer(frame.header, frame.data);
      this.#send(reply);
      if (this.#repeatsFrame) this.#send(reply);
      this.#repeatsFrame = false;
    }
  }

  #send(reply: Uint8Array): void {
    this.#plug.write(disturb(reply, this.line, this.#chance));
  }

  #answer(header: number, data: Uint8Array): Uint8Array {
    const reply = (said: ArrayLike<number> = [], kind: number = REPLY): Uint8Array =>
      encode(this.#wire, HOST, kind, said);
    const text = (said: string): Uint8Array => reply(Buffer.from(said, 'ascii'));
    if (this.#o.refuses?.includes(header)) return reply([], NAK);
    if (this.clock.now() < this.#busyUntilMs) return reply([], BUSY);
    const [first = -1, second = -1] = data;
    switch (header) {
      case HEADER.simplePoll:
        return reply();
      case HEADER.manufacturer:
        return text('Banca');
      case HEADER.equipmentCategory:
        return text(this.#o.category ?? 'Bill Validator');
      case HEADER.productCode:
        return text('SIM');
      case HEADER.serialNumber: {
        const serial = this.#o.serial ?? 1234;
        return reply([serial & 0xff, (serial >> 8) & 0xff, (serial >> 16) & 0xff]);
      }
      case HEADER.softwareRevision:
        return text(this.#o.revision ?? `${SIMULATED} CCT-1.0`);
      case HEADER.currencyRevision:
        return text('SIM 01');
      case HEADER.selfCheck:
        return reply([this.check()]);
      case HEADER.readBillEvents:
        return reply(encodeEvents(this.events()));
      case HEADER.billId:
        return text(this.#table[first - 1]?.id ?? '.......');
      case HEADER.countryScaling: {
        const letters = String.fromCharCode(first, second);
        const found = Object.values(COUNTRIES).find((country) => country.letters === letters);
        return reply(
          found === undefined ? [0, 0, 0] : [found.factor & 0xff, found.factor >> 8, found.decimals],
        );
      }
      case HEADER.routeBill: {
        const done = this.route(first);
        return reply(done === 'done' ? [] : [done === 'empty' ? ESCROW_EMPTY : NOT_ROUTED]);
      }
      case HEADER.modifyOperatingMode:
        this.operating = first;
        return reply();
      case HEADER.requestOperatingMode:
        return reply([this.operating]);
      case HEADER.modifyInhibits:
        this.inhibits = [first, second];
        return reply();
      case HEADER.requestInhibits:
        return reply(this.inhibits);
      case HEADER.modifyMasterInhibit:
        this.master = first & 1;
        return reply();
      case HEADER.requestMasterInhibit:
        return reply([this.master]);
      case HEADER.reset:
        this.restart();
        return reply();
      default:
        return reply([], NAK);
    }
  }
}

function tableOf(currencies: readonly string[]): readonly Denomination[] {
  const rows = currencies.flatMap((currency) => {
    const country = COUNTRIES[currency];
    if (country === undefined) throw new RangeError(`no notes known in ${currency}`);
    const { letters, digits, factor, decimals } = country;
    return digits.map((value) => ({
      id: `${letters}${String(value).padStart(4, '0')}A`,
      note: { currency, valueMinor: minorOfUnits(value * factor, -decimals) },
    }));
  });
  if (rows.length > 16) throw new RangeError(`${rows.length} notes, the inhibits have bits for 16`);
  return rows;
}
