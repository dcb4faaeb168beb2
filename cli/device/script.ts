import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';
import { CannotRun } from '../command.ts';

/** One line of a script, numbered from 1. */
export interface ScriptLine<Step> {
  readonly line: number;
  readonly step: Step;
}

/** Checks one line. Throws CannotRun that names file, line and place of what is wrong. */
export function readStep<Step>(path: string, line: number, text: string, schema: z.ZodType<Step>): Step {
  let json: unknown;
  try {
    json = parseBounded(text, FILE_BOUNDS);
  } catch (error) {
    throw new CannotRun(`${path}:${line}: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new CannotRun(`${path}:${line}: ${issue?.path.join('.') || 'step'}: ${issue?.message ?? 'invalid'}`);
}

/** Nothing stands in this line. */
export const isBlank = (text: string): boolean => text.trim() === '' || text.startsWith('#');

/**
 * Reads and checks a script of JSON lines as a whole; empty lines and lines that begin with # are
 * skipped.
 */
export function readSteps<Step>(path: string, schema: z.ZodType<Step>): ScriptLine<Step>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      isBlank(text) ? [] : [{ line: index + 1, step: readStep(path, index + 1, text, schema) }],
    );
}
