/** Winning Streak (art. 13.5) over several rounds, with the books checked after every input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, DEALER, profileWith, SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { meterValue } from '../../accounting/meter-fold.ts';
import { stakedMinor } from '../../accounting/self-audit.ts';
import { bettingChoices, dealerOptions } from '../../engine.ts';
import type { OptionValue } from '../../table/profile.ts';
import { recompute } from '../../table/settlement.ts';
import { buttonOf, streakAt } from './streak.ts';

const ALL = ['streak2', 'streak3', 'streak4', 'streak5'];

class StreakTable extends TestTable {
  static with(options: Readonly<Record<string, OptionValue>> = {}): StreakTable {
    const table = new StreakTable();
    table.must({ type: 'configure', profile: profileWith({ sideBets: ALL, ...options }), person: null });
    table.must({ type: 'sign-in-dealer', person: DEALER });
    for (const { seat } of table.state.seats) table.insert(seat, 100_000);
    table.shoe();
    return table;
  }

  /**
   * A round of seat 1 with a main bet of 1,000 and streak bets of 100 each, played by standing on
   * what is dealt.
   */
  round(cards: string, streaks: readonly string[] = []): string[] {
    this.open();
    this.bet(1, 1_000);
    for (const bet of streaks) this.bet(1, 100, 1, bet);
    this.must({ type: 'close-betting' });
    this.draw(cards.split(' ').slice(0, 3).join(' '));
    this.wait();
    if (this.state.phase === 'turns') this.act(1, 'stand');
    this.draw(cards.split(' ').slice(3).join(' '));
    return this.settled();
  }

  settled(): string[] {
    const { lines } = this;
    for (const line of this.state.round?.lines ?? []) assert.equal(recompute(line), line.netMinor);
    this.close();
    this.checkReplay();
    return lines.filter((line) => line.includes(' streak'));
  }

  get button(): number {
    return buttonOf(streakAt(this.state, 1));
  }
}

/** Everything that may go. */
function payOut(table: TestTable, seat: number): void {
  const requestId = `out-${table.atMs}`;
  table.must({ type: 'request-cash-out', seat, requestId });
  table.must({ type: 'confirm-hand-pay', seat, requestId, person: SUPERVISOR, second: null });
}

const WIN = 'TS 9H 9D 8C';
const TIE = 'TS 9H 7D 8C';
const LOSS = 'TS 9H 6D 8C';

test('art. 13.5.2 two, three, four and five in a row: each is paid when its number is reached', () => {
  const table = StreakTable.with();
  assert.deepEqual(table.round(WIN, ALL), []);
  assert.equal(table.button, 2);
  assert.deepEqual(table.round(WIN), ['1 streak2 win 300 art.13.5.2.i art.14.5.1']);
  assert.deepEqual(table.round(TIE), []);
  assert.equal(table.button, 3, 'art. 11.2: a tie leaves the button');
  assert.deepEqual(table.round(WIN), ['1 streak3 win 800 art.13.5.2.i art.14.5.2']);
  assert.deepEqual(table.round(WIN), ['1 streak4 win 1800 art.13.5.2.i art.14.5.3']);
  assert.equal(table.button, 5);
  assert.deepEqual(table.round(WIN), ['1 streak5 win 3800 art.13.5.2.i art.14.5.4']);
  assert.equal(table.button, 0);
  assert.equal(table.credit(1), 100_000 + 5 * 1_000 + 300 + 800 + 1_800 + 3_800);
});

test('art. 13.5.2.ii a lost round loses every open number and takes the button off', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak2', 'streak5']);
  assert.deepEqual(table.round(LOSS), [
    '1 streak2 lose -100 art.13.5.2.ii',
    '1 streak5 lose -100 art.13.5.2.ii',
  ]);
  assert.equal(table.button, 0);
  table.round(WIN, ['streak2']);
  assert.equal(table.button, 2, 'a new series starts at one');
});

