/**
 * What `conditions.ts` has found of each file, as it has written it: nothing here is typed in.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EQUIVALENT } from './equivalent.ts';

const PATH = join(import.meta.dirname, '..', 'data', 'conditions.json');

export interface JudgedFile {
  /** Of the text that was judged. */
  readonly sha256: string;
  readonly planted: number;
  /** What no test has caught: `equivalent.ts` has the reason, or it is open. */
  readonly survived: readonly string[];
}

export interface Judged {
  /** All that could be planted in the engine when the last file was judged. */
  readonly engine: { readonly files: number; readonly planted: number };
  readonly files: Readonly<Record<string, JudgedFile>>;
}

export const readJudged = (): Judged =>
  existsSync(PATH)
    ? (JSON.parse(readFileSync(PATH, 'utf8')) as Judged)
    : { engine: { files: 0, planted: 0 }, files: {} };

export function writeJudged({ engine, files }: Judged): void {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(PATH, `${JSON.stringify({ engine, files: sorted }, null, 2)}\n`);
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Neither caught nor known to change nothing. */
export const openOf = ({ survived }: JudgedFile): string[] => survived.filter((key) => !(key in EQUIVALENT));
