/**
 * Side bets of arts. 13 and 14, card by card; lines as in law.test.ts: `seat bet outcome net
 * articles`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTable } from '../../../test/support/table-kit.ts';
import { seatChoices } from '../../engine.ts';
import type { OptionValue } from '../../table/profile.ts';
import { recompute } from '../../table/settlement.ts';

type Options = Readonly<Record<string, OptionValue>>;

const ALL: Options = {
  sideBets: ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair'],
  sideBetsAtOnce: 'any',
};

/**
 * Main bets of 1,000 on the seats of the side bets, given as `seat<by bet` at 100 each, and the
 * cards and words after them.
 */
function play(bets: readonly string[], script: string, options: Options = {}): TestTable {
  const table = TestTable.ready({ ...ALL, ...options });
  table.open();
  const laid = bets.map((text) => {
    const [, seat, by, bet] = /^(\d)(?:<(\d))? (\w+)$/.exec(text)!;
    return { seat: Number(seat), by: Number(by ?? seat), bet: bet! };
  });
  for (const by of new Set(laid.flatMap(({ seat, by }) => [seat, by]))) table.bet(by, 1_000);
  for (const { seat, by, bet } of laid) table.bet(seat, 100, by, bet);
  table.must({ type: 'close-betting' });
  for (const word of script.split(' ')) {
    if (word === 'wait') table.wait();
    else if (word.includes(':')) {
      const [seat, hand, act] = word.split(/[.:]/);
      table.act(Number(seat), act as never, { hand: Number(hand) });
    } else table.draw(word);
  }
  for (const line of table.state.round?.lines ?? []) {
    assert.equal(recompute(line), line.netMinor, JSON.stringify(line));
    assert.equal(line.returnedMinor, line.stakeMinor + line.netMinor, JSON.stringify(line));
  }
  table.checkReplay();
  return table;
}

const sideLines = (table: TestTable): string[] =>
  table.lines.filter((line) => !line.includes(' main ') && !line.includes(' specialPrize '));

