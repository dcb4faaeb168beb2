/**
 * Letters in the dots of a receipt printer, for what it has no letters of its own for: a line is
 * drawn, and printed as a picture. `assets/printer-letters.ts` makes the file and says its form.
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Raster } from '../ports.ts';

/** Of a line, in dots; the pitch at which printers advance by themselves is much the same. */
const ROWS = 30;
/** Of the narrowest paper of 80 mm. */
const MOST_DOTS = 512;

/** Bit 0 is at the top. */
type Columns = readonly number[];

interface Letters {
  readonly bytes: Buffer;
  /** By code point: where its columns lie, and how many. */
  readonly places: ReadonlyMap<number, readonly [at: number, width: number]>;
}

let loaded: Letters | null = null;

function letters(): Letters {
  if (loaded !== null) return loaded;
  const file = new URL('../../assets/generated/printer-letters.bin', import.meta.url);
  const bytes = brotliDecompressSync(readFileSync(file));
  const count = bytes.readUInt32LE(0);
  const places = new Map<number, readonly [number, number]>();
  for (let i = 0, at = 4 + 5 * count; i < count; i++) {
    const width = bytes.readUInt8(4 + 4 * count + i);
    places.set(bytes.readUInt32LE(4 + 4 * i), [at, width]);
    at += 4 * width;
  }
  loaded = { bytes, places };
  return loaded;
}

function columnsOf(code: number, isBold: boolean): Columns {
  const { bytes, places } = letters();
  const [at, width] = places.get(code) ?? [0, 0];
  const columns = Array.from({ length: width }, (_, x) => bytes.readUInt32LE(at + 4 * x));
  // Printed twice, a dot apart, as printers do it themselves.
  return isBold ? columns.map((column, x) => (column | (columns[x - 1] ?? 0)) >>> 0) : columns;
}

/** Whether there is a shape for each of its letters. */
export const canDraw = (text: string): boolean =>
  text !== '' && [...text].every((letter) => letters().places.has(letter.codePointAt(0)!));

/**
 * The text as lines of dots, more than one where it is too long for the paper; null = it has a
 * letter that nobody has a shape for.
 */
export function draw(
  text: string,
  { bold = false, large = false }: { readonly bold?: boolean; readonly large?: boolean },
): readonly Raster[] | null {
  if (!canDraw(text)) return null;
  const times = large ? 2 : 1;
  const lines: number[][] = [[]];
  for (const letter of text) {
    const columns = columnsOf(letter.codePointAt(0)!, bold);
    if ((lines.at(-1)!.length + columns.length) * times > MOST_DOTS) lines.push([]);
    lines.at(-1)!.push(...columns);
  }
  return lines.map((line) => rasterOf(line, times));
}

function rasterOf(line: Columns, times: number): Raster {
  const widthDots = Math.ceil((line.length * times) / 8) * 8;
  const rows = Array.from({ length: ROWS * times }, (_, y) => {
    const row = new Uint8Array(widthDots / 8);
    for (let x = 0; x < line.length * times; x++)
      if ((line[Math.floor(x / times)]! >>> Math.floor(y / times)) & 1) row[x >> 3]! |= 0x80 >> (x & 7);
    return row;
  });
  return { widthDots, rows };
}

/** By their columns, plain and bold: which letter it is. */
let known: ReadonlyMap<string, string> | null = null;

function shapes(): ReadonlyMap<string, string> {
  if (known !== null) return known;
  const made = new Map<string, string>();
  for (const isBold of [false, true])
    for (const code of letters().places.keys()) {
      const key = String(columnsOf(code, isBold));
      // Some look the same: the first is the plainer one, but for radicals (U+2E80 to U+2FDF).
      if (!made.has(key) && (code < 0x2e80 || code > 0x2fdf)) made.set(key, String.fromCodePoint(code));
    }
  known = made;
  return known;
}

/**
 * What such a picture says, for whoever looks at the paper of a simulated printer; null = it is no
 * line of these letters, or one of double size.
 */
export function readDrawn({ widthDots, rows }: Raster): string | null {
  if (rows.length !== ROWS) return null;
  const line = Array.from({ length: widthDots }, (_, x) =>
    rows.reduce((column, row, y) => column | (((row[x >> 3]! >> (7 - (x & 7))) & 1) << y), 0),
  );
  // The last seven may be there for the whole byte alone.
  const isRest = (at: number): boolean =>
    line.length - at < 8 && line.slice(at).every((column) => column === 0);
  const dead = new Set<number>();
  const from = (at: number): string | null => {
    if (at > 0 && isRest(at)) return '';
    if (dead.has(at)) return null;
    for (let width = Math.min(24, line.length - at); width > 0; width--) {
      const letter = shapes().get(String(line.slice(at, at + width)));
      const rest = letter === undefined ? null : from(at + width);
      if (rest !== null) return letter + rest;
    }
    dead.add(at);
    return null;
  };
  return from(0);
}
