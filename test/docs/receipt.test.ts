/**
 * The page a player checks their receipt with: opened as a file, without a network, in
 * Debian's Chromium.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { checkpointBytes } from '../../ledger/chain/checkpoint.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { makeReceipt } from '../../ledger/chain/receipt.codec.ts';
import { launchChromium, noChromium } from '../support/chromium.ts';

test('docs/receipt/verify.html judges a receipt as the terminal does', { skip: noChromium }, async (t) => {
  const key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  const point = {
    no: 12,
    seq: 3456,
    entryHash: Buffer.alloc(32, 7),
    stateHash: Buffer.alloc(32, 9),
    reason: 'snapshot',
    atMs: 1_767_000_000_000,
    keyId: key.keyId,
  };
  const checkpoint = { ...point, signature: key.sign(checkpointBytes('MO-BJ-07', point)) };
  const amounts = { seat: 3, currency: 'MOP', stakedMinor: 60_000, returnedMinor: 90_050 };
  const text = makeReceipt({ terminal: 'MO-BJ-07', roundId: 'MO-BJ-07-000128', ...amounts, checkpoint }, key);
  const changed = makeReceipt(
    { terminal: 'MO-BJ-07', roundId: 'x', ...amounts, checkpoint: { ...checkpoint, seq: 1 } },
    key,
  );

  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(import.meta.dirname, '../../docs/receipt/verify.html')).href);
  const says = async (receipt: string, wantedKey: string, said: RegExp): Promise<void> => {
    await page.locator('#key').fill(wantedKey);
    await page.locator('#text').fill(receipt);
    await page.getByRole('status').filter({ hasText: said }).waitFor();
  };
  await says(text, '', /The signatures hold/);
  assert.match((await page.locator('#facts').textContent())!, /MO-BJ-07-000128.*600\.00 MOP.*900\.50 MOP/);
  await says(text, key.keyId.toUpperCase(), /The signatures hold/);
  await says(text, '0'.repeat(32), /another terminal/);
  await says(text.replace('90050', '90051'), '', /was changed/);
  await says(changed, '', /checkpoint does not fit/);
  await says(text.slice(0, 40), '', /Not a receipt/);
});
