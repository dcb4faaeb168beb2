/**
 * Black Jack 57/2009 as a table of cases, in the words of `play`. Result: `seat.hand bet outcome
 * net articles`, `seat<bettor` for a bet behind. Bets are 1,000 on each seat named.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Options, play } from '../../../test/support/spoken-round.ts';
import { TestTable } from '../../../test/support/table-kit.ts';
import type { Act } from '../../table/inputs.ts';

/** article and rule · script · lines · options */
const CASES: readonly (readonly [string, string, readonly string[], Options?])[] = [
  ['art. 9 more points win one to one', 'TS 9H 9D wait 1:stand 8C', ['1.0 main win 1000 art.9']],
  ['art. 9 fewer points lose', 'TS TH 8D wait 1:stand 9C', ['1.0 main lose -1000 art.9']],
  [
    'art. 7.2 a bust loses even if the bank busts',
    'TS 6H 6D wait 1:hit KC TC 9C',
    ['1.0 main bust -1000 art.7.2'],
  ],
  [
    'art. 6.1 the bank draws at 16 and its bust pays every open hand',
    'TS 6H 3D wait 1:stand TC KD',
    ['1.0 main win 1000 art.9 art.7.2'],
  ],
  [
    'art. 6.6 six and ace is soft 17: the bank draws',
    'TS 6H 8D wait 1:stand AC KD',
    ['1.0 main win 1000 art.9'],
  ],
  [
    'art. 6.6 ace, two and four hold no six: the bank stands on 17',
    'TS AH 8D wait 1:stand 2C 4D',
    ['1.0 main win 1000 art.9'],
  ],
  ['art. 10.2 blackjack pays three to two', 'AS 9H KD TC', ['1.0 main blackjack 1500 art.10.2']],
  [
    'art. 10.3 even money closes a blackjack at one to one',
    'AS TH KD 1:evenMoney AC',
    ['1.0 main even-money 1000 art.10.3'],
  ],
  [
    'art. 10.4 21 in three cards pays one to one',
    '5S 9H 6D wait 1:hit TC TD',
    ['1.0 main win 1000 art.10.4'],
  ],
  [
    'art. 10.5 blackjack beats a bank 21 in three cards',
    'AS 9H KD 2C TD',
    ['1.0 main blackjack 1500 art.10.5'],
  ],
  [
    'art. 10.6 a bank blackjack beats 21 in three cards',
    '5S TH 6D wait 1:hit TC AC',
    ['1.0 main lose -1000 art.10.6'],
  ],
  [
    'art. 10.6 a split ace and ten is 21, no blackjack',
    'AS 9H AD wait 1:split KC 5C TD',
    ['1.0 main win 1000 art.10.6', '1.1 main lose -1000 art.9'],
  ],
  [
    'art. 10.7 the bank offers, the player takes: the original only',
    '5S KH 6D wait 1:double TC AC 1:loseOriginalOnly',
    ['1.0 main original-only -1000 art.10.7'],
    { doubleOn: ['eleven'], elevenVsDealerBlackjack: 'offer' },
  ],
  [
    'art. 10.7 the offer is not taken: everything is lost',
    '5S KH 6D wait 1:double TC AC wait',
    ['1.0 main lose -2000 art.12.2 art.17.3'],
    { doubleOn: ['eleven'], elevenVsDealerBlackjack: 'offer' },
  ],
  ['art. 11.1.1 two blackjacks tie', 'AS KH QD wait AC', ['1.0 main push 0 art.11.1.1']],
  ['art. 11.1.2 equal points tie', 'TS 9H 9D wait 1:stand TC', ['1.0 main push 0 art.11.1.2']],
  [
    'art. 12.2 insurance pays two to one with a bank blackjack',
    'TS AH 9D 1:insure=500 1:stand KC',
    ['1.0 main lose -1000 art.12.2', '1 insurance win 1000 art.12.2'],
  ],
  [
    'art. 12.3 insurance is lost without one',
    'TS AH 9D 1:insure=1000 1:stand 8C',
    ['1.0 main push 0 art.11.1.2', '1 insurance lose -1000 art.12.3'],
  ],
  [
    'art. 15 six, seven and eight of one suit: three times the bet beside the result',
    '6S 9H 7S wait 1:hit 8S TD',
    ['1.0 main win 1000 art.10.4', '1.0 specialPrize special-prize 3000 art.15'],
  ],
  [
    'art. 15 three sevens of any suits, ace up, bank blackjack: the prize stands',
    '7S AH 7D wait 1:hit 7C KC',
    ['1.0 main lose -1000 art.10.6', '1.0 specialPrize special-prize 3000 art.15'],
  ],
  [
    'art. 15 read as closing the hand: the bet comes back with the prize',
    '6S 9H 7S wait 1:hit 8S TD',
    ['1.0 main closed-by-prize 0 art.15', '1.0 specialPrize special-prize 3000 art.15'],
    { specialPrizeMode: 'closesHand' },
  ],
  [
    'art. 15 each split hand qualifies by itself',
    '7S 9H 7D wait 1:split 7C 1:stand 7H 1.1:hit 7S TD',
    ['1.0 main lose -1000 art.9', '1.1 main win 1000 art.10.4', '1.1 specialPrize special-prize 3000 art.15'],
  ],
  [
    'art. 16.2 each split hand carries the initial bet',
    '8S 6H 8D wait 1:split 6C 1:hit TC 9C 1.1:stand TD KH',
    ['1.0 main bust -1000 art.7.2', '1.1 main win 1000 art.9 art.7.2'],
  ],
  [
    'art. 16.6 a split seat loses only its original bet to a bank blackjack',
    '8S KH 8D wait 1:split TC 1:stand 9C 1.1:stand AC',
    ['1.0 main original-only -1000 art.16.6', '1.1 main returned 0 art.16.6'],
  ],
  [
    'art. 16.6 and art. 17.3 split and doubled together: one original for the seat',
    '8S KH 8D wait 1:split 3C 1:double TD 9C 1.1:stand AC',
    ['1.0 main original-only -1000 art.16.6', '1.1 main returned 0 art.16.6'],
  ],
  [
    'art. 17.1 a double takes exactly one card',
    '5S 9H 6D wait 1:double TC TD',
    ['1.0 main win 2000 art.10.4'],
  ],
  [
    'art. 17.3 a doubled bet loses only the original to a bank blackjack',
    '5S KH 6D wait 1:double TC AC',
    ['1.0 main original-only -1000 art.17.3'],
  ],
  [
    'art. 17.3 a doubled hand that busts loses no more than the original either',
    '6S KH 6D wait 1:double TC AC',
    ['1.0 main original-only -1000 art.17.3'],
  ],
  [
    'art. 7.2 in the other reading the busted double is lost whole',
    '6S KH 6D wait 1:double TC AC',
    ['1.0 main bust -2000 art.7.2'],
    { bustedVsDealerBlackjack: 'bustsLost' },
  ],
  ['art. 18.1 surrender loses half', 'TS 9H 6D 1:surrender TC', ['1.0 main surrender -500 art.18.1']],
  [
    'art. 18.2 surrender stands against a bank blackjack found later',
    'TS KH 6D 1:surrender AC',
    ['1.0 main surrender -500 art.18.1'],
  ],
  [
    'art. 19.1 five cards not over 21 may be paid half',
    '2S TH 3D wait 1:hit 2C 1:hit 4C 1:hit 5C 1:fiveCardHalf 9C',
    ['1.0 main five-card-half 500 art.19.1'],
  ],
  [
    'art. 19.2 five cards played on',
    '2S TH 3D wait 1:hit 2C 1:hit 4C 1:hit 5C 1:stand 9C',
    ['1.0 main lose -1000 art.9'],
  ],
];

