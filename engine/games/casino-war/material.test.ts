/** What «Desafio ao Casino» says of its material, and the two ways out of a tie. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTable } from '../../../test/support/table-kit.ts';
import { validateOptions } from '../../books.ts';
import { parseCard } from '../../core/cards.ts';
import { sightOn } from '../../table/looker.ts';
import type { OptionValue } from '../../table/profile.ts';
import { CASINO_WAR } from './casino-war.ts';

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

test('arts. 2.1, 2.2: the shuffler takes the cards of a round back and has no white card; from a shoe they are discarded', () => {
  const after = (options: Options): unknown[] => {
    const table = ready(options);
    table.bets({ 1: 10_000 });
    table.draw('KS 9H');
    table.close();
    const { cut, endCard } = CASINO_WAR.shoe(table.state);
    return [cut, endCard, table.state.shoe.drawn, table.state.shoe.discarded];
  };
  assert.deepEqual(after({}), ['anyone', { least: 12, most: 20 }, 2, 2]);
  assert.deepEqual(after({ cardSource: 'autoShuffler' }), ['none', null, 0, 0]);
});

test('art. 4: what lies on a seat is read by its last card, and without a card by nothing', () => {
  const points = ['', 'AS', 'AS 2H', '2H KD'].map(
    (cards) => CASINO_WAR.readHand(cards.split(' ').flatMap((card) => parseCard(card) ?? [])).points,
  );
  assert.deepEqual(points, [null, 14, 2, 13]);
});

test('art. 7.5: two challenges are played apart where three burns serve all players, and not where each card has its own', () => {
  const isOneAtATime = (options: Options): boolean | undefined => {
    const sight = sightOn(ready(options).state.rules!, ['main']);
    return 'live' in sight ? undefined : sight.apart?.oneAtATime;
  };
  assert.equal(isOneAtATime({ warBurn: 'perCard' }), true);
  assert.equal(isOneAtATime({ warBurn: 'once' }), false);
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
