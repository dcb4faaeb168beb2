import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ATTENDANT,
  amount,
  DEALER,
  SUPERVISOR,
  TECHNICIAN,
  TestTable,
  type TimelessInput,
} from '../../test/support/table-kit.ts';
import { meterValue } from '../accounting/meter-fold.ts';
import { MOST_MINOR } from '../core/money.ts';
import { decide, evolve, initialState } from '../engine.ts';
import { DUTIES } from './duties.ts';
import type { TableEvent } from './events.ts';
import { ADJUST_REASONS, type Input, type Person, type PersonRole } from './inputs.ts';

const meter = (table: TestTable, code: string): number => meterValue(table.meters, code);
const balance = (table: TestTable, account: string): number => table.balances.get(account) ?? 0;

const adjust = (more: Partial<Extract<TimelessInput, { type: 'adjust-credit' }>> = {}): TimelessInput => ({
  type: 'adjust-credit',
  seat: 1,
  amountMinor: amount(2_500),
  reason: 'settlement-wrong',
  words: '',
  corrects: { roundId: 'r1', seq: null },
  complaintNo: null,
  person: ATTENDANT,
  second: SUPERVISOR,
  ...more,
});

test('607 a credit is put right beside what stands: two legs that only grow, and the credit follows both', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000 });
  table.draw('TS 9D 9H');
  table.wait();
  table.act(1, 'stand');
  table.draw('KC');
  const before = JSON.stringify(table.state.round?.lines ?? null);
  table.must(adjust());
  table.must(adjust({ amountMinor: amount(-1_000), reason: 'note-wrong' }));
  assert.equal(JSON.stringify(table.state.round?.lines ?? null), before, 'no line is touched');
  assert.equal(balance(table, 'adjustments'), 1_500);
  assert.deepEqual([meter(table, 'credit_adjust_up'), meter(table, 'credit_adjust_down')], [2_500, 1_000]);
  const last = table.events.at(-1);
  assert.ok(last?.type === 'credit-adjusted');
  assert.deepEqual([last.person.id, last.second.id, last.corrects.roundId], ['a1', 's1', 'r1']);
  table.checkReplay();
});

test('607 two different persons, the second a supervisor; a reason out of the list, `other` only with words', () => {
  const table = TestTable.ready();
  const other = (id: string, role: PersonRole): Person => ({ id, name: id, role });
  const code = (more: Parameters<typeof adjust>[0]): string => table.try(adjust(more))?.code ?? 'done';
  assert.equal(code({ person: SUPERVISOR }), 'person', 'the same one twice');
  assert.equal(code({ second: other('a2', 'attendant') }), 'person');
  assert.equal(code({ person: DEALER }), 'person');
  assert.equal(code({ person: TECHNICIAN }), 'person');
  assert.equal(code({ person: other('s2', 'supervisor') }), 'done');
  assert.equal(code({ reason: 'other', words: '  ' }), 'malformed');
  assert.equal(code({ reason: 'other', words: 'a chip under the rail' }), 'done');
  for (const none of [0, 0.5, Number.MAX_SAFE_INTEGER])
    assert.equal(code({ amountMinor: none as ReturnType<typeof amount> }), 'malformed', `${none}`);
  assert.equal(code({ amountMinor: amount(-1_000_000) }), 'no-credit');
  assert.equal(code({ seat: 9 }), 'unknown-seat');
  assert.equal(code({ complaintNo: 1 }), 'nothing-to-do');
  table.must({ type: 'enter-service', person: TECHNICIAN });
  assert.equal(code({}), 'service');
  table.must({ type: 'exit-service' });
  table.must({ type: 'report-fault', device: 'books', fault: 'stake', place: 'ledger' });
  assert.equal(code({}), 'held', 'while the books do not agree no money moves by hand');
});

test('607 no credit is lifted above what can be counted; one that is there already may be lowered', () => {
  const table = TestTable.ready({}, {}, 0);
  for (const { seats } of [table.state, table.replayed]) seats[0]!.creditMinor = amount(MOST_MINOR + 10);
  const code = (amountMinor: number): string | undefined => {
    const decision = decide(table.state, {
      atMs: table.atMs,
      ...adjust({ amountMinor: amount(amountMinor) }),
    } as Input);
    return decision.ok ? undefined : decision.code;
  };
  assert.equal(code(5), 'limit');
  assert.equal(code(-5), undefined);
});

test('the roles of every duty, cell by cell', () => {
  const roles: readonly PersonRole[] = ['dealer', 'attendant', 'supervisor', 'technician', 'auditor'];
  for (const first of roles) {
    for (const second of roles) {
      const table = TestTable.ready();
      const person = { id: 'p1', name: 'P', role: first };
      const input = adjust({ person, second: { id: 'p2', name: 'Q', role: second } });
      const may =
        (DUTIES['adjust-credit'].first as readonly PersonRole[]).includes(first) &&
        (DUTIES['adjust-credit'].second as readonly PersonRole[]).includes(second);
      assert.equal(table.try(input)?.code ?? 'done', may ? 'done' : 'person', `${first} and ${second}`);
    }
  }
});

