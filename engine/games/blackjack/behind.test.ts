/**
 * What the panels of several bettors on one seat show: what each may lay there, and which questions
 * are theirs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTable } from '../../../test/support/table-kit.ts';
import { behindChoices, bettingChoices, nextStep, seatChoices } from '../../engine.ts';

/** `kind most` of what may be laid by seat, or the code why nothing may. */
const behind = (table: TestTable, by: number): Record<number, string> =>
  Object.fromEntries(
    behindChoices(table.state, by).map(({ seat, bets, refused }) => [
      seat,
      refused?.code ?? bets.map(({ bet, amountMinor }) => `${bet} ${amountMinor}`).join(' '),
    ]),
  );

/** `seat.hand act`, the closed ones with their code. */
const asked = (table: TestTable, by: number): string[] =>
  seatChoices(table.state, by).map(
    ({ seat, hand, act, code }) => `${seat}.${hand} ${act}${code === null ? '' : `: ${code}`}`,
  );

const TURN = ['hit', 'stand', 'double'];
const turnOf = (table: TestTable, by: number): string[] =>
  seatChoices(table.state, by)
    .filter(({ act }) => TURN.includes(act))
    .map(({ seat, act }) => `${seat} ${act}`);

test('arts. 3.3, 20.1 what a bettor may lay on other seats, and why they may not', () => {
  const table = TestTable.ready(
    {
      min: 1_000,
      max: 50_000,
      step: 1_000,
      betsBehind: 'nearest',
      maxBettorsPerSeat: 2,
      sideBets: ['anyPair'],
    },
    { seatCount: 6 },
    0,
  );
  for (const seat of [1, 2, 3]) for (const note of [10_000, 10_000]) table.insert(seat, note);
  assert.deepEqual(behindChoices(table.state, 1), [], 'no betting window');
  table.open();
  const free = 'main 20000';
  assert.deepEqual(behind(table, 1), { 2: free, 3: free, 4: free, 5: free, 6: free });
  table.bet(2, 1_000);
  table.bet(2, 2_000, 3);
  assert.deepEqual(behind(table, 1), { 2: 'limit', 3: free, 4: free, 5: free, 6: free });
  const [full] = behindChoices(table.state, 1);
  assert.deepEqual(full?.refused, { code: 'limit', cites: ['art.20.1.2'] });
  table.bet(1, 1_000);
  assert.equal(behind(table, 1)[2], 'anyPair 19000', 'art. 13.1');
  assert.equal(behind(table, 3)[2], 'main 18000 anyPair 18000', 'what they have there may grow');
});

test('r.15, r.16 the bet of the holder comes first, the seat has one maximum; a vacant seat is open to all', () => {
  const table = TestTable.ready({ min: 1_000, max: 30_000 }, { rulebook: 'portugal-blackjack' }, 0);
  for (const seat of [1, 2, 5]) table.insert(seat, 50_000);
  table.open();
  assert.deepEqual(behind(table, 1), {
    2: 'no-seat-holder-bet',
    3: 'main 30000',
    4: 'main 30000',
    5: 'no-seat-holder-bet',
    6: 'main 30000',
    7: 'main 30000',
  });
  table.bet(2, 20_000);
  assert.equal(behind(table, 1)[2], 'main 10000');
  table.bet(2, 10_000, 5);
  assert.equal(behind(table, 1)[2], 'limit');
  assert.equal(bettingChoices(table.state, 2).find(({ bet }) => bet === 'main')?.code, 'limit');
});

test('nobody bets on the hand of another where each plays their own card, or there are no hands of seats', () => {
  const war = TestTable.ready({}, { rulebook: 'macau-casino-war' });
  war.open();
  assert.ok(behindChoices(war.state, 1).every(({ refused }) => refused?.code === 'not-own-seat'));
  const baccarat = TestTable.ready({}, { rulebook: 'macau-baccarat' });
  baccarat.open();
  assert.deepEqual(behindChoices(baccarat.state, 1), []);
});

/** Main bets `seat<by amount` in their order; then the first cards. */
function deal(betsBehind: string, bets: string, cards: string): TestTable {
  const table = TestTable.ready({ betsBehind });
  table.open();
  for (const text of bets.split(', ')) {
    const [, seat, by, value] = /^(\d)(?:<(\d))? (\d+)$/.exec(text)!;
    table.bet(Number(seat), Number(value), Number(by ?? seat));
  }
  table.must({ type: 'close-betting' });
  table.draw(cards);
  return table;
}

