import { chmodSync, lstatSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Gauge, Histogram, Registry } from 'prom-client';
import { http } from '../../ledger/chain/node-http.ts';
import type { UploadStatus } from '../../ledger/sync/uploader.ts';
import type { Terminal } from '../table/terminal.ts';
import type { Latencies, Took } from './latencies.ts';

/** Upper ends, seconds: a touch takes some milliseconds, a note some seconds. */
const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** One scraper, and one that tries by hand. */
const MOST_CONNECTIONS = 8;
const SLOWEST_MS = 5_000;

/** What is measured by name; the rest are answers of devices. */
const MEASURED = {
  commit: ['banca_commit_seconds', 'One write to the ledger, synced'],
  link: ['banca_link_seconds', 'From an entry until the centre has acknowledged it'],
  touch: ['banca_touch_to_disk_seconds', 'From a finger on the glass until its entry is on the disk'],
  card: ['banca_card_to_disk_seconds', "From the shoe's word of a card until its entry is on the disk"],
  note: ['banca_note_to_credit_seconds', 'From a note in escrow until its credit is on the disk'],
} as const satisfies Partial<Record<Took, readonly [string, string]>>;
const isMeasured = (what: Took): what is keyof typeof MEASURED => Object.hasOwn(MEASURED, what);

interface MetricsOptions {
  readonly path: string;
  readonly terminal: Terminal;
  readonly latencies: Pick<Latencies, 'listen'>;
  readonly centre: { readonly status: UploadStatus };
  readonly log: (line: string) => void;
}

/**
 * Figures of this terminal for Prometheus: `GET /metrics` on a Unix socket, for the account and the
 * group of the host. They name no player and no member of staff, and nothing of them decides
 * anything: where the socket cannot be opened, the log says why and the table plays.
 */
export class MetricsSocket {
  readonly #o: MetricsOptions;
  #server: Server | null = null;
  #isStopped = false;

  constructor(o: MetricsOptions) {
    this.#o = o;
  }

  async start(): Promise<void> {
    const { path, log } = this.#o;
    try {
      const registry = await registryOf(this.#o);
      await freePlace(path);
      if (this.#isStopped) return;
      const server = http.createServer((request, response) => {
        const isFound = request.url === '/metrics';
        if (!isFound || request.method !== 'GET') {
          response.writeHead(isFound ? 405 : 404, isFound ? { allow: 'GET' } : {}).end();
          return;
        }
        void registry.metrics().then(
          (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
          (error: Error) => response.writeHead(500).end(error.message),
        );
      });
      server.maxConnections = MOST_CONNECTIONS;
      server.requestTimeout = SLOWEST_MS;
      server.headersTimeout = SLOWEST_MS;
      server.on('error', (error) => log(`metrics: ${path}: ${error.message}`));
      server.listen(path, () => chmodSync(path, 0o660));
      this.#server = server;
    } catch (error) {
      log(`metrics: ${path}: ${(error as Error).message}`);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

/** Takes away what a life that was killed has left behind; throws where another program listens. */
async function freePlace(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error('there is something else, which stays');
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
  if (isTaken) throw new Error('another program listens there');
  rmSync(path);
}

async function registryOf({ terminal, latencies, centre }: MetricsOptions): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const histogram = (name: string, help: string): Histogram =>
    new Histogram({ name, help, buckets: BUCKETS, registers });
  const measured = Object.fromEntries(
    Object.entries(MEASURED).map(([what, [name, help]]) => [what, histogram(name, help)]),
  ) as Record<keyof typeof MEASURED, Histogram>;
  const answers = new Histogram({
    name: 'banca_device_answer_seconds',
    help: 'From a question until the device has answered',
    labelNames: ['device'],
    buckets: BUCKETS,
    registers,
  });
  latencies.listen((what, ms) => {
    if (isMeasured(what)) measured[what].observe(ms / 1_000);
    else answers.observe({ device: what }, ms / 1_000);
  });

  const rounds = new Counter({
    name: 'banca_rounds_total',
    help: 'Rounds that have ended in this life of the program, by how',
    labelNames: ['end'],
    registers,
  });
  const entries = new Counter({
    name: 'banca_entries_total',
    help: 'Entries written to the ledger in this life of the program',
    registers,
  });
  terminal.onCommit((commit) => {
    entries.inc(commit.entries.length);
    for (const { kind } of commit.entries)
      if (kind === 'round-settled' || kind === 'round-voided')
        rounds.inc({ end: kind === 'round-settled' ? 'settled' : 'void' });
  });

  const gauge = (name: string, help: string, read: () => number): void => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read()) });
  };
  const head = (): number => terminal.ledger.head().seq;
  gauge('banca_ledger_head_seq', 'Newest entry of the ledger', head);
  gauge(
    'banca_link_waiting_entries',
    'Entries that the centre has not acknowledged',
    () => head() - centre.status.ackedSeq,
  );
  gauge('banca_link_up', '1 = the centre answers', () => (centre.status.state === 'up' ? 1 : 0));
  gauge('banca_locked', '1 = the books do not agree, and nothing is taken', () =>
    terminal.locked === null ? 0 : 1,
  );
  gauge('banca_held', '1 = the round in play is held', () => (terminal.state.hold === null ? 0 : 1));
  const faults = new Gauge({
    name: 'banca_fault',
    help: '1 for each fault that stands',
    labelNames: ['device', 'fault'],
    registers,
    collect: () => {
      faults.reset();
      for (const { device, fault } of terminal.state.faults) faults.set({ device, fault }, 1);
    },
  });
  const table = new Gauge({
    name: 'banca_terminal_info',
    help: 'Which terminal this is, and what is played there; always 1',
    labelNames: ['terminal', 'rulebook'],
    registers,
    collect: () => {
      table.reset();
      table.set(
        { terminal: terminal.ledger.terminalId, rulebook: terminal.state.profile?.rulebook ?? '' },
        1,
      );
    },
  });
  return registry;
}
