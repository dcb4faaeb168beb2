import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableView, type ViewContext } from '../../host/table/view.ts';
import type { TableView } from '../../wire/view.ts';
import { play, say } from '../support/spoken-round.ts';
import type { TestTable } from '../support/table-kit.ts';

const CONTEXT: ViewContext = {
  bootId: 'b',
  seq: 1,
  nowMs: 0,
  demo: null,
  simulation: false,
  locked: null,
  link: { state: 'off', headSeq: 0, ackedSeq: 0, ackedUpToMs: null, downSinceMs: null },
  devices: [],
  recentNotes: new Map(),
};
const viewOf = ({ state }: TestTable): TableView => tableView(state, CONTEXT);

test('art. 5.2.3.2 no display learns the card that lies face down before it is turned', () => {
  const HOLE = { dealing: 'holeCard' };
  const texts = ['9C', '6C', 'AC'].map((hole) => {
    const table = play(`TS 9H 8D ${hole}`, HOLE);
    const view = viewOf(table);
    assert.deepEqual(
      view.bank.cards.map((card) => card !== null),
      [true, false],
    );
    assert.equal(view.bank.points, 9);
    assert.deepEqual([view.bank.soft, view.bank.blackjack, view.bank.busted], [false, false, false]);
    return JSON.stringify(view);
  });
  assert.equal(new Set(texts).size, 1, 'three different cards, one picture');

  const table = play('TS 9H 8D 8C wait 1:stand', HOLE);
  assert.equal(viewOf(table).bank.points, 17);
  assert.deepEqual(viewOf(table).bank.cards.includes(null), false);
});

test('art. 5.2.3.4 a blackjack that the look has found is shown to everybody', () => {
  const { bank, phase } = viewOf(play('TS KH 8D AC', { dealing: 'holeCard' }));
  assert.deepEqual([phase, bank.blackjack, bank.points, bank.cards.length], ['settled', true, 21, 2]);
});

test('art. 5.2.1 a hand lies face down until it must be shown', () => {
  const faces = (table: TestTable): string =>
    viewOf(table)
      .seats.flatMap(({ hands }) => hands)
      .map(({ faceDown }) => (faceDown ? 'down' : 'up'))
      .join(' ');
  const bets = { 1: 1_000, 2: 1_000, 3: 1_000, 4: 1_000 };
  const table = play('TS AS 8S 5S 9H 6D KD 8D 6C', { dealing: 'faceDown' }, bets);
  assert.equal(faces(table), 'down up down down', 'a blackjack is shown');
  say(table, 'wait 1:hit KC');
  assert.equal(faces(table), 'up up down down', 'art. 6.2: so is a bust');
  say(table, '3:split 2C 3:stand 3C 3.1:stand');
  assert.equal(faces(table), 'up up up up down', 'and a pair that is split');
  say(table, '4:double TC');
  assert.equal(faces(table), 'up up up up up', 'and a double');
  say(table, 'TD');
  assert.equal(faces(table), 'up up up up up');
  assert.equal(faces(play('TS 9H 8D', { dealing: 'faceUp' })), 'up');
  assert.equal(faces(play('TS 9H 8D 8C', { dealing: 'holeCard', playerCardsDown: 'both' })), 'down');
});
