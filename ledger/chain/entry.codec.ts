/**
 * An entry as bytes and its hash: docs/ledger-format.md is the exact description, this is the one
 * implementation that the store, the verifier and the centre share.
 */
import { hash as digest } from 'node:crypto';
import { canonicalText, inOrder, SURROGATE, textInOrder } from './canonical.ts';

export const ENTRY_VERSION = 1;
export const HASH_BYTES = 32;
/** Hash before the first entry. */
export const GENESIS_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

/** One line of double entry; the lines of an entry sum to zero per currency. */
export interface Posting {
  readonly account: string;
  readonly currency: string;
  /** Signed minor units (avos, cents), a safe integer. */
  readonly amountMinor: number;
}

export interface EntryFields {
  readonly seq: number;
  /**
   * Terminal's clock, ms since 1970 UTC. May step back when the clock is corrected; `seq` is the
   * order.
   */
  readonly atMs: number;
  readonly kind: string;
  readonly roundId: string | null;
  readonly commandId: string | null;
  /** Identity of the banknote this entry credits, else null. */
  readonly noteId: string | null;
  readonly body: unknown;
  readonly postings: readonly Posting[];
}

export interface Entry extends EntryFields {
  readonly hash: Uint8Array;
}

/** What the bytes say, or what is wrong with them and where. */
export type Decoded =
  | { readonly ok: true; readonly terminal: string; readonly fields: EntryFields }
  | { readonly ok: false; readonly what: string };

/** A terminal's name is also a file name and a path of a URL. */
export const TERMINAL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Lists and objects in one another, those of the entry itself included: far more than any event,
 * and what every reader's stack holds.
 */
const DEEPEST_ENTRY = 64;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], depth - 1)) return true;
  return false;
}

/** RFC 8785 text of an entry. Throws TypeError when the body is not JSON. */
export function encodeEntry(terminal: string, e: EntryFields): string {
  const { atMs, commandId, kind, noteId, roundId, seq } = e;
  const inFull = (body: unknown): object => ({
    atMs,
    body,
    commandId,
    kind,
    noteId,
    postings: e.postings.map(({ account, amountMinor, currency }) => ({ account, amountMinor, currency })),
    roundId,
    seq,
    terminal,
    v: ENTRY_VERSION,
  });
  // Its own members stand in order as they are written above.
  const body = inOrder(e.body);
  const quick = body === undefined ? null : textInOrder(inFull(body));
  if (quick !== null) return quick;
  if (canonicalText(e.body) === undefined) throw new TypeError(`body of a ${kind} entry is not JSON`);
  return canonicalText(inFull(e.body))!;
}

/** SHA-256 over the previous entry's hash followed by the UTF-8 bytes. `previous` is 32 bytes. */
export function chainHash(previous: Uint8Array, bytes: string | Uint8Array): Uint8Array {
  // A character of UTF-16 has three bytes of UTF-8 at most: counting them first would read the text
  // twice.
  const most = HASH_BYTES + (typeof bytes === 'string' ? 3 : 1) * bytes.length;
  if (most > scratch.length) scratch = Buffer.allocUnsafe(most * 2);
  scratch.set(previous, 0);
  let size = HASH_BYTES;
  if (typeof bytes === 'string') size += scratch.write(bytes, HASH_BYTES, 'utf8');
  else {
    scratch.set(bytes, HASH_BYTES);
    size += bytes.length;
  }
  // By way of hex: asking for a buffer makes one outside of the heap and takes twice as long.
  return Buffer.from(digest('sha256', scratch.subarray(0, size), 'hex'), 'hex');
}
/** One reused buffer: allocating per entry made checking a long chain three times slower. */
let scratch = Buffer.allocUnsafe(4096);

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * First currency whose lines do not sum to zero (or leave the safe integers), with the sum, or
 * null. Amounts must be safe integers.
 */
