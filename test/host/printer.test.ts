/** What comes out of the printer of a whole terminal, and that nothing waits for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf } from '../../host/pages/event-codes.ts';
import { judgeReceipt } from '../../ledger/chain/receipt.codec.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

/** The pieces that were cut off, the newest last; each as its lines. */
const paper = (kit: TestTerminal): readonly (readonly string[])[] => kit.rack.sight().printer.pieces;
const ended = (kit: TestTerminal) =>
  kit.entries('slip-ended').map(({ body }) => {
    const { slip, printed, why } = body as { slip: string; printed: boolean; why: string | null };
    return `${slip} ${printed ? 'printed' : why}`;
  });
const state = (kit: TestTerminal): string =>
  kit.view.devices.find(({ kind }) => kind === 'receipt-printer')?.state ?? 'none';
const isReady = (kit: TestTerminal): Promise<void> => kit.until('printer', () => state(kit) === 'idle');
const fault = (
  kit: TestTerminal,
  name: 'out' | 'load-paper' | 'cutter' | 'mend' | 'cover-open' | 'cover-close',
) => kit.hands({ do: 'fault', device: 'printer', fault: name });
const faults = (kit: TestTerminal): string[] =>
  kit.host.terminal.state.faults.filter(({ device }) => device === 'printer').map((each) => each.fault);

async function payOut(kit: TestTerminal, seat: number, minor: number): Promise<void> {
  await kit.fund(seat, minor);
  await kit.do({ type: 'request-cash-out', seat });
  const { requestId } = kit.seat(seat).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat, requestId, credential: CREDENTIAL.attendant });
}

test('a payment by hand prints its slip by itself: what, how much, by whom, once', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  await payOut(kit, 1, 100_000);
  await kit.until('printed', () => ended(kit).length === 1);
  assert.deepEqual(ended(kit), ['hand-pay printed']);
  const [slip] = paper(kit);
  assert.ok(slip !== undefined && paper(kit).length === 1);
  const text = slip.join('\n');
  assert.match(text, /^Test\n人手付款\nPAGAMENTO EM MÃO \/ HAND PAY\n模擬\nSIMULAÇÃO \/ SIMULATION\n/);
  assert.match(text, /^Terminal +T-HOST-1$/m);
  assert.match(text, /^Lugar \/ Seat +1$/m);
  assert.match(text, /^MOP 1 000,00$/m);
  assert.match(text, /^Pago por \/ Paid by +Chan Wai \(assistente\)$/m);
  assert.doesNotMatch(text, /COPY/);
  assert.ok(
    slip.every((line) => line.length <= 42),
    text,
  );
});

test('what a printer lacks is a fault, the table plays on, money is paid, and the slip comes with the paper', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  await fault(kit, 'out');
  await kit.until('no paper', () => faults(kit).includes('printer-paper-out'));
  await kit.ready('TS 9H TD 8C');
  assert.equal(kit.step, 'open-betting');
  await payOut(kit, 1, 100_000);
  assert.equal(kit.balance('hand-pay'), -100_000, 'paid');
  assert.deepEqual(kit.entries('slip-sent'), []);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const listed = async () => {
    const { devices } = await kit.table.query({ query: 'devices' });
    return devices
      .find(({ view }) => view.kind === 'receipt-printer')
      ?.slips?.map((row) => `${row.slip} ${row.state}`);
  };
  assert.deepEqual(await listed(), ['hand-pay waiting']);
  await fault(kit, 'load-paper');
  await kit.until('printed', () => ended(kit).length === 1);
  assert.deepEqual(ended(kit), ['hand-pay printed']);
  assert.deepEqual(faults(kit), []);
  assert.deepEqual(await listed(), ['hand-pay printed']);
});

