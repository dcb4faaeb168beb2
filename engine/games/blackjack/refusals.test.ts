/**
 * Why a decision is refused, one condition at a time: each case differs from a lawful one in one
 * thing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, TestTable } from '../../../test/support/table-kit.ts';
import type { Act } from '../../table/inputs.ts';
import type { OptionValue } from '../../table/profile.ts';

type Options = Readonly<Record<string, OptionValue>>;
type More = Parameters<TestTable['tryAct']>[2];

const NOTES = { notesMinor: [1_000, 1_999, 2_000, 10_000, 50_000, 100_000].map(amount) };
const PORTUGAL = { rulebook: 'portugal-blackjack', currency: 'EUR', ...NOTES } as const;
const macau = (options: Options = {}, credit?: number): TestTable => TestTable.ready(options, NOTES, credit);
const portugal = (options: Options = {}, credit?: number): TestTable =>
  TestTable.ready(options, PORTUGAL, credit);

/** Bets as `1 1000, 1<2 1000`, then these cards. */
function deal(t: TestTable, bets: string, cards: string): TestTable {
  t.open();
  for (const text of bets.split(', ')) {
    const [, seat, by = seat, value] = /^(\d)(?:<(\d))? (\d+)$/.exec(text)!;
    t.bet(Number(seat), Number(value), Number(by));
  }
  t.must({ type: 'close-betting' });
  t.draw(cards);
  return t;
}

/** `code article …` of a refusal, `lawful` where there is none. */
function said(t: TestTable, seat: number, act: Act, more?: More): string {
  const refused = t.tryAct(seat, act, more);
  return refused === null ? 'lawful' : [refused.code, ...refused.cites].join(' ');
}

const closed = (t: TestTable): boolean => t.events.some(({ type }) => type === 'resplit-declined');

test('a hand that is not there, a bettor without a bet', () => {
  const t = deal(macau(), '1 1000', 'TS 5H 6D');
  assert.equal(said(t, 1, 'hit', { hand: 1 }), 'not-allowed art.5.1');
  assert.equal(said(t, 2, 'hit'), 'not-allowed art.5.1');
  assert.equal(said(t, 1, 'hit', { by: 2 }), 'not-decider art.20.1');
  const ace = deal(macau(), '1 1000', 'TS AH 6D');
  assert.equal(said(ace, 1, 'insure', { by: 2, amount: 500 }), 'not-decider art.20.1');
});

test('arts. 10.3, 12.1 an answer is one seat’s and one bettor’s: who has given it does not give it again', () => {
  const t = deal(macau({ seatsPerPlayer: null }), '1 1000, 1<2 1000, 2<1 1000, 2 1000', 'TS 9S AH 6D 6H');
  t.act(1, 'playOn');
  assert.equal(said(t, 1, 'playOn'), 'not-allowed', 'asked on seat 2 alone');
  t.act(2, 'playOn', { by: 1 });
  assert.equal(said(t, 2, 'playOn', { by: 1 }), 'not-allowed', 'the holder is still asked');
});

test('art. 10.3 who has taken even money behind insures no more', () => {
  const t = deal(macau(), '1 1000, 1<2 1000', 'AS AH KD');
  t.act(1, 'evenMoney', { by: 2 });
  assert.equal(said(t, 1, 'insure', { by: 2, amount: 500 }), 'not-allowed art.10.3');
});

test('arts. 10.3, 12.1 once the bank has its second card open neither is taken', () => {
  const t = deal(macau(), '1 1000, 2 1000', 'AS TS AH KD 9D');
  t.wait();
  t.act(2, 'stand');
  t.draw('5D');
  assert.equal(said(t, 1, 'evenMoney'), 'too-late art.10.3');
  assert.equal(said(t, 2, 'insure', { amount: 500 }), 'too-late art.12.1');
});

