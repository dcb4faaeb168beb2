import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newDatabase } from '../test/support/new-database.ts';
import { openEmbedded } from './db.store.ts';
import { SLOT_MS } from './floor.store.ts';
import { forget } from './retention.store.ts';

test('what is kept for a time goes when that is over, and nothing else does', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'banca-retention-'));
  await newDatabase(join(root, 'postgres'));
  const db = await openEmbedded(join(root, 'postgres'));
  t.after(async () => {
    await db.close();
    rmSync(root, { recursive: true, force: true });
  });
  const nowMs = Date.now();
  await db.script(`
    INSERT INTO people (name, role, ended_at) VALUES ('Ana Rocha', 'floor', now() - interval '9 years');
    INSERT INTO passkeys (credential_id, person_id, public_key, counter, ended_at) VALUES ('k', 1, '', 0, now() - interval '9 years');
    INSERT INTO audit (at, person_id, who, role, act, about, from_where)
      VALUES (now() - interval '9 years', 1, 'Ana Rocha', 'floor', 'log-in', '', '10.0.0.9');
    INSERT INTO sessions (token_hash, person_id, opened_at, seen_at, from_where) VALUES
      ('idle', 1, now() - interval '1 hour', now() - interval '31 minutes', ''),
      ('long', 1, now() - interval '721 minutes', now(), ''),
      ('good', 1, now() - interval '719 minutes', now() - interval '29 minutes', '');
    INSERT INTO enrolment_links VALUES ('over', 1, now() - interval '1 second'), ('good', 1, now() + interval '1 hour');
    INSERT INTO spent_challenges VALUES ('over', now() - interval '1 second'), ('good', now() + interval '1 minute');
    INSERT INTO terminals (terminal_id, public_key) VALUES ('T', sha256(''));
    INSERT INTO floor_paces SELECT 'T', ${Math.floor(nowMs / SLOT_MS)} - n, n FROM (VALUES (8 * 288), (8 * 288 + 1)) AS slots (n);
  `);
  await forget(db, nowMs);
  const left = async (sql: string): Promise<unknown[]> =>
    (await db.query<{ what: unknown }>(sql)).map(({ what }) => what);
  assert.deepEqual(await left("SELECT convert_from(token_hash, 'UTF8') AS what FROM sessions"), ['good']);
  assert.deepEqual(await left("SELECT convert_from(token_hash, 'UTF8') AS what FROM enrolment_links"), [
    'good',
  ]);
  assert.deepEqual(await left('SELECT challenge AS what FROM spent_challenges'), ['good']);
  assert.deepEqual(await left('SELECT rounds AS what FROM floor_paces'), [8 * 288]);
  for (const kept of ['people', 'passkeys', 'audit', 'terminals'])
    assert.equal((await left(`SELECT 1 AS what FROM ${kept}`)).length, 1, kept);
});
