import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '../../../test/support/spoken-round.ts';
import { ATTENDANT, amount, profileWith, SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { validateOptions } from '../../books.ts';
import { evolve, nextStep } from '../../engine.ts';
import type { TableEvent } from '../../table/events.ts';
import type { OptionValue, TableProfile } from '../../table/profile.ts';
import { jackpotMeter, passJackpotRounds } from './jackpot.ts';

/** A round of seats 1 and 2, each with a bet of 1,000 and a chip of 100, in the words of `play`. */
function played(changes: Readonly<Record<string, OptionValue>>, script: string): TestTable {
  const jackpot = {
    stake: 100,
    increment: '1/2',
    cards: 4,
    pays: [
      { combination: 'A3', share: '1' },
      { combination: 'K2', share: '2/5' },
      { combination: 'A2', share: '1/10' },
    ],
    ...changes,
  };
  const table = TestTable.ready({ jackpot }, { rulebook: 'portugal-blackjack', currency: 'EUR' });
  table.open();
  for (const seat of [1, 2]) {
    table.bet(seat, 1_000);
    table.bet(seat, 100, seat, 'jackpot');
  }
  table.must({ type: 'close-betting' });
  say(table, script);
  return table;
}

const chips = (table: TestTable): string[] => table.lines.filter((line) => line.includes('jackpot'));
const meter = (table: TestTable): number | undefined => table.state.jackpots[0]?.meterMinor;

test('r.50.a each prize is a share of the meter as the bets close, in whatever order the hands lie', () => {
  // 1,000,100: a tenth for the aces, two fifths for the kings. The chips are kept.
  const aces = 'jackpot jackpot 99910 r.43 r.50';
  const kings = 'jackpot jackpot 399940 r.43 r.50';
  const first = played({}, 'AH KS 9H AD KD 8C wait 1:stand 2:stand');
  assert.deepEqual(chips(first), [`1 ${aces}`, `2 ${kings}`]);
  const second = played({}, 'KS AH 9H KD AD 8C wait 1:stand 2:stand');
  assert.deepEqual(chips(second), [`1 ${kings}`, `2 ${aces}`]);
  assert.equal(meter(second), 500_050);
});

test('r.44 after the highest prize the meter starts again from its own start value', () => {
  const table = played({ seed: 2_500_000 }, 'AS 9S 8H AD 9D 8C wait 1:hit AC 1:stand 2:stand TD');
  assert.deepEqual(chips(table), ['1 jackpot jackpot 2500000 r.43 r.50', '2 jackpot lose -100 r.43']);
  assert.equal(meter(table), 2_500_000);
});

test('r.42 of the first cards as many count as the table says, and none after them', () => {
  const top = (cards: number): Readonly<Record<string, OptionValue>> => ({
    cards,
    pays: [{ combination: `A${cards}`, share: '1' }],
  });
  const second = played(top(2), 'AS 9S 9H 5D 9D 8C wait 1:hit AC 1:stand 2:stand');
  assert.deepEqual(chips(second), ['1 jackpot lose -100 r.43', '2 jackpot lose -100 r.43']);
  const third = played(top(3), 'AS 9S 9H AD 9D 8C wait 1:hit 5C 1:hit AC 1:stand 2:stand');
  assert.deepEqual(chips(third), ['1 jackpot lose -100 r.43', '2 jackpot lose -100 r.43']);
  const within = played(top(3), 'AS 9S 9H AD 9D 8C wait 1:hit AC 1:stand 2:stand');
  assert.deepEqual(chips(within), ['1 jackpot jackpot 1000000 r.43 r.50', '2 jackpot lose -100 r.43']);
});

/** The same table with this jackpot; what it is refused for, with its articles. */
function refusedFor(jackpot: Readonly<Record<string, OptionValue>>): string[] {
  const checked = validateOptions('portugal-blackjack', {
    jackpot: { stake: 100, increment: '1/2', ...jackpot },
  });
  return checked.ok ? [] : checked.problems.map(({ option, article }) => `${option} ${article}`);
}
const pays = (...prizes: readonly (string | number)[]): Readonly<Record<string, OptionValue>> => ({
  cards: 4,
  pays: prizes.map((prize, at) => ({
    combination: ['A4s', 'A4', 'A3s', 'A3', 'A2'][at]!,
    ...(typeof prize === 'number' ? { odds: prize } : { share: prize }),
  })),
});

test('r.43, r.44, r.50.a the prizes are proportions that a meter at its start value can pay', () => {
  assert.deepEqual(refusedFor(pays('1', '1/10', 500, 100, 10)), []);
  // 10,000 stakes: the second prize may be half of them, if there is nothing else to pay.
  assert.deepEqual(refusedFor(pays('1', '1/2')), []);
  assert.deepEqual(refusedFor(pays('1', 5_000)), []);
  for (const tooMuch of [pays('1', '1/2', 1), pays('1', 5_001), pays('1', '2/5', '1/5', 1)])
    assert.deepEqual(refusedFor(tooMuch), ['jackpot.pays r.43']);
  assert.deepEqual(
    refusedFor({ ...pays('1', 5_001), seed: 1_000_200 }),
    [],
    'a higher start value covers it',
  );
});

test('r.50.a the first combination takes what remains of the meter, and no other one does', () => {
  assert.ok(refusedFor(pays('1/2', '1/10')).includes('jackpot.pays r.50.a'));
  const messages = validateOptions('portugal-blackjack', {
    jackpot: { stake: 100, increment: '1/2', ...pays('1', '1') },
  });
  assert.ok(!messages.ok && messages.problems.some(({ message }) => message.startsWith('the first')));
});

test('r.50.a no prize is above the one before it, nor can it come to be with a higher meter', () => {
  assert.deepEqual(refusedFor(pays('1', '1/10', 1_000)), [], 'equal at the start');
  for (const wrong of [pays('1', '1/10', 1_001), pays('1', '1/10', '1/9'), pays('1', 10, 11)])
    assert.deepEqual(refusedFor(wrong), ['jackpot.pays r.50.a']);
  assert.deepEqual(refusedFor(pays('1', 2_000, '1/10')), ['jackpot.pays r.50.a'], 'a share outgrows odds');
});

const PORTUGAL = { rulebook: 'portugal-blackjack', currency: 'EUR' } as const;
const JACKPOT = { stake: 100, increment: '1/2', cards: 4, pays: [{ combination: 'A3', share: '1' }] };

/** A round in which seat 1 has the highest combination. */
function top(changes: Partial<TableProfile>): TestTable {
  const table = TestTable.ready({ jackpot: JACKPOT }, { ...PORTUGAL, ...changes });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'jackpot');
  table.must({ type: 'close-betting' });
  say(table, 'AS 9H AD 8C wait 1:hit AC 1:stand');
  table.wait();
  return table;
}

