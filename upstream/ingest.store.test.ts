import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Batch, makeBatch } from '../ledger/chain/batch.codec.ts';
import { COMMAND_TAKEN } from '../ledger/chain/command.codec.ts';
import {
  chainHash,
  type EntryFields,
  encodeEntry,
  GENESIS_HASH,
  toHex,
} from '../ledger/chain/entry.codec.ts';
import { keyFromPrivate, type LedgerKey } from '../ledger/chain/key.ts';
import { newDatabase } from '../test/support/new-database.ts';
import { type Db, openEmbedded } from './db.store.ts';
import { catchUp } from './floor-ledgers.store.ts';
import { hashOf, ingest, position } from './ingest.store.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-ingest-'));
let db: Db;
before(async () => {
  await newDatabase(join(root, 'postgres'));
  db = await openEmbedded(join(root, 'postgres'));
});
after(async () => {
  await db.close();
  rmSync(root, { recursive: true, force: true });
});

const newKey = (): LedgerKey => keyFromPrivate(generateKeyPairSync('ed25519').privateKey);

/** A chain of entries under the name of a terminal, and batches of any part of it. */
class Chain {
  readonly terminal: string;
  readonly key: LedgerKey;
  readonly #entries: { readonly seq: number; readonly bytes: Buffer; readonly hash: Uint8Array }[] = [];

  constructor(terminal: string, key = newKey()) {
    this.terminal = terminal;
    this.key = key;
  }

  /** The same history up to `seq`. */
  branch(seq: number): Chain {
    const other = new Chain(this.terminal, this.key);
    other.#entries.push(...this.#entries.slice(0, seq));
    return other;
  }

  add(...entries: readonly Partial<EntryFields>[]): this {
    for (const entry of entries) {
      const seq = this.#entries.length + 1;
      const fields = { kind: 'moved', roundId: null, commandId: null, noteId: null, body: {}, postings: [] };
      const bytes = Buffer.from(encodeEntry(this.terminal, { ...fields, ...entry, seq, atMs: 1_000 + seq }));
      this.#entries.push({ seq, bytes, hash: chainHash(this.#hashAt(seq - 1), bytes) });
    }
    return this;
  }

