/**
 * node test/mutation/read.ts [--word WORD] [--seconds N]: which planted bugs the second reader
 * holds at the payment they falsify, in random play of their rulebook. One line for each: HELD, or
 * UNSEEN: no payment of these rounds shows it. WORD: in the name of the bug or of its file.
 */

import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { MUTATIONS } from './mutations.ts';
import { Workbench } from './workbench.ts';

const { values } = argumentsOf({
  options: { word: { type: 'string', default: '' }, seconds: { type: 'string', default: '3600' } },
});
const until = Date.now() + 1_000 * Number(values.seconds);
const workbench = new Workbench();
const count = { held: 0, unseen: 0 };
try {
  for (const mutation of MUTATIONS) {
    if (Date.now() > until) break;
    const { id, file, rulebook, law } = mutation;
    if (!`${id} ${file}`.includes(values.word)) continue;
    const { caught } = await workbench.withPlanted(mutation, () => workbench.cast('reader', rulebook));
    count[caught === null ? 'unseen' : 'held'] += 1;
    console.log(caught === null ? `UNSEEN ${id}: ${law}` : `HELD ${id}: ${caught}`);
  }
} finally {
  workbench.dispose();
}
console.log(JSON.stringify(count));