test('art. 12.1, 16.2, 17.1 a credit of just so much is enough', () => {
  const insured = deal(macau({}, 2_000), '1 1000', 'TS AH 6D');
  assert.equal(said(insured, 1, 'insure', { amount: 1_000 }), 'lawful');
  const doubled = deal(macau({}, 2_000), '1 1000', '5S 9H 6D');
  doubled.wait();
  assert.equal(said(doubled, 1, 'double'), 'lawful');
  const poor = deal(macau({}, 1_999), '1 1000', '5S 9H 6D');
  poor.wait();
  assert.equal(said(poor, 1, 'double'), 'no-credit art.16.2');
});

test('art. 18 before one’s own card: neither after it nor out of turn', () => {
  const t = deal(macau({ surrenderWindow: 'beforeOwnCard' }), '1 1000, 2 1000', '2S TS 9H 3D 6D');
  assert.equal(said(t, 2, 'surrender'), 'not-your-turn art.6.3');
  t.act(1, 'hit');
  t.draw('4D');
  assert.equal(said(t, 1, 'surrender'), 'too-late art.18.2');
});

test('art. 18 before any card: not who has stood or asked for one', () => {
  const t = deal(macau(), '1 1000, 2 1000', 'TS TD 9H 6D 6S');
  t.wait();
  t.act(1, 'stand');
  assert.equal(said(t, 1, 'surrender'), 'not-allowed art.18.2');
  t.act(2, 'hit');
  assert.equal(said(t, 2, 'surrender'), 'not-allowed art.18.2');
});

test('art. 10.7 the original only: for a double, once it is offered, each bettor once', () => {
  const options = { doubleOn: ['anyTwo', 'afterSplit'], doubledVsDealerBlackjack: 'offer' };
  const t = TestTable.ready(options, { rulebook: 'macau-blackjack-2004' });
  deal(t, '1 1000, 1<2 1000, 2 1000', '5S TS AH 6D 9D');
  t.wait();
  assert.equal(said(t, 2, 'loseOriginalOnly'), 'not-allowed art.10.7', 'nothing is doubled');
  t.act(1, 'double');
  t.draw('4D');
  t.act(2, 'stand');
  t.draw('TD');
  assert.deepEqual(
    t.state.round!.offers!.pending,
    [
      { seat: 1, by: 1 },
      { seat: 1, by: 2 },
    ],
    'who has doubled',
  );
  t.act(1, 'loseOriginalOnly', { by: 2 });
  assert.equal(
    said(t, 1, 'loseOriginalOnly', { by: 2 }),
    'not-allowed art.10.7',
    'the holder is still asked',
  );
  const two = TestTable.ready(options, { rulebook: 'macau-blackjack-2004' });
  deal(two, '1 1000, 1<2 1000, 2 1000', '5S 5H AH 6D 6H');
  two.wait();
  for (const seat of [1, 2]) {
    two.act(seat, 'double');
    two.draw('4D');
  }
  two.draw('TD');
  two.act(1, 'loseOriginalOnly', { by: 2 });
  const again = said(two, 1, 'loseOriginalOnly', { by: 2 });
  assert.equal(again, 'not-allowed art.10.7', 'the same bettor is still asked on the own seat');
  assert.equal(said(two, 2, 'loseOriginalOnly'), 'lawful');
});

test('art. 6.3 one word for each card; hands that have stood say why', () => {
  const t = deal(macau(), '1 1000, 2 1000', '2S TS 9H 3D 6D');
  t.wait();
  t.act(1, 'hit');
  assert.equal(said(t, 1, 'hit'), 'not-due art.6.3', 'its card is on its way');
  t.draw('4D');
  t.act(1, 'stand');
  assert.equal(said(t, 1, 'hit'), 'not-your-turn art.6.3', 'others have not had theirs');
  t.act(2, 'hit');
  t.draw('KD');
  assert.equal(said(t, 2, 'hit'), 'not-allowed art.7.2', 'gone over 21');
  assert.equal(said(t, 1, 'hit'), 'not-your-turn art.6.3');
  const last = deal(macau(), '1 1000', '8S 9H 8D');
  last.wait();
  last.act(1, 'split');
  last.draw('TD');
  last.act(1, 'stand');
  assert.equal(said(last, 1, 'hit'), 'not-your-turn art.6.3', 'the other hand has not had its turn');
  last.draw('TC');
  last.act(1, 'stand', { hand: 1 });
  assert.equal(said(last, 1, 'hit', { hand: 1 }), 'not-allowed art.6.3', 'the last hand of all');
});

