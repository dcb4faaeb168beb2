/**
 * art. 10.3, r.34: the right of a blackjack to even money, beside every answer on insurance and in
 * every procedure.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Options, play, say } from '../../../test/support/spoken-round.ts';
import { SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import type { TableProfile } from '../../table/profile.ts';
import { seatChoices } from '../../table/queries.ts';

interface Procedure {
  readonly name: string;
  readonly options: Options;
  readonly changes: Partial<TableProfile>;
  /** The bank's second card is dealt after the turns, not among the first cards. */
  readonly late: boolean;
  readonly cite: string;
  readonly most: number;
}
const in2004 = { rulebook: 'macau-blackjack-2004' } as const;
const inPortugal = { rulebook: 'portugal-blackjack', currency: 'EUR' } as const;
const MACAU = { late: true, cite: 'art.10.3', most: 1_000, changes: {} } as const;
const BOX: Options = { decks: 1, cardSource: 'box', dealing: 'faceDown' };
const PROCEDURES: readonly Procedure[] = [
  { ...MACAU, name: '56/2004, face up', options: {}, changes: in2004 },
  { ...MACAU, name: '56/2004, box', options: BOX, changes: in2004, late: false },
  { ...MACAU, name: '57/2009, face up', options: {} },
  { ...MACAU, name: '57/2009, face down', options: { dealing: 'faceDown' } },
  { ...MACAU, name: '57/2009, the card of the bank in the second pass', options: { dealerCardPass: 2 } },
  { ...MACAU, name: '57/2009, hole card', options: { dealing: 'holeCard' }, late: false },
  { name: 'Portugal', options: {}, changes: inPortugal, late: false, cite: 'r.34', most: 500 },
];

/**
 * Blackjack at seat 1 and ten, nine at seat 2 against an ace; the bank's other card where it lies
 * face down is `hole`.
 */
function dealt({ options, changes, late }: Procedure, hole: string): TestTable {
  const order = options['dealerCardPass'] === 2 ? 'AS TS KH 9D AH' : 'AS TS AH KH 9D';
  return play(late ? order : `${order} ${hole}`, options, { 1: 1_000, 2: 1_000 }, changes);
}

/**
 * To the end of the round: what is missing is passed, seat 2 stands, the bank's second card is
 * drawn.
 */
function finish(table: TestTable, { late }: Procedure, second: string): void {
  while (table.state.phase === 'offers') table.wait();
  if (table.state.phase === 'turns') say(table, '2:stand');
  if (late) table.draw(second);
}

const mainOf = (table: TestTable): string | undefined => table.lines.find((line) => line.startsWith('1.0'));

for (const procedure of PROCEDURES) {
  const { name, cite, most } = procedure;
  for (const answer of ['declineInsurance', `insure=${most}`, 'insure=500'] as const) {
    for (const second of ['KC', '8C'] as const) {
      test(`${cite} ${name}: ${answer}, then even money, the bank's second card is ${second}`, () => {
        const table = dealt(procedure, second);
        // Whoever else is asked first: the last answer of all must not be the one that closes the
        // right.
        say(table, '2:declineInsurance');
        say(table, `1:${answer}`);
        assert.equal(table.state.phase, 'offers', 'nothing goes on before the blackjack has answered');
        assert.deepEqual(table.state.round?.offers?.pending, [{ seat: 1, by: 1 }]);
        const acts = seatChoices(table.state, 1).map(({ act }) => act);
        assert.deepEqual(acts, ['evenMoney', 'playOn'], 'the other half of the question is answered');
        assert.equal(table.tryAct(1, 'declineInsurance')?.code, 'not-allowed');
        say(table, '1:evenMoney');
        finish(table, procedure, second);
        assert.equal(mainOf(table), `1.0 main even-money 1000 ${cite}`);
        table.checkReplay();
      });
    }
  }

  test(`${cite} ${name}: who has played on may still ask, until the second card of the bank is known`, () => {
    const table = dealt(procedure, '8C');
    say(table, '1:declineInsurance 1:playOn');
    assert.deepEqual(table.state.round?.offers?.pending, [{ seat: 2, by: 2 }]);
    say(table, '1:evenMoney');
    finish(table, procedure, '8C');
    assert.equal(mainOf(table), `1.0 main even-money 1000 ${cite}`);

    const known = dealt(procedure, '8C');
    finish(known, procedure, '8C');
    assert.notEqual(known.tryAct(1, 'evenMoney'), null);
    assert.ok(mainOf(known)?.includes(' blackjack 1500 '), 'nobody is given what was not asked for');
  });

  test(`${cite} ${name}: the question survives a restart of the terminal`, () => {
    const table = dealt(procedure, 'KC');
    say(table, '2:declineInsurance 1:declineInsurance');
    table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's2' });
    table.must({ type: 'confirm-layout', person: SUPERVISOR });
    say(table, '1:evenMoney');
    finish(table, procedure, 'KC');
    assert.equal(mainOf(table), `1.0 main even-money 1000 ${cite}`);
    table.checkReplay();
  });
}

