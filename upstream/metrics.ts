/**
 * Figures for Prometheus. What is true of the terminals is read from the database: every instance
 * says the same.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from './db.store.ts';
import { INCIDENT_KINDS } from './incidents.store.ts';
import { HEARD_AT, HEARD_FROM } from './operator.store.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly batches: Counter<'outcome'>;
  readonly reports: Counter<'outcome'>;
  readonly entries: Counter;
  readonly seconds: Histogram;
}

interface TerminalRow {
  readonly terminal: string;
  readonly head: number;
  readonly lag: number | null;
  readonly silent: number | null;
  readonly clock: number | null;
  readonly locked: number;
}

export function createMetrics(db: Db): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let asking: Promise<void> | null = null;
  /** One query for all gauges of a scrape. */
  const ask = (): Promise<void> => {
    asking ??= readTerminals().finally(() => {
      asking = null;
    });
    return asking;
  };
  const ofTerminal = (name: string, help: string): Gauge<'terminal'> =>
    new Gauge({ name, help, labelNames: ['terminal'], registers, collect: ask });
  const head = ofTerminal('banca_terminal_head_seq', 'Newest entry stored');
  const lag = ofTerminal(
    'banca_terminal_lag_entries',
    'Entries the terminal said it has and that are not stored',
  );
  const silent = ofTerminal('banca_terminal_silent_seconds', 'Time since its last report or new entry');
  const clock = ofTerminal('banca_terminal_clock_off_seconds', "Terminal's clock minus ours");
  const locked = ofTerminal('banca_terminal_locked', '1 = the terminal has locked its money');
  async function readTerminals(): Promise<void> {
    const rows = await db.query<TerminalRow>(
      `SELECT t.terminal_id AS terminal, t.head_seq::float8 AS head,
         greatest(r.head_seq - t.head_seq, 0)::float8 AS lag,
         extract(epoch FROM now() - ${HEARD_AT})::float8 AS silent, r.clock_off_ms::float8 / 1000 AS clock,
         coalesce(r.locked, false)::int AS locked
       FROM terminals t ${HEARD_FROM}`,
    );
    for (const gauge of [head, lag, silent, clock, locked]) gauge.reset();
    for (const row of rows) {
      const { terminal } = row;
      head.set({ terminal }, row.head);
      locked.set({ terminal }, row.locked);
      if (row.lag !== null) lag.set({ terminal }, row.lag);
      if (row.silent !== null) silent.set({ terminal }, row.silent);
      if (row.clock !== null) clock.set({ terminal }, row.clock);
    }
  }
  const incidents: Gauge<'kind'> = new Gauge({
    name: 'banca_incidents',
    help: 'What did not fit, by kind: different cases, not how often each was seen',
    labelNames: ['kind'],
    registers,
    collect: async () => {
      // Nought is said as well: the first case of a kind is a rise like every other.
      for (const kind of [...INCIDENT_KINDS, 'fork']) incidents.set({ kind }, 0);
      const rows = await db.query<{ kind: string; cases: number }>(
        `SELECT kind, count(*)::int AS cases FROM incidents GROUP BY kind
         UNION ALL SELECT 'fork', count(*)::int FROM forks`,
      );
      for (const { kind, cases } of rows) incidents.set({ kind }, cases);
    },
  });
  return {
    registry,
    batches: new Counter({
      name: 'banca_batches_total',
      help: 'Batches received, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    reports: new Counter({
      name: 'banca_reports_total',
      help: 'Reports of terminals received, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    entries: new Counter({
      name: 'banca_entries_total',
      help: 'Entries stored for the first time by this instance',
      registers,
    }),
    seconds: new Histogram({
      name: 'banca_ingest_seconds',
      help: 'From a whole batch to its answer',
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
      registers,
    }),
  };
}

/** So that a certificate is renewed before terminals refuse it. */
export function addCertificateEnd({ registry }: Metrics, endMs: number): void {
  new Gauge({
    name: 'banca_certificate_end_timestamp_seconds',
    help: 'When the certificate shown to terminals ends',
    registers: [registry],
  }).set(endMs / 1000);
}
