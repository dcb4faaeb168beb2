/**
 * `banca device run`: one of our drivers against any device, real, simulated or somebody else's;
 * its events as JSON lines. The script is described in docs/operations/devices.md.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { Model, ModelOptions } from '../../hardware/model.ts';
import type {
  AcceptorEvent,
  BillAcceptor,
  CabinetBoard,
  CabinetEvent,
  CardShoe,
  DeviceClock,
  OpenTransport,
  PowerEvent,
  PowerSupply,
  PrinterEvent,
  ReceiptPrinter,
  ShoeEvent,
} from '../../hardware/ports.ts';
import { openAddress, parseAddress } from '../../hardware/transport/address.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { entryLine, headLine } from '../../hardware/transport/recording.ts';
import { USB_CARRIERS } from '../../hardware/transport/usb-carrier.ts';
import { CannotRun, readArguments, required } from '../command.ts';
import { driverOptions, knownModel, serialLine, wholeNumber } from './options.ts';
import { readSteps, type ScriptLine } from './script.ts';

/** `escrowed`, or with what the event is about: `state:idle`, `link:up`, `fault:jam`. */
const eventName = z.string().regex(/^[a-z-]+(:[a-z-]+)?$/, 'an event as in escrowed or state:idle');

const when = {
  on: eventName.optional(),
  after: eventName.optional(),
  ms: z.int().min(0).max(3_600_000).default(0),
};
const notBoth = ({ on, after }: { on?: string | undefined; after?: string | undefined }): boolean =>
  on === undefined || after === undefined;
const pattern = z.enum(['off', 'steady', 'slow', 'fast']);
const STEPS = {
  'bill-acceptor': z
    .discriminatedUnion('do', [
      z.strictObject({ ...when, do: z.literal('allow'), notesMinor: z.array(z.int().positive()) }),
      z.strictObject({ ...when, do: z.enum(['stack', 'return', 'hold', 'acknowledge', 'end']) }),
    ])
    .refine(notBoth, 'on or after, not both'),
  'card-shoe': z
    .strictObject({ ...when, do: z.enum(['acknowledge', 'lock', 'unlock', 'end']) })
    .refine(notBoth, 'on or after, not both'),
  'receipt-printer': z
    .discriminatedUnion('do', [
      z.strictObject({ ...when, do: z.literal('print'), lines: z.array(z.string().max(80)).min(1).max(100) }),
      z.strictObject({ ...when, do: z.enum(['recover', 'end']) }),
    ])
    .refine(notBoth, 'on or after, not both'),
  'cabinet-board': z
    .discriminatedUnion('do', [
      z.strictObject({ ...when, do: z.literal('lamp'), upper: pattern, lower: pattern }),
      z.strictObject({ ...when, do: z.literal('siren'), forMs: z.int().min(0).max(600_000) }),
      z.strictObject({ ...when, do: z.literal('end') }),
    ])
    .refine(notBoth, 'on or after, not both'),
  'power-supply': z.strictObject({ ...when, do: z.literal('end') }).refine(notBoth, 'on or after, not both'),
};
type Step = z.infer<(typeof STEPS)[Model['kind']]>;

type Event = AcceptorEvent | ShoeEvent | PrinterEvent | CabinetEvent | PowerEvent;

const fits = (name: string | undefined, event: Event): boolean => {
  const [type, about] = name?.split(':') ?? [];
  return (
    type === event.type &&
    (about === undefined || (event as Readonly<Record<string, unknown>>)[event.type] === about)
  );
};

/** What `--auto` takes: notes of 1, 2 and 5 in every power of ten, from 1.00 to 100,000.00. */
const ROUND_NOTES = [2, 3, 4, 5, 6, 7].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/**
 * After the event of `--until`: so long the answer to it has to leave, a credit's acknowledgement
 * for instance.
 */
const ANSWERED_WITHIN_MS = 500;

/** The driver, and what a script or `--auto` can make it do. */
interface Driver {
  start(listener: (event: Event) => void): void;
  stop(): Promise<void>;
  do(step: Step): void;
  /** Before the first event. */
  beginAuto(): void;
  auto(event: Event): void;
}

function acceptorDriver(acceptor: BillAcceptor): Driver {
  return {
    start: (listener) => acceptor.start(listener),
    stop: () => acceptor.stop(),
    do: (step) => {
      if (step.do === 'allow') acceptor.allow(step.notesMinor);
      else if (step.do === 'stack') acceptor.stack();
      else if (step.do === 'return') acceptor.returnNote();
      else if (step.do === 'hold') acceptor.hold();
      else if (step.do === 'acknowledge') acceptor.acknowledgeCredit();
    },
    beginAuto: () => acceptor.allow(ROUND_NOTES),
    auto: (event) => {
      if (event.type === 'credit') acceptor.acknowledgeCredit();
      else if (event.type === 'escrowed')
        if (event.note === null)
          // A note of unknown value goes back.
          acceptor.returnNote();
        else acceptor.stack();
    },
  };
}