  batch(from: number, to = this.#entries.length, key = this.key): Batch {
    return makeBatch(this.terminal, this.#hashAt(from - 1), this.#entries.slice(from - 1, to), key);
  }

  hash = (seq: number): string => toHex(this.#hashAt(seq));
  #hashAt(seq: number): Uint8Array {
    return seq === 0 ? GENESIS_HASH : this.#entries[seq - 1]!.hash;
  }
}

let chains = 0;
async function enrolled(): Promise<Chain> {
  chains += 1;
  const chain = new Chain(`T-${chains}`);
  await db.query("INSERT INTO terminals (terminal_id, public_key) VALUES ($1, decode($2, 'hex'))", [
    chain.terminal,
    toHex(chain.key.publicKey),
  ]);
  return chain;
}

const take = (chain: Chain, batch: Batch, key: LedgerKey | null = chain.key) =>
  ingest(db, { publicKeyOf: async () => key?.publicKey ?? null, forget: () => undefined }, batch);
const incidents = (terminal: string) =>
  db.query<object>(
    'SELECT kind, seq::float8 AS seq, times, detail FROM incidents WHERE terminal_id = $1 ORDER BY kind',
    [terminal],
  );
const storedSeqs = async (terminal: string): Promise<number[]> =>
  (
    await db.query<{ seq: number }>(
      'SELECT seq::float8 AS seq FROM entries WHERE terminal_id = $1 ORDER BY seq',
      [terminal],
    )
  ).map(({ seq }) => seq);

const MOVE = (amountMinor: number): Partial<EntryFields> => ({
  postings: [
    { account: 'credit:1', currency: 'MOP', amountMinor: -amountMinor },
    { account: 'stakes', currency: 'MOP', amountMinor },
  ],
});

test('batches in their order, twice, and overlapping: every entry once, and the sums of all', async () => {
  const chain = (await enrolled()).add(MOVE(500), {}, MOVE(70));
  const { terminal } = chain;
  const first = { seq: 3, hash: chain.hash(3) };
  assert.deepEqual(await take(chain, chain.batch(1)), { outcome: 'stored', head: first, newEntries: 3 });
  assert.deepEqual(await take(chain, chain.batch(1)), { outcome: 'stored', head: first, newEntries: 0 });
  assert.deepEqual(await take(chain, chain.batch(2, 2)), { outcome: 'stored', head: first, newEntries: 0 });
  chain.add(MOVE(1), {});
  const head = { seq: 5, hash: chain.hash(5) };
  assert.deepEqual(await take(chain, chain.batch(2)), { outcome: 'stored', head, newEntries: 2 });
  assert.deepEqual(await position(db, terminal), head);
  assert.deepEqual(await storedSeqs(terminal), [1, 2, 3, 4, 5]);
  assert.equal(await hashOf(db, terminal, 4), chain.hash(4));
  const balances = await db.query(
    'SELECT account, amount_minor::float8 AS minor FROM balances WHERE terminal_id = $1 ORDER BY account',
    [terminal],
  );
  assert.deepEqual(balances, [
    { account: 'credit:1', minor: -571 },
    { account: 'stakes', minor: 571 },
  ]);
  assert.deepEqual(await incidents(terminal), []);
});

test('a sum beyond the safe integers is kept to the unit', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const chain = (await enrolled()).add(MOVE(most), MOVE(most), MOVE(most));
  assert.equal((await take(chain, chain.batch(1))).outcome, 'stored');
  const [row] = await db.query<{ minor: string }>(
    "SELECT amount_minor::text AS minor FROM balances WHERE terminal_id = $1 AND account = 'stakes'",
    [chain.terminal],
  );
  assert.equal(row?.minor, String(3n * BigInt(most)));
});

test('a batch after a gap is not stored; it is named once, however often it comes', async () => {
  const chain = (await enrolled()).add({}, {}, {}, {});
  assert.equal((await take(chain, chain.batch(1, 1))).outcome, 'stored');
  const head = { seq: 1, hash: chain.hash(1) };
  for (let i = 0; i < 2; i += 1)
    assert.deepEqual(await take(chain, chain.batch(4)), { outcome: 'gap', head });
  assert.deepEqual(await incidents(chain.terminal), [
    { kind: 'gap', seq: 2, times: 2, detail: 'entries 2 to 3 were missing before a batch' },
  ]);
  assert.deepEqual(await storedSeqs(chain.terminal), [1]);
});

test('two histories under one name: the first one stays, the other is kept beside it', async () => {
  const chain = (await enrolled()).add({}, {});
  const other = chain.branch(2).add({ body: { other: 1 } }, { body: { other: 2 } });
  chain.add({}, {}, {});
  assert.equal((await take(chain, chain.batch(1))).outcome, 'stored');
  // With what both have, and from where they part.
  assert.deepEqual(await take(other, other.batch(1)), { outcome: 'fork', seq: 3 });
  assert.deepEqual(await take(other, other.batch(4)), { outcome: 'fork', seq: 3 });
  assert.deepEqual(await storedSeqs(chain.terminal), [1, 2, 3, 4, 5]);
  assert.deepEqual(await position(db, chain.terminal), { seq: 5, hash: chain.hash(5) });
  const forks = await db.query(
    `SELECT seq::float8 AS seq, times, encode(stored_hash, 'hex') AS stored, encode(offered_hash, 'hex') AS offered,
       offered_bytes IS NOT NULL AS shown FROM forks WHERE terminal_id = $1`,
    [chain.terminal],
  );
  assert.deepEqual(forks, [{ seq: 3, times: 2, stored: chain.hash(3), offered: other.hash(3), shown: true }]);
  const kept = await db.query<{ seq: number; hash: string }>(
    "SELECT seq::float8 AS seq, encode(hash, 'hex') AS hash FROM fork_entries WHERE terminal_id = $1 ORDER BY seq",
    [chain.terminal],
  );
  assert.deepEqual(
    kept,
    [3, 4].map((seq) => ({ seq, hash: other.hash(seq) })),
  );
});

