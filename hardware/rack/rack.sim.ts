import { z } from 'zod';
import { Id003Sim } from '../bill-acceptor/id003/id003.sim.ts';
import { ID003_FAULTS } from '../bill-acceptor/id003/id003-faults.ts';
import { id003Memory } from '../bill-acceptor/id003/id003-memory.ts';
import { Kcb1Sim } from '../cabinet/kcb1/kcb1.sim.ts';
import { CABINET_FAULTS } from '../cabinet/kcb1/kcb1-faults.ts';
import { boardMemory } from '../cabinet/kcb1/kcb1-memory.ts';
import { faultOf } from '../model.ts';
import type { DeviceClock, OpenTransport } from '../ports.ts';
import { NutSim } from '../power/nut.sim.ts';
import { UPS_FAULTS } from '../power/nut-faults.ts';
import { EscposSim, readAs } from '../printer/escpos.sim.ts';
import { ESCPOS_FAULTS } from '../printer/escpos-faults.ts';
import { Ksp1Sim, type Ksp1SimOptions } from '../shoe/ksp1/ksp1.sim.ts';
import { SHOE_FAULTS } from '../shoe/ksp1/ksp1-faults.ts';
import { shoeMemory } from '../shoe/ksp1/ksp1-memory.ts';
import { systemClock } from '../transport/clock.ts';
import { memoryPair } from '../transport/memory.transport.ts';
import {
  type AcceptorSight,
  type RackAnswer,
  type RackCommand,
  type RackControl,
  type RackSight,
  rackCommand,
} from './rack-commands.ts';
import { shuffledDecks } from './shuffle.ts';

/** So many pieces of the printer's paper lie there to be read. */
const SEEN_PIECES = 20;

/** What the devices of a rack keep without power. */
export const rackMemory = z.strictObject({
  version: z.literal(1),
  shoe: shoeMemory,
  acceptors: z.array(id003Memory).min(1).max(99),
  /** Absent in racks of before there was one. */
  cabinet: boardMemory.exactOptional(),
});
export type RackMemory = Readonly<z.infer<typeof rackMemory>>;

export interface RackOptions {
  /** Bill acceptors, numbered from 1; at least this many where there were more before. */
  readonly acceptors: number;
  readonly clock?: DeviceClock;
  readonly seed?: number;
  /** Of the cabinet board, whose host keeps its lamp alive; absent = `clock`. */
  readonly boardClock?: DeviceClock;
  /** Currencies of the note software, default MOP and HKD. */
  readonly currencies?: readonly string[];
  readonly shoeSerial?: string;
  readonly pairingKey?: Uint8Array;
  /** See Ksp1SimOptions. */
  readonly rereads?: boolean;
  /** Devices that were there before: they start as after a power cut. */
  readonly memory?: RackMemory;
  /**
   * Called with every change of what the devices keep, before anybody hears of the change. It
   * must not come back later.
   */
  readonly onKeep?: (memory: RackMemory) => void;
}

type RackDevice = Id003Sim | Ksp1Sim | EscposSim | Kcb1Sim | NutSim;

/** Where the drivers of one table find their devices, whatever carries the bytes. */
export interface RackTransports {
  /** Numbered from 1. */
  acceptor(number: number): OpenTransport;
  readonly shoe: OpenTransport;
  readonly printer: OpenTransport;
  readonly cabinet: OpenTransport;
  readonly ups: OpenTransport;
}

/**
 * The simulated devices of one table. They live as long as this object, however often a host comes
 * and goes.
 */
export class DeviceRack implements RackControl {
  readonly simulated = true;
  readonly #acceptors: readonly Id003Sim[];
  readonly #clock: DeviceClock;
  readonly #shoeOptions: Ksp1SimOptions;
  #shoe: Ksp1Sim;
  readonly printer: EscposSim;
  readonly cabinet: Kcb1Sim;
  readonly ups: NutSim;

