/**
 * `banca device sim`: a simulated device for any host program, byte for byte and in real time. The
 * script is described in docs/operations/devices.md.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Card, parseCard } from '../../engine/core/cards.ts';
import type { Model, Simulated, SimulatedAcceptor, SimulatedShoe } from '../../hardware/model.ts';
import type { ByteTransport } from '../../hardware/ports.ts';
import { shuffledDecks } from '../../hardware/rack/shuffle.ts';
import { parseAddress } from '../../hardware/transport/address.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { serveDevice } from '../../hardware/transport/socket.transport.ts';
import { CannotRun, readArguments, required } from '../command.ts';
import { knownModel, wholeNumber } from './options.ts';
import { isBlank, readStep, readSteps, type ScriptLine } from './script.ts';
import { stdioTransport } from './stdio.transport.ts';

const LOOK_MS = 20;
const WITHIN_MS = 30_000;

const perMille = z.int().min(0).max(1000).default(0);
const withinMs = z.int().min(0).max(3_600_000).default(WITHIN_MS);
const is = <T extends string>(name: T) => ({ do: z.literal(name) });
const card = z.string().transform((text, context): Card => {
  const parsed = parseCard(text);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: `${text} is no card; a card is rank and suit as in TD` });
  return z.NEVER;
});

const anyDevice = [
  z.strictObject({ ...is('fault'), fault: z.string(), code: z.int().min(0).max(255).optional() }),
  z.strictObject({ ...is('line'), dropPerMille: perMille, flipPerMille: perMille, losePerMille: perMille }),
  z.strictObject({ ...is('power-off') }),
  z.strictObject({ ...is('power-on') }),
  z.strictObject({ ...is('power-cycle'), offMs: z.int().min(0).max(600_000).default(1000) }),
  z.strictObject({ ...is('unplug') }),
  z.strictObject({ ...is('plug') }),
  z.strictObject({ ...is('sleep'), ms: z.int().min(0).max(3_600_000) }),
  z.strictObject({ ...is('wait'), for: z.record(z.string(), z.unknown()), withinMs }),
  z.strictObject({ ...is('end') }),
] as const;
const STEPS = {
  'bill-acceptor': z.discriminatedUnion('do', [
    z.strictObject({
      ...is('insert-note'),
      valueMinor: z.int().min(1),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'ISO 4217')
        .optional(),
      withinMs,
    }),
    z.strictObject({ ...is('empty-box') }),
    ...anyDevice,
  ]),
  'card-shoe': z.discriminatedUnion('do', [
    z.strictObject({
      ...is('load-shoe'),
      cards: z.array(card).min(1).max(832).optional(),
      decks: z.int().min(1).max(16).optional(),
      seed: z.int().optional(),
    }),
    z.strictObject({ ...is('place-cut-card'), fromEnd: z.int().min(0) }),
    z.strictObject({
      ...is('draw-card'),
      count: z.int().min(1).max(832).default(1),
      everyMs: z.int().min(0).max(600_000).default(0),
    }),
    ...anyDevice,
  ]),
  'receipt-printer': z.discriminatedUnion('do', [...anyDevice]),
  'cabinet-board': z.discriminatedUnion('do', [...anyDevice]),
  'power-supply': z.discriminatedUnion('do', [...anyDevice]),
};
type Step = z.infer<(typeof STEPS)[Model['kind']]>;
type AnyStep = Extract<Step, { do: (typeof anyDevice)[number]['shape']['do']['value'] }>;

type Listen = { readonly kind: 'stdio' } | { readonly kind: 'socket'; readonly where: string | number };

function readListen(text: string): Listen {
  if (text === 'stdio') return { kind: 'stdio' };
  const parsed = parseAddress(text);
  if (!parsed.ok || parsed.address.kind === 'usb' || parsed.address.kind === 'serial-server')
    throw new CannotRun(`--listen ${text}: expected stdio, unix:PATH or tcp:PORT`);
  const { address } = parsed;
  return { kind: 'socket', where: address.kind === 'unix' ? address.path : address.port };
}

/** Why a step could not be done. */
class NotDone extends Error {}

type Device = SimulatedAcceptor | SimulatedShoe | Simulated;

