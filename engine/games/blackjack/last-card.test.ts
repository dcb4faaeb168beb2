/** Up to where the card dealt last can be taken back, one condition of the answer at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, TestTable } from '../../../test/support/table-kit.ts';
import { cardName } from '../../core/cards.ts';
import type { OptionValue } from '../../table/profile.ts';

type Options = Readonly<Record<string, OptionValue>>;
const takeBack = (table: TestTable): string | null =>
  table.try({ type: 'take-back-card', person: DEALER })?.code ?? null;
const swap = (table: TestTable, fromSeat: number, toSeat: number): string | null =>
  table.try({ type: 'assign-card', fromSeat, toSeat, place: 2, person: DEALER })?.code ?? null;
const lastTaken = (table: TestTable): string => {
  const taken = table.events.findLast(({ type }) => type === 'card-taken-back');
  return taken?.type === 'card-taken-back' ? `${cardName(taken.card)} ${taken.seat} ${taken.hand}` : '';
};

/** Main bets on these seats, `side` bets of seat 1, the first cards, and nobody has said a word. */
function dealt(
  cards: string,
  { options = {}, seats = [1], side = [] }: { options?: Options; seats?: number[]; side?: string[] } = {},
): TestTable {
  const table = TestTable.ready(options);
  table.open();
  for (const seat of seats) table.bet(seat, 10_000);
  for (const bet of side) table.bet(1, 1_000, 1, bet);
  table.must({ type: 'close-betting' });
  table.draw(cards);
  if (table.state.phase === 'offers') table.wait();
  return table;
}

test('art. 5.1.1 the first card of the game is valid where the house has it so; the next one, and the first of a later round, are not', () => {
  for (const exposedFirstCardValid of [true, false]) {
    const table = TestTable.ready({ cardSource: 'autoShuffler', exposedFirstCardValid });
    // As at a table where nothing is burnt before.
    for (const { shoe } of [table.state, table.replayed]) shoe.drawn = 0;
    table.bets({ 1: 10_000 });
    table.draw('TS');
    assert.equal(takeBack(table), exposedFirstCardValid ? 'not-allowed' : null);
    if (!exposedFirstCardValid) continue;
    table.draw('9H');
    assert.equal(takeBack(table), null, 'the bank’s');
    table.draw('9H 8D');
    if (table.state.phase === 'offers') table.wait();
    table.act(1, 'stand');
    table.draw('8C');
    table.close();
    table.bets({ 1: 10_000 });
    table.draw('TS');
    assert.deepEqual([table.state.shoe.rounds, table.state.shoe.drawn], [2, 1]);
    assert.equal(takeBack(table), null, 'of the second round');
  }
});

test('art. 5.1.1 in the turns the last card of the deal, until the first word', () => {
  const untouched = dealt('2S 3S 4S 5S 6S', { seats: [1, 2] });
  assert.equal(untouched.state.phase, 'turns');
  assert.equal(takeBack(untouched), null);
  assert.equal(lastTaken(untouched), '6S 2 0');
  const stood = dealt('2S 3S 4S 5S 6S', { seats: [1, 2] });
  stood.act(1, 'stand');
  assert.equal(takeBack(stood), 'too-late');
  const split = dealt('8S 3S 4S 8D 6S', { seats: [1, 2] });
  split.act(1, 'split');
  assert.equal(takeBack(split), 'too-late');
  const resplit = dealt('8S 9H 8D');
  resplit.act(1, 'split');
  resplit.draw('5C');
  resplit.act(1, 'hit');
  resplit.draw('KC 8C');
  resplit.act(1, 'split', { hand: 1 });
  assert.equal(takeBack(resplit), 'too-late', 'a second split, by a hand that is not the first');
});

test('arts. 13.1.2, 13.2.2 only a bet of this seat that this very card decides', () => {
  const other = dealt('5S 6S 9H 5D 6D', { seats: [1, 2], side: ['sevens'] });
  other.act(1, 'stand');
  other.act(2, 'hit');
  other.draw('2C');
  assert.equal(takeBack(other), null, 'the sevens of seat 1');
  const fourth = dealt('2S 9H 3D', { side: ['sevens'] });
  fourth.act(1, 'hit');
  fourth.draw('2C');
  assert.equal(takeBack(fourth), 'too-late', 'the third card');
  fourth.act(1, 'hit');
  fourth.draw('3C');
  assert.equal(takeBack(fourth), null, 'the fourth one');
  const pair = dealt('8S 9H 8D', { side: ['anyPair'] });
  pair.act(1, 'split');
  pair.draw('5C');
  assert.equal(takeBack(pair), 'too-late', 'the pair of a split hand');
  pair.act(1, 'hit');
  pair.draw('2C');
  assert.equal(takeBack(pair), null);
  const sevens = dealt('7S 9H 7D', { side: ['anyPair'] });
  sevens.act(1, 'hit');
  sevens.draw('2C');
  assert.equal(takeBack(sevens), null, 'a pair is decided by the first two cards');
});

