/**
 * ESC/POS as bytes: what is printed, what is asked and what a printer answers. The page
 * docs/protocols/esc-pos.md says where each statement comes from.
 */
import type { PrinterStatus, PrintItem, Raster } from '../ports.ts';
import { EMPTY_PARSER, joinBytes, type ParserState } from '../transport/bytes.ts';

const [ESC, GS, DLE, EOT, ENQ, DC4] = [0x1b, 0x1d, 0x10, 0x04, 0x05, 0x14];
const LF = 0x0a;

const ALIGN = { left: 0, centre: 1, right: 2 } as const;

/**
 * Windows-1252 stands for the letters of Portuguese and English; no Chinese is in it. Its number is
 * Epson's; other makers have others.
 */
export const WPC1252 = 16;
const C1 = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((character, i) => {
    const codes = [
      0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94,
      0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f,
    ];
    return [character, codes[i]!] as const;
  }),
);

/** The byte of each character; null = the code page lacks one, and the text has to be drawn. */
export function toCodePage(text: string): Uint8Array | null {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const isSame = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff);
    const byte = isSame ? code : C1.get(character);
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

const MOST_DOTS = 576;
/** Rows of one GS v 0; a printer of small memory takes no more at once. */
const ROWS_AT_ONCE = 128;
const MOST_QR = 2_048;

/** A text that the code page lacks, as lines of dots; null = it cannot be drawn either. */
export type Draw = (
  text: string,
  o: { readonly bold?: boolean; readonly large?: boolean },
) => readonly Raster[] | null;

/** Throws RangeError for what cannot be printed. */
export function encodeItem(item: PrintItem, draw: Draw = () => null): Uint8Array {
  switch (item.type) {
    case 'line': {
      const text = toCodePage(item.text);
      if (text === null) {
        const drawn = draw(item.text, item);
        if (drawn === null) throw new RangeError(`'${item.text}' has letters that nobody can print`);
        const pictures = drawn.map((raster) => encodePicture(raster, ALIGN[item.align ?? 'left']));
        return pictures.reduce(joinBytes);
      }
      const large = item.large ? 0x11 : 0;
      return Uint8Array.from([
        ...[ESC, 0x61, ALIGN[item.align ?? 'left'], ESC, 0x45, item.bold ? 1 : 0, GS, 0x21, large],
        ...text,
        LF,
      ]);
    }
    case 'picture':
      return encodePicture(item.raster, ALIGN[item.align ?? 'left']);
    case 'qr':
      return encodeQr(item.text, item.dots);
    case 'feed':
      if (!Number.isInteger(item.lines) || item.lines < 0 || item.lines > 255)
        throw new RangeError(`feed of ${item.lines} lines`);
      return Uint8Array.of(ESC, 0x64, item.lines);
    case 'cut':
      // Function B: on to the cutter, then a partial cut.
      return Uint8Array.of(GS, 0x56, 66, 0);
  }
}

function encodePicture({ widthDots, rows }: Raster, align: number): Uint8Array {
  if (!Number.isInteger(widthDots) || widthDots < 8 || widthDots > MOST_DOTS || widthDots % 8 !== 0)
    throw new RangeError(`picture ${widthDots} dots wide`);
  const bytes = widthDots / 8;
  let out: Uint8Array = Uint8Array.of(ESC, 0x61, align);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const data = new Uint8Array(bytes * some.length);
    for (const [i, row] of some.entries()) {
      if (row.length !== bytes) throw new RangeError(`row ${from + i} has ${row.length} bytes, not ${bytes}`);
      data.set(row, i * bytes);
    }
    const head = [GS, 0x76, 0x30, 0, bytes & 0xff, bytes >> 8, some.length & 0xff, some.length >> 8];
    out = Uint8Array.from([...out, ...head, ...calm(data)]);
  }
  return out;
}

/**
 * A printer hears real-time commands among the dots of a picture, too: one dot less keeps these
 * from being one.
 */
