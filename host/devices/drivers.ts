/**
 * The drivers of a terminal's devices: what they keep, what is recorded of them, and that no
 * simulator plays for money.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriverMemory, Model, ModelOptions } from '../../hardware/model.ts';
import { modelOf } from '../../hardware/models.ts';
import type {
  BillAcceptor,
  CabinetBoard,
  CabinetEvent,
  CardShoe,
  DeviceClock,
  DeviceIdentity,
  FrameRecord,
  OpenTransport,
  PowerEvent,
  PowerSupply,
  ReceiptPrinter,
  Tape,
} from '../../hardware/ports.ts';
import { refuseSimulators } from '../../hardware/simulators.ts';
import { toHex } from '../../hardware/transport/bytes.ts';
import { RingTape } from '../../hardware/transport/recording.ts';
import { bootOfMachine } from '../program/life.ts';

/** One device to be driven: its model, and the line to it. */
export interface Fitting {
  readonly model: string;
  readonly options: ModelOptions;
  readonly open: OpenTransport;
  /** Where it hangs, for the log; null = its line is no news. */
  readonly at: string | null;
}

export interface Fittings {
  /** By number, from 1. */
  readonly acceptors: ReadonlyMap<number, Fitting>;
  readonly shoe: Fitting;
  /** Null: this terminal prints nothing. */
  readonly printer: Fitting | null;
  /** Null: no board tells of doors, and no UPS of the mains. */
  readonly cabinet: Fitting | null;
  readonly ups: Fitting | null;
  readonly simulatorsAllowed: boolean;
}

export interface Drivers {
  readonly acceptors: ReadonlyMap<number, BillAcceptor>;
  readonly shoe: CardShoe;
  readonly printer: ReceiptPrinter | null;
  readonly cabinet: CabinetBoard | null;
  readonly ups: PowerSupply | null;
  readonly simulatorsAllowed: boolean;
  /**
   * What a device was fed and has sent lately, as the text of a recording; null for an id that is
   * no device.
   */
  recording(id: string, madeAt: string): string | null;
  /** The bytes of it between two times of the wall clock; empty for an id that is no device. */
  frames(id: string, fromMs: number, toMs: number): readonly FrameRecord[];
}

export interface DriverOptions {
  readonly clock: DeviceClock;
  /** Folder for what drivers keep over the death of this process. */
  readonly folder: string;
  readonly log: (line: string) => void;
  /** A device has answered what its driver sent it, so long after. */
  readonly answered?: (id: string, ms: number) => void;
}

/**
 * The drivers, not started. Nothing is opened yet, and a device that is not there stops nothing.
 */
export function connectDevices(
  fittings: Fittings,
  { clock, folder, log, answered = () => {} }: DriverOptions,
): Drivers {
  // No file is cleared by a power cut, and what a driver keeps must be.
  const boot = bootOfMachine();
  const tapes = new Map<string, { readonly tape: RingTape; readonly fitting: Fitting }>();
  const open = (id: string, fitting: Fitting): OpenTransport => {
    const tape = new RingTape();
    tapes.set(id, { tape, fitting });
    const { model, at } = fitting;
    return Object.assign(fitting.open, {
      tape: timing(
        at === null ? tape : saying(tape, (what) => log(`${id} (${model} at ${at}): ${what}`)),
        (ms) => answered(id, ms),
      ),
    });
  };
  const acceptors = new Map(
    [...fittings.acceptors].map(([number, fitting]): [number, BillAcceptor] => {
      const id = `acceptor-${number}`;
      const model = modelOf(fitting.model);
      if (model?.kind !== 'bill-acceptor') throw new Error(`${id}: '${fitting.model}' is no bill-acceptor`);
      const memory = driverMemory(folder, id, boot, log);
      const acceptor = model.create(id, open(id, fitting), clock, fitting.options, memory);
      if (!fittings.simulatorsAllowed) guardAcceptor(acceptor, log);
      return [number, acceptor];
    }),
  );
  const { shoe: fitting } = fittings;
  const model = modelOf(fitting.model);
  if (model?.kind !== 'card-shoe') throw new Error(`shoe: '${fitting.model}' is no card-shoe`);
  const memory = driverMemory(folder, 'shoe', boot, log);
  const shoe = model.create('shoe', open('shoe', fitting), clock, fitting.options, memory);
  if (!fittings.simulatorsAllowed) guardShoe(shoe, log);
  const { printer, cabinet, ups } = besides(fittings, open, clock);
  if (!fittings.simulatorsAllowed)
    for (const device of [cabinet, ups]) if (device !== null) guardBeside(device, log);
  return {
    acceptors,
    shoe,
    printer,
    cabinet,
    ups,
    simulatorsAllowed: fittings.simulatorsAllowed,
    frames: (id, fromMs, toMs) => {
      // The clock of the devices counts; the wall clock may have been set meanwhile.
      const wallMs = Date.now() - clock.now();
      const kept = tapes.get(id)?.tape.frames(fromMs - wallMs, toMs - wallMs) ?? [];
      return kept.map(({ ms, direction, bytes }) => ({
        atMs: Math.round(ms + wallMs),
        direction,
        hex: toHex(bytes),
      }));
    },
    recording: (id, madeAt) => {
      const found = tapes.get(id);
      if (found === undefined) return null;
      const { tape, fitting: of } = found;
      const secrets = modelOf(of.model)?.secrets ?? [];
      const shown = Object.entries(of.options).filter(([name]) => !secrets.includes(name));
      const withheld = secrets.filter((name) => name in of.options);
      return tape.text({ model: of.model, options: Object.fromEntries(shown), withheld, madeAt }, secrets);
    },
  };
}

