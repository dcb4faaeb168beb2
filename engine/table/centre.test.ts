/** What the casino's centre may ask of a table, and what of it touches nobody's money. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { allowedNotes, dealerOptions, nextStep } from '../engine.ts';
import { isNoteOpen } from './centre.ts';
import type { CentreOrders } from './inputs.ts';

const NONE: CentreOrders = { lock: null, acceptorsOff: [], notes: [] };
const obey = (table: TestTable, orders: Partial<CentreOrders>) =>
  table.must({ type: 'obey-centre', ...NONE, ...orders });

test('a locked table ends its round, opens no other one, and pays out', () => {
  const table = TestTable.ready({}, {}, 100_000);
  table.must({ type: 'open-betting', roundId: 'r1' });
  const before = table.state.deadline;
  obey(table, { lock: 'cash count' });
  assert.deepEqual(table.state.deadline, before, 'the window that is open stays open');
  const bet = {
    roundId: 'r1',
    seat: 1,
    by: 1,
    bet: 'main',
    amountMinor: amount(10_000),
    touchedAtMs: table.atMs,
  };
  table.must({ type: 'place-bet', ...bet });
  table.must({ type: 'clear-bets', roundId: 'r1', seat: 1, touchedAtMs: table.atMs });
  table.must({ type: 'close-betting' });
  assert.equal(table.state.phase, 'idle');
  assert.deepEqual(nextStep(table.state), { step: 'locked-by-centre', cites: [] });
  for (const type of ['open-betting', 'demo-round'] as const)
    assert.equal(table.try({ type, roundId: 'r2' })?.code, 'centre-lock');
  assert.ok(dealerOptions(table.state).every(({ option }) => option !== 'demo-round'));
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'pay-1' });
  table.must({
    type: 'confirm-hand-pay',
    seat: 1,
    requestId: 'pay-1',
    person: SUPERVISOR,
    second: { ...SUPERVISOR, id: 'other' },
  });
  // Over a restart of the process, too.
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.equal(nextStep(table.state).step, 'locked-by-centre');
  obey(table, {});
  table.must({ type: 'open-betting', roundId: 'r2' });
});

test('an order that is in force already changes nothing', () => {
  const table = TestTable.ready();
  obey(table, { lock: 'a', acceptorsOff: [2], notes: [{ acceptor: null, valuesMinor: [10_000] }] });
  const { length } = table.events;
  obey(table, { lock: 'a', acceptorsOff: [2], notes: [{ acceptor: null, valuesMinor: [10_000] }] });
  assert.equal(table.events.length, length);
  obey(table, { lock: 'b', acceptorsOff: [2], notes: [{ acceptor: null, valuesMinor: [10_000] }] });
  assert.deepEqual(
    table.events.slice(length).map(({ type }) => type),
    ['centre-locked'],
  );
  obey(table, { acceptorsOff: [2], notes: [{ acceptor: 1, valuesMinor: [10_000] }] });
  assert.deepEqual(
    table.events.slice(length + 1).map(({ type }) => type),
    ['centre-unlocked', 'notes-limited'],
  );
  const open = (acceptor: number): boolean[] =>
    [10_000, 50_000].map((value) => isNoteOpen(table.state, acceptor, value));
  assert.deepEqual(
    [open(1), open(2), open(3)],
    [
      [true, false],
      [false, false],
      [true, true],
    ],
    'its own line',
  );
});

test('a table that was never told anything is as it was before there were orders', () => {
  const table = TestTable.ready();
  obey(table, {});
  assert.equal('centre' in table.state, false);
});

test('notes the centre has closed go back, with the reason and whose word it is', () => {
  const table = TestTable.ready({}, { notesMinor: [amount(10_000), amount(50_000)] });
  const insert = (acceptor: number, valueMinor: number): unknown => {
    table.must({
      type: 'hear-acceptor',
      acceptor,
      word: 'escrow',
      noteId: `n${table.events.length}`,
      note: { currency: 'MOP', valueMinor },
    });
    const last = table.events.at(-1)!;
    if (last.type === 'note-refused') return [last.why, last.byCentre];
    table.must({ type: 'hear-acceptor', acceptor, word: 'credited' });
    return 'taken';
  };
  obey(table, {
    acceptorsOff: [3],
    notes: [
      { acceptor: null, valuesMinor: [10_000] },
      { acceptor: 2, valuesMinor: [50_000] },
    ],
  });
  assert.deepEqual(
    [1, 2, 3].map((acceptor) => allowedNotes(table.state, acceptor)),
    [[10_000], [50_000], []],
  );
  assert.deepEqual(insert(1, 50_000), ['denomination', true]);
  assert.equal(insert(1, 10_000), 'taken');
  assert.equal(insert(2, 50_000), 'taken');
  assert.deepEqual(insert(2, 10_000), ['denomination', true]);
  assert.deepEqual(insert(3, 10_000), ['acceptor-off', true]);
  assert.deepEqual(
    insert(1, 2_000),
    ['denomination', undefined],
    'what the profile has not is the profile’s word',
  );
  obey(table, { acceptorsOff: [null] });
  assert.deepEqual(
    [1, 2, 3].map((acceptor) => allowedNotes(table.state, acceptor)),
    [[], [], []],
  );
  obey(table, {});
  assert.equal(insert(3, 50_000), 'taken');
});
