/** Hand-pays, held notes, corrections and complaints through the host: who may, what is on disk, what a restart leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import type { Command } from '../../wire/commands.ts';
import { CREDENTIAL, House } from './house.ts';

const adjust = (more: Partial<Extract<Command, { type: 'adjust-credit' }>> = {}): Command => ({
  type: 'adjust-credit',
  seat: 1,
  amountMinor: 5_000,
  reason: 'settlement-wrong',
  credential: CREDENTIAL.attendant,
  secondCredential: CREDENTIAL.supervisor,
  ...more,
});

/** One settled round: seat 1 stands on 20 against 18 and wins 20,000. */
async function settled(house: House): Promise<void> {
  await house.ready('TS 8H TD TC');
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 20_000));
  await house.do({ type: 'close-betting' });
  await house.draw(3);
  house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.draw();
  assert.equal(house.view.phase, 'settled');
  // No entry of its own may come between a command and its check.
  if (house.view.deadline) house.passDeadline();
}

const disputes = (house: House): number =>
  house.host.terminal.ledger.checkpoints().filter(({ reason }) => reason === 'dispute').length;

test('607 credit is put right by two PINs of different persons, for a round and an entry that exist', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await settled(house);
  await house.refused(adjust({ secondCredential: CREDENTIAL.attendant }), 'person');
  await house.refused(adjust({ secondCredential: CREDENTIAL.attendant2 }), 'person');
  await house.refused(adjust({ credential: CREDENTIAL.dealer }), 'person');
  await house.refused(adjust({ credential: CREDENTIAL.supervisor }), 'person');
  await house.refused(adjust({ credential: CREDENTIAL.nobody }), 'person');
  await house.refused(adjust({ roundNo: 7 }), 'unknown-round');
  await house.refused(adjust({ correctsSeq: 1_000_000 }), 'malformed');
  await house.refused(adjust({ reason: 'other' }), 'malformed');
  await house.refused(adjust({ amountMinor: -90_000 }), 'no-credit');
  const settledSeq = house.entries('round-settled').at(-1)?.seq ?? 0;
  const command = adjust({ roundNo: 1, correctsSeq: settledSeq, reason: 'other', words: 'counted again' });
  const id = 'adjust-once-and-no-more';
  assert.equal((await house.send(command, house.table, id)).status, 'done');
  assert.equal((await house.send(command, house.table, id)).status, 'exists');
  assert.equal(house.seat(1).creditMinor, 75_000);
  assert.deepEqual(house.postings('credit-adjusted'), { adjustments: 5_000, 'seat-credit:1': -5_000 });
  const entry = house.last<{
    corrects: object;
    words: string;
    person: { id: string };
    second: { id: string };
  }>('credit-adjusted');
  assert.deepEqual(entry.corrects, { roundId: 'T-HOST-1-000001', seq: settledSeq });
  assert.deepEqual([entry.words, entry.person.id, entry.second.id], ['counted again', 'A-01', 'S-01']);

  const player = await house.display('seat:1');
  await house.refused(adjust(), 'not-allowed', player);
});

test('510 a player complains at the own seat; evidence is signed at once and again after a loss of power', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await settled(house);
  assert.equal(house.view.complaintWindow?.roundNo, 1);
  const one = await house.display('seat:1');
  await house.refused({ type: 'raise-complaint', seat: 1 }, 'not-allowed', one);
  await house.refused({ type: 'raise-complaint', seat: 2, from: 'player' }, 'not-allowed', one);
  const dealer = await house.display('dealer');
  await house.do({ type: 'raise-complaint', seat: 1, from: 'player' }, one);
  await house.do({ type: 'raise-complaint', seat: 3 }, dealer);
  assert.equal(disputes(house), 2);
  const raised = house.entries('complaint-raised').at(0);
  const signed = house.host.terminal.ledger.checkpoints().find(({ reason }) => reason === 'dispute');
  assert.equal(signed?.seq, raised?.seq, 'nothing lies between the complaint and the signature');
  assert.ok(raised);
  const { cards, ofRoundId } = raised.body as { cards: { bank: number[] }; ofRoundId: string };
  assert.equal(ofRoundId, 'T-HOST-1-000001');
  assert.equal(cards.bank.length, 2);

  await house.restart();
  assert.equal(disputes(house), 3);
  assert.deepEqual(
    house.view.complaints.map(({ complaintNo, seat, from }) => [complaintNo, seat, from]),
    [
      [1, 1, 'player'],
      [2, 3, 'dealer'],
    ],
  );
  await house.do(adjust({ complaintNo: 1, reason: 'complaint-upheld' }));
  assert.equal(house.view.complaints[0]?.adjustedMinor, 5_000);
  const close = {
    type: 'close-complaint',
    complaintNo: 1,
    upheld: false,
    credential: CREDENTIAL.supervisor,
  } as const;
  await house.refused(close, 'not-allowed');
  await house.refused({ ...close, upheld: true, credential: CREDENTIAL.attendant }, 'person');
  await house.do({ ...close, upheld: true });
  await house.do({ ...close, complaintNo: 2 });
  assert.deepEqual(house.view.complaints, []);
});

