/**
 * A PostgreSQL server for a test file: the one of DATABASE_URL, or Debian's binaries run by this
 * test, or by `test/run.ts` for all files, on a free port in a temporary directory. PostgreSQL
 * refuses to run as root, so then an unprivileged user runs it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { debianPrograms } from '../support/debian-programs.ts';
import { freePort } from '../support/free-port.ts';

export interface PostgresServer {
  /** Address of a database of its own, empty at the start. */
  readonly url: string;
  stop(): Promise<void>;
}

export type PostgresOrReason = PostgresServer | { readonly skip: string };

const BINARIES = '/usr/lib/postgresql';

/** Who runs servers that refuse to be root's; nobody else than we ourselves where we are not. */
export interface ServerAccount {
  /** Folder of PostgreSQL's programs. */
  readonly bin: string;
  readonly uid?: number;
  readonly gid?: number;
}

export function serverAccount(): ServerAccount | { readonly skip: string } {
  const bin = newestBinaries();
  if (bin === null) return { skip: `no PostgreSQL: DATABASE_URL is not set and ${BINARIES} has no initdb` };
  if (process.getuid?.() !== 0) return { bin };
  const user = unprivileged();
  return user === null
    ? { skip: 'running as root, and there is no user to run PostgreSQL' }
    : { bin, ...user };
}

/** A folder that this account may write in. */
export function folderOf({ uid, gid }: ServerAccount, name: string): string {
  const dir = mkdtempSync(join(tmpdir(), name));
  if (uid !== undefined && gid !== undefined) chownSync(dir, uid, gid);
  return dir;
}

/** A server of this test's own, which may be killed, lost and restored. */
export interface OwnServer {
  readonly dir: string;
  readonly data: string;
  readonly port: number;
  /** Of the database `postgres`, in which the user `banca` may do everything. */
  readonly url: string;
  start(): void;
  /** As when the machine loses power. */
  kill(): void;
  /** Ends it and takes its folder away. */
  remove(): void;
}

export async function ownServer(
  account: ServerAccount,
  o: { readonly settings?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<OwnServer> {
  const dir = folderOf(account, 'banca-pg-');
  const { bin, ...user } = account;
  const run = (program: string, ...args: string[]): void => {
    const done = spawnSync(join(bin, program), args, {
      ...user,
      cwd: dir,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...o.env },
      // The server inherits these from pg_ctl; a pipe would be held open as long as it runs.
      stdio: 'ignore',
      timeout: 600_000,
    });
    if (done.status === 0) return;
    const log = join(dir, 'log');
    const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
    throw new Error(`${program} ${args[0]} ended with ${done.status ?? done.error?.message}: ${said}`);
  };
  const data = join(dir, 'data');
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${dir}`,
    // What is left of a killed server lies in its own folder.
    'dynamic_shared_memory_type=mmap',
    ...(o.settings ?? []),
  ];
  const kill = (): void => {
    const pidFile = join(data, 'postmaster.pid');
    if (!existsSync(pidFile)) return;
    killServer(pidFile);
    // A machine that comes back has none of these; its pid may be another program's by then.
    for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
      rmSync(join(dir, name), { force: true });
  };
  const remove = (): void => {
    process.removeListener('exit', remove);
    process.removeListener('SIGTERM', endNow);
    if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data);
    rmSync(dir, { recursive: true, force: true });
  };
  // A test file that fails half-way, or is ended by the runner's time limit, must not leave a
  // server behind.
  process.once('exit', remove);
  process.once('SIGTERM', endNow);
  run('initdb', '-D', data, '-U', 'banca', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N');
  return {
    dir,
    data,
    port,
    url: `postgres://banca@127.0.0.1:${port}/postgres`,
    start: () =>
      run(
        'pg_ctl',
        ...['start', '-w', '-D', data, '-l', join(dir, 'log')],
        ...['-o', settings.map((each) => `-c '${each}'`).join(' ')],
      ),
    kill,
    remove,
  };
}

/** SIGKILL for a server and all its processes; what it had in the kernel goes as well. */
export function killServer(pidFile: string): void {
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const all = [pid, ...childrenOf(pid)];
  for (const each of all) if (isAlive(each)) process.kill(each, 'SIGKILL');
  const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  while (all.some(isAlive)) pause();
  // For a new server a dead one whose end nobody has asked for yet is one that runs.
  for (const end = performance.now() + 10_000; existsSync(`/proc/${pid}`) && performance.now() < end; )
    pause();
  const segment = lines[6]?.trim().split(/\s+/)[1];
  if (segment !== undefined) spawnSync('ipcrm', ['-m', segment], { stdio: 'ignore' });
}

/** A zombie is dead; whose child it was has not asked yet. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Starts the server, or says why there is none; `isSet`: one whose settings the test changes, which
 * is nobody else's. Rejects when one is installed and does not start.
 */
export async function startPostgres(isSet = false): Promise<PostgresOrReason> {
  const ofAll = isSet ? undefined : process.env['BANCA_TEST_POSTGRES'];
  const given = process.env['DATABASE_URL'] || ofAll;
  if (given) return await databaseOn(given, () => undefined);
  const account = serverAccount();
  if ('skip' in account) return account;
  const server = await ownServer(account);
  server.start();
  return await databaseOn(server.url, server.remove);
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

/** This machine's, else those that the tests have fetched. */
function newestBinaries(): string | null {
  const newestIn = (folder: string): string | null => {
    if (!existsSync(folder)) return null;
    const versions = readdirSync(folder)
      .filter((version) => existsSync(join(folder, version, 'bin', 'initdb')))
      .sort((a, b) => Number(b) - Number(a));
    return versions[0] === undefined ? null : join(folder, versions[0], 'bin');
  };
  const installed = newestIn(BINARIES);
  if (installed !== null) return installed;
  const programs = debianPrograms();
  if ('skip' in programs) return null;
  const bin = newestIn(join(programs.place, BINARIES));
  // For `psql`, and for the libraries that it and the server were unpacked with.
  if (bin !== null)
    Object.assign(process.env, programs.env, { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` });
  return bin;
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