test('art. 13.5.2.iii the button is not on the layout before the first win', () => {
  const table = StreakTable.with();
  table.round(TIE, ['streak2']);
  assert.equal(table.button, 1);
});

for (const wins of [1, 2, 3]) {
  test(`art. 18.3 a surrender ends the series of the seat, with ${wins} won`, () => {
    const table = StreakTable.with();
    table.round(WIN, ['streak5']);
    for (let more = 1; more < wins; more++) table.round(WIN);
    table.open();
    table.bet(1, 1_000);
    table.must({ type: 'close-betting' });
    table.draw('TS 9H 6D');
    table.act(1, 'surrender');
    table.draw('TC');
    assert.deepEqual(table.settled(), ['1 streak5 lose -100 art.18.3']);
    assert.equal(table.button, 0);
  });
}

/**
 * art. 16.7: hands of a split pair of eights against a bank of seventeen · what becomes of a series
 * with one win
 */
const SPLITS: readonly (readonly [string, string, number, readonly string[]])[] = [
  ['both won: one further', 'TC TD', 3, []],
  ['one won, one lost: suspended', 'TC 5D', 2, []],
  ['one won, one tied: one further', 'TC 9D', 3, []],
  ['both tied: suspended', '9C 9D', 2, []],
  ['one lost, one tied: lost', '5C 9D', 0, ['1 streak4 lose -100 art.16.7.3 art.13.5.2.ii']],
];
for (const [title, cards, button, lines] of SPLITS) {
  test(`art. 16.7 split hands, ${title}`, () => {
    const table = StreakTable.with();
    table.round(WIN, ['streak4']);
    table.open();
    table.bet(1, 1_000);
    table.must({ type: 'close-betting' });
    table.draw('8S 9H 8D');
    table.wait();
    table.act(1, 'split');
    const [first, second] = cards.split(' ');
    table.draw(first!);
    table.act(1, 'stand');
    table.draw(second!);
    table.act(1, 'stand', { hand: 1 });
    table.draw('8H');
    assert.deepEqual(table.settled(), lines);
    assert.equal(table.button, button);
  });
}

test("art. 16.6, 16.7.3 a hand whose stake goes back against the bank's blackjack is a lost hand", () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak4']);
  table.open();
  table.bet(1, 1_000);
  table.must({ type: 'close-betting' });
  table.draw('8S KH 8D');
  table.wait();
  table.act(1, 'split');
  table.draw('TC');
  table.act(1, 'stand');
  table.draw('TD');
  table.act(1, 'stand', { hand: 1 });
  table.draw('AC');
  assert.deepEqual(table.settled(), ['1 streak4 lose -100 art.16.7.3 art.13.5.2.ii']);
});

test('art. 13.5.2.v while a series runs nothing is added to it, by nobody; the panel says so', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3']);
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 1_000, 2);
  for (const [by, bet] of [
    [1, 'streak3'],
    [1, 'streak5'],
    [2, 'streak2'],
  ] as const) {
    const refused = table.tryBet(1, 100, by, bet);
    assert.deepEqual([refused?.code, refused?.cites], ['locked', ['art.13.5.2.v']]);
  }
  const shown = bettingChoices(table.state, 1).find(({ bet }) => bet === 'streak2');
  assert.deepEqual([shown?.allowed, shown?.code, shown?.cites], [false, 'locked', ['art.13.5.2.v']]);
});

test('art. 13.5.2.v the stakes lie on the table between the rounds: no bet takes them back, no profile replaces them', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3', 'streak5']);
  assert.equal(stakedMinor(table.state, 1), 200);
  for (const { seat, creditMinor } of table.state.seats) {
    if (creditMinor > 0) payOut(table, seat);
  }
  const profile = profileWith({ sideBets: [] });
  assert.equal(
    table.try({ type: 'configure', profile, person: null })?.detail,
    'streak bets are open (seat 1)',
  );
});

