/**
 * Every model of the house under the name that terminal files, `banca device` and recordings call it by. Simulators are
 * loaded when one is asked for and not before: a terminal with real devices never has their code in its process.
 */
import { z } from 'zod';
import { createEbds, createPyramid } from './bill-acceptor/ebds/ebds.driver.ts';
import { initialEbds, stepEbds } from './bill-acceptor/ebds/ebds.machine.ts';
import { EBDS_LINE, ebdsProfile, pyramidProfile } from './bill-acceptor/ebds/ebds-profile.ts';
import { createId003 } from './bill-acceptor/id003/id003.driver.ts';
import { initialId003, stepId003 } from './bill-acceptor/id003/id003.machine.ts';
import type {
  BillAcceptor,
  ByteTransport,
  CardShoe,
  DeviceClock,
  Note,
  OpenTransport,
  SerialLine,
} from './ports.ts';
import { ANGEL_EYE_LINE, createAngelEye } from './shoe/angel-eye/angel-eye.driver.ts';
import { initialAngelEye, stepAngelEye } from './shoe/angel-eye/angel-eye.machine.ts';
import { createKsp1 } from './shoe/ksp1/ksp1.driver.ts';
import { initialKsp1, stepKsp1 } from './shoe/ksp1/ksp1.machine.ts';
import { fromHex } from './transport/bytes.ts';
import type { LineFaults } from './transport/faults.ts';
import { type Machine, machineOf } from './transport/replay.ts';

/** Options as they stand in a terminal file, checked by the model's own schema. */
export type ModelOptions = Readonly<Record<string, unknown>>;

interface Shared<Kind extends string, Device, Sim> {
  readonly kind: Kind;
  /** For people: maker and protocol. */
  readonly title: string;
  /** The line as the maker delivers the unit; null = the model has none. */
  readonly line: SerialLine | null;
  /** Checks the options of a driver. */
  readonly options: z.ZodType<object>;
  /** Options that never go into a recording. */
  readonly secrets: readonly string[];
  /** Checks a command in a recording. */
  readonly commands: z.ZodType<unknown>;
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
  /** Whether the host is told of this event of the machine. */
  tells(event: unknown): boolean;
  simulator(o: SimulatorOptions): Promise<Sim>;
}

/** What a driver keeps over the death of its process; it need not outlive a power cut. Neither function may throw. */
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
interface Simulated {
  readonly sim: {
    line: LineFaults;
    plug(transport: ByteTransport): void;
    powerOff(): void;
    powerOn(): void;
  };
  readonly faults: readonly string[];
  /** Throws an Error that names a fault it does not know. `code` is one of the protocol's own, where the fault has some. */
  fault(name: string, code?: number): void;
  /** What one sees who opens the unit, as plain data; an acceptor's has `state`, the port's word, null without power. */
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
export type Model = AcceptorModel | ShoeModel;

/** The name of a fault, as the simulator of `model` knows it. */
function faultOf<T extends string>(model: string, faults: readonly T[], name: string): T {
  const known = faults.find((fault) => fault === name);
  if (known === undefined) throw new Error(`${model} has no fault '${name}'; it has ${faults.join(', ')}`);
  return known;
}

const EVERYTHING = (): boolean => true;

const acceptorCommands = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow'), notesMinor: z.array(z.int().positive()) }),
  z.strictObject({ type: z.enum(['stack', 'return', 'hold', 'acknowledge-credit']) }),
]);

const currencies = z.array(z.string().regex(/^[A-Z]{3}$/, 'ISO 4217')).min(1);

const id003Options = z.strictObject({
  /** Country code of the unit's currency table -> ISO 4217. */
  countries: z
    .record(
      z.string().regex(/^\d{1,3}$/, 'a country code, 0 to 255'),
      z.string().regex(/^[A-Z]{3}$/, 'ISO 4217'),
    )
    .exactOptional(),
  currencies: currencies.exactOptional(),
  refusedWays: z.int().min(0).max(0x0f).exactOptional(),
  highSecurity: z.int().min(0).max(0xffff).exactOptional(),
  optionalFunctions: z.int().min(0).max(0xffff).exactOptional(),
});