/** The device, the host's line in its plug, and the hands on both. */
class Desk {
  readonly #device: Device;
  readonly #seed: number;
  #line: ByteTransport | null = null;
  #pluggable = true;

  constructor(device: Device, seed: number) {
    this.#device = device;
    this.#seed = seed;
  }

  /** A host has come: it pushes out the one before, and none while the plug is pulled. */
  plug(transport: ByteTransport): void {
    if (!this.#pluggable) {
      void transport.open({ onBytes: () => {}, onClose: () => {} }).then(() => transport.close());
      return;
    }
    this.#line = transport;
    this.#device.sim.plug({
      name: transport.name,
      open: ({ onBytes, onClose }) =>
        transport.open({
          onBytes,
          onClose: (reason) => {
            if (this.#line === transport) this.#line = null;
            onClose(reason);
          },
        }),
      write: (bytes) => transport.write(bytes),
      close: () => transport.close(),
    });
  }

  look(): Readonly<Record<string, unknown>> {
    return { host: this.#line === null ? 'absent' : 'connected', ...this.#device.look() };
  }

  /** Throws NotDone. */
  async play(step: Step): Promise<void> {
    if (step.do === 'insert-note') return this.#insert(step);
    if (step.do === 'empty-box') return void (this.#device as SimulatedAcceptor).emptyBox();
    if (step.do === 'load-shoe' || step.do === 'place-cut-card' || step.do === 'draw-card')
      return this.#playShoe(this.#device as SimulatedShoe, step);
    return this.#playAny(step as AnyStep);
  }

  async #playAny(step: AnyStep): Promise<void> {
    const { sim } = this.#device;
    switch (step.do) {
      case 'fault':
        return this.#device.fault(step.fault, step.code);
      case 'line': {
        const { dropPerMille, flipPerMille, losePerMille } = step;
        sim.line = { dropPerMille, flipPerMille, losePerMille };
        return;
      }
      case 'power-off':
        return sim.powerOff();
      case 'power-on':
        return sim.powerOn();
      case 'power-cycle':
        sim.powerOff();
        await sleep(step.offMs);
        return sim.powerOn();
      case 'unplug':
        this.#pluggable = false;
        return this.#line?.close();
      case 'plug':
        this.#pluggable = true;
        return;
      case 'sleep':
        return sleep(step.ms);
      case 'wait':
        return this.#until(step.for, step.withinMs);
      case 'end':
        return;
    }
  }

  async #insert(step: Extract<Step, { do: 'insert-note' }>): Promise<void> {
    const device = this.#device as SimulatedAcceptor;
    if (step.withinMs > 0) await this.#until({ state: 'idle' }, step.withinMs);
    const { taken, why } = device.insert(step.valueMinor, step.currency ?? device.currency);
    if (!taken) throw new NotDone(why ?? 'the note was not taken');
  }

  async #playShoe(
    shoe: SimulatedShoe,
    step: Extract<Step, { do: 'load-shoe' | 'place-cut-card' | 'draw-card' }>,
  ): Promise<void> {
    if (step.do === 'load-shoe') {
      const { decks, seed } = step;
      const cards = step.cards ?? shuffledDecks(decks ?? 6, seed ?? this.#seed);
      shoe.load(cards, decks ?? Math.max(1, Math.ceil(cards.length / 52)));
    } else if (step.do === 'place-cut-card') {
      if (shoe.placeCutCard === null) throw new NotDone('this shoe knows no cut card');
      shoe.placeCutCard(step.fromEnd);
    } else
      for (let drawn = 0; drawn < step.count; drawn++) {
        if (drawn > 0) await sleep(step.everyMs);
        const { drawn: done, why } = shoe.draw();
        if (!done) throw new NotDone(why ?? 'no card came');
      }
  }

  async #until(wanted: Readonly<Record<string, unknown>>, withinMs: number): Promise<void> {
    const holds = (): boolean => {
      const seen = this.look();
      const unknown = Object.keys(wanted).find((name) => !(name in seen));
      if (unknown !== undefined)
        throw new NotDone(`'${unknown}' cannot be waited for; there are ${Object.keys(seen).join(', ')}`);
      return Object.entries(wanted).every(
        ([name, value]) => JSON.stringify(seen[name]) === JSON.stringify(value),
      );
    };
    for (const end = performance.now() + withinMs; !holds(); await sleep(LOOK_MS))
      if (performance.now() > end)
        throw new NotDone(
          `waited ${withinMs} ms for ${JSON.stringify(wanted)}; it is ${JSON.stringify(this.look())}`,
        );
  }
}

