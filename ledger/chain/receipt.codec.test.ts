import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Checkpoint, checkpointBytes } from './checkpoint.codec.ts';
import { keyFromPrivate } from './key.ts';
import { judgeReceipt, makeReceipt, type Receipt } from './receipt.codec.ts';

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
