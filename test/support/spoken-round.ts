import type { Act } from '../../engine/table/inputs.ts';
import type { OptionValue, TableProfile } from '../../engine/table/profile.ts';
import { TestTable } from './table-kit.ts';

export type Options = Readonly<Record<string, OptionValue>>;

/**
 * A round of black jack, card by card and word by word: `TS` a card leaves the shoe · `1:hit` seat
 * 1 says hit · `1.1:stand` for its second hand · `1:insure=500` with an amount · `1<2:evenMoney`
 * the bettor of seat 2 on seat 1 · `wait` the deadline answers.
 * @param bets main bets in minor units by seat
 */
export function play(
  script: string,
  options: Options = {},
  bets: Readonly<Record<number, number>> = { 1: 1_000 },
  changes: Partial<TableProfile> = {},
): TestTable {
  const table = TestTable.ready(options, changes);
  table.bets(bets);
  say(table, script);
  return table;
}

/** Goes on with a round, in the words of `play`. */
export function say(table: TestTable, script: string): void {
  for (const word of script.split(/\s+/).filter(Boolean)) sayWord(table, word);
}

function sayWord(table: TestTable, word: string): void {
  if (word === 'wait') {
    table.wait();
    return;
  }
  const spoken = /^(\d)(?:\.(\d))?(?:<(\d))?:(\w+)(?:=(\d+))?$/.exec(word);
  if (!spoken) {
    table.draw(word);
    return;
  }
  const [, seat, hand, by, act, value] = spoken;
  table.act(Number(seat), act as Act, {
    hand: Number(hand ?? 0),
    ...(by === undefined ? {} : { by: Number(by) }),
    ...(value === undefined ? {} : { amount: Number(value) }),
  });
}
