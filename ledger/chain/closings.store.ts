/** Closed books: which commands and balances must stand in the file, and the checks of both. */
import { hash as digest } from 'node:crypto';
import type { Sqlite } from '../store/sqlite.store.ts';
import { canonicalText } from './canonical.ts';
import type { Checkpoint } from './checkpoint.codec.ts';
import { type Found, hasPostingRows } from './checks.store.ts';
import { commandsAreSound } from './command-merge.store.ts';
import { equalBytes, type Posting } from './entry.codec.ts';
import { PAGE } from './entry-pages.store.ts';

/**
 * Reason of a checkpoint that signs the balances at its entry instead of the table's state; no
 * other one has it.
 */
export const CLOSING = 'closing';

/** Minor units by `${currency}/${account}`. */
export type Balances = Map<string, number>;

/** RFC 8785 text of the balances. */
export const balancesText = (balances: ReadonlyMap<string, number>): string =>
  canonicalText(Object.fromEntries(balances))!;

export const balancesHash = (text: string): Uint8Array => digest('sha256', text, 'buffer');

/** The money of the entries, a line of postings in each row. */
const POSTINGS_OF_ENTRIES = `(SELECT e.seq, p.value ->> 'account' AS account, p.value ->> 'currency' AS currency,
  p.value ->> 'amountMinor' AS amount_minor FROM entries e, json_each(e.bytes, '$.postings') p)`;

/** Adds the postings of the entries after `fromSeq` up to `toSeq`. */
export function addPostings(db: Sqlite, balances: Balances, fromSeq: number, toSeq: number): void {
  const sums = db.prepare<[number, number], { key: string; sum: number }>(
    `SELECT currency || '/' || account AS key, sum(amount_minor) AS sum
     FROM ${hasPostingRows(db) ? 'postings' : POSTINGS_OF_ENTRIES} WHERE seq > ? AND seq <= ? GROUP BY currency, account`,
  );
  for (const { key, sum } of sums.all(fromSeq, toSeq)) balances.set(key, (balances.get(key) ?? 0) + sum);
}

const SOME = '"postings":[{';
const LIST = '"postings":';
const AFTER = ',"roundId":';

/**
 * The same for the verifier, whose other checks look at every byte: six of seven entries move no
 * money, and of the others only the postings are read. In canonical bytes there is no line end, and
 * the last of these names in an entry are the entry's own, whatever its body holds.
 */
function addByText(db: Sqlite, balances: Balances, fromSeq: number, toSeq: number): void {
  const page = db
    .prepare<[number, number], string | null>(
      'SELECT group_concat(bytes, char(10)) FROM entries WHERE seq > ? AND seq <= ?',
    )
    .pluck();
  for (let seq = fromSeq; seq < toSeq; seq += PAGE) {
    const text = page.get(seq, Math.min(seq + PAGE, toSeq)) ?? null;
    // The end, or a gap that is found by others: a damaged number can be a very great one.
    if (text === null) return;
    for (let at = text.indexOf(SOME); at >= 0; ) {
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd < 0 ? text.length : lineEnd;
      const list = text.slice(text.lastIndexOf(LIST, end) + LIST.length, text.lastIndexOf(AFTER, end));
      for (const { account, currency, amountMinor } of JSON.parse(list) as readonly Posting[]) {
        const key = `${currency}/${account}`;
        balances.set(key, (balances.get(key) ?? 0) + amountMinor);
      }
      at = text.indexOf(SOME, end);
    }
  }
}

/**
 * Newest entry up to which the books are closed, 0 for none: later entries hold their commands
 * alone.
 */
export const closedUpTo = (db: Sqlite): number =>
  db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM closings').pluck().get()!;

/** Balances at the newest closing; nothing at entry 0 where there is none. */
export function newestClosing(db: Sqlite): { readonly seq: number; readonly balances: Balances } {
  const row = db
    .prepare<[], { seq: number; balances: string }>(
      'SELECT seq, balances FROM closings ORDER BY seq DESC LIMIT 1',
    )
    .get();
  if (row === undefined) return { seq: 0, balances: new Map() };
  return { seq: row.seq, balances: new Map(Object.entries(JSON.parse(row.balances) as object)) };
}

interface Row {
  readonly seq: number;
  readonly balances: string;
  readonly no: number;
}

