import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTENDANT,
  amount,
  DEALER,
  SUPERVISOR,
  TECHNICIAN,
  TestTable,
} from '../../test/support/table-kit.ts';
import { meterValue } from '../accounting/meter-fold.ts';
import { booksAgree } from '../accounting/self-audit.ts';
import { allowedNotes, whyShut } from '../engine.ts';
import type { Person } from './inputs.ts';
import type { AcceptorWord } from './note-matrix.ts';
import { largestNote } from './notes.ts';

const escrow = (table: TestTable, noteId: string, valueMinor: number, acceptor = 1, currency = 'MOP') =>
  table.must({ type: 'hear-acceptor', acceptor, word: 'escrow', noteId, note: { currency, valueMinor } });
const stack = (table: TestTable, valueMinor: number | null, acceptor = 1) =>
  table.decide({
    type: 'hear-acceptor',
    acceptor,
    word: 'credited',
    note: valueMinor === null ? null : { currency: 'MOP', valueMinor },
  });
const hear = (table: TestTable, word: AcceptorWord) =>
  table.decide({ type: 'hear-acceptor', acceptor: 1, word });
/** Known: told so, and nothing credited. */
const REPEATED = ['record', 'acknowledge-credit'];
const types = (decision: ReturnType<typeof stack>): string[] =>
  decision.ok ? [...decision.events, ...decision.effects].map(({ type }) => type) : [decision.code];
const balance = (table: TestTable, account: string): number => table.balances.get(account) ?? 0;
const held = (table: TestTable): string | undefined => table.state.hold?.code;
const meter = (table: TestTable, code: string): number => meterValue(table.meters, code);

const RESOLVE = { type: 'resolve-held-note', reason: 'seen-in-box', words: '', second: null } as const;

test('a note: intent on disk before the command, credit exactly once with the credit signal', () => {
  const table = TestTable.ready({}, {}, 0);
  assert.deepEqual(types(escrow(table, 'n1', 50_000)), [
    'note-escrowed',
    'note-stack-requested',
    'stack-note',
  ]);
  assert.equal(table.credit(1), 0);
  assert.deepEqual(allowedNotes(table.state, 1), []);
  assert.deepEqual(types(stack(table, 50_000)), ['note-credited', 'acknowledge-credit']);
  assert.deepEqual(types(stack(table, 50_000)), REPEATED);
  assert.equal(table.credit(1), 50_000);
  assert.equal(balance(table, 'cash-box:1'), 50_000);
  assert.equal(meter(table, 'bill_in_MOP_500'), 1);
});

/** why · currency · value · what the event says */
const REFUSED: readonly (readonly [string, string, number, string])[] = [
  ['another currency', 'HKD', 50_000, 'currency'],
  ['a note that is not enabled', 'MOP', 2_000, 'denomination'],
  ['a note over the credit limit', 'MOP', 100_000, 'limit'],
];
for (const [title, currency, value, why] of REFUSED) {
  test(`a note is returned: ${title}`, () => {
    const table = TestTable.ready({}, { maxCreditMinor: amount(60_000) }, 0);
    const { events, effects } = escrow(table, 'n1', value, 1, currency);
    assert.deepEqual(
      events.map((event) => event.type === 'note-refused' && event.why),
      [why],
    );
    assert.deepEqual(effects, [{ type: 'return-note', acceptor: 1 }]);
    assert.deepEqual(table.state.notes, []);
  });
}