test('a repeat leaves out what lies there anyway', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3']);
  table.open();
  table.must({ type: 'repeat-bets', roundId: table.roundId, seat: 1, touchedAtMs: table.atMs });
  assert.deepEqual(
    table.state.round?.bets.map(({ bet }) => bet),
    ['main'],
  );
});

test('art. 13.5.2.vi whoever has numbers open must bet on: without them no card is dealt', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3']);
  table.open();
  table.bet(2, 1_000);
  const refused = table.try({ type: 'close-betting' });
  assert.deepEqual([refused?.code, refused?.cites], ['must-bet', ['art.13.5.2.vi']]);
  assert.equal((refused as { seat?: number } | null)?.seat, 1);
  table.wait();
  assert.equal(table.state.phase, 'betting', 'nor does the time close the bets');
  table.bet(1, 200);
  table.must({ type: 'close-betting' });
  assert.equal(table.state.phase, 'dealing');
});

test('art. 13.5.2.vi a window in which nobody bets is no round and changes nothing', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3']);
  table.open();
  table.wait();
  assert.equal(table.state.phase, 'idle');
  assert.equal(table.button, 2);
  const offered = dealerOptions(table.state).map(({ option }) => option);
  assert.ok(!offered.includes('release-streak'), 'nothing is owed before bets are taken');
});

test('art. 13.5.2.vi without a house rule nothing is lost, and nobody is kept from playing: the open bets come back', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3', 'streak5']);
  table.open();
  table.bet(2, 1_000);
  const release = { type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR } as const;
  const offered = (): string[] =>
    dealerOptions(table.state).flatMap(({ option }) => (option.endsWith('-streak') ? [option] : []));
  assert.deepEqual(offered(), [], 'there is still time to bet');
  table.wait();
  assert.deepEqual(offered(), ['release-streak']);
  assert.equal(table.try({ ...release, person: DEALER })?.code, 'person');
  const before = table.credit(1);
  table.must(release);
  assert.deepEqual(offered(), []);
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(2, 'stand');
  table.draw('8C');
  assert.deepEqual(table.settled(), [
    '1 streak3 released 0 art.13.5.2.vi',
    '1 streak5 released 0 art.13.5.2.vi',
  ]);
  assert.equal(table.credit(1), before + 200);
  assert.equal(table.button, 0);
});

test('art. 13.5.2.vi returned while nobody bets: settled without a round, and the table is free for another profile', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3']);
  const dealt = meterValue(table.meters, 'rounds_dealt');
  table.open();
  table.must({ type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR });
  table.must({ type: 'close-betting' });
  assert.deepEqual(table.settled(), ['1 streak3 released 0 art.13.5.2.vi']);
  assert.equal(meterValue(table.meters, 'rounds_dealt'), dealt);
  assert.equal(table.state.tallies?.length, 1, 'a round without cards is none of the last rounds');
  assert.ok(!('tally' in table.events.findLast(({ type }) => type === 'round-settled')!));
  assert.deepEqual(table.state.streaks, []);
  payOut(table, 1);
  assert.equal(table.credit(1), 0, 'nothing is kept any more');
});

test('art. 13.5.2.vi a credit cannot be taken out from under a series: the bet it asks for stays', () => {
  const table = StreakTable.with({ min: 250, step: 100 });
  table.round(WIN, ['streak3']);
  const whole = table.credit(1);
  payOut(table, 1);
  assert.equal(table.credit(1), 300, 'the least bet in steps of the table');
  const refused = table.try({ type: 'request-cash-out', seat: 1, requestId: 'more' });
  assert.deepEqual([refused?.code, refused?.cites], ['must-bet', ['art.13.5.2.vi']]);
  assert.ok(whole > 300);
  table.open();
  table.bet(1, 300);
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 7D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.settled();
  assert.deepEqual([table.button, table.credit(1)], [2, 300], 'after a tie it is enough again');
});

