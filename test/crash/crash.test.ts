import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('a host killed 30 times, in every way and at tables of every kind, loses nothing and doubles nothing', (t) => {
  const script = new URL('./crash.ts', import.meta.url).pathname;
  const run = spawnSync(process.execPath, [script, '--kills', '30'], { encoding: 'utf8', timeout: 840_000 });
  const line = run.stdout.trim().split('\n').at(-1) ?? '';
  assert.equal(run.status, 0, `${line}\n${run.stderr.slice(-3000)}`);
  const found = JSON.parse(line) as Record<string, unknown>;
  t.diagnostic(run.stdout);
  assert.ok(Number(found['kills']) >= 30);
  assert.deepEqual([found['lost'], found['doubled'], found['problems']], [0, 0, []]);
});
