/** Rows per second from many terminals into the centre on PostgreSQL, beside COPY of the same rows into a plain table. */
import { BATCH_LIMIT } from '../ledger/chain/batch.codec.ts';
import { runFleet } from '../test/centre/fleet-run.ts';
import { startPostgres } from '../test/centre/postgres.ts';
import type { PartContext } from './part.ts';
import { progress, round3 } from './stats.ts';

const CLEAR = { loss: 0, copies: 1, copyChance: 0, latencyMs: 0, cut: 0, outage: 0, outageMs: 0 };

export async function benchSync({ stack, cannot }: PartContext): Promise<object | null> {
  const server = await startPostgres();
  if ('skip' in server) {
    cannot('sync', server.skip);
    return null;
  }
  stack.defer(() => server.stop());
  const { rows, rowsPerSecond, copy, differences } = await runFleet({
    databaseUrl: server.url,
    terminals: 20,
    hours: 72,
    entriesPerHour: 60,
    seed: 1,
    batchLimit: BATCH_LIMIT,
    weather: CLEAR,
    killAt: null,
    say: (line) => progress(`sync: ${line}`),
  });
  if (differences.length > 0) throw new Error(`the centre has not what was sent: ${differences[0]}`);
  return {
    rows,
    rowsPerSecond,
    copyRowsPerSecond: copy.rowsPerSecond,
    shareOfCopy: round3(rowsPerSecond / copy.rowsPerSecond),
  };
}