export function unbalanced(postings: readonly Posting[]): { currency: string; sumMinor: number } | null {
  // Plain loops: an entry has a handful of lines and nearly always one currency.
  for (let first = 0; first < postings.length; first++) {
    const { currency } = postings[first]!;
    let sumMinor = 0;
    for (let i = 0; i < postings.length; i++) {
      const p = postings[i]!;
      if (p.currency !== currency) continue;
      // That currency has had its turn.
      if (i < first) break;
      sumMinor += p.amountMinor;
      // Past 2^53 a sum is rounded and could look like zero.
      if (!Number.isSafeInteger(sumMinor)) return { currency, sumMinor };
    }
    if (sumMinor !== 0) return { currency, sumMinor };
  }
  return null;
}

/**
 * Without U+0000, which the centre's database cannot hold in a column of text, and Unicode (RFC
 * 8785, 3.2.2.2).
 */
export const isText = (v: unknown): v is string =>
  typeof v === 'string' && v !== '' && !v.includes('\0') && v.isWellFormed();
const textOrNull = (v: unknown): v is string | null => v === null || isText(v);

/** Reads an entry's text back, refusing whatever `encodeEntry` could not have written. */
export function decodeEntry(bytes: string): Decoded {
  const bad = (what: string): Decoded => ({ ok: false, what });
  let raw: unknown;
  try {
    raw = JSON.parse(bytes);
  } catch (error) {
    return bad(`bytes are not JSON: ${(error as Error).message}`);
  }
  if (isDeeper(raw, DEEPEST_ENTRY)) return bad(`nested deeper than ${DEEPEST_ENTRY}`);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return bad('bytes are not a JSON object');
  const { v, terminal, seq, atMs, kind, roundId, commandId, noteId, body, postings } = raw as Record<
    string,
    unknown
  >;
  if (v !== ENTRY_VERSION) return bad(`v is ${JSON.stringify(v)}, not ${ENTRY_VERSION}`);
  if (!isText(terminal)) return bad('terminal is not a text');
  if (!Number.isSafeInteger(seq) || (seq as number) < 1) return bad('seq is not a positive integer');
  if (!Number.isSafeInteger(atMs)) return bad('atMs is not an integer');
  if (!isText(kind)) return bad('kind is not a text');
  if (!textOrNull(roundId)) return bad('roundId is neither a text nor null');
  if (!textOrNull(commandId)) return bad('commandId is neither a text nor null');
  if (!textOrNull(noteId)) return bad('noteId is neither a text nor null');
  if (body === undefined) return bad('body is missing');
  if (!Array.isArray(postings)) return bad('postings is not a list');
  for (const [i, p] of (postings as unknown[]).entries()) {
    const { account, currency, amountMinor } = (p ?? {}) as Record<string, unknown>;
    if (!isText(account) || !isText(currency) || !Number.isSafeInteger(amountMinor)) {
      return bad(`postings[${i}] is not { account, amountMinor, currency }`);
    }
  }
  const fields: EntryFields = {
    seq: seq as number,
    atMs: atMs as number,
    kind,
    roundId,
    commandId,
    noteId,
    body,
    postings: postings as readonly Posting[],
  };
  // Catches unknown or doubled members, spaces, other number forms: two readers must never see two
  // entries.
  const isCanonical =
    isSorted(raw) && !bytes.includes(SURROGATE)
      ? Object.keys(raw).length === MEMBERS && hasThree(postings) && JSON.stringify(raw) === bytes
      : isEncoded(terminal, fields, bytes);
  if (!isCanonical) return bad('bytes are not the canonical form (RFC 8785)');
  return { ok: true, terminal, fields };
}

const MEMBERS = 10;

function isEncoded(terminal: string, fields: EntryFields, bytes: string): boolean {
  try {
    return encodeEntry(terminal, fields) === bytes;
  } catch {
    return false;
  }
}

const hasThree = (postings: readonly unknown[]): boolean =>
  postings.every((p) => Object.keys(p as object).length === 3);

/**
 * Whether the members of all objects stand in RFC 8785 order. What was parsed in that order
 * JSON.stringify writes as RFC 8785 does, in a fifth of the time of sorting it again; only names
 * that look like numbers JavaScript puts first, and then the long way decides.
 */
function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isSorted(value[i])) return false;
    return true;
  }
  let last: string | null = null;
  for (const name in value) {
    if (last !== null && name < last) return false;
    last = name;
    if (!isSorted((value as Record<string, unknown>)[name])) return false;
  }
  return true;
}