function shoeDriver(shoe: CardShoe, stored: number): Driver {
  // What a host would have on disk: the numbers of this run, by shoe.
  const acknowledged = new Map<string, number>();
  let serial = '';
  let lastSeq: number | null = null;
  const acknowledge = (): void => {
    if (lastSeq === null) return;
    shoe.acknowledge(lastSeq);
    acknowledged.set(serial, lastSeq);
  };
  return {
    start: (listener) =>
      shoe.start(
        (event) => {
          if (event.type === 'identity') ({ serial } = event.identity);
          if ('seq' in event && event.seq !== null) lastSeq = event.seq;
          listener(event);
        },
        (of) => acknowledged.get(of) ?? stored,
      ),
    stop: () => shoe.stop(),
    do: (step) => {
      if (step.do === 'acknowledge') acknowledge();
      else if (step.do === 'lock' || step.do === 'unlock') shoe.lock(step.do === 'lock');
    },
    beginAuto: () => {},
    auto: (event) => {
      if ('seq' in event && event.seq !== null) acknowledge();
    },
  };
}

function printerDriver(printer: ReceiptPrinter): Driver {
  let number = 0;
  return {
    start: (listener) => printer.start(listener),
    stop: () => printer.stop(),
    do: (step) => {
      if (step.do === 'print')
        printer.print({
          number: ++number,
          items: [...step.lines.map((text) => ({ type: 'line', text }) as const), { type: 'cut' }],
        });
      else if (step.do === 'recover') printer.recover();
    },
    beginAuto: () => {},
    auto: () => {},
  };
}

function cabinetDriver(board: CabinetBoard): Driver {
  return {
    start: (listener) => board.start(listener),
    stop: () => board.stop(),
    do: (step) => {
      if (step.do === 'lamp') board.lamp(step.upper, step.lower);
      else if (step.do === 'siren') board.siren(step.forMs);
    },
    beginAuto: () => {},
    auto: () => {},
  };
}

const powerDriver = (supply: PowerSupply): Driver => ({
  start: (listener) => supply.start(listener),
  stop: () => supply.stop(),
  do: () => {},
  beginAuto: () => {},
  auto: () => {},
});

function driverOf(
  model: Model,
  open: OpenTransport,
  clock: DeviceClock,
  options: ModelOptions,
  stored: number,
): Driver {
  switch (model.kind) {
    case 'bill-acceptor':
      return acceptorDriver(model.create('device', open, clock, options));
    case 'card-shoe':
      return shoeDriver(model.create('device', open, clock, options), stored);
    case 'receipt-printer':
      return printerDriver(model.create('device', open, clock, options));
    case 'cabinet-board':
      return cabinetDriver(model.create('device', open, clock, options));
    case 'power-supply':
      return powerDriver(model.create('device', open, clock, options));
  }
}

interface Plan {
  readonly model: Model;
  readonly driver: string;
  readonly open: OpenTransport;
  readonly options: ModelOptions;
  readonly script: readonly ScriptLine<Step>[];
  readonly auto: boolean;
  readonly record: string | null;
  readonly forMs: number | null;
  readonly until: string | null;
  readonly stored: number;
}