function calm(data: Uint8Array): Uint8Array {
  for (let i = 0; i + 1 < data.length; i++)
    if (data[i] === DLE && [EOT, ENQ, DC4].includes(data[i + 1]!)) data[i] = 0;
  // What follows the picture may be the second half.
  if (data.at(-1) === DLE) data[data.length - 1] = 0;
  return data;
}

function encodeQr(text: string, dots: number): Uint8Array {
  if (!/^[\n\x20-\x7e]+$/.test(text) || text.length > MOST_QR)
    throw new RangeError(`a QR code holds 1 to ${MOST_QR} characters of printable ASCII and ends of lines`);
  if (!Number.isInteger(dots) || dots < 1 || dots > 16) throw new RangeError(`module of ${dots} dots`);
  const store = text.length + 3;
  const f = (...bytes: number[]): number[] => [GS, 0x28, 0x6b, ...bytes];
  return Uint8Array.from([
    ...[ESC, 0x61, 1],
    ...f(4, 0, 49, 65, 50, 0), // model 2
    ...f(3, 0, 49, 67, dots),
    ...f(3, 0, 49, 69, 49), // error correction M
    ...f(store & 0xff, store >> 8, 49, 80, 48, ...Buffer.from(text, 'latin1')),
    ...f(3, 0, 49, 81, 48),
  ]);
}

/**
 * As a document begins: status comes unasked, which a short loss of power has ended; its settings,
 * whatever the one before has left.
 */
const beginning = (codePage: number): Uint8Array =>
  Uint8Array.of(GS, 0x61, 0x0e, ESC, 0x40, ESC, 0x74, codePage);

const NUMBERS = 10_000;

/**
 * The document, and at its end the question that the printer answers when all before it is on
 * paper: its number in four digits.
 */
export function encodeDocument(
  number: number,
  items: readonly PrintItem[],
  codePage: number = WPC1252,
  draw?: Draw,
): Uint8Array {
  let bytes = beginning(codePage);
  for (const item of items) bytes = joinBytes(bytes, encodeItem(item, draw));
  return joinBytes(bytes, encodeProcessId(number));
}

/** GS ( H, function 48. */
export const encodeProcessId = (number: number): Uint8Array =>
  Uint8Array.of(GS, 0x28, 0x48, 6, 0, 48, 48, ...digitsOf(number));

const digitsOf = (number: number): number[] => {
  if (!Number.isInteger(number) || number < 1) throw new RangeError(`${number} is no number of a document`);
  return [...String(number % NUMBERS).padStart(4, '0')].map((digit) => digit.charCodeAt(0));
};

/** Whether an answer is about this document. */
export const isOf = (id: string, number: number): boolean => id === String.fromCharCode(...digitsOf(number));

/** GS a: every change of on-line, error and paper comes unasked. */
export const STATUS_BACK = Uint8Array.of(GS, 0x61, 0x0e);
/** DLE DC4, function 8: what an earlier life of the host has sent half is gone. */
export const CLEAR = Uint8Array.of(DLE, DC4, 8, 1, 3, 0x14, 1, 6, 2, 8);
/**
 * For a printer that knows no way to clear its buffers: whatever block an earlier life has left
 * half ends within these, white; elsewhere a printer passes them over.
 */
export const FILL = new Uint8Array((MOST_DOTS / 8) * ROWS_AT_ONCE);
/** DLE ENQ 2: out of an error that a person has mended, with an empty buffer. */
export const RECOVER = Uint8Array.of(DLE, ENQ, 2);
export type StatusKind = 1 | 2 | 3 | 4;
export const ask = (kind: StatusKind): Uint8Array => Uint8Array.of(DLE, EOT, kind);

// ---- what a printer says ----

