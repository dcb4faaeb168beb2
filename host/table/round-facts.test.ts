import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCard } from '../../engine/core/cards.ts';
import { initialState } from '../../engine/engine.ts';
import { read } from '../../reader/read.ts';
import { say } from '../../test/support/spoken-round.ts';
import { amount, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { differencesOf } from '../reading/compare.ts';
import { factsOf, openedAt, questionOf } from './round-facts.ts';

function seated(...seats: readonly number[]): TestTable {
  const table = TestTable.ready({}, { rulebook: 'macau-blackjack-2009' });
  table.bets(Object.fromEntries(seats.map((seat) => [seat, 1_000])));
  return table;
}

/** The card dealt last was another one. */
function misread(table: TestTable, card: string): void {
  table.must({ type: 'doubt-card', person: SUPERVISOR });
  table.must({ type: 'confirm-card', drawNo: null, card: parseCard(card)!, person: SUPERVISOR });
}

/** What the second reader settles otherwise. */
function differing({ events, state }: TestTable): ReturnType<typeof differencesOf> {
  const round = { at: openedAt(initialState()), events };
  const reply = read({ id: 1, ...questionOf(round, state, 'settled') });
  return differencesOf(events, state, 'settled', reply);
}
const net = ({ state }: TestTable): (number | undefined)[] =>
  state.round!.lines!.map(({ netMinor }) => netMinor);

test('even money that was taken after a further card of another seat stands, though that card was misread', () => {
  const table = seated(1, 3);
  say(table, 'TS AC AH 2S KH 1:declineInsurance 3:declineInsurance 3:playOn 1:hit 4D 3:evenMoney');
  misread(table, '5D');
  say(table, '1:stand 3D JD 7D');
  assert.deepEqual(net(table), [-1_000, 1_000]);
  assert.equal(differing(table), null);
});

test('a card that the bank drew on a misread one and gave back is no card of the round', () => {
  const table = seated(1);
  say(table, 'JC 8C 9S wait 1:stand 4H 3S');
  table.must({ type: 'take-back-card', person: SUPERVISOR });
  misread(table, 'QS');
  assert.deepEqual(net(table), [1_000], 'it has 18 and draws no further one');
  assert.equal(differing(table), null);
  assert.deepEqual(
    factsOf(table.events).filter((fact) => 'card' in fact && fact.to === 'bank'),
    ['8C', 'QS'].map((card) => ({ card, to: 'bank' })),
  );
});

test('after an exchange the card that is taken back need not be the one that came last', () => {
  const table = seated(2, 3);
  say(table, '5S 5H 9H TC JC');
  table.must({ type: 'assign-card', fromSeat: 3, toSeat: 2, person: SUPERVISOR });
  table.must({ type: 'take-back-card', person: SUPERVISOR });
  misread(table, '8H');
  say(table, 'TH wait 2:stand 3:stand TD');
  assert.deepEqual(net(table), [-1_000, -1_000]);
  assert.equal(differing(table), null);
});

test('of two cards of one face, exchanged with all first cards, the one that lies there is the misread one', () => {
  const table = seated(1, 3);
  say(table, 'TS KH TH AS AS');
  table.must({ type: 'assign-card', fromSeat: 1, toSeat: 3, person: SUPERVISOR });
  misread(table, 'QH');
  say(table, 'wait 3:stand 9D');
  assert.deepEqual(net(table), [1_500, 1_000], 'a king with an ace, and ten with queen');
  assert.equal(differing(table), null);
});

test('what was answered to a misread first card before another was taken back is answered anew', () => {
  const table = seated(1, 2);
  say(table, 'TS 7S 3C 7C 4S 1:playOn');
  table.must({ type: 'take-back-card', person: SUPERVISOR });
  say(table, '5C');
  table.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, person: SUPERVISOR });
  misread(table, 'AS');
  say(table, 'wait 1:stand 9D 8D');
  assert.equal(differing(table), null);
  assert.deepEqual(net(table), [-1_000, 1_500]);
});

test('art. 13.1.2 nothing more on the pair of a split hand, said after a misread card, is said anew', () => {
  const options = { sideBets: ['anyPair'], anyPairResplit: 'newBet' };
  const table = TestTable.ready(options, { rulebook: 'macau-blackjack-2009' });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 500, 1, 'anyPair');
  table.must({ type: 'close-betting' });
  say(table, '8S 6D 8H wait 1:split 1:playOn 3D 1:double KS 1.1:playOn');
  misread(table, 'JS');
  say(table, '1.1:playOn 2D 1.1:stand TC 5C');
  assert.equal(differing(table), null);
  const passed = factsOf(table.events).filter((fact) => 'act' in fact && fact.act === 'playOn');
  assert.equal(passed.filter((fact) => 'hand' in fact && fact.hand === 1).length, 1);
});

test('what was answered to misread first cards is answered anew', () => {
  const table = seated(1, 2);
  say(table, '9S 8S TH 7S 6S 1:playOn');
  misread(table, '5S');
  say(table, '1:surrender 2:playOn 2:stand 9D');
  assert.deepEqual(net(table), [-500, -1_000]);
  assert.equal(differing(table), null);
  const acts = factsOf(table.events).flatMap((fact) => ('act' in fact ? [`${fact.seat} ${fact.act}`] : []));
  assert.deepEqual(acts, ['1 surrender', '2 playOn', '2 stand']);
});

test('art. 20.1 a bet behind whose owner has no money for the raise stays as it lies', () => {
  const behind = (): TestTable => {
    const table = TestTable.ready(
      { betsBehind: 'nearest', behindFollows: true },
      { rulebook: 'macau-blackjack-2009', notesMinor: [amount(2_500), amount(100_000)] },
      0,
    );
    table.insert(1, 2_500);
    table.insert(2, 100_000);
    table.open();
    table.bet(1, 1_000);
    table.bet(2, 1_000);
    table.bet(2, 1_000, 1);
    table.must({ type: 'close-betting' });
    return table;
  };
  const doubled = behind();
  say(doubled, 'TS 5S 9H TC 6C wait 1:stand 2:double TH TD');
  assert.deepEqual(net(doubled), [1_000, 2_000, 1_000]);
  assert.equal(differing(doubled), null);

  const split = behind();
  say(split, 'TS 8S 9H TC 8C wait 1:stand 2:split TH 2:stand KD 2.1:stand 8D');
  assert.equal(differing(split), null);
  assert.deepEqual(
    split.state.round!.lines!.filter(({ seat }) => seat === 2).map(({ by, hand }) => [by, hand]),
    [
      [2, 0],
      [2, 1],
      [1, 0],
    ],
  );
});