/** article and rule · bet · cards and words · lines · options */
const CASES: readonly (readonly [string, string, string, readonly string[], Options?])[] = [
  [
    'art. 13.1.1 a pair by rank pays eleven to one',
    '1 anyPair',
    'JS 9H JD wait 1.0:stand TC',
    ['1 anyPair win 1100 art.13.1.1 art.14.1'],
  ],
  [
    'art. 13.1.1 jack and queen are no pair',
    '1 anyPair',
    'JS 9H QD wait 1.0:stand TC',
    ['1 anyPair lose -100 art.13.1.1'],
  ],
  [
    'art. 13.1.2 a pair after the split is paid again on the same stake',
    '1 anyPair',
    '8S 9H 8D wait 1.0:split TC 1.0:stand 8C 1.1:stand TD',
    ['1 anyPair win 1100 art.13.1.1 art.14.1', '1 anyPair win 1100 art.13.1.2 art.14.1'],
  ],
  [
    'art. 13.1.2 read as the first pair only',
    '1 anyPair',
    '8S 9H 8D wait 1.0:split TC 1.0:stand 8C 1.1:stand TD',
    ['1 anyPair win 1100 art.13.1.1 art.14.1'],
    { anyPairResplit: 'firstOnly' },
  ],
  [
    'art. 13.2.1 two sevens that stand pay fifty',
    '1 sevens',
    '7S 9H 7D wait 1.0:stand 8C',
    ['1 sevens win 5000 art.13.2.1 art.14.2.1'],
  ],
  [
    'art. 14.2.2 of one suit a hundred and fifty',
    '1 sevens',
    '7S 9H 7S wait 1.0:stand 8C',
    ['1 sevens win 15000 art.13.2.1 art.14.2.2'],
  ],
  [
    'art. 14.2.3 the third after the split pays five hundred and nothing for the two, also when two share a suit',
    '1 sevens',
    '7S 9H 7S wait 1.0:split 7C 1.0:stand TC 1.1:stand TD',
    ['1 sevens win 50000 art.13.2.2 art.14.2.3'],
  ],
  [
    'art. 14.2.4 three of one suit pay five thousand',
    '1 sevens',
    '7S 9H 7S wait 1.0:split 7S 1.0:stand TC 1.1:stand TD',
    ['1 sevens win 500000 art.13.2.2 art.14.2.4'],
  ],
  [
    'art. 13.2.2 a seven on the second hand is not the third card',
    '1 sevens',
    '7S 9H 7D wait 1.0:split TC 1.0:stand 7C 1.1:stand TD',
    ['1 sevens win 5000 art.13.2.1 art.14.2.1'],
  ],
  [
    'art. 13.2.2 a third seven by a hit counts only where the house has it so',
    '1 sevens',
    '7S 9H 7D wait 1.0:hit 7C TD',
    ['1 sevens win 5000 art.13.2.1 art.14.2.1'],
  ],
  [
    'art. 13.2.2 the other reading: a hit seven is the third',
    '1 sevens',
    '7S 9H 7D wait 1.0:hit 7C TD',
    ['1 sevens win 50000 art.13.2.2 art.14.2.3'],
    { sevensThird: 'splitOrHit' },
  ],
  [
    'art. 13.2.2 the other reading: two sevens that stand are no three',
    '1 sevens',
    '7S 9H 7D wait 1.0:stand 8C',
    ['1 sevens win 5000 art.13.2.1 art.14.2.1'],
    { sevensThird: 'splitOrHit' },
  ],
  [
    'art. 13.2.2 the cards after the third decide nothing more',
    '1 sevens',
    '7S 9H 7D wait 1.0:hit 2C 1.0:hit 3C 1.0:stand TD',
    ['1 sevens win 5000 art.13.2.1 art.14.2.1'],
  ],
  [
    'art. 13.2.2 the third card decides, whatever else comes on that hand before the other',
    '1 sevens',
    '7S 9H 7D wait 1.0:split 7C 1.0:hit 2C 1.0:stand TC 1.1:stand TD',
    ['1 sevens win 50000 art.13.2.2 art.14.2.3'],
  ],
  [
    'art. 13.2.2 a further split decides nothing more',
    '1 sevens',
    '7S 9H 7D wait 1.0:split 7C 1.0:split TC 1.0:stand TH 1.1:stand TS 1.2:stand TD',
    ['1 sevens win 50000 art.13.2.2 art.14.2.3'],
  ],
  [
    'art. 13.3 an ace counts one where nothing is said: ten is not over',
    '1 over13',
    '9S 7H AD wait 1.0:stand TC',
    ['1 over13 lose -100 art.13.3'],
  ],
  [
    'art. 13.3 an ace as eleven: twenty is over',
    '1 over13',
    '9S 7H AD wait 1.0:stand TC',
    ['1 over13 win 100 art.13.3 art.14.3'],
    { over13Ace: 'eleven' },
  ],
  [
    'art. 13.2.1 one seven loses',
    '1 sevens',
    '7S 9H TD wait 1.0:stand 8C',
    ['1 sevens lose -100 art.13.2.1'],
  ],
  [
    'art. 13.3 fourteen is over',
    '1 over13',
    '9S 7H 5D wait 1.0:stand TC',
    ['1 over13 win 100 art.13.3 art.14.3'],
  ],
  [
    'art. 13.3 thirteen is not over',
    '1 over13',
    '9S 7H 4D wait 1.0:stand TC',
    ['1 over13 lose -100 art.13.3'],
  ],
  [
    'art. 13.3 thirteen is not under',
    '1 under13',
    '9S 7H 4D wait 1.0:stand TC',
    ['1 under13 lose -100 art.13.3'],
  ],
  ['art. 13.3 an ace counts one', '1 under13', 'AS 7H KD TC', ['1 under13 win 100 art.13.3 art.14.3']],
  [
    'art. 13.3 read with the ace as eleven',
    '1 under13',
    'AS 7H 5D wait 1.0:stand TC',
    ['1 under13 lose -100 art.13.3'],
    { over13Ace: 'eleven' },
  ],
  [
    'art. 13.3 two aces are never 22: with the ace as eleven they are twelve',
    '1 over13',
    'AS 7H AD wait 1.0:stand TC',
    ['1 over13 lose -100 art.13.3'],
    { over13Ace: 'eleven' },
  ],
  [
    'art. 13.3 read as the bettor would have it: over',
    '1 over13',
    'AS 7H 5D wait 1.0:stand TC',
    ['1 over13 win 100 art.13.3 art.14.3'],
    { over13Ace: 'choice' },
  ],
  [
    'art. 13.3 read as the bettor would have it: under',
    '1 under13',
    'AS 7H 5D wait 1.0:stand TC',
    ['1 under13 win 100 art.13.3 art.14.3'],
    { over13Ace: 'choice' },
  ],
  [
    'art. 13.4.1 a pair of two colours is mixed',
    '1 perfectPair',
    '4S 9H 4D wait 1.0:stand TC',
    ['1 perfectPair win 500 art.13.4.1 art.14.4.1'],
  ],
  [
    'art. 13.4.2 hearts and diamonds are one colour',
    '1 perfectPair',
    '4H 9H 4D wait 1.0:stand TC',
    ['1 perfectPair win 1200 art.13.4.2 art.14.4.2'],
  ],
  [
    'art. 13.4.3 one suit is perfect, paid once',
    '1 perfectPair',
    '4C 9H 4C wait 1.0:stand TC',
    ['1 perfectPair win 2500 art.13.4.3 art.14.4.3'],
  ],
  [
    'art. 13.4 no pair loses',
    '1 perfectPair',
    'JS 9H QS wait 1.0:stand TC',
    ['1 perfectPair lose -100 art.13.4'],
  ],
  [
    'art. 18.1 a surrender leaves the side bets',
    '1 sevens',
    '7S TH 7D 1.0:surrender 9C',
    ['1 sevens win 5000 art.13.2.1 art.14.2.1'],
  ],
];
for (const [title, bet, script, lines, options] of CASES) {
  test(title, () => {
    const table = play([bet], script, options);
    assert.equal(table.state.phase, 'settled');
    assert.deepEqual(sideLines(table), lines);
  });
}

