/** What the centre does with a batch: believe nothing, store once, name what does not fit. */
import {
  type Batch,
  batchBytes,
  type CheckedEntry,
  checkBatch,
  type WrongBatch,
} from '../ledger/chain/batch.codec.ts';
import { COMMAND_ANSWERED, COMMAND_TAKEN } from '../ledger/chain/command.codec.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { verifySignature } from '../ledger/chain/key.ts';
import { encodeRows } from './copy.codec.ts';
import type { Db, Queryable } from './db.store.ts';
import type { Enrolment } from './enrolment.store.ts';
import { noteFork, noteIncident } from './incidents.store.ts';

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

/** Entries that say what became of a command. */
const OF_COMMANDS: ReadonlySet<string> = new Set([COMMAND_TAKEN, COMMAND_ANSWERED]);

/** Stores a batch. When this resolves with `stored`, the database has committed. */
export async function ingest(db: Db, enrolment: Enrolment, batch: Batch): Promise<IngestAnswer> {
  const { terminal } = batch;
  const publicKey = await enrolment.publicKeyOf(terminal);
  if (publicKey === null) return { outcome: 'not-enrolled' };
  if (!verifySignature(publicKey, batchBytes(batch), Buffer.from(batch.signature, 'hex'))) {
    await noteIncident(db, terminal, 'bad-signature', 0, `a batch from entry ${batch.firstSeq} on`);
    return { outcome: 'bad-signature' };
  }
  // What is here already is the most frequent batch on a bad network. The signature covers the last
  // hash, and the last hash stands for all before it.
  const lastSeq = batch.firstSeq + batch.entries.length - 1;
  const known = await position(db, terminal);
  if (known === null) {
    enrolment.forget(terminal);
    return { outcome: 'not-enrolled' };
  }
  if (lastSeq <= known.seq) {
    if ((await hashOf(db, terminal, lastSeq)) === batch.lastHash)
      return { outcome: 'stored', head: known, newEntries: 0 };
  }
  const next = storeNext(db, batch, known);
  if (next !== null) {
    const answer = await next;
    if (answer !== null) return answer;
  }
  const checked = checkBatch(batch);
  if (!checked.ok) return malformed(checked);
  return await db.transaction((q) => store(q, batch, checked.entries));
}

/**
 * The short way of the next batch of a terminal, which nearly all are. Null, at once or later: it
 * has to take the long way, as where another instance was quicker with it. Nothing but the
 * statement's parameters outlives this call: each collection of garbage would copy the entries of
 * all batches in work, a twentieth of what a batch takes.
 */
function storeNext(db: Db, batch: Batch, known: Position): Promise<IngestAnswer | null> | null {
  if (batch.firstSeq !== known.seq + 1 || batch.prevHash !== known.hash) return null;
  const checked = checkBatch(batch);
  if (!checked.ok) return Promise.resolve(malformed(checked));
  const { entries } = checked;
  if (entries.some(({ kind }) => OF_COMMANDS.has(kind))) return null;
  const head = { seq: batch.firstSeq + entries.length - 1, hash: batch.lastHash };
  const answer = { outcome: 'stored', head, newEntries: entries.length } as const;
  const append = appending(batch.terminal, known, head, entries);
  return db.transaction(append).then((isStored) => (isStored ? answer : null));
}

const malformed = ({ seq, place, what }: WrongBatch): IngestAnswer => ({
  outcome: 'malformed',
  place,
  what: `entry ${seq}: ${what}`,
});

async function store(q: Queryable, batch: Batch, entries: readonly CheckedEntry[]): Promise<IngestAnswer> {
  const { terminal, firstSeq, prevHash } = batch;
  // One batch of a terminal at a time, whichever instance has it; others wait here and then see
  // this one stored.
  const head = await position(q, terminal, 'FOR UPDATE');
  if (head === null) return { outcome: 'not-enrolled' };
  if (firstSeq > head.seq + 1) {
    const detail = `entries ${head.seq + 1} to ${firstSeq - 1} were missing before a batch`;
    await noteIncident(q, terminal, 'gap', head.seq + 1, detail);
    return { outcome: 'gap', head };
  }

  const before = firstSeq - 1 === head.seq ? head.hash : await hashOf(q, terminal, firstSeq - 1);
  if (before !== prevHash) return await fork(q, terminal, firstSeq - 1, prevHash, before, entries);
  // The chain makes the newest entry both sides have stand for all before it.
  const known = entries.slice(0, Math.max(0, head.seq - firstSeq + 1));
  const lastKnown = known.at(-1);
  if (lastKnown !== undefined && (await hashOf(q, terminal, lastKnown.seq)) !== toHex(lastKnown.hash)) {
    const { at, stored } = await firstDifference(q, terminal, known);
    return await fork(q, terminal, known[at]!.seq, toHex(known[at]!.hash), stored, entries.slice(at));
  }
  const fresh = entries.slice(known.length);
  const last = fresh.at(-1);
  if (last === undefined) return { outcome: 'stored', head, newEntries: 0 };

  const newHead = { seq: last.seq, hash: toHex(last.hash) };
  if (!(await appending(terminal, head, newHead, fresh)(q)))
    throw new Error(`terminal ${terminal}: its locked row has moved`);
  await noteOutcomes(q, terminal, fresh);
  return { outcome: 'stored', head: newHead, newEntries: fresh.length };
}

