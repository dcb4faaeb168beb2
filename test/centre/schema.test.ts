/**
 * The centre's tables: frozen steps, and a database of the first step that becomes one of the
 * newest.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../upstream/db.store.ts';
import { MIGRATIONS } from '../../upstream/schema.ts';
import { until } from '../support/until.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** A released step is never edited: whoever has run it has those tables. A change is a new file. */
const FROZEN: Readonly<Record<number, string>> = {
  1: '7660a1d7d2b277670e25e5c97d2985e33a61e9471eebeb8c33316a1cc6299ec8',
  2: 'a3fd8b65ea017c67429fd6ec001aa58b471fd693b128ab19825492424485afeb',
  3: 'f8dac965ed0a778d6827346a399b644eec8a5ef14b8540a4598274072e4f3def',
  4: '931a08e43304c4c8bd5e46b3552b0921438e416a297e64d8d2ac75f2d8fe5038',
  5: '1a12cd4d6a42eadeb3ad7e84e628e22ff3359ff31f605829e1bb28d1ce003a1b',
  6: 'd2cb42342e05d512e1a96c0747fef43dc044e50a650d3a901fd81245dc42898e',
  7: 'd27d56002f1f4ea60774c1a2649b5c5cd1e1da88e76a160bd339509bd9d259a2',
  8: 'a7ddfb9777100fce56a8eea2776223362a3ab3340ad36b98bc8d1aa802377795',
  9: '0b6f09e49bcdae8cbaacfa39042bd888e1ac49bf765969bf95326155d677a84a',
};

it('no released step has been edited', () => {
  assert.deepEqual(Object.fromEntries(MIGRATIONS.map(({ step, sha256 }) => [step, sha256])), FROZEN);
});

const started = await startPostgres();
describe('steps on a PostgreSQL server', { skip: 'skip' in started && started.skip }, () => {
  const server = started as PostgresServer;
  const client = new pg.Client({ connectionString: server.url });
  before(() => client.connect());
  after(async () => {
    await client.end();
    await server.stop();
  });

  it('entries of the first step are the same in the partitions', async () => {
    // As the program of the first step left it: no hash of the step is noted.
    await client.query(
      'CREATE TABLE schema_steps (step integer PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())',
    );
    await client.query(MIGRATIONS[0]!.sql);
    await client.query('INSERT INTO schema_steps (step) VALUES (1)');
    await client.query(
      `INSERT INTO terminals (terminal_id, public_key)
       SELECT 't' || n, sha256(n::text::bytea) FROM generate_series(1, 40) AS n`,
    );
    const postings = JSON.stringify([
      { account: 'a', currency: 'MOP', amountMinor: -7 },
      { account: 'b', currency: 'MOP', amountMinor: 7 },
    ]);
    await client.query(
      `INSERT INTO entries (terminal_id, seq, at_ms, kind, round_id, command_id, bytes, postings, hash)
       SELECT terminal_id, seq, seq, 'moved', 'r' || seq / 10, NULL, 'bytes of ' || seq, $1, sha256(seq::text::bytea)
       FROM terminals, generate_series(1, 30) AS seq`,
      [postings],
    );
    const all = 'SELECT * FROM entries ORDER BY terminal_id, seq';
    const rows = (await client.query(all)).rows;

    const opened = await Promise.all([openPostgres(server.url), openPostgres(server.url)]);
    assert.deepEqual(await opened[0].query(all), rows);
    const parts = await opened[0].query<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM entries GROUP BY tableoid',
    );
    assert.ok(parts.length >= 10, `40 terminals lie in ${parts.length} of 16 partitions`);
    assert.deepEqual(
      await opened[0].query(
        'SELECT account, amount_minor::int AS sum, count(*)::int AS terminals FROM balances GROUP BY 1, 2 ORDER BY 1',
      ),
      [
        { account: 'a', sum: -210, terminals: 40 },
        { account: 'b', sum: 210, terminals: 40 },
      ],
    );
    assert.deepEqual(
      await opened[0].query('SELECT step, sha256 FROM schema_steps ORDER BY step'),
      Object.entries(FROZEN).map(([step, sha256]) => ({
        step: Number(step),
        sha256: step === '1' ? null : sha256,
      })),
    );
    for (const db of opened) await db.close();
  });

  it('a connection that the server ends in mid-transaction ends that transaction and nothing else', async () => {
    const db = await openPostgres(server.url);
    const gone = db.transaction(async (q) => {
      const [own] = await q.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await client.query('SELECT pg_terminate_backend($1)', [own!.pid]);
      const isThere = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
      await until('it has gone', async () => (await client.query(isThere, [own!.pid])).rowCount === 0);
      await q.query('SELECT 1');
    });
    await assert.rejects(gone, /terminat|not queryable|connection/i);
    assert.deepEqual(await db.query('SELECT 1 AS one'), [{ one: 1 }]);
    await db.close();
  });

  it('a database made by another text, or by a newer program, is refused', async () => {
    await client.query("UPDATE schema_steps SET sha256 = repeat('0', 64) WHERE step = 2");
    await assert.rejects(openPostgres(server.url), /schema step 2 was made by another text/);
    await client.query('UPDATE schema_steps SET sha256 = $1 WHERE step = 2', [FROZEN[2]]);
    const known = MIGRATIONS.at(-1)!.step;
    await client.query('INSERT INTO schema_steps (step) VALUES ($1)', [known + 1]);
    await assert.rejects(
      openPostgres(server.url),
      new RegExp(`is at schema step ${known + 1}, this program knows ${known}`),
    );
  });
});