test('510 the window of the house is over when its time is, and a restart does not begin it again', async (t) => {
  const house = await House.open(t, { profile: { complaintWindowMs: 120_000 } });
  await house.fund(1, 50_000);
  await settled(house);
  const untilMs = house.view.complaintWindow?.untilMs ?? 0;
  await house.restart();
  assert.equal(house.view.complaintWindow?.untilMs, untilMs);
  house.offsetMs += 130_000;
  assert.equal(house.view.complaintWindow, null);
  await house.refused({ type: 'raise-complaint', seat: 1, from: 'player' }, 'too-late');
});

test('511, 602 a win too large for the machine waits under its number through a loss of power, and is paid once', async (t) => {
  const house = await House.open(t, { profile: { handPaidWinMinor: minor(15_000) } });
  await house.fund(1, 50_000);
  await settled(house);
  assert.equal(house.seat(1).creditMinor, 50_000);
  const queue = house.view.handPays;
  assert.deepEqual(
    queue.map(({ seat, payNo, kind, amountMinor, twoPersons }) => [
      seat,
      payNo,
      kind,
      amountMinor,
      twoPersons,
    ]),
    [[1, 1, 'win', 20_000, false]],
  );
  await house.restart();
  assert.deepEqual(house.view.handPays, queue, 'the same queue, with the same time');
  const { requestId } = queue[0]!;
  await house.refused({ type: 'cancel-cash-out', seat: 1, requestId }, 'nothing-to-do');
  await house.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  assert.equal(house.last<{ payNo: number }>('hand-paid').payNo, 1);
  assert.deepEqual(house.postings('hand-paid'), { 'hand-pay-pending:1': 20_000, 'hand-pay': -20_000 });
  await house.refused(
    { type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant },
    'nothing-to-do',
  );
  assert.deepEqual(house.view.handPays, []);
});

test('602 the queue of hand-pays is oldest first, each with its number; what is paid leaves it', async (t) => {
  const house = await House.open(t);
  await house.fund(2, 50_000);
  await house.fund(1, 100_000, 50_000);
  await house.do({ type: 'request-cash-out', seat: 2 });
  house.offsetMs += 16_000;
  await house.do({ type: 'request-cash-out', seat: 1 });
  await house.restart();
  assert.deepEqual(
    house.view.handPays.map(({ seat, payNo, twoPersons }) => [seat, payNo, twoPersons]),
    [
      [2, 1, false],
      [1, 2, true],
    ],
  );
  const [first] = house.view.handPays;
  await house.do({
    type: 'confirm-hand-pay',
    seat: 2,
    requestId: first?.requestId ?? '',
    credential: CREDENTIAL.supervisor,
  });
  assert.deepEqual(
    house.view.handPays.map(({ seat }) => seat),
    [1],
  );
  await house.do({ type: 'cancel-cash-out', seat: 1, requestId: house.view.handPays[0]?.requestId ?? '' });
  await house.do({ type: 'request-cash-out', seat: 1 });
  assert.equal(house.view.handPays[0]?.payNo, 3, 'a number is never used again');
});
