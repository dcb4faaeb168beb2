/** Two instances of the centre on one PostgreSQL server of Debian's, and what they cost. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startInstance } from '../test/centre/fleet-run.ts';
import { startPostgres } from '../test/centre/postgres.ts';
import { cpuSeconds, cpuSecondsOfParent } from './cpu.ts';
import type { PartContext } from './part.ts';

const INSTANCES = 2;

export interface BenchCentre<T> {
  readonly dir: string;
  readonly databaseUrl: string;
  readonly client: pg.Client;
  /** The instance that the terminal of this number speaks to. */
  urlOf(terminal: number): string;
  /** Seconds of processor up to now: of the instances, of the server. */
  cpu(): [centre: number, server: number];
  readonly enrolled: T;
}

/** `enrol` puts the public keys of terminals into the folder. Null where there is no server. */
export async function startCentre<T>(
  { stack, cannot, makeDir }: PartContext,
  part: string,
  enrol: (enrolDir: string, dir: string) => T,
): Promise<BenchCentre<T> | null> {
  const server = await startPostgres();
  if ('skip' in server) {
    cannot(part, server.skip);
    return null;
  }
  stack.defer(() => server.stop());
  const dir = makeDir(part);
  const enrolDir = join(dir, 'enrol');
  mkdirSync(enrolDir);
  const enrolled = enrol(enrolDir, dir);
  const instances = await Promise.all(
    Array.from({ length: INSTANCES }, () => startInstance(server.url, enrolDir)),
  );
  stack.defer(() => {
    for (const { child } of instances) child.kill('SIGKILL');
  });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  stack.defer(() => client.end());
  const { rows: own } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    ...{ dir, databaseUrl: server.url, client, enrolled },
    urlOf: (terminal) => instances[terminal % INSTANCES]!.url,
    cpu: () => [
      instances.reduce((sum, { child }) => sum + cpuSeconds(child.pid!), 0),
      cpuSecondsOfParent(own[0]!.pid),
    ],
  };
}
