import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TERMINAL_ID } from '../ledger/chain/entry.codec.ts';
import { publicKeyFromPem } from '../ledger/chain/key.ts';
import type { Db } from './db.store.ts';

export interface Enrolment {
  /**
   * Raw Ed25519 key of an enrolled terminal, null for a stranger. Rejects when its `.pub` file is
   * no key.
   */
  publicKeyOf(terminal: string): Promise<Uint8Array | null>;
  /**
   * The database does not know this terminal, though it was known: a backup older than its
   * enrolment was put back. Its next call is its first one again.
   */
  forget(terminal: string): void;
}

/**
 * Terminals known to the database; one that is not is looked up as `<dir>/<terminal>.pub` (PEM) at
 * its first call. The first key stays: a later file with another key changes nothing, and its
 * batches have a bad signature.
 */
export function enrolmentOf(db: Db, dir: string | null): Enrolment {
  const known = new Map<string, Uint8Array>();
  const fromDatabase = async (terminal: string): Promise<Uint8Array | null> => {
    const [row] = await db.query<{ key: string }>(
      "SELECT encode(public_key, 'hex') AS key FROM terminals WHERE terminal_id = $1",
      [terminal],
    );
    return row === undefined ? null : Buffer.from(row.key, 'hex');
  };
  return {
    async publicKeyOf(terminal) {
      const cached = known.get(terminal);
      if (cached !== undefined) return cached;
      if (!TERMINAL_ID.test(terminal)) return null;
      let key = await fromDatabase(terminal);
      if (key === null && dir !== null) {
        const pem = await readFile(join(dir, `${terminal}.pub`), 'utf8').catch(
          (error: NodeJS.ErrnoException) => {
            if (error.code === 'ENOENT') return null;
            throw error;
          },
        );
        if (pem === null) return null;
        await db.query(
          "INSERT INTO terminals (terminal_id, public_key) VALUES ($1, decode($2, 'hex')) ON CONFLICT DO NOTHING",
          [terminal, Buffer.from(publicKeyFromPem(pem)).toString('hex')],
        );
        key = await fromDatabase(terminal);
      }
      if (key !== null) known.set(terminal, key);
      return key;
    },
    forget(terminal) {
      known.delete(terminal);
    },
  };
}
