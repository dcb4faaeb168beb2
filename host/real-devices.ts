/** The section `devices` of a terminal file: which real device hangs where. Without it the terminal has the simulated bench. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type DriverMemory, modelNames, modelOf } from '../hardware/models.ts';
import type {
  BillAcceptor,
  CardShoe,
  DeviceClock,
  DeviceIdentity,
  OpenTransport,
  Tape,
} from '../hardware/ports.ts';
import { refuseSimulators } from '../hardware/simulators.ts';
import { openAddress, parseAddress } from '../hardware/transport/address.ts';
import { RingTape } from '../hardware/transport/recording.ts';

const line = z.strictObject({
  baud: z.int().min(300).max(1_000_000),
  dataBits: z.union([z.literal(7), z.literal(8)]),
  parity: z.enum(['none', 'even', 'odd']),
  stopBits: z.union([z.literal(1), z.literal(2)]),
});

const fitted = (kind: 'bill-acceptor' | 'card-shoe') =>
  z
    .strictObject({
      model: z.string(),
      at: z.string(),
      carrier: z.enum(['cdc-acm', 'ftdi', 'cp210x', 'hid']).exactOptional(),
      line: line.exactOptional(),
      options: z.record(z.string(), z.unknown()).default({}),
    })
    .superRefine(({ model: name, at, carrier, line, options }, context) => {
      const problem = (path: PropertyKey[], message: string): void =>
        context.addIssue({ code: 'custom', path, message });
      const address = parseAddress(at);
      if (!address.ok) problem(['at'], address.error);
      else if (address.address.kind !== 'usb')
        for (const [place, given] of Object.entries({ carrier, line }))
          if (given !== undefined) problem([place], `is for usb: only, not for ${at}`);
      const model = modelOf(name);
      if (model?.kind !== kind) {
        problem(['model'], `'${name}' is no ${kind}; there are ${modelNames(kind)}`);
        return;
      }
      for (const issue of model.options.safeParse(options).error?.issues ?? [])
        problem(['options', ...issue.path], issue.message);
    });

export const realDevicesSchema = z
  .strictObject({
    /** By number; with one acceptor per seat its number is the seat's. */
    acceptors: z.record(z.string(), fitted('bill-acceptor')),
    shoe: fitted('card-shoe'),
    simulatorsAllowed: z.boolean().default(false),
  })
  .superRefine(({ acceptors, shoe }, context) => {
    for (const number of Object.keys(acceptors))
      if (!/^[1-9]\d?$/.test(number))
        context.addIssue({
          code: 'custom',
          path: ['acceptors', number],
          message: 'is no number of an acceptor',
        });
    const taken = new Map<string, string>();
    const all = [
      ...Object.entries(acceptors).map(([number, { at }]) => [['acceptors', number], at] as const),
      [['shoe'], shoe.at] as const,
    ];
    for (const [path, at] of all) {
      const other = taken.get(at);
      if (other !== undefined)
        context.addIssue({ code: 'custom', path: [...path, 'at'], message: `${other} hangs there already` });
      taken.set(at, path.join('.'));
    }
  });

export type RealDevices = Readonly<z.infer<typeof realDevicesSchema>>;
type Fitted = RealDevices['shoe'];

export interface ConnectedDevices {
  readonly acceptors: ReadonlyMap<number, BillAcceptor>;
  readonly shoe: CardShoe;
  /** What a device was fed and has sent lately, as the text of a recording; null for an id that is no device. */
  recording(id: string, madeAt: string): string | null;
}

/** The drivers of all devices, not started. Nothing is opened yet, and a device that is not there stops nothing. */
export function connectDevices(
  devices: RealDevices,
  clock: DeviceClock,
  log: (line: string) => void,
  memoryOf?: (id: string) => DriverMemory,
): ConnectedDevices {
  const tapes = new Map<string, { readonly tape: RingTape; readonly fitted: Fitted }>();
  const open = (id: string, fitted: Fitted): OpenTransport => {
    const parsed = parseAddress(fitted.at);
    if (!parsed.ok) throw new Error(parsed.error);
    const tape = new RingTape();
    tapes.set(id, { tape, fitted });
    const { model, at, carrier } = fitted;
    const transport = openAddress(parsed.address, {
      line: fitted.line ?? modelOf(model)?.line ?? null,
      ...(carrier === undefined ? {} : { carrier }),
    });
    return Object.assign(transport, {
      tape: saying(tape, (what) => log(`${id} (${model} at ${at}): ${what}`)),
    });
  };
  const acceptors = new Map(
    Object.entries(devices.acceptors).map(([number, fitted]): [number, BillAcceptor] => {
      const id = `acceptor-${number}`;
      const model = modelOf(fitted.model);
      if (model?.kind !== 'bill-acceptor') throw new Error(`${id}: '${fitted.model}' is no bill-acceptor`);
      const acceptor = model.create(id, open(id, fitted), clock, fitted.options, memoryOf?.(id));
      if (!devices.simulatorsAllowed) guardAcceptor(acceptor, log);
      return [Number(number), acceptor];
    }),
  );
  const model = modelOf(devices.shoe.model);
  if (model?.kind !== 'card-shoe') throw new Error(`shoe: '${devices.shoe.model}' is no card-shoe`);
  const shoe = model.create(
    'shoe',
    open('shoe', devices.shoe),
    clock,
    devices.shoe.options,
    memoryOf?.('shoe'),
  );
  if (!devices.simulatorsAllowed) guardShoe(shoe, log);
  return {
    acceptors,
    shoe,
    recording: (id, madeAt) => {
      const found = tapes.get(id);
      if (found === undefined) return null;
      const { tape, fitted } = found;
      const secrets = modelOf(fitted.model)?.secrets ?? [];
      const shown = Object.entries(fitted.options).filter(([name]) => !secrets.includes(name));
      const withheld = secrets.filter((name) => name in fitted.options);
      return tape.text(
        { model: fitted.model, options: Object.fromEntries(shown), withheld, madeAt },
        secrets,
      );
    },
  };
}

/**
 * What a driver keeps in a file of `folder`, made when it is first needed. A file that cannot be written is said once: the
 * driver goes on without.
 */
export function driverMemory(folder: string, id: string, log: (line: string) => void): DriverMemory {
  const path = join(folder, id);
  let failed = false;
  return {
    load: () => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return null;
      }
    },
    save: (text) => {
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, text);
      } catch (error) {
        if (!failed)
          log(
            `${path}: what the driver of ${id} has to remember cannot be written: ${(error as Error).message}`,
          );
        failed = true;
      }
    },
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
