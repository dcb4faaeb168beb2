/**
 * A PostgreSQL server for one test file: the one of DATABASE_URL, or Debian's binaries run by this
 * test on a free port in a temporary directory. PostgreSQL refuses to run as root, so then an
 * unprivileged user runs it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../support/free-port.ts';

export interface PostgresServer {
  /** Address of a database of its own, empty at the start. */
  readonly url: string;
  stop(): Promise<void>;
}

export type PostgresOrReason = PostgresServer | { readonly skip: string };

const BINARIES = '/usr/lib/postgresql';

/**
 * Starts the server, or says why there is none. Rejects when one is installed and does not start.
 */
export async function startPostgres(): Promise<PostgresOrReason> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return await databaseOn(given, () => undefined);
  const bin = newestBinaries();
  if (bin === null) return { skip: `no PostgreSQL: DATABASE_URL is not set and ${BINARIES} has no initdb` };
  const user = process.getuid?.() === 0 ? unprivileged() : null;
  if (process.getuid?.() === 0 && user === null)
    return { skip: 'running as root, and there is no user to run PostgreSQL' };

  const dir = mkdtempSync(join(tmpdir(), 'banca-pg-'));
  if (user !== null) chownSync(dir, user.uid, user.gid);
  const run = (program: string, ...args: string[]): void => {
    const done = spawnSync(join(bin, program), args, {
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
      cwd: dir,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
      // The server inherits these from pg_ctl; a pipe would be held open as long as it runs.
      stdio: 'ignore',
      timeout: 600_000,
    });
    if (done.status === 0) return;
    const log = join(dir, 'log');
    const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
    rmSync(dir, { recursive: true, force: true });
    throw new Error(`${program} ${args[0]} ended with ${done.status ?? done.error?.message}: ${said}`);
  };
  const data = join(dir, 'data');
  const port = await freePort();
  run('initdb', '-D', data, '-U', 'banca', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N');
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${dir}`;
  const stopServer = (): void => {
    process.removeListener('exit', stopServer);
    process.removeListener('SIGTERM', endNow);
    run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data);
    rmSync(dir, { recursive: true, force: true });
  };
  // A test file that fails half-way, or is ended by the runner's time limit, must not leave a
  // server behind.
  process.once('exit', stopServer);
  process.once('SIGTERM', endNow);
  run('pg_ctl', 'start', '-w', '-D', data, '-l', join(dir, 'log'), '-o', options);
  return await databaseOn(`postgres://banca@127.0.0.1:${port}/postgres`, stopServer);
}

const endNow = (): void => process.exit(143);

async function databaseOn(url: string, stopServer: () => void): Promise<PostgresServer> {
  const name = `banca_test_${process.pid}_${Date.now()}`;
  const asAdmin = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await asAdmin(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    stop: async () => {
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
      stopServer();
    },
  };
}

function newestBinaries(): string | null {
  if (!existsSync(BINARIES)) return null;
  const versions = readdirSync(BINARIES)
    .filter((version) => existsSync(join(BINARIES, version, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a));
  return versions[0] === undefined ? null : join(BINARIES, versions[0], 'bin');
}

function unprivileged(): { uid: number; gid: number } | null {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // There is no such user here; the next one may be.
    }
  }
  return null;
}