export type PrinterWord =
  /** One byte for one DLE EOT; which one it answers, its place in the order says. */
  | { readonly type: 'answer'; readonly byte: number }
  | { readonly type: 'status'; readonly status: PrinterStatus }
  | { readonly type: 'processed'; readonly id: string }
  | { readonly type: 'cleared' };

const isAnswer = (byte: number): boolean => (byte & 0x93) === 0x12;
const isStatus = (byte: number): boolean => (byte & 0x93) === 0x10;
const isRest = (byte: number): boolean => (byte & 0x90) === 0;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

interface Heard {
  readonly state: ParserState;
  readonly frames: readonly { readonly frame: PrinterWord; readonly bytes: Uint8Array }[];
  readonly bad: number;
}

/** Words of a printer out of a stream; a byte that begins none is passed over and counted. */
export function parse(parser: ParserState, bytes: Uint8Array): Heard {
  const all = joinBytes(parser.kept, bytes);
  const frames: { frame: PrinterWord; bytes: Uint8Array }[] = [];
  let bad = 0;
  let at = 0;
  while (at < all.length) {
    const read = wordAt(all, at);
    if (read === 'more') break;
    if (read === null) {
      bad++;
      at++;
      continue;
    }
    frames.push({ frame: read.word, bytes: all.slice(at, at + read.length) });
    at += read.length;
  }
  return { state: at < all.length ? { kept: all.slice(at) } : EMPTY_PARSER, frames, bad };
}

function wordAt(
  all: Uint8Array,
  at: number,
): { readonly word: PrinterWord; readonly length: number } | 'more' | null {
  const first = all[at]!;
  const rest = all.subarray(at + 1);
  if (isAnswer(first)) return { word: { type: 'answer', byte: first }, length: 1 };
  if (isStatus(first)) {
    // The four stand together, so a byte that cannot be one of them is the end of a damaged status.
    for (let i = 0; i < 3; i++) {
      if (rest[i] === undefined) return 'more';
      if (!isRest(rest[i]!)) return null;
    }
    return { word: { type: 'status', status: statusOf(first, rest[0]!, rest[1]!) }, length: 4 };
  }
  if (first !== 0x37) return null;
  if (rest[0] === undefined) return 'more';
  if (rest[0] === 0x25) {
    if (rest[1] === undefined) return 'more';
    return rest[1] === 0 ? { word: { type: 'cleared' }, length: 3 } : null;
  }
  if (rest[0] !== 0x22) return null;
  for (let i = 1; i <= 5; i++) {
    if (rest[i] === undefined) return 'more';
    if (i === 5 ? rest[i] !== 0 : !isDigit(rest[i]!)) return null;
  }
  return { word: { type: 'processed', id: String.fromCharCode(...rest.subarray(1, 5)) }, length: 7 };
}

const has = (byte: number, bits: number): boolean => (byte & bits) !== 0;
const paperOf = (byte: number, out: number, nearEnd: number): PrinterStatus['paper'] =>
  has(byte, out) ? 'out' : has(byte, nearEnd) ? 'near-end' : 'there';

/** Of automatic status back: printer, errors, paper. */
const statusOf = (printer: number, errors: number, paper: number): PrinterStatus => ({
  online: !has(printer, 0x08),
  coverOpen: has(printer, 0x20),
  cutterError: has(errors, 0x08),
  failed: has(errors, 0x24),
  pausing: has(errors, 0x40),
  paper: paperOf(paper, 0x0c, 0x03),
});

/** Of the answers to DLE EOT 1, 2, 3 and 4. */
export const statusOfAnswers = (of: readonly [number, number, number, number]): PrinterStatus => ({
  online: !has(of[0], 0x08),
  coverOpen: has(of[1], 0x04),
  cutterError: has(of[2], 0x08),
  failed: has(of[2], 0x24),
  pausing: has(of[2], 0x40),
  // A unit without a sensor of its own for the end says it as what has stopped it.
  paper: has(of[1], 0x20) ? 'out' : paperOf(of[3], 0x60, 0x0c),
});
