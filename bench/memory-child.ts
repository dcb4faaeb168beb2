/**
 * `node --expose-gc bench/memory-child.ts DIR ROUNDS`: rounds of one seat with their ledger; prints
 * heap and RSS on the way.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openIn, Player } from '../test/verifier/played-ledger.ts';
import { round3, slope } from './stats.ts';

const LOOKS = 20;
const [, , dir = '', rounds = ''] = process.argv;
// Durability is not measured here, and a sync for each of a million commits would take the day.
const memory = mkdtempSync(join('/dev/shm', 'banca-memory-'));
process.on('exit', () => rmSync(memory, { recursive: true, force: true }));
const ledger = openIn(memory);
const player = new Player(ledger, 1);
const looks: { rounds: number; entries: number; heapMiB: number; rssMiB: number }[] = [];
const each = Number(rounds) / LOOKS;
for (let look = 1; look <= LOOKS; look++) {
  for (let i = 0; i < each; i++) player.playRound();
  globalThis.gc!();
  const { heapUsed, rss } = process.memoryUsage();
  looks.push({
    rounds: look * each,
    entries: ledger.head().seq,
    heapMiB: round3(heapUsed / 2 ** 20),
    rssMiB: round3(rss / 2 ** 20),
  });
}
ledger.close();
/** Of the looks after the first quarter, MiB a hundred thousand rounds. */
function growth(of: (look: (typeof looks)[number]) => number): number {
  const rest = looks.slice(LOOKS / 4);
  return round3(
    slope(
      rest.map((look) => look.rounds / 100_000),
      rest.map(of),
    ),
  );
}
process.stdout.write(
  `${JSON.stringify({
    rounds: Number(rounds),
    entries: looks.at(-1)!.entries,
    heapMiBPer100000Rounds: growth(({ heapMiB }) => heapMiB),
    rssMiBPer100000Rounds: growth(({ rssMiB }) => rssMiB),
    looks: looks.filter((_, i) => i % 5 === 4 || i === 0),
    note: `engine and ledger of one seat, no devices or displays; ${dir === '' ? '' : 'the file in memory'}`,
  })}\n`,
);
