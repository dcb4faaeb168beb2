/** What the operator's pages ask of the database. Times are ms since 1970 UTC. */
import { COMMAND_ANSWERED } from '../ledger/chain/command.codec.ts';
import type { Posting } from '../ledger/chain/entry.codec.ts';
import type { Queryable } from './db.store.ts';

const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;
/** Kinds that an index of the schema leads to; `fault-cleared` and a call that is called off
 * take an alarm back. */
export const ALARM_KINDS = [
  'fault-reported',
  'fault-cleared',
  'table-held',
  'note-held',
  'round-voided',
  'access-refused',
  'centre-command-refused',
  'attendant-called',
  'session-long',
] as const;
const ALARMS = `('${ALARM_KINDS.join("', '")}')`;
const ALARMS_SHOWN = 50;
/** Rounds are looked for in this many entries at a time. */
export const ROUNDS_WINDOW = 5000;

/**
 * A table that plays sends entries all the time and reports only when it has none: both are a sign
 * of life. A batch that brings nothing new is none, for anybody on the way can send an old one
 * again.
 */
export const HEARD_AT = 'greatest(r.received_at, e.received_at)';
/**
 * Its tables, beside `terminals t`. For a plain join PostgreSQL reads every entry there is to find
 * the newest of each table; OFFSET 0 keeps it a look-up by key.
 */
export const HEARD_FROM = `LEFT JOIN reports r USING (terminal_id)
       LEFT JOIN LATERAL (SELECT n.at_ms, n.received_at FROM entries n
         WHERE n.terminal_id = t.terminal_id AND n.seq = t.head_seq OFFSET 0) e ON true`;
/**
 * Entries `e` of the tables $1, after the numbers $2 and up to the numbers $3, each table's in
 * order. The inner ORDER BY keeps it a look-up by key, as OFFSET 0 does above.
 */
export const ENTRIES_OF_TABLES = `unnest($1::text[], $2::bigint[], $3::bigint[]) AS w (terminal_id, after, last),
  LATERAL (SELECT * FROM entries n WHERE n.terminal_id = w.terminal_id AND n.seq > w.after AND n.seq <= w.last
    ORDER BY n.seq) AS e`;

export interface TerminalLine {
  readonly terminal: string;
  readonly headSeq: number;
  /** Hex, 64 zeros while there is nothing. */
  readonly headHash: string;
  /** Terminal's time of its newest entry here. */
  readonly headAtMs: number | null;
  /** Entries the terminal has said it has and that are not here; null before its first report. */
  readonly lag: number | null;
  /** Since its last report or new entry, null before the first. */
  readonly silentMs: number | null;
  readonly clockOffMs: number | null;
  readonly openForks: number;
  /**
   * The newest entry of its ledger, SEQ:HASH, where the terminal has locked its money; else null.
   */
  readonly lockedAt: string | null;
}

/** All terminals, or one. */
export async function terminalLines(
  q: Queryable,
  terminal: string | null = null,
): Promise<readonly TerminalLine[]> {
  return await q.query<TerminalLine>(
    `SELECT t.terminal_id AS terminal, t.head_seq::float8 AS "headSeq",
       encode(t.head_hash, 'hex') AS "headHash", e.at_ms::float8 AS "headAtMs",
       greatest(r.head_seq - t.head_seq, 0)::float8 AS lag,
       (extract(epoch FROM now() - ${HEARD_AT}) * 1000)::float8 AS "silentMs", r.clock_off_ms::float8 AS "clockOffMs",
       (SELECT count(*) FROM forks f WHERE f.terminal_id = t.terminal_id)::int AS "openForks",
       CASE WHEN r.locked THEN r.head_seq || ':' || r.head_hash END AS "lockedAt"
     FROM terminals t ${HEARD_FROM}
     WHERE $1::text IS NULL OR t.terminal_id = $1
     ORDER BY t.terminal_id`,
    [terminal],
  );
}

export interface BalanceLine {
  readonly currency: string;
  readonly account: string;
  /** Signed minor units, in decimal: a sum may leave the safe integers. */
  readonly amountMinor: string;
}

export async function balancesOf(q: Queryable, terminal: string): Promise<readonly BalanceLine[]> {
  return await q.query<BalanceLine>(
    `SELECT currency, account, amount_minor::text AS "amountMinor" FROM balances
     WHERE terminal_id = $1 ORDER BY currency, account`,
    [terminal],
  );
}

export interface EntryLine {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly bytes: string;
  readonly hash: string;
}

const ENTRY = `seq::float8 AS seq, at_ms::float8 AS "atMs", kind, bytes, encode(hash, 'hex') AS hash`;

/** Newest first. */
export async function alarmsOf(q: Queryable, terminal: string): Promise<readonly EntryLine[]> {
  return await q.query<EntryLine>(
    `SELECT ${ENTRY} FROM entries WHERE terminal_id = $1 AND kind IN ${ALARMS}
     ORDER BY seq DESC LIMIT ${ALARMS_SHOWN}`,
    [terminal],
  );
}

export interface RoundLine {
  readonly roundId: string;
  readonly firstSeq: number;
  readonly entries: number;
  readonly atMs: number;
}

/** Rounds among the entries before `beforeSeq`, newest first. */
export async function roundsOf(
  q: Queryable,
  terminal: string,
  beforeSeq: number,
): Promise<readonly RoundLine[]> {
  return await q.query<RoundLine>(
    `SELECT round_id AS "roundId", min(seq)::float8 AS "firstSeq", count(*)::int AS entries, min(at_ms)::float8 AS "atMs"
     FROM entries WHERE terminal_id = $1 AND seq < $2 AND seq >= $2 - ${ROUNDS_WINDOW} AND round_id IS NOT NULL
     GROUP BY round_id ORDER BY min(seq) DESC`,
    [terminal, beforeSeq],
  );
}

