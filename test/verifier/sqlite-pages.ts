/**
 * Which table each page of an SQLite file belongs to, which entries stand on it, and which of its
 * bytes are unused.
 */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

export interface Page {
  readonly size: number;
  /** Table or index the page belongs to, `free` for none. */
  readonly table: string;
  /** As SQLite's `dbstat` has it: leaf, internal, overflow. */
  readonly type: string;
  /** Entries whose rows stand here, for leaves of `entries`. */
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  /** Entry of the cell that a byte lies in, on leaves of `entries`; null elsewhere. */
  seqAt(offset: number): number | null;
  /** Space that no cell and no payload lies in. */
  isUnused(offset: number): boolean;
  /** What a byte of a page is, in words. */
  placeOf(offset: number): string;
}

const LEAF_TABLE = 13;
const LEAF_INDEX = 10;
const INTERNAL_TABLE = 5;
const INTERNAL_INDEX = 2;
/** Length of a page's header. */
const pointersAt = (kind: number): number => (kind === LEAF_TABLE || kind === LEAF_INDEX ? 8 : 12);

function varint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let i = 0; i < 9; i++) {
    const byte = bytes[at + i]!;
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, next: at + i + 1 };
  }
  return { value, next: at + 9 };
}

/** A stretch of a page's bytes, up to `to`. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly what: string;
}

interface Cell {
  readonly start: number;
  /** Entry it is about, as its rowid. */
  readonly seq: number | null;
  readonly stretches: readonly Stretch[];
  /** Where its payload goes on, and with how many bytes. */
  readonly overflow: { readonly pageNo: number; readonly bytes: number } | null;
}

/** A cell as "SQLite database file format", section 1.6, has it. `kind` is the page's. */
function cellAt(bytes: Buffer, start: number, kind: number, isByEntry: boolean): Cell {
  const stretches: Stretch[] = [];
  let at = start;
  const upTo = (to: number, what: string): void => {
    if (to > at) stretches.push({ from: at, to, what });
    at = to;
  };
  const isTable = kind === LEAF_TABLE || kind === INTERNAL_TABLE;
  if (kind === INTERNAL_TABLE || kind === INTERNAL_INDEX) upTo(at + 4, 'pointer to a page');
  let seq: number | null = null;
  let payload = 0;
  if (kind !== INTERNAL_TABLE) {
    const size = varint(bytes, at);
    payload = size.value;
    upTo(size.next, 'size of the payload');
  }
  if (isTable) {
    const key = varint(bytes, at);
    if (isByEntry) seq = key.value;
    upTo(key.next, 'rowid');
  }
  if (kind === INTERNAL_TABLE) return { start, seq, stretches, overflow: null };
  const usable = bytes.length;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const spilled = least + ((payload - least) % (usable - 4));
  const local = payload <= most ? payload : spilled <= most ? spilled : least;
  const end = at + local;
  const record = at;
  const head = varint(bytes, at);
  upTo(head.next, 'size of the record header');
  const widths: number[] = [];
  while (at < record + head.value) {
    const type = varint(bytes, at);
    upTo(type.next, `type of column ${widths.length}`);
    widths.push(
      type.value >= 12 ? (type.value - 12) >> 1 : ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type.value] ?? 0),
    );
  }
  for (const [column, width] of widths.entries()) upTo(Math.min(end, at + width), `column ${column}`);
  upTo(end, 'behind the record');
  if (local === payload) return { start, seq, stretches, overflow: null };
  const pageNo = bytes.readUInt32BE(end);
  upTo(end + 4, 'pointer to an overflow page');
  return { start, seq, stretches, overflow: { pageNo, bytes: payload - local } };
}

export function pagesOf(path: string): Page[] {
  const bytes = readFileSync(path);
  const size = bytes.readUInt16BE(16);
  const db = new Database(path, { readonly: true });
  const rows = db
    .prepare<[], { name: string; type: string; no: number }>(
      'SELECT name, pagetype AS type, pageno AS no FROM dbstat ORDER BY pageno',
    )
    .all();
  db.close();
  const byNo = new Map(rows.map((row) => [row.no, row]));
  const page = (no: number): Buffer => bytes.subarray((no - 1) * size, no * size);
  /** Bytes of payload on each overflow page. */
  const spilled = new Map<number, number>();
  const cellsOf = (no: number, table: string): Cell[] => {
    const [of, header] = [page(no), no === 1 ? 100 : 0];
    const kind = of[header]!;
    const isByEntry = table === 'entries' && kind === LEAF_TABLE;
    const pointers = header + pointersAt(kind);
    const cells = Array.from({ length: of.readUInt16BE(header + 3) }, (_, i) =>
      cellAt(of, of.readUInt16BE(pointers + 2 * i), kind, isByEntry),
    );
    for (const { overflow } of cells) {
      if (overflow === null) continue;
      let { pageNo, bytes: left } = overflow;
      for (; left > 0; left -= size - 4) {
        spilled.set(pageNo, Math.min(left, size - 4));
        pageNo = page(pageNo).readUInt32BE(0);
      }
    }
    return cells.sort((a, b) => a.start - b.start);
  };
  const cells = new Map(
    rows
      .filter(({ type }) => type === 'leaf' || type === 'internal')
      .map(({ no, name }) => [no, cellsOf(no, name)]),
  );
  return Array.from({ length: bytes.length / size }, (_, i): Page => {
    const no = i + 1;
    const { name: table, type } = byNo.get(no) ?? { name: 'free', type: 'free' };
    const of = { size, table, type };
    const here = cells.get(no);
    return here !== undefined
      ? treePage(of, page(no), no === 1 ? 100 : 0, here)
      : otherPage(of, 4 + (spilled.get(no) ?? size));
  });
}

type Of = Pick<Page, 'size' | 'table' | 'type'>;

const otherPage = (of: Of, end: number): Page => ({
  ...of,
  firstSeq: null,
  lastSeq: null,
  seqAt: () => null,
  isUnused: (at) => at >= end,
  placeOf: (at) => (at < 4 ? 'next page' : 'content'),
});

function treePage(of: Of, bytes: Buffer, header: number, cells: readonly Cell[]): Page {
  const pointers = header + pointersAt(bytes[header]!);
  const stretches = cells.flatMap((cell) => cell.stretches);
  for (let block = bytes.readUInt16BE(header + 1); block !== 0; block = bytes.readUInt16BE(block))
    stretches.push({ from: block, to: block + 4, what: 'head of a freed block' });
  const stretchAt = (at: number): Stretch | undefined =>
    stretches.find(({ from, to }) => at >= from && at < to);
  const end = pointers + 2 * cells.length;
  const seqs = cells.flatMap(({ seq }) => (seq === null ? [] : [seq]));
  return {
    ...of,
    firstSeq: seqs.length > 0 ? Math.min(...seqs) : null,
    lastSeq: seqs.length > 0 ? Math.max(...seqs) : null,
    seqAt: (at) => cells.findLast(({ start }) => start <= at)?.seq ?? null,
    isUnused: (at) => at >= end && stretchAt(at) === undefined,
    placeOf: (at) =>
      at < header
        ? `byte ${at} of the file's header`
        : at < pointers
          ? `byte ${at - header} of the page's header`
          : at < end
            ? 'pointer to a cell'
            : (stretchAt(at)?.what ?? 'unused'),
  };
}
