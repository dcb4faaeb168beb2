/**
 * Two thousand tables come back at once to two instances of the centre on one PostgreSQL server:
 * rows per second from the first message to the last acknowledgement, beside COPY of the same rows
 * into a plain table in the same run. The batches are signed beforehand, since real tables have
 * processors of their own; a batch that is turned away comes again as a terminal's does.
 */

import { writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import { BATCH_TYPE, signLines } from '../ledger/chain/batch.codec.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { copyPlain } from '../test/centre/fleet-run.ts';
import { virtualLedger } from '../test/centre/virtual-ledger.ts';
import { startCentre } from './centre.ts';
import type { PartContext } from './part.ts';
import { progress, round3 } from './stats.ts';

const TABLES = 2_000;
/** Of each, in one batch: some forty rounds, an hour of play. */
const ENTRIES = 500;
const LEAST_SHARE_OF_COPY = 0.5;

/** A batch of every table, signed; its key becomes known to the centre. */
const signBatches = (enrolDir: string) =>
  Array.from({ length: TABLES }, (_, i) => {
    const terminalId = `table-${i + 1}`;
    const ledger = virtualLedger({ terminalId, seed: i, entryCount: ENTRIES, fromMs: 0, toMs: 3_600_000 });
    writeFileSync(join(enrolDir, `${terminalId}.pub`), ledger.key.publicPem);
    const head = {
      ...{ terminal: terminalId, firstSeq: 1, count: ENTRIES },
      ...{ prevHash: toHex(ledger.hashAt(0)!), lastHash: toHex(ledger.hashAt(ENTRIES)!) },
    };
    return { terminalId, body: signLines(head, ledger.readLines(1, ENTRIES), ledger.key) };
  });

export async function benchFleet(context: PartContext): Promise<object | null> {
  progress(`fleet: ${TABLES} tables sign ${ENTRIES} entries each`);
  const running = await startCentre(context, 'fleet', signBatches);
  if (running === null) return null;
  const { dir, databaseUrl, client, urlOf, cpu, enrolled: batches } = running;
  const agent = new Agent({ keepAlive: true });
  context.stack.defer(() => agent.destroy());
  const answers: Record<string, number> = {};
  const before = cpu();
  const startMs = performance.now();
  await Promise.all(
    batches.map(async ({ terminalId, body }, i) => {
      const url = `${urlOf(i)}/v1/terminals/${terminalId}/batches`;
      let wait: IBackoff<unknown> = WAITS.next();
      for (;;) {
        const status = await post(url, body, agent);
        answers[status] = (answers[status] ?? 0) + 1;
        if (status === 200) return;
        await sleep(wait.duration);
        wait = wait.next(undefined);
      }
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  const rows = TABLES * ENTRIES;
  const [centre, database] = cpu().map((now, i) => round3(((now - before[i]!) * 1e6) / rows));
  const { rows: stored } = await client.query<{ rows: number }>('SELECT count(*)::int AS rows FROM entries');
  if (stored[0]!.rows !== rows) throw new Error(`the centre has ${stored[0]!.rows} rows, ${rows} were sent`);
  const rate = rows / seconds;
  /** Since the last acknowledgement, until this page shows all of it. */
  const toldAfter = async (table: 'floor_tables' | 'day_ledgers'): Promise<number> => {
    const isBehind = `SELECT 1 FROM terminals t LEFT JOIN ${table} f USING (terminal_id)
      WHERE coalesce(f.seq, 0) < t.head_seq LIMIT 1`;
    while ((await client.query(isBehind)).rows.length > 0) await sleep(250);
    return round3((performance.now() - startMs) / 1000 - seconds);
  };
  const [floorSeconds, daysSeconds] = [await toldAfter('floor_tables'), await toldAfter('day_ledgers')];
  const [, beforeCopy] = cpu();
  const copySeconds = await copyPlain(client, databaseUrl, join(dir, 'rows'));
  const copy = rows / copySeconds;
  // The rows are written to a file before that, by the same server.
  const copying = round3(((cpu()[1]! - beforeCopy) * 1e6) / rows);
  progress(`fleet: ${Math.round(rate)} rows/s, COPY ${Math.round(copy)}`);
  return {
    tables: TABLES,
    rows,
    rowsPerSecond: Math.round(rate),
    copyRowsPerSecond: Math.round(copy),
    shareOfCopy: {
      value: round3(rate / copy),
      atLeast: LEAST_SHARE_OF_COPY,
      met: rate / copy >= LEAST_SHARE_OF_COPY,
    },
    cpuUsPerRow: { centre, database, databaseOfCopyOutAndIn: copying },
    toldAfterSeconds: { floor: floorSeconds, days: daysSeconds },
    answers,
  };
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
