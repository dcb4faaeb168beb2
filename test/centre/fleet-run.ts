/**
 * Many terminals that were offline for days come back at once, over a bad network, to two instances
 * of the centre on one PostgreSQL server; one instance is killed meanwhile. At the end every row is
 * compared by its hash.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import { createUploader } from '../../ledger/sync/uploader.ts';
import { badNetwork, type Network, type Weather } from './network.ts';
import { type VirtualLedger, virtualLedger } from './virtual-ledger.ts';

export interface FleetOptions {
  /** An empty database. */
  readonly databaseUrl: string;
  readonly terminals: number;
  readonly hours: number;
  readonly entriesPerHour: number;
  readonly seed: number;
  readonly weather: Omit<Weather, 'seed'>;
  /** Entries in a batch at most. */
  readonly batchLimit: number;
  /** One instance is killed when this part of all entries is at the centre; null kills none. */
  readonly killAt: number | null;
  readonly say: (line: string) => void;
}

export interface FleetResult {
  readonly rows: number;
  /** From the first message to the last acknowledgement. */
  readonly seconds: number;
  readonly rowsPerSecond: number;
  readonly copy: { readonly rows: number; readonly seconds: number; readonly rowsPerSecond: number };
  readonly network: Network['counts'];
  /** All that is not as it must be; empty when the centre holds exactly what the terminals have. */
  readonly differences: readonly string[];
}

const HOUR_MS = 3_600_000;

