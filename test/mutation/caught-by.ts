/**
 * Which part of a net caught each bug last, as `mutation.ts --record` has written it: nothing here
 * is typed in. It only says what to cast first.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './nets.ts';

const PATH = join(ROOT, 'test', 'data', 'caught-by.json');

export type CaughtBy = Readonly<Record<string, string>>;

export const readCaughtBy = (): CaughtBy =>
  existsSync(PATH) ? (JSON.parse(readFileSync(PATH, 'utf8')) as CaughtBy) : {};

export function writeCaughtBy(caughtBy: CaughtBy): void {
  const sorted = Object.fromEntries(Object.entries(caughtBy).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(PATH, `${JSON.stringify(sorted, null, 2)}\n`);
}