for (const [title, script, lines, options] of CASES) {
  test(title, () => {
    const table = play(script, options);
    assert.deepEqual(table.lines, lines);
    table.checkReplay();
    const net = (table.state.round?.lines ?? []).reduce((sum, line) => sum + line.netMinor, 0);
    assert.equal(table.credit(1), 100_000 + net);
  });
}

/** article and rule · script up to the act · act that is refused · code and article · options */
const REFUSALS: readonly (readonly [string, string, Act, string, Options?])[] = [
  ['art. 6.3 no decision out of turn', 'TS 5S 9H 2D 6D wait', 'hit', 'not-your-turn art.6.3'],
  ['art. 6.4.1 no card on a blackjack', 'TS AS 9H 2D KD wait', 'hit', 'not-allowed art.6.4.1'],
  ['art. 10.3 no even money against a nine', 'TS AS 9H 2D KD wait', 'evenMoney', 'not-allowed art.10.3'],
  ['art. 12.1 no insurance without an ace up', 'TS 9S KH 2D 9D', 'insure', 'not-allowed art.12.1'],
  ['art. 18.1 no surrender against an ace', 'TS 9S AH 2D 6D', 'surrender', 'not-allowed art.18.1'],
  [
    'art. 18.2 no surrender after any additional card',
    'TS 9S KH 2D 6D wait 1:hit 2C',
    'surrender',
    'too-late art.18.2',
  ],
  [
    'art. 21.2 no surrender where the house has waived it',
    'TS 9S KH 2D 6D',
    'surrender',
    'off art.21.2',
    { surrender: false },
  ],
  ['art. 16.1 jack and queen are no pair', 'TS JS 9H 2D QD wait 1:stand', 'split', 'not-allowed art.16.1'],
  [
    'art. 17.1 no double outside the enabled modality',
    'TS 5S 9H 2D 4D wait 1:stand',
    'double',
    'off art.17.1',
    { doubleOn: ['eleven'] },
  ],
  [
    'art. 19.1 four cards are not five',
    'TS 2S 9H 2D 3D wait 1:stand 2:hit 2C 2:hit 3C',
    'fiveCardHalf',
    'not-allowed art.19.1',
  ],
  ['art. 20.1 only the decider speaks for the seat', 'TS 5S 9H 2D 6D wait', 'stand', 'not-your-turn art.6.3'],
];

