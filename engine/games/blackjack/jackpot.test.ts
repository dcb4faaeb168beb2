import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '../../../test/support/spoken-round.ts';
import { TestTable } from '../../../test/support/table-kit.ts';
import type { OptionValue } from '../../table/profile.ts';

/** A round of seats 1 and 2, each with a bet of 1,000 and a chip of 100, in the words of `play`. */
function played(changes: Readonly<Record<string, OptionValue>>, script: string): TestTable {
  const jackpot = {
    stake: 100,
    increment: '1/2',
    cards: 4,
    pays: [
      { combination: 'A3', share: '1' },
      { combination: 'K2', share: '5/6' },
      { combination: 'A2', share: '1/4' },
    ],
    ...changes,
  };
  const table = TestTable.ready({ jackpot }, { rulebook: 'portugal-blackjack', currency: 'EUR' });
  table.open();
  for (const seat of [1, 2]) {
    table.bet(seat, 1_000);
    table.bet(seat, 100, seat, 'jackpot');
  }
  table.must({ type: 'close-betting' });
  say(table, script);
  return table;
}

const chips = (table: TestTable): string[] => table.lines.filter((line) => line.includes('jackpot'));
const meter = (table: TestTable): number | undefined => table.state.jackpots[0]?.meterMinor;

test('r.50.a the smaller prize is paid first, the larger gets what the meter has left', () => {
  // 1,000,100: a quarter for the aces; five sixths for the kings would be more than is left. The
  // chips are kept.
  const aces = 'jackpot jackpot 249925 r.43 r.50';
  const kings = 'jackpot jackpot 749975 r.43 r.50';
  const first = played({}, 'AH KS 9H AD KD 8C wait 1:stand 2:stand');
  assert.deepEqual(chips(first), [`1 ${aces}`, `2 ${kings}`]);
  const second = played({}, 'KS AH 9H KD AD 8C wait 1:stand 2:stand');
  assert.deepEqual(chips(second), [`1 ${kings}`, `2 ${aces}`]);
  assert.equal(meter(second), 0);
});

test('r.44 after the highest prize the meter starts again from its own start value', () => {
  const table = played({ seed: 2_500_000 }, 'AS 9S 8H AD 9D 8C wait 1:hit AC 1:stand 2:stand TD');
  assert.deepEqual(chips(table), ['1 jackpot jackpot 2500000 r.43 r.50', '2 jackpot lose -100 r.43']);
  assert.equal(meter(table), 2_500_000);
});
