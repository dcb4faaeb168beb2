/**
 * node test/auditor/latency.ts [--rounds N] [--seed S]: payments of random rounds are asked of the
 * reader in its own process, as the host asks them; how long each answer took.
 */
import { ReaderProcess } from '../../host/reading/reader-process.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { randomOf } from './random.ts';
import { rulebooks } from './rulebooks.ts';
import { Sitting } from './sitting.ts';

const { values } = argumentsOf({
  options: { rounds: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const random = randomOf(Number(values.seed));
const up = Promise.withResolvers<void>();
const reader = new ReaderProcess({
  log: console.error,
  is: (gone) => (gone === null ? up.resolve() : process.exit(1)),
});
reader.start();
// A host has long been up when its first round is paid. The reader's own clock keeps nobody awake.
const awake = setInterval(() => {}, 1_000);
await up.promise;
clearInterval(awake);

for (const audited of rulebooks) {
  const took: number[] = [];
  let longest = 0;
  while (took.length < Number(values.rounds)) {
    const sitting = new Sitting(audited, random);
    sitting.open();
    for (let asked = 0; sitting.rounds < 40; ) {
      sitting.step();
      if (sitting.asked.payments === asked) continue;
      asked = sitting.asked.payments;
      const { id: _id, ...question } = sitting.asked.question!;
      longest = Math.max(longest, JSON.stringify(question).length);
      const began = performance.now();
      if (typeof reader.read(question) === 'string') process.exit(1);
      took.push(performance.now() - began);
    }
  }
  took.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(took[Math.floor(share * (took.length - 1))]! * 1_000) / 1_000;
  const figures = { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
  console.log(
    JSON.stringify({ rulebook: audited.rulebook, answers: took.length, ...figures, longestBytes: longest }),
  );
}
reader.stop();
