/** When a round is opened, goes on, and is closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTENDANT,
  DEALER,
  SUPERVISOR,
  TestTable,
  type TimelessInput,
} from '../../test/support/table-kit.ts';
import { initialState } from '../engine.ts';
import { isNextRoundLast, refuseOpening } from './rounds.ts';
import type { TableState } from './state.ts';

const open = { type: 'open-betting', roundId: 'r1' } as const;
const told = (table: TestTable, input: TimelessInput): string | null => {
  const refused = table.try(input);
  return refused && [refused.code, refused.detail].filter(Boolean).join(' ');
};
/** A card that nobody was due holds the table. */
const stray = (table: TestTable): void => {
  table.draw('5C');
  assert.equal(table.state.hold?.code, 'unexpected-card');
};
/** A round that has come to its result. */
function settled(): TestTable {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 7D');
  table.wait();
  table.act(1, 'stand');
  table.draw('TC');
  return table;
}

test('a round is opened at an idle table that has a profile, a dealer and no hold, and under a name', () => {
  assert.equal(refuseOpening(initialState())?.detail, 'the table has no profile');
  const table = TestTable.ready();
  assert.equal(told(table, { ...open, roundId: '' }), 'malformed roundId');
  stray(table);
  assert.equal(told(table, open), 'held');
  table.must({ type: 'set-card-aside', person: DEALER });
  table.must({ type: 'sign-out-dealer' });
  assert.equal(told(table, open), 'no-dealer');
  table.must({ type: 'sign-in-dealer', person: DEALER });
  table.must(open);
  assert.equal(told(table, open), 'not-allowed a round is on the table');
  table.must({ type: 'obey-centre', lock: 'night', acceptorsOff: [], notes: [], maintenance: null });
  assert.equal(told(table, open), 'not-allowed a round is on the table', 'that comes first');
});

test('a demonstration has a name as well', () => {
  const table = TestTable.ready({ demoRounds: 1 }, { rulebook: 'macau-baccarat' });
  assert.equal(told(table, { type: 'demo-round', roundId: '' }), 'malformed roundId');
  assert.equal(told(table, { type: 'demo-round', roundId: 'd' }), null);
});

test('the next round is the last of its shoe where the white card says so, and no earlier', () => {
  const isLast = (rounds: number, lastRound: number | null): boolean =>
    isNextRoundLast({ shoe: { rounds, lastRound } } as TableState);
  assert.deepEqual([isLast(3, null), isLast(3, 5), isLast(3, 4), isLast(4, 4)], [false, false, true, true]);
});

test('betting is closed and given more time while it runs and the table is not held', () => {
  const table = TestTable.ready();
  for (const type of ['close-betting', 'extend-betting'] as const)
    assert.equal(told(table, { type }), 'not-due');
  table.must(open);
  table.bet(1, 1_000);
  table.must({ type: 'report-fault', device: 'display', fault: 'lost', place: '', stops: 'table' });
  for (const type of ['close-betting', 'extend-betting'] as const)
    assert.equal(told(table, { type }), 'held');
  table.must({ type: 'clear-fault', device: 'display', fault: 'lost' });
  table.must({ type: 'confirm-layout', person: DEALER });
  table.must({ type: 'extend-betting' });
  table.must({ type: 'close-betting' });
  for (const type of ['close-betting', 'extend-betting'] as const)
    assert.equal(told(table, { type }), 'not-due');
});

test('a deadline is reached where one runs, and not before', () => {
  const table = TestTable.ready();
  assert.equal(told(table, { type: 'reach-deadline' }), 'not-due');
  table.must(open);
  const { atMs } = table.state.deadline!;
  assert.equal(told(table, { type: 'reach-deadline', atMs: atMs - 1 }), 'not-due');
  assert.equal(told(table, { type: 'reach-deadline', atMs }), null);
});

test('a game without a series has none that could be forfeited', () => {
  const table = TestTable.ready({}, { rulebook: 'macau-baccarat' });
  const forfeit = { type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR } as const;
  assert.equal(told(table, forfeit), 'off this game has no series');
});

test('a round is void by a word of the dealer or a supervisor, while it is on the table', () => {
  const table = TestTable.ready();
  const undo = (person: typeof DEALER) => told(table, { type: 'void-round', reason: 'misdeal', person });
  assert.equal(undo(DEALER), 'not-due no round');
  table.bets({ 1: 1_000 });
  assert.equal(undo(ATTENDANT), 'person dealer or supervisor');
  assert.equal(undo(DEALER), null);
  assert.equal(undo(DEALER), 'round-over');
  table.close();
  table.bets({ 1: 1_000 });
  assert.equal(undo(SUPERVISOR), null);
});

test('a round is closed once it has its result, everybody has read it, and the table is not held', () => {
  const close = { type: 'close-round' } as const;
  const table = TestTable.ready();
  assert.equal(told(table, close), 'not-due no settled round');
  table.must(open);
  assert.equal(told(table, close), 'not-due no settled round');
  const held = settled();
  assert.equal(told(held, close), 'not-due the result must be readable first');
  held.wait();
  stray(held);
  assert.equal(told(held, close), 'held');
  held.must({ type: 'set-card-aside', person: DEALER });
  assert.equal(told(held, close), null);
  assert.equal(held.state.phase, 'idle');
  const box = TestTable.ready({ dealing: 'faceDown', cardSource: 'box', decks: 1 });
  box.bets({ 1: 1_000 });
  box.must({ type: 'void-round', reason: 'misdeal', person: DEALER });
  box.close();
  assert.equal(box.state.phase, 'shoe', 'one round of a box');
});

test('where the house counts its cards it does so at the end of a shoe, and not after each round', () => {
  const toCount = (options: Parameters<typeof TestTable.ready>[0]): boolean => {
    const table = TestTable.ready(options, { countCards: true });
    table.bets({ 1: 1_000 });
    table.must({ type: 'void-round', reason: 'misdeal', person: DEALER });
    table.close();
    return table.state.shoe.toCount !== undefined;
  };
  assert.deepEqual(
    [toCount({}), toCount({ dealing: 'faceDown', cardSource: 'box', decks: 1 })],
    [false, true],
  );
});
