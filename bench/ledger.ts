/**
 * Durable commits per second of the ledger, beside a bare SQLite table and a bare file on the same
 * disk in the same run.
 */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SimulatedTable } from '../cli/simulate/table.ts';
import { brokenEquations } from '../engine/accounting/meter-equations.ts';
import { emptyMeters } from '../engine/accounting/meter-fold.ts';
import { countEvent } from '../engine/accounting/meters.ts';
import { postingsOf } from '../engine/accounting/postings.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { NewEntry } from '../ledger/store/ledger.store.ts';
import { loadOrCreateKey, openLedger } from '../ledger/store/ledger.store.ts';
import type { PartContext } from './part.ts';
import { setupOf } from './peers/banca.ts';
import { median, progress, round3, spread } from './stats.ts';

/**
 * Many short blocks in turn: a disturbance of the machine falls on few of them, and the median does
 * not see it.
 */
const BLOCKS = 60;
const COMMITS_PER_BLOCK = 50;
/**
 * Until each log has been filled once and is written over: while a file grows, each commit is
 * slower.
 */
const WARM_COMMITS = 1_200;
/** Entries of one transaction in the case of a whole round. */
const ROUND_ROWS = 10;

interface Store {
  readonly name: string;
  /** Returns when the entries are on the disk. */
  commit(entries: readonly NewEntry[]): void;
  close(): void;
}

/** Entries as the live table stores them: those of rounds of one seat. */
function sampleEntries(): { bet: NewEntry; round: readonly NewEntry[] } {
  const events: TableEvent[] = [];
  const table = new SimulatedTable({
    ...setupOf({ played: 'blackjack', seats: 1 }).setup,
    listener: (made) => events.push(...made),
  });
  table.playRound();
  events.length = 0;
  table.playRound();
  const entries = events.map((event): NewEntry => {
    const { type, ...body } = event;
    return { kind: type, roundId: `r${table.state.roundNo}`, body, postings: postingsOf(event) };
  });
  const bet = entries.find((entry) => entry.kind === 'bet-placed');
  const round = entries.slice(-ROUND_ROWS);
  if (!bet || round.length < ROUND_ROWS) throw new Error('the round is too short to be a sample');
  return { bet, round };
}

/** A line of text and its chained hash, as every store here keeps them. */
function chain(): (entry: NewEntry) => { seq: number; text: string; hash: Buffer } {
  let seq = 0;
  let hash: Buffer = Buffer.alloc(32);
  return (entry) => {
    seq += 1;
    const text = JSON.stringify({ seq, atMs: seq, commandId: randomUUID(), ...entry });
    hash = createHash('sha256').update(hash).update(text).digest();
    return { seq, text, hash };
  };
}

function ledgerStore(dir: string): Store {
  const ledger = openLedger(join(dir, 'ledger.db'), {
    terminalId: 'bench',
    key: loadOrCreateKey(dir),
    createIfMissing: true,
  });
  return {
    name: 'ledger',
    commit: (entries) => {
      ledger.append(1, randomUUID(), entries);
    },
    close: () => ledger.close(),
  };
}

function bareSqlite(dir: string): Store {
  const db = new Database(join(dir, 'bare.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE entries (seq INTEGER PRIMARY KEY, bytes TEXT NOT NULL, hash BLOB NOT NULL) STRICT');
  const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?)');
  const next = chain();
  const commit = db.transaction((entries: readonly NewEntry[]) => {
    for (const entry of entries) {
      const { seq, text, hash } = next(entry);
      insert.run(seq, text, hash);
    }
  });
  return { name: 'bareSqlite', commit: (entries) => commit(entries), close: () => db.close() };
}

function rawFile(dir: string): Store {
  const fd = openSync(join(dir, 'raw.log'), 'a');
  const next = chain();
  return {
    name: 'rawFile',
    commit: (entries) => {
      const parts = entries.flatMap((entry) => {
        const { text, hash } = next(entry);
        return [Buffer.from(text), hash];
      });
      writeSync(fd, Buffer.concat(parts));
      fdatasyncSync(fd);
    },
    close: () => closeSync(fd),
  };
}

const EQUATION_RUNS = 20_000;

/**
 * Processor time of the equations of the meters, as the terminal checks them before such a commit.
 */
function equationsUs(entries: readonly NewEntry[]): number {
  const context = { seatCount: 7, game: 'macau-blackjack-2009', dealer: 'd', shift: '1', authorised: [] };
  const counted = entries.map(({ kind, body, postings }) => ({
    event: { type: kind, ...(body as object) } as TableEvent,
    postings,
  }));
  const run = (): void => {
    const changed = emptyMeters(context);
    for (const { event, postings } of counted) countEvent(changed, event, postings);
    const broken = brokenEquations(changed);
    if (broken.length > 0) throw new Error(broken.join('; '));
  };
  for (let i = 0; i < EQUATION_RUNS; i++) run();
  const before = process.cpuUsage();
  for (let i = 0; i < EQUATION_RUNS; i++) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / EQUATION_RUNS;
}

function compare(dir: string, name: string, entries: readonly NewEntry[]): object {
  const stores = [ledgerStore(dir), bareSqlite(dir), rawFile(dir)];
  const timings = new Map(stores.map((store) => [store, [] as number[]]));
  const rates = new Map(stores.map((store) => [store, [] as number[]]));
  try {
    for (const store of stores) for (let i = 0; i < WARM_COMMITS; i++) store.commit(entries);
    progress(`ledger: ${name}`);
    for (let block = 0; block < BLOCKS; block++) {
      for (const store of stores) {
        const start = performance.now();
        let last = start;
        for (let i = 0; i < COMMITS_PER_BLOCK; i++) {
          store.commit(entries);
          const now = performance.now();
          timings.get(store)!.push((now - last) * 1_000);
          last = now;
        }
        rates.get(store)!.push((COMMITS_PER_BLOCK / (last - start)) * 1_000);
      }
    }
  } finally {
    for (const store of stores) store.close();
  }
  const rateOf = (store: Store): number => median(rates.get(store)!);
  const [ledger, bare, raw] = stores as [Store, Store, Store];
  const figures = (store: Store): object => {
    const { p50, p95, p99 } = spread(timings.get(store)!);
    return { commitsPerSecond: round3(rateOf(store)), p50Us: p50, p95Us: p95, p99Us: p99 };
  };
  return {
    rowsPerCommit: entries.length,
    equationsUs: round3(equationsUs(entries)),
    ledger: figures(ledger),
    bareSqliteWalFull: figures(bare),
    rawAppendFdatasync: figures(raw),
    ledgerOfBareSqlite: round3(rateOf(ledger) / rateOf(bare)),
    ledgerOfRaw: round3(rateOf(ledger) / rateOf(raw)),
  };
}

export function benchLedger({ makeDir }: PartContext): object {
  const { bet, round } = sampleEntries();
  return {
    blocks: BLOCKS,
    commitsPerBlock: COMMITS_PER_BLOCK,
    singleEvent: compare(makeDir('single'), 'one event per commit', [bet]),
    wholeRound: compare(makeDir('round'), `${ROUND_ROWS} rows per commit`, round),
  };
}
