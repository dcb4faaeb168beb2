import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { rulebookOf, rulesPage, type TableOptions, validateOptions } from '../books.ts';
import type { OptionValue, RulebookId } from '../table/profile.ts';

interface Vector {
  readonly id: string;
  readonly rulebook: RulebookId;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly rounds: readonly {
    readonly bets: readonly { seat: number; by: number; bet: string; amount: number }[];
    readonly acts?: readonly { seat?: number; by?: number; do?: string; amount?: number }[];
    readonly expect: {
      readonly outcomes?: readonly { seat: number; by: number; bet: string; net: number }[];
      readonly rejects?: readonly { at: number }[];
      readonly rejectBets?: readonly { at: number }[];
    };
  }[];
}
interface VectorFile {
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, OptionValue>>>>;
  readonly vectors: readonly Vector[];
}

/** Lines of the page that price a bet; what a main bet wins comes in several ways. */
const PRICED_BY: Readonly<Record<string, readonly string[]>> = {
  main: ['win', 'blackjack', 'evenMoney', 'fiveCards', 'higher', 'warWin', 'warTie'],
  sevens: ['sevens.two', 'sevens.twoSuited', 'sevens.three', 'sevens.threeSuited'],
  perfectPair: ['perfectPair.mixed', 'perfectPair.colour', 'perfectPair.perfect'],
  tie: ['tieBet'],
  banker: ['banker', 'bankerSix'],
  lucky6: ['lucky6Two', 'lucky6Three'],
};

/** What one unit of a bet may win by the page, as fractions [a, b]. */
function pricesOf({ rulebook, options }: Vector, bet: string, defaults: TableOptions): [number, number][] {
  // As the vectors are played: of the file's defaults only what differs from the rulebook's own.
  const known = rulebookOf(rulebook)!.options.flatMap(({ id, default: own }) =>
    id in defaults && JSON.stringify(defaults[id]) !== JSON.stringify(own) ? [[id, defaults[id]!]] : [],
  );
  const checked = validateOptions(rulebook, { ...Object.fromEntries(known), ...options });
  assert.ok(checked.ok, JSON.stringify(checked));
  const { sections } = rulesPage(rulebook, checked.resolved as unknown as TableOptions)!;
  const keys = (PRICED_BY[bet] ?? [bet]).map((key) => `pay.${key}`);
  return sections
    .find(({ id }) => id === 'payoffs')!
    .items.flatMap(({ key, pays }) => {
      if (!keys.includes(key) || typeof pays !== 'object' || !('odds' in pays)) return [];
      const [a, b] = pays.odds;
      const [part, whole] = pays.commission ?? [0, 1];
      return [[a * (whole - part), b * whole] as [number, number]];
    });
}

for (const name of ['vectors-macau-blackjack', 'vectors-portugal-war-baccarat']) {
  test(`${name}: whatever a bet wins is a price of the table's own rules page`, () => {
    const url = new URL(`../../test/data/vectors/${name}.json`, import.meta.url);
    const file = JSON.parse(readFileSync(url, 'utf8')) as VectorFile;
    let seen = 0;
    for (const vector of file.vectors) {
      for (const { bets, acts = [], expect } of vector.rounds) {
        for (const { seat, by, bet, net } of expect.outcomes ?? []) {
          // The meter of a jackpot is no price; a streak pays on a bet of an earlier round.
          if (net <= 0 || bet === 'jackpot' || bet.startsWith('streak')) continue;
          const asked = bet === 'specialPrize' ? 'main' : bet;
          const refused = (list: readonly { at: number }[] | undefined, at: number): boolean =>
            list?.some((each) => each.at === at) ?? false;
          const laid = bets.find(
            (each, at) =>
              !refused(expect.rejectBets, at) && each.seat === seat && each.by === by && each.bet === asked,
          );
          const insured = acts.find(
            (act, at) =>
              !refused(expect.rejects, at) &&
              act.do === 'insure' &&
              act.seat === seat &&
              (act.by ?? by) === by,
          );
          const stake = bet === 'insurance' ? insured?.amount : laid?.amount;
          assert.ok(stake, `${vector.id}: ${bet} of seat ${seat}`);
          const prices = pricesOf(vector, bet, file.defaults?.[vector.rulebook] ?? {});
          // A doubled hand stakes twice; any pair is paid for every pair of a split seat.
          const times =
            bet === 'main' || bet === 'specialPrize' ? [1, 2] : bet === 'anyPair' ? [1, 2, 3, 4] : [1];
          const fits = times.some((n) => prices.some(([a, b]) => Math.abs(net * b - n * stake * a) < b));
          assert.ok(
            fits,
            `${vector.id}: ${bet} won ${net} on ${stake}, the page has ${JSON.stringify(prices)}`,
          );
          seen += 1;
        }
      }
    }
    assert.ok(seen > 50, `${seen} wins`);
  });
}
