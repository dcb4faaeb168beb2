import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { minor } from '../engine/core/money.ts';
import type { TableProfile } from '../engine/table/profile.ts';
import type { PersonRecord } from './people.ts';

const amount = z.int().positive().transform(minor);
const optionValue = z.union([z.boolean(), z.number(), z.string(), z.null(), z.array(z.string())]);

const profileSchema = z.strictObject({
  terminalId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, 'letters, digits and hyphens, at most 32'),
  tableName: z.string().min(1).max(40),
  rulebook: z.enum([
    'macau-blackjack-2004',
    'macau-blackjack-2009',
    'portugal-blackjack',
    'macau-baccarat',
    'macau-casino-war',
  ]),
  options: z.record(z.string(), optionValue),
  currency: z.enum(['MOP', 'HKD', 'EUR']),
  chipsMinor: z.array(amount).min(1).max(8),
  seatCount: z.int().min(1).max(12),
  acceptors: z.enum(['per-seat', 'shared']),
  notesMinor: z.array(amount).min(1),
  maxCreditMinor: amount,
  twoPersonHandPayMinor: amount,
  timing: z.strictObject({
    bettingMs: z.int().min(5_000).max(120_000),
    offersMs: z.int().min(3_000).max(60_000),
    decisionMs: z.int().min(5_000).max(120_000),
    minConfidence: z.int().min(0).max(255),
    minResultMs: z.int().min(0).max(30_000),
  }),
});

/** One of the `people` of a terminal file. */
export const personSchema = z.strictObject({
  id: z.string().min(1).max(32),
  name: z.string().min(1).max(60),
  role: z.enum(['dealer', 'attendant', 'supervisor', 'technician', 'auditor']),
  pinHash: z.string().regex(/^scrypt\$[0-9a-f]{32}\$[0-9a-f]{64}$/, 'made by `banca person`'),
});

const terminalFileSchema = z.strictObject({
  profile: profileSchema,
  people: z.array(personSchema).min(1),
});

export interface TerminalFile {
  readonly profile: TableProfile;
  readonly people: readonly PersonRecord[];
}

/** A profile file that cannot be used, with the place of every problem. Nothing has been changed. */
export class ProfileError extends Error {
  constructor(path: string, problems: readonly string[]) {
    super(`${path}: ${problems.join('; ')}`);
    this.name = 'ProfileError';
  }
}

/** Reads and checks a terminal file. Throws ProfileError naming each wrong place; options are the engine's to judge. */
export function readTerminalFile(path: string): TerminalFile {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ProfileError(path, [(error as Error).message]);
  }
  const parsed = terminalFileSchema.safeParse(json);
  if (!parsed.success) {
    throw new ProfileError(
      path,
      parsed.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`),
    );
  }
  const { profile, people } = parsed.data;
  const problems: string[] = [];
  if (profile.chipsMinor.some((chip, i) => i > 0 && chip <= profile.chipsMinor[i - 1]!))
    problems.push('profile.chipsMinor: must ascend');
  if (new Set(people.map((person) => person.id)).size !== people.length)
    problems.push('people: an id stands twice');
  if (problems.length > 0) throw new ProfileError(path, problems);
  return { profile, people };
}
