import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { meterValue } from '../../accounting/meter-fold.ts';
import { bettingChoices, nextStep, seatChoices } from '../../engine.ts';
import type { OptionValue } from '../../table/profile.ts';

const ready = (options: Readonly<Record<string, OptionValue>> = {}, credit = 100_000): TestTable =>
  TestTable.ready(options, { rulebook: 'macau-casino-war' }, credit);

test('arts. 4, 7.1, 7.2: the higher card wins even money, the ace is always high, tens are below jacks', () => {
  const table = ready();
  table.bets({ 1: 10_000, 2: 10_000, 3: 10_000, 5: 10_000 });
  table.draw('AS TD 2H KC JH');
  assert.deepEqual(table.lines, [
    '1.0 main win 10000 art.7.1',
    '2.0 main lose -10000 art.7.2',
    '3.0 main lose -10000 art.7.2',
    '5.0 main win 10000 art.7.1',
  ]);
});

test('arts. 5.2, 5.3: one card to each seat from the left, then the croupier', () => {
  const table = ready();
  table.bets({ 6: 10_000, 2: 10_000 });
  const steps: unknown[] = [];
  for (const card of ['9S', '8D', '7H']) {
    steps.push(nextStep(table.state));
    table.draw(card);
  }
  assert.deepEqual(steps, [
    { step: 'draw-for-seat', seat: 2, hand: 0, cites: ['art.5.2'] },
    { step: 'draw-for-seat', seat: 6, hand: 0, cites: ['art.5.2'] },
    { step: 'draw-for-bank', cites: ['art.5.3'] },
  ]);
});

test('arts. 7.1-7.3: the tie bet pays ten to one, then the main bet is returned; else it is lost', () => {
  const table = ready();
  table.open();
  for (const seat of [1, 2, 3]) table.bet(seat, 10_000);
  for (const seat of [1, 2, 3]) table.bet(seat, 2_000, seat, 'tie');
  table.must({ type: 'close-betting' });
  table.draw('9S KD 5C 9H');
  assert.deepEqual(table.lines, [
    '1.0 main push 0 art.7.3',
    '1 tie win 20000 art.7.3',
    '2.0 main win 10000 art.7.1',
    '2 tie lose -2000 art.7.1',
    '3.0 main lose -10000 art.7.2',
    '3 tie lose -2000 art.7.2',
  ]);
});

test('art. 7.4: whoever ties without a tie bet chooses, seat by seat', () => {
  const table = ready();
  table.open();
  for (const seat of [1, 2, 4, 5]) table.bet(seat, 10_000);
  table.bet(1, 2_000, 1, 'tie');
  table.must({ type: 'close-betting' });
  table.draw('9S 9D KC 9C 9H');
  assert.deepEqual(nextStep(table.state), {
    step: 'await-decision',
    seat: 2,
    hand: 0,
    cites: ['art.7.4'],
  });
  const shown = seatChoices(table.state, 2).map(({ act, allowed, amountMinor, cites }) => [
    act,
    allowed,
    amountMinor,
    cites[0],
  ]);
  assert.deepEqual(shown, [
    ['goToWar', true, 10_000, 'art.7.5'],
    ['surrenderWar', true, 5_000, 'art.7.4.1'],
  ]);
  for (const seat of [1, 4, 5]) assert.deepEqual(seatChoices(table.state, seat), []);
  assert.equal(table.tryAct(5, 'goToWar')?.code, 'not-your-turn');
  assert.equal(table.tryAct(4, 'goToWar')?.code, 'not-allowed');
  assert.deepEqual(table.tryAct(1, 'surrenderWar'), {
    ok: false,
    code: 'not-allowed',
    cites: ['art.7.3', 'art.7.4'],
    detail: 'this seat has bet on the tie',
  });
  assert.equal(table.tryAct(2, 'hit')?.code, 'not-allowed');
  assert.equal(table.tryAct(2, 'goToWar', { hand: 1 })?.code, 'not-allowed');
  assert.equal(table.tryAct(2, 'goToWar', { by: 4 })?.code, 'not-decider');
  table.act(2, 'surrenderWar');
  assert.equal(table.tryAct(2, 'goToWar')?.code, 'not-allowed');
  table.act(5, 'surrenderWar');
  assert.deepEqual(table.lines, [
    '1.0 main push 0 art.7.3',
    '1 tie win 20000 art.7.3',
    '2.0 main half-loss -5000 art.7.4.1',
    '4.0 main win 10000 art.7.1',
    '5.0 main half-loss -5000 art.7.4.1',
  ]);
  assert.equal(table.tryAct(5, 'goToWar')?.code, 'round-over');
});