test('the acceptor is offered only notes the credit limit leaves room for, and none in service', () => {
  const table = TestTable.ready({}, { maxCreditMinor: amount(120_000) }, 0);
  assert.deepEqual(allowedNotes(table.state, 1), [10_000, 50_000, 100_000]);
  table.insert(1, 50_000);
  assert.deepEqual(allowedNotes(table.state, 1), [10_000, 50_000]);
  assert.deepEqual(
    [1, 2].map((seat) => largestNote(table.state, seat)),
    [50_000, 100_000],
  );
  table.must({ type: 'enter-service', person: TECHNICIAN });
  assert.deepEqual(allowedNotes(table.state, 1), []);
  assert.deepEqual(types(escrow(table, 'n9', 10_000)), ['note-closed', 'note-refused', 'return-note']);
  table.must({ type: 'exit-service' });
  table.must({ type: 'report-fault', device: 'books', fault: 'stake', place: 'ledger' });
  assert.deepEqual(allowedNotes(table.state, 1), []);
});

test('a shared acceptor takes notes only for a chosen seat', () => {
  const table = TestTable.ready({}, { acceptors: 'shared' }, 0);
  assert.deepEqual(allowedNotes(table.state, 1), []);
  assert.deepEqual(types(escrow(table, 'n1', 10_000)), ['note-refused', 'return-note']);
  table.must({ type: 'choose-note-seat', seat: 4 });
  assert.deepEqual(allowedNotes(table.state, 1), [10_000, 50_000, 100_000]);
  assert.deepEqual(allowedNotes(table.state, 2), []);
  escrow(table, 'n2', 10_000);
  assert.equal(table.try({ type: 'choose-note-seat', seat: 5 })?.code, 'not-allowed');
  stack(table, 10_000);
  assert.equal(table.credit(4), 10_000);
});

test('a credit signal without its escrow, or of another value, is held under a case and credited only by a person', () => {
  const table = TestTable.ready({}, {}, 0);
  assert.deepEqual(types(stack(table, 50_000)), ['note-held', 'acknowledge-credit']);
  escrow(table, 'n1', 10_000);
  assert.deepEqual(types(stack(table, 100_000)), ['note-held', 'acknowledge-credit']);
  assert.equal(table.credit(1), 0);
  assert.deepEqual(
    table.state.heldNotes.map(({ caseNo, valueMinor, why }) => `${caseNo} ${valueMinor} ${why}`),
    ['1 50000 stacked-without-escrow', '2 100000 value-differs'],
  );
  const resolve = { ...RESOLVE, caseNo: 1, outcome: 'credited' } as const;
  assert.equal(table.try({ ...resolve, person: DEALER })?.code, 'person');
  table.must({ ...resolve, person: ATTENDANT });
  assert.equal(table.credit(1), 50_000);
  table.must({ ...resolve, caseNo: 2, outcome: 'unclaimed', person: SUPERVISOR });
  assert.equal(balance(table, 'unclaimed'), -100_000);
  assert.equal(table.try({ ...resolve, person: ATTENDANT })?.code, 'unknown-note');
});

test('a note of unknown fate is held, and its box entry made only when the attendant has found it', () => {
  const fate = (credit: boolean): [number, number, number] => {
    const table = TestTable.ready({}, {}, 0);
    escrow(table, 'n1', 50_000);
    hear(table, 'idle');
    assert.equal(balance(table, 'notes-in-doubt'), 50_000);
    const outcome = credit ? 'credited' : 'unclaimed';
    table.must({ ...RESOLVE, caseNo: 1, outcome, person: ATTENDANT });
    return [table.credit(1), balance(table, 'cash-box:1'), balance(table, 'notes-in-doubt')];
  };
  assert.deepEqual(fate(true), [50_000, 50_000, 0]);
  assert.deepEqual(fate(false), [0, 0, 0]);
});

test('after a restart the repeated credit signal of a credited note is known, without its number too', () => {
  const table = TestTable.ready({}, {}, 0);
  table.must({ type: 'start-terminal', bootId: 'b1', softwareId: 's' });
  escrow(table, 'n1', 50_000);
  stack(table, 50_000);
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.deepEqual(types(stack(table, 50_000)), REPEATED);
  assert.equal(table.credit(1), 50_000);
});