test('r.50.a where the meter cannot cover them all, the smaller prizes are whole and the last larger one is not', () => {
  const prizes = [
    { combination: 'A4', share: '1' },
    { combination: 'A3', share: '2/5' },
    { combination: 'A2', odds: 1_000 },
  ];
  const table = TestTable.ready({ jackpot: { ...JACKPOT, pays: prizes } }, PORTUGAL);
  table.open();
  for (const seat of [1, 2, 3, 4, 5]) {
    table.bet(seat, 1_000);
    table.bet(seat, 100, seat, 'jackpot');
  }
  table.must({ type: 'close-betting' });
  say(
    table,
    'AS AH AD AC AS 9H AD AC AH AS AD 8C wait 1:hit AC 1:stand 2:hit AH 2:stand 3:stand 4:stand 5:stand',
  );
  const nets = table.state
    .round!.lines!.filter(({ bet }) => bet === 'jackpot')
    .map(({ seat, netMinor }) => [seat, netMinor]);
  // Of 1,000,250, with the chips: three times 100,000, then two fifths, then what is left.
  assert.deepEqual(nets, [
    [1, 400_000],
    [2, 300_050],
    [3, 99_900],
    [4, 99_900],
    [5, 99_900],
  ]);
});

test('r.49 the cards that have won stay on the table until the prize is paid by hand', () => {
  const table = top({ handPaidWinMinor: amount(500_000) });
  assert.deepEqual(nextStep(table.state), { step: 'pay-prize', seat: 1, cites: ['r.49'] });
  const refused = table.try({ type: 'close-round' });
  assert.deepEqual([refused?.code, refused?.cites], ['not-due', ['r.49']]);
  // A cash-out beside it is no payment of the prize.
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: SUPERVISOR, second: null });
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's2' });
  assert.equal(table.try({ type: 'close-round' })?.code, 'not-due', 'nor is a restart');
  const { requestId } = table.state.seats[0]!.wins![0]!;
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId, person: SUPERVISOR, second: ATTENDANT });
  assert.equal(nextStep(table.state).step, 'close-round');
  table.must({ type: 'close-round' });
  table.checkReplay();
});

