/** What became of every condition of the engine, as `npm run test:conditions` has written it. */
import { type JudgedFile, openOf, readJudged } from '../mutation/judged.ts';
import { table } from './table.ts';

const sum = (files: readonly JudgedFile[], of: (file: JudgedFile) => number): number =>
  files.reduce((so, file) => so + of(file), 0);

function row(name: string, files: readonly JudgedFile[]): string[] {
  const [planted, survived, open] = [
    sum(files, (file) => file.planted),
    sum(files, (file) => file.survived.length),
    sum(files, (file) => openOf(file).length),
  ];
  return [name, ...[planted, planted - survived, survived - open, open].map(String)];
}

export function conditionTable(): string {
  const { engine, files } = readJudged();
  const judged = Object.values(files);
  const planted = sum(judged, (file) => file.planted);
  return table(
    ['file', 'planted', 'caught', 'equivalent', 'open'],
    [
      row(`**${judged.length} of ${engine.files} files, ${planted} of ${engine.planted} changes**`, judged),
      ...Object.entries(files).map(([path, file]) => row(`\`${path}\``, [file])),
    ],
  );
}
