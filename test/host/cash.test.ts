import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import type { OpenTransport } from '../../hardware/ports.ts';
import { FREE_FAILURES } from '../../host/config/people.ts';
import type { Command } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import { CREDENTIAL, newRack, TestTerminal } from './test-terminal.ts';

/** Status bytes of an ID-003 unit. */
const [IDLE, INHIBITED] = [0x11, 0x1a];
const ACK = 0x50;

test('a note: escrow and the intent to stack are on disk before the unit stacks, and it is credited once', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.acceptorReady(1);
  const seq = kit.headSeq;
  const { terminal } = kit.host;
  /** Notes in the box and credit, in the moment in which the intent is on disk. */
  const atIntent: number[] = [];
  terminal.onCommit(({ entries }) => {
    if (entries.some(({ kind }) => kind === 'note-stack-requested'))
      atIntent.push(kit.rack.acceptor(1).cashBox().length, terminal.state.seats[0]!.creditMinor);
  });
  await kit.insert(1, 100_000);
  await kit.until('credit', () => kit.seat(1).creditMinor === 100_000);
  assert.deepEqual(atIntent, [0, 0], 'the unit hears of it after the entry');
  await kit.until('rest', () => kit.rack.acceptor(1).status() === IDLE);
  assert.deepEqual(
    kit.kindsSince(seq).filter((kind) => kind !== 'unit-accepted' && kind !== 'notes-confirmed'),
    ['note-escrowed', 'note-stack-requested', 'note-credited', 'note-closed'],
  );
  assert.deepEqual(kit.postings('note-credited'), { 'cash-box:1': 100_000, 'seat-credit:1': -100_000 });
  assert.deepEqual(kit.rack.acceptor(1).cashBox(), [{ currency: 'MOP', valueMinor: 100_000 }]);
  assert.equal(kit.seat(1).free, false);
});

test('a credit signal that is repeated because its answer is lost on the line credits once', async (t) => {
  let lost = 0;
  const wire = (open: OpenTransport): OpenTransport =>
    Object.assign(
      () => {
        const line = open();
        const { write } = line;
        return Object.assign(line, {
          write: (bytes: Uint8Array) => {
            if (bytes[2] !== ACK || lost >= 3) return write.call(line, bytes);
            lost += 1;
            return Promise.resolve();
          },
        });
      },
      { simulated: true as const },
    );
  const kit = await TestTerminal.open(t, { wire });
  await kit.fund(1, 50_000);
  await kit.until('rest', () => kit.rack.acceptor(1).status() === IDLE);
  assert.equal(lost, 3);
  assert.equal(kit.entries('note-credited').length, 1);
  assert.deepEqual(kit.view.heldNotes, []);
  assert.equal(kit.seat(1).creditMinor, 50_000);
});

test('321: more notes within a round than the house expects of all seats are a fault before the next one, once', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { noteLimits: { roundMinor: minor(150_000) } } });
  await kit.fund(1, 100_000);
  await kit.fund(2, 100_000);
  await kit.ready('TS 9H TD 8C TS 9H TD 8C');
  assert.deepEqual(kit.entries('fault-reported'), [], 'between rounds nothing is a jump');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.fund(1, 100_000);
  await kit.fund(2, 50_000);
  assert.deepEqual(kit.entries('fault-reported'), []);
  // A life that ends in between counts on.
  await kit.restart();
  await kit.do({ type: 'confirm-layout' });
  await kit.acceptorReady(2);
  await kit.fund(2, 10_000);
  await kit.until('the jump is reported', () => kit.entries('fault-reported').length === 1);
  const told = kit.last<{ fault: string; place: string }>('fault-reported');
  assert.deepEqual([told.fault, told.place], ['meter-jump', 'bills_in +160000']);
  await kit.until('no notes', () => kit.rack.acceptor(1).status() === INHIBITED);
  await kit.restart();
  await kit.do({ type: 'confirm-layout' });
  await kit.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
  await kit.until('closed', () => kit.step === 'close-round');
  await kit.do({ type: 'close-round' });
  assert.equal(kit.step, 'call-supervisor', 'no further round');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.supervisor });
  const end = { type: 'end-fault', device: 'program', fault: 'meter-jump' } as const;
  await kit.refused({ ...end, credential: CREDENTIAL.technician }, 'person');
  await kit.do({ ...end, credential: CREDENTIAL.supervisor });
  await kit.do({ type: 'exit-service' });
  assert.equal(kit.step, 'open-betting');
  await kit.do({ type: 'open-betting' });
  assert.equal(kit.entries('fault-reported').length, 1);
});

