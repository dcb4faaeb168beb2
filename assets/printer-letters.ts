/**
 * Makes `assets/generated/printer-letters.bin`: every letter of the shipped font in the dots of a
 * receipt printer, for what the printer has no letters for. Run by hand when the font has changed:
 * `node assets/printer-letters.ts`. The result is in the repository, so that a fresh clone prints
 * without it; `assets/printer-letters.test.ts` draws some of them again.
 *
 * The file, Brotli: how many (4 bytes, low byte first), their code points (4 each), their widths in
 * dots (1 each), then their columns from the left (4 each, bit 0 at the top).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { Blob, Face, Font } from 'harfbuzzjs';
import sharp from 'sharp';
import subsetFont from 'subset-font';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';

/** One em is as wide and as high as a Chinese letter of printers is: 24 dots. */
const EM_DOTS = 24;
const ROWS = 30;
/** Dots above the baseline: room for the accents of capitals. */
const BASELINE = 23;
/** Thinner strokes break on paper, bolder ones fill a letter of many. */
const WEIGHT = 500;
/** Of 255: how much of a dot has to be ink. */
const INK = 110;
const ACROSS = 64;
/** From one letter to the next on the sheet: some reach over their own edge. */
const STEP = EM_DOTS + 8;

export interface PrinterLetter {
  readonly code: number;
  readonly columns: readonly number[];
}

const FONT = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/noto-sans-hk')));

/** The slices of the font, each with the code points it is for. */
export function slices(): readonly { readonly file: string; readonly codes: readonly number[] }[] {
  const css = readFileSync(join(FONT, 'index.css'), 'utf8');
  const faces = css.matchAll(/url\(\.\/([^)]+\.woff2)\)[^}]*?unicode-range:\s*([^;}]+)/g);
  return [...faces].map(([, file, ranges]) => ({
    file: join(FONT, file!),
    codes: [...ranges!.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].flatMap(([, from, to]) => {
      const first = Number.parseInt(from!, 16);
      const last = Number.parseInt(to ?? from!, 16);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    }),
  }));
}

/** The letters of one slice; one that the slice has no shape for is left out. */
export async function lettersOf(file: string, codes: readonly number[]): Promise<PrinterLetter[]> {
  const plain = await subsetFont(readFileSync(file), String.fromCodePoint(...codes), {
    targetFormat: 'truetype',
    variationAxes: { wght: WEIGHT },
  });
  const face = new Face(new Blob(plain));
  const font = new Font(face);
  const scale = EM_DOTS / face.upem;
  const found = codes.flatMap((code) => {
    const glyph = font.nominalGlyph(code);
    const width = glyph === undefined ? 0 : Math.round(font.glyphHAdvance(glyph) * scale);
    return glyph === undefined || width < 1 || width > EM_DOTS ? [] : [{ code, glyph, width }];
  });
  const letters: PrinterLetter[] = [];
  for (let from = 0; from < found.length; from += ACROSS) {
    const row = found.slice(from, from + ACROSS);
    const paths = row.map(
      ({ glyph }, i) =>
        `<path transform="translate(${i * STEP} ${BASELINE}) scale(${scale} ${-scale})" d="${font.glyphToPath(glyph)}"/>`,
    );
    const width = ACROSS * STEP;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${ROWS}">${paths.join('')}</svg>`;
    const dots = await sharp(Buffer.from(svg)).extractChannel('alpha').raw().toBuffer();
    for (const [i, letter] of row.entries()) {
      const columns = Array.from({ length: letter.width }, (_, x) => {
        let column = 0;
        for (let y = 0; y < ROWS; y++) if (dots[y * width + i * STEP + x]! >= INK) column |= 1 << y;
        return column;
      });
      letters.push({ code: letter.code, columns });
    }
  }
  return letters;
}

if (import.meta.main) {
  argumentsOf({});
  const all = new Map<number, PrinterLetter>();
  for (const { file, codes } of slices())
    for (const letter of await lettersOf(file, codes))
      if (!all.has(letter.code)) all.set(letter.code, letter);
  const letters = [...all.values()].sort((a, b) => a.code - b.code);
  const columns = letters.flatMap((letter) => letter.columns);
  const bytes = Buffer.alloc(4 + 5 * letters.length + 4 * columns.length);
  bytes.writeUInt32LE(letters.length);
  for (const [i, { code, columns: of }] of letters.entries()) {
    bytes.writeUInt32LE(code, 4 + 4 * i);
    bytes.writeUInt8(of.length, 4 + 4 * letters.length + i);
  }
  for (const [i, column] of columns.entries()) bytes.writeUInt32LE(column, 4 + 5 * letters.length + 4 * i);
  const packed = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  writeFileSync(join(import.meta.dirname, 'generated/printer-letters.bin'), packed);
}
