/** How far the law of Bacará tells hands apart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTable } from '../../../test/support/table-kit.ts';
import { parseCard } from '../../core/cards.ts';
import { sightOn } from '../../table/looker.ts';

test('arts. 5, 13.1.4.1 and the drawing table: points, pairs and how many cards; of the Player’s third card its points', () => {
  const sight = sightOn(TestTable.ready({}, { rulebook: 'macau-baccarat' }).state.rules!, ['player']);
  assert.ok(!('live' in sight));
  const told = (side: 'round.playerSide' | 'round.bank', cards: string): unknown[] => {
    const said: unknown[] = [];
    const hand = cards.split(' ').flatMap((card) => parseCard(card) ?? []);
    sight.tellers[side]!(hand as never, {} as never, (value) => void said.push(value), {} as never);
    return said;
  };
  for (const [cards, player, bank] of [
    ['', [0], [0]],
    // The rank is kept until it is known whether it is one of a pair.
    ['KS', [1, 12], [1, 12]],
    ['KS QS', [2, 0, false], [2, 0, false]],
    ['KS KD', [2, 0, true], [2, 0, true]],
    ['KS 3D 9H', [3, 2, false, 9], [3, 2, false]],
  ] as const) {
    assert.deepEqual(told('round.playerSide', cards), player, cards);
    assert.deepEqual(told('round.bank', cards), bank, cards);
  }
});
