/**
 * What programs log in with: passwords of 192 random bits, made at the first start and kept in
 * files of the service's own account. So nobody can guess one, and nobody needs to be shut out who
 * tries to.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Program } from './rights.ts';

/** One that people have chosen could be guessed when it is short. */
const LEAST_CHARACTERS = 20;

/**
 * The password in the file at `path`. Throws, and says why, when it is missing, short, or open to
 * other accounts.
 */
export function readPassword(path: string): string {
  const file = openSync(path, 'r');
  try {
    if ((fstatSync(file).mode & 0o077) !== 0)
      throw new Error(`${path} can be read by others; it must have mode 0600`);
    const password = readFileSync(file, 'utf8').trim();
    if (password.length < LEAST_CHARACTERS)
      throw new Error(`${path}: a password has at least ${LEAST_CHARACTERS} characters`);
    return password;
  } finally {
    closeSync(file);
  }
}

/** The same, made at the first call. */
export function loadOrMakePassword(path: string): string {
  makeSecret(path, () => `${randomBytes(24).toString('base64url')}\n`);
  return readPassword(path);
}

/** A file that this account alone reads; the one that is there stays. */
export function makeSecret(path: string, make: () => string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, make(), { mode: 0o600, flush: true });
  try {
    // Whole or not there; and of several instances that start at once, all have the first one's.
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}

/** The header of HTTP Basic. */
export const basicOf = (password: string, user: Program = 'operator'): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
