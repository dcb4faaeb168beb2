/**
 * A KCB-1 board without the metal: five doors, a key switch, a lamp of two lights, a siren, and a
 * battery that counts what is opened while there is no power.
 */
import type { ByteTransport, CabinetDoor, DeviceClock, LampPattern } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../../transport/faults.ts';
import { Plug } from '../../transport/plug.sim.ts';
import { decode, encode, type Message, MOST_OPENINGS, parse } from './kcb1.codec.ts';
import type { CabinetFault } from './kcb1-faults.ts';
import { type BoardMemory, newBoard } from './kcb1-memory.ts';

const STATUS_MS = 1000;
/** A host that says nothing for so long is gone: the lamp shows it. */
const ALONE_MS = 5000;
/** By itself, host or not: NZ04 §1.18.3 (i). */
const ALARM_MS = 10_000;
const ALARMED: readonly CabinetDoor[] = ['main', 'logic'];
const LOW_MILLIVOLTS = 2_700;
const FULL_MILLIVOLTS = 3_050;

export interface Kcb1SimOptions {
  readonly clock: DeviceClock;
  readonly seed?: number;
  readonly serial?: string;
  /** A board that was there before: this is its next start. */
  readonly memory?: BoardMemory;
  /** Called at every change of what the battery keeps, before anybody hears of it. */
  readonly onKeep?: () => void;
}

export class Kcb1Sim {
  readonly simulated = true;
  line: LineFaults = CLEAN_LINE;
  readonly #clock: DeviceClock;
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #onKeep: () => void;
  readonly #plug = new Plug({
    onBytes: (bytes) => this.#receive(bytes),
    opened: () => this.#greet(),
    gone: () => this.#cancelTick(),
  });
  #parser = EMPTY_PARSER;
  #cancelTick: () => void = () => {};
  // what the battery keeps
  #kept: BoardMemory;
  // what it does not
  #powered = true;
  #poweredAtMs: number;
  #offAtMs = 0;
  #key = false;
  #lamp: { readonly upper: LampPattern; readonly lower: LampPattern } = { upper: 'fast', lower: 'fast' };
  #sirenUntilMs = 0;
  #heardAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: Kcb1SimOptions) {
    this.#clock = options.clock;
    this.#chance = seededChance(options.seed ?? 1);
    this.#onKeep = options.onKeep ?? (() => {});
    const { memory } = options;
    this.#kept = memory ? { ...memory, boot: memory.boot + 1 } : newBoard(options.serial ?? 'SIM-CABINET-1');
    this.#poweredAtMs = this.#clock.now();
  }

  plug(transport: ByteTransport): void {
    this.#parser = EMPTY_PARSER;
    this.#plug.put(transport);
  }

  // ---- hands ----

  fault(what: CabinetFault): void {
    if (what === 'other-board') {
      this.#keep(newBoard(`${this.#kept.serial}B`.slice(-16)));
      return this.#greet();
    }
    if (what === 'key-on' || what === 'key-off') this.#key = what === 'key-on';
    else if (what === 'battery-low' || what === 'battery-new')
      this.#keep({ batteryMillivolts: what === 'battery-low' ? LOW_MILLIVOLTS - 100 : FULL_MILLIVOLTS });
    else this.#turn(what.slice(0, what.indexOf('-')) as CabinetDoor, what.endsWith('-open'));
    this.#speak();
  }

  #turn(door: CabinetDoor, isOpened: boolean): void {
    const { open, opened, openedOff } = this.#kept;
    if (open.includes(door) === isOpened) return;
    if (!isOpened) return this.#keep({ open: open.filter((each) => each !== door) });
    const counted = (counts: typeof opened) => ({
      ...counts,
      [door]: counts[door] === MOST_OPENINGS ? 0 : counts[door] + 1,
    });
    this.#keep({
      open: [...open, door],
      ...(this.#powered ? { opened: counted(opened) } : { openedOff: counted(openedOff) }),
    });
    if (this.#powered && ALARMED.includes(door)) this.#sound(ALARM_MS);
  }

  powerOff(): void {
    if (!this.#powered) return;
    this.#powered = false;
    this.#offAtMs = this.#clock.now();
    this.#cancelTick();
  }

  powerOn(): void {
    if (this.#powered) return;
    const nowMs = this.#clock.now();
    this.#powered = true;
    this.#poweredAtMs = nowMs;
    this.#lamp = { upper: 'fast', lower: 'fast' };
    this.#sirenUntilMs = 0;
    this.#keep({
      boot: this.#kept.boot + 1,
      offSeconds: Math.floor((nowMs - this.#offAtMs) / 1000),
    });
    this.#parser = EMPTY_PARSER;
    this.#greet();
  }

  // ---- what one sees and hears ----

  memory(): BoardMemory {
    return this.#kept;
  }
  sight() {
    const { upper, lower } = this.#shown();
    const { serial, open, opened, openedOff } = this.#kept;
    return {
      serial,
      powered: this.#powered,
      open,
      opened,
      openedOff,
      key: this.#key,
      upper: this.#powered ? upper : 'off',
      lower: this.#powered ? lower : 'off',
      sirenMs: this.#powered ? this.#sirenMs() : 0,
    };
  }

  // ---- the board itself ----

  #keep(changes: Partial<BoardMemory>): void {
    this.#kept = { ...this.#kept, ...changes };
    this.#onKeep();
  }

  #sirenMs(): number {
    return Math.max(0, Math.ceil(this.#sirenUntilMs - this.#clock.now()));
  }

  #sound(ms: number): void {
    this.#sirenUntilMs = Math.max(this.#sirenUntilMs, this.#clock.now() + ms);
  }

  #shown(): { readonly upper: LampPattern; readonly lower: LampPattern } {
    return this.#clock.now() - this.#heardAtMs < ALONE_MS ? this.#lamp : { upper: 'fast', lower: 'fast' };
  }

  #say(message: Message): void {
    if (!this.#powered) return;
    const deviceMs = Math.floor(this.#clock.now() - this.#poweredAtMs) % 2 ** 32;
    this.#plug.write(disturb(encode(message, deviceMs), this.line, this.#chance));
  }

  #greet(): void {
    const { serial, boot } = this.#kept;
    this.#say({ type: 'hello', serial, firmware: `${SIMULATED} 1`, boot });
    this.#speak();
  }

  /** STATUS now, and again after a second at the latest. */
  #speak(): void {
    this.#cancelTick();
    if (!this.#powered || !this.#plug.isIn) return;
    const { boot, open, opened, openedOff, offSeconds, batteryMillivolts } = this.#kept;
    const sirenMs = this.#sirenMs();
    this.#say({
      type: 'status',
      ...{ boot, open, opened, openedOff, offSeconds, batteryMillivolts, sirenMs },
      ...{ key: this.#key, batteryLow: batteryMillivolts < LOW_MILLIVOLTS },
      ...this.#shown(),
    });
    const nextMs = sirenMs === 0 ? STATUS_MS : Math.min(STATUS_MS, sirenMs);
    this.#cancelTick = this.#clock.after(nextMs, () => this.#speak());
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
    if (message.type === 'hello' || message.type === 'status') return;
    const before = this.#shown();
    this.#heardAtMs = this.#clock.now();
    if (message.type === 'identify') return this.#greet();
    if (message.type === 'lamp') {
      this.#lamp = { upper: message.upper, lower: message.lower };
      // As it was: the host knows.
      if (before.upper === message.upper && before.lower === message.lower) return;
    } else if (message.ms === 0) this.#sirenUntilMs = 0;
    else this.#sound(message.ms);
    this.#speak();
  }
}