test('a note of another currency comes back, and says why in the ledger', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.insert(2, 50_000, 'HKD');
  await kit.until('it comes back', () => kit.rack.acceptor(2).givenBack().length === 1);
  assert.deepEqual(kit.rack.acceptor(2).givenBack(), [{ currency: 'HKD', valueMinor: 50_000 }]);
  assert.equal(kit.last('note-refused')['why'], 'currency');
  assert.equal(kit.seat(2).note?.state, 'returned');
  assert.equal(kit.balance('cash-box:2'), 0);
});

test('notes that are not enabled, unknown or over the credit limit are not even taken in', async (t) => {
  const kit = await TestTerminal.open(t);
  const box = kit.rack.acceptor(3);
  for (const [value, given] of [
    [2_000, 1],
    [30_000, 2],
  ] as const) {
    await kit.insert(3, value);
    await kit.until(`${value} comes back`, () => box.givenBack().length === given);
  }
  await kit.fund(3, 100_000, 100_000);
  // 250 000 is the limit: a note of 100 000 would pass it, one of 50 000 does not.
  await kit.insert(3, 100_000);
  await kit.until('the third comes back', () => box.givenBack().length === 3);
  await kit.fund(3, 50_000);
  await kit.until('the gate is shut', () => box.status() === INHIBITED);
  assert.equal(kit.seat(3).creditMinor, 250_000);
  assert.equal(kit.balance('cash-box:3'), 250_000);
});

test('in service no note goes in; outside it the gate opens again', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.acceptorReady(1);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.until('the gate is shut', () => kit.rack.acceptor(1).status() === INHIBITED);
  assert.deepEqual(kit.rack.acceptor(1).insert(50_000, 'MOP'), { taken: false, why: 'inhibited' });
  await kit.do({ type: 'exit-service' });
  await kit.fund(1, 50_000);
});

test('a note that is on its way when service is entered is credited all the same', async (t) => {
  const kit = await TestTerminal.open(t);
  const entered = kit.whenStacking(() =>
    kit.do({ type: 'enter-service', credential: CREDENTIAL.technician }),
  );
  await kit.insert(1, 50_000);
  await entered;
  await kit.until('credit', () => kit.seat(1).creditMinor === 50_000);
});

test('a shared acceptor takes a note only for a seat that was chosen before', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { acceptors: 'shared' }, rack: newRack(1) });
  const unit = kit.rack.acceptor(1);
  await kit.until('the gate is shut', () => unit.status() === INHIBITED);
  assert.deepEqual(unit.insert(50_000, 'MOP'), { taken: false, why: 'inhibited' });
  const seat4 = await kit.display('seat:4');
  await kit.refused({ type: 'choose-note-seat', seat: 3 }, 'not-allowed', seat4);
  await kit.do({ type: 'choose-note-seat', seat: 4 }, seat4);
  assert.equal(kit.view.noteSeat, 4);
  const other = kit.whenStacking(() => kit.send({ type: 'choose-note-seat', seat: 5 }));
  await kit.insert(1, 50_000);
  const answer = await other;
  assert.ok(answer.status === 'rejected' && answer.code === 'not-allowed', JSON.stringify(answer));
  await kit.until('credit', () => kit.seat(4).creditMinor === 50_000);
  assert.deepEqual(kit.postings('note-credited'), { 'cash-box:1': 50_000, 'seat-credit:4': -50_000 });
});

test('a note of unknown fate is held under a case number until an attendant has decided', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.loseNote(1, 50_000);
  assert.deepEqual(kit.postings('note-held'), { 'notes-in-doubt': 50_000, 'held-notes': -50_000 });
  assert.equal(kit.seat(1).creditMinor, 0);
  assert.equal(kit.seat(1).heldMinor, 50_000);
  assert.deepEqual(kit.seat(1).note, { state: 'held', valueMinor: 50_000, caseNo: 1 });
  const [held] = kit.view.heldNotes;
  assert.deepEqual([held?.caseNo, held?.seat, held?.inBox], [1, 1, false]);

  const answer = {
    type: 'resolve-held-note',
    caseNo: 1,
    outcome: 'credited',
    reason: 'seen-in-box',
  } as const;
  await kit.refused({ ...answer, credential: CREDENTIAL.dealer }, 'person');
  await kit.refused({ ...answer, credential: CREDENTIAL.technician }, 'person');
  await kit.refused({ ...answer, caseNo: 7, credential: CREDENTIAL.attendant }, 'unknown-note');
  await kit.do({ ...answer, credential: CREDENTIAL.attendant });
  assert.deepEqual(kit.postings('held-note-resolved'), {
    'held-notes': 50_000,
    'seat-credit:1': -50_000,
    'cash-box:1': 50_000,
    'notes-in-doubt': -50_000,
  });
  assert.equal(kit.last<{ person: { id: string } }>('held-note-resolved').person.id, 'A-01');
  assert.equal(kit.seat(1).creditMinor, 50_000);
  await kit.refused({ ...answer, credential: CREDENTIAL.attendant }, 'unknown-note');

  await kit.loseNote(1, 10_000);
  assert.equal(kit.view.heldNotes[0]?.caseNo, 2, 'a case number is never used again');
  await kit.do({
    ...answer,
    caseNo: 2,
    outcome: 'returned',
    reason: 'seen-in-path',
    credential: CREDENTIAL.supervisor,
  });
  assert.deepEqual(kit.postings('held-note-resolved'), { 'held-notes': 10_000, 'notes-in-doubt': -10_000 });
  assert.equal(kit.seat(1).creditMinor, 50_000);
  assert.deepEqual(kit.view.heldNotes, []);
});

