import { readFileSync } from 'node:fs';
import { publicKeyFromPem } from '../ledger/chain/key.ts';
import { CannotRun } from './command.ts';

/**
 * A public key as people hand it on: 32 bytes in base64, or a file in PEM. Null: none was named.
 * Throws CannotRun.
 */
export function readPublicKey(option: string, text: string | undefined): Uint8Array | null {
  if (text === undefined) return null;
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return Buffer.from(text, 'base64');
  try {
    return publicKeyFromPem(readFileSync(text, 'utf8'));
  } catch (error) {
    throw new CannotRun(
      `${option} ${text}: neither a file with a public key nor 32 bytes in base64: ${(error as Error).message}`,
    );
  }
}
