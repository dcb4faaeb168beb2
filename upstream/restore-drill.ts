/**
 * Puts the newest backup of the centre's database back beside the running one, looks whether it is
 * whole, and takes it away again: `node upstream/restore-drill.ts --bin DIR --folder DIR
 * [--stanza NAME] [--to TIME] [--database NAME] [--user NAME] [--pgbackrest FILE] [--keep]`. DIR of
 * `--bin` holds PostgreSQL's own programs, that of `--folder` takes the files of the database; TIME
 * as in 2027-01-31T06:00:00+08:00, left out: the newest there is. Run it in the account of the
 * database server. Prints one line of JSON; exit 0 when every entry, hash and sum is as it must be.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { plainLine } from '../ledger/chain/plain-line.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';

const { values } = argumentsOf({
  options: {
    bin: { type: 'string' },
    folder: { type: 'string' },
    stanza: { type: 'string', default: 'banca' },
    to: { type: 'string' },
    database: { type: 'string', default: 'banca' },
    user: { type: 'string', default: 'postgres' },
    pgbackrest: { type: 'string', default: 'pgbackrest' },
    keep: { type: 'boolean', default: false },
  },
});

function fail(message: string): never {
  console.error(`restore-drill: ${plainLine(message)}`);
  process.exit(2);
}

const { stanza, database, user, pgbackrest, to } = values;
const bin = values.bin ?? fail('--bin DIR is missing: where pg_ctl lies');
const folder = resolve(values.folder ?? fail('--folder DIR is missing: where the database is put'));
const atMs = to === undefined ? null : Date.parse(to);
if (Number.isNaN(atMs)) fail(`--to ${to}: expected a time as in 2027-01-31T06:00:00+08:00`);
if (existsSync(folder)) fail(`${folder} is there already: a drill writes over nothing`);

const run = (program: string, ...args: string[]): void => {
  try {
    execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    throw new Error(`${program} ${args[0]}: ${stderr?.trim() || message}`, { cause: error });
  }
};

/** What must be true of a terminal's rows: chain, newest entry and sums, each from the entries. */
const WRONG = `
  WITH chain AS (
    SELECT terminal_id, seq, hash, row_number() OVER own AS n, hash = sha256(
      coalesce(lag(hash) OVER own, decode(repeat('00', 32), 'hex')) || convert_to(bytes, 'UTF8')) AS fits
    FROM entries WINDOW own AS (PARTITION BY terminal_id ORDER BY seq)
  ), heads AS (
    SELECT terminal_id, max(seq) AS seq, bool_and(fits AND n = seq) AS fits FROM chain GROUP BY terminal_id
  ), sums AS (
    SELECT terminal_id, currency, account, sum(amount_minor) AS sum FROM postings GROUP BY 1, 2, 3
  )
  SELECT t.terminal_id || ': ' || CASE WHEN NOT coalesce(h.fits, true) THEN 'its chain is broken'
    ELSE 'its newest entry is not ' || t.head_seq END AS wrong
  FROM terminals t LEFT JOIN heads h USING (terminal_id)
  WHERE NOT coalesce(h.fits, true) OR coalesce(h.seq, 0) <> t.head_seq OR t.head_hash <> coalesce(
    (SELECT hash FROM entries e WHERE e.terminal_id = t.terminal_id AND e.seq = t.head_seq), decode(repeat('00', 32), 'hex'))
  UNION ALL
  SELECT terminal_id || ': the sum of ' || account || ' is not that of its postings'
  FROM sums s FULL JOIN balances b USING (terminal_id, currency, account)
  WHERE s.sum IS DISTINCT FROM b.amount_minor`;

interface Whole {
  readonly terminals: number;
  readonly entries: number;
  /** When the newest of them was stored; null where there is none. */
  readonly newest: string | null;
}

async function lookOver(): Promise<Whole & { readonly wrong: readonly string[] }> {
  const client = new pg.Client({ host: folder, port: 5432, user, database });
  await client.connect();
  try {
    // Until the changes up to the time are done it takes no writes.
    for (;;) {
      const { rows } = await client.query<{ recovering: boolean }>(
        'SELECT pg_is_in_recovery() AS recovering',
      );
      if (rows[0]?.recovering === false) break;
      await sleep(100);
    }
    const { rows } = await client.query<Whole>(
      `SELECT (SELECT count(*)::int FROM terminals) AS terminals, count(*)::float8 AS entries,
         to_char(max(received_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS newest FROM entries`,
    );
    const wrong = await client.query<{ wrong: string }>(WRONG);
    return { ...rows[0]!, wrong: wrong.rows.map((row) => row.wrong) };
  } finally {
    await client.end();
  }
}

const data = join(folder, 'data');
let isUp = false;
const seconds = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10;
try {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const startMs = performance.now();
  // As pgBackRest reads it, which takes no T and no Z.
  const target =
    atMs === null
      ? []
      : [
          '--type=time',
          `--target=${new Date(atMs).toISOString().replace('T', ' ').replace('Z', '+00')}`,
          '--target-action=promote',
        ];
  // `pg1-path` is where this one goes; the running one is not touched.
  run(pgbackrest, `--stanza=${stanza}`, `--pg1-path=${data}`, '--archive-mode=off', ...target, 'restore');
  const restored = seconds(startMs);
  const settings = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c port=5432`;
  run(
    join(bin, 'pg_ctl'),
    'start',
    '-w',
    '-t',
    '86400',
    '-D',
    data,
    '-l',
    join(folder, 'log'),
    '-o',
    settings,
  );
  isUp = true;
  const seen = await lookOver();
  const isWhole = seen.wrong.length === 0;
  process.stdout.write(
    `${JSON.stringify({ whole: isWhole, ...seen, restoreSeconds: restored, seconds: seconds(startMs) })}\n`,
  );
  process.exitCode = isWhole ? 0 : 1;
} catch (error) {
  console.error(`restore-drill: ${plainLine((error as Error).message)}`);
  process.exitCode = 1;
} finally {
  if (isUp) run(join(bin, 'pg_ctl'), 'stop', '-w', '-m', 'fast', '-D', data);
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
}
