import { brotliDecompressSync } from 'node:zlib';

const CMAP = 0;
const GLYF = 10;
const LOCA = 11;

/**
 * The code points a WOFF2 file has a glyph for. Reads its table `cmap` (formats 4 and 12), which is
 * never transformed. Throws where the file is none. Source: W3C WOFF 2.0, sections 4.1 to 5;
 * OpenType 1.9, `cmap`.
 */
export function codePointsOf(file: Buffer): Set<number> {
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error('no WOFF2 file');
  const tables = file.readUInt16BE(12);
  let at = 48;
  const number = (): number => {
    let value = 0;
    for (;;) {
      const byte = file[at++]!;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  let offset = 0;
  let cmap: { readonly offset: number; readonly length: number } | null = null;
  for (let table = 0; table < tables; table += 1) {
    const flags = file[at++]!;
    const tag = flags & 0x3f;
    if (tag === 0x3f) at += 4;
    const version = flags >> 6;
    let length = number();
    // glyf and loca are transformed unless version 3 says that they are not, the others the other
    // way round
    if (tag === GLYF || tag === LOCA ? version !== 3 : version !== 0) length = number();
    if (tag === CMAP) cmap = { offset, length };
    offset += length;
  }
  if (!cmap) throw new Error('no cmap');
  const all = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)));
  return readCmap(all.subarray(cmap.offset, cmap.offset + cmap.length));
}

function readCmap(cmap: Buffer): Set<number> {
  const found = new Set<number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const sub = cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4));
    const format = sub.readUInt16BE(0);
    if (format === 12) {
      for (let group = 0; group < sub.readUInt32BE(12); group += 1) {
        const first = sub.readUInt32BE(16 + 12 * group);
        const last = sub.readUInt32BE(16 + 12 * group + 4);
        for (let code = first; code <= last; code += 1) found.add(code);
      }
    } else if (format === 4) {
      const double = sub.readUInt16BE(6);
      for (let segment = 0; segment < double; segment += 2) {
        const end = sub.readUInt16BE(14 + segment);
        const start = sub.readUInt16BE(16 + double + segment);
        const delta = sub.readUInt16BE(16 + 2 * double + segment);
        const rangeAt = 16 + 3 * double + segment;
        const range = sub.readUInt16BE(rangeAt);
        for (let code = start; code <= end && code !== 0xffff; code += 1) {
          const glyph =
            range === 0 ? (code + delta) & 0xffff : sub.readUInt16BE(rangeAt + range + 2 * (code - start));
          if (glyph !== 0) found.add(code);
        }
      }
    }
  }
  return found;
}
