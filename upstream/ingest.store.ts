/** What the centre does with a batch: believe nothing, store once, name what does not fit. */
import { type Batch, batchBytes, type CheckedEntry, checkBatch } from '../ledger/chain/batch.codec.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { verifySignature } from '../ledger/chain/key.ts';
import type { Db, Queryable } from './db.store.ts';
import type { Enrolment } from './enrolment.store.ts';

export interface Position {
  readonly seq: number;
  /** Hex, 64 zeros while there is nothing. */
  readonly hash: string;
}

export type IngestAnswer =
  | { readonly outcome: 'stored'; readonly head: Position; readonly newEntries: number }
  | { readonly outcome: 'gap'; readonly head: Position }
  | { readonly outcome: 'fork'; readonly seq: number }
  | { readonly outcome: 'not-enrolled' }
  | { readonly outcome: 'bad-signature' }
  | { readonly outcome: 'malformed'; readonly place: string; readonly what: string };

/** Stores a batch. When this resolves with `stored`, the database has committed. */
export async function ingest(db: Db, enrolment: Enrolment, batch: Batch): Promise<IngestAnswer> {
  const publicKey = await enrolment.publicKeyOf(batch.terminal);
  if (publicKey === null) return { outcome: 'not-enrolled' };
  if (!verifySignature(publicKey, batchBytes(batch), Buffer.from(batch.signature, 'hex'))) {
    return { outcome: 'bad-signature' };
  }
  const checked = checkBatch(batch);
  if (!checked.ok)
    return { outcome: 'malformed', place: checked.place, what: `entry ${checked.seq}: ${checked.what}` };
  return await db.transaction((q) => store(q, batch, checked.entries));
}

async function store(q: Queryable, batch: Batch, entries: readonly CheckedEntry[]): Promise<IngestAnswer> {
  const { terminal, firstSeq, prevHash } = batch;
  // One batch of a terminal at a time; others wait here and then see this one stored.
  const head = await position(q, terminal, 'FOR UPDATE');
  if (head === null) return { outcome: 'not-enrolled' };
  if (firstSeq > head.seq + 1) return { outcome: 'gap', head };

  const before = firstSeq - 1 === head.seq ? head.hash : await hashOf(q, terminal, firstSeq - 1);
  if (before !== prevHash) {
    return await fork(q, terminal, firstSeq - 1, { hash: prevHash, bytes: null });
  }
  // The chain makes the newest entry both sides have stand for all before it.
  const known = entries.slice(0, Math.max(0, head.seq - firstSeq + 1));
  const lastKnown = known.at(-1);
  if (lastKnown !== undefined && (await hashOf(q, terminal, lastKnown.seq)) !== toHex(lastKnown.hash)) {
    return await fork(q, terminal, ...(await firstDifference(q, terminal, known)));
  }
  const fresh = entries.slice(known.length);
  const last = fresh.at(-1);
  if (last === undefined) return { outcome: 'stored', head, newEntries: 0 };

  const newHead = { seq: last.seq, hash: toHex(last.hash) };
  await q.query(
    `INSERT INTO entries (terminal_id, seq, at_ms, kind, round_id, command_id, bytes, postings, hash)
     SELECT $1, seq, at_ms, kind, round_id, command_id, bytes, postings::json, decode(hash, 'hex')
     FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
       AS new (seq, at_ms, kind, round_id, command_id, bytes, postings, hash)`,
    [
      terminal,
      fresh.map((e) => e.seq),
      fresh.map((e) => e.atMs),
      fresh.map((e) => e.kind),
      fresh.map((e) => e.roundId),
      fresh.map((e) => e.commandId),
      fresh.map((e) => e.bytes),
      fresh.map((e) => JSON.stringify(e.postings)),
      fresh.map((e) => toHex(e.hash)),
    ],
  );
  await q.query("UPDATE terminals SET head_seq = $2, head_hash = decode($3, 'hex') WHERE terminal_id = $1", [
    terminal,
    newHead.seq,
    newHead.hash,
  ]);
  return { outcome: 'stored', head: newHead, newEntries: fresh.length };
}

/** Newest entry of a terminal, null when it is not enrolled. */
export async function position(
  q: Queryable,
  terminal: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Position | null> {
  const [row] = await q.query<Position>(
    `SELECT head_seq::float8 AS seq, encode(head_hash, 'hex') AS hash FROM terminals WHERE terminal_id = $1 ${lock}`,
    [terminal],
  );
  return row ?? null;
}

const NO_HASH = '0'.repeat(64);

async function hashOf(q: Queryable, terminal: string, seq: number): Promise<string> {
  if (seq === 0) return NO_HASH;
  const [row] = await q.query<{ hash: string }>(
    "SELECT encode(hash, 'hex') AS hash FROM entries WHERE terminal_id = $1 AND seq = $2",
    [terminal, seq],
  );
  if (row === undefined) throw new Error(`entry ${seq} of terminal ${terminal} is missing in the database`);
  return row.hash;
}

async function firstDifference(
  q: Queryable,
  terminal: string,
  offered: readonly CheckedEntry[],
): Promise<[number, { hash: string; bytes: string }]> {
  const stored = await q.query<{ seq: number; hash: string }>(
    `SELECT seq::float8 AS seq, encode(hash, 'hex') AS hash FROM entries
     WHERE terminal_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`,
    [terminal, offered[0]!.seq, offered.at(-1)!.seq],
  );
  const at = offered.findIndex((e, i) => stored[i]?.hash !== toHex(e.hash));
  const entry = offered[at]!;
  return [entry.seq, { hash: toHex(entry.hash), bytes: entry.bytes }];
}

/** Kept for the people who have to find out which of two histories is true. */
async function fork(
  q: Queryable,
  terminal: string,
  seq: number,
  offered: { readonly hash: string; readonly bytes: string | null },
): Promise<IngestAnswer> {
  await q.query(
    `INSERT INTO forks (terminal_id, seq, stored_hash, offered_hash, offered_bytes)
     VALUES ($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5)
     ON CONFLICT (terminal_id, seq, offered_hash) DO UPDATE SET times = forks.times + 1`,
    [terminal, seq, await hashOf(q, terminal, seq), offered.hash, offered.bytes],
  );
  return { outcome: 'fork', seq };
}
