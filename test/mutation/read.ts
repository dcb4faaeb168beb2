/**
 * node test/mutation/read.ts [--word WORD] [--only ID] [--rounds N] [--seed N] [--jobs N] [--host]:
 * which planted bugs the second reader holds, in random play of the engine alone; first without a
 * bug, and without one in each of the ways in which one is looked for. `--host`: what is held is
 * played again in a running host with its ledger and its reader's process, and must be stopped
 * there before money moves. A line for each: HELD, or UNSEEN with the reason that unseen.ts has.
 * WORD: in the name of the bug or of its file. Exit 0 = what is unseen, and nothing else, stands in
 * unseen.ts; 1 = it does not, or a host has not stopped it; 2 = sound rounds are held.
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RulebookId } from '../../engine/table/profile.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { MUTATIONS } from './mutations.ts';
import type { ReadPlay } from './read-play.ts';
import { LOOKS, UNSEEN } from './unseen.ts';

const { values } = argumentsOf({
  options: {
    word: { type: 'string', default: '' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '20041221' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    host: { type: 'boolean', default: false },
  },
});

/** What else than the reader alone stops an error in a running host, with nothing moved. */
const STOPPED: Readonly<Record<string, string>> = {
  'war-bets-behind': 'books',
  'raise-unpaid': 'books',
  'stale-prizes': 'books',
  'paid-prizes-forgotten': 'books',
  // The ledger's seals follow the event that the error makes nothing of.
  'first-cards-read-once': 'reader, and then: replay is the live state',
};

type Play = Pick<ReadPlay, 'payments' | 'held'> & { readonly inHost?: string };

async function play(id: string, rulebook: RulebookId, ...more: ('sound' | 'host')[]): Promise<Play> {
  const script = join(import.meta.dirname, 'read-one.ts');
  const args = [script, id, rulebook, values.rounds, values.seed, ...more];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as Play;
}

const chosen = MUTATIONS.filter(
  ({ id, file }) =>
    `${id} ${file}`.includes(values.word) && (values.only === undefined || values.only.includes(id)),
);
if (values.only === undefined)
  for (const rulebook of new Set(chosen.map((each) => each.rulebook))) {
    const { payments, held } = await play('-', rulebook);
    console.log(`without a bug: ${rulebook}, ${payments} payments${held === null ? '' : `, HELD ${held}`}`);
    if (held !== null) process.exit(2);
  }
/** One bug of each look. */
const looks = new Map(
  chosen.flatMap((each) => {
    const look = LOOKS[each.id];
    return look ? [[JSON.stringify([each.rulebook, look]), each] as const] : [];
  }),
);
const count = { held: 0, unseen: 0, wrong: 0, inHost: 0 };
const all = <T>(list: readonly T[], each: (one: T) => Promise<void>): Promise<unknown> => {
  const queue = [...list];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await each(next);
  };
  return Promise.all(Array.from({ length: Number(values.jobs) }, work));
};
await all([...looks.values()], async ({ id, rulebook }) => {
  const { held } = await play(id, rulebook, 'sound');
  if (held === null) return;
  console.log(`without a bug, as ${id} is looked for: HELD ${held}`);
  process.exit(2);
});
console.log(`without a bug in ${looks.size} ways to look: not held`);
await all(chosen, async ({ id, rulebook, law }) => {
  const { held, inHost } = await play(id, rulebook, ...(values.host ? (['host'] as const) : []));
  const why = UNSEEN[id];
  count[held === null ? 'unseen' : 'held'] += 1;
  const isStopped = inHost?.split('\n')[0] === (STOPPED[id] ?? 'reader');
  if (isStopped) count.inHost += 1;
  const isListed = (held === null) === (why !== undefined);
  if (!isListed || (inHost !== undefined && !isStopped)) count.wrong += 1;
  const said = held === null ? `UNSEEN ${id}: ${law} (${why ?? 'NOT LISTED'})` : `HELD ${id}: ${held}`;
  const there = inHost === undefined || isStopped ? '' : ` (IN A RUNNING HOST: ${inHost})`;
  console.log(`${said}${held !== null && !isListed ? ' (LISTED AS UNSEEN)' : ''}${there}`);
});
console.log(JSON.stringify(count));
process.exitCode = count.wrong === 0 ? 0 : 1;
