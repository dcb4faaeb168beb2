/**
 * What an article pays at once (art. 15; r.21, r.35): credited with its card, and standing in a
 * cancelled round.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, say } from '../../../test/support/spoken-round.ts';
import { amount, SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';

const PT = { rulebook: 'portugal-blackjack', currency: 'EUR' } as const;

function cancel(table: TestTable): void {
  table.must({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
  table.checkReplay();
}

const noticed = (table: TestTable): number[] =>
  table.events.flatMap((event) => (event.type === 'substantial-win-noticed' ? [event.amountMinor] : []));

for (const [name, changes] of [
  ['56/2004', { rulebook: 'macau-blackjack-2004' }],
  ['57/2009', {}],
] as const) {
  test(`art. 15 in ${name}: three sevens are credited with the third card, whatever the hand comes to`, () => {
    const table = play('7S TH 7D wait 1:hit 7C', {}, { 1: 1_000 }, changes);
    assert.equal(table.state.phase, 'bank');
    assert.equal(table.credit(1), 102_000, '99000 and the prize, before the round is over');
    table.draw('AC');
    assert.equal(table.credit(1), 102_000);
    assert.deepEqual(table.lines, [
      '1.0 main lose -1000 art.10.6',
      '1.0 specialPrize special-prize 3000 art.15',
    ]);
    table.checkReplay();
  });
}

test('r.35 so they are in Portugal, while the seat after it still plays', () => {
  const table = play('7S TD TH 7D 5D AC wait 1:hit 7C', {}, { 1: 1_000, 2: 1_000 }, PT);
  assert.equal(table.state.round?.turn?.seat, 2);
  assert.equal(table.credit(1), 102_000);
  say(table, '2:stand');
  assert.deepEqual(table.lines.slice(0, 2), [
    '1.0 main lose -1000 r.20',
    '1.0 specialPrize special-prize 3000 r.35',
  ]);
  assert.equal(table.credit(1), 102_000);
});

test('art. 15 the prize can be played with at once: it pays for a double that the credit could not', () => {
  const table = TestTable.ready({}, {}, 0);
  for (const seat of [1, 2]) table.insert(seat, 10_000);
  table.bets({ 1: 10_000, 2: 10_000 });
  say(table, '7S 5S 9H 7D 6D wait');
  assert.equal(table.tryAct(2, 'double')?.code, 'not-your-turn');
  say(table, '1:hit 7C');
  assert.deepEqual([table.credit(1), table.credit(2)], [30_000, 0]);
  assert.equal(table.tryAct(2, 'double')?.code, 'no-credit', 'it is the prize of another');
});

test('arts. 5.1.2, 15 a cancelled round gives every stake back and takes no prize back', () => {
  const table = play('6S 9S 9H 7S 9D wait 1:hit 8S', {}, { 1: 1_000, 2: 2_000 });
  assert.equal(table.state.round?.turn?.seat, 2);
  cancel(table);
  assert.deepEqual(table.lines, [
    '1.0 main void 0 art.5.1.2',
    '2.0 main void 0 art.5.1.2',
    '1.0 specialPrize special-prize 3000 art.15',
  ]);
  assert.deepEqual([table.credit(1), table.credit(2)], [103_000, 100_000]);
  table.close();
  table.checkReplay();
});

test('art. 15 every bettor on the hand is paid on the own bet, a doubled one on its double; a void changes nothing', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 500, 2);
  table.must({ type: 'close-betting' });
  say(table, '6S 9H 7S wait 1:double 8S');
  assert.deepEqual([table.credit(1), table.credit(2)], [104_000, 102_000]);
  cancel(table);
  assert.deepEqual([table.credit(1), table.credit(2)], [106_000, 103_000]);
});

test('art. 15 read as closing the hand: the prize is paid at once, the stake comes back with the settlement or the void', () => {
  const settled = play('6S 9H 7S wait 1:hit 8S TC', { specialPrizeMode: 'closesHand' });
  assert.equal(settled.credit(1), 103_000);
  const voided = play('6S 9H 7S wait 1:hit 8S', { specialPrizeMode: 'closesHand' });
  assert.equal(voided.credit(1), 102_000);
  cancel(voided);
  assert.equal(voided.credit(1), 103_000);
});

test('r.21 a blackjack the bank cannot equal is credited with the last card of the deal, and its stake with it', () => {
  const table = play('AS TD 7H KS 9D TC', {}, { 1: 1_000, 2: 1_000 }, PT);
  assert.equal(table.state.phase, 'offers');
  assert.equal(table.credit(1), 101_500);
  cancel(table);
  assert.deepEqual(table.lines, ['2.0 main void 0 r.17', '1.0 main blackjack 1500 r.21']);
  assert.deepEqual([table.credit(1), table.credit(2)], [101_500, 100_000]);
});

test('r.21 it is paid once, though cards of others are put right after it; it is collected and cannot be swapped', () => {
  const table = play('AS TD 5S 7H KS 9D 6D TC', {}, { 1: 1_000, 2: 1_000, 3: 1_000 }, PT);
  assert.equal(table.credit(1), 101_500);
  const swap = { type: 'assign-card', person: SUPERVISOR } as const;
  assert.equal(table.try({ ...swap, fromSeat: 1, toSeat: 2 })?.code, 'too-late');
  table.must({ ...swap, fromSeat: 2, toSeat: 3 });
  assert.equal(table.credit(1), 101_500);
  table.wait();
  say(table, '2:hit 8D 2:stand 3:stand');
  assert.deepEqual(table.lines, [
    '1.0 main blackjack 1500 r.21',
    '2.0 main win 1000 r.23',
    '3.0 main win 1000 r.23',
  ]);
  assert.equal(table.credit(1), 101_500);
  table.checkReplay();
});

test('r.21 against an ace or a ten the blackjack waits for the second card', () => {
  const table = play('AS TH KS 9D', {}, { 1: 1_000 }, PT);
  assert.deepEqual(table.lines, ['1.0 main blackjack 1500 r.21']);
  const types = table.events.map(({ type }) => type);
  assert.ok(!types.includes('paid-at-once'));
});

test('a prize above the limit of the machine waits for an attendant at once, and is not paid twice', () => {
  const table = play('7S TH 7D wait 1:hit 7C', {}, { 1: 1_000 }, { handPaidWinMinor: amount(2_000) });
  assert.deepEqual([table.credit(1), noticed(table)], [99_000, [3_000]]);
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'all' });
  assert.equal(table.credit(1), 0, 'the credit may go in the middle of the round');
  table.draw('9C');
  assert.deepEqual(table.lines, ['1.0 main win 1000 art.10.4', '1.0 specialPrize special-prize 3000 art.15']);
  // With both the round has brought 4000: what of it is still to be paid goes the same way, stakes
  // come back.
  assert.deepEqual([table.credit(1), noticed(table)], [1_000, [3_000, 1_000]]);
  assert.equal(table.state.seats[0]?.wins?.length, 2);
  table.checkReplay();
});

test('a prize up to the limit of the machine names no hand-pay', () => {
  const table = play('7S TH 7D wait 1:hit 7C', {}, { 1: 1_000 }, { handPaidWinMinor: amount(3_000) });
  assert.equal(table.credit(1), 102_000);
  const paid = table.events.findLast(({ type }) => type === 'paid-at-once')!;
  assert.ok(!('byHand' in paid));
});

test('a round that is nothing but a paid blackjack is not paid again by hand', () => {
  const table = play('AS 7H KS TC', {}, { 1: 1_000 }, { ...PT, handPaidWinMinor: amount(1_000) });
  assert.deepEqual(table.lines, ['1.0 main blackjack 1500 r.21']);
  assert.deepEqual([table.credit(1), noticed(table)], [100_000, [1_500]]);
});

test('r.32 the ace is bound for whoever has doubled: a bettor behind with a single bet counts it as best it can', () => {
  const table = TestTable.ready({}, PT);
  table.open();
  for (const by of [1, 2, 3]) table.bet(1, 1_000, by);
  table.must({ type: 'close-betting' });
  say(table, 'AS 6H 8D TC wait 1:double 1<2:followDouble 1<3:playOn 2H');
  // Against 18: eleven for who has doubled, twenty-one for who has not.
  say(table, '2D');
  assert.deepEqual(table.lines, [
    '1.0 main lose -2000 r.23 r.32',
    '1<2.0 main lose -2000 r.23 r.32',
    '1<3.0 main win 1000 r.23 r.32',
  ]);
  table.checkReplay();
});

test('r.32 where both readings come to the same the line does not name the rule', () => {
  const table = play('AS 6H 8D TC wait 1:double TD 2D', {}, { 1: 1_000 }, PT);
  assert.deepEqual(table.lines, ['1.0 main win 2000 r.23']);
});
