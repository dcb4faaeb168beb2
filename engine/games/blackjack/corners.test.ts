/**
 * Corners of the articles that a planted bug has shown to be unguarded; words of `play`, results as
 * in law.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Options, play, say } from '../../../test/support/spoken-round.ts';
import { SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { cardName } from '../../core/cards.ts';

const told = (table: TestTable, ...act: Parameters<TestTable['tryAct']>): string => {
  const refused = table.tryAct(...act);
  return refused === null ? 'accepted' : `${refused.code} ${refused.cites.join(' ')}`;
};

test('art. 21.2 where the special prize was left out, three sevens are a 21 like any other', () => {
  const table = play('7S 9H 7D wait 1:hit 7C TD', { specialPrize: false });
  assert.deepEqual(table.lines, ['1.0 main win 1000 art.10.4']);
});

test('art. 16.6 the one loss falls on a hand on which the bettor has money', () => {
  const table = TestTable.ready({ specialPrizeMode: 'closesHand' }, {}, 0);
  table.insert(1, 100_000);
  table.insert(2, 10_000);
  table.insert(2, 10_000);
  table.open();
  table.bet(1, 10_000);
  table.bet(1, 10_000, 2);
  table.must({ type: 'close-betting' });
  // The bet behind follows the first split, for the second one its credit is gone: the second of
  // three hands is not theirs.
  say(table, '7S KH 7D wait 1:split 7C 1:split 8S 1:hit 6S');
  say(table, 'TC 1.1:stand 9C 1.2:stand AC');
  assert.deepEqual(
    table.lines.filter((line) => line.startsWith('1<2')),
    [
      '1<2.0 main closed-by-prize 0 art.15',
      '1<2.2 main original-only -10000 art.16.6',
      '1<2.0 specialPrize special-prize 30000 art.15',
    ],
  );
});

test('arts. 7.2, 16.6 busted split hands wait for the second card where it can make a blackjack', () => {
  const options: Options = { dealerPlaysOut: 'ifNeeded' };
  const waiting = play('8S KH 8D wait 1:split 8C 1:hit KC 9C 1.1:hit KD', options);
  assert.equal(waiting.state.phase, 'bank');
  waiting.draw('AC');
  assert.deepEqual(waiting.lines, ['1.0 main original-only -1000 art.16.6', '1.1 main returned 0 art.16.6']);
  const over = play('8S 9H 8D wait 1:split 8C 1:hit KC 9C 1.1:hit KD', options);
  assert.equal(over.state.phase, 'settled');
});

test('art. 7.2 in 56/2004 a busted double is lost: nothing waits for the second card of the bank', () => {
  const options: Options = { dealerPlaysOut: 'ifNeeded', doubledVsDealerBlackjack: 'offer' };
  const table = play(
    '6S KH 6D wait 1:double TC',
    options,
    { 1: 1_000 },
    { rulebook: 'macau-blackjack-2004' },
  );
  assert.deepEqual(table.lines, ['1.0 main bust -2000 art.7.2']);
});

test('art. 12.1 a fraction of the bet that is no whole unit is neither gone below nor passed', () => {
  const least = play('TS AH 9D', { insuranceMin: '2/3' });
  assert.equal(told(least, 1, 'insure', { amount: 666 }), 'out-of-range art.12.1');
  assert.equal(told(least, 1, 'insure', { amount: 667 }), 'accepted');
  const most = play('TS AH 9D', { insuranceMax: '2/3' });
  assert.equal(told(most, 1, 'insure', { amount: 667 }), 'out-of-range art.12.1');
  assert.equal(told(most, 1, 'insure', { amount: 666 }), 'accepted');
});

test('art. 6.3 the next hand of a split waits for its turn', () => {
  const table = play('8S 6H 8D wait 1:split TC');
  assert.equal(told(table, 1, 'stand', { hand: 1 }), 'not-your-turn art.6.3');
});

test('art. 6.4.2 a doubled hand takes one card, however low, in both regulations', () => {
  for (const rulebook of ['macau-blackjack-2009', 'macau-blackjack-2004'] as const) {
    const table = play('5S TH 4D wait 1:double 2C', {}, { 1: 1_000 }, { rulebook });
    assert.equal(table.state.phase, 'bank', 'eleven is not asked again');
    assert.match(told(table, 1, 'hit'), /^not-/);
    table.draw('7C');
    assert.deepEqual(table.lines, ['1.0 main lose -2000 art.9']);
  }
});

test('art. 19.1 six cards are not five', () => {
  const table = play('2S TH 2D wait 1:hit 2C 1:hit AC 1:hit AD 1:hit 2H');
  assert.equal(told(table, 1, 'fiveCardHalf'), 'not-allowed art.19.1');
});

test('art. 6.4.1 five cards with 21 may be paid half, and take no sixth', () => {
  const table = play('5S TH 2D wait 1:hit 3C 1:hit 4C 1:hit 7D');
  assert.equal(table.state.round?.turn?.seat, 1);
  assert.equal(told(table, 1, 'hit'), 'not-allowed art.6.4.1');
  assert.equal(told(table, 1, 'fiveCardHalf'), 'accepted');
});

test('r.28 who is asked whether they follow a split must still have the money when they answer', () => {
  const table = TestTable.ready({}, { rulebook: 'portugal-blackjack', currency: 'EUR' });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 1_000, 2);
  table.must({ type: 'close-betting' });
  say(table, '8S 9H 8D KC wait 1:split');
  assert.equal(table.state.round?.offers?.kind, 'follow-split');
  table.must({ type: 'request-cash-out', seat: 2, requestId: 'c1' });
  assert.equal(told(table, 1, 'followSplit', { by: 2 }), 'no-credit r.26');
});

test('art. 5.1.2 one card alone is put right: the first for the first, blackjacks with it, and no card that is not there', () => {
  const one = { type: 'assign-card', fromSeat: 1, toSeat: 2, person: SUPERVISOR } as const;
  const table = play('AS 5S TH KD 6D', {}, { 1: 1_000, 2: 1_000 });
  for (const place of [2, -1, 0.5]) assert.equal(table.try({ ...one, place })?.code, 'not-allowed');
  table.must({ ...one, place: 0 });
  const hands = table.state.round!.seats.map(({ hands: [hand] }) => hand!.cards.map(cardName).join(' '));
  assert.deepEqual(hands, ['5S KD', 'AS 6D']);
  assert.equal(table.state.round?.seats[0]?.hands[0]?.status, 'open', 'no blackjack any more');
  table.must({ ...one, place: 1 });
  assert.equal(table.state.round?.seats[1]?.hands[0]?.status, 'blackjack');
  table.checkReplay();

  const dealing = play('AS 5S TH KD', {}, { 1: 1_000, 2: 1_000 });
  assert.equal(dealing.try({ ...one, place: 1 })?.code, 'not-allowed', 'seat 2 has one card');
  dealing.must({ ...one, place: 0 });
  dealing.draw('AD');
  assert.equal(dealing.state.round?.seats[1]?.hands[0]?.cards.length, 2);
  dealing.checkReplay();

  const down = play('AS 5S TH KD 6D', { dealing: 'faceDown' }, { 1: 1_000, 2: 1_000 });
  assert.equal(
    down.try({ ...one, place: 0 })?.code,
    'not-allowed',
    'nobody can see which of the cards it is',
  );
});

test('art. 6.6 the bank draws on a soft 17 of an ace and a six, on any other where the house has it so, and on no hard one', () => {
  const drawn = (cards: string, options: Options): string => {
    const table = play(
      `TS ${cards.split(' ')[0]} 9H wait 1:stand ${cards.split(' ').slice(1).join(' ')}`,
      options,
    );
    return table.state.phase === 'bank' ? 'draws' : 'stands';
  };
  const bank = (cards: string): string =>
    [{}, { soft17: 'aceSix' }, { soft17: 'any' }]
      .map((soft17) => drawn(cards, { dealerHitsSoft17: true, ...soft17 }))
      .concat(drawn(cards, { dealerHitsSoft17: false }))
      .join(' ');
  assert.equal(bank('6H AC'), 'draws draws draws stands');
  assert.equal(bank('3H AC 3D'), 'stands stands draws stands');
  assert.equal(bank('4H 2D AC'), 'stands stands draws stands');
  assert.equal(bank('9H 8D'), 'stands stands stands stands');
  assert.equal(bank('6H TD AC'), 'stands stands stands stands');
});