test('r.49 a prize that is credited is paid; another win that waits for a hand keeps no cards', () => {
  assert.equal(top({}).try({ type: 'close-round' }), null);
  const table = TestTable.ready({ jackpot: JACKPOT }, { ...PORTUGAL, handPaidWinMinor: amount(500) });
  table.bets({ 1: 1_000 });
  say(table, 'TS 9H TD 8C wait 1:stand');
  table.wait();
  assert.equal(table.state.seats[0]?.wins?.length, 1);
  assert.equal(table.try({ type: 'close-round' }), null);

  const pays = [
    { combination: 'A3', share: '1' },
    { combination: 'A2', odds: 3 },
  ];
  const small = TestTable.ready(
    { jackpot: { ...JACKPOT, pays } },
    { ...PORTUGAL, handPaidWinMinor: amount(500) },
  );
  small.bets({ 1: 1_000 });
  say(small, 'TS 9H TD 8C wait 1:stand');
  small.close();
  small.open();
  small.bet(1, 1_000);
  small.bet(1, 100, 1, 'jackpot');
  small.must({ type: 'close-betting' });
  say(small, 'AS 9H AD TC wait 1:stand');
  small.wait();
  assert.deepEqual(chips(small), ['1 jackpot jackpot 200 r.43 r.50']);
  assert.equal(small.state.seats[0]?.wins?.length, 1, 'of the round before');
  assert.equal(small.try({ type: 'close-round' }), null);
});

test('r.44 ten thousand times the stake in force: another stake lifts a meter that is below it, and takes nothing away', () => {
  const table = TestTable.ready({ jackpot: JACKPOT }, PORTUGAL, 0);
  const other = (jackpot: OptionValue): void => {
    table.must({ type: 'configure', profile: profileWith({ jackpot }, PORTUGAL), person: null });
  };
  assert.equal(meter(table), 1_000_000);
  other({ ...JACKPOT, stake: 500 });
  assert.equal(meter(table), 5_000_000);
  other(JACKPOT);
  assert.equal(meter(table), 5_000_000, 'it is the players’');
  other({ ...JACKPOT, increment: '1/3' });
  assert.equal(meter(table), 5_000_000);
  table.checkReplay();
});

test('r.48 what a chip leaves of a minor unit is kept when the share of the chips is another one', () => {
  const table = TestTable.ready({ jackpot: { ...JACKPOT, stake: 101, increment: '2/3' } }, PORTUGAL, 0);
  const round = (): void => {
    table.insert(1, 10_000);
    table.open();
    table.bet(1, 1_000);
    table.bet(1, 101, 1, 'jackpot');
    table.must({ type: 'close-betting' });
    say(table, '9S 9H TD TC wait 1:stand');
    table.close();
    const requestId = `c${table.atMs}`;
    table.must({ type: 'request-cash-out', seat: 1, requestId });
    table.must({ type: 'confirm-hand-pay', seat: 1, requestId, person: SUPERVISOR, second: null });
  };
  round();
  assert.deepEqual(table.state.jackpots[0]?.rest, [1, 3], 'two thirds of 101 are 67 and a third');
  const other = (increment: string): void =>
    void table.must({
      type: 'configure',
      profile: profileWith({ jackpot: { ...JACKPOT, stake: 101, increment } }, PORTUGAL),
      person: null,
    });
  other('5/6');
  table.shoe();
  round();
  // Five sixths of 101 are 84 and a sixth; with two sixths from before three are left.
  assert.deepEqual([meter(table)! - 1_010_000, table.state.jackpots[0]?.rest], [67 + 84, [3, 6]]);
  other('1/2');
  table.shoe();
  round();
  assert.deepEqual([meter(table)! - 1_010_000, table.state.jackpots[0]?.rest], [67 + 84 + 51, [0, 2]]);
});

const movesOf = (table: TestTable): string[] =>
  table.events
    .slice(table.events.findLastIndex(({ type }) => type === 'betting-opened'))
    .flatMap((event) => (event.type === 'jackpot-moved' ? [event.why] : []));

