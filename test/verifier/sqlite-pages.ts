/** Which table each page of an SQLite file belongs to, which entries stand on it, and which of its bytes are unused. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

export interface Page {
  readonly size: number;
  /** Table or index the page belongs to, `free` for none. */
  readonly table: string;
  /** As SQLite's `dbstat` has it: leaf, internal, overflow. */
  readonly type: string;
  /** Entries whose rows stand here, for leaves of `entries` and `postings`. */
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  /** Entry of the cell that a byte lies in, on leaves of `entries` and `postings`; null elsewhere. */
  seqAt(offset: number): number | null;
  /** Space that no cell lies in. */
  isUnused(offset: number): boolean;
  /** What a byte of a page is, in words. */
  placeOf(offset: number): string;
}

const LEAF_TABLE = 13;
const LEAF_INDEX = 10;

function varint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let i = 0; i < 9; i++) {
    const byte = bytes[at + i]!;
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, next: at + i + 1 };
  }
  return { value, next: at + 9 };
}

/** First column of a record: an integer, as in rows of `postings`. */
function firstInteger(bytes: Buffer, at: number): number {
  const header = varint(bytes, at);
  const type = varint(bytes, header.next).value;
  const data = at + header.value;
  if (type === 8 || type === 9) return type - 8;
  return bytes.readIntBE(data, [0, 1, 2, 3, 4, 6][type]!);
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
  return Array.from({ length: bytes.length / size }, (_, i): Page => {
    const row = byNo.get(i + 1) ?? { name: 'free', type: 'free' };
    return pageOf(bytes.subarray(i * size, (i + 1) * size), i === 0 ? 100 : 0, row.name, row.type);
  });
}

function pageOf(bytes: Buffer, header: number, table: string, type: string): Page {
  const size = bytes.length;
  const none = { size, table, type, firstSeq: null, lastSeq: null };
  if (type !== 'leaf' && type !== 'internal')
    return {
      ...none,
      seqAt: () => null,
      isUnused: () => false,
      placeOf: (at) => (at < 4 ? 'next page' : 'content or its unused end'),
    };
  const kind = bytes[header]!;
  const cells = bytes.readUInt16BE(header + 3);
  const content = bytes.readUInt16BE(header + 5) || 65_536;
  const pointers = header + (type === 'leaf' ? 8 : 12);
  const unused: [number, number][] = [[pointers + 2 * cells, content]];
  for (let block = bytes.readUInt16BE(header + 1); block !== 0; block = bytes.readUInt16BE(block))
    unused.push([block + 4, block + bytes.readUInt16BE(block + 2)]);
  /** Where cells begin, in the order of the page's bytes, and their entries. */
  const starts: [number, number][] = [];
  if ((table === 'entries' && kind === LEAF_TABLE) || (table === 'postings' && kind === LEAF_INDEX))
    for (let i = 0; i < cells; i++) {
      const start = bytes.readUInt16BE(pointers + 2 * i);
      const { next } = varint(bytes, start);
      starts.push([start, kind === LEAF_TABLE ? varint(bytes, next).value : firstInteger(bytes, next)]);
    }
  starts.sort((a, b) => a[0] - b[0]);
  const seqs = starts.map(([, seq]) => seq);
  return {
    ...none,
    firstSeq: seqs.length > 0 ? Math.min(...seqs) : null,
    lastSeq: seqs.length > 0 ? Math.max(...seqs) : null,
    seqAt: (at) => starts.findLast(([start]) => start <= at)?.[1] ?? null,
    isUnused: (at) => unused.some(([from, to]) => at >= from && at < to),
    placeOf: (at) =>
      at < header
        ? `byte ${at} of the file's header`
        : at < pointers
          ? `byte ${at - header} of the page's header`
          : at < pointers + 2 * cells
            ? 'pointer to a cell'
            : 'cell',
  };
}
