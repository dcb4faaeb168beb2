import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { Column } from '../../upstream/column.codec.ts';
import { startPostgres } from './postgres.ts';

test('a column is read by the server as it was given, whatever is in it', async (t) => {
  const server = await startPostgres();
  if ('skip' in server) return t.skip(server.skip);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await server.stop();
  });
  const text = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0') && s.isWellFormed());
  const row = fc.record({
    number: fc.option(fc.maxSafeInteger()),
    text: fc.option(text),
    bytes: text,
    json: fc.json().filter((s) => s.isWellFormed() && !s.includes('\0')),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const of = (type: Column['type'], values: Column['values']): Buffer =>
        new Column(type, values).toBinary();
      const answer = await client.query(
        `SELECT a::text AS number, b AS text, c AS bytes, d::text AS json
         FROM unnest($1::bigint[], $2::text[], $3::text[], $4::json[]) WITH ORDINALITY AS new (a, b, c, d, n) ORDER BY n`,
        [
          of(
            'bigint',
            rows.map((each) => each.number),
          ),
          of(
            'text',
            rows.map((each) => each.text),
          ),
          of(
            'text',
            rows.map((each) => Buffer.from(each.bytes)),
          ),
          of(
            'json',
            rows.map((each) => each.json),
          ),
        ],
      );
      assert.deepEqual(
        answer.rows,
        rows.map((each) => ({ ...each, number: each.number === null ? null : String(each.number) })),
      );
    }),
  );
});