test('arts. 20.1.1 to 20.1.3 the turn is shown to who decides it, and to nobody else', () => {
  const modalities = [
    ['seated', '1<2 9000, 1 1000, 2 1000', 1],
    ['nearest', '1<2 1000, 1<3 9000, 2 1000', 2],
    ['highest', '1<3 9000, 1 1000, 2 1000', 3],
    // Of two that are as high the one that was laid first lies nearer to the bank.
    ['highest', '1<2 9000, 1<3 9000, 1 1000, 2 1000', 2],
    ['highest', '1<3 9000, 1<2 9000, 1 1000, 2 1000', 3],
  ] as const;
  for (const [modality, bets, decider] of modalities) {
    const table = deal(modality, bets, '5S 9H 8D 6C 9D');
    table.wait();
    assert.equal(table.state.round?.turn?.seat, 1, modality);
    for (const by of [1, 2, 3]) {
      assert.deepEqual(turnOf(table, by), by === decider ? TURN.map((act) => `1 ${act}`) : [], modality);
    }
    const step = { step: 'await-decision', seat: 1, hand: 0, cites: ['art.6.3'] };
    assert.deepEqual(nextStep(table.state), decider === 1 ? step : { ...step, by: decider }, modality);
    table.act(1, 'stand', { by: decider });
    assert.deepEqual(turnOf(table, 2)[0], '2 hit', 'and their own next');
  }
});

test('art. 12.1 every bettor is asked about the insurance of their own bet; art. 18 the decider alone to give up', () => {
  const table = deal('seated', '1 1000, 1<2 3000, 2 2000', '5S 9H AD 6C 9D');
  assert.deepEqual(nextStep(table.state), { step: 'await-offers', seats: [1, 2], cites: ['art.6.5'] });
  assert.deepEqual(asked(table, 2), [
    '2.0 insure',
    '2.0 declineInsurance',
    '2.0 playOn',
    '1.0 insure',
    '1.0 declineInsurance',
    '1.0 playOn',
  ]);
  const [own, other] = seatChoices(table.state, 2).filter(({ act }) => act === 'insure');
  assert.deepEqual([own?.maxMinor, other?.maxMinor], [2_000, 3_000]);
  table.act(1, 'insure', { by: 2, amount: 3_000 });
  table.act(2, 'declineInsurance');
  assert.deepEqual(asked(table, 2), []);
  assert.deepEqual(nextStep(table.state), { step: 'await-offers', seats: [1], cites: ['art.6.5'] });
});

test('art. 10.3 even money is open to a bettor behind on the blackjack of another', () => {
  const table = deal('seated', '1 1000, 1<2 3000', 'AS KH KS');
  assert.deepEqual(asked(table, 2), ['1.0 evenMoney', '1.0 playOn']);
  table.act(1, 'evenMoney', { by: 2 });
  assert.deepEqual(asked(table, 2), []);
  assert.ok(asked(table, 1).includes('1.0 evenMoney'), 'the holder answers for themselves');
});

test('r.28, r.30 the question whether to follow stands in the panel of the bettor behind', () => {
  const table = TestTable.ready({}, { rulebook: 'portugal-blackjack' });
  table.open();
  table.bet(1, 2_000);
  table.bet(1, 1_000, 2);
  table.must({ type: 'close-betting' });
  table.draw('8S TH 8D 7C');
  table.wait();
  assert.deepEqual(asked(table, 2), []);
  table.act(1, 'split');
  assert.deepEqual(asked(table, 2), ['1.0 followSplit', '1.0 playOn']);
  assert.equal(seatChoices(table.state, 2)[0]?.amountMinor, 1_000);
  assert.deepEqual(nextStep(table.state), { step: 'await-offers', seats: [2], cites: ['r.28'] });
  assert.deepEqual(asked(table, 1), [], 'the holder waits');
  table.act(1, 'followSplit', { by: 2 });
  table.draw('3S');
  table.act(1, 'double');
  assert.deepEqual(asked(table, 2), ['1.0 followDouble', '1.0 playOn']);
});

test('r.16 the highest bettor of a vacant seat has its turn in their panel', () => {
  const table = TestTable.ready({}, { rulebook: 'portugal-blackjack' }, 0);
  for (const seat of [1, 2]) table.insert(seat, 50_000);
  table.open();
  table.bet(1, 1_000);
  table.bet(4, 1_000, 1);
  table.bet(4, 2_000, 2);
  table.must({ type: 'close-betting' });
  table.draw('8S TH 9H 8D 7C TD');
  table.wait();
  table.act(1, 'stand');
  assert.deepEqual(turnOf(table, 2), ['4 hit', '4 stand', '4 double']);
  assert.deepEqual(turnOf(table, 1), []);
  assert.equal(table.tryAct(4, 'stand', { by: 1 })?.code, 'not-decider');
  table.act(4, 'stand', { by: 2 });
});
