/** What «Desafio ao Casino» says of its material, and the two ways out of a tie. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTable } from '../../../test/support/table-kit.ts';
import { validateOptions } from '../../books.ts';
import type { OptionValue } from '../../table/profile.ts';

type Options = Readonly<Record<string, OptionValue>>;
const ready = (options: Options = {}): TestTable =>
  TestTable.ready(options, { rulebook: 'macau-casino-war' });
const problems = (options: Options): string[] => {
  const checked = validateOptions('macau-casino-war', options);
  return checked.ok ? [] : checked.problems.map(({ option, article }) => `${option} ${article}`);
};

test('arts. 1.1, 1.5: one pack or more, seven seats or more', () => {
  assert.deepEqual(problems({ decks: 0 }), ['decks art.1.1']);
  assert.deepEqual(problems({ seats: 6 }), ['seats art.1.5']);
  assert.deepEqual(problems({ decks: 1, seats: 8 }), []);
});

test('arts. 1.2, 1.3, 2.2: a shoe that is cut, or a shuffler-dealer that is not', () => {
  assert.deepEqual(problems({ cardSource: 'box' }), ['cardSource art.1.2']);
  const types = (options: Options): Set<string> => new Set(ready(options).events.map(({ type }) => type));
  assert.ok(types({}).has('shoe-cut') && types({}).has('end-card-placed'));
  const machine = types({ cardSource: 'autoShuffler' });
  assert.ok(!machine.has('shoe-cut') && !machine.has('end-card-placed'));
});

test('arts. 7.4.1, 7.4.2: who ties loses half, or lays the amount of their bet again and goes to war', () => {
  const table = ready();
  table.bets({ 1: 10_000, 2: 10_000 });
  table.draw('9S 9D 9H');
  table.act(1, 'surrenderWar');
  const before = table.credit(2);
  table.act(2, 'goToWar');
  assert.equal(before - table.credit(2), 10_000);
  table.draw('2C 3C 4C KD 5C 6C 7C QD');
  assert.deepEqual(table.lines, ['1.0 main half-loss -5000 art.7.4.1', '2.0 main war-win 10000 art.7.5.1']);
});