test('art. 13.5.2.vi while the owed bet lies, all of the credit may go; each seat with a series keeps one bet', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3']);
  table.open();
  table.bet(1, 1_000);
  payOut(table, 1);
  assert.equal(table.credit(1), 0);
  table.must({ type: 'undo-bet', roundId: table.roundId, seat: 1, touchedAtMs: table.atMs });
  assert.equal(table.credit(1), 1_000, 'a bet that is taken back is there for the duty');
  assert.equal(table.tryBet(1, 1_000), null);

  const two = StreakTable.with();
  two.open();
  for (const seat of [1, 2]) {
    two.bet(seat, 1_000, 1);
    two.bet(seat, 100, 1, 'streak4');
  }
  two.must({ type: 'close-betting' });
  two.draw('TS TD 9H 9D 9C');
  two.wait();
  two.act(1, 'stand', { by: 1 });
  two.act(2, 'stand', { by: 1 });
  two.draw('8C');
  two.settled();
  payOut(two, 1);
  assert.equal(two.credit(1), 200);
});

test('art. 13.5.2.vi who has come to a limit of the own, or has no credit left, keeps nobody from playing', () => {
  const table = StreakTable.with({ min: 1_000 });
  table.round(WIN, ['streak3']);
  payOut(table, 1);
  // Another bet of the seat has taken what was kept.
  table.open();
  table.bet(2, 1_000);
  table.bet(2, 1_000, 1);
  assert.equal(table.tryBet(1, 1_000)?.code, 'no-credit');
  assert.equal(table.try({ type: 'close-betting' })?.code, 'must-bet');
  assert.ok(dealerOptions(table.state).some(({ option }) => option === 'release-streak'));
  table.must({ type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR });
  table.must({ type: 'close-betting' });
  assert.equal(table.state.phase, 'dealing');
});

test('art. 13.5.2.vi with the house rule a supervisor may, and only for who owes a bet', () => {
  const table = StreakTable.with({ streakAbandon: 'forfeit' });
  table.round(WIN, ['streak3']);
  const forfeit = { type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR } as const;
  assert.equal(table.try(forfeit)?.code, 'not-due');
  table.open();
  table.bet(2, 1_000);
  assert.equal(table.try({ ...forfeit, seat: 2, by: 2 })?.code, 'not-allowed');
  assert.equal(table.try({ ...forfeit, person: DEALER })?.code, 'person');
  assert.ok(dealerOptions(table.state).some(({ option }) => option === 'forfeit-streak'));
  table.must(forfeit);
  assert.equal(table.try(forfeit)?.code, 'not-allowed', 'once');
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(2, 'stand');
  table.draw('8C');
  assert.deepEqual(table.settled(), ['1 streak3 forfeit -100 art.13.5.2.vi']);
  assert.equal(table.button, 0);
});

test('art. 13.5.2.vi given up while nobody bets: settled without a round', () => {
  const table = StreakTable.with({ streakAbandon: 'forfeit' });
  table.round(WIN, ['streak3']);
  const dealt = meterValue(table.meters, 'rounds_dealt');
  table.open();
  table.must({ type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR });
  table.must({ type: 'close-betting' });
  assert.deepEqual(table.settled(), ['1 streak3 forfeit -100 art.13.5.2.vi']);
  assert.equal(meterValue(table.meters, 'rounds_dealt'), dealt);
  assert.equal(stakedMinor(table.state, 1), 0);
});

test('art. 1.5 bettors who join in the first round share the series; one of them may be given up', () => {
  const table = StreakTable.with({ streakAbandon: 'forfeit' });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 2_000, 2);
  table.bet(1, 100, 1, 'streak2');
  table.bet(1, 300, 2, 'streak2');
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  assert.deepEqual(table.settled(), []);
  table.open();
  table.bet(1, 1_000);
  assert.match(table.try({ type: 'close-betting' })?.detail ?? '', /bettor 2/);
  table.must({ type: 'forfeit-streak', seat: 1, by: 2, person: SUPERVISOR });
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  assert.deepEqual(table.settled(), [
    '1<2 streak2 forfeit -300 art.13.5.2.vi',
    '1 streak2 win 300 art.13.5.2.i art.14.5.1',
  ]);
});

