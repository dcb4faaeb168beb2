/**
 * The centre's tables as frozen steps: files of SQL, run in order and noted in `schema_steps` with
 * their SHA-256. A released file is never edited; the start refuses a database that was made by
 * another text. The terminal comes first in every key, so that an engine that spreads tables over
 * nodes can keep a terminal's rows together. Postings have a column of their own because the
 * database cannot take apart `bytes` that hold \u0000 anywhere in a body, which is lawful JSON.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface SchemaStep {
  readonly sql: string;
  readonly sha256: string;
}

const FILES = [
  '0001-ledgers.sql',
  '0002-partitions.sql',
  '0003-locked.sql',
  '0004-tables.sql',
  '0005-rosters.sql',
  '0006-calls.sql',
  '0007-floor.sql',
] as const;

export const MIGRATIONS: readonly SchemaStep[] = FILES.map((name) => {
  const sql = readFileSync(new URL(`schema/${name}`, import.meta.url), 'utf8');
  return { sql, sha256: createHash('sha256').update(sql).digest('hex') };
});