test('art. 7.4: no answer takes no new money', () => {
  const table = ready();
  table.bets({ 1: 10_000 });
  table.draw('9S 9H');
  table.wait();
  assert.deepEqual(table.lines, ['1.0 main half-loss -5000 art.7.4.1']);
});

test('art. 7.5: three cards are burnt, the fourth is the player’s; three more, the next is the croupier’s', () => {
  const table = ready();
  table.bets({ 1: 10_000 });
  table.draw('9S 9H');
  table.act(1, 'goToWar');
  assert.equal(table.credit(1), 80_000);
  const steps: string[] = [];
  for (const card of ['2C', '3D', '4S', 'KD', '5C', '6H', '7S', 'QH']) {
    const step = nextStep(table.state);
    assert.deepEqual(step.cites, ['art.7.5']);
    steps.push(step.step === 'burn' ? `burn ${step.done}/${step.count}` : step.step);
    table.draw(card);
  }
  assert.deepEqual(steps, [
    'burn 0/3',
    'burn 1/3',
    'burn 2/3',
    'draw-for-seat',
    'burn 0/3',
    'burn 1/3',
    'burn 2/3',
    'draw-for-bank',
  ]);
  assert.deepEqual(table.lines, ['1.0 main war-win 10000 art.7.5.1']);
  assert.equal(table.credit(1), 110_000);
  assert.equal(meterValue(table.meters, 'bet_challenge'), 10_000);
  table.close();
  assert.equal(table.state.shoe.discarded, 10);
  table.checkReplay();
});

test('art. 7.5, its own example: with 50 patacas 150 are in play, and who wins them has 50 more than before', () => {
  const PATACAS = 100;
  const table = ready();
  table.bets({ 1: 50 * PATACAS });
  table.draw('9S 9H');
  table.act(1, 'goToWar');
  const paidIn = 100_000 - table.credit(1);
  assert.equal(paidIn, 2 * 50 * PATACAS);
  table.draw('2C 3D 4S KD 5C 6H 7S QH');
  assert.equal(table.credit(1) - (100_000 - paidIn), 150 * PATACAS);
});

test('arts. 7.5.2, 7.5.3: equal again wins two bets, lower loses both', () => {
  const table = ready();
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('9S 9D 9H');
  table.act(1, 'goToWar');
  table.act(3, 'goToWar');
  table.draw('2C 2D 2S 5D 4C 4D 4S 4H 6C 6D 6S 5C');
  assert.deepEqual(table.lines, ['1.0 main war-tie 20000 art.7.5.2', '3.0 main war-lose -20000 art.7.5.3']);
});

test('art. 7.5 with one burn: three before the players’ cards, three before the croupier’s', () => {
  const table = ready({ warBurn: 'once' });
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('9S 9D 9H');
  table.act(1, 'goToWar');
  table.act(3, 'goToWar');
  table.draw('2C 2D 2S KD 5H 4C 4D');
  assert.deepEqual(nextStep(table.state), { step: 'burn', done: 2, count: 3, cites: ['art.7.5'] });
  table.draw('4S TC');
  assert.deepEqual(table.lines, ['1.0 main war-win 10000 art.7.5.1', '3.0 main war-lose -20000 art.7.5.3']);
});

test('art. 7.3 where tie bettors choose too: ten to one and the challenge', () => {
  const table = ready({ tieBettorMain: 'choose' });
  table.open();
  table.bet(1, 10_000);
  table.bet(1, 2_000, 1, 'tie');
  table.must({ type: 'close-betting' });
  table.draw('9S 9H');
  table.act(1, 'goToWar');
  table.draw('2C 3D 4S 2D 5C 6H 7S QH');
  assert.deepEqual(table.lines, ['1.0 main war-lose -20000 art.7.5.3', '1 tie win 20000 art.7.3']);
});

test('art. 7.5: without the money for the challenge only the half loss is open', () => {
  const table = ready({}, 10_000);
  table.bets({ 1: 10_000 });
  table.draw('9S 9H');
  const choices = seatChoices(table.state, 1).map(({ act, allowed, code }) => [act, allowed, code]);
  assert.deepEqual(choices, [
    ['goToWar', false, 'no-credit'],
    ['surrenderWar', true, null],
  ]);
  assert.deepEqual(table.tryAct(1, 'goToWar'), { ok: false, code: 'no-credit', cites: ['art.7.5'] });
  table.act(1, 'surrenderWar');
});

