/**
 * What catches a bug, cheapest first: the conformance vectors, the unit tests of the law, the
 * auditor's random play, and the engine's own random play, which asks whether money, books and
 * replay agree. A net has parts, each of which can be cast alone: a file, or a rulebook that the
 * auditor plays.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { rulebooks } from '../auditor/rulebooks.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

export const NETS = ['vectors', 'unit', 'auditor', 'random'] as const;
export type Net = (typeof NETS)[number];

/** The rules pages only say the law. */
const testFiles = (isRandom: boolean): string[] =>
  globSync('engine/{games,rules,table}/**/*.test.ts', { cwd: ROOT })
    .filter((file) => !file.includes('rules-page') && /random/.test(file) === isRandom)
    .toSorted();

const PARTS: Readonly<Record<Net, () => readonly string[]>> = {
  vectors: () => globSync('test/data/vectors/*.json', { cwd: ROOT }).toSorted(),
  unit: () => testFiles(false),
  auditor: () => rulebooks.map(({ rulebook }) => rulebook),
  random: () => testFiles(true),
};

export const partsOf = (net: Net): readonly string[] => PARTS[net]();

/** undefined = no net has this part (any more). */
export const netOf = (part: string): Net | undefined => NETS.find((net) => partsOf(net).includes(part));
