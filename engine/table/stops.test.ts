import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTENDANT, DEALER, TestTable } from '../../test/support/table-kit.ts';
import { bettingChoices, nextStep } from '../engine.ts';
import type { Fault, TableState } from './state.ts';
import { areCashOutsStopped, areRoundsStopped, isSeatLocked, stopOf } from './stops.ts';

const lock = (table: TestTable, seat: number): void => {
  table.must({ type: 'report-fault', device: `acceptor-${seat}`, fault: 'x', place: '', stops: [seat] });
};
const held = (table: TestTable): string | null => table.state.hold?.code ?? null;
const deadlineMs = (table: TestTable): number => table.state.deadline?.atMs ?? 0;

test('a fault that locks a seat: its bettor lays nothing more, on whatever seat; the others go on', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 10_000);
  table.bet(2, 10_000);
  lock(table, 1);
  assert.equal(table.tryBet(1, 1_000)?.code, 'seat-locked');
  assert.equal(table.tryBet(2, 1_000, 1)?.code, 'seat-locked');
  const again = { roundId: table.roundId, seat: 1, touchedAtMs: table.atMs };
  assert.equal(table.try({ type: 'double-bets', ...again })?.code, 'seat-locked');
  const offered = bettingChoices(table.state, 1).filter(({ act }) => act === 'place-bet');
  assert.ok(offered.length > 0);
  for (const { allowed, code } of offered) assert.deepEqual([allowed, code], [false, 'seat-locked']);
  table.bet(3, 10_000);

  // What lies may be taken back, and repeated no more.
  table.must({ type: 'clear-bets', ...again });
  assert.equal(table.credit(1), 100_000);
  table.must({ type: 'clear-fault', device: 'acceptor-1', fault: 'x' });
  table.bet(1, 10_000);
});

test('bets that lie when the seat is locked stand, are played to their end and paid; the credit stays payable', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000 });
  table.draw('TS 9H 9D');
  table.wait();
  lock(table, 1);
  table.act(1, 'stand');
  table.draw('8C');
  const settled = table.events.findLast((event) => event.type === 'round-settled');
  assert.ok(settled?.type === 'round-settled');
  assert.equal(settled.lines[0]?.outcome, 'win');
  assert.equal(table.credit(1), 110_000);
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT, second: null });
  assert.equal(table.credit(1), 0);
});

test('while a door stands open no money is asked for or paid by hand, and the game goes on', () => {
  const table = TestTable.ready();
  const ask = { type: 'request-cash-out', seat: 1, requestId: 'c1' } as const;
  const pay = {
    type: 'confirm-hand-pay',
    seat: 1,
    requestId: 'c1',
    person: ATTENDANT,
    second: null,
  } as const;
  table.must({ ...ask, seat: 2, requestId: 'c2' });
  for (const stops of ['cash-outs', 'everything'] as const) {
    table.must({ type: 'report-fault', device: 'doors', fault: 'door', place: 'main', stops });
    for (const input of [ask, { ...pay, seat: 2, requestId: 'c2' }])
      assert.deepEqual(table.try(input)?.detail, 'a door stands open', stops);
    table.must({ type: 'clear-fault', device: 'doors', fault: 'door' });
  }
  table.must(ask);
  table.must(pay);
  table.bets({ 3: 10_000 });
});

test('a fault that stops the table: the round is held with its time, and goes on when the fault is over and the layout confirmed', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000 });
  table.draw('TS 9H 9D');
  table.wait();
  assert.ok(deadlineMs(table) > 0);
  table.must({ type: 'report-fault', device: 'display', fault: 'lost', place: '', stops: 'table' });
  assert.deepEqual([held(table), table.state.hold?.detail], ['machine-fault', 'lost']);
  assert.equal(deadlineMs(table), 0);
  assert.equal(nextStep(table.state).step, 'call-supervisor');
  assert.equal(table.tryAct(1, 'stand')?.code, 'held');
  assert.equal(table.try({ type: 'confirm-layout', person: DEALER })?.code, 'held');
  table.atMs += 60_000;
  table.must({ type: 'clear-fault', device: 'display', fault: 'lost' });
  const cleared = table.events.at(-1);
  assert.ok(cleared?.type === 'fault-cleared' && cleared.forMs !== undefined && cleared.forMs >= 60_000);
  assert.equal(nextStep(table.state).step, 'confirm-layout');
  table.must({ type: 'confirm-layout', person: DEALER });
  assert.ok(deadlineMs(table) > table.atMs, 'its time is as it was');
  table.act(1, 'stand');
});

test('no round is opened while such a fault stands, and another hold gives way to it', () => {
  const table = TestTable.ready();
  table.must({ type: 'report-fault', device: 'display', fault: 'lost', place: '', stops: 'table' });
  assert.equal(held(table), null);
  assert.equal(table.try({ type: 'open-betting', roundId: 'r1' })?.code, 'held');
  assert.equal(nextStep(table.state).step, 'call-supervisor');
  table.must({ type: 'clear-fault', device: 'display', fault: 'lost' });
  table.bets({ 1: 10_000 });
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  table.must({ type: 'report-fault', device: 'display', fault: 'lost', place: '', stops: 'table' });
  assert.equal(held(table), 'recovery');
  table.must({ type: 'confirm-layout', person: DEALER });
  assert.equal(held(table), 'machine-fault');
});

test('what a fault stops: the table, its rounds, money that goes out, single seats, or nothing', () => {
  const asked = (stops?: Fault['stops']): unknown[] => {
    const fault = { device: 'd', fault: 'f', place: '', ...(stops === undefined ? {} : { stops }) };
    const state = { faults: [fault] } as unknown as TableState;
    return [
      stopOf(state) === fault,
      areRoundsStopped(state),
      areCashOutsStopped(state),
      isSeatLocked(state, 1),
      isSeatLocked(state, 2),
    ];
  };
  for (const [stops, ...expected] of [
    [undefined, false, false, false, false, false],
    ['table', true, true, false, false, false],
    ['rounds', false, true, false, false, false],
    ['cash-outs', false, false, true, false, false],
    ['everything', true, true, true, false, false],
    [[2], false, false, false, false, true],
  ] as const)
    assert.deepEqual(asked(stops), expected, String(stops));
});