test('a slip that was cut off is reported, and what is asked for again says that it is a copy, over a restart too', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  await fault(kit, 'cutter');
  await payOut(kit, 1, 100_000);
  await kit.until('not printed', () => ended(kit).length === 1);
  assert.deepEqual(ended(kit), ['hand-pay error']);
  await kit.until('jammed', () => faults(kit).includes('printer-cutter'));
  await fault(kit, 'mend');
  await fault(kit, 'cover-open');
  await kit.until('open', () => state(kit) === 'cover-open');
  await fault(kit, 'cover-close');
  await isReady(kit);
  assert.deepEqual(faults(kit), []);

  await kit.restart();
  await isReady(kit);
  const of = String(kit.entries('hand-paid')[0]!.seq);
  await kit.refused({ type: 'print-slip', slip: 'hand-pay', of }, 'no-dealer');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { devices } = await kit.table.query({ query: 'devices' });
  assert.deepEqual(
    devices.flatMap(({ slips }) => slips ?? []).map((row) => [row.slip, row.of, row.state]),
    [['hand-pay', of, 'not-printed']],
  );
  await kit.refused({ type: 'print-slip', slip: 'drop', of }, 'nothing-to-do');
  await kit.refused({ type: 'print-slip', slip: 'hand-pay', of: '999999' }, 'nothing-to-do');
  await kit.refused({ type: 'print-slip', slip: 'round', of: 'x/1' }, 'unknown-round');
  await kit.do({ type: 'print-slip', slip: 'hand-pay', of });
  await kit.until('printed', () => ended(kit).length === 2);
  assert.equal(ended(kit)[1], 'hand-pay printed');
  assert.ok(paper(kit).at(-1)!.includes('2.ª VIA / COPY'));
  assert.deepEqual(
    kit.entries('slip-sent').map(({ body }) => (body as { copy: boolean }).copy),
    [false, true],
  );
  assert.equal((kit.entries('slip-sent')[1]!.body as { person: { name: string } }).person.name, 'João Silva');
});

test('a host that dies while a slip is under way says in its next life that it was not printed', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  await fault(kit, 'out');
  await kit.until('no paper', () => faults(kit).includes('printer-paper-out'));
  await payOut(kit, 1, 100_000);
  // It begins and stands still in its middle.
  const sim = kit.rack.printer;
  const stop = setInterval(() => {
    if (kit.entries('slip-sent').length > 0) sim.fault('out');
  }, 1);
  await fault(kit, 'load-paper');
  await kit.until('begun', () => kit.entries('slip-sent').length === 1);
  clearInterval(stop);
  sim.fault('out');
  await kit.die();
  assert.deepEqual(ended(kit), ['hand-pay restart']);
});

test('a cash box that is taken out prints what was credited into it since the last time', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  const empty = async (): Promise<void> => {
    const count = ended(kit).length;
    await kit.hands({ do: 'fault', device: 'acceptor-1', fault: 'cassette-out' });
    await kit.until('ticket', () => ended(kit).length === count + 1);
    await kit.hands({ do: 'fault', device: 'acceptor-1', fault: 'cassette-in' });
    await kit.until('box is back', () => kit.host.terminal.state.faults.length === 0);
  };
  await kit.fund(1, 100_000, 10_000);
  await kit.fund(2, 50_000);
  await kit.fund(1, 10_000);
  await empty();
  const text = paper(kit).at(-1)!.join('\n');
  assert.match(text, /^COFRE RETIRADO \/ DROP$/m);
  assert.match(text, /^Aceitador \/ Acceptor +1$/m);
  assert.match(text, /^1 x MOP 1 000,00 +MOP 1 000,00\n2 x MOP 100,00 +MOP 200,00$/m);
  assert.match(text, /^Notas \/ Notes +3$/m);
  assert.match(text, /^MOP 1 200,00$/m);
  await kit.fund(1, 50_000);
  await empty();
  assert.match(paper(kit).at(-1)!.join('\n'), /^1 x MOP 500,00 +MOP 500,00\n鈔票張數\nNotas \/ Notes +1$/m);

  // A note that the unit has forgotten lies in the box once an attendant has found it there.
  await kit.loseNote(1, 10_000);
  const found = { type: 'resolve-held-note', outcome: 'credited', reason: 'seen-in-box' } as const;
  await kit.do({ ...found, caseNo: 1, credential: CREDENTIAL.attendant });
  await empty();
  assert.match(paper(kit).at(-1)!.join('\n'), /^1 x MOP 100,00 +MOP 100,00\n鈔票張數\nNotas \/ Notes +1$/m);
  assert.doesNotMatch(paper(kit).at(-1)!.join('\n'), /Retidas/);
  await kit.loseNote(1, 10_000);
  await kit.do({ ...found, caseNo: 2, outcome: 'returned', credential: CREDENTIAL.attendant });
  await empty();
  assert.match(paper(kit).at(-1)!.join('\n'), /Notas \/ Notes +0$/m);
});

test('an error of the deal prints its record: what, in which round, by whom', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.deal({ 1: 10_000 });
  await kit.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
  await kit.until('printed', () => ended(kit).length === 1);
  const text = paper(kit).at(-1)!.join('\n');
  assert.match(text, /^REGISTO DE ERRO \/ ERROR RECORD$/m);
  assert.match(
    text,
    /^Jogada \/ Round +1\n銷去本局紙牌\nJogada cancelada \/ Round cancelled\n理由\nMotivo \/ Reason\n派牌錯誤\nErro na distribuição \/ Misdeal$/m,
  );
  assert.match(text, /^Croupier \/ Dealer +Lei Ka Man \(croupier\)$/m);
  assert.match(text, /^Autorizado \/ By +Maria Nunes \(responsável\)$/m);
});

