/**
 * node test/lockstep/run.ts --rounds N [--rulebook ID] [--options COUNT] [--option-rounds N]
 * [--seed S]: remembered rounds against the live table and the auditor, N rounds of each rulebook,
 * then so many random lawful sets of options. One line of JSON a table. Exit 0 = no difference.
 */
import { CannotRun } from '../../cli/command.ts';
import type { Asked } from '../../cli/simulate/setup.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { randomOf } from '../auditor/random.ts';
import { drawOptions } from '../auditor/random-options.ts';
import { rulebooks } from '../auditor/rulebooks.ts';
import { lockstep } from './lockstep.ts';

const { values } = argumentsOf({
  options: {
    rulebook: { type: 'string' },
    rounds: { type: 'string', default: '10000' },
    options: { type: 'string', default: '0' },
    'option-rounds': { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
const [rounds, sets, perSet, seed] = [
  values.rounds,
  values.options,
  values['option-rounds'],
  values.seed,
].map(Number) as [number, number, number, number];
const chosen = rulebooks
  .map(({ rulebook }) => rulebook as RulebookId)
  .filter((rulebook) => values.rulebook === undefined || values.rulebook === rulebook);
if (
  ![rounds, sets, perSet, seed].every((count) => Number.isSafeInteger(count) && count >= 0) ||
  chosen.length === 0
) {
  console.error('--rounds N [--rulebook ID] [--options COUNT] [--option-rounds N] [--seed S]');
  process.exit(2);
}

/** False: there is no such table. */
function play(asked: Asked, count: number): boolean {
  try {
    console.log(JSON.stringify({ ...asked, ...lockstep(asked, count, seed), differences: 0 }));
    return true;
  } catch (error) {
    if (error instanceof CannotRun) return false;
    const { message, stack } = error as Error;
    console.log(
      JSON.stringify({
        ...asked,
        differences: 1,
        message,
        found: (error as { found?: unknown }).found,
        stack,
      }),
    );
    process.exitCode = 1;
    return true;
  }
}

for (const rulebook of chosen)
  play({ rulebook, options: null, strategy: null, seats: 1, shoe: 'cut' }, rounds);
const random = randomOf(seed);
for (let played = 0; played < sets; ) {
  const rulebook = chosen[played % chosen.length]!;
  const options = drawOptions(rulebook, random);
  const seats = [1, 1, 2, 3, 7][random(5)]!;
  const shoe = random(2) === 0 ? 'cut' : 'fresh';
  if (play({ rulebook, options, strategy: null, seats, shoe }, perSet)) played += 1;
}
