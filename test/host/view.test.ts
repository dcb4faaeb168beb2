import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableView, type ViewContext } from '../../host/table/view.ts';
import type { TableView } from '../../wire/view.ts';
import { TestTable } from '../support/table-kit.ts';

const CONTEXT: ViewContext = {
  bootId: 'boot',
  seq: 1,
  nowMs: 1,
  demo: null,
  simulation: false,
  locked: null,
  link: { state: 'off', headSeq: 1, ackedSeq: 0, ackedUpToMs: null, downSinceMs: null },
  devices: [],
  recentNotes: new Map(),
};
const viewOf = (table: TestTable): TableView => tableView(table.state, CONTEXT);

test('baccarat: two sides with their points, tens of the sum dropped; no hands of seats', () => {
  const table = TestTable.ready({ lastRound: 'oneMore' }, { rulebook: 'macau-baccarat' });
  assert.deepEqual(viewOf(table).playerSide, { cards: [], points: null });
  table.open();
  table.bet(2, 1_000, 2, 'banker');
  table.must({ type: 'close-betting' });
  table.draw('7S KH 8D 9C');
  const { bank, playerSide, seats, round, shoe } = viewOf(table);
  assert.equal(playerSide?.points, 5);
  assert.deepEqual(bank, {
    cards: table.state.round?.bank,
    points: 9,
    soft: false,
    blackjack: false,
    busted: false,
  });
  assert.deepEqual(seats[1]?.bets, [{ by: 2, bet: 'banker', amountMinor: 1_000 }]);
  assert.deepEqual(seats[1]?.hands, []);
  assert.equal(seats[1]?.result?.netMinor, 950);
  assert.equal(round?.demo, false);
  assert.equal(shoe.lastRound, false);
});

test('baccarat: the last round is announced in the round that is it, and before it is opened', () => {
  const table = TestTable.ready({ lastRound: 'oneMore' }, { rulebook: 'macau-baccarat' });
  table.open();
  table.bet(2, 1_000, 2, 'banker');
  table.must({ type: 'close-betting' });
  table.draw('7S');
  table.must({ type: 'end-card-out' });
  assert.equal(viewOf(table).shoe.lastRound, false);
  table.draw('KH 8D 9C');
  table.close();
  assert.equal(viewOf(table).shoe.lastRound, true);
  table.open();
  assert.equal(viewOf(table).round?.last, true);
});

test('war: the rank of the card that counts, of the challenge once it is dealt', () => {
  const table = TestTable.ready({}, { rulebook: 'macau-casino-war' });
  table.bets({ 1: 10_000 });
  table.draw('AS AH');
  const asked = viewOf(table);
  assert.equal(asked.playerSide, null);
  assert.deepEqual([asked.bank.points, asked.bank.blackjack, asked.bank.busted], [14, false, false]);
  assert.deepEqual(
    asked.seats[0]?.choices.map(({ act }) => act),
    ['goToWar', 'surrenderWar'],
  );
  table.act(1, 'goToWar');
  table.draw('2C 3D 4S TD 5C 6H 7S QH');
  const { bank, seats } = viewOf(table);
  assert.deepEqual([bank.points, seats[0]?.hands[0]?.points], [12, 10]);
  assert.equal(seats[0]?.hands[0]?.stakeMinor, 20_000);
});