test('607 equation 1 holds whatever is put right, and nobody’s credit falls below nothing', () => {
  const table = TestTable.ready({}, {}, 100_000);
  const some = fc.record({
    seat: fc.integer({ min: 1, max: 7 }),
    amountMinor: fc.integer({ min: -150_000, max: 150_000 }).map(amount),
    reason: fc.constantFrom(...ADJUST_REASONS),
    words: fc.constantFrom('', 'counted again'),
  });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 20 }), (list) => {
      // The table checks books, postings and meters after each.
      for (const each of list) table.try(adjust(each));
      const credits = table.state.seats.map(({ creditMinor }) => creditMinor);
      assert.ok(credits.every((credit) => credit >= 0));
      const notes = 700_000 + balance(table, 'adjustments');
      assert.equal(
        credits.reduce((sum, credit) => sum + credit, 0),
        notes,
      );
    }),
    { seed: 607, numRuns: 60 },
  );
});

// ---- wins that are too large for the machine ----

/** Seats 1 and 2 win as much as they have laid. */
function won(handPaidWinMinor: number | null, stakes: Readonly<Record<number, number>>): TestTable {
  const table = TestTable.ready(
    {},
    handPaidWinMinor === null ? {} : { handPaidWinMinor: amount(handPaidWinMinor) },
  );
  table.bets(stakes);
  table.draw('TS KD 9D 9H 9C');
  table.wait();
  for (const seat of [1, 2]) table.act(seat, 'stand');
  table.draw('8C');
  return table;
}

test('511 a win above the limit is paid by hand and not on the credit; the stake comes back to the credit', () => {
  const table = won(15_000, { 1: 20_000, 2: 10_000 });
  assert.deepEqual(
    table.lines.map((line) => line.split(' ')[2]),
    ['win', 'win'],
  );
  assert.equal(table.credit(1), 100_000, 'the stake came back, the win did not');
  assert.equal(table.credit(2), 110_000, 'a win up to the limit is the machine’s');
  assert.deepEqual(
    table.state.seats[0]?.wins?.map(({ amountMinor, payNo }) => [amountMinor, payNo]),
    [[20_000, 1]],
  );
  assert.equal(balance(table, 'hand-pay-pending:1'), -20_000);
  assert.deepEqual(table.events.filter(({ type }) => type === 'substantial-win-noticed').length, 1);
  const coinOut = meter(table, 'coin_out');
  assert.equal(coinOut, 20_000 + 20_000, 'two stakes and one win of 10,000: without what is paid by hand');
  assert.equal(meter(table, 'won_total'), 60_000);

  const requestId = table.state.seats[0]?.wins?.[0]?.requestId ?? '';
  assert.equal(table.try({ type: 'cancel-cash-out', seat: 1, requestId })?.code, 'nothing-to-do');
  const pay = { type: 'confirm-hand-pay', seat: 1, requestId, person: ATTENDANT, second: null } as const;
  assert.equal(table.try({ ...pay, person: DEALER })?.code, 'person');
  assert.equal(table.try({ ...pay, seat: 2 })?.code, 'nothing-to-do');
  table.must(pay);
  assert.equal(table.try(pay)?.code, 'nothing-to-do', 'once');
  assert.equal(table.state.seats[0]?.wins, undefined);
  assert.deepEqual(
    ['att_paid_jackpot', 'handpaid_total', 'att_paid_cancelled', 'cashouts'].map((code) =>
      meter(table, code),
    ),
    [20_000, 20_000, 0, 0],
  );
  table.checkReplay();
});

test('511 a win that is just the limit is the machine’s', () => {
  const table = won(20_000, { 1: 20_000, 2: 10_000 });
  assert.equal(table.credit(1), 120_000);
  const settled = table.events.findLast(({ type }) => type === 'round-settled')!;
  assert.ok(!('byHand' in settled));
});

test('511 both above the limit are two hand-pays with numbers one after the other; a cash-out waits beside', () => {
  const table = won(5_000, { 1: 20_000, 2: 10_000 });
  table.must({ type: 'request-cash-out', seat: 2, requestId: 'c-2' });
  const numbers = table.state.seats.flatMap(({ cashOut, wins = [] }) =>
    [cashOut, ...wins].map((pay) => pay?.payNo),
  );
  assert.deepEqual(
    numbers.filter((no) => no !== undefined),
    [1, 3, 2],
  );
  assert.equal(balance(table, 'hand-pay-pending:2'), -110_000);
  table.must({ type: 'cancel-cash-out', seat: 2, requestId: 'c-2' });
  assert.equal(table.state.seats[1]?.wins?.length, 1, 'the win still waits');
  table.checkReplay();
});

