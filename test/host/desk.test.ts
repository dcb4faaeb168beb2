/**
 * Hand-pays, held notes, corrections and complaints through the host: who may, what is on disk,
 * what a restart leaves.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import type { Command } from '../../wire/commands.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

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
async function settled(kit: TestTerminal): Promise<void> {
  await kit.ready('TS 8H TD TC');
  await kit.lay({ 1: 20_000 });
  await kit.draw(3);
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  assert.equal(kit.view.phase, 'settled');
  // No entry of its own may come between a command and its check.
  if (kit.view.deadline) kit.passDeadline();
}

const disputes = (kit: TestTerminal): number =>
  kit.host.terminal.ledger.checkpoints().filter(({ reason }) => reason === 'dispute').length;

test('607 credit is put right by two PINs of different persons, for a round and an entry that exist', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await settled(kit);
  await kit.refused(adjust({ secondCredential: CREDENTIAL.attendant }), 'person');
  await kit.refused(adjust({ secondCredential: CREDENTIAL.attendant2 }), 'person');
  await kit.refused(adjust({ credential: CREDENTIAL.dealer }), 'person');
  await kit.refused(adjust({ credential: CREDENTIAL.supervisor }), 'person');
  await kit.refused(adjust({ credential: CREDENTIAL.nobody }), 'person');
  await kit.refused(adjust({ roundNo: 7 }), 'unknown-round');
  await kit.refused(adjust({ correctsSeq: 1_000_000 }), 'malformed');
  await kit.refused(adjust({ reason: 'other' }), 'malformed');
  await kit.refused(adjust({ amountMinor: -90_000 }), 'no-credit');
  const settledSeq = kit.entries('round-settled').at(-1)?.seq ?? 0;
  const command = adjust({ roundNo: 1, correctsSeq: settledSeq, reason: 'other', words: 'counted again' });
  const id = 'adjust-once-and-no-more';
  assert.equal((await kit.send(command, kit.table, id)).status, 'done');
  assert.equal((await kit.send(command, kit.table, id)).status, 'exists');
  assert.equal(kit.seat(1).creditMinor, 75_000);
  assert.deepEqual(kit.postings('credit-adjusted'), { adjustments: 5_000, 'seat-credit:1': -5_000 });
  const entry = kit.last<{
    corrects: object;
    words: string;
    person: { id: string };
    second: { id: string };
  }>('credit-adjusted');
  assert.deepEqual(entry.corrects, { roundId: 'T-HOST-1-000001', seq: settledSeq });
  assert.deepEqual([entry.words, entry.person.id, entry.second.id], ['counted again', 'A-01', 'S-01']);

  const player = await kit.display('seat:1');
  await kit.refused(adjust(), 'not-allowed', player);
});

test('510 a player complains at the own seat; evidence is signed at once and again after a loss of power', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await settled(kit);
  assert.equal(kit.view.complaintWindow?.roundNo, 1);
  const one = await kit.display('seat:1');
  await kit.refused({ type: 'raise-complaint', seat: 1 }, 'not-allowed', one);
  await kit.refused({ type: 'raise-complaint', seat: 2, from: 'player' }, 'not-allowed', one);
  const dealer = await kit.display('dealer');
  await kit.do({ type: 'raise-complaint', seat: 1, from: 'player' }, one);
  await kit.do({ type: 'raise-complaint', seat: 3 }, dealer);
  assert.equal(disputes(kit), 2);
  const raised = kit.entries('complaint-raised').at(0);
  const signed = kit.host.terminal.ledger.checkpoints().find(({ reason }) => reason === 'dispute');
  assert.equal(signed?.seq, raised?.seq, 'nothing lies between the complaint and the signature');
  assert.ok(raised);
  const { cards, ofRoundId } = raised.body as { cards: { bank: number[] }; ofRoundId: string };
  assert.equal(ofRoundId, 'T-HOST-1-000001');
  assert.equal(cards.bank.length, 2);

  await kit.restart();
  assert.equal(disputes(kit), 3);
  assert.deepEqual(
    kit.view.complaints.map(({ complaintNo, seat, from }) => [complaintNo, seat, from]),
    [
      [1, 1, 'player'],
      [2, 3, 'dealer'],
    ],
  );
  await kit.do(adjust({ complaintNo: 1, reason: 'complaint-upheld' }));
  assert.equal(kit.view.complaints[0]?.adjustedMinor, 5_000);
  const close = {
    type: 'close-complaint',
    complaintNo: 1,
    upheld: false,
    credential: CREDENTIAL.supervisor,
  } as const;
  await kit.refused(close, 'not-allowed');
  await kit.refused({ ...close, upheld: true, credential: CREDENTIAL.attendant }, 'person');
  await kit.do({ ...close, upheld: true });
  await kit.do({ ...close, complaintNo: 2 });
  assert.deepEqual(kit.view.complaints, []);
});

test('510 the window of the house is over when its time is, and a restart does not begin it again', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { complaintWindowMs: 120_000 } });
  await kit.fund(1, 50_000);
  await settled(kit);
  const untilMs = kit.view.complaintWindow?.untilMs ?? 0;
  await kit.restart();
  assert.equal(kit.view.complaintWindow?.untilMs, untilMs);
  kit.offsetMs += 130_000;
  assert.equal(kit.view.complaintWindow, null);
  await kit.refused({ type: 'raise-complaint', seat: 1, from: 'player' }, 'too-late');
});

test('511, 602 a win too large for the machine waits under its number through a loss of power, and is paid once', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { handPaidWinMinor: minor(15_000) } });
  await kit.fund(1, 50_000);
  await settled(kit);
  assert.equal(kit.seat(1).creditMinor, 50_000);
  const queue = kit.view.handPays;
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
  await kit.restart();
  assert.deepEqual(kit.view.handPays, queue, 'the same queue, with the same time');
  const { requestId } = queue[0]!;
  await kit.refused({ type: 'cancel-cash-out', seat: 1, requestId }, 'nothing-to-do');
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  assert.equal(kit.last<{ payNo: number }>('hand-paid').payNo, 1);
  assert.deepEqual(kit.postings('hand-paid'), { 'hand-pay-pending:1': 20_000, 'hand-pay': -20_000 });
  await kit.refused(
    { type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant },
    'nothing-to-do',
  );
  assert.deepEqual(kit.view.handPays, []);
});

test('602 the queue of hand-pays is oldest first, each with its number; what is paid leaves it', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(2, 50_000);
  await kit.fund(1, 100_000, 50_000);
  await kit.do({ type: 'request-cash-out', seat: 2 });
  kit.offsetMs += 16_000;
  await kit.do({ type: 'request-cash-out', seat: 1 });
  await kit.restart();
  assert.deepEqual(
    kit.view.handPays.map(({ seat, payNo, twoPersons }) => [seat, payNo, twoPersons]),
    [
      [2, 1, false],
      [1, 2, true],
    ],
  );
  const [first] = kit.view.handPays;
  await kit.do({
    type: 'confirm-hand-pay',
    seat: 2,
    requestId: first?.requestId ?? '',
    credential: CREDENTIAL.supervisor,
  });
  assert.deepEqual(
    kit.view.handPays.map(({ seat }) => seat),
    [1],
  );
  await kit.do({ type: 'cancel-cash-out', seat: 1, requestId: kit.view.handPays[0]?.requestId ?? '' });
  await kit.do({ type: 'request-cash-out', seat: 1 });
  assert.equal(kit.view.handPays[0]?.payNo, 3, 'a number is never used again');
});

test('H16: a shift is handed over by who goes and who comes, with what waits at the table', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(2, 50_000);
  await kit.fund(1, 100_000);
  await kit.do({ type: 'request-cash-out', seat: 2 });
  await kit.do({ type: 'call-attendant', seat: 4, on: true });
  const hand = (second: (typeof CREDENTIAL)[keyof typeof CREDENTIAL]): Command => ({
    type: 'hand-over-shift',
    credential: CREDENTIAL.attendant,
    secondCredential: second,
  });
  await kit.refused(hand(CREDENTIAL.attendant), 'person');
  await kit.refused(hand(CREDENTIAL.dealer), 'person');
  await kit.do(hand(CREDENTIAL.attendant2));
  const { person, second, ...told } = kit.last<{ person: { id: string }; second: { id: string } }>(
    'shift-handed-over',
  );
  assert.deepEqual([person.id, second.id], ['A-01', 'A-02']);
  assert.deepEqual(told, {
    handPays: 1,
    pendingMinor: 50_000,
    heldNotes: 0,
    calls: [4],
    complaints: 0,
    unreported: 0,
    faults: [],
    creditMinor: 100_000,
  });
  assert.deepEqual(kit.view.handover, told);
});

test('953, K7: who is on the list lays no bet until they are paid and gone; the ledger has the answer and no document', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-exclusions-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const exclusions = join(folder, 'exclusions.json');
  const kit = await TestTerminal.open(t, { file: { exclusions } });
  await kit.fund(1, 50_000);
  const check = (document: string, credential = CREDENTIAL.attendant): Command => ({
    type: 'check-exclusion',
    document,
    seat: 1,
    credential,
  });
  await kit.refused(check('M 123.456(7)'), 'off');
  // By the program of the house, as it ships.
  const program = spawn(process.execPath, [
    join(import.meta.dirname, '../../cli/banca.ts'),
    ...['exclusions', '--out', exclusions],
  ]);
  program.stdin.end('M1234567\nP-99 88\n\n');
  assert.equal(await text(program.stdout), `${exclusions}: 2 people\n`);
  assert.doesNotMatch(readFileSync(exclusions, 'utf8'), /M123|P-?99/);
  await kit.refused(check('M1234567', CREDENTIAL.dealer as never), 'person');
  await kit.do(check('M7654321'));
  assert.deepEqual(kit.last<{ listed: boolean }>('exclusion-checked').listed, false);
  const answer = await kit.send(check('m 123.456(7)'));
  assert.ok(answer.status === 'rejected' && answer.code === 'excluded', JSON.stringify(answer));
  await kit.ready('TS 8H TD TC');
  await kit.do({ type: 'open-betting' });
  await kit.refused(kit.bet(1, 10_000), 'seat-locked');
  const stored = JSON.stringify(kit.host.terminal.ledger.read(1, 1_000));
  assert.doesNotMatch(stored, /m.?123.?456|m7654321|p.?99.?88/i);
  assert.match(stored, /"excluded-person"/);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  await kit.until('the seat is free', () => kit.host.terminal.state.faults.length === 0);
});
