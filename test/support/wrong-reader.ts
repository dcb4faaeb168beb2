/**
 * A reader with an error: `node wrong-reader.ts HOW`. `one-more`: every won line is paid a unit
 * more · `hang`: answers nothing · `babble`: answers in no form. The first answer, to the host's
 * question whether it is up, is right.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { questionIn } from '../../reader/form.ts';
import { read } from '../../reader/read.ts';

const how = process.argv[2];
createInterface({ input: process.stdin }).on('line', (line) => {
  const question = questionIn(line)!;
  const reply = read(question);
  if (question.facts.length < 2) writeSync(1, `${JSON.stringify(reply)}\n`);
  else if (how === 'babble') writeSync(1, '{"id":1,"lines":[{"seat":"one"}]}\n');
  else if (how === 'one-more' && 'lines' in reply) {
    const lines = reply.lines.map((each) => (each.net > 0 ? { ...each, net: each.net + 1 } : each));
    writeSync(1, `${JSON.stringify({ ...reply, lines })}\n`);
  }
});
