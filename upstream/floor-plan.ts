/**
 * The house's plan of its gaming floor: which table stands where, the place's time, and how many
 * rounds an hour are too few or too many. Without one all tables stand in one zone, by their names.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Malformed, parsed, Terminal } from './input.ts';

const MOST_BYTES = 2 ** 20;
const MOST_TABLES = 2_000;

const isZone = (timeZone: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
};
const word = z.string().trim().min(1).max(40);
const rate = z.int().min(0).max(1_000).nullable().default(null);
const Pace = z
  .strictObject({
    /** Whole five minutes that are looked at. */
    minutes: z.int().min(5).max(60).multipleOf(5).default(30),
    least: rate,
    most: rate,
  })
  .refine(({ least, most }) => least === null || most === null || least <= most, {
    path: ['least'],
    message: 'is more than `most`',
  });
const Zone = z.strictObject({
  name: z.union([word, z.strictObject({ 'zh-Hant': word, pt: word, en: word })]),
  tables: z.array(Terminal).max(MOST_TABLES),
  /** Instead of the pace of the whole floor. */
  pace: Pace.exactOptional(),
});
const Plan = z
  .strictObject({
    timeZone: z
      .string()
      .refine(isZone, 'is no time zone, such as Asia/Macau')
      .default(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
    /** The hour of closing: a gaming day goes from it to that of the next date. */
    dayBegins: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is no time of day, such as 06:00')
      .default('06:00'),
    zones: z.array(Zone).max(100).default([]),
    pace: Pace.default({ minutes: 30, least: null, most: null }),
  })
  .superRefine(({ zones }, context) => {
    const seen = new Set<string>();
    for (const [at, { tables }] of zones.entries())
      for (const [index, table] of tables.entries()) {
        if (seen.has(table))
          context.addIssue({
            code: 'custom',
            path: ['zones', at, 'tables', index],
            message: `${table} stands in two places`,
          });
        seen.add(table);
      }
  });

export type FloorPlan = Readonly<z.infer<typeof Plan>>;
export type PaceLimits = FloorPlan['pace'];

export const NO_PLAN: FloorPlan = Plan.parse({});

/** Throws a sentence that names what is wrong, and where. */
export function readFloorPlan(path: string): FloorPlan {
  const bytes = readFileSync(path);
  if (bytes.length > MOST_BYTES) throw new Error(`${path}: more than ${MOST_BYTES} bytes`);
  const json = ((): unknown => {
    try {
      return JSON.parse(bytes.toString());
    } catch (error) {
      throw new Error(`${path}: ${(error as Error).message}`);
    }
  })();
  try {
    return parsed(Plan, json, 'plan');
  } catch (error) {
    if (error instanceof Malformed) throw new Error(`${path}: ${error.place} ${error.message}`);
    throw error;
  }
}

/** Zones in the plan's order with the tables that there are, then those that no zone names. */
export function placed(
  { zones }: FloorPlan,
  terminals: readonly string[],
): { readonly name: FloorPlan['zones'][number]['name'] | null; readonly tables: readonly string[] }[] {
  const known = new Set(terminals);
  const named = new Set(zones.flatMap(({ tables }) => tables));
  const others = terminals.filter((terminal) => !named.has(terminal));
  const planned = zones.map(({ name, tables }) => ({
    name,
    tables: tables.filter((terminal) => known.has(terminal)),
  }));
  return [...planned, ...(others.length === 0 ? [] : [{ name: null, tables: others }])];
}

export const paceOf = ({ zones, pace }: FloorPlan, terminal: string): PaceLimits =>
  zones.find(({ tables }) => tables.includes(terminal))?.pace ?? pace;
