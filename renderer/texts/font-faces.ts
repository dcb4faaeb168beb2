/** The slices of the font, divided by the letters that somebody reads. For the build alone. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

const FACE = /@font-face\s*\{[^}]*?url\(\.\/([^)]+)\)[^}]*?unicode-range:\s*([^;}]+)[^}]*\}/g;

/** The code points of a style sheet's unicode-range. */
const codesOf = (ranges: string): number[] =>
  [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].flatMap(([, from, to]) => {
    const first = Number.parseInt(from!, 16);
    const last = Number.parseInt(to ?? from!, 16);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
const rangeOf = (codes: readonly number[]): string => codes.map((code) => `U+${code.toString(16)}`).join(',');

export const codesOfLetters = (letters: string): Set<number> =>
  new Set([...letters].map((letter) => letter.codePointAt(0)!));

/** One slice of the style sheet, cut down to some of its letters. */
export interface Slice {
  /** Its file, from the style sheet. */
  readonly file: string;
  subset(): Promise<Buffer>;
  /** Its rule with another file and these letters alone. */
  rule(url: string): string;
}

/** The slices of the style sheet at `path` that have letters which `isWanted`. */
export const slicesOf = (css: string, path: string, isWanted: (code: number) => boolean): Slice[] =>
  [...css.matchAll(FACE)].flatMap(([face, file, ranges]) => {
    const part = codesOf(ranges!).filter(isWanted);
    if (part.length === 0) return [];
    const whole = join(dirname(path), file!);
    return {
      file: file!,
      subset: () => subsetFont(readFileSync(whole), String.fromCodePoint(...part), { targetFormat: 'woff2' }),
      rule: (url: string) => `${face.replace(`./${file}`, url).replace(ranges!, rangeOf(part))}\n`,
    };
  });

/** A slice inside of the style sheet itself. */
export const ruleWithLetters = async (slice: Slice): Promise<string> =>
  slice.rule(`data:font/woff2;base64,${(await slice.subset()).toString('base64')}`);