/** All entries of a round, ascending; empty for an unknown one. */
export async function roundEntries(
  q: Queryable,
  terminal: string,
  roundId: string,
): Promise<readonly (EntryLine & { postings: readonly Posting[] })[]> {
  return await q.query(
    `SELECT ${ENTRY}, postings FROM entries WHERE terminal_id = $1 AND round_id = $2 ORDER BY seq`,
    [terminal, roundId],
  );
}

/** The newest entry by which the terminal has said which table it is; null before there is one. */
export async function tableOf(q: Queryable, terminal: string): Promise<EntryLine | null> {
  const [newest] = await q.query<EntryLine>(
    `SELECT ${ENTRY} FROM entries WHERE terminal_id = $1 AND kind = 'table-configured'
     ORDER BY seq DESC LIMIT 1`,
    [terminal],
  );
  return newest ?? null;
}

export interface CommandLine {
  readonly no: number;
  readonly type: string;
  readonly bytes: string;
  readonly issuedAtMs: number;
  /** Null while no entry of the terminal speaks of it; with its answer, once there is one. */
  readonly outcome: string | null;
}

/** Of an entry that says what came of a command. */
interface Answered {
  readonly detail: string | null;
  readonly answer: unknown;
}

/** The outcome in one line, with why not or what it has found. */
function answerText(outcome: string, bytes: string): string {
  const { detail, answer } = (JSON.parse(bytes) as { readonly body: Answered }).body;
  const more = [detail, answer && JSON.stringify(answer)].filter((part) => part !== null);
  return [outcome, ...more].join(': ');
}

/** Newest first. */
export async function commandsOf(q: Queryable, terminal: string): Promise<readonly CommandLine[]> {
  const lines = await q.query<CommandLine & { readonly answered: string | null }>(
    `SELECT c.no::float8 AS no, c.type, c.bytes, ${MS('c.issued_at')} AS "issuedAtMs", o.outcome,
       e.bytes AS answered
     FROM commands c LEFT JOIN command_outcomes o ON o.terminal_id = c.terminal_id AND o.no = c.no
       LEFT JOIN entries e ON e.terminal_id = o.terminal_id AND e.seq = o.seq
         AND e.kind = '${COMMAND_ANSWERED}'
     WHERE c.terminal_id = $1 ORDER BY c.no DESC LIMIT 50`,
    [terminal],
  );
  return lines.map(({ answered, ...line }) =>
    line.outcome === null || answered === null
      ? line
      : { ...line, outcome: answerText(line.outcome, answered) },
  );
}

export interface IncidentLine {
  readonly terminal: string;
  readonly kind: string;
  readonly seq: number;
  readonly detail: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly times: number;
  /**
   * A gap is closed when it has been filled, a restored centre when it has all back, a clock when
   * it is right, a lock when the terminal reports without one.
   */
  readonly open: boolean;
}

/** What did not fit, newest first; of one terminal or of all. */
export async function incidentLines(
  q: Queryable,
  terminal: string | null = null,
): Promise<readonly IncidentLine[]> {
  return await q.query<IncidentLine>(
    `SELECT i.terminal_id AS terminal, i.kind, i.seq::float8 AS seq, i.detail,
       ${MS('i.first_seen_at')} AS "firstMs", ${MS('i.last_seen_at')} AS "lastMs", i.times,
       CASE i.kind WHEN 'gap' THEN t.head_seq < i.seq WHEN 'centre-restored' THEN t.head_seq < i.seq
         WHEN 'clock' THEN coalesce(abs(r.clock_off_ms) > 60000, false) WHEN 'locked' THEN coalesce(r.locked, false)
         ELSE true END AS open
     FROM incidents i JOIN terminals t USING (terminal_id) LEFT JOIN reports r USING (terminal_id)
     WHERE $1::text IS NULL OR i.terminal_id = $1 ORDER BY i.last_seen_at DESC LIMIT 500`,
    [terminal],
  );
}

export interface ForkLine {
  readonly terminal: string;
  readonly seq: number;
  readonly storedHash: string;
  readonly offeredHash: string;
  readonly storedBytes: string | null;
  readonly offeredBytes: string | null;
  /** Entries of the other history that are kept, from `seq` on. */
  readonly kept: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly times: number;
}

export async function forkLines(q: Queryable, terminal: string | null = null): Promise<readonly ForkLine[]> {
  return await q.query<ForkLine>(
    `SELECT f.terminal_id AS terminal, f.seq::float8 AS seq, encode(f.stored_hash, 'hex') AS "storedHash",
       encode(f.offered_hash, 'hex') AS "offeredHash", e.bytes AS "storedBytes", f.offered_bytes AS "offeredBytes",
       (SELECT count(*) FROM fork_entries k WHERE k.terminal_id = f.terminal_id AND k.seq >= f.seq)::int AS kept,
       ${MS('f.first_seen_at')} AS "firstMs", ${MS('f.last_seen_at')} AS "lastMs", f.times
     FROM forks f LEFT JOIN LATERAL (SELECT n.bytes FROM entries n
       WHERE n.terminal_id = f.terminal_id AND n.seq = f.seq OFFSET 0) e ON true
     WHERE $1::text IS NULL OR f.terminal_id = $1 ORDER BY f.last_seen_at DESC LIMIT 500`,
    [terminal],
  );
}
