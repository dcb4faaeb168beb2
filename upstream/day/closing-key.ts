/** The key that signs closings: made at the first start, and the same for all instances. */
import { generateKeyPairSync } from 'node:crypto';
import type { LedgerKey } from '../../ledger/chain/key.ts';
import { readCommandKey } from '../command-key.ts';
import { makeSecret } from '../password.store.ts';

/** Throws Error with a sentence. */
export function loadOrMakeClosingKey(path: string): LedgerKey {
  makeSecret(path, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  return readCommandKey(path);
}
