/**
 * One small seam over the two databases the centre runs on: a PostgreSQL server, or PostgreSQL
 * embedded.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db, Queryable } from './database.ts';
import { greetPostgres, type PostgresRules, refusalOf, serversOf } from './postgres-address.ts';
import { bring, nameOfProgram } from './schema.store.ts';
import { MIGRATIONS, type SchemaStep } from './schema.ts';

export type { Db, Queryable };

const names = new Map<string, string>();
/** Statements are texts of this program, a few dozen. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? `banca_${names.size + 1}`;
  names.set(sql, name);
  return name;
}

/** A server that does not even take a connection in this time is left for the next one. */
const CONNECT_WITHIN_MS = 3_000;
/**
 * A statement without an answer for so long: the machine of the server is gone, and its connection
 * would wait a quarter of an hour for it.
 */
const ANSWER_WITHIN_MS = 15_000;
/** A step of the schema takes what it takes. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const READ_ONLY = '25006';

/**
 * A pool on a server, brought to the newest schema. Rejects with a sentence when its address is not
 * to be used, it cannot be reached, or the database is not encoded in UTF8. Of several servers in
 * the address it works on the one that takes writes, and looks for it again when that one is gone.
 */
export async function openPostgres(
  url: string,
  rules: PostgresRules = { plainAllowed: false },
  { steps = MIGRATIONS, answerWithinMs = ANSWER_WITHIN_MS }: PostgresOptions = {},
): Promise<Db> {
  const refused = refusalOf(url, rules);
  if (refused !== null) throw new Error(refused);
  await greetPostgres(url);
  const servers = serversOf(url);
  // Where there is no next server to try, a busy one is waited for.
  const connectionTimeoutMillis = servers.length > 1 ? CONNECT_WITHIN_MS : answerWithinMs;
  /** Which of them took writes last. */
  let at = 0;
  const pool = new pg.Pool({
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: servers[at], connectionTimeoutMillis });
      }
    },
    max: 10,
    keepAlive: true,
    query_timeout: answerWithinMs,
    application_name: nameOfProgram(steps),
    // Every statement here is short; compiling one took half a second, each time.
    options: '-c synchronous_commit=on -c jit=off',
    ...(servers.length > 1 && { verify: refuseStandby }),
  });
  // An idle connection that breaks is replaced at the next query; unheard, its error would end the
  // process.
  pool.on('error', () => undefined);
  const connected = async (): Promise<pg.PoolClient> => {
    const why = servers.map(() => '');
    for (let left = servers.length; ; left -= 1) {
      const tried = at;
      try {
        return await pool.connect();
      } catch (error) {
        if (at === tried) at = (at + 1) % servers.length;
        if (servers.length === 1) throw error;
        why[tried] = (error as Error).message;
        if (left === 1) throw new Error(`no database server takes writes: ${why.filter(Boolean).join('; ')}`);
      }
    }
  };
  const over = (client: pg.PoolClient): Queryable => ({
    query: async <Row>(sql: string, params: readonly unknown[] = []) => {
      // A statement with a name is read and planned once on each connection.
      const known = params.length === 0 ? {} : { name: nameOf(sql) };
      return (await client.query({ text: sql, values: [...params], ...known })).rows as Row[];
    },
    script: async (sql) => {
      await client.query({ text: sql, query_timeout: NO_LIMIT_MS } as pg.QueryConfig);
    },
    copy: async (into, rows) => {
      await finished(client.query(copyFrom(`COPY ${into} FROM STDIN (FORMAT binary)`)).end(rows));
    },
  });
  const using = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await connected();
    /** Why the connection is good for nothing any more. */
    let lost: Error | undefined;
    // The pool hears of no connection that is in use; unheard, its end between two statements
    // would end the process.
    const broken = (error: Error): void => {
      lost = error;
    };
    client.on('error', broken);
    try {
      return await work(client);
    } catch (error) {
      if (isSilent(error) || (error as { code?: string }).code === READ_ONLY) lost ??= error as Error;
      throw error;
    } finally {
      client.removeListener('error', broken);
      client.release(lost);
    }
  };
  const db: Db = {
    engine: 'postgresql',
    query: (sql, params) => using((client) => over(client).query(sql, params)),
    script: (sql) => using((client) => over(client).script(sql)),
    copy: (into, rows) => using((client) => over(client).copy(into, rows)),
    transaction: (work) =>
      using(async (client) => {
        try {
          await client.query('BEGIN');
          const result = await work(over(client));
          await client.query('COMMIT');
          return result;
        } catch (error) {
          // Of a connection that ends the server rolls back what it had begun.
          if (!isSilent(error))
            await client.query('ROLLBACK').catch((e: Error) => {
              client.emit('error', e);
            });
          throw error;
        }
      }),
    listen: async (channel, heard) => listenOn(() => servers[at]!, channel, heard),
    close: () => pool.end(),
  };
  return await migrated(db, steps);
}

/** The library's own words for a statement that has had no answer in time. */
const isSilent = (error: unknown): boolean => (error as Error).message === 'Query read timeout';

export interface PostgresOptions {
  /** Those that this program knows. */
  readonly steps?: readonly SchemaStep[];
  readonly answerWithinMs?: number;
}

/** For a new connection where one of several servers takes writes. */
function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
    .then(({ rows }) => done(rows[0]?.standby ? new Error('the server is a standby') : undefined), done);
}

/** So long after a connection for notifications is lost another one is tried. */
const LISTEN_AGAIN_MS = 1_000;
/** Nothing comes for hours, or the machine of the server is gone: asking tells which. */
const LISTEN_ASK_MS = 10_000;

/** Notifications need a connection of their own, which may be lost and made again. */
function listenOn(url: () => string, channel: string, heard: () => void): () => Promise<void> {
  const stopping = new AbortController();
  let client: pg.Client | null = null;
  const connected = async (): Promise<void> => {
    const own = new pg.Client({
      connectionString: url(),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: CONNECT_WITHIN_MS,
    });
    client = own;
    const over = new Promise<void>((resolve) => {
      own.once('end', resolve);
      own.on('error', () => resolve());
    });
    own.on('notification', heard);
    const asking = setInterval(() => {
      own.query('SELECT 1').catch(() => own.end());
    }, LISTEN_ASK_MS).unref();
    try {
      await own.connect();
      await own.query(`LISTEN ${own.escapeIdentifier(channel)}`);
      heard();
      await over;
    } catch {
      // The next one may succeed.
    }
    clearInterval(asking);
    await own.end().catch(() => undefined);
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
      (await client.query<Row>(sql, [...params])).rows,
    script: async (sql) => {
      await client.exec(sql);
    },
    copy: async (into, rows) => {
      const blob = new Blob([rows as Uint8Array<ArrayBuffer>]);
      await client.query(`COPY ${into} FROM '/dev/blob' (FORMAT binary)`, [], { blob });
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

async function migrated(db: Db, steps: readonly SchemaStep[] = MIGRATIONS): Promise<Db> {
  try {
    await bring(db, steps);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
