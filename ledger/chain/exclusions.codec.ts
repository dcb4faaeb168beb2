/**
 * The list of people who may not play, as the house keeps it in a file and the centre sends it: no
 * names, and of the number of each document the hash alone.
 */
import { z } from 'zod';
import { parseBounded } from './bounded-json.ts';

/** One salt for all of them, so that one question is one derivation. */
const exclusionsSchema = z.strictObject({
  format: z.literal('banca-exclusions/1'),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  /** log2 of scrypt's N. */
  cost: z.int().min(12).max(20),
  hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(200_000),
});
export type ExclusionList = z.infer<typeof exclusionsSchema>;

/** Characters of a list at most, in a file and beside a command. */
export const EXCLUSION_CHARACTERS = 16_000_000;

/** The list of a text, or what is wrong with it. */
export function readExclusions(text: string): ExclusionList | string {
  let raw: unknown;
  try {
    raw = parseBounded(text, { characters: EXCLUSION_CHARACTERS, depth: 3 });
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  const parsed = exclusionsSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  return `${['exclusions', ...path].join('.')}: ${message}`;
}