test('art. 17.1 which two cards may be doubled', () => {
  const t = deal(macau({ doubleOn: ['afterSplit'] }), '1 1000', '5S 9H 6D');
  t.wait();
  assert.equal(said(t, 1, 'double'), 'off art.17.1');
  const aces = deal(macau(), '1 1000', 'AS 9H AD');
  aces.wait();
  aces.act(1, 'split');
  aces.draw('AH');
  assert.equal(said(aces, 1, 'double'), 'not-allowed art.17.1.2', 'a pair of aces again, from a split');
});

test('arts. 16.3, 20.1 who may not speak for a closed pair of aces, and why a closed ace is not split', () => {
  const t = deal(macau({ resplitAces: false }), '1 1000, 1<2 1000', 'AS 9H AD');
  t.wait();
  t.act(1, 'split');
  t.draw('AH 5D');
  assert.equal(said(t, 1, 'split', { by: 2 }), 'not-decider art.20.1');
  assert.equal(said(t, 1, 'split'), 'off art.16.3');
  assert.equal(said(t, 1, 'split', { hand: 1 }), 'not-allowed art.6.4.1');
});

test('art. 16.3 a pair of aces that may be split again is split in its turn, and not once it has stood', () => {
  const t = deal(macau({ resplitAces: true }), '1 1000', 'AS 9H AD');
  t.wait();
  t.act(1, 'split');
  t.draw('AH');
  assert.equal(said(t, 1, 'stand'), 'lawful');
  assert.equal(said(t, 1, 'split'), 'not-your-turn art.6.3');
});

test('r.26 two cards of one value are split, of one rank where the house reads it so', () => {
  const value = deal(portugal(), '1 1000', 'TS 9H KD 7C');
  value.wait();
  assert.equal(said(value, 1, 'split'), 'lawful');
  const rank = deal(portugal({ splitBy: 'rank' }), '1 1000', 'TS 9H KD 7C');
  rank.wait();
  assert.equal(said(rank, 1, 'split'), 'not-allowed r.26');
  const other = deal(portugal(), '1 1000', 'TS 9H 9D 7C');
  other.wait();
  assert.equal(said(other, 1, 'split'), 'not-allowed r.26');
  const three = deal(portugal(), '1 1000', '5S 9H 5D 7C');
  three.wait();
  three.act(1, 'hit');
  three.draw('2D');
  assert.equal(said(three, 1, 'split'), 'not-allowed r.26', 'no first cards any more');
});

test('art. 16.5 a further split is declined for good, r.27 is not; aces and who cannot pay have declined nothing', () => {
  const again = (t: TestTable): string => {
    t.wait();
    t.act(1, 'split');
    t.draw('8H');
    t.act(1, 'stand');
    t.draw('8C');
    return said(t, 1, 'split', { hand: 1 });
  };
  assert.equal(again(deal(macau(), '1 1000', '8S 9H 8D')), 'not-allowed art.16.5');
  assert.equal(again(deal(portugal(), '1 1000', '8S 9H 8D 7C')), 'lawful');
  const aces = deal(macau(), '1 1000', 'AS 9H AD');
  aces.wait();
  aces.act(1, 'split');
  aces.draw('AH');
  aces.act(1, 'stand');
  assert.ok(!closed(aces));
  const poor = deal(macau({}, 2_000), '1 1000', '8S 9H 8D');
  poor.wait();
  poor.act(1, 'split');
  poor.draw('8H');
  poor.act(1, 'stand');
  assert.ok(!closed(poor));
});

