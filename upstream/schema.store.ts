/**
 * Brings a database to the newest step while other instances of the centre work on it, of this
 * version and of the one before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Queryable } from './database.ts';
import type { SchemaStep } from './schema.ts';

/**
 * A step that waits for a table keeps everybody else from it who comes later. So it gives up soon,
 * lets them by, and tries again.
 */
const LOCK_WITHIN_MS = 200;
const LOCK_AGAIN_MS = 300;
const LOCK_TRIES = 200;
const LOCKED = '55P03';

const PROGRAM = 'banca-centre step ';
/** How its connections call themselves at the server. */
export const nameOfProgram = (steps: readonly SchemaStep[]): string => `${PROGRAM}${steps.at(-1)!.step}`;

export async function bring(db: Db, steps: readonly SchemaStep[]): Promise<void> {
  await alone(db, async (q) => {
    await q.query(
      'CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())',
    );
    await q.query('ALTER TABLE schema_steps ADD COLUMN IF NOT EXISTS sha256 text');
    await q.query('ALTER TABLE schema_steps ADD COLUMN IF NOT EXISTS beside integer');
  });
  for (let tries = 1; ; ) {
    try {
      if (!(await alone(db, (q) => doNext(db, q, steps)))) return;
      tries = 1;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCKED) throw error;
      if (tries === LOCK_TRIES)
        throw new Error(
          `a step of the schema found a table in use ${tries} times: ${(error as Error).message}`,
          {
            cause: error,
          },
        );
      tries += 1;
      await sleep(LOCK_AGAIN_MS);
    }
  }
}

/** Two centres that start on one server: the second waits here and finds the work done. */
const alone = <T>(db: Db, work: (q: Queryable) => Promise<T>): Promise<T> =>
  db.transaction(async (q) => {
    await q.script("SELECT pg_advisory_xact_lock(hashtext('banca-centre-schema'))");
    return await work(q);
  });

/** Each step is a transaction of its own. Returns whether there was one. */
async function doNext(db: Db, q: Queryable, steps: readonly SchemaStep[]): Promise<boolean> {
  const rows = await q.query<{ step: number; sha256: string | null; beside: number | null }>(
    'SELECT step, sha256, beside FROM schema_steps ORDER BY step',
  );
  const known = steps.at(-1)!.step;
  for (const { step, beside } of rows)
    if (step > known && (beside ?? step) > known)
      throw new Error(`the database is at schema step ${step}, this program knows ${known}`);
  const done = new Map(rows.map(({ step, sha256 }) => [step, sha256]));
  for (const { step, sha256 } of steps) {
    const before = done.get(step);
    // Step 1 was once noted without its hash.
    if (before !== undefined && before !== null && before !== sha256)
      throw new Error(`schema step ${step} was made by another text than this program's`);
  }
  const next = steps.find(({ step }) => !done.has(step));
  if (next === undefined) return false;
  if (db.engine === 'postgresql') {
    await refuseOlder(q, next);
    await q.query(`SET LOCAL lock_timeout = '${LOCK_WITHIN_MS}ms'`);
  }
  await q.script(next.sql);
  await q.query('INSERT INTO schema_steps (step, sha256, beside) VALUES ($1, $2, $3)', [
    next.step,
    next.sha256,
    next.beside,
  ]);
  return true;
}

/** A program that cannot work after this step must not find that out by itself. */
async function refuseOlder(q: Queryable, { step, beside }: SchemaStep): Promise<void> {
  const names = await q.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE '${PROGRAM}%'`,
  );
  const older = names.map(({ name }) => Number(name.slice(PROGRAM.length))).filter((each) => each < beside);
  if (older.length > 0)
    throw new Error(
      `schema step ${step} ends every program before step ${beside}, and one of step ${Math.min(...older)} is running on this database: stop it first`,
    );
}