test('art. 5.1.2 a cancelled round: new streak bets go back, a series and what was given up stand as before', () => {
  const table = StreakTable.with({ streakAbandon: 'forfeit' });
  const cancel = (): void => {
    table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
    table.close();
    table.checkReplay();
  };
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'streak3');
  table.must({ type: 'close-betting' });
  table.draw('TS 9H');
  assert.equal(table.button, 1, 'the first round of the bet has begun');
  cancel();
  assert.equal(table.button, 0);
  assert.equal(table.credit(1), 100_000);
  table.round(WIN, ['streak3']);
  table.open();
  table.bet(2, 1_000);
  table.must({ type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR });
  table.must({ type: 'close-betting' });
  table.draw('TS 9H');
  cancel();
  assert.equal(table.button, 2);
  assert.equal(stakedMinor(table.state, 1), 100);
});

/** What the series of the seats have become in the last round, as `seat result wins`. */
const moved = (table: TestTable): string[] =>
  table.events
    .slice(table.events.findLastIndex(({ type }) => type === 'betting-opened'))
    .flatMap((event) =>
      event.type === 'streak-moved' ? [`${event.seat} ${event.result} ${event.wins}`] : [],
    );

test('art. 13.5 a series is its seat’s and its bettor’s: what others win or lose there is nothing to it', () => {
  const table = StreakTable.with();
  table.open();
  for (const seat of [1, 2, 7]) table.bet(seat, 1_000);
  table.bet(7, 100, 7, 'streak2');
  table.must({ type: 'close-betting' });
  table.draw('TS TD TH 9H 5D 6S 9C');
  table.wait();
  for (const seat of [1, 2, 7]) table.act(seat, 'stand');
  table.draw('8C');
  assert.deepEqual(table.settled(), []);
  assert.deepEqual(moved(table), ['7 won 1'], 'two lose, and the last seat has won');
  const behind = StreakTable.with();
  behind.open();
  behind.bet(1, 1_000);
  behind.bet(1, 1_000, 2);
  behind.bet(1, 100, 1, 'streak2');
  behind.must({ type: 'close-betting' });
  behind.draw('AS AH KD');
  behind.act(1, 'evenMoney', { by: 2 });
  behind.wait();
  behind.draw('KC');
  assert.deepEqual(behind.settled(), [], 'even money behind: who decides has tied');
  assert.deepEqual(moved(behind), ['1 tied 0'], 'laid in this round');
  behind.round('TS 9H 9D TC');
  assert.deepEqual(moved(behind), [], 'nothing has moved');
});

test('art. 13.5 what the same bettor loses on another seat is nothing to it', () => {
  const table = StreakTable.with();
  table.open();
  for (const seat of [1, 2]) table.bet(seat, 1_000, 1);
  table.bet(2, 100, 1, 'streak2');
  table.must({ type: 'close-betting' });
  table.draw('TS TD 9H 5D 9C');
  table.wait();
  for (const seat of [1, 2]) table.act(seat, 'stand', { by: 1 });
  table.draw('8C');
  table.settled();
  assert.deepEqual(moved(table), ['2 won 1']);
});

test('art. 16.7.3 that a split seat has lost is said of that seat', () => {
  const table = StreakTable.with();
  table.open();
  table.bet(1, 1_000);
  table.bet(2, 1_000);
  table.bet(2, 100, 2, 'streak2');
  table.must({ type: 'close-betting' });
  table.draw('TS 8S 9H TD 8D');
  table.wait();
  table.act(1, 'stand');
  table.act(2, 'split');
  table.draw('5C');
  table.act(2, 'stand');
  table.draw('6C');
  table.act(2, 'stand', { hand: 1 });
  table.draw('TC');
  assert.deepEqual(table.settled(), ['2 streak2 lose -100 art.16.7.3 art.13.5.2.ii']);
});