async function* live(schema: z.ZodType<Step>): AsyncGenerator<ScriptLine<Step>> {
  let line = 0;
  for await (const text of createInterface({ input: process.stdin })) {
    line += 1;
    if (!isBlank(text)) yield { line, step: readStep('stdin', line, text, schema) };
  }
}

/**
 * 0: told to stop, or the script said `end`. 1: a step could not be done, or the host's standard
 * input ended.
 */
export async function sim(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      listen: { type: 'string' },
      script: { type: 'string' },
      seed: { type: 'string' },
      currency: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    ['MODEL'],
  );
  const name = positionals[0] ?? '';
  const model = knownModel('MODEL', name);
  const listen = readListen(required('--listen stdio|unix:PATH|tcp:PORT', values.listen));
  const seed = wholeNumber('--seed', values.seed, 0) ?? 1;
  if (values.currency !== undefined && model.kind !== 'bill-acceptor')
    throw new CannotRun('--currency is for bill acceptors');
  const currencies = values.currency?.split(',');
  const wrong = currencies?.find((currency) => !/^[A-Z]{3}$/.test(currency));
  if (wrong !== undefined) throw new CannotRun(`--currency ${wrong}: expected ISO 4217 codes as in MOP,HKD`);
  if (values.script === '-' && listen.kind === 'stdio')
    throw new CannotRun('--script -: standard input belongs to the host with --listen stdio');
  const schema: z.ZodType<Step> = STEPS[model.kind];
  const script: Iterable<ScriptLine<Step>> | AsyncIterable<ScriptLine<Step>> =
    values.script === undefined
      ? []
      : values.script === '-'
        ? live(schema)
        : readSteps(values.script, schema);

  let device: Device;
  try {
    device = await model.simulator({
      clock: systemClock,
      seed,
      ...(currencies === undefined ? {} : { currencies }),
    });
  } catch (error) {
    throw new CannotRun(`--currency: ${(error as Error).message}`);
  }
  const startMs = performance.now();
  const say = (line: object): void => {
    const text = JSON.stringify(line);
    if (listen.kind === 'stdio') console.error(text);
    else console.log(text);
  };
  const ms = (): number => Math.floor(performance.now() - startMs);
  const desk = new Desk(device, seed);

  let stop: (code: number) => void = () => {};
  const stopped = new Promise<number>((resolve) => {
    stop = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(0));

  const server = listen.kind === 'socket' ? await serveDevice(listen.where, (line) => desk.plug(line)) : null;
  if (listen.kind === 'stdio') desk.plug(stdioTransport(() => stop(0)));
  const at = listen.kind === 'stdio' ? 'stdio' : server?.port ? `tcp:${server.port}` : `unix:${listen.where}`;
  say({ ready: true, simulated: true, model: name, listen: at });

  let seen = '';
  const look = (): void => {
    const sight = desk.look();
    const text = JSON.stringify(sight);
    if (text !== seen) say({ ms: ms(), ...sight });
    seen = text;
  };
  look();
  const looking = setInterval(look, LOOK_MS);
  void (async () => {
    for await (const { line, step } of script) {
      try {
        await desk.play(step);
      } catch (error) {
        // A name that the model does not know comes as an Error of its own.
        if (!(error instanceof Error)) throw error;
        look();
        say({ ms: ms(), step: line, do: step.do, ok: false, why: error.message });
        return stop(1);
      }
      look();
      say({ ms: ms(), step: line, do: step.do, ok: true });
      if (step.do === 'end') return stop(0);
    }
  })().catch((error: Error) => {
    console.error(`banca device sim: ${error.message}`);
    stop(2);
  });
  const code = await stopped;
  clearInterval(looking);
  look();
  await server?.close();
  return code;
}