test('art. 13.1 any pair on the hand of another player', () => {
  const table = play(['2<1 anyPair'], 'TS 5S 9H 9D 5D wait 1.0:stand 2.0:stand TC');
  assert.deepEqual(sideLines(table), ['2<1 anyPair win 1100 art.13.1.1 art.14.1']);
  assert.equal(table.credit(1), 100_000 + 1_100);
});

test('art. 5.1.2 first cards given to whom they were due decide the side bets again', () => {
  const table = TestTable.ready(ALL);
  table.open();
  table.bet(1, 1_000);
  table.bet(2, 1_000);
  table.bet(1, 100, 1, 'anyPair');
  table.must({ type: 'close-betting' });
  table.draw('8S TS 9H 8D 9D');
  assert.equal(table.state.round?.prizes[0]?.outcome, 'win');
  table.must({
    type: 'assign-card',
    fromSeat: 1,
    toSeat: 2,
    person: { id: 'd1', name: 'Ana', role: 'dealer' },
  });
  assert.deepEqual(
    table.state.round?.prizes.map(({ outcome }) => outcome),
    ['lose'],
  );
});

test('art. 5.1.2 a cancelled round gives every side bet back whole, decided or not', () => {
  const table = play(['1 anyPair', '1 sevens'], '8S 9H 8D wait');
  table.must({
    type: 'void-round',
    reason: 'misdeal',
    person: { id: 's1', name: 'Mei', role: 'supervisor' },
  });
  assert.equal(table.credit(1), 100_000);
  table.close();
});

// ---- art. 13.1.2 read as a new bet on each split hand ----

