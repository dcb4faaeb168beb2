/**
 * Random legal options: what the figures say of them and what the engine plays must agree.
 * `BANCA_OPTION_SETS` of them, one where nothing is said.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { rulebookOf, validateOptions } from '../../engine/books.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { here } from '../../test/kits/cli.ts';

const SETS = Number(process.env['BANCA_OPTION_SETS'] ?? 1);
const ROUNDS = 20_000;
/** Of so many comparisons one beyond four standard errors is chance: here nothing is. */
const MOST_SIGMAS = 5;
const BOOKS: readonly RulebookId[] = [
  'macau-blackjack-2009',
  'portugal-blackjack',
  'macau-blackjack-2004',
  'macau-baccarat',
  'macau-casino-war',
];
/** What moves from round to round, or lies in amounts, is not drawn. */
const FIXED =
  /^(?:cardSource|seats|seatsPerPlayer|jackpot|min|max|step|sideBetM|sideBetsAtOnce|tableMaxTotal|cut|insurance)/;

const random = xoroshiro128plus(20_090_330);
const below = (count: number): number => uniformInt(random, 0, count - 1);

/** Options at random until they are legal together. */
function drawn(id: RulebookId): Record<string, unknown> {
  for (;;) {
    const options: Record<string, unknown> = {};
    for (const { id: name, legal } of rulebookOf(id)!.options) {
      if (FIXED.test(name) || below(3) === 0) continue;
      if (legal.kind === 'one-of') options[name] = legal.values[below(legal.values.length)];
      if (legal.kind === 'integer')
        options[name] = legal.min + below(Math.min(legal.max, 12) - legal.min + 1);
      if (legal.kind === 'subset')
        options[name] = legal.of.filter((each) => !each.startsWith('streak') && below(2) === 0);
    }
    if (id.includes('blackjack')) options['cardSource'] = 'autoShuffler';
    if (validateOptions(id, options as Parameters<typeof validateOptions>[1]).ok) return options;
  }
}

for (let no = 0; no < SETS; no++) {
  const id = BOOKS[no % BOOKS.length]!;
  const options = JSON.stringify(drawn(id));
  it(`${id} ${options}`, async () => {
    const { stdout, stderr } = await here([
      ...['simulate', '--rulebook', id, '--options', options, '--rounds', String(ROUNDS)],
      ...['--seed', String(no), '--threads', '1', '--json'],
    ]);
    assert.equal(stderr, '');
    const { bets } = JSON.parse(stdout) as {
      bets: { bet: string; exact: { net: number; sigmas: number | null } | null; netPerInitial: number }[];
    };
    const compared = bets.filter(({ exact }) => exact?.sigmas != null);
    assert.ok(compared.length > 0, stdout);
    for (const { bet, exact, netPerInitial } of compared)
      assert.ok(
        Math.abs(exact!.sigmas!) < MOST_SIGMAS,
        `${bet}: ${netPerInitial} against ${exact!.net}, ${exact!.sigmas} standard errors`,
      );
  });
}