for (const [title, script, act, refusal, options] of REFUSALS) {
  test(title, () => {
    const table = play(script, options, { 1: 1_000, 2: 1_000 });
    const before = JSON.stringify(table.state);
    const refused = table.tryAct(2, act, act === 'insure' ? { amount: 500 } : {});
    assert.equal(`${refused?.code} ${refused?.cites.join(' ')}`, refusal);
    assert.equal(JSON.stringify(table.state), before, 'a refusal changes nothing');
  });
}

test('art. 5.1 cards go one at a time from the left, the bank after the last seat of the first pass', () => {
  const table = play('2S 3S 4S KH 5S 6S 7S', {}, { 2: 1_000, 4: 1_000, 7: 1_000 });
  assert.deepEqual(
    table.state.round?.seats.map((seat) => [seat.seat, seat.hands[0]?.cards]),
    [
      [2, [1, 4]],
      [4, [2, 5]],
      [7, [3, 6]],
    ],
  );
  assert.equal(table.bank, 'KH');
});

test('art. 16.5 a further split declined once is declined for the round', () => {
  const table = play('8S 6H 8D wait 1:split 8C 1:hit TC 8H');
  const refused = table.tryAct(1, 'split', { hand: 1 });
  assert.equal(refused?.code, 'not-allowed');
  assert.deepEqual(refused?.cites, ['art.16.5']);
});

test('art. 16.1 the house limit of hands ends splitting', () => {
  const table = play('8S 6H 8D wait 1:split 8C 1:split 8H 1:split 8S');
  assert.equal(table.tryAct(1, 'split')?.code, 'limit');
});

test('art. 16.3 split aces take one card each; a pair of aces may be split again where the house permits', () => {
  const table = play('AS 9H AD wait 1:split AC');
  assert.equal(table.tryAct(1, 'hit')?.code, 'not-allowed');
  table.act(1, 'split');
  table.draw('KC QC JC TD');
  assert.deepEqual(table.lines, [
    '1.0 main win 1000 art.10.6',
    '1.1 main win 1000 art.10.6',
    '1.2 main win 1000 art.10.6',
  ]);
});

test('art. 6.1 the bank plays out although nobody is left; with ifNeeded it takes no card', () => {
  assert.equal(play('TS 6H 6D wait 1:hit KC TC 5D').bank, '6H TC 5D');
  assert.equal(play('TS 9H 6D wait 1:hit KC', { dealerPlaysOut: 'ifNeeded' }).bank, '9H');
});

test('art. 6.1 with ifNeeded the bank still shows its second card for insurance and for a busted double', () => {
  const insured = play('TS AH 6D 1:insure=500 1:hit KC', { dealerPlaysOut: 'ifNeeded' });
  assert.equal(insured.state.phase, 'bank');
  insured.draw('QC');
  assert.deepEqual(insured.lines, ['1.0 main bust -1000 art.7.2', '1 insurance win 1000 art.12.2']);
  const doubled = play('6S KH 6D wait 1:double TC', { dealerPlaysOut: 'ifNeeded' });
  assert.equal(doubled.state.phase, 'bank');
  doubled.draw('5C');
  assert.deepEqual(doubled.lines, ['1.0 main bust -2000 art.7.2']);
  const beaten = play('6S KH 6D wait 1:double TC AC', { dealerPlaysOut: 'ifNeeded' });
  assert.deepEqual(beaten.lines, ['1.0 main original-only -1000 art.17.3'], 'a blackjack takes less');
});

