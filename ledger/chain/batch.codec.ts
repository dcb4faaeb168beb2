/** A batch of entries on its way to the centre: what is signed, and the check both ends make. */
import canonicalize from 'canonicalize';
import {
  chainHash,
  decodeEntry,
  type EntryFields,
  equalBytes,
  GENESIS_HASH,
  toHex,
  unbalanced,
} from './entry.codec.ts';
import type { LedgerKey } from './key.ts';

export const BATCH_VERSION = 1;
/** Entries in a batch at most; more makes ingest slower, not faster. */
export const BATCH_LIMIT = 500;
/** Characters of all entries' bytes in a batch at most, unless one entry alone is longer. */
export const BATCH_CHARACTERS = 2 ** 21;

/** The JSON of a batch. Hashes and the signature are lower-case hex. */
export interface Batch {
  readonly v: typeof BATCH_VERSION;
  readonly terminal: string;
  readonly firstSeq: number;
  /** Hash of entry firstSeq - 1, 64 zeros for the first entry. */
  readonly prevHash: string;
  readonly entries: readonly { readonly bytes: string; readonly hash: string }[];
  readonly signature: string;
}

/**
 * The bytes the terminal signs: the chain makes the last hash stand for every byte before it, so the batch's ends
 * are enough.
 */
export function batchBytes(b: Omit<Batch, 'signature'>): Uint8Array {
  const lastHash = b.entries.at(-1)?.hash ?? b.prevHash;
  const { terminal, firstSeq, prevHash } = b;
  return Buffer.from(
    `banca-batch-v1\n${canonicalize({ terminal, firstSeq, count: b.entries.length, prevHash, lastHash })}`,
  );
}

/** Signs consecutive entries, the first of which follows `prevHash`. */
export function makeBatch(
  terminal: string,
  prevHash: Uint8Array,
  entries: readonly { readonly seq: number; readonly bytes: string; readonly hash: Uint8Array }[],
  key: LedgerKey,
): Batch {
  const first = entries[0];
  if (first === undefined) throw new RangeError('a batch has at least one entry');
  const unsigned = {
    v: BATCH_VERSION,
    terminal,
    firstSeq: first.seq,
    prevHash: toHex(prevHash),
    entries: entries.map((e) => ({ bytes: e.bytes, hash: toHex(e.hash) })),
  } as const;
  return { ...unsigned, signature: toHex(key.sign(batchBytes(unsigned))) };
}

/** An entry of a batch that has been checked. */
export interface CheckedEntry extends EntryFields {
  readonly bytes: string;
  readonly hash: Uint8Array;
}

export type CheckedBatch =
  | { readonly ok: true; readonly entries: readonly CheckedEntry[] }
  | { readonly ok: false; readonly seq: number; readonly place: string; readonly what: string };

/** Chain, numbers, terminal, form and sums of a batch's entries; not its signature, not its place in the ledger. */
export function checkBatch(b: Batch): CheckedBatch {
  const entries: CheckedEntry[] = [];
  let previous: Uint8Array = Buffer.from(b.prevHash, 'hex');
  if (b.firstSeq === 1 && !equalBytes(previous, GENESIS_HASH)) {
    return { ok: false, seq: 1, place: 'prevHash', what: 'entry 1 follows 32 zero bytes' };
  }
  for (const [i, { bytes, hash }] of b.entries.entries()) {
    const seq = b.firstSeq + i;
    const wrong = (part: string, what: string): CheckedBatch => ({
      ok: false,
      seq,
      place: `entries[${i}]${part}`,
      what,
    });
    const own = chainHash(previous, bytes);
    if (!equalBytes(own, Buffer.from(hash, 'hex'))) {
      return wrong('.hash', 'hash is not SHA-256 of the previous hash and the bytes');
    }
    const decoded = decodeEntry(bytes);
    if (!decoded.ok) return wrong('.bytes', decoded.what);
    if (decoded.terminal !== b.terminal) return wrong('.bytes', `bytes name terminal ${decoded.terminal}`);
    if (decoded.fields.seq !== seq)
      return wrong('.bytes', `bytes name entry ${decoded.fields.seq}, not ${seq}`);
    const off = unbalanced(decoded.fields.postings);
    if (off !== null) return wrong('.bytes', `postings sum to ${off.sumMinor} ${off.currency} minor units`);
    entries.push({ ...decoded.fields, bytes, hash: own });
    previous = own;
  }
  return { ok: true, entries };
}