/**
 * Every closing is signed by its checkpoint. `checkpoints` are those to be looked at, with their
 * signatures checked elsewhere; with the newest alone only the newest closing is looked at.
 */
export function checkClosings(db: Sqlite, newestOnly: boolean, found: Found): void {
  const rows = db
    .prepare<[], Row>(
      `SELECT seq, balances, checkpoint_no AS no FROM closings ORDER BY seq DESC ${newestOnly ? 'LIMIT 1' : ''}`,
    )
    .all();
  const signed = db.prepare<[number], Pick<Checkpoint, 'seq' | 'stateHash' | 'reason'>>(
    'SELECT seq, state_hash AS stateHash, reason FROM checkpoints WHERE no = ?',
  );
  for (const { seq, balances, no } of rows) {
    const checkpoint = signed.get(no);
    if (
      checkpoint?.seq !== seq ||
      checkpoint.reason !== CLOSING ||
      checkpoint.stateHash === null ||
      !equalBytes(checkpoint.stateHash, balancesHash(balances))
    )
      found({ part: 'closing', seq, what: 'no checkpoint signs these balances' });
  }
  if (newestOnly) return;
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM checkpoints WHERE reason = ?')
    .pluck()
    .get(CLOSING)!;
  if (count !== rows.length)
    found({ part: 'closing', seq: null, what: `${count} closings are signed, ${rows.length} are there` });
}

/**
 * The balances of every closing are the sums of the postings up to it. Returns the sums of all
 * postings.
 */
export function checkBalances(db: Sqlite, closes: boolean, found: Found): Balances {
  const balances: Balances = new Map();
  const add = hasPostingRows(db) ? addPostings : addByText;
  let from = 0;
  if (closes) {
    for (const { seq, text } of db
      .prepare<[], { seq: number; text: string }>('SELECT seq, balances AS text FROM closings ORDER BY seq')
      .all()) {
      add(db, balances, from, seq);
      from = seq;
      if (balancesText(balances) !== text)
        found({ part: 'closing', seq, what: 'balances are not the sums of the postings up to here' });
    }
  }
  add(db, balances, from, Number.MAX_SAFE_INTEGER);
  return balances;
}

/**
 * Every command's range is exactly its entries; every entry up to the last closing (in a file of
 * the first version: every entry) of a command lies in the range of it; the commands of later
 * entries each stand together and are not entered twice.
 */
export function checkCommands(db: Sqlite, closes: boolean, found: Found): void {
  const closed = closes ? closedUpTo(db) : Number.MAX_SAFE_INTEGER;
  // A look-up for each entry, at a random place, takes three times as long, and says what is wrong.
  if (commandsAreSound(db, closed)) return;
  const outside = db
    .prepare<[number], number>(
      `SELECT e.seq FROM entries e LEFT JOIN commands c ON c.id = e.command_id
       WHERE e.command_id IS NOT NULL AND ((c.id IS NULL AND e.seq <= ?) OR e.seq NOT BETWEEN c.first_seq AND c.last_seq)
       ORDER BY e.seq LIMIT 1`,
    )
    .pluck()
    .get(closed);
  if (outside !== undefined) {
    found({ part: 'command', seq: outside, what: 'entry is not in the range of its command' });
  }
  const wide = db
    .prepare<[], { first: number; last: number; own: number }>(
      `SELECT c.first_seq AS first, c.last_seq AS last,
       (SELECT count(*) FROM entries e WHERE e.seq BETWEEN c.first_seq AND c.last_seq AND e.command_id = c.id) AS own
       FROM commands c WHERE own <> last - first + 1 ORDER BY first LIMIT 1`,
    )
    .get();
  if (wide !== undefined) {
    found({
      part: 'command',
      seq: wide.first,
      what: `a command claims entries ${wide.first} to ${wide.last}`,
    });
  }
  const split = db
    .prepare<[number], number>(
      `SELECT min(seq) AS first FROM entries WHERE seq > ? AND command_id IS NOT NULL
       GROUP BY command_id HAVING count(*) <> max(seq) - min(seq) + 1 ORDER BY first LIMIT 1`,
    )
    .pluck()
    .get(closed);
  if (split !== undefined)
    found({ part: 'command', seq: split, what: 'entries of its command do not stand together' });
}
