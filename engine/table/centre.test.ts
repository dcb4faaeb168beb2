/** What the casino's centre may ask of a table, and what of it touches nobody's money. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { allowedNotes, dealerOptions, nextStep } from '../engine.ts';
import { isNoteOpen } from './centre.ts';
import type { CentreOrders, InputOf } from './inputs.ts';

const NONE: CentreOrders = { lock: null, acceptorsOff: [], notes: [], maintenance: null };
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

test('a table under maintenance ends its round, then rests: no round, no note, and a person or the centre ends it', () => {
  const table = TestTable.ready({}, {}, 100_000);
  const resting = { no: 4, reason: 'new filter' };
  table.must({ type: 'open-betting', roundId: 'r1' });
  obey(table, { maintenance: resting });
  assert.notDeepEqual(allowedNotes(table.state, 2), [], 'who doubles may still put a note in');
  table.must({ type: 'close-betting' });
  assert.equal(nextStep(table.state).step, 'locked-by-centre');
  assert.equal(table.try({ type: 'open-betting', roundId: 'r2' })?.code, 'centre-lock');
  assert.deepEqual(allowedNotes(table.state, 2), []);
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'pay-1' });
  table.must({ type: 'cancel-cash-out', seat: 1, requestId: 'pay-1' });

  const technician = { ...SUPERVISOR, id: 'T-1', role: 'technician' } as const;
  table.must({ type: 'enter-service', person: technician });
  const attendant = { ...SUPERVISOR, role: 'attendant' } as const;
  assert.equal(table.try({ type: 'end-maintenance', person: attendant })?.code, 'person');
  table.must({ type: 'end-maintenance', person: technician });
  assert.equal(table.try({ type: 'end-maintenance', person: technician })?.code, 'nothing-to-do');
  table.must({ type: 'exit-service' });
  const { length } = table.events;
  obey(table, { maintenance: resting });
  assert.equal(table.events.length, length, 'what a person has ended is not obeyed again');
  table.must({ type: 'open-betting', roundId: 'r2' });
  table.must({ type: 'close-betting' });
  obey(table, { maintenance: { no: 5, reason: 'again' } });
  obey(table, { maintenance: { no: 6, reason: 'longer' } });
  obey(table, {});
  assert.deepEqual(
    table.events.slice(-3).map(({ type }) => type),
    ['maintenance-begun', 'maintenance-begun', 'maintenance-ended'],
  );
  table.must({ type: 'open-betting', roundId: 'r3' });
});

test('a hand-pay is reset by its number, by the rules of the desk; a win can only be paid', () => {
  const table = TestTable.ready({}, { twoPersonHandPayMinor: amount(50_000) }, 100_000);
  const byOrder = { no: 7, issuer: 'M. Lei' };
  const reset = (payNo: number, paid: InputOf<'reset-hand-pay'>['paid'] = null) =>
    ({ type: 'reset-hand-pay', payNo, paid, byOrder }) as const;
  const second = { ...SUPERVISOR, id: 'other' };
  assert.equal(table.try(reset(1))?.code, 'nothing-to-do');
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'pay-1' });
  table.must({ type: 'request-cash-out', seat: 2, requestId: 'pay-2' });
  assert.equal(table.try(reset(3))?.code, 'nothing-to-do');
  table.must(reset(2));
  const credits = () => table.state.seats.slice(0, 2).map(({ creditMinor }) => creditMinor);
  assert.deepEqual(credits(), [0, 100_000], 'the other one waits on');
  assert.equal(table.try(reset(2))?.code, 'nothing-to-do');
  assert.equal(table.try(reset(1, { person: SUPERVISOR, second: null }))?.code, 'person');
  assert.equal(table.try(reset(1, { person: SUPERVISOR, second: SUPERVISOR }))?.code, 'person');
  const door = {
    type: 'report-fault',
    device: 'cabinet',
    fault: 'x',
    place: '',
    stops: 'cash-outs',
  } as const;
  table.must(door);
  assert.equal(table.try(reset(1, { person: SUPERVISOR, second }))?.code, 'held');
  table.must({ type: 'clear-fault', device: 'cabinet', fault: 'x' });
  table.must(reset(1, { person: SUPERVISOR, second }));
  const paid = table.events.at(-1)!;
  assert.ok(paid.type === 'hand-paid' && paid.payNo === 1 && paid.byOrder?.no === 7, JSON.stringify(paid));
  assert.deepEqual(credits(), [0, 100_000]);

  table.must({ type: 'request-cash-out', seat: 2, requestId: 'pay-3' });
  const { payNo } = table.state.seats[1]!.cashOut!;
  table.must({ type: 'report-fault', device: 'books', fault: 'books-differ', place: '' });
  assert.equal(table.try(reset(payNo!))?.code, 'held');
  table.must({ type: 'clear-fault', device: 'books', fault: 'books-differ' });
  table.must({ type: 'confirm-layout', person: SUPERVISOR });
  table.must(door);
  table.must(reset(payNo!));
  assert.equal(table.credit(2), 100_000, 'no money has gone out');

  // A win above the table's limit waits instead of lifting the credit.
  table.state.seats[0]!.wins = [{ requestId: 'w-9', amountMinor: amount(10_000), sinceMs: 0, payNo: 9 }];
  assert.equal(table.try(reset(9))?.code, 'not-allowed');
  assert.equal(table.try(reset(8))?.code, 'nothing-to-do');
});