test('r.48 the meter moves by chips and by prizes, and by nothing else', () => {
  const cancel = { type: 'void-round', reason: 'misdeal', person: SUPERVISOR } as const;
  const table = TestTable.ready({ jackpot: JACKPOT }, PORTUGAL);
  const round = (chip: boolean): void => {
    table.open();
    table.bet(1, 1_000);
    if (chip) table.bet(1, 100, 1, 'jackpot');
    table.must({ type: 'close-betting' });
  };
  round(true);
  say(table, '9S 9H TD TC wait 1:stand');
  assert.deepEqual(movesOf(table), ['collected'], 'no prize');
  table.close();
  round(false);
  say(table, '9S 9H TD TC wait 1:stand');
  assert.deepEqual(movesOf(table), []);
  table.close();
  round(false);
  say(table, '9S 9H');
  table.must(cancel);
  assert.deepEqual(movesOf(table), [], 'no chip of this round');
  table.close();
  round(true);
  table.must(cancel);
  assert.deepEqual(movesOf(table), [], 'not collected yet');
  table.close();
  round(true);
  say(table, '9S 9H');
  table.must(cancel);
  assert.deepEqual(movesOf(table), ['collected', 'undone']);
  assert.equal(meter(table), 1_000_000 + 50);
});

test('r.44 the same terms again move nothing; a table without a jackpot today has no meter', () => {
  const table = TestTable.ready({ jackpot: JACKPOT }, PORTUGAL, 0);
  const moves = (): number => table.events.filter(({ type }) => type === 'jackpot-moved').length;
  table.must({ type: 'configure', profile: profileWith({ jackpot: JACKPOT }, PORTUGAL), person: null });
  assert.equal(moves(), 1);
  const third = { ...JACKPOT, increment: '1/3' };
  table.must({ type: 'configure', profile: profileWith({ jackpot: third }, PORTUGAL), person: null });
  assert.equal(moves(), 1, 'it stands at just the least');
  table.must({ type: 'configure', profile: profileWith({}, PORTUGAL), person: null });
  assert.equal(table.state.jackpots.length, 1, 'what the players are owed is kept');
  assert.equal(jackpotMeter(table.state), null);
});

test('r.42, r.45 a chip lies beside the main bet of its own player on its own seat', () => {
  const table = TestTable.ready({ jackpot: JACKPOT }, PORTUGAL);
  table.open();
  table.bet(2, 1_000);
  table.bet(2, 1_000, 1);
  assert.equal(table.tryBet(1, 100, 1, 'jackpot')?.code, 'no-main');
  const vacant = TestTable.ready({ jackpot: JACKPOT }, PORTUGAL, 0);
  vacant.insert(2, 10_000);
  vacant.open();
  vacant.bet(1, 1_000, 2);
  assert.equal(vacant.tryBet(1, 100, 1, 'jackpot')?.code, 'no-main');
});

test('r.50.a a prize that takes the last of the meter is a prize like the others', () => {
  const half = [
    { combination: 'A3', share: '1' },
    { combination: 'A2', share: '1/2' },
  ];
  const table = TestTable.ready({ jackpot: { ...JACKPOT, pays: half } }, PORTUGAL);
  table.open();
  for (const seat of [1, 2]) {
    table.bet(seat, 1_000);
    table.bet(seat, 100, seat, 'jackpot');
  }
  table.must({ type: 'close-betting' });
  say(table, 'AS AH 9H AD AC 8C wait 1:stand 2:stand');
  const lines = table.state.round!.lines!.filter(({ bet }) => bet === 'jackpot');
  assert.deepEqual(
    lines.map(({ odds, netMinor }) => [odds, netMinor]),
    [
      [[1, 2], 499_950],
      [[1, 2], 499_950],
    ],
  );
  assert.equal(meter(table), 0);
});

test('rounds that nobody deals lift the meter of their currency by their chips', () => {
  const { state } = TestTable.ready({ jackpot: { ...JACKPOT, increment: '1/3' } }, PORTUGAL);
  const other = { ...state.jackpots[0]!, currency: 'MOP' } as const;
  state.jackpots = [other, ...state.jackpots];
  passJackpotRounds(state, 0);
  assert.deepEqual(state.jackpots[1]?.rest, [0, 1]);
  passJackpotRounds(state, 4);
  assert.deepEqual([state.jackpots[1]?.meterMinor, state.jackpots[1]?.rest], [1_000_133, [1, 3]]);
  assert.equal(state.jackpots[0], other);
  const without = TestTable.ready({}, PORTUGAL).state;
  passJackpotRounds(without, 4);
  assert.deepEqual(without.jackpots, []);
});

test('r.40 a ledger that begins with a chip is read on: there is no meter before it that could come back', () => {
  const table = new TestTable();
  const entry = { type: 'jackpot-moved', atMs: 1, currency: 'EUR', meterMinor: 50, rest: 0 };
  evolve(table.state, { ...entry, why: 'collected', amountMinor: 50 } as unknown as TableEvent);
  assert.equal(table.state.jackpots[0]?.meterMinor, 50);
  assert.equal(table.state.jackpots[0]?.before, null);
});