test('a stranger, a batch signed by another key and a spoiled entry store nothing', async () => {
  const chain = (await enrolled()).add({}, {});
  assert.deepEqual(await take(chain, chain.batch(1), null), { outcome: 'not-enrolled' });
  assert.deepEqual(await take(chain, chain.batch(1, 2, newKey())), { outcome: 'bad-signature' });
  assert.deepEqual(await incidents(chain.terminal), [
    { kind: 'bad-signature', seq: 0, times: 1, detail: 'a batch from entry 1 on' },
  ]);
  const spoiled = chain.batch(1);
  const answer = await take(chain, {
    ...spoiled,
    entries: [spoiled.entries[0]!, Buffer.from(String(spoiled.entries[1]).replace('moved', 'moveD'))],
  });
  assert.ok(answer.outcome === 'malformed', answer.outcome);
  assert.deepEqual([answer.place, answer.what.startsWith('entry 2: ')], ['lastHash', true]);
  assert.deepEqual(await storedSeqs(chain.terminal), []);
});

test('what a terminal did with its orders is noted with the entry, and text that is none is not', async () => {
  const chain = (await enrolled()).add(
    {},
    { kind: COMMAND_TAKEN, body: { no: 1, outcome: 'taken' } },
    { kind: COMMAND_TAKEN, body: { no: 'two', outcome: 'taken' } },
    { kind: COMMAND_TAKEN, body: { no: 3, outcome: 'x'.repeat(300) } },
    { kind: COMMAND_TAKEN, body: { no: 4, outcome: 'a\0b' } },
  );
  assert.equal((await take(chain, chain.batch(1))).outcome, 'stored');
  const outcomes = await db.query(
    'SELECT no::float8 AS no, seq::float8 AS seq, outcome FROM command_outcomes WHERE terminal_id = $1 ORDER BY no',
    [chain.terminal],
  );
  assert.deepEqual(outcomes, [
    { no: 1, seq: 2, outcome: 'taken' },
    { no: 3, seq: 4, outcome: 'x'.repeat(200) },
  ]);
});

test('one batch from two instances at once is stored by one of them', async () => {
  const chain = (await enrolled()).add({}, {}, {});
  assert.equal((await take(chain, chain.batch(1, 1))).outcome, 'stored');
  const both = await Promise.all([take(chain, chain.batch(2)), take(chain, chain.batch(2))]);
  assert.deepEqual(
    both.map((answer) => (answer.outcome === 'stored' ? answer.newEntries : answer.outcome)).toSorted(),
    [0, 2],
  );
  assert.deepEqual(await storedSeqs(chain.terminal), [1, 2, 3]);
});

test('a round that is stored while the floor reads on is counted once', async () => {
  const chain = (await enrolled()).add({ kind: 'round-closed' }, { kind: 'round-closed' });
  const { terminal } = chain;
  await take(chain, chain.batch(1));
  // The second one has come between two statements of the reader: it saw the first as the newest.
  const head = (seq: number) =>
    db.query('UPDATE terminals SET head_seq = $2 WHERE terminal_id = $1', [terminal, seq]);
  await head(1);
  while (await catchUp(db, 2_000));
  await head(2);
  while (await catchUp(db, 2_000));
  const counted = await db.query<{ rounds: number }>(
    'SELECT sum(rounds)::float8 AS rounds FROM floor_paces WHERE terminal_id = $1',
    [terminal],
  );
  assert.deepEqual(counted, [{ rounds: 2 }]);
});