test('a nameless credit signal is a repeat until the device has gone on; after that it is held', () => {
  const table = TestTable.ready({}, {}, 0);
  assert.deepEqual(types(hear(table, 'idle')), []);
  escrow(table, 'n1', 50_000);
  stack(table, 50_000);
  assert.deepEqual(types(stack(table, 50_000)), REPEATED);
  assert.deepEqual(types(hear(table, 'idle')), ['note-closed']);
  assert.deepEqual(types(hear(table, 'idle')), []);
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.deepEqual(types(stack(table, null)), ['note-held', 'acknowledge-credit']);
  assert.equal(table.credit(1), 50_000);
  table.checkReplay();
});

test('a credit signal for a note that is a case already says where it is and credits nobody', () => {
  const table = TestTable.ready({}, {}, 0);
  escrow(table, 'n1', 50_000);
  hear(table, 'idle');
  // Of another value it is another note.
  assert.deepEqual(types(stack(table, 10_000)), ['note-held', 'acknowledge-credit']);
  // Without a value it is that note again, until the unit has gone on.
  assert.deepEqual(types(stack(table, null)), ['record', 'acknowledge-credit']);
  hear(table, 'idle');
  assert.deepEqual(types(stack(table, null)), ['held-note-found', 'acknowledge-credit']);
  assert.equal(balance(table, 'notes-in-doubt'), 0);
  assert.equal(balance(table, 'cash-box:1'), 60_000);
  assert.equal(table.credit(1), 0);
  assert.deepEqual(
    table.state.heldNotes.map(({ inBox }) => inBox),
    [true, true],
  );
  table.must({ ...RESOLVE, caseNo: 1, outcome: 'credited', person: ATTENDANT });
  assert.equal(table.credit(1), 50_000);
  assert.equal(balance(table, 'cash-box:1'), 60_000);
  table.checkReplay();
});

test('notes in a cash box are counted until it is taken out', () => {
  const table = TestTable.ready({}, {}, 0);
  table.insert(2, 50_000);
  table.insert(2, 10_000);
  stack(table, 10_000, 4);
  assert.deepEqual(table.state.boxNotes, [0, 2, 0, 1]);
  const removed = { device: 'acceptor-2', fault: 'cash-box-removed' } as const;
  table.must({ type: 'report-fault', ...removed, place: 'acceptor 2' });
  assert.equal(table.state.boxNotes[1], 2);
  table.must({ type: 'clear-fault', ...removed });
  assert.deepEqual(table.state.boxNotes, [0, 0, 0, 1]);
  table.checkReplay();
});

test('a note cannot come twice under one number', () => {
  const table = TestTable.ready({}, {}, 0);
  escrow(table, 'n1', 50_000);
  stack(table, 50_000);
  const note = { currency: 'MOP', valueMinor: 50_000 };
  const again = { type: 'hear-acceptor', acceptor: 1, word: 'escrow', note } as const;
  assert.equal(table.try({ ...again, noteId: 'n1' })?.code, 'duplicate');
  assert.equal(table.try(again)?.code, 'duplicate', 'nor without one');
  assert.equal(table.try({ ...again, noteId: 'n2', note: { ...note, valueMinor: 0 } })?.code, 'malformed');
});

test('a restart ends the service session: nobody stands at the table', () => {
  const table = TestTable.ready();
  table.must({ type: 'enter-service', person: TECHNICIAN });
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.equal(table.state.service, null);
  table.open();
});

test('a note in flight stays through a restart and is credited with the signal that comes then', () => {
  const table = TestTable.ready({}, {}, 0);
  escrow(table, 'n1', 50_000);
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.deepEqual(types(stack(table, 50_000)), ['note-credited', 'acknowledge-credit']);
});

test('a returned note closes its record', () => {
  const table = TestTable.ready({}, {}, 0);
  escrow(table, 'n1', 50_000);
  assert.deepEqual(types(hear(table, 'returned')), ['note-returned']);
  assert.deepEqual(types(hear(table, 'returned')), []);
  assert.deepEqual(allowedNotes(table.state, 1), [10_000, 50_000, 100_000]);
});

