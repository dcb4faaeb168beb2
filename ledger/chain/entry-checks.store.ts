/** The entries of a ledger one by one: chain, columns, postings, rounds and notes. */
import type { Sqlite } from '../store/sqlite.store.ts';
import { isCanonical } from './canonical.ts';
import { type Found, hashAt, userVersion } from './checks.store.ts';
import {
  chainHash,
  decodeEntry,
  ENTRY_VERSION,
  type EntryFields,
  equalBytes,
  GENESIS_HASH,
  HASH_BYTES,
  isText,
  type Posting,
  unbalanced,
} from './entry.codec.ts';

const PAGE = 2000;

/** `SELECT * FROM entries`: seq, at_ms, kind, round_id, command_id, bytes, hash. Typed as a sound file has them. */
type EntryRow = readonly [number, number, string, string | null, string | null, string, Uint8Array];
/** `SELECT * FROM postings`: seq, line, account, currency, amount_minor. */
type PostingRow = readonly [number, number, string, string, number];
/** `SELECT * FROM round_runs`: first_seq, round_id. */
type RunRow = readonly [number, string];

export interface Checked {
  /** Last entry seen. */
  readonly headSeq: number;
  readonly headHash: Uint8Array;
  readonly checked: number;
  /** How many of them credit a banknote. */
  readonly notes: number;
}

/**
 * Chain, gapless numbers, columns, postings, rounds and notes against the bytes, sums per currency, from `fromSeq` to
 * `toSeq` or the end. Each entry is checked against the stored hash of the one before it, so that ranges can be checked
 * side by side.
 */
export function checkEntries(
  db: Sqlite,
  terminal: string | null,
  fromSeq: number,
  toSeq: number,
  found: Found,
): Checked {
  const { page, lines, credit } = statementsOf(db);
  const rounds = roundsOf(db, fromSeq);
  const expect = expectation(terminal ?? '');
  let expected = fromSeq;
  let previous = hashAt(db, fromSeq - 1) ?? GENESIS_HASH;
  let checked = 0;
  let notes = 0;
  for (;;) {
    const rows = page.all(expected, toSeq);
    if (rows.length === 0) break;
    const lastSeq = rows.at(-1)![0];
    const postings = lines.all(expected, lastSeq);
    rounds.page(expected, lastSeq);
    let at = 0;
    for (const row of rows) {
      const [seq, , , roundId, , bytes, hash] = row;
      const wrong = (what: string): void => found({ part: 'entry', seq, what });
      // In a damaged file rows can come out of order, and reading on from there would never end.
      if (seq < expected) throw new Error(`entry ${seq} stands after entry ${expected - 1}`);
      if (seq !== expected) {
        found({ part: 'entry', seq: expected, what: `entry is missing, the next one is ${seq}` });
      }
      rounds.entry(seq, roundId, found);
      // A damaged page can hold what the column's type forbids.
      if (typeof bytes !== 'string' || !(hash instanceof Uint8Array)) {
        wrong('bytes or hash cannot be read');
        expected = seq + 1;
        continue;
      }
      if (hash.length !== HASH_BYTES || !equalBytes(chainHash(previous, bytes), hash)) {
        wrong('hash is not SHA-256 of the previous hash and the bytes');
      }
      previous = hash;
      expected = seq + 1;
      checked++;
      const first = at;
      while (at < postings.length && postings[at]![0] <= seq) at++;
      if (expect(row, postings, first, at)) continue;
      const decoded = decodeEntry(bytes);
      if (!decoded.ok) {
        wrong(decoded.what);
        continue;
      }
      if (decoded.terminal !== terminal) wrong(`bytes name terminal ${decoded.terminal}, not ${terminal}`);
      compareColumns(row, decoded.fields, wrong);
      comparePostings(postings, first, at, decoded.fields, wrong);
      const { noteId } = decoded.fields;
      if (noteId !== null) {
        notes++;
        const creditedAt = credit.get(noteId);
        if (creditedAt !== seq) {
          found({
            part: 'note',
            seq,
            what: `credit of note ${noteId} is recorded ${creditedAt === undefined ? 'nowhere' : `at entry ${creditedAt}`}`,
          });
        }
      }
    }
  }
  if (expected <= toSeq && toSeq !== Number.MAX_SAFE_INTEGER)
    found({ part: 'entry', seq: expected, what: `entry is missing, up to ${toSeq}` });
  rounds.page(expected, toSeq);
  rounds.end(found);
  return { headSeq: expected - 1, headHash: previous, checked, notes };
}

