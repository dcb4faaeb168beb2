/**
 * The casino's centre as a process:
 * `node upstream/main.ts --data DIR [--port N] [--host ADDRESS] [--enrol-dir DIR] [--supervised]`.
 * With DATABASE_URL it stores on that PostgreSQL server, else in an embedded one under DIR. Prints one line of JSON
 * when it is ready. `--supervised`: ends when its stdin does.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedded, openPostgres } from './db.store.ts';
import { createCentre } from './server.ts';

function fail(message: string): never {
  console.error(`centre: ${message}`);
  process.exit(2);
}

const { values } = (() => {
  try {
    return parseArgs({
      options: {
        data: { type: 'string' },
        port: { type: 'string', default: '0' },
        host: { type: 'string', default: '127.0.0.1' },
        'enrol-dir': { type: 'string' },
        supervised: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
})();
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`--port ${values.port} is not a port`);

const databaseUrl = process.env['DATABASE_URL'];
const dataDir = values.data ?? (databaseUrl ? '' : fail('--data DIR is missing: where the database lives'));
const db = await (databaseUrl ? openPostgres(databaseUrl) : openEmbedded(join(dataDir, 'postgres'))).catch(
  (error: Error) => fail(`the database cannot be opened: ${error.message}`),
);
const centre = createCentre({ db, enrolDir: values['enrol-dir'] ?? null, log: true });
const url = await centre
  .listen({ host: values.host, port })
  .catch((error: Error) => fail(`cannot listen on ${values.host}:${port}: ${error.message}`));

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await centre.close();
  await db.close();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
if (values.supervised) process.stdin.on('close', () => void stop()).resume();

console.log(JSON.stringify({ ready: true, url, port: Number(new URL(url).port), database: db.engine }));
