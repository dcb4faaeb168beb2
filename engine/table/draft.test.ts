/** Where things lie in a state, and what is said where they do not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, profileWith, TestTable } from '../../test/support/table-kit.ts';
import { evolve, initialState } from '../engine.ts';
import { BACCARAT } from '../games/baccarat/baccarat.ts';
import { articlesOf, isTaken, profileOf, rulesOf } from './draft.ts';
import { forgetResult, takeRaises } from './places.ts';
import { type ProfileChange, profileChanges } from './profile-changes.ts';
import { addRows, allRows, gameNamed, handIn } from './registry.ts';
import { shapeOf } from './shape.ts';
import type { RoundSeat } from './state.ts';

test('what is asked of a table without a profile, or of a game or a rulebook that there is not, is an error that says so', () => {
  const state = initialState();
  assert.throws(() => profileOf(state), /^Error: no profile$/);
  assert.throws(() => rulesOf(state), /^Error: no rules$/);
  const profile = profileWith({}, { rulebook: 'x' as 'macau-baccarat', authorisations: [] });
  assert.throws(() => articlesOf({ ...state, profile }), /^Error: no rulebook$/);
  assert.throws(() => gameNamed('x' as 'baccarat'), /^Error: no game x has been handed in/);
});

test('an event has one row: the same one may be handed in again, another one may not', () => {
  const row = allRows().get('bet-placed')!;
  const before = allRows().size;
  addRows({ 'bet-placed': row });
  assert.throws(() => addRows({ 'bet-placed': { ...row } }), /^Error: the event bet-placed has two rows$/);
  assert.deepEqual([allRows().size, allRows().get('bet-placed') === row], [before, true]);
});

test('an event that nobody knows, and one that a game adds to before there is a game', () => {
  const before = JSON.stringify(initialState());
  assert.equal(JSON.stringify(evolve(initialState(), { type: 'x' } as never)), before);
  const burned = { type: 'card-burned', atMs: 1, card: 0, drawNo: 1, confidence: 255, waited: false };
  const { shoe, round } = evolve(initialState(), { ...burned, why: 'war', person: null, cites: [] } as never);
  assert.deepEqual([shoe.drawn, round], [1, null]);
});

test('a game that comes later brings what its states hold beside the common members', () => {
  const rules = TestTable.ready({}, { rulebook: 'macau-baccarat' }).state.rules;
  const common = JSON.stringify(shapeOf({ rules }).table());
  const own = { own: 1 } as object;
  try {
    handIn({ ...BACCARAT, parts: { table: () => own } });
    assert.deepEqual(shapeOf({ rules }).table(), { ...JSON.parse(common), ...own });
    handIn({ ...BACCARAT, parts: {} });
    assert.equal(JSON.stringify(shapeOf({ rules }).table()), common);
    handIn(BACCARAT);
    assert.equal(JSON.stringify(shapeOf({ rules }).table()), common);
  } finally {
    handIn({ ...BACCARAT, parts: {} });
    handIn(BACCARAT);
  }
});

test('a seat is taken while any money of its bettor is at the table, on whatever seat it lies', () => {
  const table = TestTable.ready({}, { maxCreditMinor: amount(10_000) }, 0);
  const taken = (): boolean[] => [0, 1, 2, 8].map((seat) => isTaken(table.state, seat));
  assert.deepEqual(taken(), [false, false, false, false]);
  table.insert(1, 10_000);
  assert.deepEqual(taken(), [false, true, false, false]);
  table.open();
  table.bet(1, 10_000);
  assert.equal(table.credit(1), 0);
  assert.deepEqual(taken(), [false, true, false, false]);
  const { state } = TestTable.ready({}, {}, 0);
  state.seats[1]!.wins = [{ requestId: 'w', payNo: 1, amountMinor: amount(100), sinceMs: 0 }];
  assert.deepEqual(
    [1, 2].map((seat) => isTaken(state, seat)),
    [false, true],
  );
  const asked = TestTable.ready({}, {}, 10_000);
  asked.must({ type: 'request-cash-out', seat: 1, requestId: 'c' });
  assert.equal(isTaken(asked.state, 1), true);
});

test('a result is forgotten for its bettor alone, and the last one leaves none behind', () => {
  const { state } = TestTable.ready({}, {}, 0);
  const result = { roundId: 'r', no: 1, lines: [] };
  state.results = { 1: result, 2: result };
  forgetResult(state, 3);
  assert.deepEqual(Object.keys(state.results), ['1', '2']);
  forgetResult(state, 1);
  assert.deepEqual(Object.keys(state.results), ['2']);
  forgetResult(state, 2);
  assert.equal(state.results, undefined);
});

test('raises come out of the credit of who raises, in the order of the bettors, nothing of who does not', () => {
  const { state } = TestTable.ready();
  const seat = { bettors: [1, 2, 3].map((by) => ({ by })) } as unknown as RoundSeat;
  const raises = [
    { by: 3, amountMinor: amount(300) },
    { by: 2, amountMinor: amount(200) },
  ];
  assert.deepEqual(takeRaises(state, seat, raises), [0, 200, 300]);
  assert.deepEqual(
    state.seats.slice(0, 3).map(({ creditMinor }) => creditMinor),
    [100_000, 99_800, 99_700],
  );
});

test('what another profile has otherwise is named by its place, down to single values; lists are wholes', () => {
  const changed = (
    from: Parameters<typeof profileWith>,
    to: Parameters<typeof profileWith>,
  ): ProfileChange[] => profileChanges(profileWith(...from), profileWith(...to));
  const span = { ms: 1, mostMinor: amount(2) };
  assert.deepEqual(changed([{}], [{}]), []);
  assert.deepEqual(changed([{ decks: 6 }, { tableName: 'A' }], [{ decks: 8 }, { tableName: 'B' }]), [
    { place: 'options.decks', from: 6, to: 8 },
    { place: 'tableName', from: 'A', to: 'B' },
  ]);
  const [few, many] = [[amount(1)], [amount(1), amount(2)]];
  assert.deepEqual(changed([{}, { notesMinor: few }], [{}, { notesMinor: many }]), [
    { place: 'notesMinor', from: few, to: many },
  ]);
  // One is not there, or is no object: nothing is to be looked for in it.
  const limits = { noteLimits: { span } };
  assert.deepEqual(changed([{}], [{}, limits]), [{ place: 'noteLimits', from: null, to: { span } }]);
  assert.deepEqual(changed([{}, limits], [{}]), [{ place: 'noteLimits', from: { span }, to: null }]);
  assert.deepEqual(changed([{}, limits], [{}, { noteLimits: { span: { ...span, ms: 3 } } }]), [
    { place: 'noteLimits.span.ms', from: 1, to: 3 },
  ]);
  assert.deepEqual(changed([{ jackpot: { stake: 1 } }], [{ jackpot: 'none' }]), [
    { place: 'options.jackpot', from: { stake: 1 }, to: 'none' },
  ]);
  assert.deepEqual(changed([{ jackpot: 'none' }], [{ jackpot: { stake: 1 } }]), [
    { place: 'options.jackpot', from: 'none', to: { stake: 1 } },
  ]);
  assert.deepEqual(changed([{ sideBets: ['a'] }], [{ sideBets: { a: 1 } }]), [
    { place: 'options.sideBets', from: ['a'], to: { a: 1 } },
  ]);
  assert.deepEqual(changed([{ sideBets: { a: 1 } }], [{ sideBets: ['a'] }]), [
    { place: 'options.sideBets', from: { a: 1 }, to: ['a'] },
  ]);
});
