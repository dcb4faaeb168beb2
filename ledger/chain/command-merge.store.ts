/**
 * The commands of a ledger against those of its entries, each of both read once and in its own
 * order.
 */
import type { Sqlite } from '../store/sqlite.store.ts';

const PAGE = 500;
const LINE_END = 0x0a;

interface Claim {
  readonly page: Buffer;
  readonly from: number;
  readonly to: number;
  readonly lastSeq: number;
}

/**
 * Whether the rows of commands are exactly the runs of entries that have one command, up to the
 * entry `closed`; later runs may have no row, but then a command of their own. False may also mean
 * that it cannot be told in this manner. Keeps the rows in memory, some 50 bytes each.
 */
export function commandsAreSound(db: Sqlite, closed: number): boolean {
  const claims = claimsOf(db);
  if (claims === null) return false;
  const isEntered = db.prepare<[string], number>('SELECT 1 FROM commands WHERE id = ?').pluck();
  const open = new Set<string>();
  let claimed = 0;
  const isSound = (page: Buffer, from: number, to: number, firstSeq: number, lastSeq: number): boolean => {
    const claim = claims.at(firstSeq);
    if (claim !== null) {
      claimed++;
      return claim.lastSeq === lastSeq && claim.page.compare(page, from, to, claim.from, claim.to) === 0;
    }
    const id = page.toString('utf8', from, to);
    if (firstSeq <= closed || open.has(id) || isEntered.get(id) !== undefined) return false;
    open.add(id);
    return true;
  };

  // What has no command is marked, so that it is not taken for an empty one.
  const pages = db
    .prepare<[number], [number, number, number, Buffer | null]>(
      `SELECT count(*), coalesce(min(seq), 0), coalesce(max(seq), 0),
         CAST(group_concat(coalesce('+' || command_id, '-'), char(10)) AS BLOB)
       FROM (SELECT seq, command_id FROM entries WHERE seq >= ? AND typeof(command_id) IN ('text', 'null') ORDER BY seq LIMIT ${PAGE})`,
    )
    .raw();
  let run: { page: Buffer; from: number; to: number; firstSeq: number } | null = null;
  let seq = 1;
  for (;;) {
    const [count, first, last, page] = pages.get(seq)!;
    if (count === 0) break;
    if (first !== seq || last !== seq + count - 1 || page === null) return false;
    let from = 0;
    for (; seq <= last; seq++) {
      if (from > page.length) return false;
      const lineEnd = page.indexOf(LINE_END, from);
      const to = lineEnd < 0 ? page.length : lineEnd;
      if (run === null || run.page.compare(page, from, to, run.from, run.to) !== 0) {
        if (run !== null && !isSound(run.page, run.from + 1, run.to, run.firstSeq, seq - 1)) return false;
        run = page[from] === THERE ? { page, from, to, firstSeq: seq } : null;
      }
      from = to + 1;
    }
    if (from !== page.length + 1) return false;
  }
  if (run !== null && !isSound(run.page, run.from + 1, run.to, run.firstSeq, seq - 1)) return false;
  return claimed === claims.count;
}

const THERE = 0x2b;

interface Claims {
  readonly count: number;
  /** Whose first entry this is. */
  at(firstSeq: number): Claim | null;
}

/** Null when two begin at one entry, or a row is not what it should be. */
function claimsOf(db: Sqlite): Claims | null {
  const newest = db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM entries').pluck().get()!;
  // Longer than any ledger: a damaged number.
  if (newest > 2 ** 31) return null;
  const total = db.prepare<[], number>('SELECT count(*) FROM commands').pluck().get()!;
  const read = db
    .prepare<[string], [number, string | null, Buffer | null]>(
      `SELECT count(*), max(id), CAST(group_concat(concat_ws(char(10), id, first_seq, last_seq, ''), '') AS BLOB)
       FROM (SELECT * FROM commands WHERE id > ? AND typeof(id) = 'text' AND typeof(first_seq) = 'integer'
         AND typeof(last_seq) = 'integer' ORDER BY id LIMIT ${PAGE})`,
    )
    .raw();
  /** Number of the row from 1, by the first entry. */
  const rowAt = new Uint32Array(newest + 1);
  const pages: Buffer[] = [];
  const columns = {
    pageNo: new Uint32Array(total),
    from: new Uint32Array(total),
    to: new Uint32Array(total),
    lastSeq: new Uint32Array(total),
  };
  let rows = 0;
  let before: { page: Buffer; from: number; to: number } | null = null;
  for (let id = ''; ; ) {
    const [count, lastId, page] = read.get(id)!;
    if (lastId === null || page === null) break;
    if (rows + count > total) return null;
    let at = 0;
    const number = (): number => {
      let value = 0;
      let byte = page[at++]!;
      for (; byte >= 0x30 && byte <= 0x39; byte = page[at++]!) value = value * 10 + byte - 0x30;
      return byte === LINE_END ? value : Number.NaN;
    };
    for (let i = 0; i < count; i++) {
      const from = at;
      const to = page.indexOf(LINE_END, from);
      if (to < 0 || (before !== null && before.page.compare(page, from, to, before.from, before.to) >= 0))
        return null;
      before = { page, from, to };
      at = to + 1;
      const firstSeq = number();
      const lastSeq = number();
      if (!(firstSeq >= 1 && lastSeq >= firstSeq && lastSeq <= newest) || rowAt[firstSeq] !== 0) return null;
      columns.pageNo[rows] = pages.length;
      columns.from[rows] = from;
      columns.to[rows] = to;
      columns.lastSeq[rows] = lastSeq;
      rowAt[firstSeq] = ++rows;
    }
    if (at !== page.length) return null;
    pages.push(page);
    id = lastId;
  }
  if (rows !== total) return null;
  return {
    count: rows,
    at: (firstSeq) => {
      const row = rowAt[firstSeq]! - 1;
      if (row < 0) return null;
      return {
        page: pages[columns.pageNo[row]!]!,
        from: columns.from[row]!,
        to: columns.to[row]!,
        lastSeq: columns.lastSeq[row]!,
      };
    },
  };
}