function readPlan(argv: string[]): Plan {
  const { values } = readArguments(argv, {
    driver: { type: 'string' },
    connect: { type: 'string' },
    do: { type: 'string' },
    auto: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    record: { type: 'string' },
    for: { type: 'string' },
    until: { type: 'string' },
    options: { type: 'string' },
    carrier: { type: 'string' },
    line: { type: 'string' },
    stored: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const driver = required('--driver NAME', values.driver);
  const model = knownModel('--driver', driver);
  const address = parseAddress(required('--connect usb:SELECTOR|unix:PATH|tcp:PORT', values.connect));
  if (!address.ok) throw new CannotRun(`--connect: ${address.error}`);
  if (address.address.kind !== 'usb' && (values.carrier ?? values.line) !== undefined)
    throw new CannotRun('--carrier and --line are for usb: only');
  const carrier = USB_CARRIERS.find((name) => name === values.carrier);
  if (values.carrier !== undefined && carrier === undefined)
    throw new CannotRun(`--carrier ${values.carrier}: expected one of ${USB_CARRIERS.join(', ')}`);
  if (values.watch && (values.auto || values.do !== undefined))
    throw new CannotRun('--watch does nothing to the device: not with --auto or --do');
  if (values.until !== undefined && !eventName.safeParse(values.until).success)
    throw new CannotRun(`--until ${values.until}: expected an event as in escrowed or state:idle`);
  return {
    model,
    driver,
    open: openAddress(address.address, {
      line: values.line === undefined ? model.line : serialLine(values.line),
      ...(carrier === undefined ? {} : { carrier }),
    }),
    options: driverOptions(model, values.options),
    script: values.do === undefined ? [] : readSteps<Step>(values.do, STEPS[model.kind]),
    auto: values.auto || (values.do === undefined && !values.watch),
    record: values.record ?? null,
    forMs: wholeNumber('--for', values.for, 1),
    until: values.until ?? null,
    stored: wholeNumber('--stored', values.stored, 0) ?? 0,
  };
}

/**
 * Milliseconds since now, whole ones: a recording of this run is made of numbers that people can
 * read.
 */
function clockFromNow(): DeviceClock {
  const startMs = performance.now();
  return {
    now: () => Math.floor(performance.now() - startMs),
    after: (ms, run) => systemClock.after(ms, run),
  };
}

/**
 * The lines of a script that wait for one another, and those that act on every event of their kind.
 */
class Player {
  readonly #rules: readonly Step[];
  readonly #sequence: readonly ScriptLine<Step>[];
  readonly #do: (step: Step) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #next = 0;

  constructor(script: readonly ScriptLine<Step>[], deed: (step: Step) => void) {
    this.#rules = script.flatMap(({ step }) => (step.on === undefined ? [] : [step]));
    this.#sequence = script.filter(({ step }) => step.on === undefined);
    this.#do = deed;
  }

  /** The first line that has not been played; null = all have. */
  get waitingAt(): number | null {
    return this.#sequence[this.#next]?.line ?? null;
  }

  start(): void {
    this.#goOn(null);
  }

  /** Whether the script has an answer to this event. */
  hear(event: Event): boolean {
    const rules = this.#rules.filter(({ on }) => fits(on, event));
    for (const rule of rules) this.#later(rule.ms, () => this.#do(rule));
    return this.#goOn(event) || rules.length > 0;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #waitsForTime = false;

  #goOn(event: Event | null): boolean {
    const step = this.#sequence[this.#next]?.step;
    if (step === undefined || this.#waitsForTime) return false;
    if (step.after !== undefined && (event === null || !fits(step.after, event))) return false;
    this.#waitsForTime = true;
    this.#later(step.ms, () => {
      this.#waitsForTime = false;
      this.#next += 1;
      this.#do(step);
      this.#goOn(null);
    });
    return step.after !== undefined;
  }

  #later(ms: number, run: () => void): void {
    if (ms === 0) return run();
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }
}

/**
 * 0: `--until` was seen, or without it the device answered, and the script was played to its end.
 * 1: not so.
 */
export async function run(argv: string[]): Promise<number> {
  const plan = readPlan(argv);
  const { model, script, options } = plan;
  const clock = clockFromNow();
  const file = plan.record === null ? null : openSync(plan.record, 'w');
  const keep = (line: string): void => {
    if (file !== null) writeSync(file, `${line}\n`);
  };
  keep(
    headLine({
      model: plan.driver,
      options: Object.fromEntries(Object.entries(options).filter(([name]) => !model.secrets.includes(name))),
      withheld: model.secrets.filter((name) => name in options),
      madeAt: new Date().toISOString(),
      ticks: 'recorded',
      state: null,
    }),
  );
  // The time of the step that an event came out of, as the recording has it.
  let stepMs = 0;
  /** Why the line is not open; null = it is, or has not been tried. */
  let broken: string | null = null;
  const open = Object.assign(plan.open, {
    tape: {
      input: (ms, input) => {
        stepMs = ms;
        keep(entryLine({ ms, input }));
        if (input.type !== 'opened' && input.type !== 'closed') return;
        const now = input.type === 'opened' ? null : input.reason;
        if (now !== broken || now === null)
          console.error(JSON.stringify({ ms, line: input.type, ...(now === null ? {} : { reason: now }) }));
        broken = now;
      },
      out: (ms, out) => keep(entryLine({ ms, out })),
      // It is in the file, and no table is played here.
      forget: () => {},
    } satisfies OpenTransport['tape'],
  });
  const driver = driverOf(model, open, clock, options, plan.stored);

  let answered = false;
  let reached = false;
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    // Not inside an event: what the machine says in the same step belongs to the run.
    end = () => void setImmediate(resolve);
  });
  const player = new Player(script, (step) => {
    console.error(JSON.stringify({ ms: clock.now(), did: step.do }));
    if (step.do === 'end') end();
    else driver.do(step);
  });
  if (plan.auto) driver.beginAuto();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const limit = plan.forMs === null ? undefined : setTimeout(end, plan.forMs);
  player.start();
  driver.start((event) => {
    console.log(JSON.stringify({ ms: stepMs, ...event }));
    if (event.type === 'link' && event.link === 'up') answered = true;
    const handled = player.hear(event);
    if (plan.auto && !handled) driver.auto(event);
    if (plan.until !== null && fits(plan.until, event)) {
      if (!reached) setTimeout(end, ANSWERED_WITHIN_MS);
      reached = true;
    }
  });
  await ended;
  clearTimeout(limit);
  player.stop();
  await driver.stop();
  if (file !== null) closeSync(file);

  const fails =
    plan.until !== null && !reached
      ? `${plan.until} was never seen`
      : player.waitingAt !== null
        ? `the script was not played to its end: line ${player.waitingAt} still waits`
        : answered
          ? null
          : `the device never answered${broken === null ? '' : `: ${String(broken)}`}`;
  if (fails === null) return 0;
  console.error(`banca device run: ${fails}`);
  return 1;
}
