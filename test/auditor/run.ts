/**
 * node test/auditor/run.ts [--rulebook ID] [--rounds N] [--seed S]: random rounds through engine
 * and auditor; one line of JSON per rulebook. Exit 0 = they agree in everything, 1 = they do not.
 */
import { randomInt } from 'node:crypto';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { playRandomly } from './random-play.ts';
import { rulebooks } from './rulebooks.ts';

const { values } = argumentsOf({
  options: {
    rulebook: { type: 'string' },
    rounds: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const chosen = rulebooks.filter(
  ({ rulebook }) => values.rulebook === undefined || values.rulebook === rulebook,
);
if (!Number.isSafeInteger(rounds) || !Number.isSafeInteger(seed) || chosen.length === 0) {
  console.error(`--rulebook ${rulebooks.map(({ rulebook }) => rulebook).join('|')} --rounds N --seed S`);
  process.exit(2);
}
for (const audited of chosen) {
  const report = playRandomly(audited, rounds, seed);
  console.log(JSON.stringify(report));
  if (report.disagreements.length > 0) process.exitCode = 1;
}