test('decisions of another law are off', () => {
  const t = deal(portugal(), '1 1000', 'TS 9H 6D 7C');
  t.wait();
  assert.equal(t.tryAct(1, 'fiveCardHalf')?.code, 'off');
  const m = deal(macau(), '1 1000, 1<2 1000', '8S 9H 8D');
  m.wait();
  m.act(1, 'split');
  assert.equal(m.tryAct(1, 'followSplit', { by: 2 })?.code, 'off');
});

test('r.28, r.30 who follows: not the holder, not twice, not without the money, not after the next card', () => {
  const t = portugal({}, 0);
  t.insert(1, 50_000);
  t.insert(2, 2_000);
  t.insert(3, 1_000);
  deal(t, '1 1000, 1<2 1000, 1<3 1000', '8S TH 8D 7C');
  t.wait();
  assert.equal(said(t, 1, 'followSplit', { by: 2 }), 'not-allowed r.28', 'nothing is split');
  t.act(1, 'split');
  assert.equal(said(t, 1, 'followSplit', { by: 3 }), 'no-credit r.28');
  assert.equal(said(t, 1, 'followSplit'), 'not-allowed r.28', 'the holder has');
  t.act(1, 'playOn', { by: 2 });
  t.draw('3S');
  assert.equal(said(t, 1, 'followSplit', { by: 2 }), 'too-late r.28');
  assert.equal(said(t, 1, 'followSplit', { by: 3 }), 'too-late r.28', 'with no money either');
  assert.equal(said(t, 1, 'followSplit'), 'not-allowed r.28', 'the holder decides, early or late');
  t.act(1, 'double');
  assert.equal(said(t, 1, 'hit'), 'not-your-turn r.18', 'others are asked first');
  assert.equal(said(t, 1, 'followDouble', { by: 3 }), 'no-credit r.30');
  t.act(1, 'playOn', { by: 2 });
  assert.equal(said(t, 1, 'followDouble', { by: 2 }), 'not-allowed r.30', 'answered, though there is money');
});

test('art. 16.2, 17.1 a raise behind is for a hand with a bet behind on it', () => {
  const t = macau({ behindFollows: true }, 0);
  t.insert(1, 50_000);
  t.insert(2, 1_000);
  deal(t, '1 1000, 1<2 1000', '8S 9H 8D');
  t.wait();
  t.act(1, 'split');
  t.draw('TD');
  t.act(1, 'stand');
  t.draw('3D');
  t.insert(2, 10_000);
  t.act(1, 'double', { hand: 1 });
  assert.deepEqual(
    t.state.round!.seats[0]!.hands.map(({ stakesMinor }) => stakesMinor),
    [
      [1_000, 1_000],
      [2_000, 0],
    ],
  );
});

test('a decision is of this round, after its first cards, with an amount that is one', () => {
  const t = macau();
  t.open();
  t.bet(1, 1_000);
  assert.equal(said(t, 1, 'hit'), 'not-due');
  t.must({ type: 'close-betting' });
  t.draw('TS AH');
  assert.equal(said(t, 1, 'hit'), 'not-due');
  t.draw('6D');
  for (const value of [0, -500, 500.5])
    assert.equal(said(t, 1, 'insure', { amount: value }), 'malformed', String(value));
  const wish = {
    type: 'decide',
    seat: 1,
    by: 1,
    hand: 0,
    act: 'declineInsurance',
    touchedAtMs: t.atMs,
  } as const;
  assert.equal(t.try({ ...wish, roundId: 'another' })?.code, 'unknown-round');
});

test('art. 6.3 the time of an answer is that of whoever is asked', () => {
  const t = deal(macau(), '1 1000, 2 1000', 'TS AS AH 6D KD');
  const offered = t.state.deadline!.atMs + 1;
  t.atMs = offered;
  assert.equal(said(t, 1, 'declineInsurance', { touchedAtMs: offered }), 'too-late art.6.3');
  t.wait();
  const { atMs } = t.state.deadline!;
  t.atMs = atMs;
  assert.equal(said(t, 1, 'hit', { touchedAtMs: atMs + 1 }), 'too-late art.6.3');
  assert.equal(said(t, 2, 'evenMoney', { touchedAtMs: atMs + 1 }), 'lawful', 'it is not their time');
});