test('a credit signal with nothing in flight credits nobody; also without a seat its case is seen', async (t) => {
  const rack = newRack(1);
  const shared = { profile: { acceptors: 'shared' as const }, rack };
  const before = await TestTerminal.open(t, shared);
  await before.do({ type: 'choose-note-seat', seat: 2 });
  await before.insert(1, 50_000);
  await before.until('beyond return', () => rack.acceptor(1).inPath()?.beyond === true);
  await before.stop();

  // The same unit at another terminal, which knows of no note.
  const kit = await TestTerminal.open(t, shared);
  await kit.until('the case', () => kit.view.heldNotes.length === 1);
  const [held] = kit.view.heldNotes;
  assert.deepEqual([held?.caseNo, held?.seat, held?.valueMinor, held?.inBox], [1, null, null, true]);
  assert.equal(kit.last('note-held')['why'], 'stacked-without-escrow');
  assert.deepEqual(kit.postings('note-held'), {}, 'nobody knows its value yet');
  await kit.until('the unit may forget it', () => !rack.acceptor(1).owesCredit());
  const answer = {
    type: 'resolve-held-note',
    caseNo: 1,
    reason: 'device-record',
    credential: CREDENTIAL.attendant,
    secondCredential: CREDENTIAL.supervisor,
  } as const;
  await kit.refused({ ...answer, outcome: 'credited' }, 'not-allowed');
  await kit.do({ ...answer, outcome: 'unclaimed' });
  assert.deepEqual(kit.view.heldNotes, []);
});

test('cash-out: the credit waits under lock, may be called back, and is paid by a named attendant', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 100_000);
  await kit.refused({ type: 'request-cash-out', seat: 2 }, 'nothing-to-do');
  await kit.refused({ type: 'request-cash-out', seat: 9 }, 'unknown-seat');
  await kit.do({ type: 'request-cash-out', seat: 1 });
  assert.deepEqual(kit.postings('cash-out-requested'), {
    'seat-credit:1': 100_000,
    'hand-pay-pending:1': -100_000,
  });
  assert.equal(kit.seat(1).creditMinor, 0);
  assert.equal(kit.seat(1).cashOut?.amountMinor, 100_000);
  assert.equal(kit.seat(1).cashOut?.twoPersons, false);
  await kit.refused({ type: 'request-cash-out', seat: 1 }, 'not-allowed');

  const { requestId } = kit.seat(1).cashOut ?? { requestId: '' };
  await kit.refused({ type: 'cancel-cash-out', seat: 1, requestId: 'another-one' }, 'nothing-to-do');
  await kit.do({ type: 'cancel-cash-out', seat: 1, requestId });
  assert.equal(kit.seat(1).creditMinor, 100_000);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const pay = {
    type: 'confirm-hand-pay',
    seat: 1,
    requestId: kit.seat(1).cashOut?.requestId ?? '',
  } as const;
  await kit.refused({ ...pay, requestId, credential: CREDENTIAL.attendant }, 'nothing-to-do');
  await kit.refused({ ...pay, credential: CREDENTIAL.dealer }, 'person');
  await kit.refused({ ...pay, credential: CREDENTIAL.nobody }, 'person');

  await kit.restart();
  assert.equal(kit.seat(1).cashOut?.amountMinor, 100_000, 'it waits through a restart');
  const id = 'pay-once-and-no-more';
  assert.equal((await kit.send({ ...pay, credential: CREDENTIAL.attendant }, kit.table, id)).status, 'done');
  assert.equal(
    (await kit.send({ ...pay, credential: CREDENTIAL.attendant }, kit.table, id)).status,
    'exists',
  );
  assert.deepEqual(kit.postings('hand-paid'), { 'hand-pay-pending:1': 100_000, 'hand-pay': -100_000 });
  assert.equal(kit.entries('hand-paid').length, 1);
  assert.equal(kit.last<{ person: { name: string } }>('hand-paid').person.name, 'Chan Wai');
  assert.equal(kit.seat(1).cashOut, null);
  assert.equal(kit.seat(1).free, true);
});