test('cash-out: all credit waits, bets stay; the player may cancel, an attendant pays', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 10_000);
  const request = { seat: 1, requestId: 'c1' } as const;
  table.must({ type: 'request-cash-out', ...request });
  assert.equal(table.credit(1), 0);
  assert.equal(balance(table, 'hand-pay-pending:1'), -90_000);
  assert.equal(balance(table, 'stake:1'), -10_000);
  assert.equal(table.try({ type: 'request-cash-out', ...request })?.code, 'duplicate');
  table.must({ type: 'cancel-cash-out', ...request });
  assert.equal(table.credit(1), 90_000);
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c2' });
  const pay = { type: 'confirm-hand-pay', seat: 1, second: null } as const;
  assert.equal(table.try({ ...pay, requestId: 'c1', person: ATTENDANT })?.code, 'nothing-to-do');
  assert.equal(table.try({ ...pay, requestId: 'c2', person: DEALER })?.code, 'person');
  table.must({ ...pay, requestId: 'c2', person: ATTENDANT });
  assert.equal(balance(table, 'hand-pay'), -90_000);
  assert.equal(meter(table, 'att_paid_cancelled'), 90_000);
});

test('a cash-out has a seat, a name and something to pay; another one beside it is refused', () => {
  const table = TestTable.ready({}, {}, 0);
  const request = (seat: number, requestId: string): string | null =>
    table.try({ type: 'request-cash-out', seat, requestId })?.code ?? null;
  assert.equal(request(1, 'c1'), 'nothing-to-do', 'no credit');
  table.insert(1, 10_000);
  assert.equal(request(9, 'c1'), 'unknown-seat');
  assert.equal(request(1, ''), 'malformed');
  assert.equal(request(1, 'c1'), null);
  assert.equal(request(1, 'c1'), 'duplicate');
  assert.equal(request(1, 'c2'), 'not-allowed');
  assert.equal(table.try({ type: 'cancel-cash-out', seat: 1, requestId: 'c2' })?.code, 'nothing-to-do');
  assert.equal(table.state.seats[0]?.cashOut?.requestId, 'c1');
});

test('two persons are for what is above the limit; what is just as much one person pays or resolves', () => {
  const table = TestTable.ready({}, { twoPersonHandPayMinor: amount(50_000) }, 0);
  table.insert(1, 50_000);
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  const pay = {
    type: 'confirm-hand-pay',
    seat: 1,
    requestId: 'c1',
    person: ATTENDANT,
    second: null,
  } as const;
  table.must(pay);
  assert.ok(table.events.some((event) => event.type === 'hand-paid' && event.payNo === 1));
  hear(table, 'idle');
  stack(table, 50_000);
  table.must({ ...RESOLVE, caseNo: 1, outcome: 'credited', person: ATTENDANT });
  hear(table, 'idle');
  stack(table, 100_000);
  const larger = { ...RESOLVE, caseNo: 2, outcome: 'credited', person: ATTENDANT } as const;
  assert.equal(table.try(larger)?.code, 'person');
});

test('a hand-pay asked for by a version that gave no numbers is paid without one', () => {
  const table = TestTable.ready();
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  for (const { seats } of [table.state, table.replayed])
    delete (seats[0]!.cashOut as { payNo?: number }).payNo;
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT, second: null });
  const paid = table.events.at(-1)!;
  assert.ok(paid.type === 'hand-paid' && !('payNo' in paid));
});