test('art. 13.5.2.ii the button is off as soon as the round is settled', () => {
  const table = StreakTable.with();
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'streak3');
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 5D');
  table.wait();
  table.act(1, 'stand');
  table.draw('TC');
  assert.equal(table.button, 0);
});

test('art. 13.5.2.vi what is owed is owed by one bettor on one seat', () => {
  const two = StreakTable.with({ streakAbandon: 'forfeit' });
  two.open();
  for (const seat of [1, 2]) {
    two.bet(seat, 1_000, 1);
    two.bet(seat, 100, 1, 'streak4');
  }
  two.must({ type: 'close-betting' });
  two.draw('TS TD 9H 9D 9C');
  two.wait();
  for (const seat of [1, 2]) two.act(seat, 'stand', { by: 1 });
  two.draw('8C');
  two.settled();
  payOut(two, 2);
  assert.equal(two.credit(2), 0, 'who has no series keeps nothing back');
  two.open();
  two.bet(3, 1_000);
  two.bet(3, 1_000, 1);
  two.must({ type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR });
  const code = (seat: number, by: number): string | undefined =>
    two.try({ type: 'forfeit-streak', seat, by, person: SUPERVISOR })?.code;
  assert.deepEqual([code(2, 3), code(3, 1)], ['not-allowed', 'not-allowed']);
  assert.equal(two.try({ type: 'close-betting' })?.code, 'must-bet', 'seat 2 is still owed');
  payOut(two, 1);
  assert.equal(two.credit(1), 100, 'for seat 2 alone, though a bet lies on seat 3');
  two.bet(2, 100, 1);
  two.must({ type: 'close-betting' });
  two.draw('TS TD 9H 9D 9C');
  two.wait();
  two.act(2, 'stand', { by: 1 });
  two.act(3, 'stand');
  two.draw('8C');
  assert.deepEqual(moved(two), ['1 forfeited 1', '2 won 2']);
});

test('art. 13.5.2.vi any pair on the hand of another is no main bet, nor is the bet of another', () => {
  const table = StreakTable.with({ sideBets: ['anyPair', ...ALL], sideBetsAtOnce: 'any' });
  table.round(WIN, ['streak3']);
  table.open();
  table.bet(1, 1_000, 2);
  table.bet(3, 1_000, 1);
  table.bet(1, 100, 1, 'anyPair');
  assert.equal(table.try({ type: 'close-betting' })?.code, 'must-bet');
  payOut(table, 1);
  assert.equal(table.credit(1), 100, 'one bet is kept');
});

test('art. 13.5.2.vi a settled round keeps the next bet back; a credit of just so much is no reason to be released', () => {
  const table = StreakTable.with();
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'streak3');
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  payOut(table, 1);
  assert.equal(table.credit(1), 100, 'the bets of this round are over');
  table.settled();
  table.open();
  table.bet(2, 1_000);
  assert.ok(!dealerOptions(table.state).some(({ option }) => option === 'release-streak'));
});

test('an amount of any size pays whole multiples', () => {
  const table = StreakTable.with();
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 1, 1, 'streak2');
  assert.equal(table.tryBet(1, 0, 1, 'streak3')?.code, 'malformed');
  assert.equal(table.state.round?.bets.at(-1)?.amountMinor, amount(1));
});

test('art. 1.5 a series locks its own seat, and no other', () => {
  const table = StreakTable.with();
  table.round(WIN, ['streak3']);
  table.open();
  table.bet(1, 1_000);
  table.bet(2, 1_000);
  assert.equal(table.tryBet(1, 100, 1, 'streak2')?.code, 'locked');
  assert.equal(table.tryBet(2, 100, 2, 'streak2'), null);
});
