import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fullOr } from '../support/long.ts';

const KILLS = fullOr(30, 18);

test('a host killed in every way and at tables of every kind loses nothing and doubles nothing', (t) => {
  const script = new URL('./crash.ts', import.meta.url).pathname;
  const run = spawnSync(process.execPath, [script, '--kills', String(KILLS)], {
    encoding: 'utf8',
    timeout: 840_000,
  });
  const line = run.stdout.trim().split('\n').at(-1) ?? '';
  assert.equal(run.status, 0, `${line}\n${run.stderr.slice(-3000)}`);
  const found = JSON.parse(line) as Record<string, unknown>;
  t.diagnostic(run.stdout);
  assert.ok(Number(found['kills']) >= KILLS);
  assert.deepEqual([found['lost'], found['doubled'], found['problems']], [0, 0, []]);
});