test('bets: a tie bet needs a main bet of the same seat and goes with it; nobody bets on another seat', () => {
  const table = ready();
  table.open();
  assert.deepEqual(table.tryBet(1, 2_000, 1, 'tie'), { ok: false, code: 'no-main', cites: ['art.7.3'] });
  table.bet(1, 10_000);
  table.bet(1, 2_000, 1, 'tie');
  assert.equal(table.tryBet(2, 10_000, 1)?.code, 'not-own-seat');
  assert.equal(table.tryBet(2, 500)?.code, 'step');
  assert.equal(table.tryBet(2, 2_000_000)?.code, 'out-of-range');
  table.must({ type: 'clear-bets', seat: 1, roundId: table.roundId, touchedAtMs: table.atMs });
  assert.deepEqual(table.state.round?.bets, []);
  const without = ready({ tieBet: false });
  without.open();
  without.bet(1, 10_000);
  assert.deepEqual(without.tryBet(1, 2_000, 1, 'tie'), { ok: false, code: 'off', cites: ['art.7.3'] });
  const kinds = bettingChoices(without.state, 1).flatMap(({ act, bet }) =>
    act === 'place-bet' ? [bet] : [],
  );
  assert.deepEqual(kinds, ['main']);
});

test('art. 6: first cards dealt to the wrong seats go to whom they were due, also once a seat is asked', () => {
  const table = ready();
  table.bets({ 1: 10_000, 2: 10_000, 3: 10_000 });
  table.draw('9S KD 4C 9H');
  table.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER });
  assert.deepEqual(nextStep(table.state), { step: 'await-decision', seat: 2, hand: 0, cites: ['art.7.4'] });
  table.act(2, 'goToWar');
  const swap = { type: 'assign-card', fromSeat: 1, toSeat: 3, person: DEALER } as const;
  assert.equal(table.try(swap)?.code, 'too-late');
  table.draw('2C 3D 4S KD 5C 6H 7S QH');
  assert.deepEqual(table.lines, [
    '1.0 main win 10000 art.7.1',
    '2.0 main war-win 10000 art.7.5.1',
    '3.0 main lose -10000 art.7.2',
  ]);
});

test('art. 6: a void round gives back every bet, the raise of the challenge too', () => {
  const table = ready();
  table.open();
  table.bet(1, 10_000);
  table.bet(2, 10_000);
  table.bet(2, 2_000, 2, 'tie');
  table.must({ type: 'close-betting' });
  table.draw('9S KC 9H');
  table.act(1, 'goToWar');
  table.draw('2C 3D');
  table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
  assert.deepEqual(table.lines, ['1.0 main void 0 art.6', '2.0 main void 0 art.6', '2 tie void 0 art.6']);
  assert.equal(table.state.round?.lines?.[0]?.stakeMinor, 20_000);
  assert.deepEqual([table.credit(1), table.credit(2)], [100_000, 100_000]);
});

test('arts. 2.1, 3: nothing is burnt at the start, a card face up is valid, the white card in a war ends the shoe after it', () => {
  const table = ready();
  assert.equal(table.state.shoe.burned, 0);
  table.bets({ 1: 10_000 });
  table.draw('!9S 9H');
  table.act(1, 'goToWar');
  table.draw('2C');
  table.must({ type: 'end-card-out' });
  table.draw('3D 4S KD 5C 6H 7S QH');
  assert.deepEqual(table.lines, ['1.0 main war-win 10000 art.7.5.1']);
  table.close();
  assert.equal(table.state.phase, 'shoe');
});

test('the house may limit the bet on the tie', () => {
  const table = ready({ sideBetMax: 20_000, max: 50_000 });
  table.open();
  table.bet(1, 30_000);
  assert.equal(table.tryBet(1, 21_000, 1, 'tie')?.code, 'out-of-range');
  table.bet(1, 20_000, 1, 'tie');
  assert.equal(table.tryBet(1, 1_000, 1, 'tie')?.code, 'out-of-range');
});

test('a first bet is at least the least of the table, one on top of it a step', () => {
  const panel = (table: TestTable): unknown[] =>
    bettingChoices(table.state, 1).flatMap(({ act, bet, code, amountMinor }) =>
      act === 'place-bet' ? [[bet, code, amountMinor]] : [],
    );
  const table = ready({ min: 8_000 }, 10_000);
  table.open();
  assert.equal(table.tryBet(1, 7_000)?.code, 'out-of-range');
  assert.deepEqual(panel(table), [
    ['main', null, 10_000],
    ['tie', 'no-main', 10_000],
  ]);
  table.bet(1, 8_000);
  assert.deepEqual(panel(table), [
    ['main', null, 2_000],
    ['tie', 'no-credit', 2_000],
  ]);
});