export async function runFleet(o: FleetOptions): Promise<FleetResult> {
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'banca-fleet-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  const enrolDir = join(dir, 'enrol');
  mkdirSync(enrolDir);
  const toMs = Date.now();
  const ledgers = Array.from({ length: o.terminals }, (_, i) => {
    const ledger = virtualLedger({
      terminalId: `table-${String(i + 1).padStart(3, '0')}`,
      seed: o.seed + i,
      entryCount: Math.round(o.hours * o.entriesPerHour),
      fromMs: toMs - o.hours * HOUR_MS,
      toMs,
    });
    writeFileSync(join(enrolDir, `${ledger.terminalId}.pub`), ledger.key.publicPem);
    return ledger;
  });
  const all = ledgers.reduce((sum, ledger) => sum + ledger.entryCount, 0);
  o.say(`${o.terminals} terminals with ${all} entries of ${o.hours} h`);

  const instances = await Promise.all([0, 1].map(() => startInstance(o.databaseUrl, enrolDir)));
  stack.defer(() => {
    for (const { child } of instances) child.kill('SIGKILL');
  });
  const network = await badNetwork(
    { ...o.weather, seed: o.seed },
    instances.map(({ url }) => url),
  );
  stack.defer(() => network.close());

  const startMs = performance.now();
  let killed = o.killAt === null;
  let saidMs = startMs;
  const progress = (): void => {
    const acked = ledgers.reduce((sum, ledger) => sum + (ledger.acknowledged()?.seq ?? 0), 0);
    if (!killed && acked >= all * o.killAt!) {
      killed = true;
      o.say(`instance 2 killed with ${acked} entries at the centre`);
      instances[1]!.child.kill('SIGKILL');
    }
    if (performance.now() - saidMs > 10_000) {
      saidMs = performance.now();
      o.say(`${acked} of ${all}`);
    }
  };
  await Promise.all(ledgers.map((ledger) => upload(ledger, network.url, o.batchLimit, progress)));
  const seconds = (performance.now() - startMs) / 1000;
  await network.settled();
  o.say(`all acknowledged after ${seconds.toFixed(1)} s; comparing`);

  const client = new pg.Client({ connectionString: o.databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const differences = killed ? [] : ['no instance was killed'];
  for (const ledger of ledgers) differences.push(...(await compare(client, ledger)));
  const strays = await client.query(
    `SELECT 'fork of ' || terminal_id || ' at ' || seq AS what FROM forks
     UNION ALL SELECT kind || ' of ' || terminal_id || ': ' || detail FROM incidents`,
  );
  differences.push(...strays.rows.map(({ what }) => what as string));
  const [total] = (await client.query('SELECT count(*)::int AS rows FROM entries')).rows;
  if (total.rows !== all) differences.push(`the table has ${total.rows} rows, the terminals ${all}`);

  o.say('compared; the same rows with COPY into a plain table');
  const { plain: copySeconds } = await copyBeside(client, o.databaseUrl, join(dir, 'rows'));
  const [copied] = (await client.query('SELECT count(*)::int AS rows FROM plain')).rows;
  return {
    rows: all,
    seconds,
    rowsPerSecond: Math.round(all / seconds),
    copy: { rows: copied.rows, seconds: copySeconds, rowsPerSecond: Math.round(copied.rows / copySeconds) },
    network: network.counts,
    differences,
  };
}

export async function startInstance(
  databaseUrl: string,
  enrolDir: string,
  more: readonly string[] = [],
  said: 'inherit' | number = 'inherit',
): Promise<{ child: ChildProcess; url: string }> {
  const main = join(import.meta.dirname, '../../upstream/main.ts');
  const args = [main, '--data', enrolDir, '--enrol-dir', enrolDir, '--supervised', ...more];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', said],
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url };
}

/** Resolves when the centre has proved to have everything. Rejects when it stopped believing. */
async function upload(
  ledger: VirtualLedger,
  url: string,
  batchLimit: number,
  progress: () => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const uploader = createUploader(ledger, {
    url,
    key: ledger.key,
    batchLimit,
    backoff: { firstMs: 20, mostMs: 200 },
    onStatus: ({ state, ackedSeq, lastError }) => {
      progress();
      if (state === 'fork') reject(new Error(`${ledger.terminalId}: ${lastError}`));
      if (ackedSeq === ledger.entryCount) resolve();
    },
  });
  uploader.start();
  try {
    await promise;
  } finally {
    await uploader.stop();
  }
}

/**
 * Row for row: every number once, every hash the terminal's own, and every hash again that of the
 * stored bytes.
 */
export async function compare(client: pg.Client, ledger: VirtualLedger): Promise<string[]> {
  const { terminalId, entryCount } = ledger;
  const [row] = (
    await client.query(
      `SELECT count(*)::int AS rows, min(seq)::int AS first, max(seq)::int AS last, bool_and(fits) AS fits,
         string_agg(hash, ''::bytea ORDER BY seq) AS hashes
       FROM (SELECT seq, hash, hash = sha256(coalesce(lag(hash) OVER (ORDER BY seq), decode(repeat('00', 32), 'hex'))
           || convert_to(bytes, 'UTF8')) AS fits FROM entries WHERE terminal_id = $1) AS chain`,
      [terminalId],
    )
  ).rows;
  const found: string[] = [];
  const expect = (what: string, got: unknown, wanted: unknown): void => {
    if (got !== wanted) found.push(`${terminalId}: ${what} is ${String(got)}, not ${String(wanted)}`);
  };
  expect('number of rows', row.rows, entryCount);
  expect('first entry', row.first, 1);
  expect('last entry', row.last, entryCount);
  expect('chain over the stored bytes', row.fits, true);
  expect('equality of every hash', ledger.hashes.equals(row.hashes ?? Buffer.alloc(0)), true);
  const acked = ledger.acknowledged();
  expect('acknowledged hash', toHex(acked?.hash ?? Buffer.alloc(0)), toHex(ledger.head().hash));
  const sums = await client.query(
    `SELECT currency || '/' || account AS name, amount_minor::float8 AS sum FROM balances WHERE terminal_id = $1`,
    [terminalId],
  );
  expect('number of accounts', sums.rows.length, ledger.balances.size);
  for (const { name, sum } of sums.rows) expect(`balance of ${name}`, sum, ledger.balances.get(name));
  return found;
}

/**
 * Seconds that COPY takes for the rows of `entries` from `fromSeq` of every ledger on: into a table
 * without key, index or check, and into an empty one with all that `entries` has.
 */
export async function copyBeside(
  client: pg.Client,
  url: string,
  file: string,
  fromSeq = 1,
): Promise<{ readonly plain: number; readonly keyed: number }> {
  const psql = (sql: string, stdin: number | 'ignore', stdout: number | 'ignore'): void => {
    execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', sql], {
      stdio: [stdin, stdout, 'inherit'],
    });
  };
  const out = openSync(file, 'w');
  psql(`COPY (SELECT * FROM entries WHERE seq >= ${fromSeq}) TO STDOUT`, 'ignore', out);
  closeSync(out);
  if (statSync(file).size === 0) throw new Error('no rows to copy');
  await client.query(`
    DROP TABLE IF EXISTS plain, keyed;
    CREATE TABLE plain AS SELECT * FROM entries WITH NO DATA;
    CREATE TABLE keyed (LIKE entries INCLUDING ALL) PARTITION BY HASH (terminal_id);
    DO $$ BEGIN
      FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE keyed_%s PARTITION OF keyed FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
      END LOOP;
    END $$`);
  const into = (table: 'plain' | 'keyed'): number => {
    const rows = openSync(file, 'r');
    const startMs = performance.now();
    psql(`COPY ${table} FROM STDIN`, rows, 'ignore');
    const seconds = (performance.now() - startMs) / 1000;
    closeSync(rows);
    return seconds;
  };
  return { plain: into('plain'), keyed: into('keyed') };
}
