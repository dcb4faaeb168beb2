/**
 * A recording of one device: everything its driver's machine was fed, with the time it was told,
 * and everything it gave to the line. The machine has no clock and no chance of its own, so the
 * same inputs make the same events, bit for bit. The file is described in
 * docs/protocols/recording.md.
 */
import { z } from 'zod';
import type { Tape } from '../ports.ts';
import { fromHex, toHex } from './bytes.ts';
import type { MachineInput, MachineState } from './machine.ts';

const RECORDING_VERSION = 1;

/** What happened at `ms` of the device clock: an input of the machine, or bytes that it wrote. */
export type RecordingEntry =
  | { readonly ms: number; readonly input: MachineInput<unknown> }
  | { readonly ms: number; readonly out: Uint8Array };

export interface RecordingHead {
  readonly model: string;
  /** Options of the driver as in a terminal file, without its secrets. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Secret options the driver had; whoever replays the recording must give them again. */
  readonly withheld: readonly string[];
  /** Wall clock of the export, ISO 8601; for people only. */
  readonly madeAt: string;
  /**
   * `recorded`: every tick is in the file; `clock`: the replay makes them when the machine asks for
   * them.
   */
  readonly ticks: 'recorded' | 'clock';
  /**
   * In what state the machine was before the first entry; null = new. As plain JSON, see `toPlain`.
   */
  readonly state: unknown;
}

export interface Recording {
  readonly head: RecordingHead;
  readonly entries: readonly RecordingEntry[];
}

const head = z.strictObject({
  'banca-recording': z.literal(RECORDING_VERSION),
  model: z.string(),
  options: z.record(z.string(), z.unknown()).default({}),
  withheld: z.array(z.string()).default([]),
  madeAt: z.string().default(''),
  ticks: z.enum(['recorded', 'clock']).default('clock'),
  state: z.unknown().default(null),
});

const at = <T extends string>(type: T) => ({ ms: z.number().min(0), type: z.literal(type) });
const hex = z
  .string()
  .regex(/^\s*([0-9a-fA-F]{2}\s*)+$/, 'pairs of hex digits')
  .transform(fromHex);

const line = z.discriminatedUnion('type', [
  z.strictObject({ ...at('opened') }),
  z.strictObject({ ...at('closed'), reason: z.string() }),
  z.strictObject({ ...at('in'), hex }),
  z.strictObject({ ...at('out'), hex }),
  z.strictObject({ ...at('tick') }),
  z.strictObject({ ...at('command'), command: z.looseObject({ type: z.string() }) }),
]);

/** The first line of a file. */
export const headLine = (given: RecordingHead): string =>
  JSON.stringify({ 'banca-recording': RECORDING_VERSION, ...given });

/** One line of a file for one entry. */
export function entryLine(entry: RecordingEntry): string {
  const { ms } = entry;
  if ('out' in entry) return JSON.stringify({ ms, type: 'out', hex: toHex(entry.out) });
  const { input } = entry;
  switch (input.type) {
    case 'bytes':
      return JSON.stringify({ ms, type: 'in', hex: toHex(input.bytes) });
    case 'command':
      return JSON.stringify({ ms, type: 'command', command: toPlain(input.command) });
    default:
      return JSON.stringify({ ms, ...input });
  }
}

/** Reads a whole file. Throws an Error that names line and place of the first mistake. */
export function readRecording(text: string): Recording {
  const entries: RecordingEntry[] = [];
  let found: RecordingHead | null = null;
  for (const [index, raw] of text.split('\n').entries()) {
    if (raw.trim() === '') continue;
    const where = `line ${index + 1}`;
    let json: unknown;
    try {
      json = JSON.parse(raw);
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
    }
    if (found === null) {
      const { 'banca-recording': _version, ...rest } = parsed(head, json, where);
      found = rest;
      continue;
    }
    const entry = parsed(line, json, where);
    const { ms } = entry;
    if (ms < (entries.at(-1)?.ms ?? 0)) throw new Error(`${where}: ms: time goes backwards`);
    if (entry.type === 'in') entries.push({ ms, input: { type: 'bytes', bytes: entry.hex } });
    else if (entry.type === 'out') entries.push({ ms, out: entry.hex });
    else if (entry.type === 'command')
      entries.push({ ms, input: { type: 'command', command: fromPlain(entry.command, {}) } });
    else if (entry.type === 'closed') entries.push({ ms, input: { type: 'closed', reason: entry.reason } });
    else entries.push({ ms, input: { type: entry.type } });
  }
  if (found === null) throw new Error('line 1: the head of a recording is missing');
  return { head: found, entries };
}

