/**
 * `banca exclusions --out FILE`: the list of people who may not play, made of the numbers of their
 * documents, one a line on stdin. The file holds hashes alone.
 */
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { makeExclusions } from '../host/config/exclusions.ts';
import { CannotRun, readArguments, required } from './command.ts';

export async function exclusions(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const out = required('--out FILE', values.out);
  const documents = (await text(process.stdin)).split('\n').filter((line) => line.trim() !== '');
  const list = await makeExclusions(documents);
  try {
    writeFileSync(out, `${JSON.stringify(list)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new CannotRun(`${out}: ${(error as Error).message}`);
  }
  const count = list.hashes.length;
  console.log(values.json ? JSON.stringify({ out, count }) : `${out}: ${count} people`);
  return 0;
}