const id003: AcceptorModel = {
  kind: 'bill-acceptor',
  title: 'JCM ID-003 acceptor (UBA, iVIZION, Vega, TBV, DBV)',
  line: { baud: 9600, dataBits: 8, parity: 'even', stopBits: 1 },
  options: id003Options,
  secrets: [],
  commands: acceptorCommands,
  create: (id, open, clock, options) => createId003(id, open, clock, id003Options.parse(options)),
  machine: (options, state) =>
    machineOf(
      stepId003,
      (state as ReturnType<typeof initialId003>) ?? initialId003(id003Options.parse(options)),
    ),
  tells: EVERYTHING,
  simulator: async ({ clock, seed, currencies: notes }) => {
    const [{ ACCEPTOR_FAULTS, Id003Sim }, { STATUS }] = await Promise.all([
      import('./bill-acceptor/id003/id003.sim.ts'),
      import('./bill-acceptor/id003/id003.codec.ts'),
    ]);
    const sim = new Id003Sim({ clock, seed, ...(notes === undefined ? {} : { currencies: notes }) });
    return {
      sim,
      currency: notes?.[0] ?? 'MOP',
      insert: (valueMinor, currency) => sim.insert(valueMinor, currency),
      emptyBox: () => sim.emptyBox(),
      faults: ACCEPTOR_FAULTS,
      fault: (name, code) => sim.fault(faultOf('id003', ACCEPTOR_FAULTS, name), code),
      look: () => ({
        state: STATUS[sim.status() ?? -1]?.state ?? null,
        path: sim.inPath()?.note ?? null,
        owesCredit: sim.owesCredit(),
        cashBox: sim.cashBox().length,
        givenBack: sim.givenBack().length,
      }),
    };
  },
};

const ebdsOptions = z.strictObject({
  currencies: currencies.exactOptional(),
  /** Seconds after which the unit gives a note in escrow back by itself. */
  escrowTimeoutS: z.int().min(1).max(127).exactOptional(),
});

const pyramidOptions = z.strictObject({
  /** Note of value index 1 to 7, in this order; null for an index that the unit's note software does not use. */
  notes: z
    .array(
      z
        .strictObject({
          currency: z.string().regex(/^[A-Z]{3}$/, 'ISO 4217'),
          valueMinor: z.int().positive(),
        })
        .nullable(),
    )
    .min(1)
    .max(7),
});

async function ebdsSimulator(model: 'ebds' | 'pyramid', o: SimulatorOptions): Promise<SimulatedAcceptor> {
  const [{ EbdsSim }, { EBDS_FAULTS }] = await Promise.all([
    import('./bill-acceptor/ebds/ebds.sim.ts'),
    import('./bill-acceptor/ebds/ebds-metal.ts'),
  ]);
  const { clock, seed, currencies: notes } = o;
  const sim = new EbdsSim({ clock, seed, model, ...(notes === undefined ? {} : { currencies: notes }) });
  return {
    sim,
    currency: notes?.[0] ?? (model === 'pyramid' ? 'HKD' : 'MOP'),
    insert: (valueMinor, currency) => sim.insert(valueMinor, currency),
    emptyBox: () => sim.emptyBox(),
    faults: EBDS_FAULTS,
    fault: (name) => sim.fault(faultOf(model, EBDS_FAULTS, name)),
    look: () => ({
      state: sim.state(),
      path: sim.inPath()?.note ?? null,
      owesCredit: sim.owesCredit(),
      cashBox: sim.cashBox().length,
      givenBack: sim.givenBack().length,
    }),
  };
}

type EbdsMachineState = ReturnType<typeof initialEbds>;

const ebds: AcceptorModel = {
  kind: 'bill-acceptor',
  title: 'MEI/CPI EBDS acceptor (Cashflow SC, SC Advance)',
  line: EBDS_LINE,
  options: ebdsOptions,
  secrets: [],
  commands: acceptorCommands,
  create: (id, open, clock, options, memory) =>
    createEbds(id, open, clock, ebdsOptions.parse(options), memory),
  machine: (options, state) =>
    machineOf(
      stepEbds,
      (state as EbdsMachineState) ?? initialEbds(ebdsProfile(ebdsOptions.parse(options)), null),
    ),
  tells: EVERYTHING,
  simulator: (o) => ebdsSimulator('ebds', o),
};

const pyramid: AcceptorModel = {
  kind: 'bill-acceptor',
  title: 'Pyramid RS-232 acceptor (Apex, Curve)',
  line: EBDS_LINE,
  options: pyramidOptions,
  secrets: [],
  commands: acceptorCommands,
  create: (id, open, clock, options, memory) =>
    createPyramid(id, open, clock, pyramidOptions.parse(options), memory),
  machine: (options, state) =>
    machineOf(
      stepEbds,
      (state as EbdsMachineState) ?? initialEbds(pyramidProfile(pyramidOptions.parse(options)), null),
    ),
  tells: EVERYTHING,
  simulator: (o) => ebdsSimulator('pyramid', o),
};

