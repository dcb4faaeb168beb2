/**
 * The centre's database is lost and put back to a moment before its end, by pgBackRest with the
 * shipped configuration; the tables play on meanwhile.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPostgres } from '../../upstream/db.store.ts';
import { addPerson, endSession, openSession, sessionName } from '../../upstream/people.store.ts';
import { createCentre } from '../../upstream/server.ts';
import { debianPrograms } from '../support/debian-programs.ts';
import { until } from '../support/until.ts';
import { compare } from './fleet-run.ts';
import { PASSWORD } from './operators.ts';
import { folderOf, ownServer, serverAccount } from './postgres.ts';
import { Tables } from './tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'upstream/deploy');

test('a lost database is put back to a moment, and the tables bring what it lacks, once', async (t) => {
  const programs = debianPrograms();
  if ('skip' in programs) return t.skip(programs.skip);
  const account = serverAccount();
  if ('skip' in account) return t.skip(account.skip);
  await using stack = new AsyncDisposableStack();
  const { bin, ...user } = account;

  // The shipped file says how; where, and with which pass phrase, the environment.
  const repo = folderOf(account, 'banca-repo-');
  stack.defer(() => rmSync(repo, { recursive: true, force: true }));
  const config = join(repo, 'pgbackrest.conf');
  cpSync(join(DEPLOY, 'pgbackrest.conf'), config);
  chmodSync(config, 0o644);
  const env: Record<string, string> = {
    ...programs.env,
    PGBACKREST_CONFIG: config,
    PGBACKREST_REPO1_PATH: join(repo, 'repo'),
    PGBACKREST_REPO1_CIPHER_PASS: 'of the tests',
    PGBACKREST_LOCK_PATH: join(repo, 'lock'),
    PGBACKREST_LOG_LEVEL_FILE: 'off',
    PGBACKREST_PG1_USER: 'banca',
  };
  const server = await ownServer(account, {
    env,
    settings: ['archive_mode=on', 'archive_command=pgbackrest --stanza=banca archive-push %p'],
  });
  stack.defer(server.remove);
  Object.assign(env, {
    PGBACKREST_PG1_PATH: server.data,
    PGBACKREST_PG1_PORT: String(server.port),
    PGBACKREST_PG1_SOCKET_PATH: server.dir,
  });
  const backrest = (...args: string[]): string =>
    execFileSync('pgbackrest', ['--stanza=banca', ...args], { ...user, cwd: repo, env, encoding: 'utf8' });
  server.start();
  backrest('stanza-create');

  const enrolDir = mkdtempSync(join(tmpdir(), 'banca-restore-'));
  stack.defer(() => rmSync(enrolDir, { recursive: true, force: true }));
  const db = await openPostgres(server.url);
  stack.defer(() => db.close());
  const centre = createCentre({ db, enrolDir, password: PASSWORD });
  stack.defer(() => centre.close());
  const url = await centre.listen({ host: '127.0.0.1', port: 0 });
  let road: string | null = url;
  // The last one is enrolled after the moment to which the database goes back.
  const tables = new Tables({ count: 4, entries: 240, enrolDir, road: () => road });
  stack.defer(() => tables.stop());
  tables.connect(0, 3);
  await until('the first entries are there', () =>
    tables
      .acked()
      .slice(0, 3)
      .every((seq) => seq > 0),
  );
  const person = await addPerson(db, 'Ana Rocha', 'floor');
  backrest('--type=full', 'backup');
  const info = JSON.parse(backrest('info', '--output=json')) as { cipher: string; backup: unknown[] }[];
  assert.deepEqual(
    info.map(({ cipher, backup }) => [cipher, backup.length]),
    [['aes-256-cbc', 1]],
  );

  const admin = new pg.Client({ connectionString: server.url });
  admin.on('error', () => undefined);
  await admin.connect();
  tables.grow(60);
  await until('so have those after the backup', () =>
    tables
      .acked()
      .slice(0, 3)
      .every((seq) => seq === 72),
  );
  const session = sessionName(await openSession(db, person, 'here'));
  // pgBackRest knows the end of a backup to the second, and takes none that may be later.
  await sleep(1_100);
  const moment = (
    await admin.query<{ at: string }>(
      "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' AS at",
    )
  ).rows[0]!.at;
  assert.equal(await endSession(db, person, session), true);
  tables.connect(3);
  tables.grow(60);
  await until('and those after the moment', () => tables.acked().every((seq) => seq >= 72));
  await until('of all', () =>
    tables
      .acked()
      .slice(0, 3)
      .every((seq) => seq === 132),
  );
  const before = tables.acked();
  const { rows } = await admin.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await until('the changes are in the archive', async () => {
    const archived = await admin.query<{ last: string | null }>(
      'SELECT last_archived_wal AS last FROM pg_stat_archiver',
    );
    return (archived.rows[0]?.last ?? '') >= rows[0]!.file;
  });

  // A drill beside the running database says what a restore would bring, and leaves nothing.
  const drill = JSON.parse(
    execFileSync(
      process.execPath,
      [
        join(ROOT, 'upstream/restore-drill.ts'),
        ...[
          '--bin',
          bin,
          '--folder',
          join(repo, 'drill'),
          '--to',
          moment.replace(' ', 'T').replace('+00', 'Z'),
        ],
        ...['--user', 'banca', '--database', 'postgres'],
      ],
      // Of the same account as the database server, in a folder of its own.
      { ...user, cwd: repo, env, encoding: 'utf8' },
    ),
  ) as Record<string, unknown>;
  t.diagnostic(JSON.stringify(drill));
  assert.deepEqual(
    [drill['whole'], drill['terminals'], drill['entries'], drill['wrong']],
    [true, 3, 3 * 72, []],
  );

  // The machine is lost while the tables play.
  tables.play(1);
  server.kill();
  rmSync(server.data, { recursive: true });
  await until('the tables notice', () => (tables.answers.get(500) ?? 0) >= 4);
  road = null;
  mkdirSync(server.data, { mode: 0o700 });
  if (user.uid !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, server.data]);
  backrest('--type=time', `--target=${moment}`, '--target-action=promote', 'restore');
  server.start();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  stack.defer(() => client.end());
  await until('it takes writes', async () => {
    const found = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
    return found.rows[0]?.recovering === false;
  });

  // What was acknowledged before the moment is there, and nothing after it.
  const heads = await client.query<{ id: string; seq: number }>(
    'SELECT terminal_id AS id, head_seq::int AS seq FROM terminals ORDER BY 1',
  );
  assert.deepEqual(
    heads.rows.map(({ id, seq }) => [id, seq]),
    tables.ledgers.slice(0, 3).map(({ terminalId }) => [terminalId, 72]),
  );
  // Who had logged out is back, until the shipped file is run.
  const sessions = async (): Promise<number> => (await client.query('SELECT 1 FROM sessions')).rows.length;
  assert.equal(await sessions(), 1);
  await client.query(readFileSync(join(DEPLOY, 'after-restore.sql'), 'utf8'));
  assert.equal(await sessions(), 0);
  assert.ok(before.every((seq) => seq >= 72));

  // The same process of the centre and the same links go on.
  road = url;
  await tables.playOut();
  for (const ledger of tables.ledgers) assert.deepEqual(await compare(client, ledger), []);
  const named = await client.query<{ kind: string; ids: string[] }>(
    'SELECT kind, array_agg(terminal_id ORDER BY terminal_id) AS ids FROM incidents GROUP BY kind ORDER BY kind',
  );
  t.diagnostic(JSON.stringify([named.rows, [...tables.answers]]));
  // Said of each terminal that had an acknowledgement for what is gone, also of the one whose
  // enrolment was gone with it.
  assert.deepEqual(
    named.rows.filter(({ kind }) => kind === 'centre-restored'),
    [{ kind: 'centre-restored', ids: tables.ledgers.map(({ terminalId }) => terminalId) }],
  );
  assert.equal((await client.query('SELECT 1 FROM forks')).rows.length, 0);
  await admin.end().catch(() => undefined);
});
