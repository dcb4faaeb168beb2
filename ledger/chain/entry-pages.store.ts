/**
 * Whole pages of entries, proved sound without making texts or objects of them: a row that crosses
 * into JavaScript costs as much as hashing and comparing it. SQLite puts a page's rows into three
 * runs of bytes, which are compared where they lie.
 */
import { hash as digest } from 'node:crypto';
import type { Sqlite } from '../store/sqlite.store.ts';
import { hasPostingRows } from './checks.store.ts';
import { HASH_BYTES, isText } from './entry.codec.ts';
import {
  ACCOUNT,
  AMOUNT,
  AT_MS,
  BODY,
  CLOSE_LIST,
  COMMA,
  COMMAND,
  CURRENCY,
  END_OF_POSTING,
  entryEnd,
  KIND,
  NOTE,
  NULL,
  ROUND,
  SEQ,
} from './plain-entry.ts';
import { PlainJson } from './plain-json.ts';

export interface Page {
  /** Of each entry; of open ones it is not known. */
  readonly roundIds: readonly (string | null)[];
  readonly headHash: Uint8Array;
  /** Entries whose hash is right and about which nothing else has been proved. */
  readonly open: ReadonlySet<number>;
}

type Read = (
  terminalEnd: Uint8Array,
  from: number,
  to: number,
  previous: Uint8Array,
  isChainProved: boolean,
) => Page | null;
const readers = new WeakMap<Sqlite, Read>();

/**
 * The entries `from` to `to`: all there, and each hash that of the one before and the bytes, unless
 * that has been proved before. Null where that is not so, or cannot be told in this manner; then
 * they have to be looked at one by one. Throws SQLite's error.
 */
export function soundPage(
  db: Sqlite,
  terminal: string,
  from: number,
  to: number,
  previous: Uint8Array,
  isChainProved: boolean,
): Page | null {
  let read = readers.get(db);
  if (read === undefined) {
    read = readerOf(db);
    readers.set(db, read);
  }
  if (!isText(terminal) || !isHash(previous)) return null;
  return read(entryEnd(terminal), from, to, previous, isChainProved);
}

/** Some 90 kB: longer runs do not stay in the processor's cache. */
export const PAGE = 250;

/**
 * Whether the entries `from` to `to` are all there and each hash is that of the one before and the
 * bytes: a third of the work of a sound page. Throws SQLite's error.
 */
export function isChained(db: Sqlite, from: number, to: number, before: Uint8Array | null): boolean {
  const pages = db
    .prepare<[Uint8Array, number, number], [number, number, Buffer | null, Buffer | null]>(
      `SELECT count(*), coalesce(sum(seq), 0), CAST(? || group_concat(bytes || hash, '') AS BLOB),
         CAST(group_concat(octet_length(bytes) || char(10), '') AS BLOB)
       FROM entries WHERE seq BETWEEN ? AND ? AND ${ARE_BYTES}`,
    )
    .raw();
  let previous = before;
  for (let seq = from; seq <= to; seq += PAGE) {
    if (!isHash(previous)) return false;
    const last = Math.min(seq + PAGE - 1, to);
    const [count, sum, chain, lengths] = pages.get(previous, seq, last)!;
    if (count !== last - seq + 1 || sum !== ((seq + last) * count) / 2 || chain === null || lengths === null)
      return false;
    const lines = new Lines(lengths);
    let at = HASH_BYTES;
    for (let i = 0; i < count; i++) {
      const end = at + lines.number();
      if (!isHashAt(chain, at, end)) return false;
      at = end + HASH_BYTES;
    }
    if (at !== chain.length) return false;
    previous = Buffer.from(chain.subarray(at - HASH_BYTES));
  }
  return true;
}

const isHash = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value.length === HASH_BYTES;

/**
 * Whether the bytes from `start` to `end`, which the hash before them belongs to, have the hash
 * that stands behind them.
 */
function isHashAt(chain: Buffer, start: number, end: number): boolean {
  // Also where `end` is no number.
  if (!(end + HASH_BYTES <= chain.length)) return false;
  const hash = digest('sha256', chain.subarray(start - HASH_BYTES, end), 'binary');
  for (let i = 0; i < HASH_BYTES; i++) if (chain[end + i] !== hash.charCodeAt(i)) return false;
  return true;
}

