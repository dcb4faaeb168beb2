/**
 * `banca vectors FILE`: plays a conformance file (format banca-vectors/1) through the live engine
 * and compares money, cards and refusals with what the file expects. What the engine does not play
 * yet, it says itself.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { rulebookOf, validateOptions } from '../engine/books.ts';
import type { OptionValue } from '../engine/table/profile.ts';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import { CannotRun, readArguments } from './command.ts';
import { Diverged, Unsupported, type Vector, VectorTable } from './vector-table.ts';

interface VectorFile {
  readonly format: string;
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, OptionValue>>>>;
  readonly vectors: readonly Vector[];
}

export interface VectorFailure {
  readonly id: string;
  readonly expected: unknown;
  readonly got: unknown;
}
const vectorFile = z.looseObject({
  format: z.literal('banca-vectors/1', {
    error: ({ input }) => `is ${JSON.stringify(input)}, not "banca-vectors/1"`,
  }),
  defaults: z.record(z.string(), z.record(z.string(), z.json())).optional(),
  vectors: z.array(z.looseObject({ id: z.string(), rulebook: z.string() })),
});

export interface VectorsReport {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly failures: readonly VectorFailure[];
}

/**
 * Plays every vector of the text of a conformance file.
 * @throws Error where the text is not JSON of the format banca-vectors/1.
 */
export function playVectors(text: string): VectorsReport {
  const read = vectorFile.safeParse(parseBounded(text, FILE_BOUNDS));
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    throw new Error(`${path.join('.') || 'file'} ${message}`);
  }
  // What a vector says beyond its head is judged as it is played.
  const file = read.data as unknown as VectorFile;
  let passed = 0;
  let unsupported = 0;
  const failures: VectorFailure[] = [];
  for (const vector of file.vectors) {
    try {
      const failure = failureOf(vector, file.defaults?.[vector.rulebook] ?? {});
      if (failure) failures.push(failure);
      else passed += 1;
    } catch (error) {
      if (error instanceof Unsupported) {
        unsupported += 1;
      } else {
        const got = error instanceof Diverged ? error.message : String(error);
        failures.push({ id: vector.id, expected: 'to be played to its end', got });
      }
    }
  }
  return { passed, failed: failures.length, unsupported, failures };
}

/** The first expectation that does not hold, null = all of them do. */
function failureOf(vector: Vector, defaults: Readonly<Record<string, OptionValue>>): VectorFailure | null {
  const { id, rounds } = vector;
  let at = 0;
  for (const got of new VectorTable(vector, optionsOf(vector, defaults)).play()) {
    const expect: Readonly<Record<string, unknown>> = {
      rejects: [],
      rejectBets: [],
      ...rounds[at]?.expect,
    };
    for (const [key, expected] of Object.entries(expect)) {
      if (!isDeepStrictEqual(sorted(key, expected), sorted(key, got[key]))) {
        return { id, expected: { round: at, [key]: expected }, got: got[key] ?? null };
      }
    }
    at += 1;
  }
  return null;
}

/**
 * The vector's options on top of the file's defaults where those differ from the engine's own
 * table.
 */
function optionsOf(
  vector: Vector,
  defaults: Readonly<Record<string, OptionValue>>,
): Record<string, OptionValue> {
  const rulebook = rulebookOf(vector.rulebook);
  if (!rulebook) throw new Unsupported(vector.rulebook);
  const options: Record<string, OptionValue> = {};
  for (const spec of rulebook.options) {
    const given = defaults[spec.id];
    if (given !== undefined && !isDeepStrictEqual(given, spec.default)) options[spec.id] = given;
  }
  Object.assign(options, vector.options);
  const checked = validateOptions(vector.rulebook, options);
  if (!checked.ok) {
    const text = checked.problems.map(({ option, message }) => `${option}: ${message}`).join('; ');
    if (checked.problems.every(({ message }) => message.startsWith('unsupported'))) {
      throw new Unsupported(text);
    }
    throw new Diverged(text);
  }
  return options;
}

/** Outcome lines and refusals are sets: their order in the file means nothing. */
function sorted(key: string, value: unknown): unknown {
  if (!Array.isArray(value) || (key !== 'outcomes' && key !== 'rejects' && key !== 'rejectBets'))
    return value;
  const text = (item: object): string =>
    JSON.stringify(
      item,
      Object.keys(item).toSorted((a, b) => (a < b ? -1 : 1)),
    );
  return value.toSorted((a: object, b: object) => (text(a) < text(b) ? -1 : 1));
}

/**
 * The subcommand; `argv` is what follows `vectors`. Prints the report and returns the exit code, 0
 * all hold, 1 some fail. Throws CannotRun when the file cannot be played.
 */
export function vectors(argv: string[]): number {
  const { values, positionals } = readArguments(argv, { json: { type: 'boolean', default: false } }, [
    'FILE',
  ]);
  const file = positionals[0]!;
  let report: VectorsReport;
  try {
    report = playVectors(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CannotRun(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (values.json) {
    console.log(JSON.stringify(report));
  } else {
    for (const { id, expected, got } of report.failures) {
      console.log(`FAILED ${id}`);
      console.log(`  expected ${JSON.stringify(expected)}`);
      console.log(`  got      ${JSON.stringify(got)}`);
    }
    const { passed, failed, unsupported } = report;
    console.log(`${passed} passed, ${failed} failed, ${unsupported} unsupported`);
  }
  return report.failed === 0 ? 0 : 1;
}
