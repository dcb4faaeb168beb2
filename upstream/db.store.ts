/**
 * One small seam over the two databases the centre runs on: a PostgreSQL server, or PostgreSQL
 * embedded.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import pg from 'pg';
import { Column } from './column.codec.ts';
import { greetPostgres, type PostgresRules, refusalOf } from './postgres-address.ts';
import { MIGRATIONS } from './schema.ts';

export interface Queryable {
  /** A parameter may be a Column. */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

export interface Db extends Queryable {
  readonly engine: 'postgresql' | 'pglite';
  /** COMMIT when `work` resolves, ROLLBACK when it rejects. */
  transaction<T>(work: (q: Queryable) => Promise<T>): Promise<T>;
  /**
   * `heard` is called after every NOTIFY of the channel by whatever process, and when some may have
   * been missed. Resolves with what ends it.
   */
  listen(channel: string, heard: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const names = new Map<string, string>();
/** Statements are texts of this program, a few dozen. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? `banca_${names.size + 1}`;
  names.set(sql, name);
  return name;
}

/**
 * A pool on a server, brought to the newest schema. Rejects with a sentence when its address is not
 * to be used, it cannot be reached, or the database is not encoded in UTF8.
 */
export async function openPostgres(url: string, rules: PostgresRules = { plainAllowed: false }): Promise<Db> {
  const refused = refusalOf(url, rules);
  if (refused !== null) throw new Error(refused);
  await greetPostgres(url);
  const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c synchronous_commit=on' });
  // An idle connection that breaks is replaced at the next query; unheard, its error would end the
  // process.
  pool.on('error', () => undefined);
  const over = (client: pg.Pool | pg.PoolClient): Queryable => ({
    query: async <Row>(sql: string, params: readonly unknown[] = []) => {
      const values = params.map((param) => (param instanceof Column ? param.toBinary() : param));
      // A statement with a name is read and planned once on each connection.
      const known = values.length === 0 ? {} : { name: nameOf(sql) };
      return (await client.query({ text: sql, values, ...known })).rows as Row[];
    },
    script: async (sql) => {
      await client.query(sql);
    },
  });
  const db: Db = {
    engine: 'postgresql',
    ...over(pool),
    transaction: async (work) => {
      const client = await pool.connect();
      let lost: Error | undefined;
      // The pool hears of no connection that is in use; unheard, its end between two statements
      // would end the process.
      const broken = (error: Error): void => {
        lost = error;
      };
      client.on('error', broken);
      try {
        await client.query('BEGIN');
        const result = await work(over(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((e: Error) => {
          lost = e;
        });
        throw error;
      } finally {
        client.removeListener('error', broken);
        client.release(lost);
      }
    },
    listen: async (channel, heard) => listenOn(url, channel, heard),
    close: () => pool.end(),
  };
  return await migrated(db);
}

/** So long after a connection for notifications is lost another one is tried. */
const LISTEN_AGAIN_MS = 1_000;

/** Notifications need a connection of their own, which may be lost and made again. */
function listenOn(url: string, channel: string, heard: () => void): () => Promise<void> {
  const stopping = new AbortController();
  let client: pg.Client | null = null;
  const connected = async (): Promise<void> => {
    client = new pg.Client({ connectionString: url, keepAlive: true });
    const over = new Promise<void>((resolve) => {
      client!.once('end', resolve);
      client!.on('error', () => resolve());
    });
    client.on('notification', heard);
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      heard();
      await over;
    } catch {
      // The next one may succeed.
    }
    await client.end().catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await connected();
      await sleep(LISTEN_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await client?.end().catch(() => undefined);
    await running;
  };
}

/**
 * V8 compiles WebAssembly once and quickly. Its optimising compiler takes 2.5 seconds of processor
 * for the database in each process, which the few rows of one terminal never earn back.
 */
const QUICK_WASM = ['--liftoff', '--liftoff-only', '--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

/**
 * The rows of one terminal need no 128 MB of buffers: setting those up was a third of a start's
 * processor time, and 130 MB of memory.
 */
const SMALL_BUFFERS = ['-c', 'shared_buffers=8MB'];

/**
 * PostgreSQL inside this process, its files in `dir`. Rejects when another process has them open.
 */
export async function openEmbedded(dir: string): Promise<Db> {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o700);
  const lock = await holdDir(dir);
  for (const flag of QUICK_WASM) setFlagsFromString(flag);
  const lite = await PGlite.create(dir, { startParams: [...PGlite.defaultStartParams, ...SMALL_BUFFERS] });
  const over = (client: PGlite | Transaction): Queryable => ({
    query: async <Row>(sql: string, params: readonly unknown[] = []) =>
      (
        await client.query<Row>(
          sql,
          params.map((param) => (param instanceof Column ? param.toTexts() : param)),
        )
      ).rows,
    script: async (sql) => {
      await client.exec(sql);
    },
  });
  const db: Db = {
    engine: 'pglite',
    ...over(lite),
    transaction: (work) => lite.transaction((tx) => work(over(tx))),
    listen: (channel, heard) => lite.listen(channel, heard),
    close: async () => {
      await lite.close();
      lock.close();
    },
  };
  return await migrated(db);
}

/**
 * PGlite does not notice a second process on its files and would ruin them. A name in Linux's
 * abstract socket space is free again the moment its process is gone, however it went.
 */
function holdDir(dir: string): Promise<Server> {
  const name = createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 32);
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', () => reject(new Error(`the database in ${dir} is in use by another process`)));
    server.listen(`\0banca-centre-${name}`, () => resolve(server));
  });
}

async function migrated(db: Db): Promise<Db> {
  try {
    await db.transaction(async (q) => {
      // Two centres that start on one server at the same time: the second waits here and finds the
      // work done.
      await q.query("SELECT pg_advisory_xact_lock(hashtext('banca-centre-schema'))");
      await q.query(
        'CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())',
      );
      await q.query('ALTER TABLE schema_steps ADD COLUMN IF NOT EXISTS sha256 text');
      const rows = await q.query<{ step: number; sha256: string | null }>(
        'SELECT step, sha256 FROM schema_steps',
      );
      const done = new Map(rows.map(({ step, sha256 }) => [step, sha256]));
      const [newest, known] = [Math.max(0, ...done.keys()), MIGRATIONS.at(-1)!.step];
      if (newest > known)
        throw new Error(`the database is at schema step ${newest}, this program knows ${known}`);
      for (const { step, sql, sha256 } of MIGRATIONS) {
        const before = done.get(step);
        if (before === undefined) {
          await q.script(sql);
          await q.query('INSERT INTO schema_steps (step, sha256) VALUES ($1, $2)', [step, sha256]);
          // Step 1 was once noted without its hash.
        } else if (before !== null && before !== sha256) {
          throw new Error(`schema step ${step} was made by another text than this program's`);
        }
      }
    });
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