const ksp1Options = z.strictObject({
  /** Hex digits of the key that the shoe was given in service mode. */
  pairingKey: z
    .string()
    .regex(/^([0-9a-fA-F]{2}){16,64}$/, '32 to 128 hex digits')
    .transform(fromHex)
    .exactOptional(),
});

const ksp1: ShoeModel = {
  kind: 'card-shoe',
  title: 'KSP-1 reading shoe',
  line: null,
  options: ksp1Options,
  secrets: ['pairingKey'],
  commands: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('stored'), seq: z.int().min(0) }),
    z.strictObject({
      type: z.literal('moment'),
      nonce: z.instanceof(Uint8Array),
      epochMs: z.int(),
      againAfterMs: z.int(),
    }),
    z.strictObject({ type: z.literal('acknowledge'), seq: z.int().min(1) }),
    z.strictObject({ type: z.literal('lock'), on: z.boolean() }),
  ]),
  create: (id, open, clock, options) => createKsp1(id, open, clock, ksp1Options.parse(options)),
  machine: (options, state) =>
    machineOf(
      stepKsp1,
      (state as ReturnType<typeof initialKsp1>) ?? initialKsp1(ksp1Options.parse(options).pairingKey ?? null),
    ),
  // Asked and answered inside the driver.
  tells: (event) => !(event as { type: string }).type.startsWith('ask-'),
  simulator: async ({ clock, seed }) => {
    const { Ksp1Sim, SHOE_MISHAPS } = await import('./shoe/ksp1/ksp1.sim.ts');
    const sim = new Ksp1Sim({ clock, seed });
    return {
      sim,
      load: (cards, decks) => void sim.load(cards, decks),
      placeCutCard: (fromEnd) => sim.placeCutCard(fromEnd),
      draw: () => sim.draw(),
      faults: SHOE_MISHAPS,
      fault: (name) => sim.mishap(faultOf('ksp1', SHOE_MISHAPS, name)),
      look: () => ({
        remaining: sim.remaining(),
        drawn: sim.drawn().length,
        locked: sim.isLocked(),
        lastSeq: sim.journal().lastSeq,
        ackedSeq: sim.journal().ackedSeq,
      }),
    };
  },
};

const angelEyeOptions = z.strictObject({
  /** The shoe does not say who it is: the name on its type plate. */
  serial: z.string().regex(/^[ -~]{1,16}$/, 'printable ASCII, at most 16 characters'),
  /** Whether it may be sent commands. */
  commands: z.boolean().exactOptional(),
});

const angelEye: ShoeModel = {
  kind: 'card-shoe',
  title: 'Angel Eye II-EX reading shoe',
  line: ANGEL_EYE_LINE,
  options: angelEyeOptions,
  secrets: [],
  commands: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('stored'), seq: z.int().min(0) }),
    z.strictObject({ type: z.literal('lock'), on: z.boolean() }),
  ]),
  create: (id, open, clock, options) => createAngelEye(id, open, clock, angelEyeOptions.parse(options)),
  machine: (options, state) =>
    machineOf(
      stepAngelEye,
      (state as ReturnType<typeof initialAngelEye>) ?? initialAngelEye(angelEyeOptions.parse(options)),
    ),
  tells: EVERYTHING,
  simulator: async ({ clock, seed }) => {
    const { ANGEL_EYE_MISHAPS, AngelEyeSim } = await import('./shoe/angel-eye/angel-eye.sim.ts');
    const sim = new AngelEyeSim({ clock, seed });
    return {
      sim,
      load: (cards) => sim.load(cards),
      placeCutCard: (fromEnd) => sim.placeCutCard(fromEnd),
      draw: () => sim.draw(),
      faults: ANGEL_EYE_MISHAPS,
      fault: (name) => sim.mishap(faultOf('angel-eye', ANGEL_EYE_MISHAPS, name)),
      look: () => ({
        remaining: sim.remaining(),
        drawn: sim.drawn().length,
        locked: sim.isLocked(),
        error: sim.inError(),
      }),
    };
  },
};

/** In the order they are listed to people. */
export const MODELS: Readonly<Record<string, Model>> = { id003, ebds, pyramid, ksp1, 'angel-eye': angelEye };

/** Undefined for a name that is none of ours. */
export const modelOf = (name: string): Model | undefined =>
  Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;

export const modelNames = (kind?: Model['kind']): string =>
  Object.keys(MODELS)
    .filter((name) => kind === undefined || MODELS[name]?.kind === kind)
    .join(', ');
