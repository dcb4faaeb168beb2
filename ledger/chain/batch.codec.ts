/** A batch of entries on its way to the centre: its form on the wire, what is signed, and the check the centre makes. */
import { isUtf8 } from 'node:buffer';
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

export const BATCH_VERSION = 2;
export const BATCH_TYPE = 'application/x-ndjson';
/** Entries in a batch at most; more makes ingest slower, not faster. */
export const BATCH_LIMIT = 500;
/** Bytes of all entries in a batch at most, unless one entry alone is longer. */
export const BATCH_BYTES = 2 ** 21;

/** The first line of a batch. Hashes and the signature are lower-case hex. */
export interface BatchHead {
  readonly v: typeof BATCH_VERSION;
  readonly terminal: string;
  readonly firstSeq: number;
  readonly count: number;
  /** Hash of entry firstSeq - 1, 64 zeros for the first entry. */
  readonly prevHash: string;
  readonly lastHash: string;
  readonly signature: string;
}

export interface Batch extends BatchHead {
  /** As they stand in the ledger, UTF-8. */
  readonly entries: readonly Uint8Array[];
}

/**
 * The bytes the terminal signs: the chain makes the last hash stand for every byte before it, so the batch's ends
 * are enough.
 */
export function batchBytes(b: Omit<BatchHead, 'v' | 'signature'>): Uint8Array {
  const { terminal, firstSeq, count, prevHash, lastHash } = b;
  return Buffer.from(`banca-batch-v1\n${canonicalize({ terminal, firstSeq, count, prevHash, lastHash })}`);
}

/** Signs consecutive entries, the first of which follows `prevHash`. */
export function makeBatch(
  terminal: string,
  prevHash: Uint8Array,
  entries: readonly { readonly seq: number; readonly bytes: Uint8Array; readonly hash: Uint8Array }[],
  key: LedgerKey,
): Batch {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a batch has at least one entry');
  const unsigned = {
    terminal,
    firstSeq: first.seq,
    count: entries.length,
    prevHash: toHex(prevHash),
    lastHash: toHex(last.hash),
  };
  const signature = toHex(key.sign(batchBytes(unsigned)));
  return { v: BATCH_VERSION, ...unsigned, signature, entries: entries.map((e) => e.bytes) };
}

const LINE_END = Buffer.from('\n');

/** A line of JSON, then each entry as it stands in the ledger, which holds no line end, and a line end after each. */
export function encodeBatch({ entries, ...head }: Batch): Buffer<ArrayBuffer> {
  const parts: Uint8Array[] = [Buffer.from(JSON.stringify(head)), LINE_END];
  for (const bytes of entries) parts.push(bytes, LINE_END);
  return Buffer.concat(parts);
}

/** The lines of what came over the wire, the first one parsed; or what is wrong. The entries are parts of `body`. */
export function splitBatch(body: Buffer): { head: unknown; entries: Uint8Array[] } | string {
  if (!isUtf8(body)) return 'not UTF-8';
  if (body.at(-1) !== LINE_END[0]) return 'the last line has no end';
  const lines: Uint8Array[] = [];
  for (let from = 0; from < body.length; ) {
    const to = body.indexOf(LINE_END[0]!, from);
    lines.push(body.subarray(from, to));
    from = to + 1;
  }
  const [first, ...entries] = lines;
  try {
    return { head: JSON.parse(String(first)) as unknown, entries };
  } catch (error) {
    return `the first line is not JSON: ${(error as Error).message}`;
  }
}

/** An entry of a batch that has been checked. */
export interface CheckedEntry extends EntryFields {
  readonly bytes: Uint8Array;
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
  for (const [i, bytes] of b.entries.entries()) {
    const seq = b.firstSeq + i;
    const wrong = (what: string): CheckedBatch => ({ ok: false, seq, place: `entries[${i}]`, what });
    const decoded = decodeEntry(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    if (!decoded.ok) return wrong(decoded.what);
    if (decoded.terminal !== b.terminal) return wrong(`bytes name terminal ${decoded.terminal}`);
    if (decoded.fields.seq !== seq) return wrong(`bytes name entry ${decoded.fields.seq}, not ${seq}`);
    const off = unbalanced(decoded.fields.postings);
    if (off !== null) return wrong(`postings sum to ${off.sumMinor} ${off.currency} minor units`);
    const hash = chainHash(previous, bytes);
    entries.push({ ...decoded.fields, bytes, hash });
    previous = hash;
  }
  if (toHex(previous) !== b.lastHash) {
    const what = 'the chain of the entries from prevHash on does not end in it';
    return { ok: false, seq: b.firstSeq + b.entries.length - 1, place: 'lastHash', what };
  }
  return { ok: true, entries };
}
