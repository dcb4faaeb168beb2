import { createPrivateKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { keyFromPrivate, type LedgerKey } from '../ledger/chain/key.ts';

/**
 * The private key for commands, which people hold and the service does not. Throws Error with a
 * sentence.
 */
export function readCommandKey(path: string): LedgerKey {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Error(`${path} can be read by others; it must have mode 0600`);
  const key = createPrivateKey(readFileSync(path, 'utf8'));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} is not an Ed25519 key`);
  return keyFromPrivate(key);
}
