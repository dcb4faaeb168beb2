/**
 * The process of the reader: a question a line on stdin, an answer a line on stdout, in their
 * order. It ends with its stdin, and at the first line that is no question: who asks sees that at
 * once.
 */
import { writeSync } from 'node:fs';
import { LINE_BYTES, questionIn } from './form.ts';
import { read } from './read.ts';

let begun = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (begun + text).split('\n');
  begun = lines.pop()!;
  if (begun.length > LINE_BYTES) fail('a line without an end');
  for (const line of lines) answer(line);
});
process.stdin.on('end', () => process.exit(0));

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

function answer(line: string): void {
  const question = questionIn(line);
  if (question === null) return fail('a line that is no question');
  const reply = read(question);
  writeSync(1, `${JSON.stringify(reply)}\n`);
}