const UP_CARDS = ['AH', 'KH', 'QH', 'JH', 'TH', '9H', '8H', '7H', '6H', '5H', '4H', '3H', '2H'] as const;
const offered = (table: TestTable): boolean =>
  seatChoices(table.state, 1).some(({ act }) => act === 'evenMoney');

test('art. 10.3 against an ace, each figure and a ten, and against no other card, in both regulations', () => {
  for (const changes of [{}, in2004]) {
    const open = UP_CARDS.filter((up) =>
      offered(play(`AS TS ${up} KD 9D`, {}, { 1: 1_000, 2: 1_000 }, changes)),
    );
    assert.deepEqual(open, ['AH', 'KH', 'QH', 'JH', 'TH']);
  }
  const table = play('AS TS 9H KD 9D', {}, { 1: 1_000, 2: 1_000 });
  assert.deepEqual(table.tryAct(1, 'evenMoney')?.cites, ['art.10.3']);
});

test('r.34 in Portugal a ten or a figure gives no even money, an ace does until the second card is turned', () => {
  const open = UP_CARDS.filter((up) =>
    offered(play(`AS TS ${up} KD 9D 8C`, {}, { 1: 1_000, 2: 1_000 }, inPortugal)),
  );
  assert.deepEqual(open, ['AH']);
  const table = play('AS TS AH KD 9D 8C', {}, { 1: 1_000, 2: 1_000 }, inPortugal);
  while (table.state.phase === 'offers') table.wait();
  say(table, '2:stand');
  assert.equal(table.bank, 'AH 8C');
  assert.notEqual(table.tryAct(1, 'evenMoney'), null);
  assert.ok(mainOf(table)?.includes(' blackjack 1500 '));
});

test('art. 10.3 before the turns of others are over a blackjack may still ask; after the look it may not', () => {
  const table = play('AS TS AH KH 5D wait', {}, { 1: 1_000, 2: 1_000 });
  assert.equal(table.state.phase, 'turns');
  say(table, '2:hit 2C 2:stand');
  assert.equal(table.state.phase, 'bank', 'nobody is left to play, and the second card is not out');
  say(table, '1:evenMoney');
  table.draw('KC');
  assert.equal(mainOf(table), '1.0 main even-money 1000 art.10.3');

  const looked = play('AS TS AH KH 5D 8C wait', { dealing: 'holeCard' }, { 1: 1_000, 2: 1_000 });
  const refused = looked.tryAct(1, 'evenMoney');
  assert.deepEqual([refused?.code, refused?.cites], ['too-late', ['art.10.3']]);
});

/** Seat 1 with a bet of seat 2 behind it. */
function shared(changes: Partial<TableProfile>, script: string): TestTable {
  const table = TestTable.ready({}, changes);
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 1_000, 2);
  table.must({ type: 'close-betting' });
  say(table, script);
  return table;
}

test('art. 10.3 each bettor of a seat answers for itself; r.15 where the holder binds, nobody else is asked', () => {
  const table = shared({}, 'AS AH KH');
  say(table, '1<2:declineInsurance 1:insure=500');
  assert.deepEqual(table.state.round?.offers?.pending, [
    { seat: 1, by: 1 },
    { seat: 1, by: 2 },
  ]);
  say(table, '1:playOn 1<2:evenMoney');
  table.draw('KC');
  assert.deepEqual(table.lines, [
    '1.0 main push 0 art.11.1.1',
    '1 insurance win 1000 art.12.2',
    '1<2.0 main even-money 1000 art.10.3',
  ]);

  const bound = shared(inPortugal, 'AS AH KH KC');
  say(bound, '1<2:declineInsurance');
  assert.deepEqual(bound.state.round?.offers?.pending, [{ seat: 1, by: 1 }], 'the holder decides for both');
  say(bound, '1:declineInsurance 1:evenMoney');
  assert.deepEqual(bound.lines, ['1.0 main even-money 1000 r.34', '1<2.0 main even-money 1000 r.34']);
});

test('art. 10.3 an answer on insurance says that more is asked only while it is', () => {
  const said = (script: string): unknown[] =>
    play(script, {}, { 1: 1_000, 2: 1_000 }).events.flatMap((event) =>
      event.type === 'insurance-laid' || event.type === 'insurance-declined' ? [event.stillAsked] : [],
    );
  assert.deepEqual(said('AS TS AH KH 9D 1:insure=500 2:insure=500'), [true, undefined]);
  assert.deepEqual(said('AS TS AH KH 9D 1:declineInsurance'), [true]);
  assert.deepEqual(said('AS TS AH KH 9D wait 1:insure=500'), [undefined], 'nobody is asked any more');
});