// A damaged page can hold what a column's type forbids, and as bytes it could look the same.
const ARE_BYTES = `typeof(bytes) = 'text' AND typeof(hash) = 'blob' AND octet_length(hash) = ${HASH_BYTES}`;

const LINE_END = 0x0a;
const THERE = 0x2b;
const NOT_THERE = 0x2d;
/** The columns of entries as lines, read beside their bytes. */
class Lines {
  readonly #lines: Uint8Array;
  at = 0;

  constructor(lines: Uint8Array) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.at === this.#lines.length;
  }

  /** One field with a number of at most 15 digits; NaN for anything else. */
  number(): number {
    const lines = this.#lines;
    const isNegative = lines[this.at] === NOT_THERE;
    if (isNegative) this.at++;
    const from = this.at;
    let value = 0;
    let byte = lines[this.at++]!;
    for (; byte >= 0x30 && byte <= 0x39; byte = lines[this.at++]!) value = value * 10 + byte - 0x30;
    const digits = this.at - from - 1;
    if (byte !== LINE_END || digits < 1 || digits > 15) return Number.NaN;
    return isNegative ? -value : value;
  }

  /** Whether the next field is this text, which has no line end. */
  is(bytes: Uint8Array, from: number, to: number): boolean {
    const lines = this.#lines;
    const start = this.at - from;
    for (let i = from; i < to; i++) if (lines[start + i] !== bytes[i]) return false;
    this.at = start + to + 1;
    return lines[start + to] === LINE_END;
  }

  /** Whether the next field is there, as its mark says. */
  isThere(): boolean {
    return this.#lines[this.at++] === THERE;
  }

  /** Goes on behind an entry's rows of postings, which begin at `from`. */
  skipPostings(seq: number, from: number): void {
    let next = from;
    this.at = next;
    while (this.number() === seq) {
      this.skip(POSTING_FIELDS - 1);
      next = this.at;
    }
    this.at = next;
  }

  skip(fields: number): void {
    for (let i = 0; i < fields; i++) {
      const lineEnd = this.#lines.indexOf(LINE_END, this.at);
      this.at = lineEnd < 0 ? this.#lines.length : lineEnd + 1;
    }
  }
}

const areEqual = (
  bytes: Uint8Array,
  from: number,
  to: number,
  otherFrom: number,
  otherTo: number,
): boolean => {
  if (to - from !== otherTo - otherFrom) return false;
  for (let i = 0; i < to - from; i++) if (bytes[from + i] !== bytes[otherFrom + i]) return false;
  return true;
};

/** Fields of an entry, and of a posting. */
const FIELDS = 5;
const POSTING_FIELDS = 5;