test('art. 6.1 with ifNeeded the bank takes no card that nobody waits for', () => {
  const ifNeeded = (script: string, options: Options = {}): string[] => {
    const table = play(script, { dealerPlaysOut: 'ifNeeded', ...options });
    return [table.state.phase, table.bank];
  };
  assert.deepEqual(ifNeeded('TS KH 6D wait 1:hit KC'), ['settled', 'KH'], 'a bust that was not doubled');
  assert.deepEqual(ifNeeded('AS 9H KD'), ['settled', '9H'], 'a blackjack that cannot be equalled');
  assert.deepEqual(ifNeeded('AS KH KD wait'), ['bank', 'KH'], 'one that can');
  assert.deepEqual(ifNeeded('AS AH KD 1:evenMoney wait'), ['settled', 'AH'], 'one that is paid as it lies');
  const prizes = '7S KH 7D wait 1:split 7C 1:hit 7H 7S 1.1:hit 7C';
  assert.deepEqual(ifNeeded(prizes, { specialPrizeMode: 'closesHand' }), ['settled', 'KH']);
  const looked = 'TS AH 6D 5C 1:insure=500 1:hit KC';
  const hole = { dealing: 'holeCard', maxHands: 5 };
  assert.deepEqual(ifNeeded(looked, hole), ['settled', 'AH 5C'], 'the look has answered the insurance');
  const answered = play(looked, { dealerPlaysOut: 'ifNeeded', ...hole });
  assert.equal(answered.state.round!.bankHoleDown, true, 'it is not even turned');
});

test('art. 12.1 the house range of the insurance is kept to the last unit', () => {
  const table = play('TS AH 9D', { insuranceMax: '1/2' });
  for (const value of [499, 501, 1_000]) {
    assert.equal(table.tryAct(1, 'insure', { amount: value })?.code, 'out-of-range');
  }
  table.act(1, 'insure', { amount: 500 });
  assert.equal(table.tryAct(1, 'insure', { amount: 500 })?.code, 'not-allowed');
});

test('arts. 12.1, 17, 16 a raise the credit does not cover is refused and changes nothing', () => {
  const table = TestTable.ready({}, {}, 10_000);
  table.bets({ 1: 10_000 });
  table.draw('8S AH 8D');
  assert.equal(table.tryAct(1, 'insure', { amount: 5_000 })?.code, 'no-credit');
  table.act(1, 'playOn');
  assert.equal(table.tryAct(1, 'double')?.code, 'no-credit');
  assert.equal(table.tryAct(1, 'split')?.code, 'no-credit');
  table.act(1, 'stand');
});

test('art. 18.2 an offer passed over stays open until an additional card is out', () => {
  const table = play('TS 9S KH 6D 6C wait', {}, { 1: 1_000, 2: 1_000 });
  table.act(2, 'surrender');
  assert.equal(table.state.round?.turn?.seat, 1);
  table.act(1, 'hit');
  table.draw('2C');
  assert.equal(table.tryAct(1, 'surrender')?.code, 'too-late');
});

test('art. 20.1 seated player, nearest bet or highest bet decides, as the house has authorised', () => {
  const decider = (betsBehind: string, own: number): number | undefined => {
    const table = TestTable.ready({ betsBehind });
    table.open();
    table.bet(1, 2_000, 3);
    table.bet(1, 4_000, 5);
    if (own > 0) table.bet(1, own);
    table.must({ type: 'close-betting' });
    table.draw('TS');
    return table.state.round?.seats[0]?.decider;
  };
  assert.equal(decider('seated', 1_000), 1);
  assert.equal(decider('nearest', 1_000), 1);
  assert.equal(decider('nearest', 0), 3);
  assert.equal(decider('highest', 1_000), 5);
  assert.equal(decider('highest', 4_000), 1);
});

