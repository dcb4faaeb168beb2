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

/** What may be noted, act by act, and for which hand. */
const ahead = (table: TestTable, by: number): string =>
  [...new Set(aheadChoices(table.state, by).map(({ seat, hand }) => `${seat}.${hand}`))].join(' ');

test('something is noted once the cards are dealt and until the bank plays, by each bettor for their next hand', () => {
  const table = TestTable.ready();
  const all = (): string[] => [1, 2, 3, 4].map((by) => ahead(table, by));
  assert.deepEqual(all(), ['', '', '', '']);
  table.open();
  for (const seat of [1, 2, 3]) table.bet(seat, 10_000);
  assert.deepEqual(all(), ['', '', '', '']);
  table.must({ type: 'close-betting' });
  table.draw('9S 5H TH AC 7S');
  assert.deepEqual(all(), ['', '', '', ''], 'seat 2 has one card');
  table.draw('6D AS');
  assert.equal(table.state.phase, 'offers');
  assert.deepEqual(all(), ['1.0', '2.0', '', ''], 'seat 3 has a blackjack');
  while (table.state.phase === 'offers') table.wait();
  assert.deepEqual(all(), ['', '2.0', '', '']);
  assert.equal(note(table, 2, 'hit'), null);
  table.act(1, 'stand');
  assert.deepEqual(all(), ['', '', '', '']);
  table.act(2, 'stand');
  assert.equal(table.state.phase, 'bank');
  assert.deepEqual(all(), ['', '', '', '']);
});

test('who decides on two seats notes for the next of them that is asked', () => {
  const table = TestTable.ready({ betsBehind: 'nearest', maxBettorsPerSeat: 2 });
  table.open();
  for (const seat of [1, 2]) table.bet(seat, 10_000);
  table.bet(3, 10_000, 1);
  table.must({ type: 'close-betting' });
  table.draw('9S 5H 5D 6C 7S 6D 6H');
  while (table.state.phase === 'offers') table.wait();
  assert.deepEqual(table.state.round?.turn, { seat: 1, hand: 0 });
  assert.deepEqual([ahead(table, 1), ahead(table, 2)], ['3.0', '2.0']);
  table.act(1, 'stand');
  assert.deepEqual([ahead(table, 1), ahead(table, 2)], ['3.0', '']);
});

test('a split hand whose turn is still to come is asked when it has its second card, and not before', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000 });
  table.draw('8S 5H 8C');
  while (table.state.phase === 'offers') table.wait();
  table.act(1, 'split');
  table.draw('2C');
  assert.deepEqual(table.state.round?.turn, { seat: 1, hand: 0 });
  assert.equal(ahead(table, 1), '');
});

test('nothing is noted while the table is held or in service, in another round, or for a hand that is not next', () => {
  const table = inTurn();
  const other = {
    type: 'note-intent',
    seat: 2,
    by: 2,
    hand: 0,
    act: 'hit',
    touchedAtMs: table.atMs,
  } as const;
  assert.equal(table.try({ ...other, roundId: 'other' })?.code, 'unknown-round');
  assert.equal(table.try({ ...other, roundId: table.roundId, seat: 1 })?.code, 'not-due');
  assert.equal(table.try({ ...other, roundId: table.roundId, hand: 1 })?.code, 'not-due');
  note(table, 2, 'hit');
  const fault = {
    type: 'report-fault',
    device: 'display',
    fault: 'lost',
    place: '',
    stops: 'table',
  } as const;
  table.must({ type: 'enter-service', person: SUPERVISOR });
  assert.deepEqual(aheadChoices(table.state, 2), []);
  table.must({ type: 'exit-service' });
  table.must(fault);
  assert.deepEqual(aheadChoices(table.state, 2), []);
  assert.equal(note(table, 2, 'stand')?.code, 'held');
  assert.equal(note(table, 2, null)?.code, 'held');
  assert.equal(intentOf(table.state, 2)?.act, 'hit');
});

test('what is noted is said when its hand is asked, and not while the table is held or a card is due', () => {
  const table = inTurn();
  note(table, 2, 'hit');
  table.act(1, 'stand');
  assert.equal(dueIntent(table.state)?.by, 2);
  table.must({ type: 'report-fault', device: 'display', fault: 'lost', place: '', stops: 'table' });
  assert.equal(dueIntent(table.state), null);
  assert.equal(dueIntent({ ...table.state, deadline: table.state.paused }), null, 'its time stands still');
  table.must({ type: 'clear-fault', device: 'display', fault: 'lost' });
  table.must({ type: 'confirm-layout', person: SUPERVISOR });
  const { deadline, round } = table.state;
  assert.equal(dueIntent({ ...table.state, deadline: null }), null);
  assert.equal(dueIntent({ ...table.state, deadline: { ...deadline!, kind: 'results' } }), null);
  assert.equal(dueIntent({ ...table.state, round: { ...round!, turn: null } }), null);
  assert.equal(dueIntent({ ...table.state, round: { ...round!, turn: { seat: 2, hand: 1 } } }), null);
  assert.equal(dueIntent(table.state)?.act, 'hit');
});

test('each player has their own decision noted ahead; one that was dropped shows until the hand changes', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000, 2: 10_000, 3: 10_000 });
  table.draw('9S 5H 8D 6C 7S 6D 8H');
  while (table.state.phase === 'offers') table.wait();
  assert.equal(note(table, 2, 'surrender'), null);
  assert.equal(note(table, 3, 'split'), null);
  assert.deepEqual(
    [2, 3].map((by) => intentOf(table.state, by)?.act),
    ['surrender', 'split'],
  );
  assert.equal(intentOf(table.state, 1), undefined);
  table.act(1, 'hit');
  table.draw('2C');
  table.act(1, 'stand');
  table.must({ type: 'take-intent' });
  assert.equal(intentOf(table.state, 2)?.dropped?.code, 'too-late');
  assert.equal(dueIntent(table.state), null, 'it is not said again');
  assert.equal(note(table, 2, null)?.code, 'nothing-to-do', 'there is nothing to take back');
  table.act(2, 'hit');
  table.draw('3C');
  assert.deepEqual(table.state.round?.turn, { seat: 2, hand: 0 });
  assert.equal(intentOf(table.state, 2), undefined, 'another hand');

  const other = TestTable.ready();
  other.bets({ 1: 10_000, 2: 10_000, 3: 10_000 });
  other.draw('9S 5H 8D 6C 7S 6D 8H');
  while (other.state.phase === 'offers') other.wait();
  note(other, 2, 'surrender');
  other.act(1, 'hit');
  other.draw('2C');
  other.act(1, 'stand');
  other.must({ type: 'take-intent' });
  const { round } = other.state;
  const at = (seat: number, hand: number) =>
    intentOf({ ...other.state, round: { ...round!, turn: { seat, hand } } }, 2);
  assert.deepEqual([at(2, 0)?.by, at(3, 0), at(2, 1)], [2, undefined, undefined]);
});