test('what the desk pays names no order of the centre; by order a win is paid as a win, and credit as none', () => {
  const table = TestTable.ready({}, { handPaidWinMinor: amount(500) });
  const membersOfLast = (): string[] => Object.keys(table.events.at(-1)!);
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT, second: null });
  assert.ok(!membersOfLast().includes('byOrder') && !membersOfLast().includes('win'));
  table.bets({ 2: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(2, 'stand');
  table.draw('8C');
  const byOrder = { no: 7, issuer: 'M. Lei' };
  const reset = (payNo: number | undefined): void => {
    const paid = { person: ATTENDANT, second: null };
    table.must({ type: 'reset-hand-pay', payNo: payNo!, paid, byOrder });
    assert.ok(membersOfLast().includes('byOrder'));
  };
  reset(table.state.seats[1]!.wins?.[0]?.payNo);
  assert.ok(membersOfLast().includes('win'));
  table.must({ type: 'request-cash-out', seat: 2, requestId: 'c2' });
  reset(table.state.seats[1]!.cashOut?.payNo);
  assert.ok(!membersOfLast().includes('win'));
});

test('r.8 the last one paid out while the result lies there is not yet the end of the order of the cut', () => {
  const table = TestTable.ready({}, { rulebook: 'portugal-blackjack' }, 0);
  table.insert(1, 50_000);
  table.bets({ 1: 10_000 });
  table.draw('TS TH 9D TC');
  if (table.state.phase === 'offers') table.wait();
  table.act(1, 'stand');
  assert.equal(table.state.phase, 'settled');
  const restarts = (): number => table.events.filter(({ type }) => type === 'cut-order-restarted').length;
  const payOut = (requestId: string): void => {
    table.must({ type: 'request-cash-out', seat: 1, requestId });
    table.must({ type: 'confirm-hand-pay', seat: 1, requestId, person: ATTENDANT, second: null });
  };
  for (const state of [table.state, table.replayed]) state.lastCutBy = 1;
  const before = restarts();
  payOut('c1');
  assert.equal(restarts(), before);
  table.close();
  table.insert(1, 10_000);
  table.open();
  payOut('c2');
  assert.equal(restarts(), before, 'nor while bets are taken');
  table.must({ type: 'close-betting' });
  for (const state of [table.state, table.replayed]) state.lastCutBy = 1;
  const closed = restarts();
  table.insert(1, 10_000);
  payOut('c3');
  assert.equal(restarts(), closed + 1);
});

test('a held note is resolved by its own number; one without a value is credited to nobody, one without a seat only once it has one', () => {
  const table = TestTable.ready({}, { acceptors: 'shared' }, 0);
  stack(table, 10_000);
  stack(table, 50_000);
  hear(table, 'idle');
  stack(table, null);
  assert.deepEqual(
    table.state.heldNotes.map(({ caseNo, seat, valueMinor }) => [caseNo, seat, valueMinor]),
    [
      [1, null, 10_000],
      [2, null, 50_000],
      [3, null, null],
    ],
  );
  const resolve = (caseNo: number, outcome: 'credited' | 'unclaimed') =>
    table.try({ ...RESOLVE, caseNo, outcome, person: ATTENDANT, second: SUPERVISOR });
  assert.equal(resolve(2, 'credited')?.code, 'unknown-seat');
  assert.equal(resolve(3, 'credited')?.detail, 'its value is unknown');
  assert.equal(resolve(3, 'unclaimed'), null, 'without a seat too');
  table.must({ type: 'choose-note-seat', seat: 4 });
  assert.equal(resolve(2, 'credited'), null);
  assert.equal(table.credit(4), 50_000);
  assert.equal(resolve(1, 'unclaimed'), null);
  assert.deepEqual(
    table.events.flatMap((event) =>
      event.type === 'held-note-resolved' ? [[event.caseNo, event.seat]] : [],
    ),
    [
      [3, null],
      [2, 4],
      [1, null],
    ],
    'what is not credited belongs to no seat',
  );
});

