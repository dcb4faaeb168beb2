import assert from 'node:assert/strict';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { encodeRows } from '../../upstream/copy.codec.ts';
import { openPostgres } from '../../upstream/db.store.ts';
import { startPostgres } from './postgres.ts';

test('rows are read by the server as they were given, whatever is in them', async (t) => {
  const server = await startPostgres();
  if ('skip' in server) return t.skip(server.skip);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await server.stop();
  });
  await client.query('CREATE TABLE kept (n bigint, number bigint, text text, bytes bytea, json json)');
  const text = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0') && s.isWellFormed());
  const row = fc.record({
    number: fc.option(fc.maxSafeInteger()),
    text: fc.option(text),
    bytes: text,
    json: fc.json().filter((s) => s.isWellFormed() && !s.includes('\0')),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      await client.query('TRUNCATE kept');
      const coded = rows.map(({ number, text, bytes, json }, i) => [
        i,
        number,
        text,
        Buffer.from(bytes),
        json,
      ]);
      await finished(client.query(from('COPY kept FROM STDIN (FORMAT binary)')).end(encodeRows(coded)));
      const answer = await client.query(
        `SELECT number::text, text, convert_from(bytes, 'UTF8') AS bytes, json::text FROM kept ORDER BY n`,
      );
      assert.deepEqual(
        answer.rows,
        rows.map((each) => ({ ...each, number: each.number === null ? null : String(each.number) })),
      );
    }),
  );
});

test('rows that the server does not take, or takes no longer, are an error and no more', async (t) => {
  const server = await startPostgres();
  if ('skip' in server) return t.skip(server.skip);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => server.stop());
  const db = await openPostgres(server.url, { plainAllowed: true }, { answerWithinMs: 500 });
  stack.defer(() => db.close());
  await db.script('CREATE TABLE kept (n bigint PRIMARY KEY)');
  const keep = (...numbers: number[]): Promise<void> =>
    db.transaction((q) => q.copy('kept (n)', encodeRows(numbers.map((n) => [n]))));

  await keep(1, 2);
  await assert.rejects(keep(3, 2), { code: '23505' });
  await assert.rejects(db.copy('kept (n)', Buffer.from('no rows')), { code: '22P04' });
  const other = new pg.Client({ connectionString: server.url });
  await other.connect();
  stack.defer(() => other.end());
  await other.query('BEGIN; LOCK TABLE kept');
  await assert.rejects(keep(4), /Query read timeout/);
  await other.query('COMMIT');
  await keep(5);
  assert.deepEqual(await db.query('SELECT n::int FROM kept ORDER BY n'), [{ n: 1 }, { n: 2 }, { n: 5 }]);
});
