/** The small form of the fleet; `node test/centre/fleet.ts` is the large one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFleet } from './fleet-run.ts';
import { startPostgres } from './postgres.ts';

test('terminals back after 72 h over a bad network: every row once, by hash, with an instance killed', async (t) => {
  const server = await startPostgres();
  if ('skip' in server) return t.skip(server.skip);
  const seed = Number(process.env['BANCA_SEED'] ?? Date.now() % 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  try {
    const result = await runFleet({
      databaseUrl: server.url,
      terminals: 3,
      hours: 72,
      entriesPerHour: 10,
      seed,
      batchLimit: 30,
      // Every message arrives ten times, and the chances are higher than a real line's, so that
      // each is met.
      weather: {
        loss: 0.15,
        copies: 10,
        copyChance: 1,
        latencyMs: 10,
        cut: 0.15,
        outage: 0.15,
        outageMs: 100,
      },
      killAt: 0.4,
      say: (line) => t.diagnostic(line),
    });
    t.diagnostic(JSON.stringify(result));
    assert.deepEqual(result.differences, []);
    assert.equal(result.rows, 3 * 72 * 10);
    assert.equal(result.copy.rows, result.rows);
    const { network } = result;
    const met = [network.lost, network.answersLost, network.cut, network.outages, network.refused];
    assert.ok(met.every((count) => count > 0) && network.copies > 300, JSON.stringify(network));
  } finally {
    await server.stop();
  }
});
