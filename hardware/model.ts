/**
 * What the house asks of every model of a device. Each protocol's folder has its own row of it, in
 * its file `.model.ts`.
 */
import type { z } from 'zod';
import type {
  BillAcceptor,
  ByteTransport,
  CabinetBoard,
  CardShoe,
  DeviceClock,
  Note,
  OpenTransport,
  PowerSupply,
  ReceiptPrinter,
  SerialLine,
} from './ports.ts';
import type { LineFaults } from './transport/faults.ts';
import type { MachineState, Step } from './transport/machine.ts';
import { type Machine, machineOf } from './transport/replay.ts';
import type { UsbCarrierName } from './transport/usb-carrier.ts';

/** Options as they stand in a terminal file, checked by the model's own schema. */
export type ModelOptions = Readonly<Record<string, unknown>>;

/** What people see of a model, and what its simulator is. */
interface Described<Sim> {
  /** For people: maker and protocol. */
  readonly title: string;
  /** What people read of it, from the root of the repository. */
  readonly page: string;
  /** The line as the maker delivers the unit; null = the model has none. */
  readonly line: SerialLine | null;
  /** As which USB devices it shows itself; an adapter that carries any of them is none. */
  readonly usb: readonly UsbIds[];
  /** Options that never go into a recording. */
  readonly secrets: readonly string[];
  /** Options with which it runs, for whoever tries it out. */
  readonly example: ModelOptions;
  /** What bytes of the host mean, for whoever compares two of them; null = it is no frame. */
  readonly words?: (bytes: Uint8Array) => string | null;
  /** Checks a command in a recording. */
  readonly commands: z.ZodType<unknown>;
  simulator(o: SimulatorOptions): Promise<Sim>;
}

export interface UsbIds {
  readonly vendorId: number;
  /** null = every product of this maker. */
  readonly productId: number | null;
  readonly carrier: UsbCarrierName;
  readonly note: string;
}

interface Shared<Kind extends string, Device, Sim> extends Described<Sim> {
  readonly kind: Kind;
  /** Checks the options of a driver. */
  readonly options: z.ZodType<object>;
  /** Throws ZodError on options that `options` refuses. */
  create(
    id: string,
    open: OpenTransport,
    clock: DeviceClock,
    options: ModelOptions,
    memory?: DriverMemory,
  ): Device;
  /** The protocol machine alone, in `state` or new; null = new. */
  machine(options: ModelOptions, state: unknown): Machine;
  /** Whether the host hears of this event of the machine. */
  tells(event: unknown): boolean;
}

/**
 * What a driver keeps over the death of its process; it need not outlive a power cut. Neither
 * function may throw.
 */
export interface DriverMemory {
  /** The text that was saved last; null = none is known. */
  load(): string | null;
  save(text: string): void;
}

export interface SimulatorOptions {
  readonly clock: DeviceClock;
  readonly seed: number;
  /** Currencies of an acceptor's note software, ISO 4217; each model has a default. */
  readonly currencies?: readonly string[];
}

/** What hands, and fate, can do to a simulated device. */
export interface Simulated {
  readonly sim: {
    line: LineFaults;
    plug(transport: ByteTransport): void;
    powerOff(): void;
    powerOn(): void;
  };
  readonly faults: readonly string[];
  /**
   * Throws an Error that names a fault it does not know. `code` is one of the protocol's own, where
   * the fault has some.
   */
  fault(name: string, code?: number): void;
  /**
   * What one sees who opens the unit, as plain data; an acceptor's has `state`, the port's word,
   * null without power.
   */
  look(): Readonly<Record<string, unknown>>;
}

export interface SimulatedAcceptor extends Simulated {
  /** The first currency of its note software. */
  readonly currency: string;
  insert(valueMinor: number, currency: string): { readonly taken: boolean; readonly why?: string };
  /** Answers what lay in the box. */
  emptyBox(): readonly Note[];
}

export interface SimulatedShoe extends Simulated {
  /** Cards 0..51 = suit S H D C * 13 + rank A..K, first out first. */
  load(cards: readonly number[], decks: number): void;
  /** Null where the model cannot tell a cut card. */
  readonly placeCutCard: ((fromEnd: number) => void) | null;
  draw(): { readonly drawn: boolean; readonly why?: string };
}

export type AcceptorModel = Shared<'bill-acceptor', BillAcceptor, SimulatedAcceptor>;
export type ShoeModel = Shared<'card-shoe', CardShoe, SimulatedShoe>;
export type PrinterModel = Shared<'receipt-printer', ReceiptPrinter, Simulated>;
export type CabinetModel = Shared<'cabinet-board', CabinetBoard, Simulated>;
export type PowerModel = Shared<'power-supply', PowerSupply, Simulated>;
export type Model = AcceptorModel | ShoeModel | PrinterModel | CabinetModel | PowerModel;

/** The name of a fault, as the simulator of `model` knows it. */
export function faultOf<T extends string>(model: string, faults: readonly T[], name: string): T {
  const known = faults.find((fault) => fault === name);
  if (known === undefined) throw new Error(`${model} has no fault '${name}'; it has ${faults.join(', ')}`);
  return known;
}

/** What a protocol gives; the rest of its row follows from it. */
export interface Given<Options extends object, State extends MachineState, Event, Command, Device, Sim>
  extends Described<Sim> {
  readonly options: z.ZodType<Options>;
  readonly step: Step<State, Event, Command>;
  initial(options: Options): State;
  create(
    id: string,
    open: OpenTransport,
    clock: DeviceClock,
    options: Options,
    memory?: DriverMemory,
  ): Device;
  /** Whether the host hears of it; absent = of all. */
  tells?(event: Event): boolean;
}

export function rowOf<
  Kind extends string,
  Options extends object,
  State extends MachineState,
  Event,
  Command,
  Device,
  Sim,
>(kind: Kind, given: Given<Options, State, Event, Command, Device, Sim>): Shared<Kind, Device, Sim> {
  const { options: schema, step, initial, create, tells, ...described } = given;
  return {
    ...described,
    kind,
    options: schema,
    create: (id, open, clock, options, memory) => create(id, open, clock, schema.parse(options), memory),
    // A recording of an earlier version may know less of a state than there is today.
    machine: (options, state) =>
      machineOf(step, { ...initial(schema.parse(options)), ...(state as State | null) }),
    tells: (event) => tells?.(event as Event) ?? true,
  };
}