test('511 off by default: the machine pays every win', () => {
  const table = won(null, { 1: 20_000, 2: 10_000 });
  assert.deepEqual([table.credit(1), table.credit(2)], [120_000, 110_000]);
  const settled = table.events.find(({ type }) => type === 'round-settled');
  assert.ok(settled && !('byHand' in settled));
});

// ---- held notes ----

function heldNote(valueMinor: number, inBox: boolean): TestTable {
  const table = TestTable.ready({}, { twoPersonHandPayMinor: amount(50_000) }, 0);
  const heard = { type: 'hear-acceptor', acceptor: 1, note: { currency: 'MOP', valueMinor } } as const;
  if (inBox) table.must({ ...heard, word: 'credited' });
  else {
    table.must({ ...heard, word: 'escrow', noteId: 'n1' });
    table.must({ type: 'hear-acceptor', acceptor: 1, word: 'idle' });
  }
  return table;
}
const resolve = {
  type: 'resolve-held-note',
  caseNo: 1,
  reason: 'seen-in-box',
  words: '',
  person: ATTENDANT,
  second: null,
} as const;

test('314 what became of a held note: credited, given back by hand, or without an owner; each on its account', () => {
  /** Sum of each account after the case is closed, notes in flight apart. */
  const after = (inBox: boolean, outcome: 'credited' | 'returned' | 'unclaimed'): Record<string, number> => {
    const table = heldNote(10_000, inBox);
    table.must({ ...resolve, outcome });
    table.checkReplay();
    return Object.fromEntries([...table.balances].filter(([, sum]) => sum !== 0));
  };
  assert.deepEqual(after(true, 'credited'), { 'cash-box:1': 10_000, 'seat-credit:1': -10_000 });
  assert.deepEqual(after(true, 'returned'), { 'cash-box:1': 10_000, 'hand-pay': -10_000 });
  assert.deepEqual(after(true, 'unclaimed'), { 'cash-box:1': 10_000, unclaimed: -10_000 });
  assert.deepEqual(after(false, 'credited'), { 'cash-box:1': 10_000, 'seat-credit:1': -10_000 });
  assert.deepEqual(after(false, 'returned'), {}, 'the note itself went back');
  assert.deepEqual(after(false, 'unclaimed'), {});
});

test('314 above the limit a held note needs two persons; the entry says who, why and what became of it', () => {
  const table = heldNote(100_000, true);
  const answer = { ...resolve, outcome: 'credited' } as const;
  assert.equal(table.try(answer)?.code, 'person');
  assert.equal(table.try({ ...answer, second: ATTENDANT })?.code, 'person');
  assert.equal(table.try({ ...answer, second: TECHNICIAN })?.code, 'person');
  assert.equal(table.try({ ...answer, second: SUPERVISOR, reason: 'other' })?.code, 'malformed');
  table.must({ ...answer, second: SUPERVISOR, reason: 'other', words: 'seen by both' });
  const closed = table.events.at(-1);
  assert.ok(closed?.type === 'held-note-resolved');
  assert.deepEqual(
    [closed.outcome, closed.reason, closed.words, closed.person.id, closed.second?.id],
    ['credited', 'other', 'seen by both', 'a1', 's1'],
  );
});

test('entries of earlier versions evolve to the states that were signed then', () => {
  const table = won(null, { 1: 20_000, 2: 10_000 });
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c-1' });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c-1', person: ATTENDANT, second: null });
  table.close();
  const NEW: ReadonlySet<string> = new Set(['kept', 'payNo']);
  const state = initialState();
  for (const event of table.events) {
    const old = Object.fromEntries(Object.entries(event).filter(([field]) => !NEW.has(field)));
    evolve(state, old as TableEvent);
  }
  assert.ok(!('lastRound' in state) && !('nextPayNo' in state));
  const { lastRound: _round, nextPayNo: _no, ...rest } = table.state;
  assert.deepEqual(state, rest);
});

test('607 at its limits: the most a person may type, a credit of nothing, the most a credit may be', () => {
  const most = 50_000;
  const table = TestTable.ready({}, { maxCreditMinor: amount(most) }, 0);
  table.insert(1, 10_000);
  const code = (value: number): string => table.try(adjust({ amountMinor: amount(value) }))?.code ?? 'done';
  assert.deepEqual([0, 0.5, 2 ** 53].map(code), ['malformed', 'malformed', 'malformed']);
  assert.deepEqual([most + 1, -most - 1].map(code), ['limit', 'limit']);
  assert.deepEqual([code(-10_001), code(-10_000), table.credit(1)], ['no-credit', 'done', 0]);
  assert.deepEqual([code(most), table.credit(1)], ['done', most]);
  const rich = TestTable.ready({}, { maxCreditMinor: MOST_MINOR }, 0);
  const richly = (value: number): string => rich.try(adjust({ amountMinor: amount(value) }))?.code ?? 'done';
  assert.deepEqual([richly(MOST_MINOR), rich.credit(1)], ['done', MOST_MINOR]);
  assert.equal(richly(1), 'limit');
  assert.equal(richly(-1), 'done', 'what is too much may be lowered');
});