  constructor(options: RackOptions) {
    if (!Number.isInteger(options.acceptors) || options.acceptors < 1 || options.acceptors > 99)
      throw new RangeError(`${options.acceptors} acceptors; a rack has 1 to 99`);
    const clock = options.clock ?? systemClock;
    const seed = options.seed ?? 1;
    const { memory, onKeep } = options;
    const keep = (): void => onKeep?.(this.memory());
    this.#clock = clock;
    this.printer = new EscposSim({ clock, seed: seed + 2000 });
    this.ups = new NutSim({ clock, seed: seed + 4000 });
    this.cabinet = new Kcb1Sim({
      clock: options.boardClock ?? clock,
      seed: seed + 3000,
      onKeep: keep,
      ...(memory?.cabinet === undefined ? {} : { memory: memory.cabinet }),
    });
    this.#acceptors = Array.from(
      { length: Math.max(options.acceptors, memory?.acceptors.length ?? 0) },
      (_, i) =>
        new Id003Sim({
          clock,
          seed: seed + i,
          onKeep: keep,
          ...(memory?.acceptors[i] === undefined ? {} : { memory: memory.acceptors[i] }),
          ...(options.currencies === undefined ? {} : { currencies: options.currencies }),
        }),
    );
    this.#shoeOptions = {
      clock,
      seed: seed + 1000,
      onKeep: keep,
      ...(options.pairingKey === undefined ? {} : { pairingKey: options.pairingKey }),
      ...(options.rereads === undefined ? {} : { rereads: options.rereads }),
    };
    this.#shoe = new Ksp1Sim({
      ...this.#shoeOptions,
      ...(memory === undefined ? {} : { memory: memory.shoe }),
      ...(options.shoeSerial === undefined ? {} : { serial: options.shoeSerial }),
    });
    keep();
  }

  get shoe(): Ksp1Sim {
    return this.#shoe;
  }

  memory(): RackMemory {
    return {
      version: 1,
      shoe: this.#shoe.memory(),
      acceptors: this.#acceptors.map((sim) => sim.memory()),
      cabinet: this.cabinet.memory(),
    };
  }

  get acceptorCount(): number {
    return this.#acceptors.length;
  }

  acceptor(number: number): Id003Sim {
    const found = this.#acceptors[number - 1];
    if (found === undefined)
      throw new RangeError(`no acceptor ${number}; this rack has ${this.#acceptors.length}`);
    return found;
  }

  sight(): RackSight {
    const { shoe } = this;
    return {
      acceptors: this.#acceptors.map(
        (sim, i): AcceptorSight => ({
          id: `acceptor-${i + 1}`,
          status: sim.status()?.toString(16) ?? null,
          cashBox: sim.cashBox(),
          path: sim.inPath(),
          owesCredit: sim.owesCredit(),
          givenBack: sim.givenBack(),
          takenOut: sim.takenOut(),
        }),
      ),
      shoe: {
        serial: shoe.serial,
        boot: shoe.boot(),
        decks: shoe.decks(),
        remaining: shoe.remaining(),
        drawn: shoe.drawn(),
        locked: shoe.isLocked(),
        ...shoe.journal(),
      },
      printer: {
        state: this.printer.state(),
        pieces: this.printer
          .pieces()
          .slice(-SEEN_PIECES)
          .map((piece) => piece.map(readAs)),
        hanging: this.printer.hanging().map(readAs),
      },
      cabinet: this.cabinet.sight(),
      ups: this.ups.sight(),
    };
  }

  /** Never rejects: what is wrong with a command is in the answer. */
  do<C extends RackCommand>(command: C): Promise<RackAnswer<C>> {
    return Promise.resolve(this.handle(command) as RackAnswer<C>);
  }

  /** The same for a command of unknown shape, at once. */
  handle(command: unknown): RackAnswer {
    const parsed = rackCommand.safeParse(command);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return {
        ok: false,
        error: `${issue?.path.join('.') || 'command'}: ${issue?.message ?? 'not understood'}`,
      };
    }
    try {
      return { ok: true, ...this.#carryOut(parsed.data) } as RackAnswer;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { ok: false, error: error.message };
    }
  }

  #carryOut(command: ReturnType<typeof rackCommand.parse>): object {
    switch (command.do) {
      case 'insert-note': {
        const inserted = this.acceptor(command.acceptor).insert(command.valueMinor, command.currency);
        return { taken: inserted.taken, why: inserted.taken ? null : inserted.why };
      }
      case 'empty-box':
        return { notes: this.acceptor(command.acceptor).emptyBox() };
      case 'load-shoe': {
        if (command.cards === undefined && command.decks === undefined)
          throw new Error('load-shoe: cards or decks');
        const cards = command.cards ?? shuffledDecks(command.decks ?? 0, command.seed ?? null);
        const decks = command.decks ?? Math.max(1, Math.ceil(cards.length / 52));
        return { shoeId: this.shoe.load(cards, decks), cardCount: cards.length };
      }
      case 'swap-shoe':
        return { serial: this.#swapShoe(command.serial ?? nextSerial(this.#shoe.serial)) };
      case 'place-cut-card':
        this.shoe.placeCutCard(command.fromEnd);
        return {};
      case 'draw-card': {
        const drawn = this.shoe.draw();
        return drawn.drawn
          ? { ...drawn, why: null }
          : { drawn: false, cards: [], cutCard: false, why: drawn.why };
      }
      case 'fault':
        this.#fault(command.device, command.fault, command.code);
        return {};
      case 'line': {
        const { dropPerMille, flipPerMille, losePerMille } = command;
        this.#device(command.device).line = { dropPerMille, flipPerMille, losePerMille };
        return {};
      }
      case 'power-cycle': {
        const sim = this.#device(command.device);
        sim.powerOff();
        this.#clock.after(command.offMs, () => sim.powerOn());
        return {};
      }
      case 'state':
        return this.sight();
    }
  }

  #swapShoe(serial: string): string {
    if (serial === this.#shoe.serial) throw new Error(`${serial} is the shoe on the table`);
    this.#shoe.unplug();
    this.#shoe = new Ksp1Sim({ ...this.#shoeOptions, serial });
    this.#shoeOptions.onKeep?.();
    return serial;
  }

  #device(name: string): RackDevice {
    if (name === 'printer') return this.printer;
    if (name === 'cabinet') return this.cabinet;
    if (name === 'ups') return this.ups;
    return name === 'shoe' ? this.shoe : this.acceptor(Number(name.slice('acceptor-'.length)));
  }

  #fault(device: string, fault: string, code: number | undefined): void {
    switch (device) {
      case 'shoe':
        return this.shoe.fault(faultOf('a shoe', SHOE_FAULTS, fault));
      case 'printer':
        return this.printer.fault(faultOf('a printer', ESCPOS_FAULTS, fault));
      case 'cabinet':
        return this.cabinet.fault(faultOf('a cabinet', CABINET_FAULTS, fault));
      case 'ups':
        return this.ups.fault(faultOf('a UPS', UPS_FAULTS, fault));
      default: {
        const known = faultOf('an acceptor', ID003_FAULTS, fault);
        return this.acceptor(Number(device.slice('acceptor-'.length))).fault(known, code);
      }
    }
  }
}

/** `SIM-SHOE-9` -> `SIM-SHOE-10`: no shoe of one table has the name of an earlier one. */
function nextSerial(serial: string): string {
  const [, name, number] = /^(.*?)(\d*)$/.exec(serial) ?? [];
  return `${name || 'SIM-SHOE-'}${Number(number || 1) + 1}`.slice(-16);
}

/** Marks a transport as one that leads to a simulator, so that a table for money can refuse it. */
export const simulatedTransport = (open: OpenTransport): OpenTransport =>
  Object.assign(open, { simulated: true as const });

/** Transports to a rack in this process; each open is a new line plugged into the device. */
export function rackTransports(rack: DeviceRack, clock: DeviceClock = systemClock): RackTransports {
  const to = (device: () => RackDevice): OpenTransport =>
    simulatedTransport(() => {
      const [host, plug] = memoryPair({ clock, latencyMs: 2 });
      device().plug(plug);
      return host;
    });
  return {
    acceptor: (number) => to(() => rack.acceptor(number)),
    shoe: to(() => rack.shoe),
    printer: to(() => rack.printer),
    cabinet: to(() => rack.cabinet),
    ups: to(() => rack.ups),
  };
}
