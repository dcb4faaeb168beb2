import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../chain/bounded-file.store.ts';
import { keyFromPrivate, type LedgerKey } from '../chain/key.ts';
import { LedgerUnusable } from './errors.ts';

export type { LedgerKey } from '../chain/key.ts';

/** Of a PEM file; an Ed25519 key takes 119. */
const KEY_BYTES = 65_536;

export const KEY_FILE = 'ledger-key.pem';

/**
 * The terminal's Ed25519 key from `<dir>/ledger-key.pem` (PKCS#8, mode 0600), made on the first
 * call. Throws LedgerUnusable when the file is readable by others or is no such key.
 */
export function loadOrCreateKey(dir: string): LedgerKey {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, KEY_FILE);
  let pem = readKeyFile(path);
  if (pem === null) {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeDurably(path, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    pem = readKeyFile(path) ?? '';
  }
  try {
    const privateKey = createPrivateKey(pem);
    if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('it is not an Ed25519 key');
    return keyFromPrivate(privateKey);
  } catch (error) {
    throw new LedgerUnusable(`key file ${path} cannot be used: ${(error as Error).message}`);
  }
}

function readKeyFile(path: string): string | null {
  try {
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0) {
      throw new LedgerUnusable(
        `key file ${path} has mode 0${mode.toString(8)}, must be 0600: others can read it`,
      );
    }
    return readBounded(path, KEY_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A power cut leaves the whole file or none; of two processes that start together one key wins. */
/** A new file of this account alone, whole or not there; one of that name stays as it is. */
export function writeDurably(path: string, content: string): void {
  const temporary = `${path}.${process.pid}`;
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  linkOnce(temporary, path);
}

/**
 * Gives a finished file its name unless the name is taken, and makes the directory entry durable.
 */
export function linkOnce(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  syncToDisk(join(path, '..'));
}

/** What a file holds, or which names a folder holds, is on the disk when this returns. */
export function syncToDisk(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