/** No rows about entries that are not there, and no entry before the first: SQLite's own check passes over a CHECK on such a key. */
export function checkBeyond(db: Sqlite, found: Found): void {
  const first = (table: string, column: string): number | undefined =>
    db
      .prepare<[], number>(
        `SELECT ${column} FROM ${table} WHERE ${column} > (SELECT coalesce(max(seq), 0) FROM entries)
         ORDER BY ${column} LIMIT 1`,
      )
      .pluck()
      .get();
  const early = db.prepare<[], number | null>('SELECT min(seq) FROM entries').pluck().get() ?? 1;
  if (early < 1) found({ part: 'entry', seq: early, what: 'the first entry has the number 1' });
  const round = userVersion(db) < 2 ? undefined : first('round_runs', 'first_seq');
  if (round !== undefined)
    found({ part: 'round', seq: round, what: 'no run of entries of a round begins here' });
  const posting = first('postings', 'seq');
  if (posting !== undefined) found({ part: 'entry', seq: posting, what: 'there are postings and no entry' });
}

interface Statements {
  readonly page: { all(from: number, to: number): EntryRow[] };
  readonly lines: { all(from: number, to: number): PostingRow[] };
  readonly credit: { get(noteId: string): number | undefined };
  /** Null in a file of the first version. */
  readonly runs: { all(from: number, to: number): RunRow[] } | null;
  readonly roundBefore: { get(seq: number): string | null | undefined };
}

/** Of each open file: preparing them takes longer than a short range. */
const prepared = new WeakMap<Sqlite, Statements>();

function statementsOf(db: Sqlite): Statements {
  const known = prepared.get(db);
  if (known !== undefined) return known;
  const rows = <Row>(sql: string): { all(from: number, to: number): Row[] } =>
    db.prepare<[number, number]>(sql).raw() as unknown as { all(from: number, to: number): Row[] };
  const made: Statements = {
    page: rows<EntryRow>(`SELECT * FROM entries WHERE seq >= ? AND seq <= ? ORDER BY seq LIMIT ${PAGE}`),
    lines: rows<PostingRow>('SELECT * FROM postings WHERE seq BETWEEN ? AND ? ORDER BY seq, line'),
    credit: db.prepare<[string], number>('SELECT seq FROM note_credits WHERE note_id = ?').pluck(),
    runs:
      userVersion(db) < 2
        ? null
        : rows<RunRow>('SELECT * FROM round_runs WHERE first_seq BETWEEN ? AND ? ORDER BY first_seq'),
    roundBefore: db
      .prepare<[number], string | null>(
        'SELECT round_id FROM entries WHERE seq < ? ORDER BY seq DESC LIMIT 1',
      )
      .pluck(),
  };
  prepared.set(db, made);
  return made;
}

/**
 * Whether the bytes are exactly what `encodeEntry` writes for the columns and the rows of postings, credit no note, and the
 * postings sum to zero: then there is nothing to find in them. The text round the body is made from the columns and compared, and
 * only the body is parsed. Anything else is false and gets the long way, which says what is wrong.
 */