test('art. 13.1.2 with new bets: each split hand is asked about before its second card, and decided by it', () => {
  const table = play(['1 anyPair'], '8S 9H 8D wait 1.0:split', { anyPairResplit: 'newBet' });
  assert.equal(table.state.phase, 'offers');
  assert.equal(table.tryDraw('TC'), null);
  assert.equal(table.state.hold?.code, 'unexpected-card');
});

test('art. 13.1.2 with new bets: won, lost and passed', () => {
  const table = play(['1 anyPair'], '8S 9H 8D wait 1.0:split', { anyPairResplit: 'newBet' });
  assert.equal(table.tryAct(1, 'betPair', { hand: 1, amount: 300 })?.code, 'not-allowed');
  assert.equal(table.tryAct(1, 'betPair')?.code, 'out-of-range');
  table.act(1, 'betPair', { amount: 300 });
  table.draw('8C');
  assert.equal(table.state.phase, 'turns');
  table.act(1, 'split');
  table.act(1, 'playOn');
  table.draw('TC');
  table.act(1, 'stand');
  table.act(1, 'betPair', { hand: 1, amount: 200 });
  table.draw('KC');
  table.act(1, 'stand', { hand: 1 });
  table.wait();
  table.draw('TD');
  table.act(1, 'stand', { hand: 2 });
  table.draw('TH');
  assert.deepEqual(sideLines(table), [
    '1 anyPair win 1100 art.13.1.1 art.14.1',
    '1 anyPair win 3300 art.13.1.2 art.14.1',
    '1 anyPair lose -200 art.13.1.2',
  ]);
  table.checkReplay();
  table.close();
});

test('art. 13.1.2 a later pair is paid where it lies, and the line of the first has no other base', () => {
  const table = play(
    ['1 anyPair', '2 anyPair'],
    '8S 9S 9H 8D 9D wait 1.0:split 8C 1.0:stand TC 1.1:stand 2.0:stand TD',
  );
  assert.deepEqual(sideLines(table), [
    '1 anyPair win 1100 art.13.1.1 art.14.1',
    '1 anyPair win 1100 art.13.1.2 art.14.1',
    '2 anyPair win 1100 art.13.1.1 art.14.1',
  ]);
  const bases = table.state.round!.lines!.filter(({ bet }) => bet === 'anyPair');
  assert.deepEqual(
    bases.map(({ baseMinor = null }) => baseMinor),
    [null, 100, null],
  );
});

test('nothing is said to be decided where no bet beside was', () => {
  const table = play(['1 over13'], '8S 9H 9D wait 1.0:hit 2C 1.0:stand TD');
  const decided = (t: TestTable): number =>
    t.events.filter(({ type }) => type === 'side-bets-decided').length;
  assert.equal(decided(table), 1);
  const plain = TestTable.ready(ALL);
  plain.bets({ 1: 1_000 });
  plain.draw('8S 9H 9D');
  assert.equal(decided(plain), 0);
});

test('art. 13.1.2 with new bets: whoever has any pair on the seat is asked, and nobody else', () => {
  const newBet = { anyPairResplit: 'newBet' };
  const table = play(['1<2 anyPair', '3 anyPair'], '8S TS 9S 9H 8D 9D 9C wait 1.0:split', newBet);
  assert.deepEqual(table.state.round?.offers?.pending, [{ seat: 1, by: 2 }]);
  assert.equal(table.tryAct(1, 'betPair', { by: 3, amount: 100 })?.code, 'not-allowed');
  assert.deepEqual([pairOf(table, 1), pairOf(table, 3)], ['', '']);
  assert.equal(pairOf(table, 2), 'betPair 1 98900, playOn - -');
  assert.equal(table.tryAct(1, 'playOn', { by: 2, hand: 1 })?.code, 'not-allowed', 'the other hand');
  assert.equal(table.tryAct(1, 'hit')?.code, 'not-your-turn');
  const none = play(['1 over13'], '8S 9H 8D wait 1.0:split', newBet);
  assert.equal(none.state.phase, 'turns');
  assert.equal(none.tryAct(1, 'betPair', { amount: 100 })?.code, 'not-due');
  const two = play(['1 anyPair', '1<2 anyPair'], '8S TS 9H 8D 9D wait 1.0:split', newBet);
  two.act(1, 'betPair', { amount: 100 });
  assert.equal(two.tryAct(1, 'betPair', { amount: 100 })?.code, 'not-allowed', 'answered');
  assert.equal(two.tryAct(2, 'betPair', { by: 2, amount: 100 })?.code, 'not-allowed', 'another seat');
  const each = play(['1 anyPair'], '8S 9H 8D wait 1.0:split');
  assert.equal(each.tryAct(1, 'betPair', { amount: 100 })?.code, 'off');
});

