/**
 * Two versions of the centre on one database while a step of the schema is made between them, under
 * load: the older one knows one step less.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { type Db, openPostgres } from '../../upstream/db.store.ts';
import { MIGRATIONS, schemaStep } from '../../upstream/schema.ts';
import { createCentre } from '../../upstream/server.ts';
import { until } from '../support/until.ts';
import { compare } from './fleet-run.ts';
import { PASSWORD } from './operators.ts';
import { startPostgres } from './postgres.ts';
import { Tables } from './tables.ts';

const KNOWN = MIGRATIONS.at(-1)!.step;
/** What a step of every day does to tables that are in use by every batch and report. */
const WIDER = `-- Beside programs of step ${KNOWN}.
ALTER TABLE terminals ADD COLUMN zone text NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN arrived_over text;
ALTER TABLE reports ADD COLUMN round_trip_ms integer;
CREATE TABLE zones (zone text PRIMARY KEY, name text NOT NULL);
`;
/** What the program before it could not live with. */
const NARROWER = 'ALTER TABLE reports DROP COLUMN clock_off_ms';

test('a step of the schema is made under load, and the version before it runs on beside and starts again', async (t) => {
  const server = await startPostgres();
  if ('skip' in server) return t.skip(server.skip);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => server.stop());
  const enrolDir = mkdtempSync(join(tmpdir(), 'banca-versions-'));
  stack.defer(() => rmSync(enrolDir, { recursive: true, force: true }));
  const wider = [...MIGRATIONS, schemaStep(KNOWN + 1, WIDER)];
  const narrower = [...wider, schemaStep(KNOWN + 2, NARROWER)];
  const open = (steps = MIGRATIONS): Promise<Db> =>
    openPostgres(server.url, { plainAllowed: false }, { steps });
  const serve = async (db: Db): Promise<{ url: string; close(): Promise<void> }> => {
    const app = createCentre({ db, enrolDir, password: PASSWORD });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return {
      url,
      close: async () => {
        await app.close();
        await db.close();
      },
    };
  };

  const older = await serve(await open());
  let newer: typeof older | null = null;
  let again: typeof older | null = null;
  let turn = 0;
  const roads = (): string[] => [(again ?? older).url, ...(newer === null ? [] : [newer.url])];
  const tables = new Tables({
    count: 4,
    entries: 2_000,
    enrolDir,
    // Each message to the next instance: none of them knows what the other one was told.
    road: () => {
      turn += 1;
      return roads()[turn % roads().length]!;
    },
  });
  stack.defer(() => tables.stop());
  tables.connect();
  // Slow enough that no ledger ends before the last of them has been waited for.
  tables.play(3, 240);
  await until('all tables play', () => tables.acked().every((seq) => seq > 12));

  // Somebody reads the entries for long, so that the step cannot have the table at once.
  const reader = new pg.Client({ connectionString: server.url });
  await reader.connect();
  stack.defer(() => reader.end());
  await reader.query('BEGIN; SELECT count(*) FROM entries');
  const opening = open(wider);
  const watcher = new pg.Client({ connectionString: server.url });
  await watcher.connect();
  stack.defer(() => watcher.end());
  const waits = async (): Promise<boolean> => {
    const { rows } = await watcher.query(
      `SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted`,
    );
    return rows.length > 0;
  };
  await until('the step waits for the table', waits, { everyMs: 5 });
  for (let look = 0; look < 2; look += 1) {
    const acked = tables.acked();
    await until('every table goes on meanwhile', () => tables.acked().every((seq, i) => seq > acked[i]!));
  }
  const isDone = async (): Promise<boolean> =>
    (await watcher.query('SELECT 1 FROM schema_steps WHERE step = $1', [KNOWN + 1])).rows.length > 0;
  assert.equal(await isDone(), false);
  await reader.query('COMMIT');
  newer = await serve(await opening);
  assert.equal(await isDone(), true);

  // Both take what comes; the older one is killed and started again, as a supervisor does.
  const both = tables.acked();
  await until('both work', () => tables.acked().every((seq, i) => seq > both[i]! + 12));
  again = await serve(await open());
  await older.close();
  const later = tables.acked();
  await until('the one that was started again works', () =>
    tables.acked().every((seq, i) => seq > later[i]! + 12),
  );

  // A step that the older one cannot live with waits for people.
  await assert.rejects(
    open(narrower),
    new RegExp(
      `schema step ${KNOWN + 2} ends every program before step ${KNOWN + 2}, and one of step ${KNOWN} is running on this database: stop it first`,
    ),
  );
  await tables.playOut();
  for (const ledger of tables.ledgers) assert.deepEqual(await compare(watcher, ledger), []);
  // Nobody was sent away while an instance was up. What an instance closes on is sent again.
  t.diagnostic(`${JSON.stringify([...tables.answers])}, the slowest batch ${tables.slowestMs.toFixed(0)} ms`);
  assert.deepEqual(
    [...tables.answers.keys()].filter((status) => status !== 200 && status !== 'none'),
    [],
  );

  await tables.stop();
  await again.close();
  await newer.close();
  await (await open(narrower)).close();
  await assert.rejects(open(), new RegExp(`is at schema step ${KNOWN + 2}, this program knows ${KNOWN}`));
});
