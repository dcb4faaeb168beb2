/**
 * The ledger of a terminal that was offline for days, without a file: every entry follows from the
 * seed, so the uploader can read it again and the test can say at any time what must be at the
 * centre.
 */
import { generateKeyPairSync } from 'node:crypto';
import { chainHash, type EntryFields, encodeEntry, HASH_BYTES } from '../../ledger/chain/entry.codec.ts';
import { keyFromPrivate, type LedgerKey } from '../../ledger/chain/key.ts';
import type { UploadedLedger } from '../../ledger/sync/uploader.ts';

/** One round of a table with two seats, as the live table writes it. */
const ROUND = [
  'betting-opened',
  'bet-placed',
  'bet-placed',
  'betting-closed',
  'deal-began',
  'card-dealt',
  'card-dealt',
  'bank-card-dealt',
  'card-dealt',
  'card-dealt',
  'round-settled',
  'round-closed',
] as const;

export interface VirtualLedger extends UploadedLedger {
  readonly key: LedgerKey;
  readonly entryCount: number;
  /** All hashes one after the other, 32 bytes each, in the order of `seq`. */
  readonly hashes: Buffer;
  /** Sum of the postings per `currency/account`, minor units. */
  readonly balances: ReadonlyMap<string, number>;
}

export function virtualLedger(o: {
  terminalId: string;
  seed: number;
  entryCount: number;
  /** Time of the first and of the last entry, ms since 1970 UTC. */
  fromMs: number;
  toMs: number;
}): VirtualLedger {
  const { terminalId, seed, entryCount } = o;
  const key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  const stepMs = (o.toMs - o.fromMs) / entryCount;
  const mix = (n: number): number => {
    const t = Math.imul(n ^ (seed * 0x9e3779b1) ^ (n >>> 15), 0x85ebca6b);
    return (t ^ (t >>> 13)) >>> 0;
  };

  const fields = (seq: number): EntryFields => {
    const roundNo = Math.floor((seq - 1) / ROUND.length) + 1;
    const at = (seq - 1) % ROUND.length;
    const kind = ROUND[at]!;
    const chance = mix(seq);
    const seat = 1 + (at % 2);
    const amountMinor = 10_000 * (1 + (mix(roundNo * 2 + seat) % 20));
    const moves = kind === 'bet-placed' || (kind === 'round-settled' && chance % 2 === 0);
    const [from, to] = kind === 'bet-placed' ? [`credit:${seat}`, 'stakes'] : ['stakes', `credit:${seat}`];
    const roundId = `${terminalId}-${String(roundNo).padStart(6, '0')}`;
    return {
      seq,
      atMs: Math.round(o.fromMs + seq * stepMs),
      kind,
      roundId,
      commandId: `${chance.toString(16)}-${seq}`,
      noteId: null,
      body: { roundId, seat, card: chance % 52, drawNo: seq, stakeMinor: amountMinor, name: '閒家 «à mão»' },
      postings: moves
        ? [
            { account: from!, currency: 'MOP', amountMinor: -amountMinor },
            { account: to!, currency: 'MOP', amountMinor },
          ]
        : [],
    };
  };
  const bytesOf = (seq: number): string => encodeEntry(terminalId, fields(seq));

  const hashes = Buffer.alloc(entryCount * HASH_BYTES);
  const balances = new Map<string, number>();
  const hashAt = (seq: number): Uint8Array | null =>
    seq === 0
      ? Buffer.alloc(HASH_BYTES)
      : seq > entryCount
        ? null
        : hashes.subarray((seq - 1) * HASH_BYTES, seq * HASH_BYTES);
  for (let seq = 1; seq <= entryCount; seq += 1) {
    const entry = fields(seq);
    hashes.set(chainHash(hashAt(seq - 1)!, encodeEntry(terminalId, entry)), (seq - 1) * HASH_BYTES);
    for (const { account, currency, amountMinor } of entry.postings) {
      const name = `${currency}/${account}`;
      balances.set(name, (balances.get(name) ?? 0) + amountMinor);
    }
  }

  let acked: { seq: number; hash: Uint8Array; atMs: number } | null = null;
  return {
    terminalId,
    key,
    entryCount,
    hashes,
    balances,
    head: () => ({ seq: entryCount, hash: hashAt(entryCount)! }),
    hashAt,
    read: (fromSeq, limit) =>
      seqs(fromSeq, limit, entryCount).map((seq) => ({ ...fields(seq), hash: hashAt(seq)! })),
    readLines: (fromSeq, limit) =>
      Buffer.from(
        seqs(fromSeq, limit, entryCount)
          .map((seq) => `${bytesOf(seq)}\n`)
          .join(''),
      ),
    acknowledged: () => acked,
    acknowledge: (seq, hash, atMs) => {
      if (seq > (acked?.seq ?? 0)) acked = { seq, hash: Buffer.from(hash), atMs };
    },
  };
}

const seqs = (from: number, limit: number, last: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(limit, last - from + 1)) }, (_, i) => from + i);

/** The same ledger while it is being written: its entries so far, and more of them later. */
export interface GrowingLedger extends VirtualLedger {
  grow(entries: number): void;
}

export function growing(whole: VirtualLedger, first: number): GrowingLedger {
  let last = first;
  const most = (from: number, limit: number): number => Math.min(limit, last - from + 1);
  const hashAt = (seq: number): Uint8Array | null => (seq > last ? null : whole.hashAt(seq));
  return {
    ...whole,
    head: () => ({ seq: last, hash: hashAt(last)! }),
    hashAt,
    read: (from, limit) => whole.read(from, most(from, limit)),
    readLines: (from, limit) => whole.readLines(from, most(from, limit)),
    grow: (entries) => {
      last = Math.min(whole.entryCount, last + entries);
    },
  };
}
