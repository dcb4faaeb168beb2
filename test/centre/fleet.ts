/**
 * `node test/centre/fleet.ts [--terminals N] [--hours H] [--per-hour E] [--seed S] [--loss P]
 * [--copies N] [--copy-chance P] [--latency MS] [--clear]`: the fleet of `fleet-run.ts` on
 * PostgreSQL (DATABASE_URL, else Debian's). Prints one JSON document; exit 0 when the centre holds
 * exactly what the terminals have, 1 when not, 2 without PostgreSQL.
 */
import { BATCH_LIMIT } from '../../ledger/chain/batch.codec.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { type FleetResult, runFleet } from './fleet-run.ts';
import { startPostgres } from './postgres.ts';

const { values } = argumentsOf({
  options: {
    terminals: { type: 'string', default: '200' },
    hours: { type: 'string', default: '72' },
    'per-hour': { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    loss: { type: 'string', default: '0.01' },
    copies: { type: 'string', default: '10' },
    'copy-chance': { type: 'string', default: '0.1' },
    latency: { type: 'string', default: '50' },
    clear: { type: 'boolean', default: false },
  },
});
const number = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0) {
    console.error(`--${name} ${values[name]}: expected a number`);
    process.exit(2);
  }
  return value;
};

const server = await startPostgres();
if ('skip' in server) {
  console.error(server.skip);
  process.exit(2);
}
const { url: databaseUrl, stop } = server;
const bad = values.clear ? 0 : 1;
const options = {
  terminals: number('terminals'),
  hours: number('hours'),
  entriesPerHour: number('per-hour'),
  seed: number('seed'),
  batchLimit: BATCH_LIMIT,
  weather: {
    loss: bad * number('loss'),
    copies: number('copies'),
    copyChance: bad * number('copy-chance'),
    latencyMs: bad * number('latency'),
    cut: bad * 0.002,
    outage: bad * 0.01,
    outageMs: 3_000,
  },
};
async function run(): Promise<FleetResult> {
  try {
    const say = (line: string): void => console.error(line);
    return await runFleet({ ...options, databaseUrl, killAt: 0.4, say });
  } finally {
    await stop();
  }
}
const result = await run();
console.log(JSON.stringify({ ...options, ...result }, null, 2));
process.exit(result.differences.length === 0 ? 0 : 1);