function expectation(
  terminal: string,
): (row: EntryRow, postings: readonly PostingRow[], first: number, end: number) => boolean {
  /** Texts in quotes; what may not be a text in an entry is null. */
  const known = new Map<string, string | null>();
  const quoted = (value: string): string | null => {
    let text = known.get(value);
    if (text === undefined) {
      text = isText(value) ? JSON.stringify(value) : null;
      if (known.size > 500) known.clear();
      known.set(value, text);
    }
    return text;
  };
  const quotedOrNull = (value: string | null): string | null => (value === null ? 'null' : quoted(value));
  const end = `,"terminal":${quoted(terminal)},"v":${ENTRY_VERSION}}`;

  return ([seq, atMs, kind, roundId, commandId, bytes], rows, firstRow, endRow) => {
    let lines = '';
    let currency: string | null = null;
    let sumMinor = 0;
    for (let i = firstRow; i < endRow; i++) {
      const [at, line, account, rowCurrency, amountMinor] = rows[i]!;
      currency ??= rowCurrency;
      if (at !== seq || line !== i - firstRow + 1 || rowCurrency !== currency) return false;
      sumMinor += amountMinor;
      const name = quoted(account);
      const money = quoted(currency);
      if (name === null || money === null || !Number.isSafeInteger(amountMinor)) return false;
      if (!Number.isSafeInteger(sumMinor)) return false;
      lines += `${i === firstRow ? '' : ','}{"account":${name},"amountMinor":${amountMinor},"currency":${money}}`;
    }
    const [k, r, c] = [quoted(kind), quotedOrNull(roundId), quotedOrNull(commandId)];
    if (k === null || r === null || c === null || sumMinor !== 0 || !Number.isSafeInteger(atMs)) return false;
    const before = `{"atMs":${atMs},"body":`;
    const after = `,"commandId":${c},"kind":${k},"noteId":null,"postings":[${lines}],"roundId":${r},"seq":${seq}${end}`;
    if (!bytes.startsWith(before) || !bytes.endsWith(after)) return false;
    return isCanonical(bytes.slice(before.length, bytes.length - after.length));
  };
}

interface Rounds {
  /** Entries of these numbers come next. */
  page(fromSeq: number, toSeq: number): void;
  entry(seq: number, roundId: string | null, found: Found): void;
  end(found: Found): void;
}

/** Where runs of entries of one round begin, against the table that says so; nothing in a file of the first version. */
function roundsOf(db: Sqlite, fromSeq: number): Rounds {
  const { runs, roundBefore } = statementsOf(db);
  if (runs === null) return { page: () => {}, entry: () => {}, end: () => {} };
  let before = roundBefore.get(fromSeq) ?? null;
  let rows: RunRow[] = [];
  let at = 0;
  const strangers = (upTo: number, found: Found): void => {
    while (at < rows.length && rows[at]![0] < upTo) {
      found({ part: 'round', seq: rows[at]![0], what: 'no run of entries of a round begins here' });
      at++;
    }
  };
  return {
    page(from, to) {
      rows = rows.slice(at).concat(runs.all(from, to));
      at = 0;
    },
    entry(seq, roundId, found) {
      strangers(seq, found);
      const begins = roundId !== null && roundId !== before;
      before = roundId;
      const row = rows[at];
      if (row?.[0] !== seq) {
        if (begins) found({ part: 'round', seq, what: `the begin of round ${roundId} is not recorded` });
        return;
      }
      at++;
      if (!begins || row[1] !== roundId)
        found({ part: 'round', seq, what: `round ${row[1]} is recorded to begin here` });
    },
    end: (found) => strangers(Number.POSITIVE_INFINITY, found),
  };
}

function compareColumns(
  [seq, atMs, kind, roundId, commandId]: EntryRow,
  fields: EntryFields,
  wrong: (what: string) => void,
): void {
  const same = (name: string, column: string | number | null, inside: string | number | null): void => {
    if (column !== inside) wrong(`column ${name} is ${column ?? 'null'}, the bytes say ${inside ?? 'null'}`);
  };
  same('seq', seq, fields.seq);
  same('at_ms', atMs, fields.atMs);
  same('kind', kind, fields.kind);
  same('round_id', roundId, fields.roundId);
  same('command_id', commandId, fields.commandId);
}

/** `rows` from `first` up to `end` are the entry's. */
function comparePostings(
  rows: readonly PostingRow[],
  first: number,
  end: number,
  { seq, postings }: EntryFields,
  wrong: (what: string) => void,
): void {
  const isRow = (p: Posting, i: number): boolean => {
    const [at, line, account, currency, amountMinor] = rows[first + i]!;
    return (
      at === seq &&
      line === i + 1 &&
      account === p.account &&
      currency === p.currency &&
      amountMinor === p.amountMinor
    );
  };
  if (end - first !== postings.length || !postings.every(isRow)) {
    wrong('rows of postings are not the postings of the bytes');
  }
  const off = unbalanced(postings);
  if (off !== null) wrong(`postings sum to ${off.sumMinor} ${off.currency} minor units, not to zero`);
}
