/** One night in some seconds; `node test/night/run.ts` plays others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INCIDENTS } from './incidents.ts';
import { playNight } from './night.ts';

test('eight hours at a table with every incident: none stops it for longer than it may, and the books have all of it once', async (t) => {
  const seed = Number(process.env['BANCA_SEED'] ?? Date.now() % 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const { incidents, ...result } = await playNight(t, { seed, more: 0, say: (line) => t.diagnostic(line) });
  t.diagnostic(JSON.stringify(result));
  const missing = Object.entries(INCIDENTS).filter(([name]) => incidents[name] === undefined);
  assert.deepEqual(
    missing.flatMap(([name, { isRare }]) => (isRare ? [] : [name])),
    [],
  );
  assert.ok(result.rounds > 300, `${result.rounds} rounds`);
});