test('a large hand-pay is confirmed by two different persons', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 100_000, 50_000);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId, twoPersons } = kit.seat(1).cashOut ?? { requestId: '', twoPersons: false };
  assert.equal(twoPersons, true);
  const pay = { type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant } as const;
  await kit.refused(pay, 'person');
  await kit.refused({ ...pay, secondCredential: CREDENTIAL.attendant }, 'person');
  await kit.refused({ ...pay, secondCredential: CREDENTIAL.dealer }, 'person');
  await kit.refused({ ...pay, secondCredential: CREDENTIAL.nobody }, 'person');
  await kit.do({ ...pay, secondCredential: CREDENTIAL.attendant2 });
  const { person, second } = kit.last<{ person: { id: string }; second: { id: string } }>('hand-paid');
  assert.deepEqual([person.id, second.id], ['A-01', 'A-02']);

  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { payouts, olderSeq } = await kit.table.query({ query: 'payouts', beforeSeq: null, limit: 20 });
  const [{ seq: _, atMs: __, ...paid }] = payouts as [(typeof payouts)[0]];
  const names = { person: 'Chan Wai', second: 'Fong Mei' };
  const cash = { kind: 'cash-out', currency: 'MOP', amountMinor: 150_000 };
  assert.deepEqual(paid, { seat: 1, payNo: 1, ...cash, ...names });
  assert.deepEqual([payouts.length, olderSeq], [1, null]);
});

test('a cash-out while a bet lies takes the rest and leaves the bet; what it wins is credit again', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 20_000));
  await kit.do({ type: 'request-cash-out', seat: 1 });
  assert.equal(kit.seat(1).cashOut?.amountMinor, 30_000);
  assert.equal(kit.balance('stake:1'), -20_000);
  await kit.refused(kit.bet(1, 10_000), 'no-credit');
  await kit.do({ type: 'close-betting' });
  await kit.draw(3);
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  assert.equal(kit.seat(1).result?.netMinor, 20_000);
  assert.equal(kit.seat(1).creditMinor, 40_000);
  const { requestId } = kit.seat(1).cashOut ?? { requestId: '' };
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  assert.equal(kit.balance('hand-pay'), -30_000);
  assert.equal(kit.balance('bank'), 20_000);
});

test('wrong PINs make one person wait on one kind of pad, through a restart; the glass shows nothing, the ledger all', async (t) => {
  const kit = await TestTerminal.open(t);
  const enter = (credential: Credential): Command => ({ type: 'enter-service', credential });
  const wrong = { ...CREDENTIAL.technician, pin: '0000' };
  for (let i = 0; i <= FREE_FAILURES; i += 1) await kit.refused(enter(wrong), 'person');
  await kit.refused(enter(CREDENTIAL.technician), 'person');
  await kit.refused(enter(CREDENTIAL.technician), 'person');
  await kit.refused(enter(CREDENTIAL.nobody), 'person');
  await kit.refused(enter(CREDENTIAL.dealer), 'person');
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.refused(enter(CREDENTIAL.technician), 'person');
  // A quarter of an hour is no more than the clock on the wall: the machine was started again.
  kit.offsetMs += 15 * 60_000;
  kit.clockJumpMs += 15 * 60_000;
  const answer = await kit.send(enter(CREDENTIAL.technician));
  assert.ok(answer.status === 'rejected' && answer.code === 'person');
  await kit.restart();
  await kit.refused(enter(CREDENTIAL.technician), 'person');
  const tries = kit
    .entries('access-refused')
    .map(({ body }) => body as { why: string; person: { id: string } | null; waitMs: number });
  assert.deepEqual(
    tries.map(({ why, person }) => `${why} ${person?.id ?? '–'}`),
    [
      ...Array.from({ length: FREE_FAILURES + 1 }, () => 'wrong-pin T-01'),
      'locked-out T-01',
      'nobody –',
      'role D-01',
      'locked-out T-01',
    ],
  );
  assert.deepEqual(
    tries.slice(0, FREE_FAILURES + 1).map(({ waitMs }) => waitMs),
    [0, 0, 0, 30_000],
  );
  kit.offsetMs += 30_000;
  await kit.do(enter(CREDENTIAL.technician));
  const left = kit.last<{ failures: { id: string | null }[] }>('access-regained').failures;
  assert.deepEqual(
    left.map(({ id }) => id),
    [null],
    'the dealer’s own was forgiven at the sign-in',
  );
  await kit.do({ type: 'exit-service' });
  await kit.restart();
  await kit.do(enter(CREDENTIAL.technician));
});

