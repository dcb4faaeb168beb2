/**
 * The people of a terminal: one of them as terminal files and rosters of the centre have it, and a
 * roster's text. An order of the centre names the text by its SHA-256, so that no hash of a PIN
 * stands in a ledger, which is exported and archived.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PersonRole } from '../../engine/table/inputs.ts';
import { DEEPEST_JSON, parseBounded } from './bounded-json.ts';
import { isPlain } from './plain-line.ts';

/** Made by `banca person`: cost (none in early versions), salt, hash. */
export const PIN_HASH = /^scrypt\$(?:(1[2-9]|20)\$)?([0-9a-f]{32})\$([0-9a-f]{64})$/;

const seenText = (most: number) =>
  z.string().min(1).max(most).refine(isPlain, 'only characters that can be seen');

const ROLES = ['dealer', 'attendant', 'supervisor', 'technician', 'auditor', 'manufacturer'] as const;

export const personSchema = z.strictObject({
  id: seenText(32),
  name: seenText(60),
  /** What they type to say who they are. */
  number: z.string().regex(/^[1-9]\d{0,5}$/, 'a staff number of 1 to 6 digits that does not begin with 0'),
  role: z.enum(ROLES satisfies readonly PersonRole[]),
  pinHash: z.string().regex(PIN_HASH, 'made by `banca person`'),
  /** SHA-256 of the public key of their card, see `banca card`; absent: they have none. */
  card: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '64 hex digits, as `banca card` prints them')
    .exactOptional(),
});
export type ListedPerson = z.infer<typeof personSchema>;

export const peopleSchema = z.array(personSchema).min(1).max(1_000);

/** What only one of them may have. */
const OWN = [
  ['id', 'an id'],
  ['number', 'a staff number'],
  ['card', 'a card'],
] as const;

/** What stands twice among people, in one sentence; null = nothing. */
export function twiceIn(people: readonly ListedPerson[]): string | null {
  for (const [member, name] of OWN) {
    const all = people.flatMap((person) => person[member] ?? []);
    if (new Set(all).size !== all.length) return `${name} stands twice`;
  }
  return null;
}

/** Characters of a roster at most; a person takes some 230. */
export const ROSTER_CHARACTERS = 2 ** 18;

/** Of a text that an order of the centre names. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The people of a roster's text, or what is wrong with it. */
export function readRoster(text: string): readonly ListedPerson[] | string {
  let raw: unknown;
  try {
    raw = parseBounded(text, { characters: ROSTER_CHARACTERS, depth: DEEPEST_JSON });
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  const parsed = peopleSchema.safeParse(raw);
  if (parsed.success) return twiceIn(parsed.data) ?? parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  return `${['people', ...path].join('.')}: ${message}`;
}
