/**
 * A batch of entries on its way to the centre: its form on the wire, what is signed, and the check
 * the centre makes.
 */
import { isUtf8 } from 'node:buffer';
import canonicalize from 'canonicalize';
import { type JsonBounds, parseBounded } from './bounded-json.ts';
import { chainHash, decodeEntry, equalBytes, GENESIS_HASH, toHex, unbalanced } from './entry.codec.ts';
import type { LedgerKey } from './key.ts';
import { type PlainEntry, PlainEntryReader } from './plain-entry.ts';

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
 * The bytes the terminal signs: the chain makes the last hash stand for every byte before it, so
 * the batch's ends are enough.
 */
export function batchBytes(b: Unsigned): Uint8Array {
  const { terminal, firstSeq, count, prevHash, lastHash } = b;
  return Buffer.from(`banca-batch-v1\n${canonicalize({ terminal, firstSeq, count, prevHash, lastHash })}`);
}

type Unsigned = Omit<BatchHead, 'v' | 'signature'>;

const signed = (head: Unsigned, key: LedgerKey): BatchHead => ({
  v: BATCH_VERSION,
  ...head,
  signature: toHex(key.sign(batchBytes(head))),
});

/** Signs consecutive entries, the first of which follows `prevHash`. */
export function makeBatch(
  terminal: string,
  prevHash: Uint8Array,
  entries: readonly { readonly seq: number; readonly bytes: Uint8Array; readonly hash: Uint8Array }[],
  key: LedgerKey,
): Batch {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a batch has at least one entry');
  const head = {
    terminal,
    firstSeq: first.seq,
    count: entries.length,
    prevHash: toHex(prevHash),
    lastHash: toHex(last.hash),
  };
  return { ...signed(head, key), entries: entries.map((e) => e.bytes) };
}

const HEAD: JsonBounds = { characters: 4_096, depth: 4 };
const LINE_END = Buffer.from('\n');

/**
 * A line of JSON, then each entry as it stands in the ledger, which holds no line end, and a line
 * end after each.
 */
export function encodeBatch({ entries, ...head }: Batch): Buffer<ArrayBuffer> {
  const lines = entries.flatMap((bytes) => [bytes, LINE_END]);
  return Buffer.concat([Buffer.from(JSON.stringify(head)), LINE_END, ...lines]);
}

/** The same of a batch whose entries are lines already. */
export const signLines = (head: Unsigned, lines: Uint8Array, key: LedgerKey): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.from(JSON.stringify(signed(head, key))), LINE_END, lines]);

/**
 * How many of the first lines have at most `BATCH_BYTES` bytes of entries, and where they end; at
 * least one.
 */
export function cutLines(lines: Uint8Array): { readonly count: number; readonly end: number } {
  let count = 0;
  let end = 0;
  for (let from = 0; from < lines.length; count++) {
    from = lines.indexOf(LINE_END[0]!, from) + 1;
    if (count > 0 && from - count - 1 > BATCH_BYTES) break;
    end = from;
  }
  return { count, end };
}

/**
 * The lines of what came over the wire, the first one parsed; or what is wrong. The entries are
 * parts of `body`.
 */
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
    return { head: parseBounded(String(first), HEAD), entries };
  } catch (error) {
    return `the first line is not JSON: ${(error as Error).message}`;
  }
}

/** An entry of a batch that has been checked. */
export interface CheckedEntry extends PlainEntry {
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

export type CheckedBatch = { readonly ok: true; readonly entries: readonly CheckedEntry[] } | WrongBatch;

export interface WrongBatch {
  readonly ok: false;
  readonly seq: number;
  readonly place: string;
  readonly what: string;
}

/**
 * Chain, numbers, terminal, form and sums of a batch's entries; not its signature, not its place in
 * the ledger.
 */
export function checkBatch(b: Batch): CheckedBatch {
  const entries: CheckedEntry[] = [];
  const plain = new PlainEntryReader(b.terminal);
  let previous: Uint8Array = Buffer.from(b.prevHash, 'hex');
  if (b.firstSeq === 1 && !equalBytes(previous, GENESIS_HASH)) {
    return { ok: false, seq: 1, place: 'prevHash', what: 'entry 1 follows 32 zero bytes' };
  }
  for (const [i, bytes] of b.entries.entries()) {
    const seq = b.firstSeq + i;
    const wrong = (what: string): CheckedBatch => ({ ok: false, seq, place: `entries[${i}]`, what });
    const entry = (isUtf8(bytes) ? plain.read(bytes) : null) ?? decoded(b.terminal, bytes);
    if (typeof entry === 'string') return wrong(entry);
    if (entry.seq !== seq) return wrong(`bytes name entry ${entry.seq}, not ${seq}`);
    const off = unbalanced(entry.postings);
    if (off !== null) return wrong(`postings sum to ${off.sumMinor} ${off.currency} minor units`);
    const hash = chainHash(previous, bytes);
    entries.push({ ...entry, bytes, hash });
    previous = hash;
  }
  if (toHex(previous) !== b.lastHash) {
    const what = 'the chain of the entries from prevHash on does not end in it';
    return { ok: false, seq: b.firstSeq + b.entries.length - 1, place: 'lastHash', what };
  }
  return { ok: true, entries };
}

/** What any entry says, or what is wrong with it. */
function decoded(terminal: string, bytes: Uint8Array): PlainEntry | string {
  const entry = decodeEntry(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  if (!entry.ok) return entry.what;
  if (entry.terminal !== terminal) return `bytes name terminal ${entry.terminal}`;
  return { ...entry.fields, postingsJson: Buffer.from(JSON.stringify(entry.fields.postings)) };
}