function parsed<T>(schema: z.ZodType<T>, json: unknown, where: string): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new Error(`${where}: ${issue?.path.join('.') || 'entry'}: ${issue?.message ?? 'not understood'}`);
}

/**
 * Plain data of a machine as JSON: bytes and numbers that JSON does not know are wrapped, members
 * named in `secrets` are left out and marked. Throws on anything that is no plain data.
 */
export function toPlain(value: unknown, secrets: readonly string[] = []): unknown {
  if (value instanceof Uint8Array) return { $hex: toHex(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
  if (Array.isArray(value)) return value.map((item) => toPlain(item, secrets));
  if (value === null || typeof value !== 'object') return value;
  if (Object.getPrototypeOf(value) !== Object.prototype)
    throw new TypeError(`a recording cannot keep a ${value.constructor.name}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      item !== null && secrets.includes(key) ? { $withheld: key } : toPlain(item, secrets),
    ]),
  );
}

/** The way back; what was withheld is taken from `secrets`, null where it is not there. */
export function fromPlain(value: unknown, secrets: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((item) => fromPlain(item, secrets));
  if (value === null || typeof value !== 'object') return value;
  if ('$hex' in value && typeof value.$hex === 'string') return fromHex(value.$hex);
  if ('$number' in value) return Number(value.$number);
  if ('$withheld' in value) return secrets[String(value.$withheld)] ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromPlain(item, secrets)]));
}

const HALF = 2_000;

/**
 * Keeps the newest entries of a device, between 2,000 and 4,000, and the state of the machine
 * before the oldest of them, so that a device that has run for weeks can still be replayed exactly.
 */
export class RingTape implements Tape {
  readonly #half: number;
  #older: Stretch | null = null;
  #newer: Stretch | null = null;

  constructor(half = HALF) {
    this.#half = half;
  }

  // A state is never changed, only replaced: to keep one costs nothing.
  input(ms: number, input: MachineInput<unknown>, state: MachineState): void {
    if (this.#newer === null || this.#newer.entries.length >= this.#half) {
      this.#older = this.#newer;
      this.#newer = { state, entries: [] };
    }
    this.#newer.entries.push({ ms, input });
  }

  out(ms: number, bytes: Uint8Array): void {
    this.#newer?.entries.push({ ms, out: bytes });
  }

  /** Begins again with the next input, and with the state of the machine before it. */
  forget(): void {
    this.#older = null;
    this.#newer = null;
  }

  /** The bytes of a stretch of time, in the device clock. */
  frames(fromMs: number, toMs: number): Frame[] {
    return [this.#older, this.#newer].flatMap((stretch) =>
      (stretch?.entries ?? []).flatMap((entry): Frame[] => {
        if (entry.ms < fromMs || entry.ms > toMs) return [];
        if ('out' in entry) return [{ ms: entry.ms, direction: 'out', bytes: entry.out }];
        const { ms, input } = entry;
        return input.type === 'bytes' ? [{ ms, direction: 'in', bytes: input.bytes }] : [];
      }),
    );
  }

  /** All that is kept, as the text of a file. */
  text(
    o: Pick<RecordingHead, 'model' | 'options' | 'withheld' | 'madeAt'>,
    secrets: readonly string[],
  ): string {
    const stretches = [this.#older, this.#newer].filter((stretch) => stretch !== null);
    const [first] = stretches;
    const lines = [
      headLine({
        ...o,
        ticks: 'recorded',
        state: first === undefined ? null : toPlain(first.state, secrets),
      }),
      ...stretches.flatMap(({ entries }) => entries.map(entryLine)),
    ];
    return `${lines.join('\n')}\n`;
  }
}

interface Frame {
  readonly ms: number;
  readonly direction: 'in' | 'out';
  readonly bytes: Uint8Array;
}

interface Stretch {
  readonly state: MachineState;
  readonly entries: RecordingEntry[];
}