function readerOf(db: Sqlite): Read {
  type Run = Buffer | null;
  // Each field ends with its line end: a text that has one makes the lines more than they should
  // be.
  const entries = db
    .prepare<[Uint8Array, number, number], [number, Run, Run]>(
      `SELECT count(*), CAST(? || group_concat(bytes || hash, '') AS BLOB), CAST(group_concat(concat_ws(char(10),
         octet_length(bytes), at_ms, coalesce('+' || command_id, '-'), kind, coalesce('+' || round_id, '-'), ''), '') AS BLOB)
       FROM entries WHERE seq BETWEEN ? AND ? AND ${ARE_BYTES} AND typeof(at_ms) = 'integer' AND typeof(kind) = 'text'
         AND typeof(command_id) IN ('text', 'null') AND typeof(round_id) IN ('text', 'null')`,
    )
    .raw();
  const postings = !hasPostingRows(db)
    ? null
    : db
        .prepare<[number, number], [number, number, Run]>(
          `SELECT count(*), coalesce(sum(typeof(seq) = 'integer' AND typeof(line) = 'integer' AND typeof(account) = 'text'
             AND typeof(currency) = 'text' AND typeof(amount_minor) = 'integer'), 0),
             CAST(group_concat(concat_ws(char(10), seq, line, account, amount_minor, currency, ''), '') AS BLOB)
           FROM (SELECT * FROM postings WHERE seq BETWEEN ? AND ? ORDER BY seq, line)`,
        )
        .raw();
  const json = new PlainJson();

  const isTextIn = (lines: Lines | null): boolean =>
    json.text() &&
    json.textTo > json.textFrom &&
    (lines === null || lines.is(json.bytes, json.textFrom, json.textTo));
  /** No text leaves an empty one behind. */
  const isTextOrNull = (lines: Lines): boolean => {
    if (lines.isThere()) return isTextIn(lines);
    json.textFrom = json.textTo = json.at;
    return json.literal(NULL) && lines.is(json.bytes, json.at, json.at);
  };
  /** `rows` are null where the file has none. */
  const isPosting = (seq: number, line: number, rows: Lines | null): boolean =>
    (rows === null || (rows.number() === seq && rows.number() === line)) &&
    json.literal(ACCOUNT) &&
    isTextIn(rows) &&
    json.literal(AMOUNT) &&
    json.number() &&
    (rows === null || rows.number() === json.integer) &&
    json.literal(CURRENCY) &&
    isTextIn(rows) &&
    json.literal(END_OF_POSTING);
  const isBalanced = (seq: number, rows: Lines | null): boolean => {
    let sumMinor = 0;
    let currencyFrom = 0;
    let currencyTo = 0;
    for (let line = 1; json.bytes[json.at] !== CLOSE_LIST; line++) {
      if (line > 1 && json.bytes[json.at++] !== COMMA) return false;
      if (!isPosting(seq, line, rows)) return false;
      sumMinor += json.integer;
      const { bytes, textFrom, textTo } = json;
      // More than one currency takes more to tell.
      if (line > 1 && !areEqual(bytes, currencyFrom, currencyTo, textFrom, textTo)) return false;
      if (!Number.isSafeInteger(sumMinor)) return false;
      currencyFrom = textFrom;
      currencyTo = textTo;
    }
    return sumMinor === 0;
  };

  return (terminalEnd, from, to, previous, isChainProved) => {
    const [count, chain, columns] = entries.get(previous, from, to)!;
    if (count !== to - from + 1 || chain === null || columns === null) return null;
    let rows: Lines | null = null;
    if (postings !== null) {
      const [lineCount, typedCount, lines] = postings.get(from, to)!;
      if (typedCount !== lineCount) return null;
      rows = new Lines(lines ?? new Uint8Array());
    }
    const fields = new Lines(columns);
    json.bytes = chain;
    const roundIds: (string | null)[] = [];
    const open = new Set<number>();
    let roundId: string | null = null;
    let roundFrom = 0;
    let roundTo = 0;

    let end = 0;
    for (let seq = from; seq <= to; seq++) {
      const fieldsFrom = fields.at;
      const rowsFrom = rows?.at ?? 0;
      const start = end + HASH_BYTES;
      end = start + fields.number();
      if (!(end + HASH_BYTES <= chain.length) || !(isChainProved || isHashAt(chain, start, end))) return null;
      json.at = start;
      const isProved =
        json.literal(AT_MS) &&
        json.number() &&
        fields.number() === json.integer &&
        json.literal(BODY) &&
        json.value() &&
        json.literal(COMMAND) &&
        isTextOrNull(fields) &&
        json.literal(KIND) &&
        isTextIn(fields) &&
        json.literal(NOTE) &&
        isBalanced(seq, rows) &&
        json.literal(ROUND) &&
        isTextOrNull(fields);
      const { textFrom, textTo } = json;
      if (
        isProved &&
        json.literal(SEQ) &&
        json.number() &&
        json.integer === seq &&
        json.literal(terminalEnd) &&
        json.at === end
      ) {
        if (!areEqual(chain, roundFrom, roundTo, textFrom, textTo))
          roundId = textFrom === textTo ? null : chain.toString('latin1', textFrom, textTo);
        roundFrom = textFrom;
        roundTo = textTo;
      } else {
        open.add(seq);
        fields.at = fieldsFrom;
        fields.skip(FIELDS);
        rows?.skipPostings(seq, rowsFrom);
      }
      roundIds.push(roundId);
    }
    return fields.isAtEnd && (rows?.isAtEnd ?? true)
      ? { roundIds, headHash: Buffer.from(chain.subarray(end)), open }
      : null;
  };
}
