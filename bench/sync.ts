/**
 * Rows per second from the ledgers of many terminals into the centre on PostgreSQL: read from the
 * file, sent, verified, committed, acknowledged, the acknowledgement written. Beside them, of the
 * same rows in the same run on the same server, what bare statements do with rows that lie ready in
 * memory.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { BATCH_LIMIT } from '../ledger/chain/batch.codec.ts';
import { loadOrCreateKey, openLedger } from '../ledger/store/ledger.store.ts';
import { copyBeside } from '../test/centre/fleet-run.ts';
import { virtualLedger } from '../test/centre/virtual-ledger.ts';
import { startCentre } from './centre.ts';
import type { PartContext } from './part.ts';
import { median, progress, round3 } from './stats.ts';
import type { Sender } from './sync-terminals.ts';

/** The link and the bare statement take turns, so that both meet whatever else the machine does. */
const TURNS = 3;
/** For the terminals: as many as the bare statements have connections. */
const THREADS = 2;
const TERMINALS = 8;
const ENTRIES = 3_000;
const SINGLE_ROWS = 2_000;
/** At once, for the bare statements: more are no quicker on two cores. */
const CONNECTIONS = 2;

/** The ledgers of each turn; their keys become known to the centre. */
const fillLedgers = (enrolDir: string, dir: string) =>
  Array.from({ length: TURNS }, (_, turn) =>
    Array.from({ length: TERMINALS }, (_, i) => {
      const terminalId = `table-${turn * TERMINALS + i + 1}`;
      const own = join(dir, terminalId);
      writeFileSync(join(enrolDir, `${terminalId}.pub`), filledLedger(own, terminalId));
      return { dir: own, terminalId };
    }),
  );

