/** What became of every condition of the engine, as `npm run test:conditions` has written it. */
import { type JudgedFile, readJudged } from '../mutation/judged.ts';
import { table } from './table.ts';

const COUNTED = ['planted', 'caught', 'equivalent', 'atLoad'] as const;

const row = (name: string, files: readonly JudgedFile[]): string[] => [
  name,
  ...COUNTED.map((what) => String(files.reduce((sum, file) => sum + file[what], 0))),
  String(files.reduce((sum, { open }) => sum + open.length, 0)),
];

export function conditionTable(): string {
  const { engine, files } = readJudged();
  const judged = Object.values(files);
  const planted = judged.reduce((sum, file) => sum + file.planted, 0);
  const sum = row(`**${judged.length} of ${engine.files} files, ${planted} of ${engine.planted}**`, judged);
  return table(
    ['file', 'planted', 'caught', 'equivalent', 'at load', 'open'],
    [sum, ...Object.entries(files).map(([path, file]) => row(`\`${path}\``, [file]))],
  );
}
