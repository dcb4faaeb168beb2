import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Checkpoint, checkpointBytes } from './checkpoint.codec.ts';
import { keyFromPrivate } from './key.ts';
import { judgeReceipt, makeReceipt, makeReceiptLink, type Receipt, textOfLink } from './receipt.codec.ts';
import type { RoundOfReceipt } from './receipt-words.ts';
import { inFull, inShort } from './receipt-words.ts';

const key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
const unsigned: Omit<Checkpoint, 'signature'> = {
  no: 12,
  seq: 3456,
  entryHash: Buffer.alloc(32, 7),
  stateHash: Buffer.alloc(32, 9),
  reason: 'snapshot',
  atMs: 1_767_000_000_000,
  keyId: key.keyId,
};
const receipt: Receipt = {
  terminal: 'MO-BJ-07',
  roundId: 'MO-BJ-07-000128',
  seat: 3,
  currency: 'MOP',
  stakedMinor: 60_000,
  returnedMinor: 90_000,
  checkpoint: { ...unsigned, signature: key.sign(checkpointBytes('MO-BJ-07', unsigned)) },
};
const text = makeReceipt(receipt, key);

test('a receipt says what went in, and fits a QR code a telephone can read', () => {
  const judged = judgeReceipt(text);
  assert.ok(judged.holds);
  assert.equal(judged.keyId, key.keyId);
  const plain = ({ checkpoint, ...amounts }: Receipt) => [
    amounts,
    checkpoint.no,
    checkpoint.seq,
    checkpoint.atMs,
  ];
  assert.deepEqual(plain(judged.receipt), plain(receipt));
  assert.ok(text.length < 858, `${text.length} characters: version 20 at level L holds 858`);
});

test('no character of it can be changed', () => {
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0aZ_{}",:\n'), (i, other) => {
      const changed = text.slice(0, i) + other + text.slice(i + 1);
      // base64url has spare bits in its last character: the same bytes in another writing are the
      // same signature.
      const spare = changed.slice(0, -1) === text.slice(0, -1);
      if (changed.trim() !== text && !spare)
        assert.equal(judgeReceipt(changed).holds, false, `${i} ${other}`);
    }),
    { numRuns: 500 },
  );
});

test('a checkpoint of another key is not one of this receipt', () => {
  const other = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  assert.deepEqual(judgeReceipt(makeReceipt(receipt, other)), { holds: false, why: 'checkpoint' });
});

const ADDRESS = 'https://receipts.casino.example/';
const step: RoundOfReceipt['steps'][number] = [12, 'card-dealt', 3, '', 0, 'KH', '', ['3:ADJC']];
const round: RoundOfReceipt = {
  ...{ no: 128, openedAtMs: 1_767_000_000_000, table: '二十一點 7', rulebook: 'macau-blackjack-2009' },
  ...{ dealer: 'Lei Ka Man', isVoid: false, bank: 'KH8S', playerSide: '', hands: ['3:ADJC'] },
  lines: [[3, 0, 'main', 'blackjack', 60_000, 90_000, [3, 2], ['art.10.2']]],
  steps: [step],
};

test('a link carries the receipt as it was signed', () => {
  const link = makeReceiptLink(ADDRESS, { ...receipt, round }, key);
  assert.ok(link.startsWith(`${ADDRESS}#v1.`) && link.length < 792, `${link.length}: version 19 holds 792`);
  const said = textOfLink(link);
  assert.equal(said, makeReceipt({ ...receipt, round }, key));
  const judged = judgeReceipt(said);
  assert.ok(judged.holds);
  assert.deepEqual(judged.receipt.round, round);
});

test('of a round too long for a code the steps are left out, and it is signed all the same', () => {
  const steps = Array.from(
    { length: 400 },
    (_, i) => [i * 7, 'bet-placed', i, `${i}`, i ** 3, '', '', []] as const,
  );
  const judged = judgeReceipt(
    textOfLink(makeReceiptLink(ADDRESS, { ...receipt, round: { ...round, steps } }, key)),
  );
  assert.ok(judged.holds);
  assert.deepEqual(judged.receipt.round, { ...round, steps: [] });
});

test('what is written in short is read in full, whatever it says', () => {
  fc.assert(
    // A receipt has none of the signs: JSON escapes them, and names have letters that can be seen.
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const said = makeReceipt({ ...receipt, round: { ...round, table: JSON.stringify(name) } }, key);
      assert.equal(inFull(inShort(said)), said);
    }),
  );
});