test('art. 5.1.1 before the bank’s second card: what closed the last hand, past blackjacks and early surrenders', () => {
  const past = dealt('TS AS 9H 6D KD', { seats: [1, 2] });
  past.act(1, 'hit');
  past.draw('KC');
  assert.equal(past.state.phase, 'bank');
  assert.equal(takeBack(past), null, 'past the blackjack of seat 2');
  assert.equal(lastTaken(past), 'KC 1 0');

  const early = TestTable.ready();
  early.bets({ 1: 10_000, 2: 10_000 });
  early.draw('TS TH 9H 6D 6S');
  early.act(2, 'surrender');
  early.wait();
  early.act(1, 'hit');
  early.draw('KC');
  assert.equal(early.state.phase, 'bank');
  assert.equal(takeBack(early), null, 'past a surrender that was said before');

  const own = dealt('TS TH 9H 6D 6S', { seats: [1, 2], options: { surrenderWindow: 'beforeOwnCard' } });
  own.act(1, 'hit');
  own.draw('KC');
  own.act(2, 'surrender');
  assert.equal(takeBack(own), 'too-late', 'a surrender in its turn is a word');

  const all = TestTable.ready();
  all.bets({ 1: 10_000 });
  all.draw('TS 9H 6D');
  all.act(1, 'surrender');
  assert.equal(all.state.phase, 'bank');
  assert.equal(takeBack(all), 'too-late', 'nobody has a card that came after');

  const stood = dealt('TS 9H 8D');
  stood.act(1, 'stand');
  assert.equal(takeBack(stood), 'too-late');

  const hole = dealt('5S TH 6D 6C', { options: { dealing: 'holeCard' } });
  hole.act(1, 'hit');
  hole.draw('TC');
  assert.deepEqual([hole.state.phase, hole.bank], ['bank', 'TH 6C']);
  assert.equal(takeBack(hole), 'too-late', 'the hole card is turned');
});

test('art. 5.1.2 doubled cards are exchanged while nobody can decide on them any more', () => {
  const doubled = (table: TestTable): TestTable => {
    table.act(1, 'double');
    table.draw('KC');
    table.act(2, 'double');
    table.draw('5C');
    return table;
  };
  const three = 'TS 6H 9S 9H 2D 3D 8C';
  const inTurns = doubled(dealt(three, { seats: [1, 2, 3] }));
  assert.equal(inTurns.state.phase, 'turns');
  assert.equal(swap(inTurns, 1, 2), null);
  assert.equal(swap(inTurns, 2, 3), 'too-late', 'seat 3 has doubled nothing');
  assert.equal(swap(inTurns, 3, 2), 'too-late');

  const two = 'TS 6H 9H 2D 3D';
  for (const dealerPlaysOut of ['always', 'ifNeeded']) {
    const atBank = doubled(dealt(two, { seats: [1, 2], options: { dealerPlaysOut } }));
    assert.equal(atBank.state.phase, 'bank');
    assert.equal(swap(atBank, 1, 2), dealerPlaysOut === 'always' ? null : 'too-late', dealerPlaysOut);
    atBank.draw('8S');
    assert.notEqual(atBank.state.phase, 'bank');
    assert.equal(swap(atBank, 1, 2), 'too-late', 'it is settled');
  }

  const waiting = dealt(two, { seats: [1, 2] });
  waiting.act(1, 'double');
  waiting.draw('KC');
  waiting.act(2, 'double');
  assert.equal(swap(waiting, 1, 2), 'too-late', 'the card of seat 2 is still to come');

  const split = dealt('8S 6H 9H 8D 3D', { seats: [1, 2] });
  split.act(1, 'split');
  split.draw('3C');
  split.act(1, 'double');
  split.draw('KC TC');
  split.act(1, 'stand', { hand: 1 });
  split.act(2, 'double');
  split.draw('5C');
  assert.equal(swap(split, 1, 2), 'too-late', 'seat 1 has two hands');

  const decided = doubled(dealt(two, { seats: [1, 2], side: ['sevens'] }));
  assert.equal(swap(decided, 1, 2), 'too-late', 'the sevens of seat 1 are decided');
});
