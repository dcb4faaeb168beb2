/**
 * The bank's card that lies face down: arts. 5.2.1.2 (box) and 5.2.3 (hole card) of the Macau
 * regulations.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, say } from '../../../test/support/spoken-round.ts';
import { TestTable } from '../../../test/support/table-kit.ts';
import { parseCard } from '../../core/cards.ts';
import {
  bettingChoices,
  dealerOptions,
  hiddenAt,
  isCardHidden,
  nextStep,
  seatChoices,
} from '../../engine.ts';

const HOLE = { dealing: 'holeCard' };
const BOX = { dealing: 'faceDown', cardSource: 'box', decks: 1 };
const SHOE_DOWN = { dealing: 'faceDown' };

const types = (table: TestTable, ...wanted: string[]): string[] =>
  table.events.map(({ type }) => type).filter((type) => wanted.includes(type));

test('art. 5.2.3 first pass face up, second pass face down to the bank, the dealer told each time', () => {
  const table = TestTable.ready(HOLE);
  table.bets({ 1: 1_000, 3: 1_000 });
  const told: string[] = [];
  for (const card of ['TS', '9S', '6H', '8D', '8C', 'TC']) {
    const step = nextStep(table.state);
    told.push(
      `${step.step}${'seat' in step ? ` ${step.seat}` : ''}${'faceDown' in step ? ' down' : ''} ${step.cites.join()}`,
    );
    table.draw(card);
  }
  assert.deepEqual(told, [
    'draw-for-seat 1 art.5.2.3.1',
    'draw-for-seat 3 art.5.2.3.1',
    'draw-for-bank art.5.2.3.1',
    'draw-for-seat 1 art.5.2.3.1',
    'draw-for-seat 3 art.5.2.3.1',
    'draw-for-bank down art.5.2.3.2',
  ]);
  assert.equal(isCardHidden(table.state), true);
  say(table, 'wait 1:stand 3:stand');
  assert.equal(isCardHidden(table.state), false);
  assert.deepEqual(types(table, 'hole-card-checked', 'hole-card-turned'), ['hole-card-turned']);
  assert.equal(nextStep(table.state).step, 'draw-for-bank');
  table.draw('5C');
  assert.equal(table.bank, '6H TC 5C');
});

test('art. 5.2.3.3 the look comes after insurance and even money and before surrender', () => {
  const table = play('AS TS 9S AH KD 6D 8D 7C', HOLE, { 1: 1_000, 2: 1_000, 3: 1_000 });
  assert.deepEqual(table.state.round?.offers?.pending, [
    { seat: 1, by: 1 },
    { seat: 2, by: 2 },
    { seat: 3, by: 3 },
  ]);
  assert.equal(table.state.round?.bankLooked, false);
  say(table, '1:evenMoney 2:insure=500');
  assert.equal(table.state.round?.bankLooked, false, 'one answer is still missing');
  say(table, '3:playOn');
  assert.equal(table.state.round?.bankLooked, true);
  assert.equal(table.state.round?.turn?.seat, 2);
  assert.equal(table.tryAct(3, 'insure', { amount: 500 })?.code, 'too-late');
  assert.equal(table.tryAct(1, 'evenMoney')?.code, 'not-allowed', 'taken already');
  say(table, '2:stand 3:stand');
  assert.deepEqual(table.lines, [
    '1.0 main even-money 1000 art.10.3',
    '2.0 main lose -1000 art.9',
    '2 insurance lose -500 art.12.3',
    '3.0 main lose -1000 art.9',
  ]);
});

test('art. 5.2.3.3 with a ten up surrender is offered only after the look', () => {
  const table = play('AS TS KH KD 6D', HOLE, { 1: 1_000, 2: 1_000 });
  table.draw('8C');
  assert.deepEqual(table.state.round?.offers?.pending, [{ seat: 1, by: 1 }], 'even money alone');
  const refused = table.tryAct(2, 'surrender');
  assert.deepEqual([refused?.code, refused?.cites], ['not-due', ['art.5.2.3.3']]);
  say(table, '1:playOn');
  assert.deepEqual(table.state.round?.offers?.pending, [{ seat: 2, by: 2 }], 'and now surrender');
  assert.equal(
    table.tryAct(1, 'evenMoney')?.code,
    'too-late',
    'the look has shown that there is no blackjack',
  );
  say(table, '2:surrender');
  assert.deepEqual(table.lines, ['1.0 main blackjack 1500 art.10.2', '2.0 main surrender -500 art.18.1']);
});

test('art. 5.2.3.4 a blackjack at the look: the bets are collected at once, nobody plays', () => {
  const table = play('AS TS 8S KH KD 6D 8D AC', HOLE, { 1: 1_000, 2: 1_000, 3: 1_000 });
  assert.equal(table.state.phase, 'offers', 'seat 1 may still ask for even money');
  table.wait();
  assert.equal(table.state.phase, 'settled');
  assert.deepEqual(types(table, 'hole-card-checked', 'hole-card-turned', 'round-settled', 'turn-moved'), [
    'hole-card-checked',
    'hole-card-turned',
    'round-settled',
  ]);
  assert.deepEqual(table.lines, [
    '1.0 main push 0 art.11.1.1',
    '2.0 main lose -1000 art.12.2 art.5.2.3.4',
    '3.0 main lose -1000 art.12.2 art.5.2.3.4',
  ]);
  assert.equal(table.tryAct(2, 'surrender')?.code, 'round-over');
});

test('art. 5.2.3.3 neither ace nor ten up: no look, the card is turned after the players', () => {
  const table = play('TS 9H 8D AC wait 1:stand', HOLE);
  assert.deepEqual(types(table, 'hole-card-checked', 'hole-card-turned'), ['hole-card-turned']);
  assert.equal(table.bank, '9H AC');
});

test('before it is turned nothing the terminal says depends on the card that lies face down', () => {
  const asked = (options: Record<string, string | number>, hole: string, script: string): string => {
    const table = play(script.replace('??', hole), options, { 1: 1_000, 2: 1_000 });
    const { state } = table;
    assert.equal(isCardHidden(state), true);
    return JSON.stringify([
      nextStep(state),
      dealerOptions(state),
      state.seats.map(({ seat }) => [seatChoices(state, seat), bettingChoices(state, seat)]),
      state.phase,
      state.deadline,
      state.hold,
    ]);
  };
  // Before the look, and after it where it was no blackjack; with the box there is no look.
  for (const [options, script, holes] of [
    [HOLE, 'AS TS AH KD 6D ??', ['KC', '6C', '9C']],
    [HOLE, 'AS TS KH KD 6D ??', ['AC', '6C', '9C']],
    [HOLE, '9S TS KH 8D 6D ?? wait', ['7C', '6C', '9C']],
    [HOLE, '5S TS 6H 6D 6C ?? wait 1:double TC', ['AC', '6C', 'TD']],
    [BOX, 'TS 5S AH 8D 6D ??', ['KC', '6C', '9C']],
    [BOX, 'TS 5S KH 8D 6D ?? wait 1:hit 2C', ['AC', '6C', '9C']],
  ] as const) {
    const said = holes.map((hole) => asked(options, hole, script));
    assert.equal(new Set(said).size, 1, script);
  }
});

test('a doubtful reading of the card face down holds the table without telling what was read', () => {
  const table = TestTable.ready(HOLE);
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 8D');
  assert.equal(table.tryDraw('AC', null, 20), null);
  assert.equal(table.state.hold?.code, 'doubtful-card');
  assert.equal(table.state.hold?.card, null);
  assert.equal(nextStep(table.state).step, 'resolve-card');
  assert.equal(isCardHidden(table.state), true);
  const person = { id: 'd1', name: 'Ana', role: 'dealer' } as const;
  table.must({ type: 'confirm-card', drawNo: null, card: parseCard('7C')!, person });
  assert.equal(table.state.round?.bankHoleDown, true);
  say(table, 'wait 1:stand TC');
  assert.equal(table.bank, '9H 7C TC');
});

test('art. 5.1.2 first cards can be put right until the bank has looked', () => {
  const person = { id: 'd1', name: 'Ana', role: 'dealer' } as const;
  const swap = { type: 'assign-card', fromSeat: 1, toSeat: 2, person } as const;
  const before = play('AS 5S KH KD 6D 9C', HOLE, { 1: 1_000, 2: 1_000 });
  before.must(swap);
  assert.equal(before.state.round?.seats[1]?.hands[0]?.status, 'blackjack');
  const after = play('9S 5S KH KD 6D 9C', HOLE, { 1: 1_000, 2: 1_000 });
  assert.equal(after.state.round?.bankLooked, true);
  assert.equal(after.try(swap)?.code, 'too-late');
});

test('art. 5.2.3.7 four splits, five hands', () => {
  const table = play('8S 6H 8D TC wait', HOLE);
  for (const card of ['8C', '8H', '8S']) {
    table.act(1, 'split');
    table.draw(card);
  }
  table.act(1, 'split');
  table.draw('8D');
  assert.equal(table.state.round?.seats[0]?.hands.length, 5);
  assert.equal(table.tryAct(1, 'split')?.code, 'limit');
});

test('art. 5.2.3.8 the table total limits what is laid, not what a hand may raise', () => {
  const table = TestTable.ready({ ...HOLE, tableMaxTotal: 3_000 });
  table.open();
  table.bet(1, 2_000);
  const refused = table.tryBet(2, 2_000);
  assert.deepEqual([refused?.code, refused?.cites], ['limit', ['art.5.2.3.8']]);
  const place = bettingChoices(table.state, 2).find(({ act, bet }) => act === 'place-bet' && bet === 'main');
  assert.equal(place?.amountMinor, 1_000);
  table.bet(2, 1_000);
  assert.equal(table.tryBet(3, 100)?.code, 'limit');
  table.must({ type: 'close-betting' });
  say(table, '5S TS 9H 6D 8D 8C wait 1:double');
  assert.deepEqual(table.state.round?.seats[0]?.hands[0]?.stakesMinor, [4_000]);
});

test('art. 5.2.3.8 a bet beside the hand takes of the table total, too', () => {
  const table = TestTable.ready({ ...HOLE, tableMaxTotal: 3_000, sideBets: ['anyPair'] });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 1_000, 1, 'anyPair');
  assert.equal(table.tryBet(2, 2_000)?.code, 'limit');
  table.bet(2, 1_000);
});

test('art. 5.2.1.2 box: the bank has two cards before the players, no look, one round per shuffle', () => {
  const table = play('TS KH 6D AC', BOX);
  assert.equal(table.state.round?.bankHoleDown, true);
  table.act(1, 'surrender');
  // The round goes on to the bank's cards, and no later look takes the surrender back.
  assert.deepEqual(table.lines, ['1.0 main surrender -500 art.18.1']);
  assert.deepEqual(types(table, 'hole-card-checked'), []);
  table.close();
  assert.equal(nextStep(table.state).step, 'load-shoe');
});

test('art. 5.2.1.2 box, ace up: insurance is settled when the card is turned', () => {
  const table = play('TS AH 9D KC 1:insure=500', BOX);
  assert.equal(table.state.phase, 'turns');
  table.act(1, 'stand');
  assert.deepEqual(table.lines, ['1.0 main lose -1000 art.12.2', '1 insurance win 1000 art.12.2']);
});

test('art. 6.1 a card drawn while the hole card lies face down is none of the bank', () => {
  const table = play('TS 9H 8D 8C wait', HOLE);
  table.draw('2C');
  assert.equal(table.state.hold?.code, 'unexpected-card');
  assert.deepEqual(
    dealerOptions(table.state).map(({ option }) => option),
    ['set-card-aside', 'assign-card', 'end-card-out', 'void-round'],
  );
});

test('art. 5.2.1.1 shoe: two cards face down to the seats, the second card of the bank after them', () => {
  const table = play('TS 7H 5D wait', SHOE_DOWN);
  assert.deepEqual(nextStep(table.state).step, 'await-decision');
  table.act(1, 'stand');
  assert.deepEqual(nextStep(table.state), { step: 'draw-for-bank', cites: ['art.5.2.1.1'] });
  assert.deepEqual([...hiddenAt(table.state)], [1], 'the bank has none face down');
});

test('BK-6 where the bank need not play it out, the card stays face down', () => {
  const table = play('TS 6H 6D TC wait 1:hit KC', { ...HOLE, dealerPlaysOut: 'ifNeeded' });
  assert.equal(table.state.phase, 'settled');
  assert.deepEqual(types(table, 'hole-card-turned'), []);
  assert.deepEqual(table.lines, ['1.0 main bust -1000 art.7.2']);
});
