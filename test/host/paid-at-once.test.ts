/** What displays get of a prize before its round is over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableView, type ViewContext } from '../../host/table/view.ts';
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
const seatOf = ({ state }: TestTable, seat = 1) => tableView(state, CONTEXT).seats[seat - 1]!;
const told = (table: TestTable): string[] =>
  seatOf(table).lines.map(({ bet, outcome, netMinor }) => `${bet} ${outcome} ${netMinor}`);

test('art. 15 the prize and the credit are shown with its card; the hand is still open, and no result is shown', () => {
  const table = play('7S 5S TH 7D 6D wait 1:hit 7C', {}, { 1: 1_000, 2: 1_000 });
  const seat = seatOf(table);
  assert.deepEqual(told(table), ['specialPrize special-prize 3000']);
  assert.equal(seat.creditMinor, 102_000);
  assert.deepEqual([seat.hands[0]?.netMinor, seat.result], [null, null]);
  say(table, '2:stand AC');
  assert.deepEqual(told(table), ['main lose -1000', 'specialPrize special-prize 3000']);
  assert.equal(seatOf(table).creditMinor, 102_000);
  assert.notEqual(seatOf(table).result, null);
});

test('r.21 a blackjack that is paid at once is shown so on its hand', () => {
  const PT = { rulebook: 'portugal-blackjack', currency: 'EUR' } as const;
  const table = play('AS TD 7H KS 9D TC', {}, { 1: 1_000, 2: 1_000 }, PT);
  const { hands, creditMinor, result } = seatOf(table);
  assert.deepEqual([hands[0]?.status, hands[0]?.netMinor, creditMinor], ['paid', 1_500, 101_500]);
  assert.equal(result, null);
});