test('what is typed at a seat makes nobody wait at the staff’s edge', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 10_000);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut!;
  const seat = await kit.display('seat:1');
  const pay = (credential: Credential): Extract<Command, { type: 'confirm-hand-pay' }> => ({
    type: 'confirm-hand-pay',
    seat: 1,
    requestId,
    credential,
  });
  const wrong = { ...CREDENTIAL.attendant, pin: '0000' };
  await kit.refused({ ...pay(wrong), from: 'player' }, 'person');
  for (let i = 0; i < FREE_FAILURES; i += 1) await kit.refused(pay(wrong), 'person', seat);
  await kit.refused(pay(CREDENTIAL.attendant), 'person', seat);
  await kit.refused({ ...pay(CREDENTIAL.attendant), from: 'player' }, 'person');
  await kit.do(pay(CREDENTIAL.attendant));
});

test('of two persons both are looked at, and the answer does not tell which was wrong', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 10_000);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut!;
  const answers = [];
  for (const [credential, secondCredential] of [
    [{ ...CREDENTIAL.attendant, pin: '0000' }, CREDENTIAL.supervisor],
    [CREDENTIAL.attendant, { ...CREDENTIAL.supervisor, pin: '0000' }],
    [CREDENTIAL.attendant, CREDENTIAL.technician],
    [CREDENTIAL.nobody, CREDENTIAL.supervisor],
  ] as const)
    answers.push(
      await kit.send({ type: 'confirm-hand-pay', seat: 1, requestId, credential, secondCredential }),
    );
  const [first] = answers;
  assert.ok(first?.status === 'rejected');
  for (const answer of answers) assert.deepEqual({ ...answer, id: '' }, { ...first, id: '' });
  assert.deepEqual(
    kit.entries('access-refused').map(({ body }) => (body as { why: string }).why),
    ['wrong-pin', 'wrong-pin', 'role', 'nobody'],
  );
});

test('outside of the demonstration a PIN under six digits is nobody’s: nothing is looked at, nothing counts', async (t) => {
  const shoe = { model: 'ksp1', at: 'usb:1-1', options: {} };
  const kit = await TestTerminal.open(t, {
    file: { devices: { acceptors: {}, shoe, simulatorsAllowed: false } },
  });
  assert.equal(kit.view.pinPad.leastDigits, 6);
  for (let i = 0; i <= FREE_FAILURES; i += 1)
    await kit.refused({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer }, 'person');
  assert.deepEqual(kit.entries('access-refused'), []);
  const { dealer } = CREDENTIAL;
  await kit.refused({ type: 'sign-in-dealer', credential: { ...dealer, pin: '604913' } }, 'person');
  assert.equal(kit.last('access-refused')['why'], 'wrong-pin');
});

test('D2: a unit that shuts after each note is inhibited until an attendant opens it, over a restart too', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { shutAfterNote: true } });
  const player = (acceptor: number) =>
    kit.view.devices.find(({ id }) => id === `acceptor-${acceptor}`)?.player;
  const isShut = () =>
    kit.until(
      'the gate is shut',
      () => kit.rack.acceptor(1).status() === INHIBITED && player(1) === 'no-notes',
    );
  await kit.fund(1, 50_000);
  await isShut();
  await kit.acceptorReady(2);
  assert.equal(player(2), null);
  assert.equal(kit.rack.acceptor(1).insert(10_000, 'MOP').taken, false);
  const open = { type: 'open-acceptor', acceptor: 1 } as const;
  await kit.refused({ ...open, credential: CREDENTIAL.dealer }, 'person');
  await kit.refused({ ...open, acceptor: 2, credential: CREDENTIAL.attendant }, 'nothing-to-do');
  await kit.restart();
  await isShut();
  await kit.do({ ...open, credential: CREDENTIAL.attendant });
  await kit.fund(1, 10_000);
  await isShut();
  assert.equal(kit.last<{ person: { id: string } }>('acceptor-opened').person.id, 'A-01');
  const gates = kit
    .entries('acceptors-gated')
    .flatMap(({ body }) => (body as { gates: { acceptor: number; shut: string | null }[] }).gates);
  assert.ok(gates.some(({ acceptor, shut }) => acceptor === 1 && shut === 'after-note'));
});