test('art. 13.1.2 with new bets: within the limits, within the credit, within the time', () => {
  const options = { anyPairResplit: 'newBet', sideBetMin: 100, sideBetMax: 500 };
  const asked = (): TestTable => play(['1 anyPair'], '8S 9H 8D wait 1.0:split', options);
  const code = (value: number): string | undefined => asked().tryAct(1, 'betPair', { amount: value })?.code;
  assert.deepEqual([99, 100, 500, 501].map(code), ['out-of-range', undefined, undefined, 'out-of-range']);
  const late = asked();
  const { atMs } = late.state.deadline!;
  late.atMs = atMs + 1;
  assert.equal(late.tryAct(1, 'betPair', { amount: 100 })?.code, 'too-late');
  const open = { ...ALL, anyPairResplit: 'newBet' };
  const poor = TestTable.ready(open, {}, 0);
  poor.insert(1, 10_000);
  poor.open();
  poor.bet(1, 4_000);
  poor.bet(1, 100, 1, 'anyPair');
  poor.must({ type: 'close-betting' });
  poor.draw('8S 9H 8D');
  poor.wait();
  poor.act(1, 'split');
  assert.equal(pairOf(poor, 1), 'betPair 1 1900, playOn - -');
  assert.equal(poor.tryAct(1, 'betPair', { amount: 1_901 })?.code, 'no-credit');
  poor.act(1, 'betPair', { amount: 1_900 });
  poor.draw('8C');
  assert.equal(poor.tryAct(1, 'split')?.code, 'no-credit');
  poor.act(1, 'stand');
  assert.equal(pairOf(poor, 1), 'betPair: no-credit 1 1, playOn - -', 'without credit the one word is left');
  poor.act(1, 'playOn', { hand: 1 });
});

/** The question about a new bet on a panel: `act: code least most`. */
const pairOf = (table: TestTable, by: number): string =>
  seatChoices(table.state, by)
    .filter(({ act }) => act === 'betPair' || act === 'playOn')
    .map(
      ({ act, allowed, code, minMinor, maxMinor }) =>
        `${act}${allowed && code === null ? '' : `: ${code}`} ${minMinor ?? '-'} ${maxMinor ?? '-'}`,
    )
    .join(', ');

test('art. 13.1.2 with new bets: while the table is held nothing can be answered', () => {
  const table = play(['1 anyPair'], '8S 9H 8D wait 1.0:split', { anyPairResplit: 'newBet' });
  table.draw('TC');
  assert.equal(table.state.hold?.code, 'unexpected-card');
  assert.equal(pairOf(table, 1), 'betPair: held 1 97900, playOn: held - -');
});

test('art. 13.1.2 with new bets: a cancelled round gives the new bet back too', () => {
  const table = play(['1 anyPair'], '8S 9H 8D wait 1.0:split', { anyPairResplit: 'newBet' });
  table.act(1, 'betPair', { amount: 300 });
  table.must({
    type: 'void-round',
    reason: 'misdeal',
    person: { id: 's1', name: 'Mei', role: 'supervisor' },
  });
  assert.equal(table.credit(1), 100_000);
});
