/** The entries of a ledger one by one: chain, columns, postings, rounds and notes. */
import type { Sqlite } from '../store/sqlite.store.ts';
import { type Found, hashAt, hasPostingRows, userVersion } from './checks.store.ts';
import {
  chainHash,
  decodeEntry,
  type EntryFields,
  equalBytes,
  GENESIS_HASH,
  HASH_BYTES,
  type Posting,
  unbalanced,
} from './entry.codec.ts';
import { PAGE, soundPage } from './entry-pages.store.ts';

/** For fewer entries it is not worth to make the reader of pages ready. */
const WORTH_PAGES = 50;

/**
 * `SELECT * FROM entries`: seq, at_ms, kind, round_id, command_id, bytes, hash. Typed as a sound
 * file has them.
 */
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
 * Chain, gapless numbers, columns, postings, rounds and notes against the bytes, sums per currency,
 * from `fromSeq` to `toSeq` or the end. Each entry is checked against the stored hash of the one
 * before it, so that ranges can be checked side by side. Where the chain `isChainProved` no entry
 * is hashed again.
 */
export function checkEntries(
  db: Sqlite,
  terminal: string | null,
  fromSeq: number,
  toSeq: number,
  found: Found,
  isChainProved = false,
): Checked {
  const { page, lines, credit } = statementsOf(db);
  const rounds = roundsOf(db, fromSeq);
  /** A page is proved when it has all of its entries. */
  const hasPages = toSeq !== Number.MAX_SAFE_INTEGER;
  let expected = fromSeq;
  let previous = hashAt(db, fromSeq - 1) ?? GENESIS_HASH;
  let checked = 0;
  let notes = 0;
  /**
   * What the bytes say, against the columns and the rows `first` up to `end` of the postings, null
   * where the file has none.
   */
  const checkContents = (
    row: EntryRow,
    postings: readonly PostingRow[] | null,
    first: number,
    end: number,
  ): void => {
    const seq = row[0];
    const wrong = (what: string): void => found({ part: 'entry', seq, what });
    const decoded = decodeEntry(row[5]);
    if (!decoded.ok) {
      wrong(decoded.what);
      return;
    }
    if (decoded.terminal !== terminal) wrong(`bytes name terminal ${decoded.terminal}, not ${terminal}`);
    compareColumns(row, decoded.fields, wrong);
    if (postings !== null) comparePostings(postings, first, end, decoded.fields, wrong);
    const off = unbalanced(decoded.fields.postings);
    if (off !== null) wrong(`postings sum to ${off.sumMinor} ${off.currency} minor units, not to zero`);
    const { noteId } = decoded.fields;
    if (noteId === null) return;
    notes++;
    const creditedAt = credit.get(noteId);
    if (creditedAt !== seq) {
      found({
        part: 'note',
        seq,
        what: `credit of note ${noteId} is recorded ${creditedAt === undefined ? 'nowhere' : `at entry ${creditedAt}`}`,
      });
    }
  };
  /** False where the entries have to be looked at one by one. */
  const checkPage = (lastSeq: number): boolean => {
    const sound = soundPage(db, terminal ?? '', expected, lastSeq, previous, isChainProved);
    if (sound === null) return false;
    rounds.page(expected, lastSeq);
    let at = 0;
    for (const roundId of sound.roundIds) {
      const seq = expected + at;
      const row = sound.open.has(seq) ? page.all(seq, seq)[0]! : null;
      rounds.entry(seq, row === null ? roundId : row[3], found);
      if (row !== null) {
        const postings = lines?.all(seq, seq) ?? null;
        checkContents(row, postings, 0, postings?.length ?? 0);
      }
      at++;
    }
    checked += at;
    expected += at;
    previous = sound.headHash;
    return true;
  };
  for (;;) {
    if (hasPages && toSeq - expected >= WORTH_PAGES && checkPage(Math.min(expected + PAGE - 1, toSeq)))
      continue;
    const rows = page.all(expected, toSeq);
    if (rows.length === 0) break;
    const postings = lines?.all(expected, rows.at(-1)![0]) ?? null;
    rounds.page(expected, rows.at(-1)![0]);
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
      if (postings !== null) while (at < postings.length && postings[at]![0] <= seq) at++;
      checkContents(row, postings, first, at);
    }
  }
  if (expected <= toSeq && hasPages)
    found({ part: 'entry', seq: expected, what: `entry is missing, up to ${toSeq}` });
  rounds.page(expected, toSeq);
  rounds.end(found);
  return { headSeq: expected - 1, headHash: previous, checked, notes };
}

/**
 * No rows about entries that are not there, and no entry before the first: SQLite's own check
 * passes over a CHECK on such a key.
 */
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
  const posting = hasPostingRows(db) ? first('postings', 'seq') : undefined;
  if (posting !== undefined) found({ part: 'entry', seq: posting, what: 'there are postings and no entry' });
}

interface Statements {
  readonly page: { all(from: number, to: number): EntryRow[] };
  /** Null since the third version. */
  readonly lines: { all(from: number, to: number): PostingRow[] } | null;
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
    lines: hasPostingRows(db)
      ? rows<PostingRow>('SELECT * FROM postings WHERE seq BETWEEN ? AND ? ORDER BY seq, line')
      : null,
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

interface Rounds {
  /** Entries of these numbers come next. */
  page(fromSeq: number, toSeq: number): void;
  entry(seq: number, roundId: string | null, found: Found): void;
  end(found: Found): void;
}

/**
 * Where runs of entries of one round begin, against the table that says so; nothing in a file of
 * the first version.
 */
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
}
