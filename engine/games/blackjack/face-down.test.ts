/** Players' cards that lie face down: arts. 5.2.1 and 5.2.3.5. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Options, play, say } from '../../../test/support/spoken-round.ts';
import type { TestTable } from '../../../test/support/table-kit.ts';
import { parseCard } from '../../core/cards.ts';
import { hiddenAt, isCardHidden, knownState, nextStep } from '../../engine.ts';

const DOWN = { dealing: 'faceDown' };
const BOX = { dealing: 'faceDown', cardSource: 'box', decks: 1 };
const BOTH = { dealing: 'holeCard', playerCardsDown: 'both' };
const ONE = { dealing: 'holeCard', playerCardsDown: 'one' };
const THREE = { 1: 1_000, 2: 1_000, 3: 1_000 };

const hidden = (table: TestTable): unknown[] => [...hiddenAt(table.state)];
const dealtDown = (table: TestTable): string =>
  table.events
    .flatMap((event) => (event.type === 'card-dealt' ? [event.faceDown ? 'down' : 'up'] : []))
    .join(' ');

test('what is dealt face down says so, and is hidden until its hand is shown', () => {
  const table = play('TS AS 8S 9H 6D KD 8D', DOWN, THREE);
  assert.equal(dealtDown(table), 'down down down down down down');
  assert.deepEqual(hidden(table), [1, 3], 'seat 2 has a blackjack');
  say(table, 'wait 1:hit KC');
  assert.deepEqual(hidden(table), [3], 'art. 6.2: a bust is shown');
  say(table, '3:split 2C');
  assert.deepEqual(hidden(table), [], 'and a pair that is split');
  assert.equal(dealtDown(table), 'down down down down down down down up', 'whose cards then come face up');
});

test('hands that nobody had to show are shown when the bets are settled or the round is cancelled', () => {
  const table = play('TS 9H 8D wait 1:stand', DOWN);
  assert.deepEqual(hidden(table), [1]);
  say(table, '9C');
  assert.equal(table.state.phase, 'settled');
  assert.deepEqual(hidden(table), []);
});

test('with the box the bank has a card face down, too, and with one card down a hand has one that is known', () => {
  assert.deepEqual(hidden(play('TS 5S AH 8D 6D 6C', BOX, { 1: 1_000, 2: 1_000 })), ['bank', 1, 2]);
  const both = play('TS 9H 8D 6C', BOTH);
  assert.deepEqual([dealtDown(both), hidden(both)], ['down down', ['bank', 1]]);
  const one = play('TS 9H', ONE);
  assert.deepEqual([dealtDown(one), hidden(one), isCardHidden(one.state)], ['up', [], true]);
  say(one, '8D 6C');
  assert.deepEqual([dealtDown(one), hidden(one)], ['up down', ['bank', 1]]);
  assert.equal(dealtDown(play('TS 5S 9H 8D 6D 6C', ONE, { 1: 1_000, 2: 1_000 })), 'up up down down');
  const round = (knownState(one.state) as TestTable['state']).round!;
  assert.deepEqual(round.seats[0]!.hands[0]!.cards, [parseCard('TS'), null]);
});

test('the known state is the same whatever lies face down', () => {
  const known = (options: Options, script: string): string =>
    JSON.stringify(knownState(play(script, options, { 1: 1_000, 2: 1_000 }).state));
  for (const [options, ...scripts] of [
    [DOWN, 'TS 5S 9H 8D 6D wait', '2C 9C 9H 7D 5D wait'],
    [DOWN, 'TS 5S 9H 8D 6D wait 1:stand 2:hit 2C', '9S 6S 9H 9D 5D wait 1:stand 2:hit 3C'],
    [BOTH, 'TS 5S 9H 8D 6D 6C wait', '2C 9C 9H 7D 5D KD wait'],
    [ONE, 'TS 5S 9H 8D 6D 6C wait', 'TS 5S 9H 7D 5D KD wait'],
  ] as const)
    assert.equal(new Set(scripts.map((script) => known(options, script))).size, 1, scripts[0]);
});

test('a doubtful reading of a card face down holds the table without telling what was read', () => {
  const table = play('TS 9H', DOWN);
  assert.equal(table.tryDraw('AC', null, 20), null);
  assert.deepEqual([table.state.hold?.code, table.state.hold?.card], ['doubtful-card', null]);
  assert.equal(nextStep(table.state).step, 'resolve-card');
  const person = { id: 'd1', name: 'Ana', role: 'dealer' } as const;
  table.must({ type: 'confirm-card', drawNo: null, card: parseCard('7C')!, person });
  assert.deepEqual(hidden(table), [1]);
});
