import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import type { Act } from './inputs.ts';
import { aheadChoices, dueIntent, intentOf } from './intents.ts';

/** Seats 1 and 2 play: 9-7 against an open six; 5-6. The turn is seat 1's. */
function inTurn(): TestTable {
  const table = TestTable.ready();
  table.bets({ 1: 10_000, 2: 10_000 });
  table.draw('9S 5H 6C 7S 6D');
  while (table.state.phase === 'offers') table.wait();
  assert.deepEqual(table.state.round?.turn, { seat: 1, hand: 0 });
  return table;
}
const note = (table: TestTable, seat: number, act: Act | null) =>
  table.try({
    type: 'note-intent',
    roundId: table.roundId,
    seat,
    by: seat,
    hand: 0,
    act,
    touchedAtMs: table.atMs,
  });
const last = (table: TestTable, count: number): string[] =>
  table.events.slice(-count).map(({ type }) => type);

test('B12: what is noted ahead is said in its turn, as a decision of the bettor, and not before', () => {
  const table = inTurn();
  const credit = table.credit(2);
  assert.equal(note(table, 2, 'double'), null);
  assert.equal(table.credit(2), credit, 'no money moves before the turn');
  assert.equal(dueIntent(table.state), null);
  assert.equal(table.try({ type: 'take-intent' })?.code, 'nothing-to-do');
  table.act(1, 'stand');
  assert.equal(dueIntent(table.state)?.act, 'double');
  table.must({ type: 'take-intent' });
  assert.deepEqual(last(table, 2), ['hand-doubled', 'intent-taken']);
  assert.equal(table.credit(2), credit - 10_000);
  assert.equal(intentOf(table.state, 2), undefined);
  table.draw('TH TD');
  table.checkReplay();
});

test('B12: it may be changed and taken back until the turn', () => {
  const table = inTurn();
  note(table, 2, 'double');
  note(table, 2, 'hit');
  assert.equal(intentOf(table.state, 2)?.act, 'hit');
  assert.equal(note(table, 2, null), null);
  assert.equal(note(table, 2, null)?.code, 'nothing-to-do');
  table.act(1, 'stand');
  assert.equal(dueIntent(table.state), null);
  assert.equal(table.state.round?.turn?.seat, 2);
});

test('only what would be lawful in the turn can be noted, with its article; nobody notes for a hand that is not theirs to decide', () => {
  const table = inTurn();
  const split = note(table, 2, 'split');
  assert.equal(split?.code, 'not-allowed');
  assert.ok(split.cites.length > 0);
  assert.equal(note(table, 1, 'hit')?.code, 'not-due', 'their turn has come: they decide');
  assert.equal(note(table, 3, 'hit')?.code, 'not-due', 'no hand');
  assert.deepEqual(
    aheadChoices(table.state, 2)
      .filter(({ allowed }) => allowed)
      .map(({ act }) => act)
      .sort(),
    ['double', 'hit', 'stand', 'surrender'].filter((act) =>
      aheadChoices(table.state, 2).some((choice) => choice.act === act && choice.allowed),
    ),
  );
});

test('what is not lawful any more when the turn comes is dropped, and the bettor decides themselves (art. 18.2)', () => {
  const table = inTurn();
  assert.equal(note(table, 2, 'surrender'), null);
  table.act(1, 'hit');
  table.draw('2C');
  table.act(1, 'stand');
  table.must({ type: 'take-intent' });
  assert.deepEqual(last(table, 1), ['intent-dropped']);
  assert.equal(intentOf(table.state, 2)?.dropped?.code, 'too-late');
  assert.deepEqual(table.state.round?.turn, { seat: 2, hand: 0 });
  table.act(2, 'stand');
  table.checkReplay();
});

test('a hand whose cards were put right since is another hand: what was noted for it is dropped', () => {
  const table = inTurn();
  note(table, 2, 'stand');
  table.must({ type: 'report-fault', device: 'shoe', fault: 'x', place: '' });
  table.must({ type: 'clear-fault', device: 'shoe', fault: 'x' });
  if (table.state.hold) table.must({ type: 'confirm-layout', person: SUPERVISOR });
  table.state.round!.seats.find(({ seat }) => seat === 2)!.hands[0]!.cards.reverse();
  table.replayed.round!.seats.find(({ seat }) => seat === 2)!.hands[0]!.cards.reverse();
  table.act(1, 'stand');
  table.must({ type: 'take-intent' });
  assert.deepEqual(last(table, 1), ['intent-dropped']);
});
