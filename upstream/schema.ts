/**
 * The centre's tables as frozen steps: files of SQL, run in order and noted in `schema_steps` with
 * their SHA-256. A released file is never edited; the start refuses a database that was made by
 * another text. The terminal comes first in every key, so that an engine that spreads tables over
 * nodes can keep a terminal's rows together. Postings have a column of their own because the
 * database cannot take apart `bytes` that hold \u0000 anywhere in a body, which is lawful JSON.
 *
 * The first line of a file says which programs run on beside it: `-- Beside programs of step 8.`
 * They may be running meanwhile, and be started again. Without it none that is older does.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export interface SchemaStep {
  /** The number at the head of its file. */
  readonly step: number;
  readonly sql: string;
  readonly sha256: string;
  /** The oldest program that runs beside it, by the newest step that it knows. */
  readonly beside: number;
}

export function schemaStep(step: number, sql: string): SchemaStep {
  const beside = Number(/^-- Beside programs of step (\d+)\.\n/.exec(sql)?.[1] ?? step);
  return { step, sql, sha256: createHash('sha256').update(sql).digest('hex'), beside };
}

const FOLDER = new URL('schema/', import.meta.url);

export const MIGRATIONS: readonly SchemaStep[] = readdirSync(FOLDER)
  .filter((name) => /^\d{4}-.+\.sql$/.test(name))
  .toSorted()
  .map((name) => schemaStep(Number(name.slice(0, 4)), readFileSync(new URL(name, FOLDER), 'utf8')));