/**
 * What writes entries, balances and the terminal's head within a transaction, and nothing of them
 * unless the head is `from`: the row of the terminal is locked first, and who waited for it finds
 * another head. It keeps the rows as the database takes them and not the entries.
 */
function appending(
  terminal: string,
  from: Position,
  to: Position,
  fresh: readonly CheckedEntry[],
): (q: Queryable) => Promise<boolean> {
  const rows = encodeRows(
    fresh.map((e) => [
      ...[terminal, e.seq, e.atMs, e.kind, e.roundId, e.commandId],
      ...[e.bytes, e.postingsJson, e.hash],
    ]),
  );
  const sums = sumsOf(fresh);
  const params = [
    ...[terminal, from.seq, from.hash, to.seq, to.hash],
    sums.map((s) => s.currency),
    sums.map((s) => s.account),
    sums.map((s) => s.amount.toString()),
  ];
  return async (q) => {
    const moved = await q.query(
      `WITH moved AS (
         UPDATE terminals SET head_seq = $4, head_hash = decode($5, 'hex')
         WHERE terminal_id = $1 AND head_seq = $2 AND head_hash = decode($3, 'hex') RETURNING terminal_id
       ), summed AS (
         INSERT INTO balances (terminal_id, currency, account, amount_minor)
         SELECT terminal_id, s.currency, s.account, s.amount::bigint
         FROM moved, unnest($6::text[], $7::text[], $8::text[]) AS s (currency, account, amount)
         ON CONFLICT (terminal_id, currency, account)
         DO UPDATE SET amount_minor = balances.amount_minor + excluded.amount_minor
       )
       SELECT 1 FROM moved`,
      params,
    );
    if (moved.length === 0) return false;
    await q.copy(
      'entries (terminal_id, seq, at_ms, kind, round_id, command_id, bytes, postings, hash)',
      rows,
    );
    return true;
  };
}

/** Each amount is a safe integer; the sum of a batch's need not be. */
function sumsOf(fresh: readonly CheckedEntry[]): { currency: string; account: string; amount: bigint }[] {
  const sums = new Map<string, { currency: string; account: string; amount: bigint }>();
  for (const { postings } of fresh) {
    for (const { currency, account, amountMinor } of postings) {
      const key = `${currency}/${account}`;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, { currency, account, amount: BigInt(amountMinor) });
      else sum.amount += BigInt(amountMinor);
    }
  }
  return [...sums.values()];
}

/**
 * What the terminal has ledgered of our commands: the numbers it has used need not be sent again,
 * and what came of each.
 */
async function noteOutcomes(q: Queryable, terminal: string, fresh: readonly CheckedEntry[]): Promise<void> {
  for (const { kind, seq, bytes } of fresh) {
    if (!OF_COMMANDS.has(kind)) continue;
    const { body } = JSON.parse(Buffer.from(bytes).toString()) as { body: unknown };
    const { no, outcome } = (body ?? {}) as { no?: unknown; outcome?: unknown };
    if (!Number.isSafeInteger(no) || typeof outcome !== 'string' || outcome.includes('\0')) continue;
    await q.query(
      `INSERT INTO command_outcomes (terminal_id, no, seq, outcome) VALUES ($1, $2, $3, $4)
       ON CONFLICT (terminal_id, no) ${
         kind === COMMAND_TAKEN
           ? 'DO NOTHING'
           : 'DO UPDATE SET seq = excluded.seq, outcome = excluded.outcome'
       }`,
      [terminal, no, seq, outcome.slice(0, 200)],
    );
  }
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

/** Hash of a stored entry, hex, 64 zeros for 0. Throws when the entry is not there. */
export async function hashOf(q: Queryable, terminal: string, seq: number): Promise<string> {
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
): Promise<{ at: number; stored: string }> {
  const stored = await q.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM entries
     WHERE terminal_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`,
    [terminal, offered[0]!.seq, offered.at(-1)!.seq],
  );
  const at = offered.findIndex((e, i) => stored[i]?.hash !== toHex(e.hash));
  return { at, stored: stored[at]!.hash };
}

async function fork(
  q: Queryable,
  terminal: string,
  seq: number,
  offeredHash: string,
  storedHash: string,
  offered: readonly CheckedEntry[],
): Promise<IngestAnswer> {
  await noteFork(q, terminal, { seq, storedHash, offeredHash }, offered);
  return { outcome: 'fork', seq };
}