export async function benchSync(context: PartContext): Promise<object | null> {
  const rows = TERMINALS * ENTRIES;
  progress(`sync: ${TURNS} times ${rows} entries in ${TERMINALS} ledgers`);
  const running = await startCentre(context, 'sync', fillLedgers);
  if (running === null) return null;
  const { dir, databaseUrl, client, urlOf, enrolled: turns } = running;
  /** Processor seconds up to now: this process with its threads, the centre, the server. */
  const cpu = (): number[] => {
    const { user, system } = process.cpuUsage();
    return [(user + system) / 1e6, ...running.cpu()];
  };
  const seen: { link: number; batched: number; single: number; linkUs: number[]; bareUs: number[] }[] = [];
  for (const terminals of turns) {
    const senders = terminals.map((each, i) => ({ ...each, url: urlOf(i) }));
    const { rate: link, us: linkUs } = await send(senders, rows, cpu);
    const { rows: kept } = await client.query(
      `SELECT ${COLUMNS.join(', ')} FROM entries WHERE terminal_id = ANY ($1) ORDER BY terminal_id, seq`,
      [terminals.map(({ terminalId }) => terminalId)],
    );
    if (kept.length !== rows) throw new Error(`the centre has ${kept.length} rows, ${rows} were sent`);
    const { rate: batched, us: bareUs } = await bare(client, databaseUrl, kept, BATCH_LIMIT, cpu);
    const { rate: single } = await bare(client, databaseUrl, kept.slice(0, SINGLE_ROWS), 1, cpu);
    seen.push({ link, batched, single, linkUs, bareUs });
    progress(
      `sync: ${Math.round(link)} rows/s; bare batched ${Math.round(batched)}, single-row commits ${Math.round(single)}`,
    );
  }
  const copy = (TURNS * rows) / (await copyBeside(client, databaseUrl, join(dir, 'rows'))).plain;
  const middle = (of: (turn: (typeof seen)[number]) => number): number => median(seen.map(of));
  const us = (of: 'linkUs' | 'bareUs', i: number): number => round3(middle((turn) => turn[of][i]!));
  const cpuUsPerRow = {
    link: { terminals: us('linkUs', 0), centre: us('linkUs', 1), server: us('linkUs', 2) },
    bare: { client: us('bareUs', 0), server: us('bareUs', 2) },
    bareOfLink: round3(middle(({ linkUs, bareUs }) => sumOf(bareUs) / sumOf(linkUs))),
  };
  return {
    rows: TURNS * rows,
    rowsPerSecond: Math.round(middle(({ link }) => link)),
    batchedInsertRowsPerSecond: Math.round(middle(({ batched }) => batched)),
    shareOfBatchedInsert: round3(middle(({ link, batched }) => link / batched)),
    singleRowCommitsPerSecond: Math.round(middle(({ single }) => single)),
    timesSingleRowCommits: round3(middle(({ link, single }) => link / single)),
    copyRowsPerSecond: Math.round(copy),
    shareOfCopy: round3(middle(({ link }) => link) / copy),
    cpuUsPerRow,
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * A ledger file with the entries of rounds of a table, chained and balanced as every one; its
 * public key in PEM.
 */
function filledLedger(dir: string, terminalId: string): string {
  mkdirSync(dir);
  const key = loadOrCreateKey(dir);
  const ledger = openLedger(join(dir, 'ledger.db'), { terminalId, key, createIfMissing: true });
  const source = virtualLedger({ terminalId, seed: 1, entryCount: ENTRIES, fromMs: 0, toMs: 86_400_000 });
  for (let from = 1; from <= ENTRIES; from += 1_000)
    ledger.append(
      from,
      null,
      source
        .read(from, 1_000)
        .map(({ kind, roundId, body, postings }) => ({ kind, roundId, body, postings })),
    );
  ledger.close();
  return key.publicPem;
}

interface Timed {
  /** Rows per second. */
  readonly rate: number;
  /** Of the processor, for each row, in the order of `cpu`. */
  readonly us: number[];
}

async function timed(rows: number, cpu: () => number[], work: () => Promise<unknown>): Promise<Timed> {
  const before = cpu();
  const start = performance.now();
  await work();
  const rate = rows / ((performance.now() - start) / 1000);
  return { rate, us: cpu().map((now, i) => ((now - before[i]!) * 1e6) / rows) };
}

/**
 * Until the centre has acknowledged everything, each half of the terminals on a thread of its own.
 */
async function send(senders: readonly Sender[], rows: number, cpu: () => number[]): Promise<Timed> {
  const threads = Array.from(
    { length: THREADS },
    (_, own) =>
      new Worker(new URL('sync-terminals.ts', import.meta.url), {
        workerData: senders.filter((_, i) => i % THREADS === own),
      }),
  );
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  const result = await timed(rows, cpu, () =>
    Promise.all(
      threads.map((thread) => {
        const sent = once(thread, 'message');
        thread.postMessage('go');
        return sent;
      }),
    ),
  );
  await Promise.all(threads.map((thread) => thread.terminate()));
  return result;
}

const COLUMNS = [
  'terminal_id',
  'seq',
  'at_ms',
  'kind',
  'round_id',
  'command_id',
  'bytes',
  'postings',
  'hash',
];

/**
 * Rows per second of INSERT ... ON CONFLICT, so many rows in a statement, each statement its own
 * commit, nothing checked.
 */
async function bare(
  admin: pg.Client,
  url: string,
  rows: readonly Record<string, unknown>[],
  perStatement: number,
  cpu: () => number[],
): Promise<Timed> {
  const table = `bare_${perStatement}`;
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  try {
    await admin.query(
      `DROP TABLE IF EXISTS ${table};
       CREATE TABLE ${table} (terminal_id text, seq bigint, at_ms bigint, kind text, round_id text, command_id text,
         bytes text, postings json, hash bytea, PRIMARY KEY (terminal_id, seq))`,
    );
    const batches = Array.from({ length: Math.ceil(rows.length / perStatement) }, (_, i) =>
      rows
        .slice(i * perStatement, (i + 1) * perStatement)
        .flatMap((row) =>
          COLUMNS.map((name) => (name === 'postings' ? JSON.stringify(row[name]) : row[name])),
        ),
    );
    return await timed(rows.length, cpu, () =>
      Promise.all(
        clients.map(async (client, own) => {
          for (const [i, values] of batches.entries()) {
            if (i % CONNECTIONS !== own) continue;
            const count = values.length / COLUMNS.length;
            await client.query({
              name: `${table}_${count}`,
              text: `INSERT INTO ${table} VALUES ${lines(count)} ON CONFLICT DO NOTHING`,
              values,
            });
          }
        }),
      ),
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, row) => `(${COLUMNS.map((_, i) => `$${row * COLUMNS.length + i + 1}`).join(',')})`,
  ).join(',');