test('a large hand-pay needs a second person who is not the first', () => {
  const table = TestTable.ready({}, { twoPersonHandPayMinor: amount(50_000) });
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  const pay = { type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT } as const;
  for (const second of [null, ATTENDANT, DEALER]) {
    assert.equal(table.try({ ...pay, second })?.code, 'person');
  }
  table.must({ ...pay, second: SUPERVISOR });
  assert.equal(table.state.seats[0]?.cashOut, null);
});

test('service blocks every seat, dealer and cash input, and gives the time back exactly', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  const left = table.state.deadline!.atMs - table.atMs;
  table.must({ type: 'enter-service', person: TECHNICIAN });
  assert.equal(table.tryAct(1, 'stand')?.code, 'service');
  assert.equal(table.try({ type: 'request-cash-out', seat: 1, requestId: 'c1' })?.code, 'service');
  assert.equal(table.try({ type: 'reach-deadline' })?.code, 'service');
  table.atMs += 3_600_000;
  table.must({ type: 'exit-service' });
  assert.equal(table.state.deadline!.atMs - table.atMs, left - 1);
  table.act(1, 'stand');
});

test('a card that leaves the shoe in service is not lost: it lies until the table is back and then finds its place', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS');
  const drawn = table.state.shoe.drawn;
  table.must({ type: 'enter-service', person: TECHNICIAN });
  table.draw('9H 9D 5C');
  assert.equal(table.state.shoe.drawn, drawn + 3);
  assert.equal(table.state.round!.cardCount, 1, 'nothing is dealt in service');
  table.must({ type: 'exit-service' });
  assert.equal(table.state.round!.cardCount, 3);
  assert.equal(held(table), 'unexpected-card', 'the fourth was due to nobody');
  table.must({ type: 'set-card-aside', person: DEALER });
  assert.equal(table.state.deadline?.kind, 'offers');
  table.checkReplay();
});

test('a shoe that is changed in service is the shoe that is played afterwards', () => {
  const table = TestTable.ready();
  table.must({ type: 'enter-service', person: TECHNICIAN });
  table.must({ type: 'load-shoe', shoeId: 'shoe-2', decks: 6 });
  table.must({ type: 'exit-service' });
  assert.equal(table.state.shoe.id, 'shoe-2');
  assert.equal(table.try({ type: 'open-betting', roundId: 'r1' })?.code, 'not-due');
});

test('while the books do not agree no money moves by hand', () => {
  const table = TestTable.ready();
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  table.must({ type: 'report-fault', device: 'books', fault: 'differ', place: 'stake:1' });
  const refused = [
    table.try({ type: 'request-cash-out', seat: 2, requestId: 'c2' }),
    table.try({ type: 'cancel-cash-out', seat: 1, requestId: 'c1' }),
    table.try({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT, second: null }),
    table.try({ ...RESOLVE, caseNo: 1, outcome: 'credited', person: ATTENDANT }),
  ];
  assert.deepEqual(
    refused.map((each) => each?.code),
    ['held', 'held', 'held', 'held'],
  );
  table.must({ type: 'clear-fault', device: 'books', fault: 'differ' });
  table.must({ type: 'confirm-layout', person: DEALER });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT, second: null });
});

test('recovery: an interrupted round stands still until the layout is confirmed, then has its full time', () => {
  const table = TestTable.ready();
  table.must({ type: 'start-terminal', bootId: 'b1', softwareId: 's' });
  assert.equal(held(table), undefined);
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  table.atMs += 14_000;
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.equal(held(table), 'recovery');
  assert.equal(table.tryAct(1, 'stand')?.code, 'held');
  table.must({ type: 'confirm-layout', person: DEALER });
  assert.equal(table.state.deadline!.atMs, table.atMs + 15_000);
  table.act(1, 'stand');
});