test('after the round a hand that the articles had closed says so, and no other', () => {
  const t = deal(macau(), '1 1000, 2 1000', 'TS TD 9H 6D 8S');
  t.wait();
  t.act(1, 'hit');
  t.draw('KD');
  t.act(2, 'stand');
  t.draw('TC');
  assert.equal(said(t, 1, 'hit'), 'not-allowed art.6.4.1');
  assert.equal(said(t, 2, 'hit'), 'round-over');
  assert.equal(said(t, 3, 'hit'), 'round-over');
  const voided = deal(macau(), '1 1000, 2 1000', 'TS TD 9H 6D 8S');
  voided.wait();
  voided.act(1, 'hit');
  voided.draw('KD');
  const person = { id: 's1', name: 'Mei', role: 'supervisor' } as const;
  voided.must({ type: 'void-round', reason: 'misdeal', person });
  assert.equal(said(voided, 1, 'hit'), 'round-over');
});

test('r.32 an ace is bound where the rule binds it, and no other card is', () => {
  const free = deal(macau(), '1 1000', 'AS 9H 8D');
  free.wait();
  free.act(1, 'double');
  free.draw('2C TD');
  assert.deepEqual(free.lines, ['1.0 main win 2000 art.10.4'], 'art. 8: twenty-one');
  const later = deal(portugal(), '1 1000', '5S 9H 4D TC');
  later.wait();
  later.act(1, 'double');
  later.draw('AC');
  assert.deepEqual(later.lines, ['1.0 main win 2000 r.23'], 'the ace came after the double: twenty');
});

test('art. 6.3, 16.5 silence stands, and declines a further split; so does a double', () => {
  const split = (): TestTable => {
    const t = deal(macau(), '1 1000, 2 1000', '8S TS 9H 8D 9D');
    t.wait();
    t.act(1, 'split');
    t.draw('8H');
    return t;
  };
  const silent = split();
  silent.wait();
  assert.ok(closed(silent));
  silent.draw('8C');
  assert.equal(said(silent, 1, 'split', { hand: 1 }), 'not-allowed art.16.5');
  silent.act(1, 'stand', { hand: 1 });
  silent.wait();
  assert.deepEqual(
    silent.events.flatMap((event) => (event.type === 'hand-stood' ? [[event.seat, event.by]] : [])),
    [
      [1, 1],
      [1, 1],
      [2, 2],
    ],
  );
  const doubled = split();
  doubled.act(1, 'double');
  doubled.draw('2C 8C');
  assert.equal(said(doubled, 1, 'split', { hand: 1 }), 'not-allowed art.16.5');
  const plain = deal(macau(), '1 1000', 'TS 9H 6D');
  plain.wait();
  plain.wait();
  assert.ok(!closed(plain));
});

test('r.15 even money of the holder binds the others, who are named', () => {
  const t = deal(portugal(), '1 1000, 1<2 1000', 'AS AH KD 7C');
  t.act(1, 'evenMoney');
  const taken = t.events.find((event) => event.type === 'even-money-taken');
  assert.deepEqual(taken && 'bound' in taken && taken.bound, [2]);
});

test('art. 10.7, 17.3 the offer on eleven is for doubles on eleven: another double has its own right', () => {
  const options = { doubleOn: ['anyTwo', 'eleven'], elevenVsDealerBlackjack: 'offer' };
  const t = deal(macau(options), '1 1000', '5S AH 4D');
  t.wait();
  t.act(1, 'double');
  t.draw('8C TD');
  assert.equal(t.state.phase, 'settled');
  assert.deepEqual(t.lines, ['1.0 main original-only -1000 art.17.3']);
});