/** What a terminal may have or not. A printer says nothing of itself: no guard can hear one. */
function besides(
  fittings: Fittings,
  open: (id: string, fitting: Fitting) => OpenTransport,
  clock: DeviceClock,
): Pick<Drivers, 'printer' | 'cabinet' | 'ups'> {
  const made = <Kind extends Model['kind'], Device>(
    id: 'printer' | 'cabinet' | 'ups',
    kind: Kind,
    create: (model: Extract<Model, { kind: Kind }>, fitting: Fitting) => Device,
  ): Device | null => {
    const fitting = fittings[id];
    if (fitting === null) return null;
    const model = modelOf(fitting.model);
    if (model?.kind !== kind) throw new Error(`${id}: '${fitting.model}' is no ${kind}`);
    return create(model as Extract<Model, { kind: Kind }>, fitting);
  };
  return {
    printer: made('printer', 'receipt-printer', (model, fitting) =>
      model.create('printer', open('printer', fitting), clock, fitting.options),
    ),
    cabinet: made('cabinet', 'cabinet-board', (model, fitting) =>
      model.create('cabinet', open('cabinet', fitting), clock, fitting.options),
    ),
    ups: made('ups', 'power-supply', (model, fitting) =>
      model.create('ups', open('ups', fitting), clock, fitting.options),
    ),
  };
}

/**
 * What a driver keeps in a file of `folder`, made when it is first needed; nothing of before
 * `boot`. A file that cannot be written is said once: the driver goes on without.
 */
export function driverMemory(
  folder: string,
  id: string,
  boot: string,
  log: (line: string) => void,
): DriverMemory {
  const path = join(folder, id);
  let failed = false;
  return {
    load: () => {
      try {
        const text = readFileSync(path, 'utf8');
        return text.startsWith(`${boot}\n`) ? text.slice(boot.length + 1) : null;
      } catch {
        return null;
      }
    },
    save: (text) => {
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, `${boot}\n${text}`);
      } catch (error) {
        if (!failed)
          log(`${id}: its driver cannot write what it has to remember: ${(error as Error).message}`);
        failed = true;
      }
    },
  };
}

/** How long after the last word of the driver the first one of the device comes. */
function timing(tape: Tape, answered: (ms: number) => void): Tape {
  let askedAtMs: number | null = null;
  return {
    input: (atMs, input, state) => {
      if (input.type === 'bytes' && askedAtMs !== null) {
        answered(atMs - askedAtMs);
        askedAtMs = null;
      }
      tape.input(atMs, input, state);
    },
    out: (atMs, bytes) => {
      askedAtMs = atMs;
      tape.out(atMs, bytes);
    },
    forget: () => tape.forget(),
  };
}

/** Says once what keeps a line from being opened, what it broke with, and that it is open. */
function saying(tape: Tape, say: (what: string) => void): Tape {
  let said = '';
  return {
    input: (atMs, input, state) => {
      const what = input.type === 'opened' ? 'open' : input.type === 'closed' ? input.reason : said;
      if (what !== said) say(what);
      said = what;
      tape.input(atMs, input, state);
    },
    out: (atMs, bytes) => tape.out(atMs, bytes),
    forget: () => tape.forget(),
  };
}

// ---- no simulator plays for money ----

/** Why this device may not serve here; null = it may. */
function refusal(
  device: { readonly id: string; readonly simulated: boolean },
  identity: DeviceIdentity,
): string | null {
  try {
    refuseSimulators([{ id: device.id, simulated: device.simulated, identity }]);
    return null;
  } catch (error) {
    return `${(error as Error).message} ("${identity.firmware}"); only "simulatorsAllowed" in the terminal file lets them serve, as a demonstration`;
  }
}

/** A unit that says it is a simulator has failed, before the host hears of a note in it. */
function guardAcceptor(acceptor: BillAcceptor, log: (line: string) => void): void {
  const start = acceptor.start.bind(acceptor);
  acceptor.start = (listener) =>
    start((event) => {
      const why = event.type === 'identity' ? refusal(acceptor, event.identity) : null;
      if (why === null) return listener(event);
      log(why);
      acceptor.state = () => 'failed';
      listener(event);
      listener({ type: 'state', state: 'failed', detail: why });
      return void acceptor.stop();
    });
}

/** A shoe that says it is a simulator is not authentic, before the host hears of a card of it. */
function guardShoe(shoe: CardShoe, log: (line: string) => void): void {
  const start = shoe.start.bind(shoe);
  shoe.start = (listener, lastSeqOf) =>
    start((event) => {
      const why = event.type === 'identity' ? refusal(shoe, event.identity) : null;
      if (why === null) return listener(event);
      log(why);
      listener(event);
      listener({ type: 'fault', seq: null, fault: 'not-authentic', detail: why });
      return void shoe.stop();
    }, lastSeqOf);
}

/** A board or a UPS that says it is a simulator is not there. */
function guardBeside(device: CabinetBoard | PowerSupply, log: (line: string) => void): void {
  const start = device.start.bind(device) as (listener: (event: CabinetEvent | PowerEvent) => void) => void;
  device.start = (listener: (event: never) => void) =>
    start((event) => {
      const why = event.type === 'identity' ? refusal(device, event.identity) : null;
      if (why === null) return listener(event as never);
      log(why);
      listener({ type: 'link', link: 'down' } as never);
      return void device.stop();
    });
}
