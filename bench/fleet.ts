/**
 * Two thousand tables come back at once to two instances of the centre on one PostgreSQL server,
 * several times in one run: rows per second from the first message to the last acknowledgement,
 * each time beside COPY of the same rows into a plain table and into one with the centre's keys,
 * indexes and checks, since what COPY does differs by half from one minute to the next. The batches
 * are signed beforehand, since real tables have processors of their own; a batch that is turned
 * away comes again as a terminal's does.
 */

import { writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import { BATCH_TYPE, signLines } from '../ledger/chain/batch.codec.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { copyBeside } from '../test/centre/fleet-run.ts';
import { type VirtualLedger, virtualLedger } from '../test/centre/virtual-ledger.ts';
import { startCentre } from './centre.ts';
import type { PartContext } from './part.ts';
import { median, progress, round3 } from './stats.ts';

const TABLES = 2_000;
/** Of each, in one batch: some forty rounds, an hour of play. */
const ENTRIES = 500;
const ROWS = TABLES * ENTRIES;
const TURNS = 3;
const LEAST_SHARE_OF_COPY = 0.5;

/** The tables; their keys become known to the centre. */
const enrolTables = (enrolDir: string): VirtualLedger[] =>
  Array.from({ length: TABLES }, (_, i) => {
    const [terminalId, entryCount] = [`table-${i + 1}`, TURNS * ENTRIES];
    const ledger = virtualLedger({ terminalId, seed: i, entryCount, fromMs: 0, toMs: TURNS * 3_600_000 });
    writeFileSync(join(enrolDir, `${terminalId}.pub`), ledger.key.publicPem);
    return ledger;
  });

/** The next batch of a table, signed. */
function signBatch(ledger: VirtualLedger, turn: number): { terminal: string; body: Buffer } {
  const terminal = ledger.terminalId;
  const firstSeq = turn * ENTRIES + 1;
  const head = {
    ...{ terminal, firstSeq, count: ENTRIES },
    prevHash: toHex(ledger.hashAt(firstSeq - 1)!),
    lastHash: toHex(ledger.hashAt(firstSeq - 1 + ENTRIES)!),
  };
  return { terminal, body: signLines(head, ledger.readLines(firstSeq, ENTRIES), ledger.key) };
}

export async function benchFleet(context: PartContext): Promise<object | null> {
  const running = await startCentre(context, 'fleet', enrolTables);
  if (running === null) return null;
  const { dir, databaseUrl, client, urlOf, cpu, enrolled: ledgers } = running;
  const agent = new Agent({ keepAlive: true });
  context.stack.defer(() => agent.destroy());
  const answers: Record<string, number> = {};
  const send = async ({ terminal, body }: ReturnType<typeof signBatch>, i: number): Promise<void> => {
    const url = `${urlOf(i)}/v1/terminals/${terminal}/batches`;
    let wait: IBackoff<unknown> = WAITS.next();
    for (;;) {
      const status = await post(url, body, agent);
      answers[status] = (answers[status] ?? 0) + 1;
      if (status === 200) return;
      await sleep(wait.duration);
      wait = wait.next(undefined);
    }
  };
  const turns: Turn[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    progress(`fleet: ${TABLES} tables sign ${ENTRIES} entries each`);
    const batches = ledgers.map((ledger) => signBatch(ledger, turn));
    const before = cpu();
    const startMs = performance.now();
    await Promise.all(batches.map(send));
    const seconds = (performance.now() - startMs) / 1000;
    const [centre, database] = cpu().map((now, i) => ((now - before[i]!) * 1e6) / ROWS);
    const sent = (turn + 1) * ROWS;
    const [stored] = (await client.query<{ rows: number }>('SELECT count(*)::int AS rows FROM entries')).rows;
    if (stored!.rows !== sent) throw new Error(`the centre has ${stored!.rows} rows, ${sent} were sent`);
    /** Since the last acknowledgement, until this page shows all of it. */
    const shownAfter = async (table: 'floor_tables' | 'day_ledgers'): Promise<number> => {
      const isBehind = `SELECT 1 FROM terminals t LEFT JOIN ${table} f USING (terminal_id)
        WHERE coalesce(f.seq, 0) < t.head_seq LIMIT 1`;
      while ((await client.query(isBehind)).rows.length > 0) await sleep(250);
      return (performance.now() - startMs) / 1000 - seconds;
    };
    const [floor, days] = [await shownAfter('floor_tables'), await shownAfter('day_ledgers')];
    const [, beforeCopy] = cpu();
    const copied = await copyBeside(client, databaseUrl, join(dir, 'rows'), turn * ENTRIES + 1);
    // Written to a file first and then into both tables, by the same server.
    const copying = ((cpu()[1]! - beforeCopy) * 1e6) / ROWS;
    const [link, copy, keyed] = [ROWS / seconds, ROWS / copied.plain, ROWS / copied.keyed];
    turns.push({
      link,
      copy,
      keyed,
      share: link / copy,
      shareOfKeyed: link / keyed,
      centre: centre!,
      database: database!,
      copying,
      floor,
      days,
    });
    progress(`fleet: ${Math.round(link)} rows/s, COPY ${Math.round(copy)}, with keys ${Math.round(keyed)}`);
  }
  const middle = (of: keyof Turn): number => median(turns.map((turn) => turn[of]));
  const each = (of: keyof Turn): number[] => turns.map((turn) => round3(turn[of]));
  const us = (of: keyof Turn): number => round3(middle(of));
  return {
    tables: TABLES,
    rows: TURNS * ROWS,
    rowsPerSecond: { middle: Math.round(middle('link')), each: each('link') },
    copyRowsPerSecond: { middle: Math.round(middle('copy')), each: each('copy') },
    shareOfCopy: {
      value: round3(middle('share')),
      each: each('share'),
      atLeast: LEAST_SHARE_OF_COPY,
      met: middle('share') >= LEAST_SHARE_OF_COPY,
    },
    keyedCopyRowsPerSecond: { middle: Math.round(middle('keyed')), each: each('keyed') },
    shareOfKeyedCopy: { value: round3(middle('shareOfKeyed')), each: each('shareOfKeyed') },
    cpuUsPerRow: {
      centre: us('centre'),
      database: us('database'),
      databaseOfCopyOutAndTwiceIn: us('copying'),
    },
    shownAfterSeconds: { floor: each('floor'), days: each('days') },
    answers,
  };
}

/**
 * Rows per second, microseconds of processor for each row, and seconds until a page shows all of
 * it.
 */
interface Turn {
  readonly link: number;
  readonly copy: number;
  readonly keyed: number;
  readonly share: number;
  readonly shareOfKeyed: number;
  readonly centre: number;
  readonly database: number;
  readonly copying: number;
  readonly floor: number;
  readonly days: number;
}

/** As a terminal waits. */
const WAITS = new ExponentialBackoff({ initialDelay: 250, maxDelay: 2_000 });

/** Status of the answer; 0 where there was none. */
const post = (url: string, body: Buffer, agent: Agent): Promise<number> =>
  new Promise((resolve) => {
    const sent = httpRequest(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': BATCH_TYPE, 'content-length': body.length },
    });
    sent.on('error', () => resolve(0));
    sent.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', () => resolve(0));
    });
    sent.end(body);
  });