test('a shoe fault in a round holds the table until it is cleared and the layout confirmed', () => {
  const table = TestTable.ready();
  const fault = { device: 'shoe', fault: 'jam' } as const;
  table.bets({ 1: 1_000 });
  table.draw('TS');
  table.must({ type: 'report-fault', ...fault, place: 'shoe' });
  assert.equal(held(table), 'shoe-fault');
  assert.equal(table.try({ type: 'confirm-layout', person: DEALER })?.code, 'held');
  table.must({ type: 'clear-fault', ...fault });
  table.must({ type: 'confirm-layout', person: DEALER });
  assert.equal(held(table), undefined);
  table.draw('9H 9D');
});

test('the self-audit names the account that does not agree', () => {
  const table = TestTable.ready({}, {}, 10_000);
  const wrong = new Map(table.balances);
  wrong.set('seat-credit:3', -9_999);
  assert.deepEqual(booksAgree(table.state, wrong), [
    'seat-credit:3: table owes 10000, books say 9999',
    'the accounts sum to 1, not to zero',
  ]);
  // What both say alike is wrong all the same where it cannot be.
  const state = structuredClone(table.state);
  state.seats[0]!.creditMinor = -1 as never;
  const both = new Map(table.balances).set('seat-credit:1', 1).set('cash-box:1', -1);
  const boxes = both.get('cash-box:2')!;
  both.set('cash-box:2', 0).set('cash-box:3', boxes + both.get('cash-box:3')!);
  assert.deepEqual(booksAgree(state, both), ['seat-credit:1: credit is -1', 'cash-box:1: the box holds -1']);
  const stakes = new Map(table.balances)
    .set('stake:9', -1)
    .set('bank', (table.balances.get('bank') ?? 0) + 1);
  assert.deepEqual(booksAgree(table.state, stakes), ['stake: table has 0, books say 1']);
});

test('D2: an acceptor that shuts after each note takes none until a person or the centre opens it', () => {
  const table = TestTable.ready({}, { shutAfterNote: true }, 0);
  const open = (acceptor: number | null, person: Person | null) =>
    table.try({ type: 'open-acceptor', acceptor, person });
  assert.equal(open(1, ATTENDANT)?.code, 'nothing-to-do');
  assert.equal(open(null, null), null, 'the centre opens what is shut, be it nothing');
  table.insert(1, 50_000);
  assert.deepEqual([whyShut(table.state, 1), allowedNotes(table.state, 1)], ['after-note', []]);
  assert.equal(whyShut(table.state, 2), null, 'the others stay open');
  escrow(table, 'late', 10_000);
  const refused = table.events.at(-1)!;
  assert.ok(refused.type === 'note-refused' && refused.why === 'acceptor-off');
  assert.equal(refused.byCentre, undefined, 'the centre has not said so');
  assert.equal(open(1, DEALER)?.code, 'person');
  assert.equal(open(2, ATTENDANT)?.code, 'nothing-to-do');
  table.insert(2, 50_000);
  assert.equal(open(1, ATTENDANT), null);
  assert.deepEqual(
    [1, 2].map((acceptor) => whyShut(table.state, acceptor)),
    [null, 'after-note'],
  );
  table.insert(1, 10_000);
  table.must({ type: 'open-acceptor', acceptor: null, person: null, byOrder: { no: 7, issuer: 'M. Lei' } });
  assert.deepEqual(
    table.events
      .slice(-2)
      .map((event) => event.type === 'acceptor-opened' && [event.acceptor, event.byOrder]),
    [
      [2, { no: 7, issuer: 'M. Lei' }],
      [1, { no: 7, issuer: 'M. Lei' }],
    ],
  );
  assert.equal('shutAfterNote' in table.state, false, 'as a table that never had it');
  // A note of unknown fate that turns out to lie in the box has come in as well.
  stack(table, 10_000, 4);
  assert.equal(whyShut(table.state, 4), 'after-note');
  table.checkReplay();
});

test('D2: without the choice of the house an acceptor stays open after its note', () => {
  const table = TestTable.ready({}, {}, 0);
  table.insert(1, 50_000);
  assert.equal(whyShut(table.state, 1), null);
});