test('art. 20.1 bets behind follow a double; one without credit, or where the house has it so, stays single', () => {
  const doubled = (behindFollows: boolean, credit: number): string[] => {
    const table = TestTable.ready({ behindFollows }, {}, 0);
    table.insert(1, 100_000);
    table.insert(2, credit);
    table.open();
    table.bet(1, 10_000);
    table.bet(1, 10_000, 2);
    table.must({ type: 'close-betting' });
    table.draw('5S 9H 6D');
    table.wait();
    table.act(1, 'double');
    table.draw('TC TD');
    return table.lines;
  };
  assert.deepEqual(doubled(true, 50_000), ['1.0 main win 20000 art.10.4', '1<2.0 main win 20000 art.10.4']);
  assert.deepEqual(doubled(true, 10_000)[1], '1<2.0 main win 10000 art.10.4');
  assert.deepEqual(doubled(false, 50_000)[1], '1<2.0 main win 10000 art.10.4');
});

test('art. 20.1 a bet behind that does not follow a split stays on the first hand', () => {
  const table = TestTable.ready({ behindFollows: false });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 2_000, 2);
  table.must({ type: 'close-betting' });
  table.draw('8S KH 8D');
  table.wait();
  table.act(1, 'split');
  table.draw('TC');
  table.act(1, 'stand');
  table.draw('9C');
  table.act(1, 'stand', { hand: 1 });
  table.draw('AC');
  assert.deepEqual(table.lines, [
    '1.0 main original-only -1000 art.16.6',
    '1.1 main returned 0 art.16.6',
    '1<2.0 main original-only -2000 art.16.6',
  ]);
});

test('art. 5.1.2 a misdealt pair of first cards is put right, blackjacks and offers with it', () => {
  const table = play('AS 5S TH KD 6D', {}, { 1: 1_000, 2: 1_000 });
  assert.equal(table.state.round?.seats[0]?.hands[0]?.status, 'blackjack');
  table.must({
    type: 'assign-card',
    fromSeat: 1,
    toSeat: 2,
    person: { id: 'd1', name: 'Ana', role: 'dealer' },
  });
  assert.equal(table.state.round?.seats[0]?.hands[0]?.status, 'open');
  assert.equal(table.state.round?.seats[1]?.hands[0]?.status, 'blackjack');
  table.act(2, 'evenMoney');
  table.wait();
  table.act(1, 'stand');
  table.draw('7C');
  assert.deepEqual(table.lines, ['1.0 main lose -1000 art.9', '2.0 main even-money 1000 art.10.3']);
});

test('art. 5.1.2 no cards are exchanged that are not there, nor once another seat has called for one', () => {
  const swap = {
    type: 'assign-card',
    fromSeat: 2,
    toSeat: 3,
    person: { id: 'd1', name: 'Ana', role: 'dealer' },
  } as const;
  const bets = { 1: 1_000, 2: 1_000, 3: 1_000 };
  const first = play('TS', {}, bets);
  assert.equal(first.try(swap)?.code, 'not-allowed', 'seats 2 and 3 have no card yet');
  const called = play('2S 5S TH KD 3D 6D 7D wait 1:hit', {}, bets);
  assert.equal(called.try(swap)?.code, 'too-late');
});

test('art. 16.6 a hand already paid its half is not touched: the one loss falls on the next hand', () => {
  const table = play('2S TH 2D wait 1:split 3C 1:hit 4C 1:hit 5C 1:hit 3D 1:fiveCardHalf TC 1.1:stand AC');
  assert.deepEqual(table.lines, [
    '1.0 main five-card-half 500 art.19.1',
    '1.1 main original-only -1000 art.16.6',
  ]);
});

test('art. 12.1 no insurance after even money; even money may follow insurance', () => {
  const table = play('AS AH KD 1:evenMoney');
  assert.deepEqual(table.tryAct(1, 'insure', { amount: 500 })?.cites, ['art.10.3']);
  const both = play('AS AH KD 1:insure=500 1:evenMoney QC');
  assert.deepEqual(both.lines, ['1.0 main even-money 1000 art.10.3', '1 insurance win 1000 art.12.2']);
});

test('art. 10.3 even money stays open until the second card of the bank is out', () => {
  const table = play('AS 9S TH KD 8D wait 2:hit 2C', {}, { 1: 1_000, 2: 1_000 });
  table.act(1, 'evenMoney');
  table.act(2, 'stand');
  table.draw('AC');
  assert.equal(table.lines[0], '1.0 main even-money 1000 art.10.3');
});
