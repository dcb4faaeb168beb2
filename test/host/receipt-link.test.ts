/** The code of a receipt as a link: what it carries, on the screen and on paper. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeReceipt, type Receipt, textOfLink } from '../../ledger/chain/receipt.codec.ts';
import { TestTerminal } from './test-terminal.ts';

const ADDRESS = 'https://receipts.casino.example/r/';

const receiptOf = (link: string): Receipt => {
  assert.ok(link.startsWith(`${ADDRESS}#`), link);
  const judged = judgeReceipt(textOfLink(link));
  assert.ok(judged.holds, JSON.stringify(judged));
  return judged.receipt;
};

test('where the house has an address, the code is a link that carries the whole signed round', async (t) => {
  const kit = await TestTerminal.open(t, { file: { receiptAddress: ADDRESS } });
  await kit.until('printer', () =>
    kit.view.devices.some(({ kind, state }) => kind === 'receipt-printer' && state === 'idle'),
  );
  await kit.fund(1, 100_000);
  await kit.ready('8S 9H 8D 3C TD 5S 9C TC 7D 2H');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'split'));
  while (kit.step !== 'close-round' && kit.step !== 'read-results') {
    const { step } = kit.view.dealer;
    if (step.step === 'await-decision') await kit.do(kit.act(1, 'stand', step.hand));
    else if (kit.step === 'await-offers') kit.passDeadline();
    else await kit.draw();
  }
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  const roundId = 'T-HOST-1-000001';
  const one = await kit.display('seat:1');
  const { receipt: link, lines } = await one.found({ query: 'own-round', seat: 1, roundId });
  t.diagnostic(`${link!.length} characters`);
  const { round, ...amounts } = receiptOf(link!);
  assert.equal(amounts.seat, 1);
  assert.equal(amounts.stakedMinor, 20_000);
  assert.ok(round !== undefined);
  assert.deepEqual([round.no, round.table, round.dealer], [1, 'Test', 'Lei Ka Man']);
  assert.equal(round.hands.length, 2);
  assert.match(round.hands[0]!, /^1:8S/);
  assert.match(round.bank, /^9H/);
  assert.deepEqual(
    round.lines.map(([, hand, bet, , stakeMinor, netMinor]) => [hand, bet, stakeMinor, netMinor]),
    lines.map(({ hand, bet, stakeMinor, netMinor }) => [hand, bet, stakeMinor, netMinor]),
  );
  assert.deepEqual(round.steps.at(-1)?.slice(5), [round.bank, round.playerSide, round.hands]);

  await kit.do({ type: 'print-receipt', seat: 1, roundId }, one);
  await kit.until('printed', () => kit.entries('slip-ended').length === 1);
  const paper = kit.rack.sight().printer.pieces.at(-1)!;
  assert.ok(paper.includes(link!), 'the code on paper is the one on the screen');
});