test('a player prints the receipt of a round once: the code on paper is the one on the screen, and holds', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  const roundId = 'T-HOST-1-000001';
  const [one, two] = await Promise.all([kit.display('seat:1'), kit.display('seat:2')]);
  await kit.refused({ type: 'print-receipt', seat: 1, roundId }, 'not-allowed', two);
  await kit.refused({ type: 'print-receipt', seat: 2, roundId }, 'unknown-round', two);
  await kit.do({ type: 'print-receipt', seat: 1, roundId }, one);
  await kit.until('printed', () => ended(kit).length === 1);
  const onPaper = paper(kit)
    .at(-1)!
    .find((line) => line.startsWith('banca-receipt'));
  const onScreen = await one.found({ query: 'own-round', seat: 1, roundId });
  assert.equal(onPaper, onScreen.receipt);
  const judged = judgeReceipt(onPaper!);
  assert.ok(judged.holds && judged.receipt.seat === 1 && judged.receipt.roundId === roundId);
  await kit.refused({ type: 'print-receipt', seat: 1, roundId }, 'duplicate', one);

  await fault(kit, 'out');
  await kit.until('no paper', () => state(kit) === 'paper-out');
  await kit.refused({ type: 'print-receipt', seat: 1, roundId }, 'off', one);
  await fault(kit, 'load-paper');
  await isReady(kit);
  await kit.do({ type: 'print-slip', slip: 'round', of: `${roundId}/1` });
  await kit.until('a copy', () => ended(kit).length === 2);
  assert.ok(paper(kit).at(-1)!.includes('2.ª VIA / COPY'));
});

test("at Portugal's table every seat greets in Portuguese, and its slips have the words of its law", async (t) => {
  const kit = await TestTerminal.open(t, { profile: { rulebook: 'portugal-blackjack', options: {} } });
  await isReady(kit);
  assert.deepEqual(
    kit.view.seats.map(({ language }) => language),
    kit.view.seats.map(() => 'pt'),
  );
  await payOut(kit, 1, 100_000);
  await kit.until('printed', () => ended(kit).length === 1);
  const text = paper(kit)[0]!.join('\n');
  assert.match(text, /^MOP 1 000,00$/m);
  assert.match(text, /^PAGAMENTO EM MÃO \/ HAND PAY$/m);
});

test('D14: with the printer or the centre away a cash-out waits under its number, staff see it, and its receipt comes with the paper', async (t) => {
  // Nothing listens there: no centre has ever answered.
  const kit = await TestTerminal.open(t, { upstream: 'http://127.0.0.1:9' });
  await isReady(kit);
  await kit.until('the link is down', () => kit.view.link.state === 'down');
  const away: readonly (readonly [what: string, begins: () => Promise<void>, ends: () => Promise<void>])[] = [
    ['printer-paper-out', () => fault(kit, 'out'), () => fault(kit, 'load-paper')],
    ['printer-cover-open', () => fault(kit, 'cover-open'), () => fault(kit, 'cover-close')],
    [
      'printer-offline',
      () => kit.hands({ do: 'power-cycle', device: 'printer', offMs: 600_000 }),
      async () => kit.rack.printer.powerOn(),
    ],
  ];
  for (const [index, [what, begins, ends]] of away.entries()) {
    await kit.fund(1, 100_000);
    await begins();
    await kit.until(what, () => faults(kit).includes(what));
    const seq = kit.headSeq;
    await kit.do({ type: 'request-cash-out', seat: 1 });
    // Locked: nothing of it can be laid, and nobody pays it but an attendant by name.
    assert.deepEqual([kit.seat(1).creditMinor, kit.seat(1).cashOut?.amountMinor], [0, 100_000]);
    const [waiting] = kit.view.handPays;
    assert.deepEqual([waiting?.seat, waiting?.payNo], [1, index + 1]);
    const told = kit.entries('cash-out-requested', seq).at(-1)!;
    assert.deepEqual(
      codesOf(told).map(({ code }) => code),
      ['601', '602'],
    );
    await kit.do({
      type: 'confirm-hand-pay',
      seat: 1,
      requestId: waiting!.requestId,
      credential: CREDENTIAL.attendant,
    });
    assert.equal(ended(kit).length, index, 'paid, and no paper yet');
    await ends();
    await kit.until('the receipt', () => ended(kit).length === index + 1);
    assert.match(paper(kit).at(-1)!.join('\n'), /MOP 1 000,00/);
    assert.equal(kit.view.link.state, 'down');
  }
});
